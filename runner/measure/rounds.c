#include "runner/measure/session.h"

#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/loop/loop.h"
#include "runner/measure/budget.h"
#include "runner/measure/plan.h"
#include "runner/measure/stray.h"
#include "runner/protocol.h"

#include <inttypes.h>

typedef struct {
    run_attempt *attempt;
    const run_trees *trees;
    run_heartbeat *beat;
    bool duet; /* both commits at the same time */
} rounds;

static bool hopeless(const rounds *self, const run_plan_step *step, GError **error) {
    const run_attempt *attempt = self->attempt;
    const run_job *job = attempt->job;
    const char *name = job->benchmark.configurations[step->configuration].name;
    const bool trial = run_job_commits(job) > 1;
    const char *commit = run_job_commit(job, step->which), *reason = "";
    const GPtrArray *loops = run_spool_loops(attempt->spool);
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        const bool of_it = !trial || self->duet || g_strcmp0(loop->commit, commit) == 0;
        if (!g_str_equal(loop->configuration, name) || !of_it || !loop->failed)
            continue;
        reason = loop->failed;
        commit = trial ? loop->commit : commit;
    }
    return run_wrong(
        error, "configuration %s%s%s: loop %u failed %u times without a good result; last: %s",
        name, trial ? ", commit " : "", trial ? commit : "", step->loop, step->attempt - 1, reason);
}

static bool rest(const rounds *self, GError **error) {
    const run_attempt *attempt = self->attempt;
    for (unsigned left_s = attempt->job->benchmark.rest_s; left_s > 0;) {
        unsigned part_s = MIN(left_s, RUN_HEARTBEAT_S);
        if (run_stop_sleep(attempt->node->stop_fd, part_s * INT64_C(1000)))
            return run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
        if (!run_heartbeat_beat(self->beat, true, RUN_CALL_TIMEOUT_S, error))
            return false;
        left_s -= part_s;
    }
    return true;
}

static bool tell_step(const rounds *self, const run_plan_step *step, GError **error) {
    const run_job *job = self->attempt->job;
    const GPtrArray *loops = run_spool_loops(self->attempt->spool);
    run_heartbeat *beat = self->beat;
    beat->message = self->duet ? "both commits" : self->trees->words[step->which];
    beat->configuration = job->benchmark.configurations[step->configuration].name;
    beat->loop = step->loop;
    beat->done = loops->len;
    beat->eta_s = run_budget_applies(job) ? run_budget_left_s(job, loops)
                                          : run_eta_s(job, loops) / (self->duet ? 2 : 1);
    if (beat->beside && self->attempt->turn > 0) /* they have as much to do, and end together */
        beat->eta_s *= beat->beside->len;
    /* With the server away every try costs seconds; then not before each process. */
    return run_heartbeat_beat(beat, beat->away, RUN_CALL_TIMEOUT_S, error);
}

/* What is measured so far is the night; people are told why there is not more of it. */
static bool end_early(const run_attempt *attempt, const char *reason, GError **error) {
    json_t *detail = run_head_detail(run_spool_head(attempt->spool));
    cfg_log("info", "session", "ended_early", "job=%" PRId64 " reason=\"%s\"", attempt->job->id,
            reason);
    json_object_set_new(detail, "ended_early", json_string(reason));
    return run_spool_update(attempt->spool, error);
}

/* A node that is not idle any more: what was measured before counts, when it is enough for a night.
 * A trial is only ever judged whole. */
static bool give_up(const run_attempt *attempt, const GError *busy, GError **error) {
    const run_job *job = attempt->job;
    unsigned least = run_loops_least(job, run_spool_loops(attempt->spool));
    g_autofree char *reason =
        g_strdup_printf("%s; %u of %u loops of each configuration had been measured", busy->message,
                        least, job->benchmark.loops);
    if (run_job_commits(job) == 1 && least >= job->minimum_loops)
        return end_early(attempt, reason, error);
    return run_fail(error, RUN_ERROR_BUSY, "%s", reason);
}

