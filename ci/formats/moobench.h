#pragma once
/*
 * moobench - MooBench's result folder (or zip), all of it: every loop of every configuration.
 *
 * raw-<loop>-<depth>-<configuration>.csv, a line a call; labels.sh names the configurations;
 * results.yaml holds what upstream's script made of them. The unit of the statistics is the loop (a
 * fresh process): its mean is one value, the calls inside it are not independent.
 */
#include "ci/command/command.h"
#include "ci/formats/chain.h"
#include "config/zip.h"
#include "detector/detector.h"

#include <glib.h>
#include <stdint.h>

#define CI_DEPTH_ANY 0u
/* 2,000,000 calls are upstream's default; at 8 bytes a call this bounds the memory of a thread. */
#define CI_CALLS_MAX 100000000u

typedef struct {
    unsigned depth;             /* CI_DEPTH_ANY: the only one there is */
    uint64_t warmup_calls;      /* DET_RAW_WARMUP_HALF */
    unsigned threads;           /* files read at once; 0: one a processor */
    bool allow_missing;         /* a loop that is not there or shorter is not an error */
    const char *labels;         /* labels.sh to use; NULL: the one beside the results */
    const char *chain;          /* see chain.h; NULL: upstream's */
    const cfg_project *project; /* instead of chain; NULL: none */
    bool project_warmup;        /* each configuration's own warm-up, from project; of folders */
    void (*progress)(guint done, guint total, void *user); /* in any thread, one at a time */
    void *progress_user;
} ci_moobench_options;

typedef struct {
    det_summary calls; /* of this loop after warm-up, ns */
    uint64_t warmup_calls;
    unsigned threads;
    bool present;
} ci_loop;

typedef struct {
    const ci_link *link;
    ci_loop *loops;  /* [results->loops] */
    det_summary all; /* over the calls of all loops */
} ci_configuration;

typedef struct {
    char *path;
    unsigned depth, loops;
    GPtrArray *links;                 /* ci_link*, in the order of the configurations */
    ci_configuration *configurations; /* [links->len] */
    det_chain chain;
} ci_results;

/**
 * ci_moobench_read - a folder or zip; a folder with nothing but results.zip counts as that zip.
 * Returns NULL with error (CI_ERROR_INPUT) that names the file, and the line where it is one.
 */
ci_results *ci_moobench_read(const char *path, const ci_moobench_options *options,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
void ci_results_free(ci_results *results);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_results, ci_results_free)

/*
 * source - a folder or a zip file with results in it, read entry by entry, nothing unpacked to
 * disk.
 *
 * Both are bytes from outside: names that lead out of the zip, entries that unpack to far more than
 * anything measured, and sums above the limit are errors before a byte of them is read.
 */

/*
 * entry - one file of a source, in a folder or in a zip, and how much of it is taken.
 */

/* Raw results pack about 1:8; deflate cannot do more than 1:1032. */
#define CI_SOURCE_RATIO_MAX 200u
/* Below this an entry may pack as well as it likes. */
#define CI_SOURCE_RATIO_FROM (16u * 1024 * 1024)
#define CI_SOURCE_BYTES_MAX (UINT64_C(64) * 1024 * 1024 * 1024)

typedef struct {
    char *name; /* last part of the path */
    char *path; /* as people find it: "results.zip: raw-1-10-0.csv" */
    uint64_t bytes;
    uint64_t index; /* in the zip; 0 for a folder */
} ci_entry;

typedef struct {
    char *path;
    bool folder;        /* its entries are files, their paths can be opened */
    GPtrArray *entries; /* ci_entry, by name */
} ci_source;

/**
 * ci_source_open - list what there is.
 * path  a folder (its files, not its folders') or a zip file
 * Returns NULL with error (CI_ERROR_INPUT): nothing there, not a zip, damaged, a bomb.
 */
ci_source *ci_source_open(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void ci_source_free(ci_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_source, ci_source_free)

/** ci_source_find - the entry called so, or NULL; borrowed. */
const ci_entry *ci_source_find(const ci_source *source, const char *name);

/**
 * ci_source_read - one entry from its first to its last byte, in pieces of at most 1 MiB.
 * Thread-safe: every call opens the file anew.
 */
bool ci_source_read(const ci_source *source, const ci_entry *entry, cfg_zip_take take, void *user,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_source_text - a small entry as text (valid UTF-8); caller frees. limit: bytes accepted. */
char *ci_source_text(const ci_source *source, const ci_entry *entry, size_t limit,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * raw_files - which raw files there are, and whether they are one whole experiment.
 */

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

/*
 * counts - how often each whole number of nanoseconds was measured.
 *
 * Exact: nothing is rounded into classes. Most response times are small, so the small ones are
 * counted in an array and only the others are kept one by one. Memory: 512 KiB and 8 bytes for each
 * value of COUNTS_DENSE ns or more.
 */

#define CI_COUNTS_DENSE 65536u

typedef struct ci_counts ci_counts;

ci_counts *ci_counts_new(void);
void ci_counts_free(ci_counts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_counts, ci_counts_free)

/** ci_counts_add - values [n] in ns, whole numbers below 2^53. */
void ci_counts_add(ci_counts *counts, const double *ns, size_t n);

/** ci_counts_merge - add what more holds; more stays as it is. */
void ci_counts_merge(ci_counts *counts, const ci_counts *more);

/**
 * ci_counts_summary - the same figures as det_summary_of over all values added.
 * Returns DET_OK | DET_ESHORT (nothing was added). Not thread-safe: sorts what is kept one by one.
 */
det_status ci_counts_summary(ci_counts *counts, det_summary *out);
