/* bank - the changes under suspicion, and the belief in none. */
#include "detector/watch/watch__.h"

#include <math.h>
#include <string.h>

#define CHANGE_WIDTH 0.08     /* expected size of a change, as a share of the portion */
#define FACTOR_WIDTH 0.10     /* of a change of machine, as a share of everything */
#define CHANGE_AGE 48u        /* nights after which a suspicion is given up */
#define ACCEPTED_WIDTH 2.0    /* an accepted change may be so many times larger than expected */
#define CLEARED_EVIDENCE 1.0  /* what a clearance weighs against the cleared suspicions */
#define ALONE_AGAINST 5.0     /* evidence: one configuration alone is rarer than its portion */
#define STIR 9.0              /* squared spreads that a night of it is off */
#define CLEARED_REST 3u       /* nights without suspicion after one was cleared */
#define NEW_MACHINE_WIDTH 0.5 /* after a change of machine nothing is known better than this */

double det__difference(const det_chain *chain, const double *values, size_t portion) {
    const int parent = chain->parent[portion];
    return parent < 0 ? values[portion] : values[portion] - values[parent];
}

bool det__under(const det_chain *chain, size_t c, size_t portion) {
    int at = (int)c;
    while (at > (int)portion)
        at = chain->parent[at];
    return at == (int)portion;
}

void det__belief(const det_watch *watch, size_t i, double *filter) {
    det__lane_get(watch->beliefs, watch->chain.count, i, filter);
}

double det__difference_variance(const det_chain *chain, const double *filter, size_t portion) {
    const size_t n = chain->count;
    const double *covariance = filter + n;
    const int parent = chain->parent[portion];
    double variance = covariance[portion * n + portion];
    if (parent >= 0) {
        const size_t a = (size_t)parent;
        variance += covariance[a * n + a] - 2 * covariance[a * n + portion];
    }
    return variance;
}

/* Place of a portion, a configuration alone, or everything by one factor, in watch->best. */
static size_t kind_of(const det_watch *watch, uint64_t portion) {
    return portion < DET__ALONE    ? (size_t)portion
           : portion == DET__SCALE ? 2 * watch->chain.count
                                   : watch->chain.count + (size_t)(portion - DET__ALONE);
}

/* Equal evidence, as after a clearance: the younger one, whatever the order in the bank. */
static bool stronger(const det__change *a, const det__change *b) {
    return (a->evidence > b->evidence) | ((a->evidence == b->evidence) & (a->start > b->start));
}

void det__find_best(det_watch *watch) {
    det__change most[DET__KINDS_MAX]; /* evidence and start of the best so far */
    for (size_t k = 0; k <= 2 * watch->chain.count; k++) {
        watch->best[k] = -1;
        most[k] = (det__change){.evidence = -INFINITY};
    }
    for (size_t i = 0; i < watch->changes; i++) {
        const size_t kind = kind_of(watch, watch->bank[i].portion);
        const bool more = stronger(&watch->bank[i], &most[kind]);
        watch->best[kind] = more ? (int)i : watch->best[kind];
        most[kind].evidence = more ? watch->bank[i].evidence : most[kind].evidence;
        most[kind].start = more ? watch->bank[i].start : most[kind].start;
    }
}

int det__strongest(const det_watch *watch, uint64_t portion, uint64_t after, uint64_t last) {
    int best = watch->best[kind_of(watch, portion)];
    if (best < 0 || (watch->bank[best].start > after && watch->bank[best].start <= last))
        return best;
    best = -1;
    for (size_t i = 0; i < watch->changes; i++) {
        const det__change *change = &watch->bank[i];
        if (change->portion == portion && change->start > after && change->start <= last &&
            (best < 0 || stronger(change, &watch->bank[best])))
            best = (int)i;
    }
    return best;
}

/* The last one takes the place of the one that goes. */
static void drop(det_watch *watch, size_t i) {
    const size_t last = (size_t)--watch->changes;
    const size_t kind = kind_of(watch, watch->bank[i].portion);
    const bool was_best = watch->best[kind] == (int)i;
    if (i != last) {
        int *best = &watch->best[kind_of(watch, watch->bank[last].portion)];
        if (*best == (int)last)
            *best = (int)i;
        watch->bank[i] = watch->bank[last];
        det__lane_copy(watch->beliefs, watch->chain.count, i, last);
    }
    if (was_best)
        det__find_best(watch);
}

