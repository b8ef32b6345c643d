#pragma once
/* portion - what a portion is called, for people. */
#include <jansson.h>

/** web_portion_label - "instrumentation" of "I"; NULL: the project's own, told by its name. Static.
 */
const char *web_portion_label(const char *portion);

/**
 * web_portion_letters - how many of T, I, C, W a name holds: 2 of "I+C", 1 of "W Zipkin", 0 of "R".
 */
size_t web_portion_letters(const char *portion);

/** web_portion_spelled - "instrumentation and collection" of "I+C", "writing" of "W Zipkin"; NULL:
 * a name of its own. Free with g_free. */
char *web_portion_spelled(const char *portion);

/**
 * web_portion_joined - why a portion of several letters is one; NULL: it is not of several.
 * own, parent  labels of its configuration and of the one it is compared with; parent NULL: none
 * Free with g_free.
 */
char *web_portion_joined(const char *portion, const char *own, const char *parent);

/**
 * web_portion_name - "Instrumentation (I)", "Writing (W Zipkin)", "Instrumentation and collection
 * (I+C)", "Writing (W, binary)", "R": how sentences call it.
 * which  its configuration, where several portions have this letter; else NULL
 * Both may be strangers' text: what comes out is one clean line. Free with g_free.
 */
char *web_portion_name(const char *portion, const char *which);

/** web_portion_which - the configuration of a portion (with "portion" and "configuration"), if
 * another of the array has the same letter; else NULL. Borrowed. */
const char *web_portion_which(const json_t *portion, const json_t *portions);
