#include "detector/words/text__.h"

#include <math.h>

#define HUGE 1e15          /* all digits are exact below */
#define NOTHING 5e-7       /* half of the last place there is */
#define THREE_DIGITS 99.95 /* of the last place: rounded, 100 or more */

det__line det__line_of(char *text, size_t size) {
    *text = 0;
    return (det__line){.at = text, .end = text + size - 1};
}

void det__put(det__line *line, const char *text) {
    char *at = line->at;
    while (*text && at < line->end)
        *at++ = *text++;
    *at = 0;
    line->at = at;
}

/* At least `width` digits, with leading zeros. */
static void put_digits(det__line *line, unsigned long long count, int width) {
    char digits[24], *first = digits + sizeof digits - 1;
    *first = 0;
    for (; count || width > 0; count /= 10, width--)
        *--first = (char)('0' + count % 10);
    det__put(line, first);
}

void det__put_count(det__line *line, unsigned long long count) {
    put_digits(line, count, 1);
}

int det__decimals(double value) {
    const double size = fabs(value);
    return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

int det__decimals_of(double step, double units) {
    double size = fabs(step);
    int decimals = 0;
    while (size < units && decimals < DET__DECIMALS_MAX) {
        size *= 10;
        decimals++;
    }
    return decimals;
}

int det__factor_decimals(double factor) {
    const int one = det__decimals_of(factor, 1);
    const double scale = pow(10, one), rounded = round(factor * scale) / scale;
    const int enough = fabs(rounded / factor - 1) < 0.02 ? one : det__decimals_of(factor, 10);
    return enough > det__decimals(factor) ? enough : det__decimals(factor);
}

void det__put_fixed(det__line *line, double value, int decimals) {
    static const unsigned scales[DET__DECIMALS_MAX + 1] = {1,     10,     100,    1000,
                                                           10000, 100000, 1000000};
    const unsigned scale = scales[decimals];
    const double scaled = round(fabs(value) * scale);
    if (!(scaled < HUGE)) {
        det__put(line, isnan(value) ? "unknown" : "huge");
        return;
    }
    const unsigned long long all = (unsigned long long)scaled;
    if (value < 0 && all)
        det__put(line, "-");
    put_digits(line, all / scale, 1);
    if (decimals) {
        det__put(line, ".");
        put_digits(line, all % scale, decimals);
    }
}

void det__put_number(det__line *line, double value) {
    det__put_fixed(line, value, det__decimals(value));
}

void det__put_share(det__line *line, double percent) {
    const int own = det__decimals(percent), few = det__decimals_of(percent, 10);
    det__put(line, percent > 0 ? "+" : "");
    det__put_fixed(line, percent, own > few ? own : few);
    det__put(line, " %");
}

void det__put_level(det__line *line, double confidence) {
    const double percent = 100 * confidence;
    double scale = 1;
    int decimals = 0;
    while (decimals < 4 && fabs(round(percent * scale) / scale - percent) > 1e-9) {
        scale *= 10;
        decimals++;
    }
    det__put_fixed(line, percent, decimals);
    det__put(line, " %");
}

int det__unit(double ns) {
    double size = fabs(ns);
    int unit = 0;
    while (size >= 999.5 && unit < 3) {
        size /= 1000;
        unit++;
    }
    return unit;
}

double det__unit_ns(int unit) {
    static const double sizes[] = {1, 1e3, 1e6, 1e9};
    return sizes[unit];
}

void det__put_in(det__line *line, double value, int unit, int decimals, const char *name) {
    static const char *const names[] = {"ns", "µs", "ms", "s"};
    det__put_fixed(line, value / det__unit_ns(unit), decimals);
    if (!name || *name) {
        det__put(line, " ");
        det__put(line, name ? name : names[unit]);
    }
}

int det__amount_decimals(double value) {
    return fabs(value) < NOTHING ? det__decimals(value) : det__decimals_of(value, THREE_DIGITS);
}

void det__put_amount(det__line *line, double value, const char *name) {
    const int unit = name ? 0 : det__unit(value);
    det__put_in(line, value, unit, det__amount_decimals(value / det__unit_ns(unit)), name);
}