/* Starts are kept densely while young, sparsely when old; the strongest of a portion always. */
static bool kept(const det_watch *watch, size_t i, uint64_t serial) {
    const det__change *change = &watch->bank[i];
    const uint64_t age = serial - change->start;
    /* Without branches: hardly any goes, but which one looks random to a processor. */
    const bool regular = (age < 4) | ((age < 8) & (change->start % 2 == 0)) |
                         ((age < 16) & (change->start % 4 == 0)) | (change->start % 8 == 0);
    if (regular & (age < CHANGE_AGE))
        return true;
    return age < CHANGE_AGE && watch->best[kind_of(watch, change->portion)] == (int)i;
}

/* more: changes that are to have a place */
static void thin(det_watch *watch, uint64_t serial, size_t more) {
    for (size_t i = (size_t)watch->changes; i-- > 0;)
        if (!kept(watch, i, serial))
            drop(watch, i);
    while (watch->changes + more > DET__BANK - 1) {
        size_t weakest = 0;
        for (size_t i = 1; i < watch->changes; i++)
            if (watch->bank[i].evidence < watch->bank[weakest].evidence)
                weakest = i;
        drop(watch, weakest);
    }
}

double det__change_width(const det_watch *watch, size_t p, uint64_t serial) {
    double x[DET_CONFIGURATIONS_MAX];
    const det__cell *cells = det__cells_at(watch, serial);
    const double *before = det__before_at(watch, serial);
    for (size_t c = 0; c < watch->chain.count; c++)
        x[c] = cells[c].mean;
    const double level = det__difference(&watch->chain, before, p);
    const double usual = CHANGE_WIDTH * fabs(level);
    const double seen = fabs(det__difference(&watch->chain, x, p) - level);
    return isnan(usual) ? 0 : fmax(usual, isnan(seen) ? 0 : seen);
}

/* Forget what the supposed change may have changed, `times` as widely as it is expected to.
 * asked: of several, those of which nobody knows yet whether they moved: they stay as they were, so
 * that their nights add up; NULL: none */
static void open_up(const det_watch *watch, double *filter, const det__change *change, double times,
                    const bool *asked) {
    const size_t n = watch->chain.count;
    for (size_t p = 0; p < n; p++) {
        const bool several = change->portion == DET__SEVERAL && (int)p != watch->chain.control &&
                             !(asked && asked[p]);
        if (p != change->portion && !several)
            continue;
        const double width = several ? det__change_width(watch, p, change->start) : change->width;
        det__filter_open(filter, n, watch->under[p], times * times * width * width);
    }
    double direction[DET_CONFIGURATIONS_MAX] = {0};
    if (change->portion < DET__ALONE || change->portion == DET__SEVERAL)
        return;
    for (size_t c = 0; c < n && change->portion == DET__SCALE; c++)
        direction[c] = isnan(filter[c]) ? 0 : filter[c];
    if (change->portion != DET__SCALE)
        direction[change->portion - DET__ALONE] = 1;
    det__filter_open(filter, n, direction, times * times * change->width * change->width);
}

static void suspect(det_watch *watch, uint64_t serial, uint64_t portion) {
    const size_t n = watch->chain.count, i = (size_t)watch->changes;
    double filter[DET__FILTER_MAX];
    det__change *change = &watch->bank[i];
    memcpy(filter, watch->base, det__filter_size(n) * sizeof(double));
    *change = (det__change){.start = serial, .portion = portion, .width = FACTOR_WIDTH};
    if (portion != DET__SCALE)
        change->width = det__change_width(watch, (size_t)(portion % DET__ALONE), serial);
    if (portion >= DET__ALONE && portion < DET__ALONE + n &&
        (int)(portion - DET__ALONE) != watch->chain.control) /* that is the machine */
        change->evidence = -ALONE_AGAINST;
    if (portion == DET__SCALE && watch->chain.control >= 0) {
        const size_t c = (size_t)watch->chain.control;
        const double moved = fabs(det__cells_at(watch, serial)[c].mean / watch->base[c] - 1);
        change->width = moved > FACTOR_WIDTH ? moved : FACTOR_WIDTH; /* NaN: the usual */
    }
    open_up(watch, filter, change, 1, NULL);
    det__lane_put(watch->beliefs, n, i, filter);
    watch->changes++;
}

