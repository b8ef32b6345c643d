#include "runner/measure/duet.h"

#include "runner/loop/loop.h"

bool run_duet_applies(const run_node *node, const run_job *job) {
    return node->config->duet && !job->benchmark.in_turn && run_job_commits(job) > 1;
}

cpu_set_t run_duet_half(const cpu_set_t *cpus, unsigned which, unsigned loop, unsigned attempt) {
    cpu_set_t half;
    const int each = CPU_COUNT(cpus) / 2;
    const int first = (which + loop + attempt) % 2 == 0 ? 0 : each;
    int place = 0;
    CPU_ZERO(&half);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, cpus))
            continue;
        if (place >= first && place < first + each)
            CPU_SET(cpu, &half);
        place++;
    }
    return half;
}

static int64_t key_of(const run_loop_done *one) {
    return ((int64_t)one->configuration << 32) | one->loop;
}

GArray *run_duet_pairs(const GArray *done) {
    GArray *pairs = g_array_new(FALSE, TRUE, sizeof(run_loop_done));
    g_autofree int64_t *keys = g_new(int64_t, done->len + 1);
    g_autoptr(GHashTable) waiting = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < done->len; i++) {
        const run_loop_done *one = &g_array_index(done, run_loop_done, i);
        keys[i] = key_of(one);
        if (one->which == RUN_AFTER)
            g_hash_table_replace(waiting, &keys[i], GUINT_TO_POINTER(i));
        gpointer place;
        if (one->which != RUN_BEFORE ||
            !g_hash_table_lookup_extended(waiting, &keys[i], NULL, &place))
            continue;
        const run_loop_done *after = &g_array_index(done, run_loop_done, GPOINTER_TO_UINT(place));
        run_loop_done pair = *after;
        pair.failed = after->failed || one->failed;
        pair.disturbed = after->disturbed || one->disturbed;
        g_array_append_val(pairs, pair);
        g_hash_table_remove(waiting, &keys[i]);
    }
    return pairs;
}
