/* What a runner counted, as the detector takes it. */
#include "tests/unit/test.h"

#include "server/result/result.h"

#include <math.h>

/* none <- probe */
static srv__tree tree_of_two(void) {
    return (srv__tree){.chain = {.count = 2, .parent = {-1, 0}}, .name = {"none", "probe"}};
}

/* text: JSON with single quotes; of the instructions. */
static double *read_counts(const char *text, size_t *loops) {
    const srv__tree tree = tree_of_two();
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_auto_t *json = json_loads(quoted, 0, NULL);
    assert_non_null(json);
    return srv__counts_read(json, &tree, "instructions", loops);
}

static void each_loop_of_each_configuration(void **state) {
    (void)state;
    size_t loops;
    g_autofree double *values = read_counts(
        "{'none': {'instructions': [10, 11]}, 'probe': {'instructions': [30.5, 31]}}", &loops);
    assert_int_equal(loops, 2);
    assert_true(values[0] == 10 && values[1] == 11 && values[2] == 30.5 && values[3] == 31);
}

static void what_is_not_there_is_no_number(void **state) {
    (void)state;
    size_t loops;
    g_autofree double *values =
        read_counts("{'none': {'bytes': [7, 7]}, 'probe': {'instructions': [30]}, 'x': 1}", &loops);
    assert_int_equal(loops, 1);
    assert_true(isnan(values[0]) && values[1] == 30);
    g_autofree double *nothing = read_counts("{}", &loops);
    assert_non_null(nothing);
    assert_int_equal(loops, 0);
}

static void a_loop_that_is_no_count_takes_its_configuration_away(void **state) {
    (void)state;
    static const char *const wrong[] = {"[10, -1]",   "[10, 1e16]", "[10, 'a']",
                                        "[10, null]", "10",         "{'a': 1}"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *text = g_strdup_printf(
            "{'none': {'instructions': %s}, 'probe': {'instructions': [30, 30]}}", wrong[i]);
        size_t loops;
        g_autofree double *values = read_counts(text, &loops);
        assert_int_equal(loops, 2);
        assert_true(isnan(values[0]) && isnan(values[1]) && values[2] == 30 && values[3] == 30);
    }
}

static void no_more_loops_than_anybody_needs(void **state) {
    (void)state;
    GString *text = g_string_new("{'none': {'instructions': [1");
    for (int i = 0; i < 100; i++)
        g_string_append(text, ",1");
    g_string_append(text, "]}}");
    size_t loops;
    g_autofree double *values = read_counts(text->str, &loops);
    assert_non_null(values);
    assert_int_equal(loops, 0);
    g_string_free(text, TRUE);
}

/* A benchmark alone is what is watched: its own change was told as the machine's. */
static void a_value_by_itself_is_no_control(void **state) {
    (void)state;
    for (int is_method = 0; is_method < 2; is_method++) {
        srv__tree tree;
        json_auto_t *benchmark =
            json_pack("{s:i, s:[{s:s, s:s, s:s, s:i}]}", "loops", 1, "configurations", "name", "a",
                      "label", "a", "portion", is_method ? "T" : "parse", "total_calls", 1);
        assert_true(srv__tree_read(&tree, benchmark, NULL));
        assert_int_equal(tree.chain.control, is_method ? 0 : -1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_by_itself_is_no_control),
        cmocka_unit_test(each_loop_of_each_configuration),
        cmocka_unit_test(what_is_not_there_is_no_number),
        cmocka_unit_test(a_loop_that_is_no_count_takes_its_configuration_away),
        cmocka_unit_test(no_more_loops_than_anybody_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