/* Did configuration c move tonight, so that it is worth asking whether it moved alone? Where
 * nothing stands on it, that is its portion. */
static bool stirs(const det_watch *watch, uint64_t serial, size_t c) {
    const size_t n = watch->chain.count;
    const double x = det__cells_at(watch, serial)[c].mean;
    bool carries = false;
    for (size_t p = c + 1; p < n; p++)
        carries |= watch->chain.parent[p] == (int)c;
    if (!carries)
        return false;
    double floor;
    const double spread = det__spread_noise_of(watch, serial, c, &floor) * x;
    const double off = x - watch->base[c];
    return off * off > STIR * (spread * spread + watch->base[n + c * n + c]);
}

static void remember(det_watch *watch, uint64_t serial) {
    const size_t n = watch->chain.count;
    memcpy(det__before_at(watch, serial), watch->base, det__filter_size(n) * sizeof(double));
    memcpy(det__spread_before(watch, serial, 0), watch->spread, n * sizeof *watch->spread);
}

/* Of a configuration that no night kept has, nobody can say which nights it is compared with. */
static void forget_absent(det_watch *watch, uint64_t serial) {
    const uint64_t oldest = watch->nights < DET__DEPTH ? 0 : watch->nights - DET__DEPTH + 1;
    for (size_t c = 0; c < watch->chain.count; c++) {
        uint64_t s = serial;
        if (isnan(det__cells_at(watch, serial)[c].mean))
            continue;
        while (s > oldest && isnan(det__cells_at(watch, s - 1)[c].mean))
            s--;
        if (s == oldest)
            watch->base[c] = NAN;
    }
}

/* A configuration that was missing so far begins with this night. */
static void first_sight(det_watch *watch, uint64_t serial, const double *x,
                        const det__noise *noise) {
    const size_t n = watch->chain.count;
    for (size_t c = 0; c < n; c++) {
        if (isnan(x[c]) || !isnan(watch->base[c]))
            continue;
        for (size_t p = 0; p < n; p++)
            if (p == c || watch->chain.parent[p] == (int)c)
                watch->home[p] = watch->start[p] = serial;
        for (size_t i = 0; i <= watch->changes; i++) {
            double filter[DET__FILTER_MAX];
            memcpy(filter, watch->base, det__filter_size(n) * sizeof(double));
            if (i < watch->changes)
                det__belief(watch, i, filter);
            filter[c] = x[c];
            for (size_t k = 0; k < n; k++)
                filter[n + c * n + k] = filter[n + k * n + c] = 0;
            const double spread = noise->spread[c] * x[c];
            filter[n + c * n + c] = fmax(spread * spread, noise->floor[c]);
            if (i < watch->changes)
                det__lane_put(watch->beliefs, n, i, filter);
            else
                memcpy(watch->base, filter, det__filter_size(n) * sizeof(double));
        }
    }
}

/* The night into all beliefs at once; the one in no change comes last. */
static void weigh(det_watch *watch, const double *x, const det__noise *noise) {
    const size_t n = watch->chain.count, none = (size_t)watch->changes;
    _Alignas(det__lanes) double density[DET__BANK + DET__LANES];
    det__lane_put(watch->beliefs, n, none, watch->base);
    det__filter_night(watch->beliefs, none + 1, n, x, noise, density);
    det__lane_get(watch->beliefs, n, none, watch->base);
    for (size_t i = 0; i < none; i++)
        watch->bank[i].evidence += density[i] - density[none];
    det__find_best(watch);
}

/* Noise is a share of the level: that of a first night above 0 was nothing, and the level is known
 * no better than nights scatter.
 * left  [count] of which configuration that is the night */
static void loosen(const det_watch *watch, double *filter, const bool *left, const double *x,
                   const det__noise *noise) {
    const size_t n = watch->chain.count;
    for (size_t c = 0; c < n; c++)
        if (left[c] && !det__at_zero(watch, c, filter[c]))
            filter[n + c * n + c] = fmax(filter[n + c * n + c], pow(noise->spread[c] * x[c], 2));
}

