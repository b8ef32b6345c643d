#pragma once
/*
 * refusals - who was refused what, counted until somebody writes it down. Those that are alike in
 * an hour are one, and of different ones an hour has at most SRV_REFUSALS_MAX: all others are
 * counted as one of "others". So no flood fills memory, log or disk. Thread-safe.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define SRV_REFUSALS_MAX 100
#define SRV_REFUSALS_OTHERS "others"

typedef struct srv_refusals srv_refusals;

typedef struct {
    char *client, *who, *what, *why; /* never NULL */
    int64_t first_ms, last_ms, count;
} srv_refusal;

srv_refusals *srv_refusals_new(void);
void srv_refusals_free(srv_refusals *refusals);

/**
 * srv_refusals_add - one more. who: the token's name, NULL: none.
 * Returns whether it is the first of its kind in this hour, and so worth a line in the log.
 */
bool srv_refusals_add(srv_refusals *refusals, const char *client, const char *who, const char *what,
                      const char *why, int64_t now_ms);

/** srv_refusals_take - [srv_refusal *] since the last time; owned, empty when there is none. */
GPtrArray *srv_refusals_take(srv_refusals *refusals);
