#pragma once
/*
 * json_cost - how much memory a text takes as JSON values, counted before any of them is made: an
 * empty object is 3 bytes of text and 238 of memory. Never less than what it takes, and at most
 * half as much again for what is sent here; of a text that is not JSON, of its beginning.
 */
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All 0 at first; a text may come in pieces. */
typedef struct {
    uint64_t bytes; /* so far */
    bool in_string, escaped;
} srv_json_cost;

/** srv_json_cost_add - the next piece. O(size), no allocation. */
void srv_json_cost_add(srv_json_cost *cost, const char *text, size_t size);

/** srv_json_cost_check - is a whole text within most bytes? Error: TOO_LARGE. */
bool srv_json_cost_check(const char *text, size_t size, uint64_t most,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
