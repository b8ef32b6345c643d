/* Any bytes as a commit's message: its trailers are read, tidy and not too long. */
#include "server/git/repo.h"

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MAX = 65535, ADLER = 65521, OPEN_FOLDERS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *mirror;

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at) {
    (void)info, (void)type, (void)at;
    return remove(path);
}

static void leave(void) {
    if (nftw(mirror, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        (void)fprintf(stderr, "left over: %s\n", mirror);
    g_free(mirror);
}

static void put(const char *name, const void *bytes, size_t size) {
    g_autofree char *path = g_build_filename(mirror, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);
    if (g_mkdir_with_parents(folder, 0700) != 0 ||
        !g_file_set_contents_full(path, bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
        abort();
}

/* A bare repository, as empty as one can be. */
static void begin(void) {
    static const char head[] = "ref: refs/heads/main\n";
    mirror = g_dir_make_tmp("moowatch-fuzz-XXXXXX", NULL);
    g_autofree char *home = mirror ? g_build_filename(mirror, "home", NULL) : NULL;
    g_autofree char *refs = mirror ? g_build_filename(mirror, "refs", NULL) : NULL;
    if (!mirror || g_mkdir_with_parents(home, 0700) != 0 || g_mkdir_with_parents(refs, 0700) != 0 ||
        !srv_repo_init(home, NULL))
        abort();
    put("HEAD", head, sizeof head - 1);
    (void)atexit(leave);
}

/* zlib's format with one block that is stored as it is (RFC 1950, 1951). */
static void put_object(const char *name, const GString *object) {
    g_autoptr(GByteArray) packed = g_byte_array_new();
    const guint16 length = GUINT16_TO_LE((guint16)object->len);
    const guint16 inverse = (guint16)~length;
    static const guint8 start[] = {0x78, 0x01, 0x01};
    guint32 a = 1;
    guint32 b = 0;
    for (gsize i = 0; i < object->len; i++) {
        a = (a + (guint8)object->str[i]) % ADLER;
        b = (b + a) % ADLER;
    }
    const guint32 sum = GUINT32_TO_BE(b << 16 | a);
    g_byte_array_append(packed, start, sizeof start);
    g_byte_array_append(packed, (const guint8 *)&length, sizeof length);
    g_byte_array_append(packed, (const guint8 *)&inverse, sizeof inverse);
    g_byte_array_append(packed, (const guint8 *)object->str, (guint)object->len);
    g_byte_array_append(packed, (const guint8 *)&sum, sizeof sum);
    put(name, packed->data, packed->len);
}

static void check(const srv_repo_trailer *trailer) {
    if (!g_utf8_validate(trailer->text, -1, NULL) ||
        g_utf8_strlen(trailer->text, -1) > SRV_REPO_TRAILER_MAX ||
        strpbrk(trailer->text, "\r\n\x1b"))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char tree[] = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
                               "author A <a@b> 1700000000 +0000\n"
                               "committer A <a@b> 1700000000 +0000\n\n";
    if (!mirror)
        begin();
    if (size > BLOCK_MAX / 2)
        return 0;
    g_autoptr(GString) object = g_string_new(NULL);
    g_string_append_printf(object, "commit %zu", sizeof tree - 1 + size);
    g_string_append_c(object, '\0');
    g_string_append(object, tree);
    g_string_append_len(object, (const char *)data, (gssize)size);
    g_autofree char *sha =
        g_compute_checksum_for_data(G_CHECKSUM_SHA1, (const guchar *)object->str, object->len);
    g_autofree char *name = g_strdup_printf("objects/%.2s/%s", sha, sha + 2);
    put_object(name, object);
    srv_nights_commit line = {.time_s = 1700000000};
    (void)g_strlcpy(line.sha, sha, sizeof line.sha);
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) found = srv_repo_trailers(mirror, &line, 1, NULL, &error);
    if (!found)
        abort();
    for (guint i = 0; i < found->len; i++)
        check(&g_array_index(found, srv_repo_trailer, i));
    g_autofree char *path = g_build_filename(mirror, name, NULL);
    (void)remove(path);
    return 0;
}
