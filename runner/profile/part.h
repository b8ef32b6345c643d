#pragma once
/*
 * part - a profiler that no package of Debian brings: fetched once from its registry, checked, and
 * kept below <work_dir>/profilers.
 *
 * Both what comes and the file in it have a hash that stands in this program, and the file is
 * checked before each use, since code under test might have written there (a node without
 * run_as_user).
 */
#include "runner/node/node.h"

typedef struct {
    const char *name, *version;
    const char *site, *path; /* https://…, and the path of a zip file there */
    const char *sha256;      /* of the zip */
    uint64_t bytes_max;      /* of the zip, and of the file */
    const char *entry;       /* of the zip: the file that is wanted */
    const char *file;        /* what it is called here */
    const char *file_sha256;
} run_part;

/* run_part_async_profiler, run_part_py_spy - the one for this processor; NULL: there is none. */
const run_part *run_part_async_profiler(void);
const run_part *run_part_py_spy(void);

/**
 * run_part_get - the path of its file, readable and executable by everybody; fetched where it is
 * not there or not what it was.
 * tick  as run_download has it
 * Returns a path to g_free; NULL with RUN_ERROR_JOB: it cannot be had, why, and where it could be
 * put by hand; or RUN_ERROR_STOPPED, RUN_ERROR_LOST, …: the tick's own.
 */
char *run_part_get(const run_part *part, const run_node *node, run_process_tick tick,
                   void *tick_data, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_part_path - where its file is or would be, below a node's work folder; to g_free. */
char *run_part_path(const run_part *part, const char *work_dir);
