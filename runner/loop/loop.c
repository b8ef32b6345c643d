#include "runner/loop/loop.h"

#include "config/model/detection.h"
#include "config/model/model.h"
#include "config/number.h"

#include <limits.h>

run_loop *run_loop_new(const char *configuration, const char *commit, unsigned number) {
    run_loop *loop = g_new0(run_loop, 1);
    loop->configuration = g_strdup(configuration);
    loop->commit = g_strdup(commit);
    loop->number = number;
    return loop;
}

void run_loop_free(run_loop *loop) {
    if (!loop)
        return;
    g_free(loop->configuration);
    g_free(loop->commit);
    g_free(loop->failed);
    g_free(loop->disturbed_by);
    g_clear_pointer(&loop->calls_per_second, g_array_unref);
    json_decref(loop->readings);
    g_free(loop);
}

void run_loop_add_reading(run_loop *loop, const char *key, json_t *value) {
    if (!loop->readings)
        loop->readings = json_object();
    json_object_set_new(loop->readings, key, value);
}

void run_loop_set_disturbed(run_loop *loop, const char *by) {
    char *words = g_strdup(by);
    g_free(loop->disturbed_by);
    loop->disturbed_by = words;
    loop->disturbed = by != NULL;
    loop->stray = loop->stray && by;
}

static void free_loop(gpointer loop) {
    run_loop_free(loop);
}

GPtrArray *run_loops_new(void) {
    return g_ptr_array_new_with_free_func(free_loop);
}

run_loop *run_loops_at(const GPtrArray *loops, guint i) {
    return loops->pdata[i];
}

static json_t *raw_json(const run_durable_raw *raw) {
    return json_pack("{s:s, s:I, s:I}", "sha256", raw->sha256, "bytes", (json_int_t)raw->bytes,
                     "uncompressed_bytes", (json_int_t)raw->uncompressed_bytes);
}

static json_t *bins_json(const GArray *bins) {
    json_t *array = json_array();
    for (guint i = 0; bins && i < bins->len; i++)
        json_array_append_new(array, json_integer((json_int_t)g_array_index(bins, uint64_t, i)));
    return array;
}

static json_t *readings_json(const run_loop *loop) {
    json_t *readings = loop->readings ? json_copy(loop->readings) : NULL;
    if ((loop->disturbed_by || loop->turn > 0) && !readings)
        readings = json_object();
    if (loop->turn > 0)
        json_object_set_new(readings, "turn", json_integer(loop->turn));
    if (loop->disturbed_by)
        json_object_set_new(readings, "disturbed_by", json_string(loop->disturbed_by));
    if (loop->disturbed_by && loop->stray)
        json_object_set_new(readings, "stray", json_true());
    return readings;
}

json_t *run_loop_json(const run_loop *loop) {
    json_t *object =
        json_pack("{s:s, s:i, s:i, s:i, s:b, s:I, s:f}", "configuration", loop->configuration,
                  "loop", (int)loop->number, "position", (int)loop->position, "attempt",
                  (int)loop->attempt, "disturbed", loop->disturbed, "started_ms",
                  (json_int_t)loop->started_ms, "seconds", loop->seconds);
    if (loop->commit)
        json_object_set_new(object, "commit", json_string(loop->commit));
    if (loop->summary.n > 0) {
        json_object_set_new(object, "calls", json_integer((json_int_t)loop->calls));
        json_object_set_new(object, "warmup_calls", json_integer((json_int_t)loop->warmup_calls));
        json_object_set_new(object, "summary", cfg_summary_json(&loop->summary));
        json_object_set_new(object, "calls_per_second", bins_json(loop->calls_per_second));
    }
    json_t *readings = readings_json(loop);
    if (readings)
        json_object_set_new(object, "readings", readings);
    json_object_set_new(object, "failed", loop->failed ? json_string(loop->failed) : json_null());
    if (loop->raw.sha256[0] != '\0')
        json_object_set_new(object, "raw", raw_json(&loop->raw));
    return object;
}

json_t *run_loops_json(const GPtrArray *loops) {
    json_t *array = json_array();
    for (guint i = 0; i < loops->len; i++)
        json_array_append_new(array, run_loop_json(run_loops_at(loops, i)));
    return array;
}

static GArray *read_bins(const json_t *bins) {
    GArray *out = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    size_t i;
    json_t *value;
    json_array_foreach (bins, i, value) {
        uint64_t calls = (uint64_t)json_integer_value(value);
        g_array_append_val(out, calls);
    }
    return out;
}

/* What we say about the loop is in the struct; the rest is what node and process said. */
static void tidy(run_loop *loop) {
    static const char *const ours[] = {"turn", "stray", "disturbed_by"};
    json_t *said = loop->readings;
    loop->readings = said ? json_copy(said) : NULL;
    json_decref(said);
    for (size_t i = 0; loop->readings && i < G_N_ELEMENTS(ours); i++)
        json_object_del(loop->readings, ours[i]);
    if (loop->raw.sha256[0] == '\0')
        loop->raw = (run_durable_raw){.sha256 = ""};
}

