#pragma once
/* portion - what a portion is called, for people. */
#include <jansson.h>

/** web_portion_label - "instrumentation" of "I"; NULL: the project's own, told by its name. Static.
 */
const char *web_portion_label(const char *portion);

/**
 * web_portion_name - "Instrumentation (I)", "Writing (W, binary)", "R": how sentences call it.
 * which  its configuration, where several portions have this letter; else NULL
 * Both may be strangers' text: what comes out is one clean line. Free with g_free.
 */
char *web_portion_name(const char *portion, const char *which);

/** web_portion_which - the configuration of a portion (with "portion" and "configuration"), if
 * another of the array has the same letter; else NULL. Borrowed. */
const char *web_portion_which(const json_t *portion, const json_t *portions);
