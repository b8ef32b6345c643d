#pragma once
/*
 * raw_files - which raw files there are, and whether they are one whole experiment.
 */
#include "ci/formats/moobench.h"
#include "ci/formats/source.h"

typedef struct {
    const ci_entry *entry; /* borrowed from the source */
    unsigned loop, depth;  /* from 1; from 0 */
    guint configuration;   /* index into links */
} ci_raw_file;

typedef struct {
    GArray *files;    /* ci_raw_file, of one depth */
    GPtrArray *links; /* ci_link*, named and numbered, without chain */
    unsigned depth, loops;
} ci_raw_files;

/**
 * ci_raw_files_find - sort the entries of a source out.
 * Returns false with error (CI_ERROR_INPUT): no raw file, several depths and none asked for, a loop
 * missing (unless allowed), the same loop twice. Free with ci_raw_files_clear.
 */
bool ci_raw_files_find(const ci_source *source, unsigned depth, bool allow_missing,
                       ci_raw_files *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void ci_raw_files_clear(ci_raw_files *files);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ci_raw_files, ci_raw_files_clear)
