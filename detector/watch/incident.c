/* incident - what happened to machine or harness: opened with its evidence, and over some time. */
#include <math.h>
#include <string.h>

#include "detector/watch/watch__.h"
#include "detector/words/change__.h"

#define NORMAL_95 1.959963984540054
#define UNIT_TOLERANCE 0.02 /* a factor that near to 2, 1000, … is a unit or a clock */

void det__incident_night(det_watch *watch) {
    det__incident *i = &watch->incident;
    if (!i->lasts)
        *i = (det__incident){.kind = DET_INCIDENT_NONE};
    i->begins = 0;
}

void det__incident_begin(det_watch *watch, det_incident_kind kind, const det__odd *since,
                         double factor) {
    watch->incident = (det__incident){.kind = kind,
                                      .begins = 1,
                                      .factor = factor,
                                      .low = (double)NAN,
                                      .high = (double)NAN,
                                      .moved = watch->chain.count,
                                      .seen = watch->chain.count,
                                      .since = since->first,
                                      .before = since->before};
}

/* The factor between two beliefs, each configuration weighed by how well it is known. */
static void factor_of(det_watch *watch, const double *before, const double *after, bool control) {
    const size_t n = watch->chain.count;
    det__incident *out = &watch->incident;
    double sum = 0, weight = 0;
    out->moved = out->seen = 0;
    for (size_t c = 0; c < n; c++) {
        if (!(before[c] > 0) || !(after[c] > 0))
            continue;
        out->seen++;
        if (control && (int)c != watch->chain.control)
            continue;
        out->moved++;
        const double variance = before[n + c * n + c] / (before[c] * before[c]) +
                                after[n + c * n + c] / (after[c] * after[c]);
        const double w = 1 / fmax(variance, 1e-12);
        sum += w * log(after[c] / before[c]);
        weight += w;
    }
    const double half = NORMAL_95 / sqrt(weight);
    out->factor = exp(sum / weight);
    out->low = exp(sum / weight - half);
    out->high = exp(sum / weight + half);
}

void det__incident_machine(det_watch *watch, const det__change *change, const double *before) {
    const bool scale = change->portion == DET__SCALE;
    const det__odd since = {.first = *det__stamp_at(watch, change->start),
                            .before = *det__stamp_at(watch, change->start - 1)};
    det__incident_begin(watch, scale ? DET_INCIDENT_SCALE : DET_INCIDENT_CONTROL, &since, NAN);
    factor_of(watch, before, watch->base, !scale);
    if (change->portion == (uint64_t)watch->chain.control)
        watch->incident.moved = watch->incident.seen;
}

static void count_on(const det_watch *watch, uint64_t serial, det__odd *row) {
    if (!row->count++) {
        row->first = *det__stamp_at(watch, serial);
        row->before = *det__stamp_at(watch, serial - 1);
    }
}

/* A row of odd nights, as long as it lasts. */
static void row_night(det_watch *watch, uint64_t serial, det__odd *row, det_incident_kind kind,
                      size_t moved) {
    det__incident *i = &watch->incident;
    const bool open = i->kind == (uint64_t)kind && i->lasts;
    if (!moved) {
        row->count = 0;
        if (open)
            i->lasts = 0;
        return;
    }
    count_on(watch, serial, row);
    if (open || row->count != 2)
        return;
    det__incident_begin(watch, kind, row, NAN);
    watch->incident.lasts = 1;
    watch->incident.moved = moved;
}

void det__incident_broken(det_watch *watch, uint64_t serial, bool broken, double factor) {
    row_night(watch, serial, &watch->broken_since, DET_INCIDENT_BROKEN,
              broken ? watch->chain.count : 0);
    watch->broken_since.factor = factor;
}

void det__incident_missing(det_watch *watch, uint64_t serial, size_t missing) {
    row_night(watch, serial, &watch->missing_since, DET_INCIDENT_MISSING, missing);
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
    det__put(line, " × ");
    det__put_number(line, i->factor);
    if (isnan(i->low))
        return;
    det__put(line, " (");
    det__put_number(line, i->low);
    det__put(line, " to ");
    det__put_number(line, i->high);
    det__put(line, ")");
}

static void put_who(det__line *line, const det_watch *watch, const det__incident *i) {
    const char *control = watch->chain.control < 0 ? "" : watch->chain.name[watch->chain.control];
    if (i->kind == DET_INCIDENT_CONTROL) {
        det__put(line, control);
        det__put(line,
                 i->moved == 1 ? " alone" : ", and what is measured on top of it by as much,");
        return;
    }
    det__put(line, i->moved == i->seen ? "all " : "");
    det__put_count(line, i->moved);
    det__put(line, i->moved == 1 ? " configuration" : " configurations");
}

static void explain(const det_watch *watch, const det__incident *i, det_incident *out) {
    det__line line = det__line_of(out->reason, sizeof out->reason);
    if (i->kind != DET_INCIDENT_ENVIRONMENT)
        put_who(&line, watch, i);
    switch ((det_incident_kind)i->kind) {
    case DET_INCIDENT_SCALE:
    case DET_INCIDENT_CONTROL:
        put_factor(&line, i);
        break;
    case DET_INCIDENT_BROKEN:
        det__put(&line, " far out of everything seen before");
        break;
    case DET_INCIDENT_MISSING:
        det__put(&line, " without a result");
        break;
    default:
        det__put(&line, "another environment");
        break;
    }
    det__put(&line, " since ");
    det__put(&line, i->since.label);
    if (i->kind == DET_INCIDENT_SCALE)
        det__put(&line, is_unit(i->factor) ? ", the control too: a unit or a clock, not the code"
                                           : ", the control too: the machine, not the code");
    if (i->kind == DET_INCIDENT_CONTROL)
        det__put(&line, ": machine or harness, not the code");
}

det_status det_watch_incident(const det_watch *watch, det_incident *out) {
    const det__incident *i = &watch->incident;
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
                          .seen = (size_t)i->seen};
    explain(watch, i, out);
    return DET_OK;
}

const char *det_incident_text(det_incident_kind kind) {
    static const char *const texts[] = {"none",   "scale",   "control",
                                        "broken", "missing", "environment"};
    return (unsigned)kind < sizeof texts / sizeof *texts ? texts[kind] : "unknown";
}
