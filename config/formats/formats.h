#pragma once
/*
 * formats - the files that benchmark tools write: which tool a file is of, and what it says.
 *
 * A tool is one file here with its row in formats.c. Command line (import) and runner (driver
 * command) read by the same rows.
 */
#include "config/formats/night.h"

#include <jansson.h>
#include <stdint.h>

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

/** fmt_of - the row at that place of list.h. */
const fmt_format *fmt_of(size_t place);

/** fmt_tools - what can be read, for people: "github-action-benchmark, JMH, …"; owned. */
char *fmt_tools(void);

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
