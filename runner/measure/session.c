#include "runner/measure/session.h"

#include "config/json_text.h"
#include "config/log.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/link/heartbeat.h"
#include "runner/link/upload.h"
#include "runner/measure/attempt.h"
#include "runner/measure/budget.h"
#include "runner/measure/stray.h"
#include "runner/measure/trees.h"
#include "runner/prepare/prepare.h"
#include "runner/protocol.h"

#include <inttypes.h>
#include <string.h>

#define LEASE_S_UNKNOWN 60

struct run_session {
    const run_node *node;
    run_node own; /* the node as given, with our printed */
    run_printed printed;
    run_spool *spool;
    run_job *job;
    run_heartbeat beat;
    run_cache *cache;
    run_trees trees;
    char *log;     /* of the last program that failed */
    unsigned turn; /* the present one, from 1; 0: the job has the node alone */
    bool recorded; /* the environment, since this agent began with the job */
};

static run_head *head_of(const run_session *self) {
    return run_spool_head(self->spool);
}

/* A member of the head gets another value, which is taken over, and the spool keeps it. */
static bool set_head(run_session *self, json_t **member, json_t *value, GError **error) {
    json_decref(*member);
    *member = value;
    return run_spool_update(self->spool, error);
}

static bool finish(run_session *self, int64_t finished_ms, GError **error) {
    head_of(self)->finished_ms = finished_ms;
    return run_spool_update(self->spool, error);
}

static bool enter_phase(run_session *self, const char *phase, GError **error) {
    self->beat.phase = phase;
    const run_job *job = self->job;
    cfg_log("info", "session", phase, "job=%" PRId64 " project=\"%s\" commit=%s%s%s", job->id,
            job->project, job->commit, job->before ? " before=" : "",
            job->before ? job->before : "");
    return run_heartbeat_beat(&self->beat, false, RUN_CALL_TIMEOUT_S, error);
}

static bool begin_phase(void *data, const char *phase, GError **error) {
    return enter_phase(data, phase, error);
}

static bool is_prepared(const run_session *self) {
    return run_trees_present(&self->trees) && json_is_array(head_of(self)->prepared);
}

/* How each commit was prepared goes into the spool: it belongs to the result. */
static bool make_ready(run_session *self, GError **error) {
    if (is_prepared(self))
        return true;
    const run_ready ready = {.step = {.node = self->node,
                                      .job = self->job,
                                      .tick = run_heartbeat_tick,
                                      .tick_data = &self->beat,
                                      .log = &self->log},
                             .cache = self->cache,
                             .phase = begin_phase,
                             .phase_data = self};
    json_t *records = json_array();
    for (unsigned which = 0; which < run_job_commits(self->job); which++) {
        json_t *record = NULL;
        self->beat.message = self->trees.words[which];
        if (!run_ready_make(&ready, which, &record, error)) {
            if (self->trees.words[which]) /* which of the two no longer builds */
                g_prefix_error(error, "%s: ", self->trees.words[which]);
            json_decref(records);
            return false;
        }
        json_array_append_new(records, record);
    }
    return set_head(self, &head_of(self)->prepared, records, error);
}

/* Loops of one result share one environment; a kernel update while we were away ends theirs. */
static bool record_environment(run_session *self, const run_tuning *tuning, GError **error) {
    json_t *now = run_environment_record(self->node, self->job, &self->trees, tuning, error);
    if (!now)
        return false;
    json_object_set(json_object_get(now, "detail"), "preparation", head_of(self)->prepared);
    json_t *before = head_of(self)->environment;
    g_autofree char *now_hash = run_environment_hash(now);
    g_autofree char *before_hash = before ? run_environment_hash(before) : NULL;
    if (before_hash && strcmp(now_hash, before_hash) != 0) {
        cfg_log("warning", "session", "environment_changed",
                "job=%" PRId64 " next=\"measure anew\"", self->job->id);
        if (!run_spool_forget_loops(self->spool, error)) {
            json_decref(now);
            return false;
        }
    }
    return set_head(self, &head_of(self)->environment, now, error);
}

