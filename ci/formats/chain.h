#pragma once
/*
 * chain - which configuration is compared with which, and what the difference is called.
 */
#include "ci/command/command.h"
#include "config/config.h"
#include "detector/detector.h"

#include <glib.h>
#include <stdbool.h>

typedef struct {
    char *name;    /* as in the file's name: "0", "none" */
    char *label;   /* for people */
    char *portion; /* "T", "I", … */
    char *unit;    /* of its values; NULL: ns a call */
    bool higher;   /* with a unit: more of it is better */
    char *over;    /* label of what its values are differences to; NULL: they are whole */
    int parent;    /* index, -1 for the root */
    guint nights;  /* that have it; 0: nobody counted them */
} ci_link;

/** ci_link_free - of one element of a GPtrArray of links. */
void ci_link_free(void *link);

/**
 * ci_chain_upstream - MooBench's chain, by the labels, or by upstream's own numbering:
 * 0 nothing instrumented, 1 deactivated probe, 2 collecting, 3 and more: a writer each. A step is
 * compared with the highest one below it; one of metrics (Prometheus) with 1, since the traces of 2
 * are off for it: C+W. Several writers are called by their labels: "W Zipkin", as is a second one
 * of another step; variants by theirs: "I A". A missing step joins its portion to the next one:
 * C+W, as does one that less than half of the nights have, since the others could not be judged;
 * what has nothing below it stands alone, as does what has neither a label of MooBench's nor a
 * number. links  [ci_link*], put in the order of the steps; portions and parents are written.
 * Returns false with error (CI_ERROR_INPUT): names that are no numbers, with labels that are
 * unknown.
 */
bool ci_chain_upstream(GPtrArray *links, GError **error);

/** ci_chain_is_rare - do less than half of the nights have it? Nothing is compared with it then. */
bool ci_chain_is_rare(const GPtrArray *links, guint at);

/** ci_chain_is_upstreams - whether labels say so that belong together: "No instrumentation" and one
 * of another step. One alone may be anybody's word. */
bool ci_chain_is_upstreams(const GPtrArray *links);

/** ci_chain_alone - nothing is known of them: no difference is made, portions are the labels. */
void ci_chain_alone(GPtrArray *links);

/** ci_chain_is_own - are there values that say what they are differences to? ci_chain_own - their
 * chain, whose portions are the labels; false with error (CI_ERROR_INPUT): what one is a difference
 * to is not there, or each is one to another. */
bool ci_chain_is_own(const GPtrArray *links);
bool ci_chain_own(GPtrArray *links, GError **error);

/**
 * ci_chain_spec - as told on the command line: "T,I:0,C:1,W-text:2,W-tcp:2", an item for each
 * configuration in order, behind the colon the configuration it is compared with (name or label, in
 * any place; left out: the one before). links are put in an order with parents first.
 */
bool ci_chain_spec(GPtrArray *links, const char *spec, GError **error);

/* Of a second use of its name, as a project's file is told. */
#define CI_CHAIN_TWICE "the portion \"%s\" is used twice; choose another name, such as W-tcp"

/** ci_chain_project - as the project's file says, by name or by number in its order. */
bool ci_chain_project(GPtrArray *links, const cfg_project *project, GError **error);

/** ci_chain_detector - the same for the detector. False with error: too many, or no tree. */
bool ci_chain_detector(const GPtrArray *links, det_chain *chain, GError **error);

/*
 * upstream - what MooBench's labels mean: which step of the chain a configuration is, in all
 * frameworks of MooBench 1.0.2 and in what was published before.
 */

typedef struct {
    const char *label; /* as it is called today; a renamed one is the same configuration */
    unsigned step;   /* 0 nothing instrumented, 1 a probe that does nothing, 2 collecting, 3 more */
    bool metrics;    /* counts in place of what step 2 makes, which is switched off for it */
    char variant[4]; /* "A" of "Text file - A"; "" without one */
} ci_upstream;

/**
 * ci_upstream_find - by a label in any case; "Configuration 1", which was published while there
 * were no labels, is the second of them, "Configuration 3" and more are writers (whose label is
 * borrowed). Returns false when MooBench has no such label.
 */
bool ci_upstream_find(const char *label, ci_upstream *out);

/**
 * ci_upstream_key - what a configuration is called in a database: of MooBench's labels the letters
 * and digits ("no-logging"), of other words like them these, too ("with-zipkin" of "With Zipkin"),
 * of any other name these and a part of its hash. Two names have two keys, in whatever file they
 * stand. Owned.
 */
char *ci_upstream_key(const char *label);
