#include "detector/profile/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t det_contrast_column(const det_contrast_plan *plan, int after, int of_parent, size_t loop) {
    return ((size_t)(after != 0) * 2 + (of_parent != 0)) * plan->loops + loop;
}

/* Is this no code of the project: "calloc [libc.so.6]", "java/lang/…"? */
static int frame_is_foreign(const char *name) {
    static const char
        *const begins[] = {"java/",        "javax/",       "jdk/", "sun/", "com/sun/",
                           "java.",        "javax.",       "jdk.", "sun.", "com.sun.",
                           "org/aspectj/", "org.aspectj.", "new "}; /* what is allocated is its
                                                                       allocator's */
    const size_t length = strlen(name);
    if (length > 0 && name[length - 1] == ']' && strstr(name, " ["))
        return 1;
    if (strstr(name, ".ajc$") || strstr(name, "$AjcClosure")) /* made by the weaver */
        return 1;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return 1;
    return 0;
}

static double cost(const det_stacks *stacks, const det_contrast_plan *plan, uint32_t frame,
                   int after, size_t loop) {
    const size_t own = det_contrast_column(plan, after, 0, loop);
    const size_t parent = det_contrast_column(plan, after, 1, loop);
    const double value = det_stacks_self(stacks, frame, own) / plan->calls[own];
    return plan->has_parent ? value - det_stacks_self(stacks, frame, parent) / plan->calls[parent]
                            : value;
}

double det_contrast_self(const det_stacks *stacks, const det_contrast_plan *plan, uint32_t frame,
                         int after) {
    double sum = 0;
    for (size_t r = 0; r < plan->loops; r++)
        sum += cost(stacks, plan, frame, after, r);
    return sum / (double)plan->loops;
}

/* While it is made; a function is known by the label of its frames. */
typedef struct {
    const det_stacks *stacks;
    const det_contrast_plan *plan;
    uint32_t *owner; /* [frames] the own function that a frame's cost is of */
    double *sums;    /* [labels * 2 * loops] before and after, round by round */
    char *seen;      /* [labels * 2] costs something in a profile of before, of after */
} making;

static double *sum_of(const making *m, uint32_t label, int after, size_t loop) {
    return &m->sums[((size_t)label * 2 + (size_t)(after != 0)) * m->plan->loops + loop];
}

static void find_owners(const making *m) {
    for (uint32_t f = 0; f < det_stacks_count(m->stacks); f++) {
        const det_frame frame = det_stacks_frame(m->stacks, f);
        const int given_up = f == DET_STACKS_ROOT || m->owner[frame.parent] == DET_STACKS_ROOT;
        m->owner[f] = frame_is_foreign(frame.name) && !given_up ? m->owner[frame.parent] : f;
    }
}

static void note_seen(const making *m, uint32_t frame, uint32_t label) {
    for (int after = 0; after < 2; after++)
        for (int parent = 0; parent < 2; parent++)
            for (size_t r = 0; r < m->plan->loops; r++)
                if (det_stacks_self(m->stacks, frame,
                                    det_contrast_column(m->plan, after, parent, r)) > 0)
                    m->seen[label * 2 + (uint32_t)after] = 1;
}

static void sum_up(const making *m) {
    for (uint32_t f = 1; f < det_stacks_count(m->stacks); f++) {
        const uint32_t label = det_stacks_frame(m->stacks, m->owner[f]).label;
        note_seen(m, f, label);
        for (int after = 0; after < 2; after++)
            for (size_t r = 0; r < m->plan->loops; r++)
                *sum_of(m, label, after, r) += cost(m->stacks, m->plan, f, after, r);
    }
}

/* changes [loops]: the mean with its interval; without width where there is one loop. */
static det_interval interval_of(const double *changes, const det_contrast_plan *plan) {
    det_interval out;
    if (plan->loops >= 2 && det_interval_mean(&out, changes, plan->loops, plan->level) == DET_OK)
        return out;
    return (det_interval){changes[0], changes[0], changes[0], 1, 0};
}

