#include "config/json_text.h"
#include "server/alarm/explanation.h"
#include "server/alarm/trial.h"
#include "server/alarm/trial_rows.h"
#include "server/ground/fields.h"
#include "server/pull/pull.h"
#include "server/queue/queue.h"
#include "server/queue/queue_internal.h"
#include "server/store/store_sql.h"

#include "runner/protocol.h"
#include "server/store/projects.h"
#include "sql/queue.h"

#include <string.h>

/* The pause before a job is tried again doubles with each attempt. */
#define PAUSE_FIRST_MS 30000
#define MESSAGE_LIMIT 2000u
#define NAME_LIMIT 100u
#define COUNT_LIMIT 1000000000

static int64_t pause_ms(int64_t attempts) {
    int64_t pause = PAUSE_FIRST_MS;
    for (int64_t i = 1; i < attempts && pause < SRV__PAUSE_LAST_MS; i++)
        pause *= 2;
    return MIN(pause, SRV__PAUSE_LAST_MS);
}

static bool holding_open(srv_store *store, int64_t job, const char *lease, srv__holding *holding,
                         GError **error) {
    if (!srv__holding_get(store, job, lease, holding, error))
        return false;
    /* Queued and still with this lease: it expired, but nobody has taken the job yet. */
    if (holding->held &&
        (g_str_equal(holding->state, "leased") || g_str_equal(holding->state, "queued")))
        return true;
    return srv__holding_lost(holding, error);
}

bool srv_queue_holds(srv_store *store, int64_t job, const char *lease, GError **error) {
    srv__holding holding;
    return holding_open(store, job, lease, &holding, error);
}

/* The end of a text, at most limit bytes; what is not UTF-8 is replaced. NULL stays. */
static char *end_of(const char *text, size_t limit) {
    size_t length = text ? strlen(text) : 0;
    return text ? g_utf8_make_valid(text + (length > limit ? length - limit : 0), -1) : NULL;
}

/* The progress object of the API from a report, with its lease; NULL with error. */
static json_t *progress_read(const json_t *body, int64_t now_ms, const char **lease,
                             GError **error) {
    srv__fields in = {.object = body, .where = "", .error = error};
    *lease = srv__field_text(&in, "lease", NAME_LIMIT, SRV__REQUIRED);
    const char *phase = srv__field_text(&in, "phase", NAME_LIMIT, SRV__REQUIRED);
    const char *configuration = srv__field_text(&in, "configuration", NAME_LIMIT, SRV__OPTIONAL);
    const char *message = srv__field_text(&in, "message", MESSAGE_LIMIT, SRV__OPTIONAL);
    int64_t loop = srv__field_int(&in, "loop", 0, COUNT_LIMIT, SRV__OPTIONAL, 0);
    int64_t loops = srv__field_int(&in, "loops", 0, COUNT_LIMIT, SRV__OPTIONAL, 0);
    int64_t done = srv__field_int(&in, "done", 0, COUNT_LIMIT, SRV__OPTIONAL, 0);
    int64_t total = srv__field_int(&in, "total", 0, COUNT_LIMIT, SRV__OPTIONAL, 0);
    double eta = srv__field_real(&in, "eta_seconds", 0, SRV__OPTIONAL);
    if (in.failed)
        return NULL;
    g_autofree char *log = end_of(cfg_json_word(body, "log", NULL), RUN_LOG_TAIL_BYTES);
    return json_pack("{s:s,s:s?,s:I,s:I,s:I,s:I,s:o,s:s,s:I,s:s*}", "phase", phase, "configuration",
                     configuration, "loop", loop, "loops", loops, "done", done, "total", total,
                     "eta_seconds", eta >= 0 ? json_integer((json_int_t)eta) : json_null(),
                     "message", message ? message : "", "at_ms", now_ms, "log", log);
}

/* The log of the report before goes into this one. */
static bool log_keep(srv_store *store, int64_t job, json_t *progress, GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, ASK(job_progress_get, job), &row, error))
        return false;
    json_t *log = cfg_json_at(row, "progress.log");
    json_object_set_new(progress, "log", log ? json_incref(log) : json_null());
    return true;
}

