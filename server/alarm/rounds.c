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

static void keep(srv__rounds *r, const one_round *now, bool has_parent, int64_t newest) {
    if (isnan(now->value[0]) || isnan(now->value[2]) ||
        (has_parent && (isnan(now->value[1]) || isnan(now->value[3]))))
        return;
    for (int i = 0; i < 4; i++)
        g_array_append_val(r->column[i], now->value[i]);
    r->of_job += now->job == newest;
}

static void begin(one_round *now, int64_t job, int64_t loop) {
    *now = (one_round){job, loop, {NAN, NAN, NAN, NAN}};
}

srv__rounds srv__rounds_of(const GArray *means, bool has_parent, int64_t newest) {
    srv__rounds r = {.of_job = 0};
    one_round now;
    for (int i = 0; i < 4; i++)
        r.column[i] = g_array_new(FALSE, FALSE, sizeof(double));
    begin(&now, 0, 0);
    for (guint i = 0; i < means->len; i++) {
        const srv__trial_mean *mean = &g_array_index(means, srv__trial_mean, i);
        if (mean->job != now.job || mean->loop != now.loop) {
            keep(&r, &now, has_parent, newest);
            begin(&now, mean->job, mean->loop);
        }
        now.value[2 * mean->before + (mean->of_parent ? 1 : 0)] = mean->mean_ns;
    }
    keep(&r, &now, has_parent, newest);
    return r;
}

static const double *column(const srv__rounds *r, int i) {
    return (const double *)(const void *)r->column[i]->data;
}

det_confirm_sample srv__rounds_sample(const srv__rounds *r, bool has_parent) {
    return (det_confirm_sample){.before = column(r, 2),
                                .before_parent = has_parent ? column(r, 3) : NULL,
                                .after = column(r, 0),
                                .after_parent = has_parent ? column(r, 1) : NULL,
                                .loops = r->column[0]->len,
                                .parent_loops = r->column[1]->len};
}
