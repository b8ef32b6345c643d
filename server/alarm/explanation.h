#pragma once
/*
 * explanation - where an alert's change is: the two commits that the search ended with, or those of
 * the alert's two nights where nothing is searched, are profiled in the configurations that bound
 * its portions, and what came of it is kept with the alert.
 *
 * waiting → done | failed (and why). An alert stands without it.
 * All inside a transaction; false with error.
 */
#include "server/store/store_sql.h"

#include <stdbool.h>
#include <stdint.h>

/* srv__explanation_start - queue the profiling of an alert whose search has ended, or that gets
 * none, unless its project wants none or there is one already. */
bool srv__explanation_start(srv_store *store, int64_t alert, int64_t now_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_drop - the alert is withdrawn: a profiling that has not begun is cancelled, and
 * may be started again. */
bool srv__explanation_drop(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_forget - it was of a commit that the alert is not of: it goes with its profiles,
 * begun or not. */
bool srv__explanation_forget(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_follow - the alert's range is smaller now, or it tells of a time as well: a
 * profiling that has not begun takes the new ends, and the turn of a time. */
bool srv__explanation_follow(srv_store *store, int64_t alert, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A runner's result, borrowed; hash: of the body without its lease. */
typedef struct {
    int64_t job;
    const json_t *body;
    const char *hash;
} srv__explanation_result;

/* srv__explanation_there - has this job's result come in before? experiment: out, that of the
 * alert, 0: no. CONFLICT when it was another one. */
bool srv__explanation_there(srv_store *store, const srv__explanation_result *result,
                            int64_t *experiment, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_take - the profiles of a job come in and are judged. INVALID: what is wrong
 * with them. */
bool srv__explanation_take(srv_store *store, const srv__explanation_result *result, int64_t now_ms,
                           int64_t *experiment, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_bring - what another server's runner found is taken over with its alert, unless
 * this one has an explanation. commits: keys of the older and of the newer one; body: as a runner's
 * result. INVALID: what is wrong with the profiles. */
bool srv__explanation_bring(srv_store *store, int64_t alert, const int64_t commits[static 2],
                            const json_t *body, int64_t at_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_failed - there will be none, and why. */
bool srv__explanation_failed(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanations_remove - the profiles of alerts that are over and that were taken more than so
 * many days ago are removed, sentences and functions stay; 0 days: none are. A transaction of its
 * own for each alert. removed: out, of how many alerts; NULL: nobody wants to know. */
bool srv__explanations_remove(srv_store *store, unsigned keep_days, int64_t now_ms,
                              unsigned *removed, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanations_expire - those whose node does not come back are given up; in a transaction of
 * its own. */
bool srv__explanations_expire(srv_store *store, int64_t now_ms,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* profile_name - which of an alert's profiles is meant. */

/* What profiles are of. */
#define SRV_PROFILE_TIME "time"
#define SRV_PROFILE_BYTES "bytes" /* that are allocated */

typedef struct {
    int64_t alert;
    const char *dimension; /* SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *configuration;
    bool before; /* of the older commit? */
} srv_profile_name;

/*
 * explanation_rows - what is asked of explanations and the profiles they come from.
 */

/* A portion of an alert that is explained. */
typedef struct {
    char *configuration, *portion;
    double change_ns; /* of its time */
    bool judged;      /* the alert tells of that; else it is the two nights' difference alone */
} srv__explained;
extern const model_noun srv__explained_model;

/* What a job explains, and where it is measured. */
typedef struct {
    int64_t alert, experiment;
    char *hash; /* of its result; NULL: there is none yet */
    char *before, *after;
    double level; /* of its intervals; 0: not known */
    json_t *body;
} srv__explaining;
extern const model_noun srv__explaining_model;

bool srv__explaining_get(srv_store *store, int64_t job, srv__explaining *row, bool *there,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
