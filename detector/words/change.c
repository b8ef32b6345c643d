#include "detector/words/text__.h"

#include <math.h>
#include <string.h>

#define LARGEST 1e18   /* ns: 30 years; no time of a call */
#define SMALLEST 1e-6  /* of a unit: the last place there is */
#define SHARE_MOST 1e4 /* per cent: beyond it the share tells how near to zero it was before */
#define GAP_UNITS 8.0  /* of the last place, so that rounding leaves the difference as it is */
#define HALF_UNITS 2.0

det_change det_change_of(const char *name, const det_interval *before, const det_interval *after,
                         const det_interval *difference, double level) {
    return (det_change){.name = name,
                        .before = before->mean,
                        .after = after->mean,
                        .low = difference->low,
                        .high = difference->high,
                        .level = level,
                        .before_half = before->mean - before->low};
}

/* The unit that a value is told in: of a time the one that fits. */
static int unit_of(const det_change *c, double value) {
    return c->unit ? 0 : det__unit(value);
}

static void put_value(det__line *line, const det_change *c, double value, int unit, int decimals) {
    det__put_in(line, value, unit, decimals, c->unit);
}

/* How two times are written so that their difference can be seen. */
typedef struct {
    int unit[2], decimals[2];
    int direction; /* as printed */
} style;

static int is_time(double ns) {
    return isfinite(ns) && fabs(ns) < LARGEST;
}

static int larger_of(int a, int b) {
    return a > b ? a : b;
}

static style style_of(const det_change *c) {
    const double before = c->before, after = c->after;
    const double large = fmax(fabs(before), fabs(after)), small = fmin(fabs(before), fabs(after));
    const int unit = unit_of(c, large), own = unit_of(c, small);
    const double size = det__unit_ns(unit), gap = (after - before) / size;
    style s = {.unit = {unit, unit}, .direction = (after > before) - (after < before)};
    s.decimals[0] = s.decimals[1] =
        larger_of(det__decimals(large / size), det__decimals_of(gap, GAP_UNITS));
    if (own != unit && small < large / 10) {
        const int at = fabs(after) < fabs(before);
        s.unit[at] = own;
        s.decimals[at] = det__decimals(small / det__unit_ns(own));
        return s;
    }
    const double scale = pow(10, s.decimals[0]) / size;
    if (fabs(gap) < SMALLEST || round(before * scale) == round(after * scale)) {
        s.direction = 0;
        s.decimals[0] = s.decimals[1] = det__decimals(large / size);
    }
    return s;
}

int det__same_in_print(double a, double b) {
    const int unit = det__unit(fmax(fabs(a), fabs(b)));
    const double size = det__unit_ns(unit);
    const int decimals = larger_of(det__amount_decimals(a / size), det__amount_decimals(b / size));
    const double scale = pow(10, decimals) / size;
    return round(a * scale) == round(b * scale);
}

/* As told: +1 rose, -1 fell, 0 neither, or the numbers do not say. */
static int change_direction(const det_change *c) {
    return is_time(c->before) && is_time(c->after) ? style_of(c).direction : 0;
}

const char *det_change_verb(int direction) {
    return direction > 0 ? "rose" : direction < 0 ? "fell" : "changed";
}

const char *det_change_maybe(int direction) {
    return direction > 0   ? "may have risen"
           : direction < 0 ? "may have fallen"
                           : "may have changed";
}

int det__is_percent(const char *unit) {
    return unit && (strcmp(unit, "%") == 0 || strcmp(unit, "percent") == 0);
}

/* Nobody takes points for a share of the percentages. */
const char *det_gap_unit(const char *unit) {
    return det__is_percent(unit) ? "points" : unit;
}

static void put_gap(det__line *line, const det_change *c, double value, int unit, int decimals) {
    det__put_in(line, value, unit, decimals, det_gap_unit(c->unit));
}

static void put_signed(det__line *line, const det_change *c, double value, int unit, int decimals) {
    det__put(line, value < 0 ? "" : "+");
    put_gap(line, c, value, unit, decimals);
}

/* Of what was there before; nothing where that is nothing to compare with, or may be. */
static int is_share(double percent, double before, double half) {
    return before > 0 && !(half >= before) && isfinite(percent) && fabs(percent) < SHARE_MOST &&
           det__decimals_of(percent, 1) < DET__DECIMALS_MAX;
}

static double percent_of(const det_change *c) {
    return 100 * (c->after - c->before) / c->before;
}

static int has_share(const det_change *c) {
    return is_share(percent_of(c), c->before, c->before_half);
}

int det_change_share(char *text, size_t size, double change, const det_interval *before) {
    det__line line = det__line_of(text, size);
    const double percent = 100 * change / before->mean;
    const int told = is_share(percent, before->mean, before->mean - before->low);
    if (told)
        det__put_share(&line, percent);
    return told;
}

