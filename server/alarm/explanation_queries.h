#pragma once
/*
 * explanation_queries - what is asked of explanations and the profiles they come from.
 */
#include "server/alarm/profile_name.h"
#include "server/store/store_sql.h"

/* srv__explanation_wanted - the ends of an alert's search, or of the alert where there is none, and
 * where it was seen: {"there": is an explanation there?, "can": can that node profile?,
 * "before_id", "after_id", "node", "detection", "body"}; row: out, owned, NULL: the search has not
 * ended, or no node here measured it. */
bool srv__explanation_wanted(srv_store *store, int64_t alert, json_t **row,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_queued - an explanation that waits for its job to begin: {"job", "before_id",
 * "after_id"}; row: out, owned, NULL: there is none. */
bool srv__explanation_queued(srv_store *store, int64_t alert, json_t **row,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_remove - one without profiles. */
bool srv__explanation_remove(srv_store *store, int64_t alert,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A job that explains; borrowed. */
typedef struct {
    int64_t alert, before, after, benchmark;
    const char *node;  /* NULL: any */
    const char *extra; /* JSON of what the runner is told beside */
} srv__explanation_job;

/* srv__explanation_job_insert - queued; job: out. srv__explanation_insert - it is waited for;
 * job 0: none. */
bool srv__explanation_job_insert(srv_store *store, const srv__explanation_job *wanted,
                                 int64_t now_ms, int64_t *job,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__explanation_insert(srv_store *store, const srv__explanation_job *wanted, int64_t job,
                             int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_of_job - {"alert_id","experiment","result_hash","before","after","level",
 * "body"}; row: out, owned, NULL: there is none. */
bool srv__explanation_of_job(srv_store *store, int64_t job, json_t **row,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_portions - of an alert: {"configuration","portion","change_ns"}; owned, NULL
 * with error. */
json_t *srv__explanation_portions(srv_store *store, int64_t alert,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* One profile; borrowed. */
typedef struct {
    int64_t alert;
    const char *dimension; /* SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *configuration;
    bool before;
    int64_t loop, calls;
    const char *stacks;
} srv__profile_row;

bool srv__profile_insert(srv_store *store, const srv__profile_row *row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What profiles say of one portion; borrowed. */
typedef struct {
    int64_t alert;
    const char *dimension; /* SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *configuration, *parent, *portion, *sentence, *functions;
    double change_ns; /* NaN: of bytes */
    double before_units, after_units;
} srv__explanation_portion_row;

bool srv__explanation_portion_insert(srv_store *store, const srv__explanation_portion_row *row,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_done - its profiles are there, as the runner's body says. */
bool srv__explanation_done(srv_store *store, int64_t alert, const json_t *body, const char *hash,
                           int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_fail - there will be none. */
bool srv__explanation_fail(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanations_old - those whose profiles were taken before then and whose alert is over, at
 * most 100: [int64_t]; owned, NULL with error. */
GArray *srv__explanations_old(srv_store *store, int64_t before_ms,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__profiles_remove - of one alert; what was found with them stays. */
bool srv__profiles_remove(srv_store *store, int64_t alert, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_jobs_stranded - the queued ones whose node was last seen before then:
 * [int64_t]; owned, NULL with error. */
GArray *srv__explanation_jobs_stranded(srv_store *store, int64_t before_ms,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
