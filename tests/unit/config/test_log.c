/* A stranger's text in a log: it never ends its value or its line, nor moves a terminal's cursor.
 */
#include "config/log.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void values_as_they_are_written(void **state) {
    (void)state;
    static const struct {
        const char *value, *written;
    } cases[] = {
        {"plain", "plain"},
        {"a.b_c-d/e:f+g,h@i%25", "a.b_c-d/e:f+g,h@i%25"},
        {"", "\"\""},
        {"two words", "\"two words\""},
        {"a=b", "\"a=b\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"line\nerror http fake", "\"line\\nerror http fake\""},
        {"\r\t", "\"\\u000d\\u0009\""},
        {"\x1b[2J", "\"\\u001b[2J\""},
        {"\x7f", "\"\\u007f\""},
        {"\u202eevil", "\"\\u202eevil\""},
        {"\u2028", "\"\\u2028\""},
        {"\xc2\x85", "\"\\u0085\""},
        {"größer", "\"größer\""},
        {"\xff", "\"\uFFFD\""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) line = g_string_new(NULL);
        log_value(line, cases[i].value);
        assert_string_equal(line->str, cases[i].written);
    }
}

static void long_values_are_cut(void **state) {
    (void)state;
    g_autofree char *edge = g_strnfill(2000, 'a'), *more = g_strnfill(2001, 'a');
    g_autoptr(GString) whole = g_string_new(NULL);
    g_autoptr(GString) cut = g_string_new(NULL);
    log_value(whole, edge);
    assert_int_equal(whole->len, 2000);
    log_value(cut, more);
    assert_int_equal(cut->len, strlen("\"\"") + 2000);
}

static void an_escaped_text_is_not_quoted(void **state) {
    (void)state;
    g_autoptr(GString) line = g_string_new("x=\"");
    log_escape(line, "a\" level=debug b=\"c");
    assert_string_equal(line->str, "x=\"a\\\" level=debug b=\\\"c");
}

/* By hand a log line has its time; the journal notes it itself. */

static void the_time_is_utc_to_the_second(void **state) {
    (void)state;
    static const struct {
        gint64 us;
        const char *text;
    } cases[] = {{0, "1970-01-01T00:00:00Z "},
                 {1366180200999999, "2013-04-17T06:30:00Z "},
                 {4102444799000000, "2099-12-31T23:59:59Z "}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = log_time(cases[i].us);
        assert_string_equal(text, cases[i].text);
    }
}

static void only_the_journal_notes_times_itself(void **state) {
    (void)state;
    int ends[2];
    struct stat status;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fstat(ends[1], &status), 0);
    g_autofree char *journal = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                               (guint64)status.st_dev, (guint64)status.st_ino);
    assert_true(log_is_timed(ends[1], journal));
    assert_false(log_is_timed(ends[1], "1:2")); /* redirected by a unit's own shell */
    assert_false(log_is_timed(ends[1], ""));
    assert_false(log_is_timed(ends[1], NULL));
    close(ends[0]);
    close(ends[1]);
    assert_false(log_is_timed(ends[1], journal));
}

static void a_line_begins_with_a_time_or_nothing(void **state) {
    (void)state;
    struct stat status;
    assert_int_equal(fstat(STDERR_FILENO, &status), 0);
    g_autofree char *journal = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                               (guint64)status.st_dev, (guint64)status.st_ino);
    g_unsetenv("JOURNAL_STREAM");
    g_autofree char *by_hand = log_begin();
    assert_int_equal(strlen(by_hand), 21);
    assert_true(by_hand[10] == 'T' && by_hand[20] == ' ');
    assert_true(g_setenv("JOURNAL_STREAM", journal, TRUE));
    g_autofree char *by_the_journal = log_begin();
    assert_string_equal(by_the_journal, "");
    g_unsetenv("JOURNAL_STREAM");
}

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
    cfg_log("warning", "cache", "left_over", "reason=\"%s\" n=%d", value, 7);
}

static void start_and_stop(const char *why) {
    cfg_log("info", "agent", "started", "%s", "");
    cfg_log("info", "agent", "stopped", "why=%.9s", why);
}

static void what_is_not_known(const char *nothing) {
    cfg_log("warning", "git", "slow", "reason=%s seconds=%d of=%s", nothing, 3, nothing);
    cfg_log("error", "http", "broken", "text=%s", nothing);
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

/* Neither its key. */
static void nothing_known_is_left_out(void **state) {
    (void)state;
    g_autofree char *text = logged(what_is_not_known, NULL, true);
    assert_string_equal(text, "warning git slow seconds=3\nerror http broken\n");
}

static void all_kinds(const char *value) {
    cfg_log("info", "a", "b", "c=%s d=%d u=%u ld=%ld lu=%lu lld=%lld f=%.1f raw%s", value, -1, 2u,
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
        cmocka_unit_test(values_as_they_are_written),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(an_escaped_text_is_not_quoted),
        cmocka_unit_test(the_time_is_utc_to_the_second),
        cmocka_unit_test(only_the_journal_notes_times_itself),
        cmocka_unit_test(a_line_begins_with_a_time_or_nothing),
        cmocka_unit_test(a_line),
        cmocka_unit_test(each_conversion_that_is_used),
        cmocka_unit_test(nothing_to_say_is_no_space_at_the_end),
        cmocka_unit_test(nothing_known_is_left_out),
        cmocka_unit_test(each_line_begins_with_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
