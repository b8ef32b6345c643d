/* moowatch cat FILE… - stored raw files as the lines that the benchmark wrote, byte for byte. */
#include "ci/command/command.h"
#include "detector/packed/unpack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PIECE_BYTES 65536u

static const ci_usage usage = {
    .synopsis = "cat FILE…",
    .description = "Unpacks raw files as moowatch keeps them (.calls, and .csv.zst of earlier "
                   "versions)\nto standard output: MooBench's lines, byte for byte. \"-\" is "
                   "standard input.",
    .least = 1,
    .most = -1};

static bool write_failed(GError **error) {
    return ci_wrong(error, "cannot write: %s", g_strerror(errno));
}

/* The blocks of bytes to standard output; *end: the file is whole. */
static bool write_blocks(det_unpack *unpack, const char *name, const char *bytes, size_t size,
                         bool *end, GError **error) {
    for (;;) {
        size_t used, length;
        const det_unpack_step step = det_unpack_take(unpack, bytes, size, &used);
        bytes += used;
        size -= used;
        *end = step == DET_UNPACK_END;
        if (step == DET_UNPACK_BROKEN)
            return ci_wrong(error, "%s: %s", name, det_unpack_problem(unpack));
        if (step != DET_UNPACK_BLOCK)
            return true;
        const char *text = det_unpack_text(unpack, &length);
        if (fwrite(text, 1, length, stdout) != length)
            return write_failed(error);
    }
}

static bool cat_stream(FILE *from, const char *name, GError **error) {
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    det_unpack *unpack = det_unpack_new();
    bool end = false, good = unpack || ci_wrong(error, "no memory");
    size_t got;
    while (good && (got = fread(piece, 1, PIECE_BYTES, from)) > 0)
        good = write_blocks(unpack, name, piece, got, &end, error);
    if (good && ferror(from))
        good = ci_wrong(error, "%s: %s", name, g_strerror(errno));
    if (good && !end)
        good = ci_wrong(error, "%s: %s", name, det_unpack_problem(unpack));
    det_unpack_free(unpack);
    return good;
}

static bool cat_file(const char *name, GError **error) {
    if (g_str_equal(name, "-"))
        return cat_stream(stdin, "standard input", error);
    FILE *from = fopen(name, "rbe");
    if (!from)
        return ci_wrong(error, "%s: %s", name, g_strerror(errno));
    const bool good = cat_stream(from, name, error);
    (void)fclose(from);
    return good;
}

ci_exit ci_cat(int argc, char **argv) {
    const GOptionEntry entries[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    bool good = ci_parse(&usage, entries, &argc, &argv, &error);
    for (int i = 1; good && i < argc; i++)
        good = cat_file(argv[i], &error);
    if (good && fflush(stdout) != 0)
        good = write_failed(&error);
    return good ? CI_OK : ci_fail("cat", error);
}
