#include "tests/unit/runner/test.h"

#include "runner/ground/cpus.h"

#include <string.h>

static void test_lists(void **state) {
    (void)state;
    const struct {
        const char *text, *shortest; /* NULL: refused */
    } cases[] = {
        {"0", "0"},       {"0-3", "0-3"}, {"3,1,2", "1-3"}, {"2,4-7,5", "2,4-7"},
        {"1023", "1023"}, {"5-5", "5"},   {"", NULL},       {"1024", NULL},
        {"3-1", NULL},    {"1,", NULL},   {",1", NULL},     {"1 2", NULL},
        {"a", NULL},      {"-1", NULL},   {"1-", NULL},     {"99999999999999999999", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpu_set_t set;
        GError *problem = NULL;
        bool good = run_cpus_parse(cases[i].text, &set, &problem);
        assert_int_equal(good, cases[i].shortest != NULL);
        if (good) {
            g_autofree char *text = run_cpus_format(&set);
            assert_string_equal(text, cases[i].shortest);
        } else {
            assert_error(problem, RUN_ERROR_JOB, "a list such as");
        }
    }
}

static void test_allowed_is_not_empty(void **state) {
    (void)state;
    cpu_set_t set;
    CPU_ZERO(&set);
    run_cpus_allowed(&set);
    assert_true(CPU_COUNT(&set) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists),
                                       cmocka_unit_test(test_allowed_is_not_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
