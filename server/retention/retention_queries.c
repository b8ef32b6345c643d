#include "server/retention/retention_queries.h"

/* Those that the job measured, or that it measured again. */
#define NIGHTS                                                                                     \
    "(SELECT e.id FROM experiment e WHERE e.job_id=k.job_id UNION ALL"                             \
    " SELECT t.experiment_id FROM trial_job y JOIN trial t ON t.id=y.trial_id"                     \
    " WHERE y.job_id=k.job_id)"
#define OF_ALERT(states)                                                                           \
    "EXISTS(SELECT 1 FROM alert a LEFT JOIN alert_portion m ON m.alert_id=a.id"                    \
    " WHERE a.project_id=k.project_id AND a.state IN (" states                                     \
    ") AND (a.from_experiment IN " NIGHTS " OR a.to_experiment IN " NIGHTS                         \
    " OR a.seen_experiment IN " NIGHTS " OR m.seen_experiment IN " NIGHTS "))"
#define IN_USE                                                                                     \
    "(EXISTS(SELECT 1 FROM job j WHERE j.id=k.job_id AND j.state IN ('queued','leased'))"          \
    " OR EXISTS(SELECT 1 FROM trial t WHERE t.project_id=k.project_id AND t.state='running'"       \
    " AND t.experiment_id IN " NIGHTS ")"                                                          \
    " OR " OF_ALERT("'open','acknowledged'") ")"
#define OF_RELEASE                                                                                 \
    "EXISTS(SELECT 1 FROM experiment e JOIN revision r ON r.id=e.revision_id"                      \
    " WHERE e.job_id=k.job_id AND r.release IS NOT NULL)"
/* Of its series: each environment has its own. */
#define FIRST_OF_MONTH                                                                             \
    "EXISTS(SELECT 1 FROM experiment e WHERE e.job_id=k.job_id AND e.state='measured'"             \
    " AND e.hidden=0 AND NOT EXISTS(SELECT 1 FROM experiment o WHERE o.series_id=e.series_id"      \
    " AND o.state='measured' AND o.hidden=0 AND o.night>=substr(e.night, 1, 7) || '-01'"           \
    " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)))"

static const model_member job_members[] = {
    MODEL(srv__raw_job, job, "job"),
    MODEL(srv__raw_job, files, "files"),
    MODEL(srv__raw_job, bytes, "bytes"),
    MODEL(srv__raw_job, stored_ms, "stored_ms"),
    MODEL(srv__raw_job, in_use, "in_use"),
    MODEL(srv__raw_job, kept[CFG_KEEP_ALERTS], "alerts"),
    MODEL(srv__raw_job, kept[CFG_KEEP_RELEASES], "releases"),
    MODEL(srv__raw_job, kept[CFG_KEEP_FIRST_OF_MONTH], "first_of_month")};
static const model_noun job_noun = MODEL_NOUN(srv__raw_job, job_members, "job with raw data");

static const model_member project_members[] = {MODEL(srv__raw_project, id, "id"),
                                               MODEL(srv__raw_project, name, "name")};
static const model_noun project_noun =
    MODEL_NOUN(srv__raw_project, project_members, "project with raw data");

static const model_member sums_members[] = {MODEL(srv_raw_sums, jobs, "jobs"),
                                            MODEL(srv_raw_sums, files, "files"),
                                            MODEL(srv_raw_sums, bytes, "bytes")};
static const model_noun sums_noun = MODEL_NOUN(srv_raw_sums, sums_members, "sums of raw data");

bool srv__retention_jobs(srv_store *store, int64_t project, srv__retention_place after,
                         unsigned count, model_list *jobs, GError **error) {
    return srv__many(
        store,
        "SELECT k.job_id AS job, k.files, k.bytes, k.stored_ms, " IN_USE
        " AS \"in_use?\", " OF_ALERT(
            "'accepted','fixed'") " AS \"alerts?\", " OF_RELEASE
                                  " AS \"releases?\", " FIRST_OF_MONTH
                                  " AS \"first_of_month?\" FROM raw_job k WHERE k.project_id=$1"
                                  " AND k.pruned_ms IS NULL AND (k.stored_ms, k.job_id)>($2, $3)"
                                  " ORDER BY k.stored_ms, k.job_id LIMIT $4",
        SRV__ARGS(SRV__I(project), SRV__I(after.stored_ms), SRV__I(after.job), SRV__I(count)),
        &job_noun, jobs, error);
}

bool srv__retention_projects(srv_store *store, model_list *projects, GError **error) {
    return srv__many(store,
                     "SELECT p.id, p.name FROM project p WHERE EXISTS(SELECT 1 FROM raw_job k"
                     " WHERE k.project_id=p.id) ORDER BY p.name",
                     SRV__NO_ARGS, &project_noun, projects, error);
}

bool srv__retention_bytes(srv_store *store, int64_t project, int64_t *bytes, GError **error) {
    return srv__number(store,
                       "SELECT CAST(sum(bytes) AS BIGINT) FROM raw_job WHERE project_id=$1"
                       " AND pruned_ms IS NULL",
                       SRV__ARGS(SRV__I(project)), 0, bytes, error);
}

bool srv__retention_removed(srv_store *store, int64_t project, srv_raw_sums *removed,
                            GError **error) {
    return srv__one(store,
                    "SELECT count(*) AS jobs, coalesce(CAST(sum(files) AS BIGINT), 0) AS files,"
                    " coalesce(CAST(sum(bytes) AS BIGINT), 0) AS bytes FROM raw_job"
                    " WHERE project_id=$1 AND pruned_ms IS NOT NULL",
                    SRV__ARGS(SRV__I(project)), &sums_noun, removed, NULL, error);
}
