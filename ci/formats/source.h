#pragma once
/*
 * source - a folder or a zip file with results in it, read entry by entry, nothing unpacked to
 * disk.
 *
 * Both are bytes from outside: names that lead out of the zip, entries that unpack to far more than
 * anything measured, and sums above the limit are errors before a byte of them is read.
 */
#include "ci/command/command.h"

#include <stdint.h>

/*
 * entry - one file of a source (source.h), in a folder or in a zip, and how much of it is taken.
 */

/* Ten loops of six configurations are 60 files; a sweep over depths a few hundred. */
#define CI_SOURCE_ENTRIES_MAX 100000u
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

/** What takes the bytes: returns false with error to stop. */
typedef bool (*ci_source_fn)(const void *bytes, size_t size, void *user, GError **error);

typedef struct ci_source ci_source;

/**
 * ci_source_open - list what there is.
 * path  a folder (its files, not its folders') or a zip file
 * Returns NULL with error (CI_ERROR_INPUT): nothing there, not a zip, damaged, a bomb.
 */
ci_source *ci_source_open(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void ci_source_free(ci_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_source, ci_source_free)

/** ci_source_entries - [ci_entry*] by name; borrowed. */
const GPtrArray *ci_source_entries(const ci_source *source);
/** ci_source_find - the entry called so, or NULL; borrowed. */
const ci_entry *ci_source_find(const ci_source *source, const char *name);
const char *ci_source_path(const ci_source *source);
/** ci_source_is_folder - its entries are files, their paths can be opened. */
bool ci_source_is_folder(const ci_source *source);

/**
 * ci_source_read - one entry from its first to its last byte, in pieces of at most 1 MiB.
 * Thread-safe: every call opens the file anew.
 */
bool ci_source_read(const ci_source *source, const ci_entry *entry, ci_source_fn take, void *user,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_source_text - a small entry as text (valid UTF-8); caller frees. limit: bytes accepted. */
char *ci_source_text(const ci_source *source, const ci_entry *entry, size_t limit,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
