#include "runner/driver/zip.h"

#include "runner/ground/error.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>
#include <zip.h>

#define PIECE_BYTES ((size_t)1024 * 1024)

static zip_t *begin(int fd, const char *place, GError **error) {
    int code = 0;
    int own = dup(fd); /* zip_fdopen takes it over */
    zip_t *zip = own >= 0 ? zip_fdopen(own, ZIP_CHECKCONS, &code) : NULL;
    if (!zip) {
        zip_error_t wrong;
        zip_error_init_with_code(&wrong, code);
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: %s; is it a whole zip file?", place,
                    own >= 0 ? zip_error_strerror(&wrong) : g_strerror(errno));
        zip_error_fini(&wrong);
        if (own >= 0)
            close(own);
    }
    return zip;
}

GPtrArray *run_zip_names(int fd, const char *place, GError **error) {
    zip_t *zip = begin(fd, place, error);
    if (!zip)
        return NULL;
    zip_int64_t count = zip_get_num_entries(zip, 0);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (zip_int64_t i = 0; i < count && count <= RUN_ZIP_ENTRIES_MAX; i++) {
        const char *name = zip_get_name(zip, (zip_uint64_t)i, 0);
        g_ptr_array_add(names, g_strdup(name ? name : ""));
    }
    zip_discard(zip);
    if (count > RUN_ZIP_ENTRIES_MAX) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: more than %d entries", place,
                    RUN_ZIP_ENTRIES_MAX);
        return NULL;
    }
    return g_steal_pointer(&names);
}

static bool write_all(int out, const char *bytes, size_t size, GError **error) {
    while (size > 0) {
        ssize_t written = write(out, bytes, size);
        if (written < 0 && errno != EINTR) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "unpacking: %s", g_strerror(errno));
            return false;
        }
        bytes += MAX(written, 0);
        size -= (size_t)MAX(written, 0);
    }
    return true;
}

static bool copy(zip_file_t *file, const char *place, const char *name, uint64_t bytes_max, int out,
                 GError **error) {
    g_autofree char *buffer = g_malloc(PIECE_BYTES);
    uint64_t total = 0;
    zip_int64_t got;
    while ((got = zip_fread(file, buffer, PIECE_BYTES)) > 0) {
        total += (uint64_t)got;
        if (total > bytes_max) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                        "%s: %s unpacks to more than the limit of %" PRIu64 " bytes", place, name,
                        bytes_max);
            return false;
        }
        if (!write_all(out, buffer, (size_t)got, error))
            return false;
    }
    if (got < 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: %s: %s", place, name,
                    zip_file_strerror(file));
        return false;
    }
    return true;
}

bool run_zip_copy(int fd, const char *place, const char *name, uint64_t bytes_max, int out,
                  GError **error) {
    zip_t *zip = begin(fd, place, error);
    if (!zip)
        return false;
    zip_stat_t stat;
    bool good = false;
    zip_file_t *file = NULL;
    if (zip_stat(zip, name, 0, &stat) == 0 && (stat.valid & ZIP_STAT_SIZE) &&
        stat.size > bytes_max) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "%s: %s unpacks to %" PRIu64 " bytes, more than the limit of %" PRIu64, place,
                    name, (uint64_t)stat.size, bytes_max);
    } else if (!(file = zip_fopen(zip, name, 0))) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: %s: %s", place, name, zip_strerror(zip));
    } else {
        good = copy(file, place, name, bytes_max, out, error);
        zip_fclose(file);
    }
    zip_discard(zip);
    return good;
}
