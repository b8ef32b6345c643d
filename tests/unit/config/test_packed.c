/* Lines under zstd: whole, or with what is wrong; and blocks in memory. */
#include "tests/unit/test.h"

#include "config/packed.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 5000 };

static bool add(void *to, const void *bytes, size_t size) {
    g_byte_array_append(to, bytes, (guint)size);
    return true;
}

static GString *lines(guint n) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "1;%u;%u;0\n", 700 + i * 7919 % 331, 1000 + i / 50);
    return text;
}

static GByteArray *packed_of(const GString *text, size_t step) {
    GByteArray *out = g_byte_array_new();
    cfg_pack *pack = cfg_pack_new(text->len, add, out);
    for (size_t at = 0; at < text->len; at += step)
        assert_true(cfg_pack_feed(pack, text->str + at, MIN(step, text->len - at)));
    assert_true(cfg_pack_end(pack));
    cfg_pack_free(pack);
    return out;
}

/* What a file of these bytes unpacks to, read `step` bytes at once; problem: NULL, it is whole. */
static GString *unpacked(const guint8 *bytes, gsize size, size_t step, const char **problem) {
    FILE *file = tmpfile();
    GString *text = g_string_new(NULL);
    g_autofree char *piece = g_malloc(step);
    ssize_t got;
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
    cfg_unpack *unpack = cfg_unpack_new(fileno(file));
    while ((got = cfg_unpack_read(unpack, piece, step)) > 0)
        g_string_append_len(text, piece, got);
    assert_int_equal(cfg_unpack_read(unpack, piece, step), got); /* stays so */
    *problem = got < 0 ? cfg_unpack_problem(unpack) : NULL;
    cfg_unpack_free(unpack);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void lines_come_back(void **state) {
    static const guint counts[] = {0, 1, 30000};
    static const size_t steps[] = {1, 7, 65536};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(counts) * G_N_ELEMENTS(steps); i++) {
        const char *problem;
        uint64_t length;
        const size_t step = steps[i % G_N_ELEMENTS(steps)];
        g_autoptr(GString) text = lines(counts[i / G_N_ELEMENTS(steps)]);
        g_autoptr(GByteArray) file = packed_of(text, step);
        g_autoptr(GString) got = unpacked(file->data, file->len, step, &problem);
        assert_null(problem);
        assert_int_equal(got->len, text->len);
        assert_memory_equal(got->str, text->str, text->len);
        assert_true(cfg_packed_length(file->data, MIN(file->len, CFG_PACKED_HEAD), &length));
        assert_int_equal(length, text->len);
    }
}

/* The command itself: what somebody does without moowatch. */
static void zstdcat_reads_them(void **state) {
    (void)state;
    char path[] = "/tmp/moowatch-packed-XXXXXX";
    g_autoptr(GString) text = lines(1000);
    g_autoptr(GByteArray) file = packed_of(text, 100);
    g_autofree char *out = NULL;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, file->data, file->len), file->len);
    assert_int_equal(close(fd), 0);
    char *argv[] = {(char[]){"zstd"}, (char[]){"-dcq"}, path, NULL};
    assert_true(
        g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
    assert_int_equal(unlink(path), 0);
    assert_string_equal(out, text->str);
}

/* zstd of "0;12;0;0\n0;13;0;0\n", as the first version wrote it: it does not say how long it is. */
static void a_frame_without_a_length_is_read(void **state) {
    static const guint8 first[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x91, 0x00, 0x00,
                                   0x30, 0x3b, 0x31, 0x32, 0x3b, 0x30, 0x3b, 0x30, 0x0a,
                                   0x30, 0x3b, 0x31, 0x33, 0x3b, 0x30, 0x3b, 0x30, 0x0a};
    const char *problem;
    uint64_t length;
    (void)state;
    g_autoptr(GString) got = unpacked(first, sizeof first, 5, &problem);
    assert_null(problem);
    assert_string_equal(got->str, "0;12;0;0\n0;13;0;0\n");
    assert_false(cfg_packed_length(first, sizeof first, &length));
}

static void what_is_not_whole_is_told(void **state) {
    const char *problem;
    (void)state;
    g_autoptr(GString) text = lines(20000);
    g_autoptr(GByteArray) file = packed_of(text, 65536);
    for (guint cut = 0; cut < file->len; cut += cut < 64 ? 1 : file->len / 37 + 1) {
        g_autoptr(GString) got = unpacked(file->data, cut, 65536, &problem);
        const bool head = cut > 0 && strcmp(problem, "it is no zstd file, or cut off") == 0;
        assert_true(cut < CFG_PACKED_HEAD || !head);
        if (!head)
            assert_string_equal(problem, cut == 0 ? "it is empty" : "it is cut off");
        assert_memory_equal(got->str, text->str, got->len);
    }
    for (guint at = 0; at < file->len; at += at < 64 ? 1 : file->len / 301 + 1) {
        file->data[at] ^= (guint8)(1u << at % 8);
        g_autoptr(GString) got = unpacked(file->data, file->len, 65536, &problem);
        /* A bit of the head that means nothing, or another window. */
        assert_true(problem || (got->len == text->len && strcmp(got->str, text->str) == 0));
        file->data[at] ^= (guint8)(1u << at % 8);
    }
    assert_true(cfg_packed_whole(file->data, file->len));
    assert_false(cfg_packed_whole(file->data, file->len - 1));
    g_byte_array_append(file, (const guint8 *)"\n", 1);
    assert_false(cfg_packed_whole(file->data, file->len));
    g_autoptr(GString) more = unpacked(file->data, file->len, 65536, &problem);
    assert_non_null(more);
    assert_string_equal(problem, "there are bytes after its end");
    g_autoptr(GString) other = unpacked((const guint8 *)"1;2\n1;3\n", 8, 65536, &problem);
    assert_non_null(other);
    assert_string_equal(problem, "it is no zstd file, or cut off");
}

