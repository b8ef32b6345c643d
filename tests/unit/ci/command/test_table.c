/* Columns of text, and how a number of nanoseconds is written in them. */
#include "ci/command/table.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/command/called.h"

/* The table of these cells; caller frees. */
static char *printed(const char *const *titles, const char *const *cells) {
    g_autoptr(ci_table) table = ci_table_new(titles);
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    for (; *cells; cells++)
        ci_table_add(table, g_strdup(*cells));
    ci_table_print(table, to);
    (void)fclose(to);
    char *owned = g_strdup(text);
    free(text);
    return owned;
}

#define EXPECT_TABLE(titles, cells, text)                                                          \
    do {                                                                                           \
        g_autofree char *got =                                                                     \
            printed((const char *const[]){titles, NULL}, (const char *const[]){cells, NULL});      \
        assert_string_equal(got, text);                                                            \
    } while (0)
#define LIST(...) __VA_ARGS__

static void columns_are_as_wide_as_their_widest(void **state) {
    (void)state;
    EXPECT_TABLE(LIST("name", ">ns", "what"), LIST("T", "70.1", "ok", "writing", "1332", "rose"),
                 "name       ns  what\n"
                 "T        70.1  ok\n"
                 "writing  1332  rose\n");
    EXPECT_TABLE(LIST(">a", ""), LIST("1", "", "22", ""), " a  \n 1  \n22  \n");
}

static void titles_alone(void **state) {
    (void)state;
    static const char *const none[] = {NULL};
    static const char *const titles[] = {"night", ">W", NULL};
    g_autofree char *got = printed(titles, none);
    assert_string_equal(got, "night  W\n");
}

static void what_is_too_wide_comes_in_parts(void **state) {
    (void)state;
    static const char *const titles[] = {"name", ">ns", ">of", "what", NULL};
    static const char *const cells[] = {"writing", "1332", "1", "rose", NULL};
    static const struct {
        glong width;
        const char *text;
    } cases[] = {
        {23, "name       ns  of  what\nwriting  1332   1  rose\n"},
        {22, "name       ns  of\nwriting  1332   1\n\nname     what\nwriting  rose\n"},
        {1, "name       ns\nwriting  1332\n\nname     of\nwriting   1\n\nname     what\nwriting  "
            "rose\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(ci_table) table = ci_table_new(titles);
        char *text = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&text, &size);
        for (size_t k = 0; cells[k]; k++)
            ci_table_add(table, g_strdup(cells[k]));
        table_print_within(table, cases[i].width, to);
        (void)fclose(to);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

/* A wide character takes two columns, one that is put over another none. */
static void width_is_what_a_terminal_shows(void **state) {
    (void)state;
    EXPECT_TABLE(LIST("a", ">b"), LIST("数据", "1", "xxxx", "2", "e\u0301e", "3"),
                 "a     b\n"
                 "数据  1\n"
                 "xxxx  2\n"
                 "e\u0301e    3\n");
}

/* An escape in a label takes up the place that its replacement needs. */
static void cells_of_others(void **state) {
    (void)state;
    EXPECT_TABLE(LIST("label", ">ns"), LIST("\x1b[2J", "1", "plain", "2"),
                 "label  ns\n\uFFFD[2J    1\nplain   2\n");
}

static void numbers(void **state) {
    (void)state;
    static const struct {
        double ns;
        const char *text;
    } cases[] = {{0, "0.000"},
                 {0.0004, "0.000"},
                 {0.12345, "0.123"},
                 {-0.5, "-0.500"},
                 {1, "1.00"},
                 {9.654, "9.65"},
                 {99.994, "99.99"},
                 {100, "100.0"},
                 {-332.55, "-332.6"},
                 {999.94, "999.9"},
                 {1000, "1000"},
                 {1332.5, "1332"},
                 {-1500.7, "-1501"},
                 {1e9, "1000000000"},
                 {(double)NAN, "-"},
                 {(double)INFINITY, "-"},
                 {-(double)INFINITY, "-"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = ci_ns(cases[i].ns);
        assert_string_equal(text, cases[i].text);
    }
}

static void intervals_and_percentages(void **state) {
    (void)state;
    g_autofree char *both = ci_ns_interval(69, 71.25), *low = ci_ns_interval((double)NAN, 1),
                    *high = ci_ns_interval(1, (double)INFINITY), *up = ci_percent(4.06),
                    *down = ci_percent(-0.04), *none = ci_percent((double)NAN);
    assert_string_equal(both, "[69.00, 71.25]");
    assert_string_equal(low, "-");
    assert_string_equal(high, "-");
    assert_string_equal(up, "+4.06 %");
    assert_string_equal(down, "-0.040 %");
    assert_string_equal(none, "-");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_as_wide_as_their_widest),
        cmocka_unit_test(titles_alone),
        cmocka_unit_test(what_is_too_wide_comes_in_parts),
        cmocka_unit_test(width_is_what_a_terminal_shows),
        cmocka_unit_test(cells_of_others),
        cmocka_unit_test(numbers),
        cmocka_unit_test(intervals_and_percentages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
