#pragma once
/*
 * bisection - which of the commits between two nights changed the portion.
 *
 * Binary search over the first-parent commits from the last night before to the first night after,
 * each step a trial (trial.h) of the commit in the middle against that night's, with only the two
 * configurations that bound the portion. Commits that cannot be measured are left out. It finds
 * where a quarter of the change begins. Unless that surely is four fifths, the last one is measured
 * against it, and where a larger part may lie between them, the search begins again there. It ends
 * with the commit that brought the largest part, or with the smallest range and why. The caller
 * knows git and gives the commits.
 */
#include "config/model/model.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"

/* An alert whose culprit is not looked for yet: somewhere after a commit and up to another one. */
typedef struct {
    int64_t alert;
    char *from, *to;
} srv_search_wanted;

/* srv_bisections_wanted - those of a project: [srv_search_wanted]; list: out. */
bool srv_bisections_wanted(srv_store *store, const char *project, model_list *list,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV_BISECTION_COMMITS 4096u

/**
 * srv_bisection_begin - look for the culprit of an alert among these commits.
 * commits   [count] after from, up to and with to, oldest first; with a single one
 *           it is the culprit. count 0: git has no such range; reason says why
 * A second call for the same alert changes nothing.
 * Error: NOT_FOUND, INVALID (the last one is not to, or too many).
 */
bool srv_bisection_begin(srv_store *store, int64_t alert, const srv_commit *commits, size_t count,
                         const char *reason, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * bisection_step - one step of a search, and its answer. Inside a transaction.
 */

/* srv__bisection_settle - a trial has its answer, or failed (why; NULL: it did not): the search
 * that asked takes its next step; nothing when none did. */
bool srv__bisection_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_follow - nights and portions of an alert are written, and moved: its nights are
 * others now. A search that these ends have left, over or not, is withdrawn with what it found: who
 * was told of that is told so, and the alert is searched anew, as where one that runs was of
 * another portion or dimension than leads now. One that is left says where between them it begins.
 */
bool srv__bisection_follow(srv_store *store, int64_t alert, bool moved, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
