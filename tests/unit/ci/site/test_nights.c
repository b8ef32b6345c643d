/* What a site leaves out of an experiment: what its night says, and digits that no page shows. */
#include "tests/unit/test.h"

#include "ci/site/nights.h"

#include <stdlib.h>
#include <string.h>

static void digits(void **state) {
    (void)state;
    static const struct {
        double value, made;
        int digits;
    } cases[] = {{70.123456789, 70.123, 5},
                 {70.123456789, 70.123457, 8},
                 {-0.00012345678, -0.00012346, 5},
                 {123456789.4, 123460000, 5},
                 {0, 0, 5},
                 {9.99999, 10, 5},
                 {1e-300, 1e-300, 8},
                 {1, 1, 8}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *value = json_pack("{s:[f, i], s:n}", "a", cases[i].value, 123456789, "b");
        ci_site_round(value, cases[i].digits);
        json_t *list = json_object_get(value, "a");
        assert_true(json_real_value(json_array_get(list, 0)) == cases[i].made);
        assert_int_equal(json_integer_value(json_array_get(list, 1)), 123456789);
    }
}

static void what_is_left(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"{\"a\": 1, \"b\": 2}", "{\"a\": 1}", "{\"b\":2}"},
        {"{\"a\": 1}", "{\"a\": 1, \"c\": 3}", "{}"},
        {"{\"a\": {\"x\": 1, \"y\": 2}}", "{\"a\": {\"x\": 1, \"y\": 3}}", "{\"a\":{\"y\":2}}"},
        {"{\"a\": [{\"x\": 1}, {\"x\": 2, \"y\": 3}]}", "{\"a\": [{\"x\": 1}, {\"x\": 2}]}",
         "{\"a\":[{},{\"y\":3}]}"},
        {"{\"a\": [1, 2]}", "{\"a\": [1, 3]}", "{\"a\":[1,2]}"},
        {"{\"a\": [{\"x\": 1}]}", "{\"a\": []}", "{\"a\":[{\"x\":1}]}"},
        {"{\"a\": null}", "{\"a\": 1}", "{\"a\":null}"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *a = json_loads(cases[i][0], 0, NULL);
        json_auto_t *b = json_loads(cases[i][1], 0, NULL);
        json_auto_t *rest = ci_site_subtract(a, b);
        char *text = json_dumps(rest, JSON_COMPACT);
        assert_string_equal(text, cases[i][2]);
        free(text);
        assert_null(ci_site_subtract(a, a));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(digits), cmocka_unit_test(what_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
