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

/* A raw file on its way into the spool: packed (docs/raw-format.md) and hashed as it comes. */
typedef struct run_durable_pack run_durable_pack;

/* run_durable_pack_begin - as path, of exactly so many bytes; until run_durable_pack_end it has
 * another name. Owned by the caller. */
run_durable_pack *run_durable_pack_begin(const char *path, uint64_t bytes,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool run_durable_pack_feed(run_durable_pack *pack, const void *bytes, size_t size,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* run_durable_pack_end - the file is there, as durable as above; or not at all. Frees pack. */
bool run_durable_pack_end(run_durable_pack *pack, run_durable_raw *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* run_durable_pack_drop - nothing is left of it. NULL is fine. */
void run_durable_pack_drop(run_durable_pack *pack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_durable_pack, run_durable_pack_drop)

/* run_durable_check - whether path has exactly this hash. */
bool run_durable_check(const char *path, const char *sha256);

/* run_durable_remove - unlink and fsync of the folder; a missing file is fine. */
bool run_durable_remove(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
