#include "runner/driver/bounded.h"

#include "runner/ground/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int run_bounded_folder(const char *base, const char *relative, GError **error) {
    g_auto(GStrv) parts = g_strsplit(relative, "/", -1);
    int folder = open(base, FOLDER_FLAGS);
    for (size_t i = 0; folder >= 0 && parts[i]; i++) {
        int next = openat(folder, parts[i], FOLDER_FLAGS);
        int problem = errno;
        close(folder);
        folder = next;
        errno = problem;
    }
    if (folder < 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: %s", relative,
                    errno == ELOOP || errno == ENOTDIR ? "not a folder of the checkout itself"
                                                       : g_strerror(errno));
    }
    return folder;
}

int run_bounded_file(int folder, const char *name, const char *place, uint64_t bytes_max,
                     GError **error) {
    struct stat status;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: %s", place,
                    errno == ELOOP ? "a link, not a file" : g_strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s: not a regular file", place);
    } else if ((uint64_t)status.st_size > bytes_max) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "%s: %" PRIu64 " bytes, more than the limit of %" PRIu64, place,
                    (uint64_t)status.st_size, bytes_max);
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

gboolean run_bounded_exists(int folder, const char *name) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

/* The size can change while it is read: the limit holds for what is read, not for what was said. */
static GString *read_all(int fd, const char *place, uint64_t bytes_max, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    char buffer[65536];
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno != EINTR) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "%s: %s", place, g_strerror(errno));
            return NULL;
        }
        if (got == 0)
            return g_steal_pointer(&text);
        if (got > 0)
            g_string_append_len(text, buffer, got);
        if (text->len > bytes_max) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                        "%s: more than the limit of %" PRIu64 " bytes", place, bytes_max);
            return NULL;
        }
    }
}

char *run_bounded_text(int folder, const char *name, const char *place, uint64_t bytes_max,
                       GError **error) {
    int fd = run_bounded_file(folder, name, place, bytes_max, error);
    if (fd < 0)
        return NULL;
    g_autoptr(GString) bytes = read_all(fd, place, bytes_max, error);
    close(fd);
    return bytes ? g_utf8_make_valid(bytes->str, (gssize)bytes->len) : NULL;
}

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
