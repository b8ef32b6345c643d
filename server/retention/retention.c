#include "server/retention/retention.h"

#include "config/log.h"
#include "server/ground/clock.h"
#include "server/ingest/raw_store.h"
#include "server/store/files.h"
#include "server/store/store_sql.h"
#include "sql/retention.h"

#include <inttypes.h>
#include <stdatomic.h>

/*
 * plan - which raw data of a project go by the policy (configure.md, storage:), and what speaks for
 * those that stay. The oldest go first. Raw data are told apart by job: a night has one, a trial
 * some.
 */

/* Where a walk through a project's jobs is: it goes on behind it. {0, 0}: at the oldest. */
typedef struct {
    int64_t stored_ms, job;
} job_place;

typedef struct {
    int64_t id;
    char *name;
} raw_project;

/* A job that has raw data. */
typedef struct {
    int64_t job, files, bytes, stored_ms;
    bool in_use; /* it is not over, is of a trial that is not, or of an alert that waits */
    bool kept[CFG_KEEP_COUNT]; /* what speaks for them; ALERTS: of one that was real */
} raw_job;

/* A walk through a project's jobs, oldest first. */
typedef struct {
    const cfg_storage *policy; /* borrowed */
    int64_t project, now_ms;
    int64_t bytes; /* what the project's raw data take, without what goes */
    job_place place;
} raw_plan;

static const model_member job_members[] = {
    MODELS(raw_job, job, files, bytes, stored_ms, in_use),
    MODEL(raw_job, kept[CFG_KEEP_ALERTS], "alerts"),
    MODEL(raw_job, kept[CFG_KEEP_RELEASES], "releases"),
    MODEL(raw_job, kept[CFG_KEEP_FIRST_OF_MONTH], "first_of_month")};
static const model_noun job_noun = MODEL_NOUN(raw_job, job_members, "job with raw data");

static const model_member project_members[] = {MODELS(raw_project, id, name)};
static const model_noun project_noun =
    MODEL_NOUN(raw_project, project_members, "project with raw data");

typedef struct {
    int64_t jobs, files, bytes;
} raw_sums;

/* What becomes of a job's raw data; what stays first. */
typedef enum {
    FATE_YOUNG, /* nothing is wrong with them yet */
    FATE_IN_USE,
    FATE_ALERTS,
    FATE_RELEASES,
    FATE_FIRST_OF_MONTH,
    FATE_AGE, /* this and the following: they go */
    FATE_BUDGET,
    FATE_COUNT
} fate_of_raw;

typedef struct {
    char *project;
    raw_sums fate[FATE_COUNT], removed;
} project_sums;

static const model_member sums_members[] = {MODELS(raw_sums, jobs, files, bytes)};
static const model_noun sums_noun = MODEL_NOUN(raw_sums, sums_members, "sums of raw data");

/* The next ones of a project, oldest first: [raw_job]. */
static bool jobs_after(srv_store *store, int64_t project, job_place after, unsigned count,
                       model_list *jobs, GError **error) {
    return srv__many(store, ASK(retention_jobs, project, after.stored_ms, after.job, count),
                     &job_noun, jobs, error);
}

/* All that have or had raw data, by name: [raw_project]. */
static bool projects_after(srv_store *store, model_list *projects, GError **error) {
    return srv__many(store, ASK(retention_projects), &project_noun, projects, error);
}

/* As the store, the report and messages call them. */
static const char *const fate_words[FATE_COUNT] = {"young",          "in_use", "alerts", "releases",
                                                   "first_of_month", "age",    "budget"};

static bool fate_goes(fate_of_raw fate) {
    return fate >= FATE_AGE;
}

/* At the oldest job. */
static bool plan_begin(raw_plan *plan, srv_store *store, GError **error) {
    plan->place = (job_place){INT64_MIN, 0};
    return srv__number(store, ASK(retention_bytes, plan->project), 0, &plan->bytes, error);
}

static bool is_old(const raw_plan *plan, int64_t stored_ms) {
    return plan->policy->keep_raw_days > 0 &&
           stored_ms < plan->now_ms - (int64_t)plan->policy->keep_raw_days * SRV_DAY_MS;
}

static bool is_over_budget(const raw_plan *plan) {
    return plan->policy->raw_budget_bytes > 0 &&
           (uint64_t)MAX(0, plan->bytes) > plan->policy->raw_budget_bytes;
}

/* What speaks for them; YOUNG: nothing does. */
static fate_of_raw kept(const cfg_storage *policy, const raw_job *job) {
    static const fate_of_raw fates[CFG_KEEP_COUNT] = {FATE_ALERTS, FATE_RELEASES,
                                                      FATE_FIRST_OF_MONTH};
    if (job->in_use)
        return FATE_IN_USE;
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++)
        if (policy->keeps[keep] && job->kept[keep])
            return fates[keep];
    return FATE_YOUNG;
}