/* Loops that stand alone are seen once all have been measured, and may be measured again. */
static run_plan_answer next(const rounds *self, run_plan_step *step) {
    const run_attempt *attempt = self->attempt;
    const run_job *job = attempt->job;
    const cfg_runner *config = attempt->node->config;
    GPtrArray *loops = run_spool_loops(attempt->spool);
    const run_plan plan = {.seed = job->seed,
                           .configurations = job->benchmark.configurations_count,
                           .loops = job->benchmark.loops,
                           .disturbed_repeats = config->disturbed_repeats,
                           .commits = self->duet ? 1 : run_job_commits(job)};
    if (run_budget_applies(job))
        return run_budget_next(job, &plan, config->stray_distance, loops, step);
    for (;;) {
        g_autoptr(GArray) each = run_loops_done(job, loops);
        g_autoptr(GArray) done = self->duet ? run_duet_pairs(each) : g_array_ref(each);
        run_plan_answer answer =
            run_plan_next(&plan, (run_loop_done *)(gpointer)done->data, done->len, step);
        if (answer != RUN_PLAN_COMPLETE || !run_stray_mark(job, config->stray_distance, loops))
            return answer;
    }
}

/* The last loop is measured: of a night with a budget it may be the last that fits. */
static bool end(const run_attempt *attempt, GError **error) {
    const run_job *job = attempt->job;
    const GPtrArray *loops = run_spool_loops(attempt->spool);
    g_autofree char *why = run_budget_applies(job) ? run_budget_short(job, loops) : NULL;
    return !why || end_early(attempt, why, error);
}

static bool turn_is_over(const run_attempt *attempt, const run_plan_step *step, unsigned measured) {
    const run_job *job = attempt->job;
    const bool in_block = step->loop > job->benchmark.loops;
    return attempt->turn > 0 && measured >= job->benchmark.configurations_count &&
           (in_block || (step->place == 0 && step->attempt == 1));
}

/* Why no more rounds are needed, asked once all before this step are complete; NULL: they are. */
static char *enough(const run_attempt *attempt, const run_plan_step *step) {
    return step->place == 0 && step->attempt == 1
               ? run_precision_reached(attempt->job, run_spool_loops(attempt->spool),
                                       step->loop - 1)
               : NULL;
}

static void choose(const rounds *self, run_attempt *attempt, unsigned which) {
    attempt->commit = run_job_commit(attempt->job, which);
    attempt->checkout = self->trees->checkout[which];
    attempt->artifact = self->trees->artifact[which];
}

/* Code under test of one commit shall not reach the tree of the other, unless both run. */
static bool begin_step(const rounds *self, const run_plan_step *step, GError **error) {
    return (self->duet ? run_trees_show_all(self->trees, error)
                       : run_trees_show(self->trees, step->which, error)) &&
           tell_step(self, step, error);
}

static bool measure_one(const rounds *self, const run_plan_step *step, GError **error) {
    choose(self, self->attempt, step->which);
    return run_attempt_measure(self->attempt, 1, step, error);
}

static bool measure_both(const rounds *self, const run_plan_step *step, GError **error) {
    run_attempt both[] = {*self->attempt, *self->attempt};
    both[RUN_BEFORE].last_log = NULL;
    for (unsigned which = RUN_AFTER; which <= RUN_BEFORE; which++)
        choose(self, &both[which], which);
    const bool good = run_attempt_measure(both, 2, step, error);
    if (both[RUN_BEFORE].last_log) {
        g_free(both[RUN_AFTER].last_log);
        both[RUN_AFTER].last_log = both[RUN_BEFORE].last_log;
    }
    *self->attempt = both[RUN_AFTER];
    return good;
}

bool run_rounds_measure(run_attempt *attempt, const run_trees *trees, run_heartbeat *beat,
                        bool *complete, GError **error) {
    const rounds self = {attempt, trees, beat, run_duet_applies(attempt->node, attempt->job)};
    *complete = true;
    for (unsigned measured = 0;; measured++) {
        run_plan_step step;
        g_autoptr(GError) problem = NULL;
        run_plan_answer answer = next(&self, &step);
        if (answer != RUN_PLAN_NEXT)
            return answer == RUN_PLAN_COMPLETE ? end(attempt, error)
                                               : hopeless(&self, &step, error);
        g_autofree char *why = enough(attempt, &step);
        if (why)
            return end_early(attempt, why, error);
        *complete = !turn_is_over(attempt, &step, measured);
        if (!*complete)
            return true;
        if ((measured > 0 && !rest(&self, error)) || !begin_step(&self, &step, error))
            return false;
        if (self.duet ? measure_both(&self, &step, &problem) : measure_one(&self, &step, &problem))
            continue;
        if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_BUSY))
            return give_up(attempt, problem, error);
        g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
}
