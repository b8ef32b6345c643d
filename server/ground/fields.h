#pragma once
/*
 * fields - members of a JSON object from outside, each checked; the first error says which and why.
 */
#include "server/ground/error.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
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

/* What one text may have of a person, a file or a runner: a reason, an author, a subject. */
#define SRV__TEXT_BYTES 4000u

/* What is kept of a commit that a stranger wrote, in characters. */
enum { SRV__SUBJECT_CHARS = 200, SRV__AUTHOR_CHARS = 100 };

/* One line of valid UTF-8 with at most limit characters and no control characters; the caller's. */
char *srv__line_tidy(const char *text, glong limit);

/*
 * json_cost - how much memory a text takes as JSON values, counted before any of them is made: an
 * empty object is 3 bytes of text and 238 of memory. Never less than what it takes, and at most
 * half as much again for what is sent here; of a text that is not JSON, of its beginning.
 */

enum {
    SRV_JSON_COST_HOOK =
        24 << 20,           /* of a webhook: a push of 2048 commits, as many as GitHub sends */
    SRV_JSON_COST_BYTE = 80 /* of any text, at most: {}, is the worst */
};

/* All 0 at first; a text may come in pieces. */
typedef struct {
    uint64_t bytes;  /* so far */
    uint64_t length; /* of the string so far */
    bool in_string, escaped;
} srv_json_cost;

/** srv_json_cost_add - the next piece. O(size), no allocation. */
void srv_json_cost_add(srv_json_cost *cost, const char *text, size_t size);

/** srv_json_cost_check - is a whole text within most bytes? Error: TOO_LARGE. */
bool srv_json_cost_check(const char *text, size_t size, uint64_t most,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
