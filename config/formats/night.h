#pragma once
/*
 * night - what a tool's file says of one run of its benchmarks, checked and in nanoseconds.
 *
 * A value keeps what the file has: every number, and which of them one process (or repetition)
 * made. What is not taken stands in `left` with the reason: nothing goes without a word.
 */
#include <glib.h>
#include <stdbool.h>

typedef struct {
    char *name;     /* as the tool writes it */
    char *apart;    /* what tells it from others of that name: "mode=thrpt"; NULL: nothing */
    double mean_ns; /* the loops' mean of means; without values what the tool says */
    double low_ns, high_ns; /* 95 % interval of that mean; NaN: the file has none */
    GArray *values_ns;      /* double, in order; empty: the tool says the mean alone */
    GArray *loops;          /* guint, values of each loop; empty: nobody knows, or there is one */
    bool rates;             /* the numbers were calls a time: a loop's mean is 1 / their mean */
    double allocated_bytes; /* a call; NaN: nobody said */
    const char *no_values;  /* why values_ns is empty, and what to do; NULL: the mean will do */
} fmt_value;

/* A note of a night whose values are not as they stand in the file. */
#define FMT_HALVED                                                                                 \
    "MooBench told half of each mean since 2025-09-18 (an empty line counts as a loop of 0): "     \
    "doubled"

typedef struct {
    char *name;  /* of the benchmark, "" where it has none */
    char *apart; /* as that of a value; NULL: not known */
    char *why;
} fmt_left;

typedef struct {
    const char *format;                   /* fmt_format.name */
    char *suite, *sha, *subject, *author; /* NULL: not known */
    gint64 time_ms, commit_ms;            /* when it ran, when the commit was made; -1: not known */
    GPtrArray *values;                    /* fmt_value* */
    GPtrArray *left;                      /* fmt_left* */
    GPtrArray *notes;                     /* char*: what was done with values, for people */
} fmt_night;

/** fmt_night_new - appended to nights, which owns it (fmt_night_free). */
fmt_night *fmt_night_new(GPtrArray *nights, const char *format);
void fmt_night_free(void *night);

/**
 * fmt_night_value - the value of that name, made where there is none yet.
 * apart  NULL: none; each gets a value of its own
 */
fmt_value *fmt_night_value(fmt_night *night, const char *name, const char *apart);

/** fmt_value_loop - the numbers that follow are of another loop; fmt_value_add - one, in ns. */
void fmt_value_loop(fmt_value *value);
void fmt_value_add(fmt_value *value, double ns);

/** fmt_value_means - the mean of each loop, value->loops->len of them; owned. */
double *fmt_value_means(const fmt_value *value);

/** fmt_night_leave - the file has this and it is not taken. apart  as for fmt_night_value */
void fmt_night_leave(fmt_night *night, const char *name, const char *apart, const char *why, ...)
    G_GNUC_PRINTF(4, 5);
void fmt_night_note(fmt_night *night, const char *text);

/**
 * fmt_night_end - means of what was added; values that are no time of a call (not finite, 0 or
 * below) are left out; equal names, also of what is left out, are told apart by what differs:
 * "span [mode=thrpt]".
 * Returns false with error (CFG_ERROR_SYNTAX): two of one name that nothing tells apart.
 */
bool fmt_night_end(fmt_night *night, GError **error);

/** fmt_time_ms - of an ISO 8601 text, UTC where it names no zone; -1: NULL, or none. */
gint64 fmt_time_ms(const char *text);
