#pragma once
/* kernel_events - may programs ask the kernel for performance events, and what of perf is there? */
#include <glib.h>

/**
 * run_kernel_events_words - what the node allows and lacks, with what to do; a line each, for
 * people, to g_free.
 * environment  "NAME=value", NULL at its end: the PATH that benchmarks are started with
 * root         "" for this node; a folder that holds proc/ in tests
 */
char *run_kernel_events_words(char *const *environment, const char *root);
