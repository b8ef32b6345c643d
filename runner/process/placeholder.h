#pragma once
/*
 * placeholder - the words in braces that a project may use in commands, options and environment.
 */
#include <glib.h>
#include <stdint.h>

typedef struct {
    const char *checkout; /* {checkout} */
    const char *scratch;  /* {scratch} */
    const char *harness;  /* {harness} */
    const char *commit;   /* {commit} */
    const char *artifact; /* {artifact} */
    uint64_t calls;       /* {calls}: made by the whole process */
    uint64_t depth;       /* {depth} */
    const char *result;   /* {result}: file that driver command reads */
    const char *port;     /* {port}: where the receiver listens */
    const char *profile;  /* {profile}: file that profile_command writes */
} run_placeholder;

/**
 * run_placeholder_expand - text with every known word replaced, once (a replacement is not
 * searched again). Unknown words in braces stay: JVM options and JSON use braces too.
 * A NULL value stands for "not known here" and its word stays. Returns a string to g_free.
 */
char *run_placeholder_expand(const run_placeholder *values, const char *text);

/* run_placeholder_append - each word of a NULL-terminated list, expanded, appended to argv. */
void run_placeholder_append(const run_placeholder *values, char *const *words, GPtrArray *argv);
