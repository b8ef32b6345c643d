/* What an import left out, once for all runs, by name and reason. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/told.h"

static void a_line_a_benchmark(void **state) {
    (void)state;
    json_auto_t *nights = json_of(
        "[{'left': [{'name': 'mem', 'why': 'no time'}, {'name': 'b', 'why': 'skipped'}], 'notes':"
        " ['doubled']}, {'left': [{'name': 'mem', 'why': 'no time'}], 'notes': ['doubled']}, {}]");
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    ci_told_nights(told, nights);
    assert_int_equal(told->len, 3);
    assert_string_equal(told->pdata[0], "left out: mem: no time (in 2 of 3 runs)");
    assert_string_equal(told->pdata[1], "left out: b: skipped");
    assert_string_equal(told->pdata[2], "doubled (in 2 of 3 runs)");
}

static void many_lines_are_counted(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 30; i++)
        g_ptr_array_add(told, g_strdup_printf("line %d", i));
    char text[1024] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    ci_told_print(told, file);
    (void)fclose(file);
    assert_non_null(strstr(text, "line 24\n"));
    assert_null(strstr(text, "line 25\n"));
    assert_non_null(strstr(text, "and 5 more such lines\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_a_benchmark),
                                       cmocka_unit_test(many_lines_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
