#pragma once
/*
 * views_parts - the JSON objects that several views are made of.
 */
#include "server/store/store_sql.h"

/* Columns of a commit, of table revision r. */
#define SRV__COMMIT(r)                                                                             \
    r ".sha AS \"commit.sha\", substr(" r ".sha,1,9) AS \"commit.short\", " r                      \
      ".author AS \"commit.author\", " r ".time_ms AS \"commit.time_ms\", " r                      \
      ".subject AS \"commit.subject\""

/* Columns of what measuring again has shown, of tables suspicion s and question q. */
#define SRV__CONFIRMATION                                                                          \
    "s.state AS \"confirmation.state\", q.trial_id AS \"confirmation.trial\","                     \
    " q.loops AS \"confirmation.loops\", q.before_mean_ns AS \"confirmation.before_ns\","          \
    " q.after_mean_ns AS \"confirmation.after_ns\","                                               \
    " q.difference_mean_ns AS \"confirmation.mean_ns\","                                           \
    " q.difference_low_ns AS \"confirmation.low_ns\","                                             \
    " q.difference_high_ns AS \"confirmation.high_ns\", s.reason AS \"confirmation.reason\""

/* After how many ms without an entry in its audit an open alert has aged, of project p; 0:
 * never. */
#define SRV__AGEING_MS "(86400000*coalesce(json_extract(p.detection,'$.ageing_days'),0))"
#define SRV__NOW_MS "(1000*CAST(strftime('%s','now') AS INTEGER))"
/* Has alert a of project p aged? Follows from what is written down: nothing has to be done at the
 * time, and whatever happens to the alert makes it young again. */
#define SRV__ALERT_AGED                                                                            \
    "(a.state='open' AND " SRV__AGEING_MS ">0 AND coalesce((SELECT max(t.at_ms)"                   \
    " FROM alert_audit t WHERE t.alert_id=a.id), a.raised_ms)+" SRV__AGEING_MS "<=" SRV__NOW_MS    \
    ")"

/* srv__drop_empty - a member object whose own member is null becomes null. */
void srv__drop_empty(json_t *object, const char *key, const char *member);

/* srv__one - the only row of an SQL with $1 = id; what: what is missing ("job") when there is none.
 * Owned; NULL with error, NOT_FOUND. */
json_t *srv__one(srv_store *store, const char *sql, int64_t id, const char *what,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_view - a job (docs/api.md), owned; NULL with error, NOT_FOUND when there is none. */
json_t *srv__job_view(srv_store *store, int64_t job, bool with_log,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__alert_view - an alert, likewise. */
json_t *srv__alert_view(srv_store *store, int64_t alert, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_view - the search for an alert's culprit, JSON null when there is none; owned,
 * NULL with error. */
json_t *srv__bisection_view(srv_store *store, int64_t alert,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_view - a night; without configurations when full is false. */
json_t *srv__night_view(srv_store *store, int64_t experiment, bool full,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
