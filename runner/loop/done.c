#include "runner/loop/done.h"

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