static bool progress_keep(srv_store *store, const srv_queue_rules *rules, int64_t job,
                          const char *lease, json_t *progress, int64_t now_ms, GError **error) {
    srv__holding holding;
    if (!holding_open(store, job, lease, &holding, error))
        return false;
    /* While a benchmark runs nothing is said of its output: what was known stays. */
    if (!json_object_get(progress, "log") && !log_keep(store, job, progress, error))
        return false;
    g_autofree char *text = json_dumps(progress, JSON_COMPACT);
    return srv__run(store, ASK(job_progress, job, text, now_ms + 1000 * (int64_t)rules->lease_s),
                    error) &&
           srv__run(store, ASK(node_reports, job, now_ms), error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

json_t *srv_queue_progress(srv_store *store, const srv_queue_rules *rules, int64_t job,
                           const json_t *body, int64_t now_ms, GError **error) {
    const char *lease;
    json_auto_t *progress = progress_read(body, now_ms, &lease, error);
    if (!progress)
        return NULL;
    bool good = srv__begin(store, error);
    if (good)
        good = srv__end(store, progress_keep(store, rules, job, lease, progress, now_ms, error),
                        error);
    return good ? json_pack("{s:i}", "expires_seconds", (int)rules->lease_s) : NULL;
}

/* What hears that a job of this kind has no result: a trial; an alert, which stands without its
 * explanation; a pull request. NULL: nothing, it is a night. */
static srv__job_failed asker_of(const char *kind) {
    return srv__is_trial(kind)                    ? srv__trial_failed
           : srv__is_kind(kind, SRV_KIND_EXPLAIN) ? srv__explanation_failed
           : srv__is_kind(kind, SRV_KIND_PULL)    ? srv__pull_failed
                                                  : NULL;
}

/* What was no night has failed for good. */
static bool aside_die(srv_store *store, const srv__holding *holding, const char *reason,
                      int64_t now_ms, GError **error) {
    return srv__run(store, ASK(job_failed, holding->id, srv__arg_key(0), now_ms), error) &&
           srv__run(store, ASK(node_free, holding->id), error) &&
           srv__event(store, SRV_EVENT_JOB, holding->id) &&
           asker_of(holding->kind)(store, holding->id, reason, now_ms, error);
}

/* A night without a result, as its job was; hidden: it is not shown. */
static bool experiment_failed(srv_store *store, int64_t job, const char *reason, bool hidden,
                              int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store, ASK(experiment_failed, job, reason, hidden, now_ms), id, error) &&
           srv__night_count_add(store, *id, error);
}

/* The job has failed for good: it stays, its night is shown as failed. */
static bool night_die(srv_store *store, const srv__holding *holding, const char *reason,
                      int64_t now_ms, GError **error) {
    int64_t experiment, measured;
    const bool aside = srv__is_kind(holding->kind, SRV_KIND_SWEEP);
    g_autofree char *problem = g_strdup_printf("The last job failed: %s", reason);
    return srv__number(store, ASK(nights_measured, holding->revision, holding->benchmark), 0,
                       &measured, error) &&
           (aside || srv__nights_hide(store, holding->revision, error)) &&
           experiment_failed(store, holding->id, reason, aside || measured > 0, now_ms, &experiment,
                             error) &&
           srv__run(store, ASK(job_failed, holding->id, srv__arg_key(experiment), now_ms), error) &&
           srv__run(store, ASK(project_job_problem, holding->project, problem), error) &&
           srv__run(store, ASK(node_free, holding->id), error) &&
           srv__event(store, SRV_EVENT_JOB, holding->id) &&
           srv__event(store, SRV_EVENT_NIGHT, experiment);
}

/* Why an attempt failed. */
typedef struct {
    const char *reason, *log; /* log: NULL: there is none */
    bool retry;               /* another attempt may do better */
} failure;

/* Wait for the next attempt, or give up. */
static bool job_fail(srv_store *store, const srv_queue_rules *rules, const srv__holding *holding,
                     const failure *why, int64_t now_ms, GError **error) {
    if (!srv__run(store, ASK(job_error, holding->id, why->reason, why->log), error))
        return false;
    if (!why->retry || holding->attempts >= (int64_t)rules->attempts)
        return (asker_of(holding->kind) ? aside_die : night_die)(store, holding, why->reason,
                                                                 now_ms, error);
    /* The lease stays: until somebody else takes the job its holder may come back. */
    return srv__run(store, ASK(job_requeue, holding->id, now_ms + pause_ms(holding->attempts)),
                    error) &&
           srv__run(store, ASK(node_free, holding->id), error) &&
           srv__event(store, SRV_EVENT_JOB, holding->id);
}

bool srv__job_give_up(srv_store *store, const srv__holding *holding, const char *reason,
                      int64_t now_ms, GError **error) {
    return job_fail(store, NULL, holding, &(failure){.reason = reason}, now_ms, error);
}

bool srv_queue_failure(srv_store *store, const srv_queue_rules *rules, int64_t job,
                       const json_t *body, int64_t now_ms, GError **error) {
    srv__fields in = {.object = body, .where = "", .error = error};
    const char *lease = srv__field_text(&in, "lease", NAME_LIMIT, SRV__REQUIRED);
    const char *phase = srv__field_text(&in, "phase", NAME_LIMIT, SRV__REQUIRED);
    const char *reason = srv__field_text(&in, "reason", MESSAGE_LIMIT, SRV__REQUIRED);
    const char *log = cfg_json_word(body, "log", NULL);
    bool retry = srv__field_bool(&in, "retry", true);
    if (in.failed || !srv__begin(store, error))
        return false;
    srv__holding holding;
    bool good = srv__holding_get(store, job, lease, &holding, error);
    if (good && !(holding.held && g_str_equal(holding.state, "failed"))) {
        g_autofree char *text = g_strdup_printf("%s: %s", phase, reason);
        /* The end of a log says what went wrong. */
        g_autofree char *kept = end_of(log, SRV__LOG_LIMIT_BYTES);
        good = holding_open(store, job, lease, &holding, error) &&
               job_fail(store, rules, &holding,
                        &(failure){.reason = text, .log = kept, .retry = retry}, now_ms, error);
    }
    return srv__end(store, good, error);
}

static bool job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                       GError **error) {
    srv__holding holding;
    if (!srv__holding_get(store, job, NULL, &holding, error))
        return false;
    if (!g_str_equal(holding.state, "queued") && !g_str_equal(holding.state, "leased"))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "job %" G_GINT64_FORMAT " is already %s; there is nothing to cancel", job,
                         holding.state);
    const srv__job_failed tell = asker_of(holding.kind);
    return srv__job_cancel(store, job, reason, now_ms, error) &&
           (!tell || tell(store, job,
                          srv__is_kind(holding.kind, SRV_KIND_PULL) ? "its job was cancelled"
                                                                    : "it was cancelled",
                          now_ms, error));
}