/* The next of jobs_after; the walk goes on behind it. */
static fate_of_raw plan_judge(raw_plan *plan, const raw_job *job) {
    plan->place = (job_place){job->stored_ms, job->job};
    fate_of_raw fate = kept(plan->policy, job);
    if (fate == FATE_YOUNG && is_old(plan, job->stored_ms))
        fate = FATE_AGE;
    else if (fate == FATE_YOUNG && is_over_budget(plan))
        fate = FATE_BUDGET;
    if (fate_goes(fate))
        plan->bytes -= job->bytes;
    return fate;
}

/* Nothing from the place on can go. */
static bool plan_ended(const raw_plan *plan) {
    return !is_old(plan, plan->place.stored_ms) && !is_over_budget(plan);
}

enum {
    JOBS_AT_ONCE = 16,  /* looked at in a step */
    ROWS_AT_ONCE = 500, /* removed in a step, and those of one job beyond it */
    FILES_AT_ONCE = 50  /* of a bucket each takes a request */
};

struct srv_retention {
    atomic_flag busy; /* the rest is of the thread that has set it */
    const cfg_storage *policy;
    bool begun;          /* this pass has its projects */
    model_list projects; /* [raw_project] */
    unsigned at;         /* in projects */
    bool planned;        /* plan is of the project at */
    raw_plan plan;
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

static const raw_project *project_of(const srv_retention *retention) {
    return (const raw_project *)retention->projects.items + retention->at;
}

static void tell(const srv_retention *retention) {
    if (retention->files > 0)
        cfg_log("info", "storage", "raw_removed", "project=%s files=%" PRId64 " bytes=%" PRId64,
                project_of(retention)->name, retention->files, retention->bytes);
}

static void project_end(srv_retention *retention) {
    tell(retention);
    retention->at++;
    retention->planned = false;
}

typedef struct {
    const raw_job *job;
    fate_of_raw fate;
} going_job;

/* Which of these jobs go? The walk is behind them, or behind the last that a step has room for. */
static bool judge(raw_plan *plan, const model_list *jobs, GArray *going) {
    const raw_job *job = jobs->items;
    int64_t files = 0;
    for (unsigned i = 0; i < jobs->count; i++, job++) {
        const going_job one = {job, plan_judge(plan, job)};
        if (fate_goes(one.fate)) {
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
        good = srv__raw_drop(store, one->job->job, fate_words[one->fate], retention->plan.now_ms,
                             &files, error);
        retention->files += files;
        retention->bytes += one->job->bytes;
    }
    return good;
}

/* In a transaction what is kept is looked up anew: an alert may just have come. */
static bool page_drop(srv_retention *retention, srv_store *store, raw_plan before, bool *last,
                      GError **error) {
    g_autoptr(GArray) going = g_array_new(FALSE, FALSE, sizeof(going_job));
    g_auto(model_list) jobs = {0};
    if (!srv__begin(store, error))
        return false;
    bool good = jobs_after(store, before.project, before.place, JOBS_AT_ONCE, &jobs, error);
    if (good)
        *last = judge(&before, &jobs, going);
    good = srv__end(store, good && drop(retention, store, going, error), error);
    retention->plan = before;
    return good;
}

static bool page(srv_retention *retention, srv_store *store, GError **error) {
    const raw_plan before = retention->plan;
    g_autoptr(GArray) going = g_array_new(FALSE, FALSE, sizeof(going_job));
    g_auto(model_list) jobs = {0};
    if (!jobs_after(store, before.project, before.place, JOBS_AT_ONCE, &jobs, error))
        return false;
    bool last = judge(&retention->plan, &jobs, going);
    if (going->len > 0 && !page_drop(retention, store, before, &last, error))
        return false;
    if (last || plan_ended(&retention->plan))
        project_end(retention);
    return true;
}

static bool project_step(srv_retention *retention, srv_store *store, int64_t now_ms,
                         GError **error) {
    if (retention->planned)
        return page(retention, store, error);
    retention->plan = (raw_plan){
        .policy = retention->policy, .project = project_of(retention)->id, .now_ms = now_ms};
    retention->files = retention->bytes = 0;
    retention->planned = true;
    return plan_begin(&retention->plan, store, error);
}

static bool go_on(srv_retention *retention, srv_store *store, srv__place *raw, int64_t now_ms,
                  bool *more, GError **error) {
    *more = true;
    if (!retention->begun) {
        retention->begun =
            !has_policy(retention->policy) || projects_after(store, &retention->projects, error);
        return retention->begun;
    }
    if (retention->at < retention->projects.count)
        return project_step(retention, store, now_ms, error);
    return srv__place_sweep(raw, store, now_ms, FILES_AT_ONCE, more, error);
}

/*
 * Goes on where the step before ended.
 * more   out: false when all has been looked at; the next step begins anew
 * False with error: the next step begins anew, too, and nothing is lost. With a bucket it waits for
 * the network.
 */
static bool retention_step(srv_retention *retention, srv_store *store, srv__place *raw,
                           int64_t now_ms, bool *more, GError **error) {
    *more = false;
    if (atomic_flag_test_and_set(&retention->busy))
        return true;
    const bool good = go_on(retention, store, raw, now_ms, more, error);
    if (!good || !*more)
        pass_end(retention);
    *more = *more && good;
    atomic_flag_clear(&retention->busy);
    return good;
}

bool srv_tidy_step(const srv_tidy *tidy, srv_store *store, int64_t now_ms, bool *more,
                   GError **error) {
    *more = false;
    if (!atomic_load(tidy->sweeping)) {
        if (!retention_step(tidy->retention, store, tidy->raw, now_ms, more, error))
            return false;
        if (*more)
            return true;
    }
    const bool good = srv_artifacts_sweep(tidy->artifacts, store, now_ms, more, error);
    /* Files that are left begin no second pass over the raw data. */
    atomic_store(tidy->sweeping, good && *more);
    return good;
}

#define REPORTED_AT_ONCE 500

static void add(raw_sums *to, const raw_job *job) {
    to->jobs++;
    to->files += job->files;
    to->bytes += job->bytes;
}

static bool walk(raw_plan *plan, srv_store *store, project_sums *to, GError **error) {
    bool good = plan_begin(plan, store, error), more = true;
    while (good && more) {
        g_auto(model_list) jobs = {0};
        good = jobs_after(store, plan->project, plan->place, REPORTED_AT_ONCE, &jobs, error);
        for (unsigned i = 0; i < jobs.count; i++) {
            const raw_job *job = (const raw_job *)jobs.items + i;
            add(&to->fate[plan_judge(plan, job)], job);
        }
        more = jobs.count == REPORTED_AT_ONCE;
    }
    return good;
}

static bool project_report(srv_store *store, const cfg_storage *policy, const raw_project *project,
                           int64_t now_ms, project_sums *to, GError **error) {
    raw_plan plan = {.policy = policy, .project = project->id, .now_ms = now_ms};
    to->project = g_strdup(project->name);
    return srv__one(store, ASK(retention_removed, plan.project), &sums_noun, &to->removed, NULL,
                    error) &&
           walk(&plan, store, to, error);
}

static void sums_clear(void *memory) {
    g_free(((project_sums *)memory)->project);
}

/* [sums], owned; NULL with error. */
static GArray *sums_read(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                         GError **error) {
    g_auto(model_list) projects = {0};
    g_autoptr(GArray) report = g_array_new(FALSE, TRUE, sizeof(project_sums));
    g_array_set_clear_func(report, sums_clear);
    bool good = projects_after(store, &projects, error);
    g_array_set_size(report, projects.count);
    for (unsigned i = 0; good && i < projects.count; i++)
        good = project_report(store, policy, (const raw_project *)projects.items + i, now_ms,
                              &g_array_index(report, project_sums, i), error);
    return good ? g_steal_pointer(&report) : NULL;
}

static void line(GString *text, const char *project, const char *what, const raw_sums *sums) {
    g_string_append_printf(
        text, "%s\t%s\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\n", project,
        what, sums->jobs, sums->files, sums->bytes);
}

static char *sums_text(const GArray *report) {
    static const char *const what[FATE_COUNT] = {
        "stays: young enough",       "stays: in use", "stays: of alerts",     "stays: of releases",
        "stays: first of its month", "goes: too old", "goes: over the budget"};
    GString *text = g_string_new("project\traw data\tjobs\tfiles\tbytes\n");
    for (guint i = 0; i < report->len; i++) {
        const project_sums *project = &g_array_index(report, project_sums, i);
        for (fate_of_raw fate = 0; fate < FATE_COUNT; fate++)
            if (project->fate[fate].jobs > 0)
                line(text, project->project, what[fate], &project->fate[fate]);
        line(text, project->project, "removed before", &project->removed);
    }
    return g_string_free(text, FALSE);
}

char *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                           GError **error) {
    g_autoptr(GArray) report = sums_read(store, policy, now_ms, error);
    return report ? sums_text(report) : NULL;
}
