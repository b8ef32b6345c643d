/* Files of moowatch 0.1, made by it: read for as long as there are any; others say what is wrong.
 */
#include "tests/unit/test.h"

#include "ci/formats/old_calls.h"

#include <stdlib.h>
#include <string.h>

/* "1;5\n1;7\n". */
static const char two_calls[] =
    "iU1XQ0FMUwEmAAAAKLUv/"
    "SQXjAAAWAECAgAAAgICAAQAAQAb8AIQAAAGAAEAAOkHoYAAAAAAAgAAAAAAAAAIAAAAAAAAAA==";
/* Runs, times below and far above the others, a heap that moves. */
static const char many_calls[] =
    "iU1XQ0FMUwGfAAAAKLUv/STSuAAAAQQ9AAAgAh0CAgIxAAAAAAAAAB8AAADsAACSQQQK8BkDTpFO9D+oKb/0k4/IAg"
    "MAgON6nm8AImgBAEqQAQAABsD2VAAGAADo7DIzMzNTbcvMzMxMAABgAAACAAAAAAAAAAAADQAAAIwAADjD2gDRANLS"
    "AwBCJQJ42HyHoQAASYEtLehP0D+ADIP+BgABADIECgJiaS+2AAAAAD0AAAAAAAAAFQQAAAAAAAA=";
/* Times that rise, and text behind them. */
static const char steps_and_text[] =
    "iU1XQ0FMUwFBAAAAKLUv/SREqAAAAQIoAAAoAgIA0AcAAAAAAAAHAAAAlAAAYPIIEAIKEgQMFAYOAAEAZkoSOQAAQf"
    "+MSf0aA37PJFsaAAAAKLUv/SQNaQAAADE7MDMKdGhlIGVuZP44LcIAAAAAKgAAAAAAAAAEAwAAAAAAAA==";

static GString *many_lines(void) {
    GString *text = g_string_new("1;5;100;0\n");
    guint64 heap = 47372504;
    for (guint64 i = 0; i < 60; i++) {
        const guint64 time = i == 20 ? 5 : i == 40 ? 900719925474099 : 700 + i * 7919 % 331;
        heap += i % 20 == 19 ? 4096 * (i + 1) : 0;
        heap -= i == 50 ? 100000 : 0;
        g_string_append_printf(text, "%d;%" G_GUINT64_FORMAT ";%" G_GUINT64_FORMAT ";%d\n",
                               i > 30 ? 2 : 1, time, heap, i >= 50 ? 3 : 2);
    }
    return text;
}

static GString *rising_lines(void) {
    GString *text = g_string_new(NULL);
    guint64 time = 1000000000000000;
    for (guint64 i = 0; i < 40; i++) {
        time += 1000 + i * 37 % 11;
        g_string_append_printf(text, "1;%" G_GUINT64_FORMAT "\n", time);
    }
    return g_string_append(text, "1;03\nthe end");
}

/* What is wrong, or NULL; text: what was written. */
static const char *lines_of(const guint8 *bytes, gsize size, GString *text) {
    char *written = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&written, &length);
    const char *problem = ci_old_calls_write(bytes, size, to);
    assert_int_equal(fclose(to), 0);
    g_string_append_len(g_string_truncate(text, 0), written, (gssize)length);
    free(written);
    return problem;
}

static void files_become_their_lines(void **state) {
    (void)state;
    g_autoptr(GString) many = many_lines();
    g_autoptr(GString) rising = rising_lines();
    g_autoptr(GString) got = g_string_new(NULL);
    const struct {
        const char *file, *text;
    } cases[] = {{two_calls, "1;5\n1;7\n"}, {many_calls, many->str}, {steps_and_text, rising->str}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        gsize size;
        g_autofree guint8 *bytes = g_base64_decode(cases[i].file, &size);
        assert_null(lines_of(bytes, size, got));
        assert_string_equal(got->str, cases[i].text);
    }
}

/* Cut anywhere, a bit turned anywhere, a block taken out, a byte behind: nobody takes it for the
 * whole. */
static void what_is_not_whole_is_told(void **state) {
    (void)state;
    g_autoptr(GString) got = g_string_new(NULL);
    g_autoptr(GString) whole = g_string_new(NULL);
    const char *files[] = {two_calls, many_calls, steps_and_text};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        gsize size;
        g_autofree guint8 *bytes = g_base64_decode(files[i], &size);
        assert_null(lines_of(bytes, size, whole));
        for (gsize cut = 0; cut < size; cut++)
            assert_non_null(lines_of(bytes, cut, got));
        for (gsize at = 7; at < size; at++) {
            bytes[at] ^= (guint8)(1u << at % 8);
            /* A bit of a frame's head that means nothing, or another window. */
            assert_true(lines_of(bytes, size, got) || g_string_equal(got, whole));
            bytes[at] ^= (guint8)(1u << at % 8);
        }
    }
}

static void expect(const guint8 *bytes, gsize size, const char *says) {
    g_autoptr(GString) got = g_string_new(NULL);
    assert_string_equal(lines_of(bytes, size, got), says);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    gsize size;
    g_autofree guint8 *bytes = g_base64_decode(two_calls, &size);
    g_autofree guint8 *more = g_malloc0(size + 1);
    memcpy(more, bytes, size);
    expect(more, size + 1, "there are bytes after its end");
    expect((const guint8 *)"\x89MWCALS\x02", 8, "a newer version of moowatch wrote it");
    expect((const guint8 *)"\x89MWCALS\x01\xff\xff\xff\xff", 12, "it is cut off");
    expect((const guint8 *)"\x89MWCALS\x01\x04\0\0\0xxxx", 16, "a block of it is damaged");
    memmove(bytes + 8, bytes + 8 + 4 + 0x26, size - 8 - 4 - 0x26);
    expect(bytes, size - 4 - 0x26, "blocks of it are missing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_become_their_lines),
        cmocka_unit_test(what_is_not_whole_is_told),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