/* The node is tuned from here on until the last process has ended, whatever happens. */
static bool measure_tuned(run_session *self, run_node *node, run_tuning *tuning, bool *complete,
                          GError **error) {
    node->fixed_addresses = run_tuning_fixed_addresses(tuning);
    if (!run_trees_show(&self->trees, RUN_AFTER, error) ||
        (!self->recorded && !record_environment(self, tuning, error)))
        return false;
    self->recorded = true;
    run_attempt attempt = {.node = node,
                           .job = self->job,
                           .turn = self->turn,
                           .spool = self->spool,
                           .tick = run_heartbeat_tick,
                           .waits = run_heartbeat_waits,
                           .tick_data = &self->beat};
    run_readings_take(&attempt.since, &node->benchmark_cpus);
    bool good = run_rounds_measure(&attempt, &self->trees, &self->beat, complete, error);
    g_free(self->log);
    self->log = attempt.last_log;
    return good;
}

/* Unix time now; not before the start, should the clock have been set back meanwhile. */
static int64_t end_of(const run_session *self) {
    return MAX(g_get_real_time() / 1000, head_of(self)->started_ms);
}

/* The node is as it always is: nothing is measured. What was counted before a kill stands in the
 * spool. */
static bool count(run_session *self, GError **error) {
    json_t *counts = NULL;
    const run_count work = {.node = self->node,
                            .job = self->job,
                            .trees = &self->trees,
                            .beat = &self->beat,
                            .most_s = RUN_COUNT_S_MOST};
    if (!run_count_wanted(self->job) || head_of(self)->counted)
        return true;
    if (!enter_phase(self, RUN_PHASE_COUNT, error) || !run_count_make(&work, &counts, error))
        return false;
    head_of(self)->counted = true;
    return set_head(self, &head_of(self)->counts, counts, error);
}

/* They belong to the environment's detail, as what else is told beside the loops does. */
static void add_counts(const run_session *self) {
    const run_head *head = head_of(self);
    if (head->counts)
        json_object_set(run_head_detail(head), "counts", head->counts);
}

/* A night counts after its last loop, which nothing shall delay; a trial first, for what it counts
 * is heard from its first look on. complete: out: false: more is to be measured in a later turn */
static bool measure(run_session *self, bool *complete, GError **error) {
    const cfg_runner *config = self->node->config;
    const bool trial = run_job_commits(self->job) > 1;
    if (trial && !count(self, error))
        return false;
    self->beat.loops = self->job->benchmark.loops;
    self->beat.total = self->job->benchmark.loops * self->job->benchmark.configurations_count *
                       run_job_commits(self->job);
    if (run_budget_applies(self->job))
        self->beat.loops = self->beat.total = 0; /* as many as the minutes allow */
    if (!enter_phase(self, RUN_PHASE_MEASURE, error))
        return false;
    g_autofree char *restore_path = run_node_path(self->node, RUN_RESTORE_FILE);
    run_tuning_place place = {"", restore_path, config->housekeeping_cpus};
    run_tuning *tuning = run_tuning_apply(&place, config->tuning, config->tuning_count, error);
    if (!tuning)
        return false;
    run_node tuned = *self->node;
    bool good = measure_tuned(self, &tuned, tuning, complete, error);
    run_tuning_end(tuning);
    self->beat.configuration = NULL;
    self->beat.message = NULL;
    self->beat.done = run_spool_loops(self->spool)->len;
    if (!good || !*complete)
        return good;
    self->beat.eta_s = 0;
    const int64_t end_ms = end_of(self); /* what is counted now is not part of the night */
    if (!trial && !count(self, error))
        return false;
    add_counts(self);
    return finish(self, end_ms, error);
}

/* Profiles in place of loops. They are in the spool once all are there: they take a minute. */
static bool explain(run_session *self, GError **error) {
    if (!enter_phase(self, RUN_PHASE_PROFILE, error))
        return false;
    run_explain work = {.node = self->node,
                        .job = self->job,
                        .trees = &self->trees,
                        .beat = &self->beat,
                        .last_log = NULL};
    json_t *made = run_explain_make(&work, error);
    if (work.last_log) {
        g_free(self->log);
        self->log = work.last_log;
    }
    return made && set_head(self, &head_of(self)->explanation, made, error) &&
           finish(self, end_of(self), error);
}

