#pragma once
/* Texts that strangers wrote, and numbers, for people. */
#include <glib.h>
#include <stddef.h>

/**
 * web_text_clean - a copy that is valid UTF-8, on one line, without control or bidi override
 * characters, cut to max_chars with an ellipsis. NULL gives "". Free with g_free.
 */
char *web_text_clean(const char *text, size_t max_chars);

/** web_text_name - likewise of a name: it is cut in its middle, since names differ at their ends.
 */
char *web_text_name(const char *text, size_t max_chars);

/* A name after @ is told so on GitHub, GitLab, Gitea, Slack and Mattermost, and #1, !1 and their
 * like leave a note at what they name. &#64; does not keep a forge from it, which looks at what has
 * been rendered; a space of no width behind the sign does. */

/** web_text_unpinged - a copy that names nobody and nothing so. NULL gives "". Free with g_free. */
char *web_text_unpinged(const char *text);

/** web_text_markdown - appended so that it is shown as it is: it starts no Markdown or HTML, no
 * command of GitLab (/close), and names nobody and nothing as above. A name of code in backticks
 * stays code. web_text_markdown_line - the same of what web_text_clean leaves of it. */
void web_text_markdown(GString *to, const char *text);
void web_text_markdown_line(GString *to, const char *text, size_t most);

/*
 * Numbers for people: units, sensible digits, and the round ticks of an axis. Locale-free.
 */

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
 * point. name: the unit that the value has, as in all that follows; NULL: it is a time. Borrowed.
 */
web_unit web_unit_for(double value_ns, const char *name);

/**
 * web_axis_make - an axis that holds [low_ns, high_ns] and zero, with at most `wanted` round steps
 * (1, 2 or 5 times a power of ten). Its ends need not be ticks, so that no room is lost. An empty
 * range gives 0 to 1 ns.
 */
web_axis web_axis_make(double low_ns, double high_ns, int wanted, const char *name);

/** web_format_tick - "1.5": a value of the axis in its unit, without the unit. Free with g_free. */
char *web_format_tick(const web_axis *axis, double value_ns);

/** web_format_value - "1.77 µs": three significant digits and the unit. Free with g_free. */
char *web_format_value(double value_ns, const char *name);

/**
 * web_format_interval - mean and half width with as many decimals as the half width deserves.
 * unit  the unit to print in (the unit itself is not printed)
 * mean, half  out: "1.77" and "0.05", or "< 0.001" of one that rounds to nothing; free each with
 *             g_free
 */
void web_format_interval(double mean_ns, double half_ns, web_unit unit, char **mean, char **half);
