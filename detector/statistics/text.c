#include "detector/statistics/text__.h"

#include <math.h>

#define HUGE 1e15 /* all digits are exact below */

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

void det__put_number(det__line *line, double value) {
    const double size_of = fabs(value);
    const int decimals = size_of < 9.995 ? 2 : size_of < 99.95 ? 1 : 0;
    const unsigned scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    const double scaled = round(size_of * scale);
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

void det__put_duration(det__line *line, double ns) {
    static const char *const units[] = {" ns", " µs", " ms", " s"};
    int unit = 0;
    while (fabs(ns) >= 999.5 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    det__put_number(line, ns);
    det__put(line, units[unit]);
}

void det__put_signed_duration(det__line *line, double ns) {
    if (!(ns < 0))
        det__put(line, "+");
    det__put_duration(line, ns);
}
