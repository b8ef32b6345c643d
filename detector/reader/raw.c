#include "detector/reader/raw.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAW_COLUMNS 4
#define RAW_DIGITS_MAX                                                                             \
    20 /* 2^53 has 16; leading zeros beyond that do not occur in numbers of ours */

/* Calls of one thread in a row. */
typedef struct {
    unsigned thread; /* index into ids */
    size_t count;
} run;

struct det_raw {
    det_raw_options options;
    double *ns; /* [capacity], all calls, warm-up included */
    size_t calls, capacity;
    run *runs;
    size_t runs_count, runs_capacity;
    uint64_t ids[DET_RAW_THREADS_MAX];
    unsigned threads, last_thread;
    uint64_t first_ns;           /* of the first call */
    uint64_t collections_first;  /* at the first call behind warmup_calls */
    int columns;                 /* of the file; 0: no line seen yet */
    uint64_t field[RAW_COLUMNS]; /* of the line under way */
    int fields, digits;          /* finished fields; digits of the one under way */
    det_status failed;
    det_raw_error error;
};

det_raw *det_raw_new(const det_raw_options *options) {
    det_raw *raw = calloc(1, sizeof *raw);
    if (!raw)
        return NULL;
    raw->options = options ? *options : (det_raw_options){.warmup_calls = DET_RAW_WARMUP_HALF};
    if (!raw->options.calls_max)
        raw->options.calls_max = DET_RAW_CALLS_DEFAULT;
    raw->error.line = raw->error.column = 1;
    return raw;
}

