#include "server/retention/retention_rows.h"
#include "sql/retention.h"

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
        store, SQL(retention_jobs),
        SRV__ARGS(SRV__I(project), SRV__I(after.stored_ms), SRV__I(after.job), SRV__I(count)),
        &job_noun, jobs, error);
}

bool srv__retention_projects(srv_store *store, model_list *projects, GError **error) {
    return srv__many(store, SQL(retention_projects), SRV__NO_ARGS, &project_noun, projects, error);
}

bool srv__retention_removed(srv_store *store, int64_t project, srv_raw_sums *removed,
                            GError **error) {
    return srv__one(store, SQL(retention_removed), SRV__ARGS(SRV__I(project)), &sums_noun, removed,
                    NULL, error);
}
