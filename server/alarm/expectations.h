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
