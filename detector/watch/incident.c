/* incident - what happened to machine or harness: opened with its evidence, and over some time. */
#include <math.h>

#include "detector/watch/watch__.h"
#include "detector/words/text__.h"

#define NORMAL_95 1.959963984540054
#define MISSING_NIGHTS 30u  /* by then it was taken away, and is no incident any more */
#define NOISE_NIGHTS 20.0   /* from so many on it is known how widely loops usually spread */
#define NOISE_VARIANCE 4.0  /* loops that spread twice as widely */
#define NOISE_OPENED_BY 3u  /* in so many nights in a row are a noisier node */
#define FOLLOWED 0.5        /* of a common factor, by its logarithm */
#define UNIT_TOLERANCE 0.02 /* a factor that near to 2, 1000, … is a unit or a clock */

void det__incident_night(det_watch *watch) {
    for (int k = 0; k < DET_INCIDENT_KINDS; k++) {
        if (!watch->incident[k].lasts)
            watch->incident[k] = (det__incident){.kind = DET_INCIDENT_NONE};
        watch->incident[k].begins = 0;
    }
}

void det__incident_begin(det_watch *watch, det_incident_kind kind, const det__odd *since,
                         double factor) {
    watch->incident[kind] = (det__incident){.kind = kind,
                                            .begins = 1,
                                            .factor = factor,
                                            .low = (double)NAN,
                                            .high = (double)NAN,
                                            .moved = watch->chain.count,
                                            .seen = watch->chain.count,
                                            .since = since->first,
                                            .before = since->before};
}

/* Is one of these portions, by bits, part of configuration c? The control is of none but its own:
 * what is on top of it is known by itself. */
static bool holds(const det_watch *watch, size_t c, uint64_t portions) {
    bool any = portions >> c & 1;
    for (size_t p = 0; p < c; p++)
        any = any || (portions >> p & 1 && (int)p != watch->chain.control &&
                      det__under(&watch->chain, c, p));
    return any;
}

/* The factor between two beliefs, each configuration weighed by how well it is known. Where it is
 * the control's, too, the interval holds that one's own. */
static void factor_of(const det_watch *watch, const double *before, bool control, uint64_t apart,
                      det__incident *out) {
    const size_t n = watch->chain.count;
    const double *after = watch->base;
    double sum = 0, weight = 0, own = NAN;
    out->moved = out->seen = 0;
    for (size_t c = 0; c < n; c++) {
        if (!(before[c] > 0) || !(after[c] > 0))
            continue;
        out->seen++;
        if (control && (int)c != watch->chain.control)
            continue;
        out->moved++;
        if (holds(watch, c, apart))
            continue;
        const double variance = before[n + c * n + c] / (before[c] * before[c]) +
                                after[n + c * n + c] / (after[c] * after[c]);
        const double w = 1 / fmax(variance, 1e-12);
        sum += w * log(after[c] / before[c]);
        weight += w;
        own = (int)c == watch->chain.control ? after[c] / before[c] : own;
    }
    const double half = NORMAL_95 / sqrt(weight);
    out->factor = exp(sum / weight);
    out->low = fmin(exp(sum / weight - half), own); /* fmin: not NaN */
    out->high = fmax(exp(sum / weight + half), own);
}

/* Those that followed the common factor by half of it at least, and whose portion did not move
 * otherwise; a control that did not moved otherwise, too. */
static void count_moved(const det_watch *watch, const double *before, uint64_t apart,
                        det__incident *out) {
    out->moved = 0;
    for (size_t c = 0; c < watch->chain.count; c++) {
        const bool seen = before[c] > 0 && watch->base[c] > 0;
        const bool follows = seen && log(watch->base[c] / before[c]) / log(out->factor) >= FOLLOWED;
        out->moved += follows && !(apart >> c & 1);
        if ((int)c == watch->chain.control && !follows)
            out->who |= UINT64_C(1) << c;
    }
}

/* Of a common factor. */
static bool control_moved(const det_watch *watch, const det__incident *i) {
    return !(i->who >> watch->chain.control & 1);
}