void det_scale_text(char *text, size_t size, double factor) {
    det__line line = det__line_of(text, size);
    det__put_fixed(&line, factor, det__factor_decimals(factor));
}

void det_factor_text(char *text, size_t size, const det_interval *factor) {
    det__line line = det__line_of(text, size);
    const double half = (factor->high - factor->low) / 2;
    const int gone = half < 0.005;
    det__put_fixed(&line, factor->mean, 2);
    det__put(&line, gone ? " ± < " : " ± ");
    det__put_fixed(&line, gone ? 0.01 : half, 2);
}

/* The rounding of a subtraction may put a narrow interval beside its own middle, and gives one to
 * values that are all equal. */
static double slack_of(const det_change *c) {
    return 1e-9 * (fabs(c->before) + fabs(c->after));
}

static int has_interval(const det_change *c) {
    const double mean = c->after - c->before, slack = slack_of(c);
    return is_time(c->low) && is_time(c->high) && c->low <= mean + slack && c->high >= mean - slack;
}

/* A difference that cannot be told from 0 does not rise. */
static const char *verb_of(const det_change *c, int direction) {
    const int chance = has_interval(c) && c->low <= 0 && c->high >= 0;
    return c->known == DET_KNOWN_ASKED || (c->known != DET_KNOWN_JUDGED && chance)
               ? det_change_maybe(direction)
               : det_change_verb(direction);
}

static void put_difference(det__line *line, const det_change *c) {
    const double mean = c->after - c->before;
    const int told = has_interval(c) && c->high - c->low > slack_of(c);
    const double most = told ? fmax(fabs(mean), fmax(fabs(c->low), fabs(c->high))) : fabs(mean);
    const int unit = unit_of(c, fabs(mean) < most / 1000 ? mean : most); /* it must not vanish */
    const double size = det__unit_ns(unit);
    int decimals = larger_of(det__decimals(mean / size), det__decimals_of(mean / size, GAP_UNITS));
    if (told)
        decimals = larger_of(decimals, det__decimals_of((c->high - c->low) / 2 / size, HALF_UNITS));
    det__put(line, " (");
    put_signed(line, c, mean, unit, decimals);
    if (has_share(c)) {
        det__put(line, ", ");
        det__put_share(line, percent_of(c));
    }
    if (told) {
        det__put(line, "; ");
        if (c->level > 0 && c->level < 1) {
            det__put_level(line, c->level);
            det__put(line, " ");
        }
        det__put(line, c->of_two ? "interval of these two nights alone " : "interval ");
        put_signed(line, c, fmin(c->low, mean), unit, decimals);
        det__put(line, " to ");
        put_signed(line, c, fmax(c->high, mean), unit, decimals);
    }
    det__put(line, ")");
}

void det__put_change(det__line *line, const det_change *c, int slowly) {
    det__put(line, c->name);
    det__put(line, " ");
    if (!is_time(c->before) || !is_time(c->after)) {
        det__put(line, "changed");
        return;
    }
    const style s = style_of(c);
    if (s.direction == 0) {
        det__put(line, "stayed at ");
        put_value(line, c, c->after, s.unit[1], s.decimals[1]);
        return;
    }
    const int first = c->known == DET_KNOWN_CLEARED; /* which of both stands first */
    const double values[] = {c->before, c->after};
    det__put(line, first ? "is" : verb_of(c, s.direction));
    det__put(line, first ? " " : slowly ? " slowly from " : " from ");
    put_value(line, c, values[first], s.unit[first], s.decimals[first]);
    det__put(line, first ? " against " : " to ");
    put_value(line, c, values[!first], s.unit[!first], s.decimals[!first]);
    put_difference(line, c);
}

void det_change_sentence(char *text, size_t size, const det_change *change) {
    det__line line = det__line_of(text, size);
    det__put_change(&line, change, 0);
}

void det_change_headline(char *text, size_t size, const det_change *c) {
    det__line line = det__line_of(text, size);
    const int direction = change_direction(c);
    const double gap = fabs(c->after - c->before);
    det__put(&line, c->name);
    det__put(&line, " ");
    if (direction == 0) {
        det__put(&line, isfinite(gap) ? "stayed as it was" : "changed");
        return;
    }
    det__put(&line, verb_of(c, direction));
    det__put(&line, " by ");
    if (has_share(c) && !det__is_percent(c->unit)) {
        const double percent = fabs(percent_of(c));
        det__put_fixed(&line, percent,
                       larger_of(det__decimals(percent), det__decimals_of(percent, 10)));
        det__put(&line, " %");
        return;
    }
    const int unit = unit_of(c, gap);
    const double size_ns = det__unit_ns(unit);
    put_gap(&line, c, gap, unit,
            larger_of(det__decimals(gap / size_ns), det__decimals_of(gap / size_ns, 10)));
}
