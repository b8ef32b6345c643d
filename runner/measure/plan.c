#include "runner/measure/plan.h"

#include "runner/loop/loop.h"

#include <glib.h>

static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in 0 … bound-1, bound ≥ 1; values of the incomplete last block are drawn again. */
static uint64_t below(uint64_t *state, uint64_t bound) {
    uint64_t skip = (UINT64_MAX - bound + 1) % bound;
    uint64_t value;
    do {
        value = next(state);
    } while (value < skip);
    return value % bound;
}

void run_order_shuffle(uint64_t seed, unsigned round, size_t n, unsigned *order) {
    uint64_t state = seed;
    state = next(&state) ^ round;
    for (size_t i = 0; i < n; i++)
        order[i] = (unsigned)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)below(&state, i);
        unsigned moved = order[i - 1];
        order[i - 1] = order[j];
        order[j] = moved;
    }
}

#define COMMITS_MAX 2

/* What was done for one loop of one configuration, with one commit. */
typedef struct {
    unsigned attempts, good;
    bool settled; /* one attempt good and undisturbed */
    bool last_failed;
} tally;

/* What was done for one configuration, with one commit, in all its loops. */
typedef struct {
    unsigned good, after_failure, after_disturbance; /* the latter two: repetitions spent */
} spent;

static unsigned commits_of(const run_plan *plan) {
    return plan->commits > 1 ? COMMITS_MAX : 1;
}

/* Where (configuration, which) stands in a round's tallies. */
static size_t cell(const run_plan *plan, unsigned configuration, unsigned which) {
    return (size_t)configuration * commits_of(plan) + which;
}

static size_t cells(const run_plan *plan) {
    return cell(plan, plan->configurations, 0);
}

static void count_up(const run_plan *plan, unsigned most, const run_loop_done *done, unsigned count,
                     tally *loops, spent *all) {
    for (unsigned i = 0; i < count; i++) {
        if (done[i].configuration >= plan->configurations || done[i].loop < 1 ||
            done[i].loop > most || done[i].which >= commits_of(plan))
            continue;
        size_t at = cell(plan, done[i].configuration, done[i].which);
        spent *sum = &all[at];
        tally *here = &loops[(done[i].loop - 1) * cells(plan) + at];
        sum->after_failure += here->attempts > 0 && here->last_failed;
        sum->after_disturbance += here->attempts > 0 && !here->last_failed;
        here->attempts++;
        here->good += !done[i].failed;
        here->last_failed = done[i].failed;
        here->settled = here->settled || (!done[i].failed && !done[i].disturbed);
        sum->good += !done[i].failed;
    }
}

static bool wants_repeat(const run_plan *plan, const tally *here, const spent *all) {
    if (here->settled)
        return false;
    return here->good == 0 ? all->after_failure < RUN_REPEATS_PER_CONFIGURATION
                           : all->after_disturbance < plan->disturbed_repeats;
}

/* Which commit is the place-th of its configuration in this round. All configurations of a round
 * begin with the same one: what being first does to a loop is then in parent and child alike. */
static unsigned which_at(const run_plan *plan, unsigned loop, unsigned place) {
    unsigned order[COMMITS_MAX];
    if (commits_of(plan) == 1)
        return 0;
    run_order_shuffle(plan->seed, 0, COMMITS_MAX, order);
    return order[(place + loop) % COMMITS_MAX];
}

/* What is known of all loops. */
typedef struct {
    const run_plan *plan;
    tally *loops; /* by loop and cell */
    spent *all;   /* by cell */
} record;

/* A loop of a round or block: RUN_PLAN_COMPLETE when nothing is wanted of it now. repeats: all have
 * been tried once. */
static run_plan_answer ask(const record *past, run_plan_step *step, bool repeats) {
    const size_t at = cell(past->plan, step->configuration, step->which);
    const tally *here = &past->loops[(step->loop - 1) * cells(past->plan) + at];
    step->attempt = here->attempts + 1;
    if (repeats ? wants_repeat(past->plan, here, &past->all[at]) : here->attempts == 0)
        return RUN_PLAN_NEXT;
    return repeats && past->all[at].good == 0 ? RUN_PLAN_HOPELESS : RUN_PLAN_COMPLETE;
}

static run_plan_answer find_in_round(const record *past, unsigned loop, run_plan_step *step) {
    const run_plan *plan = past->plan;
    unsigned order[DET_CONFIGURATIONS_MAX];
    run_order_shuffle(plan->seed, loop, plan->configurations, order);
    for (int repeats = 0; repeats < 2; repeats++) {
        for (unsigned place = 0; place < cells(plan); place++) {
            *step = (run_plan_step){.configuration = order[place / commits_of(plan)],
                                    .loop = loop,
                                    .place = place,
                                    .which = which_at(plan, loop, place)};
            const run_plan_answer answer = ask(past, step, repeats);
            if (answer != RUN_PLAN_COMPLETE)
                return answer;
        }
    }
    return RUN_PLAN_COMPLETE;
}

/* Which configuration the place-th process of a block is of, and its how manieth there. */
static void slot_of(const run_plan_block *block, unsigned place, run_plan_step *step) {
    step->configuration = 0;
    while (place >= block->runs[step->configuration])
        place -= block->runs[step->configuration++];
    step->loop += place;
}

/* The loops of a configuration before this block. */
static unsigned loops_before(const run_plan *plan, unsigned block, unsigned configuration) {
    unsigned loops = plan->loops;
    for (unsigned b = 0; b < block; b++)
        loops += plan->blocks[b].runs[configuration];
    return loops;
}

static run_plan_answer find_in_block(const record *past, unsigned block, run_plan_step *step) {
    const run_plan *plan = past->plan;
    const run_plan_block *own = &plan->blocks[block];
    unsigned count = 0;
    for (unsigned c = 0; c < plan->configurations; c++)
        count += own->runs[c];
    g_autofree unsigned *order = g_new(unsigned, count + 1);
    run_order_shuffle(plan->seed, plan->loops + 1 + block, count, order);
    for (int repeats = 0; repeats < 2; repeats++) {
        for (unsigned place = 0; place < count; place++) {
            *step = (run_plan_step){.loop = 1, .place = place};
            slot_of(own, order[place], step);
            step->loop += loops_before(plan, block, step->configuration);
            const run_plan_answer answer = ask(past, step, repeats);
            if (answer != RUN_PLAN_COMPLETE)
                return answer;
        }
    }
    return RUN_PLAN_COMPLETE;
}

static unsigned loops_most(const run_plan *plan) {
    unsigned most = plan->loops;
    for (unsigned c = 0; c < plan->configurations; c++)
        most = MAX(most, loops_before(plan, plan->blocks_count, c));
    return most;
}

run_plan_answer run_plan_next(const run_plan *plan, const run_loop_done *done, unsigned count,
                              run_plan_step *step) {
    const unsigned most = loops_most(plan);
    g_autofree tally *loops = g_new0(tally, most * cells(plan));
    g_autofree spent *all = g_new0(spent, cells(plan));
    const record past = {plan, loops, all};
    run_plan_answer answer = RUN_PLAN_COMPLETE;
    count_up(plan, most, done, count, loops, all);
    for (unsigned loop = 1; loop <= plan->loops && answer == RUN_PLAN_COMPLETE; loop++)
        answer = find_in_round(&past, loop, step);
    for (unsigned b = 0; b < plan->blocks_count && answer == RUN_PLAN_COMPLETE; b++)
        answer = find_in_block(&past, b, step);
    return answer;
}

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