void det__incident_machine(det_watch *watch, const det__change *change, const double *before,
                           uint64_t apart) {
    const bool scale = change->portion == DET__SCALE;
    const det__odd since = {.first = *det__stamp_at(watch, change->start),
                            .before = *det__stamp_at(watch, change->start - 1)};
    const det_incident_kind kind = scale ? DET_INCIDENT_SCALE : DET_INCIDENT_CONTROL;
    det__incident found = {.kind = kind};
    const uint64_t otherwise = apart;
    for (size_t p = 0; p < watch->chain.count && scale; p++) /* taken along, and not seen */
        if (det__dates(watch, p, (det__range){change->start, watch->nights + 1}) == 0)
            apart |= UINT64_C(1) << p;
    factor_of(watch, before, !scale, apart, &found);
    if (fabs(found.factor - 1) < DET__MACHINE_SIZE)
        return; /* where it was: the nights since are not what the change said */
    det__incident *out = &watch->incident[kind];
    det__incident_begin(watch, kind, &since, found.factor);
    out->low = found.low;
    out->high = found.high;
    out->moved = found.moved;
    out->seen = found.seen;
    out->who = otherwise;
    if (scale)
        count_moved(watch, before, apart, out);
}

static void count_on(const det_watch *watch, uint64_t serial, det__odd *row) {
    if (!row->count++) {
        row->first = *det__stamp_at(watch, serial);
        row->before = serial ? *det__stamp_at(watch, serial - 1) : (det__stamp){.id = 0};
    }
}

/* A row of odd nights, as long as it lasts; opened by so many of them. */
static det__incident *row_night(det_watch *watch, uint64_t serial, det__odd *row,
                                det_incident_kind kind, bool odd, uint64_t opened_by) {
    det__incident *i = &watch->incident[kind];
    if (!odd) {
        row->count = 0;
        i->lasts = 0;
        return NULL;
    }
    count_on(watch, serial, row);
    if (i->lasts || row->count != opened_by)
        return NULL;
    det__incident_begin(watch, kind, row, NAN);
    i->lasts = 1;
    return i;
}

void det__incident_broken(det_watch *watch, uint64_t serial, bool broken, double factor) {
    (void)row_night(watch, serial, &watch->broken_since, DET_INCIDENT_BROKEN, broken, 2);
    watch->broken_since.factor = factor;
}

void det__incident_onset(det_watch *watch, uint64_t serial, size_t moved, size_t seen) {
    det__incident *i = row_night(watch, serial, &watch->broken_since, DET_INCIDENT_BROKEN, true, 1);
    watch->broken_since.factor = NAN;
    if (i && watch->onset.waiting) /* what came before had no value at all */
        i->before = (det__stamp){.id = 0};
    if (i) {
        i->moved = moved;
        i->seen = seen;
    }
}

/* For how many nights, with this one, none of these configurations (by bits) has had a result. */
static uint64_t nights_without(const det_watch *watch, uint64_t serial, uint64_t who) {
    uint64_t nights = 1;
    for (; nights <= serial && nights <= MISSING_NIGHTS; nights++)
        for (size_t c = 0; c < watch->chain.count; c++)
            if (who >> c & 1 && det__cells_at(watch, serial - nights)[c].loops > 0)
                return nights;
    return nights;
}

/* The second night that lacks a configuration opens it: what was back by then is not missing. */
void det__incident_missing(det_watch *watch, uint64_t serial, uint64_t missing) {
    det__incident *i = &watch->incident[DET_INCIDENT_MISSING];
    for (size_t c = 0; c < watch->chain.count; c++) {
        const uint64_t without = nights_without(watch, serial, UINT64_C(1) << c);
        if (without < 2 || without > MISSING_NIGHTS)
            missing &= ~(UINT64_C(1) << c);
    }
    const bool odd = (i->lasts ? missing & i->who : missing) != 0;
    if (!row_night(watch, serial, &watch->missing_since, DET_INCIDENT_MISSING, odd, 1))
        return;
    const uint64_t nights = nights_without(watch, serial, missing);
    i->since = *det__stamp_at(watch, serial + 1 - nights);
    i->before = *det__stamp_at(watch, serial - nights);
    i->who = missing;
    i->moved = 0;
    for (size_t c = 0; c < watch->chain.count; c++)
        i->moved += missing >> c & 1;
}

