/* Files of today, of earlier versions, and what is neither: each is read or says what it is. */
#include "tests/unit/detector/packed/packed.h"

#include <stdio.h>
#include <zstd.h>

static char text[600000];
static unsigned char file[700000];

static size_t lines(int n) {
    size_t size = 0;
    for (int i = 0; i < n; i++)
        size += (size_t)sprintf(text + size, "1;%d;%d;0\n", 700 + i * 7919 % 331, 1000 + i / 50);
    return size;
}

/* What a version before the packed files stored: written by it, `zstd` of "0;12;0;0\n0;13;0;0\n".
 * It must be read for ever. */
static const unsigned char first_version[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x91, 0x00, 0x00,
                                              0x30, 0x3b, 0x31, 0x32, 0x3b, 0x30, 0x3b, 0x30, 0x0a,
                                              0x30, 0x3b, 0x31, 0x33, 0x3b, 0x30, 0x3b, 0x30, 0x0a};

/* Version 1 of the packed files, "1;5\n1;7\n", made when it was new. It must be read for ever. */
static const unsigned char packed_version_1[] = {
    0x89, 0x4d, 0x57, 0x43, 0x41, 0x4c, 0x53, 0x01, 0x26, 0x00, 0x00, 0x00, 0x28, 0xb5,
    0x2f, 0xfd, 0x24, 0x17, 0x8c, 0x00, 0x00, 0x58, 0x01, 0x02, 0x02, 0x00, 0x00, 0x02,
    0x02, 0x02, 0x00, 0x04, 0x00, 0x01, 0x00, 0x1b, 0xf0, 0x02, 0x10, 0x00, 0x00, 0x06,
    0x00, 0x01, 0x00, 0x00, 0xe9, 0x07, 0xa1, 0x80, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

static void files_of_every_version_are_read(void **state) {
    static const struct {
        const unsigned char *data;
        size_t size;
        const char *text;
    } cases[] = {
        {first_version, sizeof first_version, "0;12;0;0\n0;13;0;0\n"},
        {packed_version_1, sizeof packed_version_1, "1;5\n1;7\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step < 50; step++) {
            bytes back = {0};
            const char *problem;
            assert_int_equal(unpacked_of(cases[i].data, cases[i].size, step, &back, &problem),
                             DET_UNPACK_END);
            assert_int_equal(back.size, strlen(cases[i].text));
            assert_memory_equal(back.data, cases[i].text, back.size);
            free(back.data);
        }
}

static void a_long_old_file_is_read(void **state) {
    (void)state;
    const size_t size = lines(30000);
    const size_t packed = ZSTD_compress(file, sizeof file, text, size, 3);
    for (size_t step = 100; step < sizeof file; step *= 7) {
        bytes back = {0};
        const char *problem;
        assert_int_equal(unpacked_of(file, packed, step, &back, &problem), DET_UNPACK_END);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
        free(back.data);
    }
}

static void the_columns_of_a_block_are_at_hand(void **state) {
    (void)state;
    bytes packed = packed_of("1;5;100;0\n1;7;100;0\n", 20, 20);
    det_unpack *unpack = det_unpack_new();
    size_t used = 0;
    assert_int_equal(det_unpack_take(unpack, packed.data, packed.size, &used), DET_UNPACK_BLOCK);
    const det_calls *calls = det_unpack_calls(unpack);
    assert_non_null(calls);
    assert_int_equal(calls->count, 2);
    assert_int_equal(calls->columns, 4);
    assert_int_equal(calls->number[1][0], 5);
    assert_int_equal(calls->number[1][1], 7);
    assert_int_equal(calls->number[2][1], 100);
    assert_false(det_unpack_is_lines(unpack));
    const size_t rest = packed.size - used;
    assert_int_equal(det_unpack_take(unpack, packed.data + used, rest, &used), DET_UNPACK_END);
    det_unpack_free(unpack);
    free(packed.data);
}

static void an_old_file_and_odd_lines_are_text(void **state) {
    size_t used, size;
    (void)state;
    det_unpack *unpack = det_unpack_new();
    assert_int_equal(det_unpack_take(unpack, first_version, sizeof first_version, &used),
                     DET_UNPACK_BLOCK);
    assert_null(det_unpack_calls(unpack));
    assert_true(det_unpack_is_lines(unpack));
    det_unpack_free(unpack);
    bytes packed = packed_of("1;05\n", 5, 5);
    unpack = det_unpack_new();
    assert_int_equal(det_unpack_take(unpack, packed.data, packed.size, &used), DET_UNPACK_BLOCK);
    assert_null(det_unpack_calls(unpack));
    assert_memory_equal(det_unpack_text(unpack, &size), "1;05\n", 5);
    assert_int_equal(size, 5);
    det_unpack_free(unpack);
    free(packed.data);
}

static void expect_broken(const unsigned char *data, size_t size, const char *says) {
    bytes back = {0};
    const char *problem;
    assert_int_equal(unpacked_of(data, size, 11, &back, &problem), DET_UNPACK_BROKEN);
    assert_string_equal(problem, says);
    free(back.data);
}

static void what_is_no_such_file_is_told(void **state) {
    (void)state;
    expect_broken((const unsigned char *)"1;2\n1;3\n", 8, "it is neither packed calls nor zstd");
    expect_broken((const unsigned char *)"\x89MWCA000", 8, "it is neither packed calls nor zstd");
    expect_broken((const unsigned char *)"\x89MWCALS\x02", 8,
                  "it is of a newer version of moowatch");
    expect_broken((const unsigned char *)"\x89MWCALS\x01\xff\xff\xff\xff", 12,
                  "a block of it is damaged");
    expect_broken((const unsigned char *)"\x89MWCALS\x01\x04\0\0\0xxxx", 16,
                  "a block of it is damaged");
}

/* Cut anywhere it is a beginning, and nobody takes it for the whole. */
static void a_file_that_is_cut_off_never_ends(void **state) {
    (void)state;
    const size_t size = lines(20000);
    bytes packed = packed_of(text, size, 65536);
    for (size_t cut = 0; cut < packed.size; cut += cut < 64 ? 1 : packed.size / 37 + 1) {
        bytes back = {0};
        const char *problem;
        assert_int_equal(unpacked_of(packed.data, cut, 65536, &back, &problem), DET_UNPACK_MORE);
        assert_string_equal(problem, cut == 0 ? "it is empty" : "it is cut off");
        assert_true(back.size <= size);
        if (back.size)
            assert_memory_equal(back.data, text, back.size);
        free(back.data);
    }
    free(packed.data);
}

/* One bit that turned: noticed, wherever it is. */
static void a_file_that_is_damaged_is_refused(void **state) {
    (void)state;
    const size_t size = lines(9000);
    bytes packed = packed_of(text, size, 65536);
    for (size_t at = 0; at < packed.size; at += at < 64 ? 1 : packed.size / 301 + 1) {
        bytes back = {0};
        const char *problem;
        packed.data[at] ^= (unsigned char)(1u << at % 8);
        assert_int_not_equal(unpacked_of(packed.data, packed.size, 65536, &back, &problem),
                             DET_UNPACK_END);
        packed.data[at] ^= (unsigned char)(1u << at % 8);
        free(back.data);
    }
    for (size_t at = packed.size - 20; at < packed.size; at++) {
        bytes back = {0};
        const char *problem;
        packed.data[at] ^= 1;
        assert_int_not_equal(unpacked_of(packed.data, packed.size, 65536, &back, &problem),
                             DET_UNPACK_END);
        packed.data[at] ^= 1;
        free(back.data);
    }
    free(packed.data);
}

static void bytes_after_the_end_are_refused(void **state) {
    (void)state;
    memcpy(file, packed_version_1, sizeof packed_version_1);
    expect_broken(file, sizeof packed_version_1 + 1, "there are bytes after its end");
    memcpy(file, first_version, sizeof first_version);
    expect_broken(file, sizeof first_version + 1, "there are bytes after its end");
}

/* A block taken out, with its size: the end knows how much there was. */
static void a_block_that_is_missing_is_noticed(void **state) {
    (void)state;
    const size_t size = lines(20000);
    bytes packed = packed_of(text, size, 65536);
    size_t block = 0;
    for (unsigned i = 0; i < 4; i++)
        block |= (size_t)packed.data[DET_PACK_MAGIC_BYTES + i] << 8 * i;
    unsigned char *second = packed.data + DET_PACK_MAGIC_BYTES + 4 + block;
    memmove(packed.data + DET_PACK_MAGIC_BYTES, second,
            packed.size - (size_t)(second - packed.data));
    expect_broken(packed.data, packed.size - 4 - block, "blocks of it are missing");
    free(packed.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_every_version_are_read),
        cmocka_unit_test(a_long_old_file_is_read),
        cmocka_unit_test(the_columns_of_a_block_are_at_hand),
        cmocka_unit_test(an_old_file_and_odd_lines_are_text),
        cmocka_unit_test(what_is_no_such_file_is_told),
        cmocka_unit_test(a_file_that_is_cut_off_never_ends),
        cmocka_unit_test(a_file_that_is_damaged_is_refused),
        cmocka_unit_test(bytes_after_the_end_are_refused),
        cmocka_unit_test(a_block_that_is_missing_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