/* In the belief of no change, and in those in one that begins with the night. */
static void loosen_all(det_watch *watch, uint64_t serial, const bool *left, const double *x,
                       const det__noise *noise) {
    loosen(watch, watch->base, left, x, noise);
    for (size_t i = 0; i < watch->changes; i++) {
        double filter[DET__FILTER_MAX];
        if (watch->bank[i].start != serial)
            continue;
        det__belief(watch, i, filter);
        loosen(watch, filter, left, x, noise);
        det__lane_put(watch->beliefs, watch->chain.count, i, filter);
    }
}

/* A level near 0 was known as a share of 0, that is exactly; it is known no better than its nights'
 * mean. */
static void loosen_near_zero(det_watch *watch, uint64_t serial) {
    const size_t n = watch->chain.count;
    for (size_t c = 0; c < n; c++) {
        const double least = det__spread_near_zero(watch, serial, c).level;
        const size_t row = det__block_row(n, c, c) * DET__LANES;
        watch->base[n + c * n + c] = fmax(watch->base[n + c * n + c], least);
        for (size_t i = 0; least > 0 && i < watch->changes; i++) {
            double *variance = det__lane(watch->beliefs, n, i) + row;
            *variance = fmax(*variance, least);
        }
    }
}

void det__absorb(det_watch *watch, uint64_t serial, const bool *open) {
    const size_t n = watch->chain.count;
    const det__cell *cells = det__cells_at(watch, serial);
    double x[DET_CONFIGURATIONS_MAX] = {0};
    bool any = false, left[DET_CONFIGURATIONS_MAX], leaves = false;
    bool stirring[DET_CONFIGURATIONS_MAX];
    size_t alone = 0;
    det__noise noise;
    forget_absent(watch, serial);
    for (size_t c = 0; c < n; c++) {
        x[c] = cells[c].mean;
        any |= !isnan(x[c]);
        left[c] =
            x[c] > 0 && det__at_zero(watch, c, watch->base[c]) && !det__at_zero(watch, c, x[c]);
        leaves |= left[c];
    }
    remember(watch, serial);
    if (!any)
        return;
    for (size_t c = 0; c < n; c++)
        alone += stirring[c] = stirs(watch, serial, c);
    thin(watch, serial, n + 1 + alone);
    for (size_t p = 0; p < n; p++)
        suspect(watch, serial, p);
    if (n > 1)
        suspect(watch, serial, DET__SCALE);
    for (size_t c = 0; c < n; c++)
        if (stirring[c])
            suspect(watch, serial, DET__ALONE + c);
    det__spread_noise(watch, serial, &noise);
    det__spread_learn(watch, serial, open);
    first_sight(watch, serial, x, &noise);
    loosen_near_zero(watch, serial);
    weigh(watch, x, &noise);
    if (leaves)
        loosen_all(watch, serial, left, x, &noise);
}

void det__forget(det_watch *watch, uint64_t which) {
    for (size_t c = 0; c < watch->chain.count; c++)
        if (which >> c & 1) {
            watch->base[c] = (double)NAN;
            det__small_begin(watch, c);
        }
    watch->away = watch->changes = 0;
    det__find_best(watch);
}

void det__begin(det_watch *watch, uint64_t serial) {
    const size_t n = watch->chain.count;
    const det__cell *cells = det__cells_at(watch, serial);
    det__noise noise;
    remember(watch, serial);
    det__spread_noise(watch, serial, &noise);
    memset(watch->base, 0, det__filter_size(n) * sizeof(double));
    for (size_t c = 0; c < n; c++) {
        const double spread = noise.spread[c] * cells[c].mean;
        watch->base[c] = cells[c].mean;
        watch->base[n + c * n + c] = isnan(spread) ? 0 : fmax(spread * spread, noise.floor[c]);
        watch->home[c] = watch->start[c] = serial;
        det__small_begin(watch, c);
    }
    watch->away = watch->changes = 0;
    det__find_best(watch);
}

/* The level before and what it moved by, in this direction, make the level after. */
static void step_up(det_watch *watch, const double *direction, const det__step *step) {
    const size_t n = watch->chain.count;
    for (size_t c = 0; c < n; c++)
        watch->base[c] += direction[c] * step->size;
    det__filter_open(watch->base, n, direction, step->variance);
}

/* A small step of everything by one factor: each portion may have gone by as much otherwise, and
 * its level is what the nights since say. */
