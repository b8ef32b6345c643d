/* A line an event: nobody's text makes two of it, or anything else of a terminal. */
#include "tests/unit/runner/test.h"

#include "runner/ground/log.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What calls write to standard error, which is the journal's or not; caller frees. */
static char *logged(void (*calls)(const char *), const char *value, bool journal) {
    FILE *file = tmpfile();
    const int own = dup(STDERR_FILENO);
    struct stat status;
    (void)fflush(stderr);
    assert_int_equal(fstat(fileno(file), &status), 0);
    g_autofree char *stream = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                              (guint64)status.st_dev, (guint64)status.st_ino);
    if (journal)
        g_setenv("JOURNAL_STREAM", stream, TRUE);
    else
        g_unsetenv("JOURNAL_STREAM");
    dup2(fileno(file), STDERR_FILENO);
    calls(value);
    dup2(own, STDERR_FILENO);
    (void)close(own);
    char text[200] = "";
    rewind(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    return g_strdup(text);
}

static void left_over(const char *value) {
    run_log("warning", "cache", "left_over", "reason=\"%s\" n=%d", value, 7);
}

static void start_and_stop(const char *why) {
    run_log("info", "agent", "started", "%s", "");
    run_log("info", "agent", "stopped", "why=%.9s", why);
}

static void a_line(void **state) {
    (void)state;
    static const struct {
        const char *value, *shown;
    } cases[] = {{"disk full", "disk full"},
                 {"two\nlines\r\n\ttab", "two\\nlines\\u000d\\n\\u0009tab"},
                 {"\x1b[2J\x07\x7f", "\\u001b[2J\\u0007\\u007f"},
                 {"y\" level=debug job=9 x=\"", "y\\\" level=debug job=9 x=\\\""},
                 {"größe", "größe"},
                 {"%s%n", "%s%n"},
                 {"", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = logged(left_over, cases[i].value, true);
        g_autofree char *wanted =
            g_strdup_printf("warning cache left_over reason=\"%s\" n=7\n", cases[i].shown);
        assert_string_equal(text, wanted);
    }
}

static void nothing_to_say_is_no_space_at_the_end(void **state) {
    (void)state;
    g_autofree char *text = logged(start_and_stop, "x \n", true);
    assert_string_equal(text, "info agent started\ninfo agent stopped why=\"x \\n\"\n");
}

static void all_kinds(const char *value) {
    run_log("info", "a", "b", "c=%s d=%d u=%u ld=%ld lu=%lu lld=%lld f=%.1f raw%s", value, -1, 2u,
            -3L, 4ul, -5LL, 0.25, " e=6");
}

static void each_conversion_that_is_used(void **state) {
    (void)state;
    g_autofree char *text = logged(all_kinds, "two words", true);
    assert_string_equal(text,
                        "info a b c=\"two words\" d=-1 u=2 ld=-3 lu=4 lld=-5 f=0.2 raw e=6\n");
}

/* Run by hand, nobody else notes the time. */
static void each_line_begins_with_its_time(void **state) {
    (void)state;
    g_autofree char *text = logged(start_and_stop, "x", false);
    assert_true(g_regex_match_simple("^[-\\dT:]{19}Z info agent started\n"
                                     "[-\\dT:]{19}Z info agent stopped why=x\n$",
                                     text, 0, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line),
        cmocka_unit_test(each_conversion_that_is_used),
        cmocka_unit_test(nothing_to_say_is_no_space_at_the_end),
        cmocka_unit_test(each_line_begins_with_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
