#include "runner/prepare/unpack.h"

#include "config/number.h"
#include "config/shown.h"
#include "runner/process/walk.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <glib.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)64 * 1024)
#define EXTRACT                                                                                    \
    (ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT |                           \
     ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS | ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_SPARSE)

typedef struct {
    struct archive *in, *out;
    uint64_t left_bytes;
    uint64_t left_entries;
} unpacking;

bool run_unpack_is_archive(const char *name) {
    static const char *const ends[] = {".tar",    ".tar.gz", ".tgz",     ".tar.bz2",
                                       ".tar.xz", ".txz",    ".tar.zst", ".zip"};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
        if (g_str_has_suffix(name, ends[i]))
            return true;
    return false;
}

static bool fail(const char *what, const char *why) {
    g_autofree char *text = g_strconcat(what, why ? ": " : NULL, why, NULL);
    cfg_complain("unpack", text);
    return false;
}

/* Programs that libarchive would start for odd formats are not among them. */
static bool open_input(struct archive *in, const char *path) {
    return archive_read_support_filter_gzip(in) == ARCHIVE_OK &&
           archive_read_support_filter_bzip2(in) == ARCHIVE_OK &&
           archive_read_support_filter_xz(in) == ARCHIVE_OK &&
           archive_read_support_filter_zstd(in) == ARCHIVE_OK &&
           archive_read_support_format_tar(in) == ARCHIVE_OK &&
           archive_read_support_format_zip(in) == ARCHIVE_OK &&
           archive_read_open_filename(in, path, BLOCK_BYTES) == ARCHIVE_OK;
}

static bool leads_out(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    return path[0] == '/' || g_strv_contains((const char *const *)parts, "..");
}

static bool check_entry(unpacking *work, struct archive_entry *entry) {
    const char *path = archive_entry_pathname(entry), *target = archive_entry_hardlink(entry);
    mode_t type = archive_entry_filetype(entry);
    if (!path || path[0] == '\0')
        return fail("an entry has no name", NULL);
    if (leads_out(path) || (target && leads_out(target)))
        return fail("an entry points outside the folder", path);
    if (!target && type != AE_IFREG && type != AE_IFDIR && type != AE_IFLNK)
        return fail("an entry is not a file, folder or link", path);
    if (work->left_entries-- == 0)
        return fail("it has too many entries", NULL);
    /* Neither root's nor anybody's: what runs later is the only one that needs it. */
    archive_entry_set_perm(entry,
                           (archive_entry_perm(entry) & 0777) | (type == AE_IFDIR ? 0700 : 0600));
    return true;
}

static bool copy_data(unpacking *work) {
    const void *block;
    size_t size;
    la_int64_t offset;
    for (;;) {
        int status = archive_read_data_block(work->in, &block, &size, &offset);
        if (status == ARCHIVE_EOF)
            return true;
        if (status != ARCHIVE_OK)
            return fail("it is damaged", archive_error_string(work->in));
        if (size > work->left_bytes)
            return fail("it unpacks to more than prepare_output_limit_bytes", NULL);
        work->left_bytes -= size;
        if (archive_write_data_block(work->out, block, size, offset) != ARCHIVE_OK)
            return fail("cannot write", archive_error_string(work->out));
    }
}

static bool copy_all(unpacking *work) {
    struct archive_entry *entry;
    for (;;) {
        int status = archive_read_next_header(work->in, &entry);
        if (status == ARCHIVE_EOF)
            return true;
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
            return fail("it is damaged or not an archive", archive_error_string(work->in));
        if (!check_entry(work, entry))
            return false;
        if (archive_write_header(work->out, entry) != ARCHIVE_OK)
            return fail(archive_entry_pathname(entry), archive_error_string(work->out));
        if (!copy_data(work) || archive_write_finish_entry(work->out) != ARCHIVE_OK)
            return fail("not unpacked", archive_entry_pathname(entry));
    }
}

static bool unpack(const char *path, uint64_t limit_bytes) {
    unpacking work = {.in = archive_read_new(),
                      .out = archive_write_disk_new(),
                      .left_bytes = limit_bytes,
                      .left_entries = RUN_WALK_ENTRIES_MAX};
    archive_write_disk_set_options(work.out, EXTRACT);
    bool good = open_input(work.in, path) ? copy_all(&work)
                                          : fail("cannot open it", archive_error_string(work.in));
    if (archive_write_close(work.out) != ARCHIVE_OK && good)
        good = fail("cannot finish", archive_error_string(work.out));
    archive_read_free(work.in);
    archive_write_free(work.out);
    return good;
}

int run_unpack_main(int argc, char **argv) {
    guint64 limit_bytes = 0;
    if (argc != 5 || !cfg_number_unsigned(argv[4], 0, G_MAXUINT64, &limit_bytes))
        return fail("moowatch-runner unpack ARCHIVE FOLDER BYTES", NULL) ? 0 : 2;
    if (chdir(argv[3]) != 0)
        return fail(argv[3], g_strerror(errno)) ? 0 : 1;
    umask(0022);
    return unpack(argv[2], limit_bytes) ? 0 : 1;
}