static void open_each(det_watch *watch) {
    const size_t n = watch->chain.count;
    for (size_t p = 0; p < n; p++) {
        const double width = DET__MACHINE_SIZE * det__difference(&watch->chain, watch->base, p);
        if (!isnan(width))
            det__filter_open(watch->base, n, watch->under[p], width * width);
    }
}

/* Another machine: the nights since alone say what the levels are. Without a result of the portion
 * they do not: it is taken along as the control was, and not left open to meet whatever comes; nor
 * is a configuration whose parent alone has none to say what the common factor was. */
static void another_machine(det_watch *watch, const det__change *change, uint64_t serial) {
    const size_t n = watch->chain.count, control = (size_t)watch->chain.control;
    const int i = det__strongest(watch, change->portion, change->start - 1, change->start);
    const double level = watch->base[control], known = watch->base[n + control * n + control];
    double after[DET__FILTER_MAX], along[DET_CONFIGURATIONS_MAX] = {0};
    det__belief(watch, (size_t)i, after);
    watch->away = change->start;
    for (size_t c = 0; c < n; c++) /* as of what was told with it: see accept */
        watch->away = watch->start[c] >= change->start ? 0 : watch->away;
    memcpy(watch->home, watch->start, sizeof watch->home);
    for (size_t c = 0; c < n; c++) {
        const double width = NEW_MACHINE_WIDTH * watch->base[c];
        const bool seen = det__dates(watch, c, (det__range){change->start, serial + 1}) > 0;
        watch->start[c] = change->start;
        det__small_begin(watch, c);
        for (uint64_t s = change->start; s <= serial && !seen; s++)
            det__cells_at(watch, s)[c].mean = (double)NAN;
        if (isnan(width))
            continue;
        if (seen)
            watch->base[n + c * n + c] += width * width;
        else
            along[c] = change->portion == DET__SCALE ? watch->base[c] / level : 1;
    }
    const double variance = after[n + control * n + control] + known;
    step_up(watch, along, &(det__step){after[control] - level, variance});
}

/* This night, which is taken in again, is later than the change that is believed now. What was told
 * of it began with it still: its nights are no outliers of the level before. */
static void tell_again(det_watch *watch, uint64_t serial, bool *open) {
    const size_t n = watch->chain.count;
    for (size_t p = 0; p < n; p++) {
        if (watch->start[p] != serial)
            continue;
        const double width = det__change_width(watch, p, serial);
        const det__change told = {.start = serial, .portion = p, .width = width};
        open_up(watch, watch->base, &told, ACCEPTED_WIDTH, NULL);
        for (size_t c = 0; c < n; c++)
            open[c] |= det__under(&watch->chain, c, p);
        watch->changes = 0;
        det__find_best(watch);
    }
}

/* step: NULL where the nights alone say how far it moved. */
static void accept(det_watch *watch, const det__change *supposed, const det__step *step,
                   uint64_t serial, bool machine, const bool *asked) {
    const size_t n = watch->chain.count;
    const det__change change = *supposed; /* may lie in the bank, which is emptied */
    const bool is_alone = change.portion >= DET__ALONE && change.portion < DET__ALONE + n;
    bool open[DET_CONFIGURATIONS_MAX];
    watch->away = 0; /* what was told since, a way back would tell again */
    memcpy(watch->base, det__before_at(watch, change.start), det__filter_size(n) * sizeof(double));
    memcpy(watch->spread, det__spread_before(watch, change.start, 0), n * sizeof *watch->spread);
    for (size_t c = 0; c < n; c++)
        open[c] =
            machine || change.portion >= n || det__under(&watch->chain, c, (size_t)change.portion);
    if (machine)
        another_machine(watch, &change, serial);
    else if (step)
        step_up(watch, watch->under[change.portion], step);
    else
        open_up(watch, watch->base, &change, ACCEPTED_WIDTH, asked);
    if (change.portion == DET__SCALE && !machine)
        open_each(watch);
    for (size_t p = 0; p < n && !machine; p++)
        if (change.portion == DET__SCALE || change.portion == p ||
            (is_alone && det__moves(&watch->chain, (size_t)(change.portion - DET__ALONE), p)))
            watch->home[p] = watch->start[p] = change.start;
    for (size_t c = 0; c < n; c++)
        det__wander_begin(&watch->pace[c]);
    watch->changes = 0;
    det__find_best(watch);
    for (uint64_t s = change.start; s <= serial; s++) {
        if (s > change.start)
            tell_again(watch, s, open);
        det__absorb(watch, s, open);
        memset(open, 0, sizeof open);
    }
}

