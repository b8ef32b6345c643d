#pragma once
/*
 * json - the JSON of other tools: read whole, walked with the path in hand for errors.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * fmt_json_read - one value, or several one behind the other as an array of them.
 *
 * "window.BENCHMARK_DATA =" before it and a semicolon behind it are passed over, as is a byte order
 * mark. NaN and Infinity, which are no JSON and which Python writes, become empty texts. A name
 * that an object has twice is an error. name     of the file, for errors "NAME:LINE:COLUMN: …"
 * several  out: whether there was more than one
 * Returns what to json_decref; NULL with error (CFG_ERROR_SYNTAX).
 */
json_t *fmt_json_read(const char *text, size_t size, const char *name, bool *several,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A place in such a value; it is not owned, and json is NULL where there is nothing. */
typedef struct fmt_at {
    const struct fmt_at *above; /* NULL: the root */
    const char *key;            /* NULL: an item */
    size_t index;
    json_t *json;
} fmt_at;

fmt_at fmt_root(json_t *root);
fmt_at fmt_get(const fmt_at *above, const char *key);
fmt_at fmt_item(const fmt_at *above, size_t index);
size_t fmt_size(const fmt_at *at); /* of an array; of anything else 0 */

/** fmt_real - a number, or a text that is one; NaN: neither. */
double fmt_real(const fmt_at *at);
/** fmt_text - borrowed; NULL: no text. */
const char *fmt_text(const fmt_at *at);
/* The same of a member. */
double fmt_real_of(const fmt_at *above, const char *key);
const char *fmt_text_of(const fmt_at *above, const char *key);

/** fmt_wrong - sets CFG_ERROR_SYNTAX: "benchmarks[3].name: …". Returns false. */
bool fmt_wrong(const fmt_at *at, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

/** fmt_number - the number that a text is from its first to its last letter; NaN: it is none. */
double fmt_number(const char *text);
