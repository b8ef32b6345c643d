#include "config/units.h"

#include <stddef.h>
#include <string.h>

static double prefix_ns(const char *unit, size_t length) {
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1},    {"nsec", 1},      {"nanoseconds", 1},    {"us", 1e3},
                 {"µs", 1e3},  {"\u03bcs", 1e3}, {"usec", 1e3},         {"microseconds", 1e3},
                 {"ms", 1e6},  {"msec", 1e6},    {"milliseconds", 1e6}, {"s", 1e9},
                 {"sec", 1e9}, {"seconds", 1e9}, {"min", 60e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && strncmp(units[i].name, unit, length) == 0)
            return units[i].ns;
    return 0;
}

double cfg_unit_ns(const char *unit) {
    return unit ? prefix_ns(unit, strcspn(unit, "/ ")) : 0;
}

double cfg_unit_rate_ns(const char *unit) {
    const char *slash = unit ? strchr(unit, '/') : NULL;
    if (!slash || cfg_unit_ns(unit) > 0)
        return 0;
    return prefix_ns(slash + 1, strlen(slash + 1));
}