void det_raw_free(det_raw *raw) {
    if (!raw)
        return;
    free(raw->ns);
    free(raw->runs);
    free(raw);
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static det_status
fail(det_raw *raw, det_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(raw->error.text, sizeof raw->error.text, format, arguments);
    va_end(arguments);
    raw->failed = status;
    return status;
}

static det_status reserve(det_raw *raw) {
    if (raw->calls >= raw->options.calls_max)
        return fail(raw, DET_ENOMEM, "more than %zu calls; raise the limit or make fewer calls",
                    raw->options.calls_max);
    if (raw->calls < raw->capacity)
        return DET_OK;
    size_t larger = raw->capacity ? raw->capacity * 2 : 4096;
    if (larger > raw->options.calls_max)
        larger = raw->options.calls_max;
    double *ns = larger > SIZE_MAX / sizeof *ns ? NULL : realloc(raw->ns, larger * sizeof *raw->ns);
    if (!ns)
        return fail(raw, DET_ENOMEM, "no memory for %zu calls", larger);
    raw->ns = ns;
    raw->capacity = larger;
    return DET_OK;
}

static det_status thread_of(det_raw *raw, uint64_t id) {
    if (raw->threads && raw->ids[raw->last_thread] == id)
        return DET_OK;
    unsigned i = 0;
    while (i < raw->threads && raw->ids[i] != id)
        i++;
    if (i == DET_RAW_THREADS_MAX)
        return fail(raw, DET_ESYNTAX, "more than %u different thread ids in the first column",
                    DET_RAW_THREADS_MAX);
    if (i == raw->threads)
        raw->ids[raw->threads++] = id;
    raw->last_thread = i;
    return DET_OK;
}

static det_status run_count(det_raw *raw) {
    run *last = raw->runs_count ? &raw->runs[raw->runs_count - 1] : NULL;
    if (last && last->thread == raw->last_thread) {
        last->count++;
        return DET_OK;
    }
    if (!raw->runs || raw->runs_count == raw->runs_capacity) {
        const size_t larger = raw->runs_capacity ? raw->runs_capacity * 2 : 16;
        run *runs =
            larger > SIZE_MAX / sizeof *runs ? NULL : realloc(raw->runs, larger * sizeof *runs);
        if (!runs)
            return fail(raw, DET_ENOMEM, "no memory for %zu changes of thread", larger);
        raw->runs = runs;
        raw->runs_capacity = larger;
    }
    raw->runs[raw->runs_count++] = (run){.thread = raw->last_thread, .count = 1};
    return DET_OK;
}

static det_status line_end(det_raw *raw) {
    if (!raw->columns)
        raw->columns = raw->fields;
    if (raw->fields != raw->columns)
        return fail(raw, DET_ESYNTAX, "the line has %d columns, the lines before it have %d",
                    raw->fields, raw->columns);
    det_status status = thread_of(raw, raw->field[0]);
    if (status == DET_OK)
        status = reserve(raw);
    if (status == DET_OK)
        status = run_count(raw);
    if (status != DET_OK)
        return status;
    raw->ns[raw->calls] = (double)raw->field[1];
    if (raw->calls == 0)
        raw->first_ns = raw->field[1];
    if (raw->calls == raw->options.warmup_calls)
        raw->collections_first = raw->field[3];
    raw->calls++;
    raw->fields = 0;
    raw->error.line++;
    raw->error.column = 0; /* the caller steps on to 1 */
    return DET_OK;
}

static det_status field_end(det_raw *raw, int newline) {
    if (!raw->digits)
        return fail(raw, DET_ESYNTAX,
                    raw->fields || !newline ? "an empty column" : "an empty line");
    raw->digits = 0;
    raw->fields++;
    if (newline && raw->fields != 2 && raw->fields != RAW_COLUMNS)
        return fail(raw, DET_ESYNTAX,
                    "a line with %d columns; expected thread;ns or thread;ns;heap;collections",
                    raw->fields);
    if (!newline && raw->fields >= RAW_COLUMNS)
        return fail(raw, DET_ESYNTAX, "a fifth column; expected thread;ns;heap;collections");
    if (!newline)
        raw->field[raw->fields] = 0;
    return newline ? line_end(raw) : DET_OK;
}

static det_status unexpected(det_raw *raw, unsigned char c) {
    if (c == '\r')
        return fail(raw, DET_ESYNTAX,
                    "a carriage return; lines must end in \\n alone, as dos2unix makes them");
    if (c == 0)
        return fail(raw, DET_ESYNTAX, "a NUL byte; the file is damaged");
    if (c == '-')
        return fail(raw, DET_ESYNTAX, "a negative number; the clock or a counter went wrong");
    if (raw->error.line == 1 && !raw->fields && !raw->digits && isalpha(c))
        return fail(raw, DET_ESYNTAX,
                    "text in the first line; a header is not expected, remove it");
    if (raw->error.line == 1 && raw->error.column == 1 && c == 0xef)
        return fail(raw, DET_ESYNTAX, "a byte order mark; remove it, only digits are expected");
    if (c == ',' || c == '\t' || c == ' ')
        return fail(raw, DET_ESYNTAX, "a %s; columns are separated by ;",
                    c == ','   ? "comma"
                    : c == ' ' ? "space"
                               : "tabulator");
    if (c == '.')
        return fail(raw, DET_ESYNTAX, "a decimal point; only whole numbers are expected");
    if (c > ' ' && c < 127)
        return fail(raw, DET_ESYNTAX, "'%c'; only digits are expected", c);
    return fail(raw, DET_ESYNTAX, "byte 0x%02x; only digits are expected", c);
}

static det_status digit(det_raw *raw, unsigned value) {
    uint64_t *field = &raw->field[raw->fields];
    *field = raw->digits ? *field * 10 + value : value;
    raw->digits++;
    if (*field > DET_RAW_VALUE_MAX || raw->digits > RAW_DIGITS_MAX)
        return fail(raw, DET_ESYNTAX, "a number above 2^53; an overflowed counter?");
    return DET_OK;
}

det_status det_raw_feed(det_raw *raw, const void *bytes, size_t size, det_raw_error *error) {
    const unsigned char *p = bytes;
    det_status status = raw->failed;
    for (size_t i = 0; i < size && status == DET_OK; i++) {
        const unsigned char c = p[i];
        if (c >= '0' && c <= '9')
            status = digit(raw, (unsigned)(c - '0'));
        else if (c == ';' || c == '\n')
            status = field_end(raw, c == '\n');
        else
            status = unexpected(raw, c);
        if (status == DET_OK)
            raw->error.column++;
    }
    if (status != DET_OK && error)
        *error = raw->error;
    return status;
}

/* A count that went backwards tells nothing. */
static double collected(const det_raw *raw) {
    const int told = raw->columns == RAW_COLUMNS && raw->threads == 1 &&
                     raw->options.warmup_calls < raw->calls &&
                     raw->field[3] >= raw->collections_first;
    return told ? (double)(raw->field[3] - raw->collections_first) : (double)NAN;
}

/* How many calls each thread drops. Returns what stays in all. */
static size_t warmup_plan(const det_raw *raw, size_t *drop) {
    size_t kept = 0;
    for (size_t i = 0; i < raw->runs_count; i++)
        drop[raw->runs[i].thread] += raw->runs[i].count;
    for (unsigned t = 0; t < raw->threads; t++) {
        const size_t all = drop[t];
        if (raw->options.warmup_calls == DET_RAW_WARMUP_HALF)
            drop[t] = all / 2;
        else
            drop[t] = raw->options.warmup_calls < all ? (size_t)raw->options.warmup_calls : all;
        kept += all - drop[t];
    }
    return kept;
}

static void warmup_drop(det_raw *raw, size_t *drop) {
    size_t to = 0, from = 0;
    for (size_t i = 0; i < raw->runs_count; i++) {
        size_t *left = &drop[raw->runs[i].thread];
        const size_t count = raw->runs[i].count, skip = *left < count ? *left : count;
        *left -= skip;
        memmove(raw->ns + to, raw->ns + from + skip, (count - skip) * sizeof *raw->ns);
        to += count - skip;
        from += count;
    }
}

det_status det_raw_finish(det_raw *raw, det_raw_result *out, det_raw_error *error) {
    size_t drop[DET_RAW_THREADS_MAX] = {0};
    det_status status = raw->failed;
    if (status == DET_OK && (raw->fields || raw->digits))
        status =
            fail(raw, DET_ESYNTAX,
                 "the last line has no line end; the file is truncated, measure that loop again");
    const size_t kept = status == DET_OK ? warmup_plan(raw, drop) : 0;
    if (status == DET_OK && !kept) {
        if (!raw->calls)
            status = fail(raw, DET_ESHORT, "the file is empty");
        else
            status = fail(raw, DET_ESHORT, "all %zu calls are warm-up", raw->calls);
    }
    if (status != DET_OK) {
        if (error)
            *error = raw->error;
        return status;
    }
    warmup_drop(raw, drop);
    *out = (det_raw_result){.calls = kept,
                            .warmup_calls = raw->calls - kept,
                            .threads = raw->threads,
                            .columns = raw->columns,
                            .ns = raw->ns,
                            .first_ns = (double)raw->first_ns,
                            .collected = collected(raw)};
    return DET_OK;
}