static double mean(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static det_contrast_function function_of(const making *m, uint32_t label, const char *name,
                                         double *changes) {
    const size_t loops = m->plan->loops;
    for (size_t r = 0; r < loops; r++)
        changes[r] = *sum_of(m, label, 1, r) - *sum_of(m, label, 0, r);
    return (det_contrast_function){.name = name,
                                   .before = mean(sum_of(m, label, 0, 0), loops),
                                   .after = mean(sum_of(m, label, 1, 0), loops),
                                   .change = interval_of(changes, m->plan),
                                   .is_new = !m->seen[label * 2],
                                   .is_gone = !m->seen[label * 2 + 1]};
}

static int by_size(const void *a, const void *b) {
    const det_contrast_function *x = a, *y = b;
    const double first = fabs(x->change.mean), second = fabs(y->change.mean);
    return first != second ? (first < second) - (first > second) : strcmp(x->name, y->name);
}

/* The own function above a frame that is another one; the root: there is none. */
static uint32_t caller_of(const making *m, uint32_t frame) {
    const uint32_t own = det_stacks_frame(m->stacks, frame).label;
    uint32_t at = frame;
    while (at != DET_STACKS_ROOT && det_stacks_frame(m->stacks, at).label == own)
        at = m->owner[det_stacks_frame(m->stacks, at).parent];
    return at;
}

/* weights [labels]: who calls the function of this name, by how much of its change is under it. */
static void weigh_callers(const making *m, const char *name, double *weights) {
    memset(weights, 0, det_stacks_labels(m->stacks) * sizeof *weights);
    for (uint32_t f = 1; f < det_stacks_count(m->stacks); f++) {
        if (det_stacks_frame(m->stacks, m->owner[f]).name != name)
            continue;
        const det_frame caller = det_stacks_frame(m->stacks, caller_of(m, m->owner[f]));
        weights[caller.label] += det_contrast_self(m->stacks, m->plan, f, 1) -
                                 det_contrast_self(m->stacks, m->plan, f, 0);
    }
}

static const char *main_caller(const making *m, const char *name, double *weights) {
    const char *found = NULL;
    weigh_callers(m, name, weights);
    double most = fabs(weights[det_stacks_frame(m->stacks, DET_STACKS_ROOT).label]);
    for (uint32_t f = 1; f < det_stacks_count(m->stacks); f++) {
        const det_frame frame = det_stacks_frame(m->stacks, f);
        if (fabs(weights[frame.label]) > most) {
            most = fabs(weights[frame.label]);
            found = frame.name;
        }
    }
    return found;
}

#define CALLERS_MAX 20 /* functions whose caller is told */
#define ROUNDING 1e-6  /* of the configuration's cost: what sums of costs may be off by */

static det_status collect(making *m, det_contrast *out) {
    const uint32_t labels = det_stacks_labels(m->stacks);
    double *changes = malloc(m->plan->loops * sizeof *changes);
    double *weights = malloc(labels * sizeof *weights);
    char *told = calloc(labels, 1);
    out->functions = malloc(labels * sizeof *out->functions);
    const int room = changes && weights && told && out->functions;
    for (uint32_t f = 1; room && f < det_stacks_count(m->stacks); f++) {
        const det_frame frame = det_stacks_frame(m->stacks, f);
        if (m->owner[f] != f || told[frame.label])
            continue;
        told[frame.label] = 1;
        const det_contrast_function one = function_of(m, frame.label, frame.name, changes);
        if (fabs(one.change.mean) > ROUNDING * out->level_cost)
            out->functions[out->count++] = one;
    }
    if (room)
        qsort(out->functions, out->count, sizeof *out->functions, by_size);
    for (size_t i = 0; room && i < out->count && i < CALLERS_MAX; i++)
        out->functions[i].caller = main_caller(m, out->functions[i].name, weights);
    free(changes);
    free(weights);
    free(told);
    return room ? DET_OK : DET_ENOMEM;
}

/* The whole portion, round by round. */
static det_status total(const making *m, det_contrast *out) {
    const size_t loops = m->plan->loops;
    double *changes = calloc(loops, sizeof *changes);
    if (!changes)
        return DET_ENOMEM;
    for (uint32_t f = 1; f < det_stacks_count(m->stacks); f++) {
        out->before += det_contrast_self(m->stacks, m->plan, f, 0);
        out->after += det_contrast_self(m->stacks, m->plan, f, 1);
        for (size_t r = 0; r < loops; r++) {
            const size_t own = det_contrast_column(m->plan, 0, 0, r);
            changes[r] += cost(m->stacks, m->plan, f, 1, r) - cost(m->stacks, m->plan, f, 0, r);
            out->level_cost +=
                det_stacks_self(m->stacks, f, own) / m->plan->calls[own] / (double)loops;
        }
    }
    out->change = interval_of(changes, m->plan);
    free(changes);
    return DET_OK;
}

static int fits(const det_stacks *stacks, const det_contrast_plan *plan) {
    if (plan->loops == 0 || det_stacks_columns(stacks) != 4 * plan->loops)
        return 0;
    for (size_t c = 0; c < 4 * plan->loops; c++)
        if (!(plan->calls[c] > 0) || !isfinite(plan->calls[c]))
            return 0;
    return 1;
}

det_status det_contrast_make(det_contrast *out, const det_stacks *stacks,
                             const det_contrast_plan *plan) {
    *out = (det_contrast){0};
    if (!fits(stacks, plan))
        return DET_EINVAL;
    const size_t labels = det_stacks_labels(stacks);
    making m = {stacks, plan, calloc(det_stacks_count(stacks), sizeof *m.owner),
                calloc(labels * 2 * plan->loops, sizeof *m.sums), calloc(labels * 2, 1)};
    det_status status = DET_ENOMEM;
    out->loops = plan->loops;
    if (m.owner && m.sums && m.seen) {
        find_owners(&m);
        sum_up(&m);
        status = total(&m, out);
        if (status == DET_OK)
            status = collect(&m, out);
    }
    free(m.owner);
    free(m.sums);
    free(m.seen);
    if (status != DET_OK)
        det_contrast_clear(out);
    return status;
}

void det_contrast_clear(det_contrast *contrast) {
    free(contrast->functions);
    *contrast = (det_contrast){0};
}
