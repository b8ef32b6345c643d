#include "server/alarm/rounds.h"

#include <math.h>

typedef struct {
    int64_t job, loop;
    double value[4];
} one_round;

void srv__rounds_clear(srv__rounds *rounds) {
    for (int i = 0; i < 4; i++)
        g_clear_pointer(&rounds->column[i], g_array_unref);
}

/* The pairs of the configuration (0) and of its parent (1), where both commits have theirs. */
static void keep(srv__rounds *r, const one_round *now, int64_t newest) {
    for (int of = 0; of < 2; of++) {
        if (isnan(now->value[of]) || isnan(now->value[2 + of]))
            continue;
        g_array_append_val(r->column[of], now->value[of]);
        g_array_append_val(r->column[2 + of], now->value[2 + of]);
        r->of_job[of] += now->job == newest;
    }
}

static void begin(one_round *now, int64_t job, int64_t loop) {
    *now = (one_round){job, loop, {NAN, NAN, NAN, NAN}};
}

srv__rounds srv__rounds_of(const GArray *means, int64_t newest) {
    srv__rounds r = {.paired = means->len > 0, .of_job = {0, 0}};
    one_round now;
    for (int i = 0; i < 4; i++)
        r.column[i] = g_array_new(FALSE, FALSE, sizeof(double));
    begin(&now, 0, 0);
    for (guint i = 0; i < means->len; i++) {
        const srv__trial_mean *mean = &g_array_index(means, srv__trial_mean, i);
        if (mean->job != now.job || mean->loop != now.loop) {
            keep(&r, &now, newest);
            begin(&now, mean->job, mean->loop);
        }
        r.paired = r.paired && mean->duet;
        now.value[2 * mean->before + (mean->of_parent ? 1 : 0)] = mean->mean_ns;
    }
    keep(&r, &now, newest);
    return r;
}

/* Not NULL where there are none: that would be a portion without a parent. */
static const double *column(const srv__rounds *r, int i) {
    static const double none = 0;
    return r->column[i]->len > 0 ? (const double *)(const void *)r->column[i]->data : &none;
}

det_confirm_sample srv__rounds_sample(const srv__rounds *r, bool has_parent) {
    return (det_confirm_sample){.before = column(r, 2),
                                .before_parent = has_parent ? column(r, 3) : NULL,
                                .after = column(r, 0),
                                .after_parent = has_parent ? column(r, 1) : NULL,
                                .loops = r->column[0]->len,
                                .parent_loops = r->column[1]->len,
                                .paired = r->paired};
}