/* The marks are not in the spool's files: they follow from the loops, whoever reads them; as does
 * what a budget was spent for. */
static void tell_loops(run_session *self) {
    json_t *detail = run_head_detail(head_of(self));
    const double distance = self->node->config->stray_distance;
    GPtrArray *loops = run_spool_loops(self->spool);
    run_stray_mark(self->job, distance, loops);
    json_t *report = run_stray_report(self->job, distance, loops);
    if (report)
        json_object_set_new(detail, "strays", report);
    json_t *settled = run_settled_report(self->job, loops);
    if (settled)
        json_object_set_new(detail, "warmup", settled);
    if (run_budget_applies(self->job))
        json_object_set_new(detail, "budget", run_budget_report(self->job, loops));
}

static bool hand_over(run_session *self, GError **error) {
    const run_node *node = self->node;
    if (self->job->explain_s == 0)
        tell_loops(self);
    return node->results_dir
               ? run_results_folder_write(node->results_dir, self->job, node->config->node,
                                          self->spool, error)
               : run_upload_result(&self->beat, self->job, self->spool, node->stop_fd, error);
}

/* A version becomes the folder that has it here. */
static bool find_jdk(run_job *job, GError **error) {
    char *wanted = job->benchmark.jdk;
    if (!wanted)
        return true;
    job->benchmark.jdk = run_driver_jdk(wanted, RUN_DRIVER_JVMS, error);
    g_free(wanted);
    return job->benchmark.jdk != NULL;
}

static bool take_job(run_session *self, GError **error) {
    if (self->job)
        return true;
    g_autoptr(run_job) job = run_job_parse(head_of(self)->job, error);
    if (!job || !find_jdk(job, error))
        return false;
    self->job = g_steal_pointer(&job);
    run_trees_find(&self->trees, self->node, self->job);
    return true;
}

bool run_session_measured(const run_session *self) {
    return head_of(self)->finished_ms != 0;
}

static bool measure_on(run_session *self, bool *complete, GError **error) {
    if (run_session_measured(self))
        return true;
    return make_ready(self, error) &&
           (self->job->explain_s > 0 ? explain(self, error) : measure(self, complete, error));
}

static bool work(run_session *self, GError **error) {
    bool complete = true;
    return take_job(self, error) && measure_on(self, &complete, error) &&
           enter_phase(self, RUN_PHASE_UPLOAD, error) && hand_over(self, error);
}

/* The failure is spooled as well: a kill must not make us find it out again. */
static run_session_end report(run_session *self, json_t *failure) {
    g_autoptr(GError) problem = NULL;
    if (head_of(self)->failure != failure) {
        if (!set_head(self, &head_of(self)->failure, json_incref(failure), &problem)) {
            cfg_log("warning", "session", "failure_not_spooled", "reason=\"%s\"", problem->message);
            g_clear_error(&problem);
        }
    }
    cfg_log("error", "session", "failed", "job=%" PRId64 " phase=%s retry=%d reason=\"%s\"",
            self->beat.job, self->beat.phase, cfg_json_true(failure, "retry"),
            cfg_json_word(failure, "reason", NULL));
    if (self->node->results_dir) {
        run_heartbeat_print(failure);
        return RUN_SESSION_FAILED;
    }
    if (run_upload_failure(&self->beat, failure, self->node->stop_fd, &problem))
        return RUN_SESSION_FAILED;
    if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_STOPPED))
        return RUN_SESSION_STOPPED;
    cfg_log("warning", "session", "failure_not_taken", "job=%" PRId64 " reason=\"%s\"",
            self->beat.job, problem->message);
    return g_error_matches(problem, RUN_ERROR, RUN_ERROR_LOST) ? RUN_SESSION_LOST
                                                               : RUN_SESSION_FAILED;
}

