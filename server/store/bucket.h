#pragma once
/*
 * bucket - files in an S3 bucket, over HTTP: put, get, delete by key.
 *
 * Each request is signed (SigV4) with the credentials that the file has at that moment, so a key
 * may be replaced while the server runs. What is put goes with its SHA-256, signed, and its MD5:
 * a bucket that received other bytes says so, and one that says nothing is not believed to have
 * them. What is got is hashed. Nothing is tried again here: who sent it does, as long as it takes.
 * Thread-safe. A call waits for the network: at most 10 s for a connection, 30 s for a next byte.
 */
#include "config/config.h"

#include <stdint.h>
#include <stdio.h>

typedef struct srv_bucket srv_bucket;

/* srv_bucket_new - NULL: none is configured. config is borrowed, and outlives it. */
srv_bucket *srv_bucket_new(const cfg_server *config);
void srv_bucket_free(srv_bucket *bucket);

/* srv_bucket_end - the server ends: each call, under way or later, is given up after a few seconds,
 * BUSY. Thread-safe; NULL is fine. */
void srv_bucket_end(srv_bucket *bucket);

/**
 * srv_bucket_check - can these credentials write, and read what was written? Leaves the key
 * moowatch-check. Error as of put.
 */
bool srv_bucket_check(srv_bucket *bucket, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_bucket_put - the bytes of file, from its beginning, under key; there for good when true.
 * sha256  of them, hex
 * Error: BUSY - it is away, overloaded, refuses the key, got other bytes, or its clock is another:
 * the sentence says which, and what to do.
 */
bool srv_bucket_put(srv_bucket *bucket, const char *key, FILE *file, const char *sha256,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_bucket_get - what is under key, into file (from its beginning on).
 * sha256  that it must have; INTERNAL when it has another
 * bytes   out: its size, at most the larger of raw_limit_bytes and artifact_limit_bytes
 * Error: NOT_FOUND, INTERNAL, BUSY as of put.
 */
bool srv_bucket_get(srv_bucket *bucket, const char *key, const char *sha256, FILE *file,
                    uint64_t *bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_bucket_delete - a key that is not there is fine. Error: BUSY as of put. */
bool srv_bucket_delete(srv_bucket *bucket, const char *key,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_bucket, srv_bucket_free)
