#include "server/store/bucket_place.h"

#include "server/ground/error.h"

#include <errno.h>
#include <unistd.h>

bool srv__bucket_settle(srv_bucket *bucket, srv__incoming *incoming, const char *key,
                        const char *sha256, GError **error) {
    FILE *file = srv__incoming_reopen(incoming, error);
    if (!file)
        return false;
    const bool good = srv_bucket_put(bucket, key, file, sha256, error);
    (void)fclose(file);
    return good;
}

/* The file itself is closed. */
static int descriptor_of(FILE *file, GError **error) {
    const int fd = dup(fileno(file));
    const bool good = fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot read a copy: %s",
                    g_strerror(errno));
    (void)fclose(file);
    if (!good && fd >= 0)
        close(fd);
    return good ? fd : -1;
}

int srv__bucket_fetch(srv_bucket *bucket, const srv__place *place, const char *key,
                      const char *sha256, uint64_t *bytes, GError **error) {
    FILE *file = srv__place_scratch(place, error);
    if (file && srv_bucket_get(bucket, key, sha256, file, bytes, error))
        return descriptor_of(file, error);
    if (file)
        (void)fclose(file);
    return -1;
}
