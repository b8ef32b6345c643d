#pragma once
/*
 * limits - absolute numbers for a project's nights: "start <= 2 s", "W <= 5 us", "sent >= 10
 * records/s".
 */
#include "config/model/night.h"
#include "detector/statistics/dimension.h"

typedef struct {
    const det_dimension *dimension; /* NULL: time */
    char *portion;                  /* NULL: of a whole process, the dearest one */
    char *unit;                     /* of a portion that is no time, "%"; else NULL */
    double bound;                   /* in that unit, or the dimension's; of time: ns a call */
    bool least;                     /* it is not to be below; else not above */
} cfg_limit;

void cfg_limit_clear(cfg_limit *limit);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_limit, cfg_limit_clear)

/* cfg_limit_read - "NAME <= NUMBER UNIT", "NAME of PORTION <= NUMBER UNIT" or "PORTION <= NUMBER
 * UNIT". NAME is a dimension's without its unit: "start", "peak", "lost". A portion that is no time
 * has its own unit: "dropped <= 0 spans", and may have a lower limit: "sent >= 10 records/s". False
 * with error: what is wrong, and what would be right. */
bool cfg_limit_read(const char *text, cfg_limit *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* cfg_limit_words - such a text, of a bound that leaves room: it is rounded away to two digits.
 * unit: of a portion that is no time; else NULL. Owned. */
char *cfg_limit_words(const char *dimension, const char *portion, const char *unit, double bound,
                      bool least);

/* cfg_limit_settle - a portion may be called as a dimension is. Of a night that has not measured
 * the dimension, but has such a portion, it is a limit of that. text: as it was read */
void cfg_limit_settle(cfg_limit *limit, const cfg_night *night, const char *text);

/* cfg_limit_judge - a limit beside a night whose portions, and dimensions with their loops, are
 * there; what is not measured has the state "unknown". Added to the night's limits; borrowed until
 * the next one. Surely above, or below, is what is so with its whole interval. */
cfg_limited *cfg_limit_judge(cfg_night *night, const char *text, const cfg_limit *limit);

/* cfg_limit_broken - is it surely on the wrong side? By its state. */
static inline bool cfg_limit_broken(const cfg_limited *one) {
    return cfg_is(one->state, "above") || cfg_is(one->state, "below");
}
