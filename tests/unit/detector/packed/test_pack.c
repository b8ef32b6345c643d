/* Every text comes back, in whatever pieces it went in and came out; calls get small. */
#include "tests/unit/detector/packed/packed.h"

#include <stdio.h>

static char text[3000000];

static size_t java_lines(char *out, int n) {
    size_t size = 0;
    for (int i = 0; i < n; i++)
        size += (size_t)sprintf(out + size, "1;%d;%d;2\n", 780 + i * 7919 % 40 * (1 + i % 3),
                                8639464 + i / 700 * 4096);
    return size;
}

static void comes_back(const char *from, size_t size, size_t in_step, size_t out_step) {
    bytes file = packed_of(from, size, in_step), back = {0};
    const char *problem;
    assert_int_equal(unpacked_of(file.data, file.size, out_step, &back, &problem), DET_UNPACK_END);
    assert_int_equal(back.size, size);
    if (size)
        assert_memory_equal(back.data, from, size);
    free(file.data);
    free(back.data);
}

static void calls_come_back_however_they_are_cut(void **state) {
    static const size_t steps[] = {1, 7, 4096, sizeof text};
    (void)state;
    const size_t size = java_lines(text, 30000);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            comes_back(text, size, steps[i], steps[k]);
}

static void any_text_comes_back(void **state) {
    static const char *const texts[] = {
        "",
        "\n",
        "1;2",
        "1;2\n",
        "1;2\n3",
        "no numbers at all",
        "1;2\n1;02\n1;-3\n1;2;3;4\r\n1;2\n",
        "1;2\nException in thread main\n1;2;3;4\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        comes_back(texts[i], strlen(texts[i]), 3, 5);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 2654435761u >> 13);
    comes_back(text, sizeof text, 65536, 65536);
}

/* Calls, others, calls again: each part as it was, and lines that lie across two blocks. */
static void mixtures_come_back(void **state) {
    (void)state;
    for (size_t others = 1; others < 200000; others = others * 3 + 1) {
        size_t size = java_lines(text, 9000);
        memset(text + size, 'x', others);
        size += others;
        size += java_lines(text + size, 9000);
        comes_back(text, size, 10007, 997);
    }
}

static void a_file_of_calls_is_small(void **state) {
    (void)state;
    const size_t size = java_lines(text, 100000);
    bytes file = packed_of(text, size, 65536);
    assert_true(file.size * 20 < size);
    assert_memory_equal(file.data, DET_PACK_MAGIC, DET_PACK_MAGIC_BYTES);
    free(file.data);
}

static void the_same_text_is_the_same_file(void **state) {
    (void)state;
    const size_t size = java_lines(text, 50000);
    bytes one = packed_of(text, size, 65536), two = packed_of(text, size, 911);
    assert_int_equal(one.size, two.size);
    assert_memory_equal(one.data, two.data, one.size);
    free(one.data);
    free(two.data);
}

static int refuse_after(void *data, const void *from, size_t size) {
    size_t *left = data;
    (void)from;
    if (size > *left)
        return 1;
    *left -= size;
    return 0;
}

static void a_sink_that_is_full_ends_it(void **state) {
    static const size_t rooms[] = {0, 8, 100, 300};
    (void)state;
    const size_t size = java_lines(text, 100000);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        size_t left = rooms[i];
        det_pack *pack = det_pack_new(refuse_after, &left);
        det_status status = det_pack_feed(pack, text, size);
        if (status == DET_OK)
            status = det_pack_finish(pack);
        assert_int_equal(status, DET_EINVAL);
        det_pack_free(pack);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_back_however_they_are_cut),
        cmocka_unit_test(any_text_comes_back),
        cmocka_unit_test(mixtures_come_back),
        cmocka_unit_test(a_file_of_calls_is_small),
        cmocka_unit_test(the_same_text_is_the_same_file),
        cmocka_unit_test(a_sink_that_is_full_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
