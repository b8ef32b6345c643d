#include "runner/prepare/outside.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#define HARNESS "{harness}/"
#define BYTES_MAX (64 << 20)

/* Where a word points; NULL: it is no such path. */
static char *path_of(const char *word, const char *harness_dir) {
    if (harness_dir && g_str_has_prefix(word, HARNESS))
        return g_build_filename(harness_dir, word + strlen(HARNESS), NULL);
    return g_path_is_absolute(word) ? g_strdup(word) : NULL;
}

static void add_stamp(GChecksum *sum, const struct stat *status) {
    g_autofree char *stamp = g_strdup_printf(
        "%" PRIdMAX " %" PRIuMAX " %" PRIdMAX ".%09ld", (intmax_t)status->st_size,
        (uintmax_t)status->st_ino, (intmax_t)status->st_mtim.tv_sec, status->st_mtim.tv_nsec);
    g_checksum_update(sum, (const guchar *)stamp, -1);
}

static void add(GChecksum *sum, const char *path, const struct stat *status) {
    g_autofree char *bytes = NULL;
    gsize size = 0;
    g_checksum_update(sum, (const guchar *)path, (gssize)strlen(path) + 1);
    if (status->st_size > BYTES_MAX || !g_file_get_contents(path, &bytes, &size, NULL)) {
        add_stamp(sum, status);
        return;
    }
    g_autofree char *own = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (guchar *)bytes, size);
    g_checksum_update(sum, (const guchar *)own, -1);
}

char *run_outside_hash(char *const *words, const char *harness_dir) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    bool any = false;
    for (size_t i = 0; words && words[i]; i++) {
        struct stat status;
        g_autofree char *path = path_of(words[i], harness_dir);
        if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        add(sum, path, &status);
        any = true;
    }
    return any ? g_strdup(g_checksum_get_string(sum)) : NULL;
}
