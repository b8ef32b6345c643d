#pragma once
/*
 * fields - members of a JSON object from outside, each checked; the first error says which and why.
 */
#include <jansson.h>

#include "server/ground/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A reader of one object; failed stays set after the first error. */
typedef struct {
    const json_t *object;
    const char *where; /* for messages, e.g. "loops[3]" */
    GError **error;
    bool failed;
} srv__fields;

#define SRV__OPTIONAL true
#define SRV__REQUIRED false

/* A missing optional member or null gives NULL, missing, or NAN. Text is borrowed, valid UTF-8,
 * without control characters other than tab and line ends, and at most limit bytes long. */
const char *srv__field_text(srv__fields *fields, const char *key, size_t limit, bool optional);
int64_t srv__field_int(srv__fields *fields, const char *key, int64_t low, int64_t high,
                       bool optional, int64_t missing);
/* A finite number of at least low. */
double srv__field_real(srv__fields *fields, const char *key, double low, bool optional);
bool srv__field_bool(srv__fields *fields, const char *key, bool missing);
/* Borrowed object or array; NULL when missing and optional. */
const json_t *srv__field_json(srv__fields *fields, const char *key, json_type type, bool optional);
/* Say what is wrong with a member. */
void srv__field_fail(srv__fields *fields, const char *key, const char *what);

/* What is kept of a commit that a stranger wrote, in characters. */
enum { SRV__SUBJECT_CHARS = 200, SRV__AUTHOR_CHARS = 100 };

/* One line of valid UTF-8 with at most limit characters and no control characters; the caller's. */
char *srv__line_tidy(const char *text, glong limit);

/* 64 lower-case hex digits? NULL: no. */
bool srv__is_sha256(const char *text);
/* A full commit id, 40 or 64 lower-case hex digits? NULL: no. */
bool srv__is_commit(const char *text);