static run_session_end conclude(run_session *self, const GError *problem) {
    if (!problem)
        return RUN_SESSION_DONE;
    if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_STOPPED))
        return RUN_SESSION_STOPPED;
    if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_LOST)) {
        cfg_log("warning", "session", "lost", "job=%" PRId64 " reason=\"%s\"", self->beat.job,
                problem->message);
        return RUN_SESSION_LOST;
    }
    json_auto_t *failure = run_result_failure(self->beat.phase, problem, self->log);
    run_session_end end = report(self, failure);
    return end;
}

static void clean_up(run_session *self) {
    g_autoptr(GError) problem = NULL;
    run_trees_remove(&self->trees);
    if (!run_spool_drop(self->spool, &problem))
        cfg_log("warning", "session", "left_over", "reason=\"%s\"", problem->message);
}

run_session *run_session_open(const run_node *node, run_cache *cache, run_spool *spool,
                              unsigned expires_s) {
    run_session *self = g_new0(run_session, 1);
    const run_head *head = run_spool_head(spool);
    *self = (run_session){.own = *node, .spool = spool, .cache = cache};
    self->node = &self->own;
    self->own.printed = &self->printed;
    self->beat = (run_heartbeat){.client = node->client,
                                 .node = node->config->node,
                                 .job = head->id,
                                 .lease = g_strdup(head->lease ? head->lease : ""),
                                 .confirmed = expires_s > 0,
                                 .expires_s = expires_s > 0 ? expires_s : LEASE_S_UNKNOWN,
                                 .printed = &self->printed,
                                 .phase = RUN_PHASE_CHECKOUT,
                                 .eta_s = -1};
    return self;
}

void run_session_close(run_session *self) {
    if (!self)
        return;
    run_trees_clear(&self->trees);
    run_printed_clear(&self->printed);
    g_free(self->log);
    g_free(self->beat.lease);
    run_job_free(self->job);
    g_free(self);
}

static run_session_end ended(run_session *self, run_session_end end) {
    if (end != RUN_SESSION_STOPPED)
        clean_up(self);
    return end;
}

run_session_end run_session_finish(run_session *self) {
    g_autoptr(GError) problem = NULL;
    json_t *failure = head_of(self)->failure;
    self->turn = 0;
    self->beat.message = NULL;
    if (!failure)
        return ended(self, conclude(self, work(self, &problem) ? NULL : problem));
    (void)take_job(self, NULL); /* what is left of its trees goes */
    return ended(self, report(self, failure));
}

/* The turns that its loops tell of: an earlier agent may have begun. */
static unsigned turns_before(const run_session *self) {
    const GPtrArray *loops = run_spool_loops(self->spool);
    return loops->len > 0 ? run_loops_at(loops, loops->len - 1)->turn : 0;
}

run_session_end run_session_turn(run_session *self) {
    g_autoptr(GError) problem = NULL;
    bool complete = true;
    self->turn = turns_before(self) + 1;
    /* Code under test of the nights whose turn comes now shall not reach this one's tree. */
    if (!take_job(self, &problem) || !measure_on(self, &complete, &problem) ||
        !run_trees_show(&self->trees, RUN_COMMITS_MAX, &problem))
        return ended(self, conclude(self, problem));
    self->beat.message =
        complete ? "measured; handed over with the other nights" : "waits for its turn";
    return RUN_SESSION_OPEN;
}

void run_session_wait(run_session *self, GPtrArray *beats) {
    g_autoptr(GError) ignored = NULL;
    self->beat.beside = beats;
    g_ptr_array_add(beats, &self->beat);
    self->beat.message = "waits for its turn";
    /* Until then the server takes it for one whose lease got lost on the way. */
    (void)!run_heartbeat_beat(&self->beat, false, RUN_CALL_TIMEOUT_S, &ignored);
}

void run_session_leave(run_session *self, GPtrArray *beats) {
    g_ptr_array_remove(beats, &self->beat);
    self->beat.beside = NULL;
}

run_session_end run_session_run(const run_node *node, run_cache *cache, run_spool *spool,
                                unsigned expires_s) {
    g_autoptr(run_session) self = run_session_open(node, cache, spool, expires_s);
    return run_session_finish(self);
}
