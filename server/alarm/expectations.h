#pragma once
/*
 * expectations - announcements of commits, and the alerts they answer in advance.
 *
 * An announcement belongs to a place on the branch's first-parent line, counted from its root; it
 * answers a change between two nights when its place lies after the first and not after the second.
 */
#include "server/store/store_sql.h"

#include <glib.h>
#include <stdbool.h>

/**
 * srv_expectations_take - what the branch's commits announce; what is known already stays.
 * list  [{"place","text","commit":{"sha","author","subject",…}}], or NULL: none
 * anew  the branch was rewritten: what was announced before no longer counts
 */
bool srv_expectations_take(srv_store *store, const char *project, const json_t *list, bool anew,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__expectations_answer - in a transaction: an alert that was just raised is accepted when each
 * of its portions was announced, by the author and with the reason of the commit. When only some
 * were, or less, it says so. */
bool srv__expectations_answer(srv_store *store, int64_t alert, int64_t now_ms,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * expect - what a commit says in advance about its overhead. Pure.
 *
 *     Overhead-Expected: PORTION[,PORTION …] [[+|-]NUMBER UNIT] [reason]
 *
 * PORTION is a short name of the project's (I, C, W, …), * all. UNIT is %, ns, us, µs or ms; with
 * a sign only a change that way is expected, without a bound one of any size.
 */

#define SRV_EXPECT_TEXT_MAX 500u /* bytes of a trailer that are looked at */

typedef struct {
    char **portions; /* NULL-ended; a single "*": all */
    int direction;   /* +1, -1, 0: either */
    double percent;  /* of the level before; NaN: no such bound */
    double ns;       /* likewise, absolute */
    char *reason;    /* NULL: none is given */
} srv_expect;
void srv_expect_clear(srv_expect *expect);

/**
 * srv_expect_parse - the text after the colon.
 * names    [count] short names of the project's portions
 * problem  out: a sentence, owned by the caller, when it cannot be understood
 * Returns true, and out is to be cleared; false, and out is empty.
 */
bool srv_expect_parse(const char *text, const char *const *names, size_t count, srv_expect *out,
                      char **problem) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_expect_covers - was this change announced?
 * low_ns, high_ns  interval of the difference, which is what the bound is held against: noise does
 *                  not make a change larger than announced
 */
bool srv_expect_covers(const srv_expect *expect, const char *portion, double before_ns,
                       double low_ns, double high_ns);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv_expect, srv_expect_clear)
