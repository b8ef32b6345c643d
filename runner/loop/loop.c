#include "runner/loop/loop.h"

#include "config/model/detection.h"

#include <limits.h>
#include <string.h>

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

static uint64_t number_of(const json_t *object, const char *key) {
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

/* What no loop counts to is 0, as what is not there. */
static unsigned count_of(const json_t *object, const char *key) {
    const uint64_t number = number_of(object, key);
    return number <= INT_MAX ? (unsigned)number : 0;
}

/* An invalid hash names no file. */
static void read_raw(const json_t *raw, run_durable_raw *out) {
    const char *sha256 = json_string_value(json_object_get(raw, "sha256"));
    const size_t digits = sha256 ? strspn(sha256, "0123456789abcdef") : 0;
    if (digits != sizeof out->sha256 - 1 || sha256[digits] != '\0')
        return;
    g_strlcpy(out->sha256, sha256, sizeof out->sha256);
    out->bytes = number_of(raw, "bytes");
    out->uncompressed_bytes = number_of(raw, "uncompressed_bytes");
}

static GArray *read_bins(json_t *bins) {
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
static void read_readings(const json_t *readings, run_loop *loop) {
    if (!readings)
        return;
    loop->turn = count_of(readings, "turn");
    loop->stray = json_is_true(json_object_get(readings, "stray"));
    loop->disturbed_by = g_strdup(json_string_value(json_object_get(readings, "disturbed_by")));
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): jansson reads it only */
    loop->readings = json_copy((json_t *)(uintptr_t)readings);
    json_object_del(loop->readings, "turn");
    json_object_del(loop->readings, "stray");
    json_object_del(loop->readings, "disturbed_by");
}

run_loop *run_loop_read(const json_t *object) {
    const char *name = json_string_value(json_object_get(object, "configuration"));
    if (!name || !json_is_integer(json_object_get(object, "loop")))
        return NULL;
    g_autoptr(run_loop) loop = run_loop_new(
        name, json_string_value(json_object_get(object, "commit")), count_of(object, "loop"));
    loop->position = count_of(object, "position");
    loop->attempt = count_of(object, "attempt");
    loop->started_ms = json_integer_value(json_object_get(object, "started_ms"));
    loop->seconds = json_number_value(json_object_get(object, "seconds"));
    loop->failed = g_strdup(json_string_value(json_object_get(object, "failed")));
    loop->disturbed = json_is_true(json_object_get(object, "disturbed"));
    loop->calls = number_of(object, "calls");
    loop->warmup_calls = number_of(object, "warmup_calls");
    (void)cfg_summary_read(json_object_get(object, "summary"), &loop->summary);
    loop->calls_per_second = read_bins(json_object_get(object, "calls_per_second"));
    read_raw(json_object_get(object, "raw"), &loop->raw);
    read_readings(json_object_get(object, "readings"), loop);
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
