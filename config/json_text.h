#pragma once
/*
 * json_text - JSON as text for people and other programs, with numbers as short as they can be.
 *
 * jansson prints 0.95 as 0.94999999999999996: 17 digits, always. What is hashed or kept by its
 * bytes stays with json_dumps, whose text must not change.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/**
 * cfg_json_text - members in their order, UTF-8 as it is.
 * indent  spaces a level, 0: all on one line without any
 * Returns text to g_free; NULL: json is NULL.
 */
char *cfg_json_text(const json_t *json, unsigned indent) G_GNUC_WARN_UNUSED_RESULT;

/**
 * cfg_json_real_add - a number that reads back the same: in 15 digits where these do, else in 17.
 * value  finite; whole numbers end with ".0", as in jansson's texts
 */
void cfg_json_real_add(GString *to, double value);

/* cfg_json_word - a member of an object as text; otherwise: when it is absent or no text. Borrowed.
 */
const char *cfg_json_word(const json_t *object, const char *key, const char *otherwise);

/* cfg_json_has_word - is it an array that has this text? */
bool cfg_json_has_word(const json_t *array, const char *text);

/* cfg_json_number - likewise as a double; NaN when it is absent or no number. */
double cfg_json_number(const json_t *object, const char *key);

/* cfg_json_integer - likewise as a whole number; 0 when it is absent or none. */
json_int_t cfg_json_integer(const json_t *object, const char *key);

/* cfg_json_whole - is it a whole number? 3.0 is one, too: some languages have no others. out: 0
 * where it is none. */
bool cfg_json_whole(const json_t *value, json_int_t *out);

/* cfg_json_at - what stands at a path ("pull_request.head.sha"); borrowed, NULL: nothing does. */
json_t *cfg_json_at(const json_t *object, const char *path);

/* cfg_json_member - a member of an object, borrowed; one that is not there becomes otherwise, which
 * is consumed. */
json_t *cfg_json_member(json_t *object, const char *key, json_t *otherwise);

/* cfg_after_mark - the text behind a byte order mark of UTF-8, which PowerShell and editors put
 * first; of a text without one all of it. Borrowed. */
const char *cfg_after_mark(const char *text);

/* cfg_json_true - is it there, and true? */
bool cfg_json_true(const json_t *object, const char *key);

/* cfg_json_count - the items of a member that is an array; 0 when it is absent or none. */
size_t cfg_json_count(const json_t *object, const char *key);

/* cfg_json_real - a number; null where it is not finite. Owned. */
json_t *cfg_json_real(double value);

/* cfg_json_texts - so many texts, or those before a NULL, as a list. texts NULL: there are none. */
json_t *cfg_json_texts(char *const *texts, size_t count);

/* cfg_texts_sort - [char *] by their bytes. */
void cfg_texts_sort(GPtrArray *texts);

/* cfg_json_each - the items of a member that is an array, as json_array_foreach has them. */
#define cfg_json_each(object, key, index, item)                                                    \
    json_array_foreach (json_object_get(object, key), index, item)
