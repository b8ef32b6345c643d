#include "runner/driver/bounded.h"

#include "config/zip.h"
#include "runner/ground/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

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
        run_wrong(error, "%s: %s", relative,
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
        run_wrong(error, "%s: %s", place,
                  errno == ELOOP    ? "a link, not a file"
                  : errno == ENOENT ? "nothing wrote it"
                                    : g_strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        run_wrong(error, "%s: not a regular file", place);
    } else if ((uint64_t)status.st_size > bytes_max) {
        run_wrong(error, "%s: %" PRIu64 " bytes, more than the limit of %" PRIu64, place,
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
            run_fail(error, RUN_ERROR_NODE, "%s: %s", place, g_strerror(errno));
            return NULL;
        }
        if (got == 0)
            return g_steal_pointer(&text);
        if (got > 0)
            g_string_append_len(text, buffer, got);
        if (text->len > bytes_max) {
            run_wrong(error, "%s: more than the limit of %" PRIu64 " bytes", place, bytes_max);
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

static cfg_zip *begin(int fd, const char *place, GError **error) {
    const cfg_zip_errors errors = {place, "is it a whole zip file?", RUN_ERROR, RUN_ERROR_JOB};
    return cfg_zip_open(fd, &errors, error);
}

GPtrArray *run_zip_names(int fd, const char *place, GError **error) {
    g_autoptr(cfg_zip) zip = begin(fd, place, error);
    if (!zip)
        return NULL;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (uint64_t i = 0; i < zip->count; i++)
        g_ptr_array_add(names, g_strdup(zip->entries[i].name));
    return names;
}

static bool write_all(const void *bytes, size_t size, void *user, GError **error) {
    const int *out = user;
    for (const char *from = bytes; size > 0;) {
        ssize_t written = write(*out, from, size);
        if (written < 0 && errno != EINTR)
            return run_fail(error, RUN_ERROR_NODE, "unpacking: %s", g_strerror(errno));
        from += MAX(written, 0);
        size -= (size_t)MAX(written, 0);
    }
    return true;
}

bool run_zip_copy(int fd, const char *place, const char *name, uint64_t bytes_max, int out,
                  GError **error) {
    g_autoptr(cfg_zip) zip = begin(fd, place, error);
    const cfg_zip_entry *entry = NULL;
    for (uint64_t i = 0; zip && !entry && i < zip->count; i++)
        entry = g_str_equal(zip->entries[i].name, name) ? &zip->entries[i] : NULL;
    if (entry && entry->bytes <= bytes_max)
        return cfg_zip_read(zip, entry, write_all, &out, error);
    if (entry)
        run_wrong(error, "%s: %s unpacks to %" PRIu64 " bytes, more than the limit of %" PRIu64,
                  place, name, entry->bytes, bytes_max);
    else if (zip)
        run_wrong(error, "%s: %s: no such entry", place, name);
    return false;
}
