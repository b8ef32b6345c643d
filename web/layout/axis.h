#pragma once
/*
 * Numbers for people: units, sensible digits, and the round ticks of an axis. Locale-free.
 */
#include <glib.h>
#include <stdbool.h>

typedef struct {
    const char *name; /* "ns", "µs", "ms", "s" */
    double ns;        /* how many nanoseconds one of it is */
} web_unit;

typedef struct {
    double low, high, step; /* nanoseconds; low <= 0 <= high for a stack */
    web_unit unit;
    int decimals; /* for tick labels, in the unit */
} web_axis;

/** web_unit_for - the unit in which value_ns (any sign) has one to three digits before the
 * point. */
web_unit web_unit_for(double value_ns);

/**
 * web_axis_make - an axis that holds [low_ns, high_ns] and zero, with at most `wanted` round steps
 * (1, 2 or 5 times a power of ten). Its ends need not be ticks, so that no room is lost. An empty
 * range gives 0 to 1 ns.
 */
web_axis web_axis_make(double low_ns, double high_ns, int wanted);

/** web_format_tick - "1.5": a value of the axis in its unit, without the unit. Free with g_free. */
char *web_format_tick(const web_axis *axis, double value_ns);

/** web_format_value - "1.77 µs": three significant digits and the unit. Free with g_free. */
char *web_format_value(double value_ns);

/**
 * web_format_interval - mean and half width with as many decimals as the half width deserves.
 * unit  the unit to print in (the unit itself is not printed)
 * mean, half  out: "1.77" and "0.05"; free each with g_free
 */
void web_format_interval(double mean_ns, double half_ns, web_unit unit, char **mean, char **half);
