#include "ci/dataset/sums.h"

#include "ci/command/command.h"

#include <stdio.h>
#include <string.h>

enum { HASH_CHARS = 64, BLOCK_BYTES = 1 << 16 };

/* NULL: it cannot be read. */
static char *hash_of(const char *path) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    g_autofree guchar *block = g_malloc(BLOCK_BYTES);
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (size_t got; (got = fread(block, 1, BLOCK_BYTES, file)) > 0;)
        g_checksum_update(sum, block, (gssize)got);
    char *hash = ferror(file) ? NULL : g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    (void)fclose(file);
    return hash;
}

bool ci_sums_write(const char *folder, char **paths, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    for (char **path = paths; *path; path++) {
        g_autofree char *full = g_build_filename(folder, *path, NULL);
        g_autofree char *hash = hash_of(full);
        if (!hash)
            return ci_wrong(error, "%s: cannot be read again", full);
        g_string_append_printf(text, "%s  %s\n", hash, *path);
    }
    g_autofree char *file = g_build_filename(folder, CI_SUMS, NULL);
    return g_file_set_contents(file, text->str, -1, error);
}

/* A line's path, which must lead to a file of the folder. */
static bool is_below(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    bool good = true;
    for (char **part = parts; good && *part; part++)
        good = **part && !g_str_equal(*part, "..") && !g_str_equal(*part, ".");
    return good;
}

/* The path of a line; NULL: the line has none. */
static const char *path_of(const char *line) {
    const bool good = strspn(line, "0123456789abcdef") == HASH_CHARS &&
                      g_str_has_prefix(line + HASH_CHARS, "  ") && is_below(line + HASH_CHARS + 2);
    return good ? line + HASH_CHARS + 2 : NULL;
}

static bool check_line(const char *folder, const char *line, GError **error) {
    const char *path = path_of(line);
    if (!path)
        return ci_wrong(error,
                        "%s/" CI_SUMS ": \"%s\" is not a SHA-256, two spaces and a file name",
                        folder, line);
    g_autofree char *full = g_build_filename(folder, path, NULL);
    g_autofree char *hash = hash_of(full);
    if (!hash)
        return ci_wrong(error, "%s: missing; the data set is incomplete, download it again", full);
    if (strncmp(hash, line, HASH_CHARS) != 0)
        return ci_wrong(error,
                        "%s: differs from what was published: its SHA-256 is %.12s…, not %.12s…; "
                        "download the data set again",
                        full, hash, line);
    return true;
}

static bool is_named(char **lines, const char *path) {
    for (; *lines; lines++)
        if (g_str_equal(path_of(*lines), path))
            return true;
    return false;
}

bool ci_sums_check(const char *folder, const char *const *needed, GError **error) {
    g_autofree char *file = g_build_filename(folder, CI_SUMS, NULL), *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL))
        return ci_wrong(error, "%s: not a data set: there is no " CI_SUMS, folder);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (char **line = lines; *line; line++)
        if (!check_line(folder, *line, error))
            return false;
    for (; *needed; needed++)
        if (!is_named(lines, *needed))
            return ci_wrong(error,
                            "%s: does not name %s; the data set is incomplete, download it again",
                            file, *needed);
    return true;
}
