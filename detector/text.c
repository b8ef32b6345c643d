#include "detector/text__.h"

#include <math.h>
#include <stdio.h>

static void number(char *out, size_t size, double value) {
    const double size_of = fabs(value);
    const int decimals = size_of < 9.995 ? 2 : size_of < 99.95 ? 1 : 0;
    const double scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    const double scaled = round(size_of * scale);
    if (!(scaled < 1e15)) {
        (void)snprintf(out, size, "%s", isnan(value) ? "unknown" : "huge");
        return;
    }
    const long long all = (long long)scaled, whole = all / (long long)scale;
    const int part = (int)(all % (long long)scale);
    const char *sign = value < 0 && all ? "-" : "";
    if (decimals)
        (void)snprintf(out, size, "%s%lld.%0*d", sign, whole, decimals, part);
    else
        (void)snprintf(out, size, "%s%lld", sign, whole);
}

void det__number(char out[DET__TEXT], double value) {
    number(out, DET__TEXT, value);
}

static void duration(char *out, size_t size, double ns) {
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    char text[20];
    int unit = 0;
    while (fabs(ns) >= 999.5 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    number(text, sizeof text, ns);
    (void)snprintf(out, size, "%s %s", text, units[unit]);
}

void det__duration(char out[DET__TEXT], double ns) {
    duration(out, DET__TEXT, ns);
}

void det__signed_duration(char out[DET__TEXT], double ns) {
    out[0] = '+';
    duration(ns < 0 ? out : out + 1, DET__TEXT - 1, ns);
}
