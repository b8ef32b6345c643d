#include "config/units.h"

#include <glib.h>
#include <string.h>

#define ROWS(list) (sizeof(list) / sizeof *(list))

typedef struct {
    const char *name;
    double value;
} word;

static const word times[] = {{"ps", 1e-3},          {"ns", 1},
                             {"nsec", 1},           {"nanosecond", 1},
                             {"nanoseconds", 1},    {"us", 1e3},
                             {"µs", 1e3},           {"\u03bcs", 1e3},
                             {"usec", 1e3},         {"microsecond", 1e3},
                             {"microseconds", 1e3}, {"ms", 1e6},
                             {"msec", 1e6},         {"millisecond", 1e6},
                             {"milliseconds", 1e6}, {"s", 1e9},
                             {"sec", 1e9},          {"secs", 1e9},
                             {"second", 1e9},       {"seconds", 1e9},
                             {"min", 60e9},         {"hr", 3600e9},
                             {"day", 86400e9}};

/* Units of time that a rate may be of, beside these: a time per call nobody writes so. */
static const char *const spans[] = {"minute", "hour", "h", "d", "min", "hr", "day"};

/* A word before a unit: the statistic that the number is. */
static const char *const statistics[] = {"mean", "average", "avg", "median", "p50"};

/* Words for one call. A byte is not one, nor is an element. */
static const char *const calls[] = {"",          "1",    "op",         "operation", "iter",
                                    "iteration", "call", "invocation", "run",       "loop",
                                    "execution", "test", "round"};

/* What one call may handle, and what a load test counts: so many of them at once, each of which
 * takes longer than 1 / rate. */
static const char *const handled[] = {
    "req",     "request", "span", "record", "event", "message", "transaction", "sample", "query",
    "queries", "msg",     "tx",   "txn",    "trace", "hit",     "job",         "task"};

/* Rates by one word, in small letters, with a prefix or without. */
static const char *const rates[] = {"rps", "qps",  "tps",   "fps", "ops", "bps",  "pps", "eps",
                                    "hz",  "iops", "flops", "rpm", "tpm", "s^-1", "s-1"};

