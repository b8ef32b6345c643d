/* A line an event: nobody's text makes two of it, or anything else of a terminal. */
#include "tests/unit/runner/test.h"

#include "runner/ground/log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define R "\xef\xbf\xbd" /* in place of what a terminal would obey */

/* What is written to standard error by one call; caller frees. */
static char *logged(const char *value) {
    FILE *file = tmpfile();
    const int own = dup(STDERR_FILENO);
    (void)fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    run_log("warning", "cache", "left_over", "reason=\"%s\" n=%d", value, 7);
    dup2(own, STDERR_FILENO);
    (void)close(own);
    char text[200] = "";
    rewind(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    return g_strdup(text);
}

static void a_line(void **state) {
    (void)state;
    static const struct {
        const char *value, *shown;
    } cases[] = {{"disk full", "disk full"},
                 {"two\nlines\r\n\ttab", "two lines" R "  tab"},
                 {"\x1b[2J\x07\x7f", R "[2J" R R},
                 {"größe", "größe"},
                 {"%s%n", "%s%n"},
                 {"", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = logged(cases[i].value);
        g_autofree char *wanted =
            g_strdup_printf("warning cache left_over reason=\"%s\" n=7\n", cases[i].shown);
        assert_string_equal(text, wanted);
    }
}

static void nothing_to_say_is_no_space_at_the_end(void **state) {
    (void)state;
    FILE *file = tmpfile();
    const int own = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    run_log("info", "agent", "started", "%s", "");
    run_log("info", "agent", "stopped", "why=%s", "x \n");
    dup2(own, STDERR_FILENO);
    (void)close(own);
    char text[100] = "";
    rewind(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    assert_string_equal(text, "info agent started\ninfo agent stopped why=x\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line),
        cmocka_unit_test(nothing_to_say_is_no_space_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
