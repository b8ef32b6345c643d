#pragma once
/* bucket_place - files on their way between a place on the disk and a bucket. */
#include "server/store/bucket.h"
#include "server/store/incoming.h"

/* srv__bucket_settle - what came is under key for good. sha256: of it. Error: as of srv_bucket_put.
 */
bool srv__bucket_settle(srv_bucket *bucket, srv__incoming *incoming, const char *key,
                        const char *sha256, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bucket_fetch - a copy of what is under key, in a file of the place without a name; at its
 * beginning, owned by the caller. -1 with error as of srv_bucket_get. bytes: out, its size. */
int srv__bucket_fetch(srv_bucket *bucket, const srv__place *place, const char *key,
                      const char *sha256, uint64_t *bytes,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
