#pragma once
/*
 * formats - the files that benchmark tools write: which tool a file is of, and what it says.
 *
 * A tool is one file here with its row in formats.c. Command line (import) and runner (driver
 * command) read by the same rows.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#include "config/units.h"

/*
 * json - the JSON of other tools: read whole, walked with the path in hand for errors.
 */

/**
 * fmt_json_read - one value, or several one behind the other as an array of them.
 *
 * "window.BENCHMARK_DATA =" before it and a semicolon behind it are passed over, as is a byte order
 * mark. NaN and Infinity, which are no JSON and which Python writes, become empty texts; U+0000 and
 * half a pair of surrogates in a text U+FFFD. A name that an object has twice is an error.
 * name     of the file, for errors "NAME:LINE:COLUMN: …"
 * several  out: whether there was more than one
 * Returns what to json_decref; NULL with error (CFG_ERROR_SYNTAX).
 */
json_t *fmt_json_read(const char *text, size_t size, const char *name, bool *several,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A place in such a value; it is not owned, and json is NULL where there is nothing. */
typedef struct fmt_at {
    const struct fmt_at *above; /* NULL: the root */
    const char *key;            /* NULL: an item */
    size_t index;
    json_t *json;
} fmt_at;

fmt_at fmt_root(json_t *root);
fmt_at fmt_get(const fmt_at *above, const char *key);
fmt_at fmt_item(const fmt_at *above, size_t index);
size_t fmt_size(const fmt_at *at); /* of an array; of anything else 0 */

/** fmt_real - a number, or a text that is one; NaN: neither. */
double fmt_real(const fmt_at *at);
/** fmt_text - borrowed; NULL: no text. */
const char *fmt_text(const fmt_at *at);
/* The same of a member. */
double fmt_real_of(const fmt_at *above, const char *key);
const char *fmt_text_of(const fmt_at *above, const char *key);

/** fmt_wrong - sets CFG_ERROR_SYNTAX: "benchmarks[3].name: …". Returns false. */
bool fmt_wrong(const fmt_at *at, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);

/** fmt_number - the number that a text is from its first to its last letter; NaN: it is none. */
double fmt_number(const char *text);

typedef struct {
    const char *path; /* NULL: the text is of no file whose neighbours may be looked at */
    const char *text; /* valid UTF-8, with a 0 at its end */
    size_t size;      /* bytes */
    json_t *root;     /* the text as JSON; NULL: it is none */
    bool several;     /* root is an array of what stands one behind the other */
    bool cpu_time;    /* take processor time where the tool has both */
} fmt_input;

typedef struct fmt_format {
    const char *name; /* of a night's format */
    const char *tool; /* for people */
    const char *how;  /* how the tool writes it, for errors */
    bool (*is)(const fmt_input *in);
    /* Appends fmt_night. False with error (CFG_ERROR_SYNTAX) that names the place. */
    bool (*read)(const fmt_input *in, GPtrArray *nights, GError **error);
} fmt_format;

/** fmt_has - has JSON that shape? A format of json_unpack and the keys in it; values are not taken.
 * NULL has none. */
#define fmt_has(json, ...) (json_unpack_ex(json, NULL, JSON_VALIDATE_ONLY, __VA_ARGS__) == 0)

/** fmt_of - the row at that place of list.h. */
const fmt_format *fmt_of(size_t place);

/**
 * fmt_read - what a text says.
 * format    NULL: which it is, its content says
 * name      of the file, for errors
 * path      where its neighbours are (Criterion's name stands in one); NULL: nowhere
 * Returns fmt_night* in the order of the file, to g_ptr_array_unref; NULL with error
 * (CFG_ERROR_SYNTAX): of no tool that is known, not whole, no benchmark in it.
 */
GPtrArray *fmt_read(const fmt_format *format, const char *name, const char *path, const char *text,
                    size_t size, bool cpu_time, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * night - what a tool's file says of one run of its benchmarks, checked and in nanoseconds, or, of
 * what is no time of a call, in its own unit.
 *
 * A value keeps what the file has: every number, and which of them one process (or repetition)
 * made. What is not taken stands in `left` with the reason: nothing goes without a word.
 */

/* A loop that gave no value. */
typedef struct {
    guint loop; /* its place among all, from 1 */
    char *why;
} fmt_failed;

typedef struct {
    char *name;         /* as the tool writes it */
    char *apart;        /* what tells it from others of that name: "mode=thrpt"; NULL: nothing */
    char *alone, *full; /* its name without that, and with it; NULL: as for apart */
    double mean_ns;     /* the loops' mean of means; without values what the tool says */
    double low_ns, high_ns; /* 95 % interval of that mean; NaN: the file has none */
    GArray *values_ns;      /* double, in order; empty: the tool says the mean alone */
    GArray *loops;          /* guint, values of each loop; empty: nobody knows, or there is one */
    GArray *failed;         /* fmt_failed, in order: loops beside these */
    bool rates;             /* the numbers were calls a time: a loop's mean is 1 / their mean */
    char *unit;             /* of all these numbers; NULL: they are ns */
    char *over;             /* the name of what they are differences to; NULL: they are whole */
    bool higher;            /* with a unit: more of it is better */
    double allocated_bytes; /* a call; NaN: nobody said */
    const char *no_values;  /* why values_ns is empty, and what to do; NULL: the mean will do */
} fmt_value;

/* The unit of what Callgrind counts. What was stored of it before it had one is ns: 1 an
 * instruction. */
#define FMT_INSTRUCTIONS "instructions"

/* A note of a night whose values are not as they stand in the file. */
#define FMT_HALVED                                                                                 \
    "MooBench has reported half of each mean since 2025-09-18 (an empty line counts as a loop of " \
    "0): "                                                                                         \
    "doubled"

typedef struct {
    char *name;         /* of the benchmark, "" where it has none */
    char *apart;        /* as that of a value; NULL: not known */
    char *alone, *full; /* likewise */
    char *why;
    GArray
        *failed; /* of the first of a name, all of whose loops failed: as of a value; else NULL */
} fmt_left;

typedef struct {
    const char *format;                   /* fmt_format.name */
    char *suite, *sha, *subject, *author; /* NULL: not known */
    gint64 time_ms, commit_ms;            /* when it ran, when the commit was made; -1: not known */
    bool lasting;      /* what tells equal names apart is the same in each file: no position, nor
                          parameter */
    bool by_unit;      /* anybody's file: a name in another unit is another value */
    GPtrArray *values; /* fmt_value* */
    GPtrArray *left;   /* fmt_left* */
    GPtrArray *notes;  /* char*: what was done with values, for people */
    GPtrArray *unread; /* char*: names of what stands beside the times */
    json_t *machine;   /* what the file says of where it ran: key → text or number */
} fmt_night;

/** fmt_night_new - appended to nights, which owns it (fmt_night_free). */
fmt_night *fmt_night_new(GPtrArray *nights, const char *format);
void fmt_night_free(void *night);

/**
 * fmt_night_value - the value of that name, made where there is none yet.
 * apart  NULL: none; each gets a value of its own
 */
fmt_value *fmt_night_value(fmt_night *night, const char *name, const char *apart);

/** fmt_night_once - likewise, of a name that the night has not yet; NULL with error: it has, at is
 * the second place. */
fmt_value *fmt_night_once(fmt_night *night, const fmt_at *at, const char *name, const char *apart,
                          GError **error);

/** fmt_each - the items of an array to read, until one fails. False with error then. */
bool fmt_each(const fmt_at *list, fmt_night *night,
              bool (*read)(const fmt_at *item, fmt_night *night, GError **error), GError **error);

/** fmt_value_loop - the numbers that follow are of another loop; fmt_value_add - one, in ns. */
void fmt_value_loop(fmt_value *value);
void fmt_value_add(fmt_value *value, double ns);

/** fmt_value_failed - one more loop, which gave none. Takes why. A value of failed loops alone is
 * none, and whoever reads it leaves it out by its reason, which the loops go along with. */
void fmt_value_failed(fmt_value *value, char *why);

/** fmt_value_means - the mean of each loop, value->loops->len of them; owned. */
double *fmt_value_means(const fmt_value *value);

/** fmt_night_leave - the file has this and it is not taken. apart  as for fmt_night_value */
void fmt_night_leave(fmt_night *night, const char *name, const char *apart, const char *why, ...)
    G_GNUC_PRINTF(4, 5);
void fmt_night_note(fmt_night *night, const char *text);

/** fmt_jmh_threads - the unit of JMH's rates: of all threads together, as a time is of one. */
void fmt_jmh_threads(cfg_unit *unit, double threads, fmt_night *night);

/** fmt_night_unread - the file has numbers of that name beside its times; a note tells them. */
void fmt_night_unread(fmt_night *night, const char *name);
/** fmt_night_unread_members - likewise, of each member of an object that is not in known. */
void fmt_night_unread_members(fmt_night *night, const fmt_at *of, const char *const *known);

/** fmt_night_machine - members of an object of the file that say where it ran: texts, numbers and
 * yes or no; what is longer than a line, or nested, is no such thing. keys  NULL-ended; NULL: all
 */
void fmt_night_machine(fmt_night *night, const fmt_at *of, const char *const *keys);

/**
 * fmt_night_numbers - the numbers of a list, each times factor; what is none is left out by its
 * place.
 * where  before that place: "run 3, "
 */
void fmt_night_numbers(fmt_night *night, fmt_value *value, const fmt_at *list, double factor,
                       const char *where);

/**
 * fmt_night_end - means of what was added; values that are no time of a call (not finite, 0 or
 * below) are left out; equal names, also of what is left out, are told apart by what differs:
 * "span [mode=thrpt]".
 * Returns false with error (CFG_ERROR_SYNTAX): two of one name that nothing tells apart.
 */
bool fmt_night_end(fmt_night *night, GError **error);

/** fmt_time_ms - of an ISO 8601 text, UTC where it names no zone; -1: NULL, or none. */
gint64 fmt_time_ms(const char *text);
