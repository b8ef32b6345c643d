#include "runner/process/output.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LIMIT 4096 /* head 1024, tail 3072 */

static GString *numbered(size_t bytes) {
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; text->len < bytes; i++)
        g_string_append_printf(text, "%07u\n", i);
    g_string_truncate(text, bytes);
    return text;
}

static void check(const GString *given, const char *kept, uint64_t total) {
    assert_int_equal(total, given->len);
    if (given->len <= LIMIT) {
        assert_string_equal(kept, given->str);
        return;
    }
    g_autofree char *gap = g_strdup_printf("\n[… %zu bytes left out …]\n", given->len - LIMIT);
    assert_memory_equal(kept, given->str, 1024);
    assert_true(g_str_has_prefix(kept + 1024, gap));
    assert_string_equal(kept + 1024 + strlen(gap), given->str + given->len - 3072);
}

static void test_any_size_in_any_pieces(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 7168, 100000};
    const size_t pieces[] = {1, 7, 1024, 3072, 5000, 200000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
            g_autoptr(GString) text = numbered(sizes[s]);
            g_autoptr(run_output) output = run_output_new(LIMIT);
            for (size_t at = 0; at < text->len; at += pieces[p])
                run_output_add(output, text->str + at, MIN(pieces[p], text->len - at));
            g_autofree char *kept = run_output_text(output);
            check(text, kept, run_output_bytes(output));
        }
    }
}

static void test_file_gives_the_same(void **state) {
    const size_t sizes[] = {0, 1, 1024, 4096, 4097, 100000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        g_autoptr(GString) text = numbered(sizes[s]);
        g_autofree char *path = g_build_filename(*state, "log", NULL);
        assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        g_autoptr(run_output) output = run_output_new(LIMIT);
        run_output_add_file(output, fd);
        close(fd);
        g_autofree char *kept = run_output_text(output);
        check(text, kept, run_output_bytes(output));
    }
}

static void test_any_bytes_become_text(void **state) {
    (void)state;
    g_autoptr(run_output) output = run_output_new(LIMIT);
    run_output_add(output, "a\0b\xff\xfe", 5);
    g_autofree char *kept = run_output_text(output);
    assert_true(g_utf8_validate(kept, -1, NULL));
    assert_true(g_str_has_prefix(kept, "a"));
    assert_non_null(strchr(kept, 'b'));
}

static void test_tail(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 1023, 1024, 1025, 2000, 4095, 4096, 4097, 5000, 7168, 100000};
    const size_t limits[] = {1, 100, 1500, 3072, 4096, 8000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
            g_autoptr(GString) text = numbered(sizes[s]);
            g_autoptr(run_output) output = run_output_new(LIMIT);
            for (size_t at = 0; at < text->len; at += 7)
                run_output_add(output, text->str + at, MIN((size_t)7, text->len - at));
            g_autofree char *tail = output_tail(output, limits[l]);
            assert_in_range(strlen(tail), text->len > 0 ? 1 : 0, limits[l]);
            assert_true(g_str_has_suffix(text->str, tail));
            if (text->len <= MIN(limits[l], (size_t)LIMIT))
                assert_string_equal(tail, text->str);
        }
    }
}

static void test_tail_is_text_from_a_line(void **state) {
    (void)state;
    const struct {
        const char *printed, *tail;
    } cases[] = {{"first\nsecond\nthird", "third"},
                 {"first line\n", "line\n"},
                 {"1\n2\n3\n4\n5\n", "3\n4\n5\n"},
                 {"\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\uFFFD\uFFFD"},
                 {"\u00e9\u00e9\u00e9\u00e9\u00e9", "\u00e9\u00e9\u00e9\u00e9"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autoptr(run_output) output = run_output_new(LIMIT);
        run_output_add(output, cases[i].printed, strlen(cases[i].printed));
        g_autofree char *tail = output_tail(output, i == 1 ? 5 : 8);
        assert_string_equal(tail, cases[i].tail);
    }
}

static void test_printed_is_silent_while_it_is_quiet(void **state) {
    (void)state;
    run_printed printed = {0};
    assert_null(run_printed_tail(&printed));
    for (int quiet = 0; quiet < 2; quiet++) {
        g_autoptr(run_output) output = run_output_new(LIMIT);
        run_printed_begin(&printed, output, quiet == 1);
        run_output_add(output, "a line\n", 7);
        g_autofree char *during = run_printed_tail(&printed);
        run_output_add(output, quiet == 1 ? "1" : "0", 1);
        run_printed_end(&printed);
        g_autofree char *after = run_printed_tail(&printed);
        if (quiet == 1)
            assert_null(during);
        else
            assert_string_equal(during, "a line\n");
        assert_string_equal(after, quiet == 1 ? "a line\n1" : "a line\n0");
    }
    run_printed_clear(&printed);
    assert_null(run_printed_tail(&printed));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_size_in_any_pieces),
                                       cmocka_unit_test(test_file_gives_the_same),
                                       cmocka_unit_test(test_any_bytes_become_text),
                                       cmocka_unit_test(test_tail),
                                       cmocka_unit_test(test_tail_is_text_from_a_line),
                                       cmocka_unit_test(test_printed_is_silent_while_it_is_quiet)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
