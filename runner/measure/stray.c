#include "runner/measure/stray.h"

#include "config/log.h"
#include "detector/statistics/stray.h"
#include "runner/loop/loop.h"

#include <inttypes.h>
#include <math.h>

#define CALL_MAKES_IT 0.5 /* of the distance: the one call is named then */

/* The loops of one configuration and commit that say what is usual there. */
typedef struct {
    unsigned configuration, which;
    GPtrArray *loops; /* run_loop *, borrowed */
    det_strays usual;
    bool known; /* loops enough for `usual` */
} group;

static group *group_new(const GPtrArray *loops, const GArray *done, unsigned configuration,
                        unsigned which, double distance) {
    group *self = g_new0(group, 1);
    self->configuration = configuration;
    self->which = which;
    self->loops = g_ptr_array_new();
    g_autoptr(GArray) means = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < done->len; i++) {
        const run_loop_done *one = &g_array_index(done, run_loop_done, i);
        run_loop *loop = run_loops_at(loops, i);
        if (one->configuration == configuration && one->which == which && !one->failed &&
            (!one->disturbed || loop->stray)) {
            g_ptr_array_add(self->loops, loop);
            g_array_append_val(means, loop->summary.mean);
        }
    }
    self->known = det_strays_of(&self->usual, (double *)(gpointer)means->data, means->len,
                                distance) == DET_OK;
    return self;
}

static void group_free(gpointer data) {
    group *self = data;
    g_ptr_array_unref(self->loops);
    g_free(self);
}

static GPtrArray *groups_of(const run_job *job, double distance, const GPtrArray *loops) {
    GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
    g_autoptr(GArray) done = run_loops_done(job, loops);
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++)
        for (unsigned which = 0; which < run_job_commits(job); which++)
            g_ptr_array_add(groups, group_new(loops, done, c, which, distance));
    return groups;
}

/* Whether one call alone took the loop to where it is, as a pause in the middle of it does. */
static char *longest_call_words(const det_summary *calls, double center_ns) {
    if (calls->n < 2 || !(calls->max > calls->mean) || calls->mean <= center_ns)
        return g_strdup("");
    double share = (calls->max - center_ns) / (double)calls->n / (calls->mean - center_ns);
    return share >= CALL_MAKES_IT
               ? g_strdup_printf("; its longest call, %.3g ms, is %.0f %% of that",
                                 calls->max / 1e6, fmin(100, 100 * share))
               : g_strdup_printf("; no single call explains it");
}

static void mark(const run_job *job, const group *self, run_loop *loop, double off) {
    g_autofree char *call = longest_call_words(&loop->summary, self->usual.center);
    g_autofree char *words = g_strdup_printf(
        "stands apart: its mean of %.1f ns is %.3g robust standard deviations from %.1f ns, the "
        "median of %u loops%s",
        loop->summary.mean, off, self->usual.center, self->loops->len, call);
    run_loop_set_disturbed(loop, words);
    loop->stray = true;
    cfg_log("warning", "measure", "stray", "job=%" PRId64 " configuration=%s loop=%u reason=\"%s\"",
            job->id, job->benchmark.configurations[self->configuration].name, loop->number, words);
}

bool run_stray_mark(const run_job *job, double distance, GPtrArray *loops) {
    bool changed = false;
    g_autoptr(GPtrArray) groups = groups_of(job, distance, loops);
    for (guint g = 0; g < groups->len; g++) {
        const group *self = groups->pdata[g];
        for (guint i = 0; i < self->loops->len; i++) {
            run_loop *loop = self->loops->pdata[i];
            double off =
                self->known ? det_stray_distance(&self->usual, loop->summary.mean, distance) : 0;
            if (loop->stray == (off > 0))
                continue;
            changed = true;
            if (off > 0)
                mark(job, self, loop, off);
            else
                run_loop_set_disturbed(loop, NULL);
        }
    }
    return changed;
}

static char *words_of(const group *self) {
    unsigned apart = (unsigned)self->usual.apart;
    return apart <= self->usual.most
               ? g_strdup_printf("%u of %u loops stood apart", apart, self->loops->len)
               : g_strdup_printf(
                     "%u of %u loops are far from the others: too many to be chance; all were kept",
                     apart, self->loops->len);
}

json_t *run_stray_report(const run_job *job, double distance, GPtrArray *loops) {
    json_t *report = json_object();
    g_autoptr(GPtrArray) groups = groups_of(job, distance, loops);
    for (guint g = 0; g < groups->len; g++) {
        const group *self = groups->pdata[g];
        if (!self->known || self->usual.apart == 0)
            continue;
        const char *name = job->benchmark.configurations[self->configuration].name;
        g_autofree char *key =
            run_job_commits(job) > 1
                ? g_strdup_printf("%s, commit %.12s", name, run_job_commit(job, self->which))
                : g_strdup(name);
        g_autofree char *words = words_of(self);
        json_object_set_new(report, key, json_string(words));
    }
    if (json_object_size(report) == 0)
        g_clear_pointer(&report, json_decref);
    return report;
}

/* Of one configuration; NULL: no loop of it was looked at. */
static json_t *one_json(const cfg_configuration *one, const GPtrArray *loops) {
    unsigned looked = 0, settled = 0;
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        const json_t *mark = json_object_get(loop->readings, "settled");
        if (loop->failed || !json_is_boolean(mark) || !g_str_equal(loop->configuration, one->name))
            continue;
        looked++;
        settled += json_is_true(mark);
    }
    return looked ? json_pack("{s:I, s:I, s:I}", "calls", (json_int_t)one->warmup_calls, "settled",
                              (json_int_t)settled, "loops", (json_int_t)looked)
                  : NULL;
}

json_t *run_settled_report(const run_job *job, const GPtrArray *loops) {
    json_auto_t *configurations = json_object();
    for (unsigned c = 0; c < job->benchmark.configurations_count; c++) {
        json_t *one = one_json(&job->benchmark.configurations[c], loops);
        if (one)
            json_object_set_new(configurations, job->benchmark.configurations[c].name, one);
    }
    if (!job->benchmark.warmup_evidence && json_object_size(configurations) == 0)
        return NULL;
    return json_pack("{s:s*, s:O}", "evidence", job->benchmark.warmup_evidence, "configurations",
                     configurations);
}