/* A frame whose head says 100 bytes, of blocks that say "this byte 131,072 times": nobody is given
 * what they unpack to. */
static void a_frame_that_lies_is_left_early(void **state) {
    enum { BLOCKS = 20000 };
    static const guint8 head[] = {0x28, 0xb5, 0x2f, 0xfd, 0x80, 0x68, 100, 0, 0, 0};
    const guint32 first = (131072u << 3) | 2;
    const char *problem;
    uint64_t length;
    (void)state;
    g_autoptr(GByteArray) frame = g_byte_array_new();
    g_byte_array_append(frame, head, sizeof head);
    for (guint32 i = 0; i < BLOCKS; i++) {
        const guint32 word = first | (i + 1 == BLOCKS);
        const guint8 block[] = {word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, '\n'};
        g_byte_array_append(frame, block, sizeof block);
    }
    assert_true(cfg_packed_length(frame->data, frame->len, &length));
    assert_int_equal(length, 100);
    g_autoptr(GString) got = unpacked(frame->data, frame->len, 65536, &problem);
    assert_non_null(problem);
    assert_true(got->len <= 100);
}

/* A window of 2 GiB would be allocated before the first byte comes out. */
static void a_window_that_is_too_large_is_refused(void **state) {
    static const guint8 frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x80, 0xa8, 0,   0,   0,
                                   0x40, 0x21, 0x00, 0x00, '1',  ';',  '5', '\n'};
    const char *problem;
    (void)state;
    g_autoptr(GString) got = unpacked(frame, sizeof frame, 65536, &problem);
    assert_non_null(got);
    assert_string_equal(problem, "it is damaged");
}

static bool refuse(void *to, const void *bytes, size_t size) {
    (void)to;
    (void)bytes;
    (void)size;
    errno = ENOSPC;
    return false;
}

static void a_text_of_another_length_and_a_full_disk_are_told(void **state) {
    (void)state;
    g_autoptr(GByteArray) out = g_byte_array_new();
    cfg_pack *more = cfg_pack_new(3, add, out), *fewer = cfg_pack_new(5, add, out);
    errno = 0;
    assert_false(cfg_pack_feed(more, "1;5\n", 4) && cfg_pack_end(more));
    assert_int_equal(errno, EMSGSIZE);
    assert_false(cfg_pack_feed(fewer, "1;5\n", 4) && cfg_pack_end(fewer));
    cfg_pack_free(more);
    cfg_pack_free(fewer);
    cfg_pack *full = cfg_pack_new(4, refuse, NULL);
    assert_false(cfg_pack_feed(full, "1;5\n", 4) && cfg_pack_end(full));
    assert_int_equal(errno, ENOSPC);
    cfg_pack_free(full);
}

static void a_block_comes_back(void **state) {
    (void)state;
    unsigned char bytes[SIZE], back[SIZE];
    g_autofree unsigned char *packed = g_malloc(cfg_packed_room(SIZE));
    uint64_t length;
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i % 7);
    const size_t size = cfg_packed_block(packed, bytes, SIZE);
    assert_in_range(size, 1, SIZE / 10);
    assert_true(cfg_packed_length(packed, size, &length));
    assert_int_equal(length, SIZE);
    assert_true(cfg_packed_unblock(back, SIZE, packed, size));
    assert_memory_equal(back, bytes, SIZE);
    assert_false(cfg_packed_unblock(back, SIZE, packed, size - 1));
    assert_false(cfg_packed_unblock(back, SIZE - 1, packed, size));
    assert_false(cfg_packed_length("MooDetcA and more", 17, &length));
    assert_false(cfg_packed_length("", 0, &length));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_back),
        cmocka_unit_test(zstdcat_reads_them),
        cmocka_unit_test(a_frame_without_a_length_is_read),
        cmocka_unit_test(what_is_not_whole_is_told),
        cmocka_unit_test(a_frame_that_lies_is_left_early),
        cmocka_unit_test(a_window_that_is_too_large_is_refused),
        cmocka_unit_test(a_text_of_another_length_and_a_full_disk_are_told),
        cmocka_unit_test(a_block_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