void det__accept(det_watch *watch, const det__change *change, uint64_t serial, bool machine) {
    accept(watch, change, NULL, serial, machine, NULL);
}

void det__accept_measured(det_watch *watch, const det__change *change, const det__step *step,
                          uint64_t serial) {
    accept(watch, change, step, serial, false, NULL);
}

void det__accept_night(det_watch *watch, uint64_t start, uint64_t serial, const bool *asked) {
    const det__change several = {.start = start, .portion = DET__SEVERAL};
    accept(watch, &several, NULL, serial, false, asked);
}

/* What was believed with the night before it went: that with its own forgot the levels. Back is
 * near where it was, by one factor for all. */
void det__accept_return(det_watch *watch, uint64_t back, uint64_t serial) {
    const uint64_t away = watch->away;
    const det__change none = {.start = away - 1, .portion = DET__SEVERAL};
    bool every[DET_CONFIGURATIONS_MAX], open[DET_CONFIGURATIONS_MAX] = {false};
    double along[DET_CONFIGURATIONS_MAX];
    for (size_t c = 0; c < watch->chain.count; c++) {
        watch->start[c] = watch->home[c];
        every[c] = true;
    }
    accept(watch, &none, NULL, none.start, false, every);
    for (size_t c = 0; c < watch->chain.count; c++)
        along[c] = isnan(watch->base[c]) ? 0 : watch->base[c];
    det__filter_open(watch->base, watch->chain.count, along, pow(DET__MACHINE_SIZE, 2));
    for (uint64_t s = away; s <= serial; s++) {
        for (size_t c = 0; s < back && c < watch->chain.count; c++)
            det__cells_at(watch, s)[c].mean = (double)NAN;
        det__absorb(watch, s, open);
    }
}

void det__clear(det_watch *watch, size_t portion, uint64_t serial, bool absent) {
    const double against = absent ? CLEARED_EVIDENCE : 0;
    for (size_t i = 0; i < watch->changes; i++)
        if (watch->bank[i].portion % DET__ALONE == portion ||
            (watch->bank[i].portion == DET__SCALE && watch->chain.control < 0))
            watch->bank[i].evidence = fmin(watch->bank[i].evidence, 0) - against;
    det__find_best(watch);
    watch->rest[portion] = serial + 1 + CLEARED_REST;
}

bool det__cleared_since(const det_watch *watch, size_t portion, uint64_t serial) {
    return watch->rest[portion] >= serial + 1 + CLEARED_REST;
}

/* small - changes below the minimum effect: taken into the level in silence, and summed up. */

void det__small_begin(det_watch *watch, size_t portion) {
    const det__stamp before = watch->small[portion].before; /* the reason still names it */
    watch->small[portion] = (det__small){.before = before};
}

/* what the level was, with the steps before */
static det__small small_from(const det_watch *watch, uint64_t start, size_t p) {
    const double *before = det__before_at(watch, start);
    det__small small = watch->small[p];
    small.sum -= det__difference(&watch->chain, before, p);
    if (small.steps++)
        return small;
    const det__range reference = det__reference(watch, p, start);
    small.nights = det__dates(watch, p, reference);
    small.from = det__stamp_at(watch, reference.first)->id;
    small.before = *det__stamp_at(watch, reference.end - 1);
    small.variance = fmax(det__difference_variance(&watch->chain, before, p), 0);
    return small;
}

void det__small_step(det_watch *watch, uint64_t serial, const det__change *change, size_t first,
                     size_t end) {
    det__small small[DET_CONFIGURATIONS_MAX];
    for (size_t p = first; p < end; p++)
        small[p] = small_from(watch, change->start, p);
    det__accept(watch, change, serial, false);
    for (size_t p = first; p < end; p++) {
        small[p].sum += det__difference(&watch->chain, watch->base, p);
        if (!isnan(small[p].sum)) /* it was there, and is */
            watch->small[p] = small[p];
    }
}
