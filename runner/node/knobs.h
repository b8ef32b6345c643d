#pragma once
/*
 * knobs - which files of the kernel a knob of tuning.h stands for, and what is written there.
 */
#include <glib.h>

typedef struct {
    char *path;  /* below root */
    char *value; /* to write */
} run_knob_file;

typedef struct {
    const char *name;
    const char *explain;
    const char *pattern; /* glob of files; NULL: not a file */
    const char *value;   /* NULL: the housekeeping processors */
} run_knob;

/* All knobs; name NULL at the end. One name may have several lines: all that exist are set. */
extern const run_knob run_knobs[];

/* run_knob_files - files of a name that exist: GPtrArray of run_knob_file*, owned. */
GPtrArray *run_knob_files(const char *root, const char *name, const char *housekeeping);