/* How much more the loops of a night vary than they used to, over all configurations: the factor of
   the variance; NaN: not known. */
static double noise_of(const det_watch *watch, uint64_t serial) {
    double sum = 0;
    size_t known = 0;
    for (size_t c = 0; c < watch->chain.count; c++) {
        const det__cell *cell = &det__cells_at(watch, serial)[c];
        const det__spread *usual = &watch->spread[c];
        const double variance = cell->variance / (cell->mean * cell->mean);
        if (!(variance > 0) || !(usual->loops > 0) || usual->weight < NOISE_NIGHTS)
            continue;
        sum += log(variance / usual->loops);
        known++;
    }
    return known > 1 ? exp(sum / (double)known) : (double)NAN;
}

void det__incident_noise(det_watch *watch, uint64_t serial) {
    const double noise = serial == 0 ? (double)NAN : noise_of(watch, serial);
    const bool noisy = noise > NOISE_VARIANCE;
    det__odd *row = &watch->noise_since;
    const double sum = noisy ? row->factor * (double)row->count + log(noise) / 2 : 0;
    det__incident *i = row_night(watch, serial, row, DET_INCIDENT_NOISE, noisy, NOISE_OPENED_BY);
    row->factor = noisy ? sum / (double)row->count : 0;
    if (i)
        i->factor = exp(row->factor);
}

static bool is_unit(double factor) {
    static const double units[] = {2, 10, 60, 1000, 1e6};
    const double size = factor < 1 ? 1 / factor : factor;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs(size / units[i] - 1) < UNIT_TOLERANCE)
            return true;
    return false;
}

static void put_factor(det__line *line, const det__incident *i) {
    if (isnan(i->factor))
        return;
    const int decimals = det__factor_decimals(i->factor);
    det__put(line, " × ");
    det__put_fixed(line, i->factor, decimals);
    if (isnan(i->low))
        return;
    const int few = i->factor < 0.1 ? det__decimals_of(i->low, 100) : decimals;
    const int own = det__decimals_of((i->high - i->low) / 2, 1);
    const int more = own > few && own < 5 ? own : few;
    det__put(line, " (");
    det__put_fixed(line, i->low, more);
    det__put(line, " to ");
    det__put_fixed(line, i->high, more);
    det__put(line, ")");
}

/* "file and tcp": the configurations that are missing; or the control's portion. */
static void put_names(det__line *line, const det_watch *watch, const det__incident *i) {
    uint64_t left = i->moved;
    if (i->kind == DET_INCIDENT_CONTROL && watch->chain.control >= 0)
        det__put(line, watch->chain.name[watch->chain.control]);
    for (size_t c = 0; i->kind == DET_INCIDENT_MISSING && c < watch->chain.count; c++) {
        if (!(i->who >> c & 1))
            continue;
        det__put(line, watch->chain.called[c]);
        left--;
        det__put(line, left > 1 ? ", " : left == 1 ? " and " : "");
    }
}

static void put_who(det__line *line, const det_watch *watch, const det__incident *i) {
    if (i->kind == DET_INCIDENT_CONTROL) {
        put_names(line, watch, i); /* whether others moved by as much, their noise hides */
        return;
    }
    const bool mean = i->kind == DET_INCIDENT_NOISE; /* of one much, or of each some of it */
    det__put(line, mean ? "the " : i->moved == i->seen ? "all " : "");
    det__put_count(line, i->moved);
    det__put(line, i->moved == 1 ? " configuration" : " configurations");
}

/* Who says that a common factor is not the code's: the control. */
static void put_cause(det__line *line, const det_watch *watch, const det__incident *i) {
    det__put(line, watch->chain.control < 0   ? "; there is no control: a unit, a clock, the "
                                                "machine or the code"
                   : !control_moved(watch, i) ? ", the control otherwise: the machine or the code"
                   : is_unit(i->factor)       ? ", the control too: a unit or a clock, not the code"
                                              : ", the control too: the machine, not the code");
}