/* What no loop counts to is 0, as what is not there. */
#define COUNT(field, key) MODEL(run_loop, field, key, MODEL_NULL, .low = 0, .high = INT_MAX)
#define SAID(field, key) MODEL(run_loop, field, key, MODEL_NULL)

static const model_member raw_members[] = {
    MODEL_CHARS_OF(run_durable_raw, sha256, "sha256", MODEL_NULL, .good = cfg_is_sha256),
    MODEL_NULLS(run_durable_raw, bytes, uncompressed_bytes)};
static const model_noun raw_noun = MODEL_NOUN(run_durable_raw, raw_members, "raw file");
static const model_member readings_members[] = {COUNT(turn, "turn"), SAID(stray, "stray"),
                                                SAID(disturbed_by, "disturbed_by")};
static const model_noun readings_noun = MODEL_NOUN(run_loop, readings_members, "readings");
static const model_member loop_members[] = {
    SAID(configuration, "configuration"),
    SAID(commit, "commit"),
    COUNT(number, "loop"),
    COUNT(position, "position"),
    COUNT(attempt, "attempt"),
    SAID(started_ms, "started_ms"),
    SAID(seconds, "seconds"),
    SAID(failed, "failed"),
    SAID(disturbed, "disturbed"),
    SAID(calls, "calls"),
    SAID(warmup_calls, "warmup_calls"),
    MODEL_A(run_loop, raw, raw_noun, MODEL_PART, "raw", MODEL_NULL),
    MODEL_INSIDE(readings_noun, "readings", MODEL_NULL),
    SAID(readings, "readings")};
static const model_noun loop_noun = MODEL_NOUN(run_loop, loop_members, "loop");

run_loop *run_loop_read(const json_t *object) {
    g_autoptr(run_loop) loop = g_new(run_loop, 1);
    model_read_leniently(&loop_noun, object, loop);
    tidy(loop);
    if (!loop->configuration || !json_is_integer(json_object_get(object, "loop")))
        return NULL;
    (void)cfg_summary_read(json_object_get(object, "summary"), &loop->summary);
    loop->calls_per_second = read_bins(json_object_get(object, "calls_per_second"));
    const bool measured = loop->raw.sha256[0] != '\0' || loop->summary.n > 0;
    return loop->failed || measured ? g_steal_pointer(&loop) : NULL;
}

static unsigned which_of(const run_job *job, const run_loop *loop) {
    for (unsigned which = 0; which < run_job_commits(job); which++)
        if (run_job_commits(job) == 1 || g_strcmp0(loop->commit, run_job_commit(job, which)) == 0)
            return which;
    return G_MAXUINT;
}

GArray *run_loops_done(const run_job *job, const GPtrArray *loops) {
    GArray *done = g_array_new(FALSE, TRUE, sizeof(run_loop_done));
    for (guint i = 0; i < loops->len; i++) {
        const run_loop *loop = run_loops_at(loops, i);
        const int configuration = run_job_find(job, loop->configuration);
        run_loop_done one = {.configuration =
                                 configuration < 0 ? G_MAXUINT : (unsigned)configuration,
                             .loop = loop->number,
                             .failed = loop->failed != NULL,
                             .disturbed = loop->disturbed,
                             .which = which_of(job, loop)};
        g_array_append_val(done, one);
    }
    return done;
}

static const run_loop_done *at(const GArray *done, guint i) {
    return &g_array_index(done, run_loop_done, i);
}

/* One for all attempts at the same loop. */
static int64_t key_of(const run_loop_done *one) {
    return ((int64_t)one->configuration << 33) | ((int64_t)one->which << 32) | one->loop;
}

bool *run_loops_counting(const GArray *done) {
    bool *counts = g_new0(bool, done->len + 1);
    g_autofree int64_t *keys = g_new(int64_t, done->len + 1);
    g_autoptr(GHashTable) chosen = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < done->len; i++) {
        const run_loop_done *one = at(done, i);
        gpointer earlier;
        if (one->failed || one->which == G_MAXUINT || one->configuration == G_MAXUINT)
            continue;
        keys[i] = key_of(one);
        if (g_hash_table_lookup_extended(chosen, &keys[i], NULL, &earlier)) {
            if (one->disturbed && !at(done, GPOINTER_TO_UINT(earlier))->disturbed)
                continue;
            counts[GPOINTER_TO_UINT(earlier)] = false;
        }
        counts[i] = true;
        g_hash_table_insert(chosen, &keys[i], GUINT_TO_POINTER(i));
    }
    return counts;
}

unsigned run_loops_least(const run_job *job, const GPtrArray *loops) {
    const unsigned commits = run_job_commits(job);
    g_autoptr(GArray) done = run_loops_done(job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    g_autofree unsigned *found = g_new0(unsigned, job->benchmark.configurations_count *commits);
    for (guint i = 0; i < done->len; i++)
        if (counts[i])
            found[at(done, i)->configuration * commits + at(done, i)->which]++;
    unsigned least = G_MAXUINT;
    for (unsigned i = 0; i < job->benchmark.configurations_count * commits; i++)
        least = MIN(least, found[i]);
    return least;
}