static const word prefixes[] = {{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

static double time_ns(const char *unit, size_t length) {
    for (size_t i = 0; i < ROWS(times); i++)
        if (strlen(times[i].name) == length && strncmp(times[i].name, unit, length) == 0)
            return times[i].value;
    return 0;
}

/* The unit behind the word for a statistic: "ms" of "median ms". */
static const char *statistic_skip(const char *unit) {
    for (size_t i = 0; i < ROWS(statistics); i++) {
        const size_t length = strlen(statistics[i]);
        if (strncmp(unit, statistics[i], length) == 0 && unit[length] == ' ')
            return unit + length + 1;
    }
    return unit;
}

/* In the singular or the plural. */
static bool is_word(const char *const *words, size_t count, const char *text, size_t length) {
    for (size_t i = 0; i < count; i++) {
        const size_t own = strlen(words[i]);
        if (strncmp(words[i], text, own) == 0 &&
            (length == own || (own > 0 && length == own + 1 && text[own] == 's')))
            return true;
    }
    return false;
}

static bool is_handled(const char *text, size_t length) {
    return is_word(handled, ROWS(handled), text, length);
}

static bool is_call(const char *text, size_t length) {
    return is_word(calls, ROWS(calls), text, length) || is_handled(text, length);
}

/* Whether what follows a unit leaves it the time of a call: "", "/op", " per call". */
static bool is_of_call(const char *rest) {
    static const char per[] = " per ";
    const size_t skipped = *rest == '/' ? 1 : strlen(per);
    return *rest == '\0' || ((*rest == '/' || strncmp(rest, per, skipped) == 0) &&
                             is_call(rest + skipped, strlen(rest + skipped)));
}

/* 0 for "ns/byte" and for "min ns", which is a statistic: neither is the time of a call. */
double cfg_unit_ns(const char *unit) {
    const char *own = unit ? statistic_skip(unit) : "";
    const size_t length = strcspn(own, "/ ");
    return is_of_call(own + length) ? time_ns(own, length) : 0;
}

/* How many the counter of a rate is: 1e6 of "Mops"; 0: it counts something else. */
static double counted(bool (*is)(const char *text, size_t length), const char *text,
                      size_t length) {
    if (is(text, length))
        return 1;
    for (size_t i = 0; i < ROWS(prefixes); i++) {
        const size_t own = strlen(prefixes[i].name);
        if (length > own && strncmp(text, prefixes[i].name, own) == 0 &&
            is(text + own, length - own))
            return prefixes[i].value;
    }
    return 0;
}

bool cfg_unit_is_throughput(const char *unit) {
    const char *slash = unit ? strchr(unit, '/') : NULL;
    return slash && cfg_unit_rate_ns(unit) > 0 &&
           counted(is_handled, unit, (size_t)(slash - unit)) > 0;
}

double cfg_unit_rate_ns(const char *unit) {
    const char *slash = unit ? strchr(unit, '/') : NULL;
    if (!slash || cfg_unit_ns(unit) > 0)
        return 0;
    const double calls_each = counted(is_call, unit, (size_t)(slash - unit));
    return calls_each > 0 ? time_ns(slash + 1, strlen(slash + 1)) / calls_each : 0;
}

/* Whether it goes on with a time: "s", "hours/core" of "req/hours/core". */
static bool is_span(const char *text) {
    const size_t length = strcspn(text, " /_-(,");
    return time_ns(text, length) > 0 || is_word(spans, ROWS(spans), text, length);
}

/* What follows "/" or "per" at that place of a unit; NULL: neither is there. */
static const char *per_at(const char *unit, size_t i) {
    static const char ends[] = " _-";
    const bool per = i > 0 && strchr(ends, unit[i - 1]) && strncmp(unit + i, "per", 3) == 0 &&
                     unit[i + 3] != '\0' && strchr(ends, unit[i + 3]);
    const char *rest = unit + i + (per ? 4 : 1);
    return per || unit[i] == '/' ? rest + strspn(rest, " ") : NULL;
}

static bool is_rate_word(const char *text) {
    text += strspn(text, " ");
    const size_t length = strcspn(text, " ");
    bool found = false;
    for (size_t i = 0; i < ROWS(rates) && !found; i++)
        found = strlen(rates[i]) == length && strncmp(rates[i], text, length) == 0;
    return found;
}

/* In small letters. */
static bool is_rate(const char *unit) {
    bool per = false;
    for (size_t i = 0; unit[i] != '\0'; i++) {
        const char *rest = per_at(unit, i);
        if (rest && is_span(rest))
            return true;
        per = per || rest;
    }
    const bool prefix = *unit != '\0' && strchr("kmgt", *unit);
    return !per && (is_rate_word(unit) || (prefix && is_rate_word(unit + 1 + (unit[1] == 'i'))));
}

bool cfg_unit_is_rate(const char *unit) {
    g_autofree char *small = unit ? g_ascii_strdown(unit, -1) : NULL;
    return small && !(cfg_unit_ns(unit) > 0) && is_rate(statistic_skip(small));
}

bool cfg_unit_of(const char *text, cfg_unit *unit) {
    const double ns = cfg_unit_ns(text), rate = cfg_unit_rate_ns(text);
    *unit = (cfg_unit){ns > 0 ? ns : rate, !(ns > 0)};
    return unit->ns > 0;
}

double cfg_unit_to_ns(const cfg_unit *unit, double value) {
    return unit->rate ? unit->ns / value : value * unit->ns;
}

double cfg_unit_from_ns(const cfg_unit *unit, double ns) {
    return unit->rate ? unit->ns / ns : ns / unit->ns;
}
