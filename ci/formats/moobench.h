#pragma once
/*
 * moobench - MooBench's result folder (or zip), all of it: every loop of every configuration.
 *
 * raw-<loop>-<depth>-<configuration>.csv, a line a call; labels.sh names the configurations;
 * results.yaml holds what upstream's script made of them. The unit of the statistics is the loop (a
 * fresh process): its mean is one value, the calls inside it are not independent.
 */
#include "ci/formats/chain.h"
#include "detector/detector.h"

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
