#include "server/retention/retention.h"

#include "server/ground/log.h"
#include "server/ingest/raw_rows.h"
#include "server/retention/plan.h"
#include "server/store/gone.h"
#include "server/store/store_sql.h"

#include <stdatomic.h>

enum {
    JOBS_AT_ONCE = 16,  /* looked at in a step */
    ROWS_AT_ONCE = 500, /* removed in a step, and those of one job beyond it */
    FILES_AT_ONCE = 50  /* of a bucket each takes a request */
};

struct srv_retention {
    atomic_flag busy; /* the rest is of the thread that has set it */
    const cfg_storage *policy;
    bool begun;          /* this pass has its projects */
    model_list projects; /* [srv__raw_project] */
    unsigned at;         /* in projects */
    bool planned;        /* plan is of the project at */
    srv__plan plan;
    int64_t files, bytes; /* removed of the project at */
};

srv_retention *srv_retention_new(const cfg_storage *policy) {
    srv_retention *retention = g_new0(srv_retention, 1);
    atomic_flag_clear(&retention->busy);
    retention->policy = policy;
    return retention;
}

static void pass_end(srv_retention *retention) {
    model_list_clear(&retention->projects);
    retention->begun = false;
    retention->at = 0;
    retention->planned = false;
}

void srv_retention_free(srv_retention *retention) {
    if (!retention)
        return;
    pass_end(retention);
    g_free(retention);
}

static bool has_policy(const cfg_storage *policy) {
    return policy->keep_raw_days > 0 || policy->raw_budget_bytes > 0;
}

static const srv__raw_project *project_of(const srv_retention *retention) {
    return (const srv__raw_project *)retention->projects.items + retention->at;
}

static void tell(const srv_retention *retention) {
    g_autofree char *files = g_strdup_printf("%" G_GINT64_FORMAT, retention->files);
    g_autofree char *bytes = g_strdup_printf("%" G_GINT64_FORMAT, retention->bytes);
    if (retention->files > 0)
        srv_log_info("storage", "raw_removed", "project", project_of(retention)->name, "files",
                     files, "bytes", bytes, NULL);
}

static void project_end(srv_retention *retention) {
    tell(retention);
    retention->at++;
    retention->planned = false;
}

typedef struct {
    const srv__raw_job *job;
    srv_fate fate;
} going_job;

/* Which of these jobs go? The walk is behind them, or behind the last that a step has room for. */
static bool judge(srv__plan *plan, const model_list *jobs, GArray *going) {
    const srv__raw_job *job = jobs->items;
    int64_t files = 0;
    for (unsigned i = 0; i < jobs->count; i++, job++) {
        const going_job one = {job, srv__plan_judge(plan, job)};
        if (srv_fate_goes(one.fate)) {
            g_array_append_val(going, one);
            files += job->files;
        }
        if (files >= ROWS_AT_ONCE)
            return false;
    }
    return jobs->count < JOBS_AT_ONCE; /* there are no more */
}

static bool drop(srv_retention *retention, srv_store *store, const GArray *going, GError **error) {
    bool good = true;
    for (guint i = 0; good && i < going->len; i++) {
        const going_job *one = &g_array_index(going, going_job, i);
        int64_t files = 0;
        good = srv__raw_drop(store, one->job->job, srv_fate_words[one->fate],
                             retention->plan.now_ms, &files, error);
        retention->files += files;
        retention->bytes += one->job->bytes;
    }
    return good;
}

/* In a transaction what is kept is looked up anew: an alert may just have come. */
static bool page_drop(srv_retention *retention, srv_store *store, srv__plan before, bool *last,
                      GError **error) {
    g_autoptr(GArray) going = g_array_new(FALSE, FALSE, sizeof(going_job));
    g_auto(model_list) jobs = {0};
    if (!srv__begin(store, error))
        return false;
    bool good =
        srv__retention_jobs(store, before.project, before.place, JOBS_AT_ONCE, &jobs, error);
    if (good)
        *last = judge(&before, &jobs, going);
    good = srv__end(store, good && drop(retention, store, going, error), error);
    retention->plan = before;
    return good;
}

static bool page(srv_retention *retention, srv_store *store, GError **error) {
    const srv__plan before = retention->plan;
    g_autoptr(GArray) going = g_array_new(FALSE, FALSE, sizeof(going_job));
    g_auto(model_list) jobs = {0};
    if (!srv__retention_jobs(store, before.project, before.place, JOBS_AT_ONCE, &jobs, error))
        return false;
    bool last = judge(&retention->plan, &jobs, going);
    if (going->len > 0 && !page_drop(retention, store, before, &last, error))
        return false;
    if (last || srv__plan_ended(&retention->plan))
        project_end(retention);
    return true;
}

static bool project_step(srv_retention *retention, srv_store *store, int64_t now_ms,
                         GError **error) {
    if (retention->planned)
        return page(retention, store, error);
    retention->plan = (srv__plan){
        .policy = retention->policy, .project = project_of(retention)->id, .now_ms = now_ms};
    retention->files = retention->bytes = 0;
    retention->planned = true;
    return srv__plan_begin(&retention->plan, store, error);
}

static bool files_remove(srv_store *store, srv_raw_store *raw, int64_t now_ms, bool *more,
                         GError **error) {
    json_t *rows = srv__gone_take(store, SRV__GONE_RAW, now_ms, FILES_AT_ONCE, error), *row;
    bool good = rows != NULL;
    size_t i, removed = 0;
    json_array_foreach (rows, i, row) {
        good =
            good && srv_raw_remove(raw, json_string_value(json_object_get(row, "sha256")), error);
        removed += good;
    }
    good = srv__gone_done(store, SRV__GONE_RAW, rows, removed, good ? error : NULL) && good;
    *more = good && json_array_size(rows) == FILES_AT_ONCE;
    json_decref(rows);
    return good;
}

static bool step(srv_retention *retention, srv_store *store, srv_raw_store *raw, int64_t now_ms,
                 bool *more, GError **error) {
    *more = true;
    if (!retention->begun) {
        retention->begun = !has_policy(retention->policy) ||
                           srv__retention_projects(store, &retention->projects, error);
        return retention->begun;
    }
    if (retention->at < retention->projects.count)
        return project_step(retention, store, now_ms, error);
    return files_remove(store, raw, now_ms, more, error);
}

bool srv_retention_step(srv_retention *retention, srv_store *store, srv_raw_store *raw,
                        int64_t now_ms, bool *more, GError **error) {
    *more = false;
    if (atomic_flag_test_and_set(&retention->busy))
        return true;
    const bool good = step(retention, store, raw, now_ms, more, error);
    if (!good || !*more)
        pass_end(retention);
    *more = *more && good;
    atomic_flag_clear(&retention->busy);
    return good;
}
