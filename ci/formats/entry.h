#pragma once
/*
 * entry - one file of a source (source.h), in a folder or in a zip, and how much of it is taken.
 */
#include "ci/command/command.h"

#include <stdint.h>

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

/** ci__entry_new - takes path; ci__entry_free - of a ci_entry. */
ci_entry *ci__entry_new(const char *name, char *path, uint64_t bytes, uint64_t index);
void ci__entry_free(void *entry);
