#include "server/retention/retention.h"

#include "server/ground/log.h"
#include "server/ingest/raw_queries.h"
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
    json_t *projects; /* [{"id","name"}] of this pass; NULL: it has not begun */
    size_t at;        /* in projects */
    bool planned;     /* plan is of the project at */
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
    json_decref(retention->projects);
    retention->projects = NULL;
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

static const char *project_name(const srv_retention *retention) {
    return json_string_value(
        json_object_get(json_array_get(retention->projects, retention->at), "name"));
}

static void tell(const srv_retention *retention) {
    g_autofree char *files = g_strdup_printf("%" G_GINT64_FORMAT, retention->files);
    g_autofree char *bytes = g_strdup_printf("%" G_GINT64_FORMAT, retention->bytes);
    if (retention->files > 0)
        srv_log_info("storage", "raw_removed", "project", project_name(retention), "files", files,
                     "bytes", bytes, NULL);
}

static void project_end(srv_retention *retention) {
    tell(retention);
    retention->at++;
    retention->planned = false;
}

/* Which of these rows go? The walk is behind them, or behind the last that a step has room for. */
static bool judge(srv__plan *plan, const json_t *rows, GArray *going) {
    int64_t files = 0;
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const srv_fate fate = srv__plan_judge(plan, row);
        if (srv_fate_goes(fate)) {
            json_object_set_new(row, "rule", json_string(srv_fate_words[fate]));
            g_array_append_val(going, row);
            files += json_integer_value(json_object_get(row, "files"));
        }
        if (files >= ROWS_AT_ONCE)
            return false;
    }
    return i < JOBS_AT_ONCE; /* there are no more */
}

static bool drop(srv_retention *retention, srv_store *store, const GArray *going, GError **error) {
    bool good = true;
    srv__concerns(store, project_name(retention));
    for (guint i = 0; good && i < going->len; i++) {
        const json_t *row = g_array_index(going, json_t *, i);
        int64_t files = 0;
        good = srv__raw_drop(store, json_integer_value(json_object_get(row, "job")),
                             json_string_value(json_object_get(row, "rule")),
                             retention->plan.now_ms, &files, error);
        retention->files += files;
        retention->bytes += json_integer_value(json_object_get(row, "bytes"));
    }
    return good;
}

/* In a transaction what is kept is looked up anew: an alert may just have come. */
static bool page_drop(srv_retention *retention, srv_store *store, srv__plan before, bool *last,
                      GError **error) {
    g_autoptr(GArray) going = g_array_new(FALSE, FALSE, sizeof(json_t *));
    if (!srv__begin(store, error))
        return false;
    json_t *rows = srv__retention_jobs(store, before.project, before.place, JOBS_AT_ONCE, error);
    if (rows)
        *last = judge(&before, rows, going);
    const bool good = srv__end(store, rows && drop(retention, store, going, error), error);
    json_decref(rows);
    retention->plan = before;
    return good;
}

static bool page(srv_retention *retention, srv_store *store, GError **error) {
    const srv__plan before = retention->plan;
    g_autoptr(GArray) going = g_array_new(FALSE, FALSE, sizeof(json_t *));
    json_t *rows = srv__retention_jobs(store, before.project, before.place, JOBS_AT_ONCE, error);
    if (!rows)
        return false;
    bool last = judge(&retention->plan, rows, going);
    json_decref(rows);
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
    const json_t *project = json_array_get(retention->projects, retention->at);
    retention->plan = (srv__plan){.policy = retention->policy,
                                  .project = json_integer_value(json_object_get(project, "id")),
                                  .now_ms = now_ms};
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
    if (!retention->projects) {
        retention->projects =
            has_policy(retention->policy) ? srv__retention_projects(store, error) : json_array();
        return retention->projects != NULL;
    }
    if (retention->at < json_array_size(retention->projects))
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
