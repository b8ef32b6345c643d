#pragma once
/*
 * told - what a program says last: why it failed or, when it counts records, a JSON object.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* run_told_failure - the last line of a log that is more than a frame of a stack, shortened; a
 * JVM prints its exception first, then tens of frames. "" when it said nothing. To g_free.
 * log  NULL: it printed nothing */
char *run_told_failure(const char *log);

/* run_told_object - the last line of a log, when that is a JSON object; else NULL. json_decref.
 * log  NULL: it printed nothing */
json_t *run_told_object(const char *log);

/**
 * run_told_records - "records" of what run_told_object gave.
 * out  written only when it is there, a whole number of at least 0
 */
bool run_told_records(const json_t *told, uint64_t *out);

/* run_told_reading - what it told, or an object, with "expected" records; takes told over (may be
 * NULL). json_decref. */
json_t *run_told_reading(json_t *told, uint64_t expected);