/* What moved otherwise than everything did, or than the control that moved alone: that is told
 * nowhere else. */
static void put_otherwise(det__line *line, const det_watch *watch, const det__incident *i) {
    for (size_t c = 0; c < watch->chain.count; c++)
        if (i->who >> c & 1 && (int)c != watch->chain.control) {
            det__put(line, "; ");
            det__put(line, watch->chain.name[c]);
            det__put(line, " otherwise");
            det__put(line, i->kind == DET_INCIDENT_CONTROL ? ": the machine or the code" : "");
        }
}

static void explain(const det_watch *watch, const det__incident *i, det_incident *out) {
    det__line line = det__line_of(out->reason, sizeof out->reason);
    const bool early = i->kind == DET_INCIDENT_BROKEN && !*i->before.label;
    if (i->kind != DET_INCIDENT_ENVIRONMENT && i->kind != DET_INCIDENT_MISSING)
        put_who(&line, watch, i);
    switch ((det_incident_kind)i->kind) {
    case DET_INCIDENT_SCALE:
    case DET_INCIDENT_CONTROL:
        put_factor(&line, i);
        break;
    case DET_INCIDENT_BROKEN:
        det__put(&line,
                 early ? " far outside everything seen later" : " far outside the level before");
        break;
    case DET_INCIDENT_MISSING:
        put_names(&line, watch, i);
        det__put(&line, " without a result");
        break;
    case DET_INCIDENT_NOISE:
        det__put(&line, " scatter on average ");
        det__put_number(&line, i->factor);
        det__put(&line, " times as widely between processes as before");
        break;
    default:
        det__put(&line, "another environment");
        break;
    }
    det__put(&line, early ? ", first on " : " since ");
    det__put(&line, i->since.label);
    if (i->kind == DET_INCIDENT_SCALE)
        put_cause(&line, watch, i);
    if (i->kind == DET_INCIDENT_CONTROL)
        det__put(&line, DET__CONTROL_ALONE);
    if (i->kind == DET_INCIDENT_SCALE || i->kind == DET_INCIDENT_CONTROL)
        put_otherwise(&line, watch, i);
    if (i->kind == DET_INCIDENT_NOISE)
        det__put(&line, ": the node or the code is noisier than it was");
}

/* It is over, and some of them have no result in the last night either. */
static bool stays(const det_watch *watch, const det__incident *i) {
    bool any = false;
    for (size_t c = 0; c < watch->chain.count && watch->nights > 0; c++)
        any = any || (i->who >> c & 1 && isnan(det__cells_at(watch, watch->nights - 1)[c].mean));
    return any && i->kind == DET_INCIDENT_MISSING && !i->lasts;
}

det_status det_watch_incident(const det_watch *watch, det_incident_kind kind, det_incident *out) {
    if ((int)kind <= DET_INCIDENT_NONE || (int)kind >= DET_INCIDENT_KINDS)
        return DET_EINVAL;
    const det__incident *i = &watch->incident[kind];
    if (i->kind == DET_INCIDENT_NONE)
        return DET_ESHORT;
    *out = (det_incident){.kind = (det_incident_kind)i->kind,
                          .begins = i->begins != 0,
                          .lasts = i->lasts != 0,
                          .since = i->since.id,
                          .before = i->before.id,
                          .factor = i->factor,
                          .low = i->low,
                          .high = i->high,
                          .moved = (size_t)i->moved,
                          .seen = (size_t)i->seen,
                          .stays = stays(watch, i)};
    det__line who = det__line_of(out->who, sizeof out->who);
    put_names(&who, watch, i);
    explain(watch, i, out);
    return DET_OK;
}

const char *det_incident_text(det_incident_kind kind) {
    static const char *const texts[] = {"none",    "scale",       "control", "broken",
                                        "missing", "environment", "noise"};
    return (unsigned)kind < sizeof texts / sizeof *texts ? texts[kind] : "unknown";
}
