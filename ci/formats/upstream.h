#pragma once
/*
 * upstream - what MooBench's labels mean: which step of the chain a configuration is, in all
 * frameworks of MooBench 1.0.2 and in what was published before.
 */
#include <glib.h>
#include <stdbool.h>

typedef struct {
    const char *label; /* as it is called today; a renamed one is the same configuration */
    unsigned step;   /* 0 nothing instrumented, 1 a probe that does nothing, 2 collecting, 3 more */
    bool metrics;    /* counts in place of what step 2 makes, which is switched off for it */
    char variant[4]; /* "A" of "Text file - A"; "" without one */
} ci_upstream;

/**
 * ci_upstream_find - by a label in any case; "Configuration 1", which was published while there
 * were no labels, is the second of them. Returns false when MooBench has no such label.
 */
bool ci_upstream_find(const char *label, ci_upstream *out);

/**
 * ci_upstream_key - what a configuration is called in a database: of MooBench's labels the letters
 * and digits ("no-logging"), of other words like them these, too ("with-zipkin" of "With Zipkin"),
 * of any other name these and a part of its hash. Two names have two keys, in whatever file they
 * stand. Owned.
 */
char *ci_upstream_key(const char *label);
