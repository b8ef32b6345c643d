#pragma once
/*
 * durable - files that survive a power cut: whole, or not there.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* run_durable_json - object as path: temporary name, fsync, rename, fsync of the folder. */
bool run_durable_json(const char *path, json_t *object, GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    char sha256[65]; /* of the packed bytes, hex */
    uint64_t bytes;  /* packed */
    uint64_t uncompressed_bytes;
} run_durable_raw;

/* run_durable_pack - from_path packed (docs/raw-format.md) at path, as durable as above. */
bool run_durable_pack(const char *from_path, const char *path, run_durable_raw *out,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_durable_check - whether path has exactly this hash. */
bool run_durable_check(const char *path, const char *sha256);

/* run_durable_remove - unlink and fsync of the folder; a missing file is fine. */
bool run_durable_remove(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