bool srv_queue_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                      GError **error) {
    if (!srv__begin(store, error))
        return false;
    return srv__end(store, job_cancel(store, job, reason, now_ms, error), error);
}

bool srv_queue_off_end(srv_store *store, unsigned days, int64_t now_ms, unsigned *ended,
                       GError **error) {
    const int64_t before_ms = now_ms - (int64_t)days * G_TIME_SPAN_DAY / 1000;
    g_autofree char *why = g_strdup_printf(
        "it has waited for %u days (off_job_days), and its project is switched off", days);
    g_autoptr(GArray) jobs = srv__ids(store, ASK(jobs_of_off, before_ms), error);
    *ended = 0;
    while (jobs && *ended < jobs->len &&
           srv_queue_cancel(store, g_array_index(jobs, int64_t, *ended), why, now_ms, error))
        ++*ended;
    return jobs && *ended == jobs->len;
}

/* No lease was given for longer than this: the clock has been set back since, and who holds it may
 * be silent for as long as that. */
static bool leases_shorten(srv_store *store, const srv_queue_rules *rules, int64_t now_ms,
                           GError **error) {
    const int64_t latest_ms = now_ms + (int64_t)rules->lease_s * 1000;
    g_autoptr(GArray) seen = srv__ids(store, ASK(leases_too_long, latest_ms), error);
    if (!seen || seen->len == 0)
        return seen != NULL;
    return srv__begin(store, error) &&
           srv__end(store, srv__run(store, ASK(leases_shorten, latest_ms), error), error);
}

bool srv_queue_expire(srv_store *store, const srv_queue_rules *rules, int64_t now_ms,
                      unsigned *expired, GError **error) {
    if (expired)
        *expired = 0;
    if (!srv__trials_expire(store, now_ms, error) ||
        !srv__explanations_expire(store, now_ms, error) ||
        !srv__pulls_expire(store, now_ms, error) || !leases_shorten(store, rules, now_ms, error))
        return false;
    g_autoptr(GArray) seen = srv__ids(store, ASK(jobs_expired, now_ms), error);
    if (!seen || seen->len == 0)
        return seen != NULL;
    if (!srv__begin(store, error))
        return false;
    /* Again inside the transaction: a heartbeat may have come in between. */
    g_autoptr(GArray) ids = srv__ids(store, ASK(jobs_expired, now_ms), error);
    const failure silent = {
        .reason = "the runner went silent: it was killed, lost its network or hung", .retry = true};
    bool good = ids != NULL;
    for (guint i = 0; good && i < ids->len; i++) {
        int64_t id = g_array_index(ids, int64_t, i);
        srv__holding holding;
        good = srv__holding_get(store, id, NULL, &holding, error) &&
               job_fail(store, rules, &holding, &silent, now_ms, error);
    }
    if (good && expired)
        *expired = ids->len;
    return srv__end(store, good, error);
}

bool srv__job_done(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                   GError **error) {
    return srv__run(store, ASK(job_done_set, job, srv__arg_key(experiment), now_ms), error) &&
           srv__run(store, ASK(node_free, job), error) && srv__event(store, SRV_EVENT_JOB, job);
}
