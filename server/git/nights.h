#pragma once
/*
 * nights - which commit of a branch belongs to which night.
 *
 * A night is named by the date of its moment, which the schedule says. Its commit is the last
 * first-parent commit that landed strictly before the moment, if it is new since the moment of the
 * night before; a night without news has no entry. A pure function of its arguments: the clock is
 * one.
 *
 * Committer times are what people's machines said, so they are bent into an order first: one that
 * lies in the future counts as its nearest later commit's time (the head's: when it was first seen,
 * or it would be measured in no night), one that lies before its parent's counts as the parent's.
 * O(n), two arrays of n.
 */
#include "config/schedule.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* One commit on the first-parent line. */
typedef struct {
    char sha[41];
    int64_t time_s; /* committer time, Unix seconds */
} srv_nights_commit;

/* One night that has a commit. */
typedef struct {
    char date[11]; /* "YYYY-MM-DD" */
    size_t commit; /* index into the commits given */
} srv_night;

typedef struct {
    const cfg_schedule *schedule;
    const char *since; /* first date wanted, "YYYY-MM-DD"; NULL: only the latest night */
    bool brand_new;    /* nothing was ever taken: the newest commit is, if since brings nothing */
    int64_t now_s, head_s; /* head_s: when the head was first seen; 0: now */
} srv_nights_rule;

/**
 * srv_nights_pick - the nights of a branch, oldest first.
 * commits  [n] newest first, as a first-parent walk yields them; may be NULL when n is 0
 * Returns GArray of srv_night (never NULL on success, may be empty), or NULL with error
 * (G_IO_ERROR_INVALID_ARGUMENT) when since is not a date.
 */
GArray *srv_nights_pick(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_nights_of - the night that each wanted commit belongs to, oldest commit first.
 * commits  [n] newest first
 * wanted   [n]
 * A commit's night may still be to come. rule->brand_new is not used; since: earlier nights are
 * left out, NULL: none is. Returns as srv_nights_pick.
 */
GArray *srv_nights_of(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                      const bool *wanted, GError **error) G_GNUC_WARN_UNUSED_RESULT;
