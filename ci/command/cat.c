/* moowatch cat FILE… - stored raw files as the lines that the benchmark wrote, byte for byte. */
#include "ci/command/command.h"
#include "ci/formats/old_calls.h"
#include "config/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES 65536u
#define MAGIC_BYTES (sizeof CI_OLD_CALLS_MAGIC - 1)

static const ci_usage usage = {
    .synopsis = "cat FILE…",
    .description = "Unpacks raw files as moowatch keeps them (.csv.zst, and .calls of moowatch "
                   "0.1)\nto standard output: MooBench's lines, byte for byte. \"-\" is "
                   "standard input.",
    .least = 1,
    .most = -1};

static bool write_failed(GError **error) {
    return ci_wrong(error, "cannot write: %s", g_strerror(errno));
}

/* So many bytes, fewer at the end. */
static bool more(int fd, GByteArray *to, gsize size, const char *name, GError **error) {
    while (size > 0) {
        const guint before = to->len;
        g_byte_array_set_size(to, before + (guint)MIN(size, PIECE_BYTES));
        const ssize_t got = read(fd, to->data + before, to->len - before);
        g_byte_array_set_size(to, before + (guint)MAX(got, 0));
        if (got < 0 && errno != EINTR)
            return ci_wrong(error, "%s: %s", name, g_strerror(errno));
        if (got == 0)
            return true;
        size -= (gsize)MAX(got, 0);
    }
    return true;
}

static bool cat_old(int fd, GByteArray *file, const char *name, GError **error) {
    if (!more(fd, file, G_MAXUINT - 2 * PIECE_BYTES, name, error))
        return false;
    const char *problem = ci_old_calls_write(file->data, file->len, stdout);
    if (ferror(stdout))
        return write_failed(error);
    return !problem || ci_wrong(error, "%s: %s", name, problem);
}

static bool cat_packed(int fd, const GByteArray *head, const char *name, GError **error) {
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    cfg_unpack *unpack = cfg_unpack_new(fd, head->data, head->len);
    bool good = true;
    ssize_t got = 1;
    while (good && (got = cfg_unpack_read(unpack, piece, PIECE_BYTES)) > 0)
        good = fwrite(piece, 1, (size_t)got, stdout) == (size_t)got || write_failed(error);
    if (good && got < 0)
        good = ci_wrong(error, "%s: %s", name, cfg_unpack_problem(unpack));
    cfg_unpack_free(unpack);
    return good;
}

static bool cat_stream(int fd, const char *name, GError **error) {
    g_autoptr(GByteArray) head = g_byte_array_new();
    if (!more(fd, head, MAGIC_BYTES, name, error))
        return false;
    const bool old =
        head->len == MAGIC_BYTES && memcmp(head->data, CI_OLD_CALLS_MAGIC, MAGIC_BYTES) == 0;
    return old ? cat_old(fd, head, name, error) : cat_packed(fd, head, name, error);
}

static bool cat_file(const char *name, GError **error) {
    if (g_str_equal(name, "-"))
        return cat_stream(STDIN_FILENO, "standard input", error);
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ci_wrong(error, "%s: %s", name, g_strerror(errno));
    const bool good = cat_stream(fd, name, error);
    (void)close(fd);
    return good;
}

static ci_exit cat(int argc, char **argv, GError **error) {
    const GOptionEntry entries[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    bool good = ci_parse(&usage, entries, &argc, &argv, error);
    for (int i = 1; good && i < argc; i++)
        good = cat_file(argv[i], error);
    if (good && fflush(stdout) != 0)
        good = write_failed(error);
    return good ? CI_OK : CI_INPUT;
}

const ci_command ci_command_cat = {"cat", "print a stored raw file as MooBench's CSV lines", cat};
