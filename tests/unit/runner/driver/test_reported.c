#include "tests/unit/runner/test.h"

#include "runner/driver/reported.h"

#include <string.h>

#define HEAD "kind: Kieker-java\nexperiments:\n"
#define ONE(label, mean)                                                                           \
    "- timestamp: 1\n  measurements:\n    " label ": [" mean                                       \
    ", 0.1, 0.2, 0.6, 0.7, 0.8, 0.9, 0.5]\n"

static double mean_of(const char *text, const char *label) {
    json_t *found = run_reported_find(text, strlen(text), label);
    double mean = found ? json_real_value(json_object_get(found, "mean_us")) : -1;
    if (found)
        assert_close(json_real_value(json_object_get(found, "ci95_us")), 0.2, 0);
    json_decref(found);
    return mean;
}

static void test_last_experiment_counts(void **state) {
    (void)state;
    assert_close(mean_of(HEAD ONE("none", "0.7"), "none"), 0.7, 0);
    assert_close(mean_of(HEAD ONE("none", "0.7") ONE("none", "0.9"), "none"), 0.9, 0);
}

static void test_nothing_to_be_had(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "][",
                                 "kind: x\n",
                                 HEAD "[]\n",
                                 HEAD ONE("other", "0.7"),
                                 HEAD ONE("none", ".NAN"),
                                 HEAD ONE("none", "1e999")};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        assert_close(mean_of(texts[i], "none"), -1, 0);
}

/* 4 KB that stood for 92 MB: each experiment the same by its alias. */
static void test_alias_bomb(void **state) {
    (void)state;
    g_autoptr(GString) bomb =
        g_string_new(HEAD "- &e\n  timestamp: 1\n  measurements: {none: &l [1,1,0.2,1,1,1,1,1]");
    for (int i = 0; i < 60000; i++)
        g_string_append_printf(bomb, ",k%x: *l", (unsigned)i);
    g_string_append(bomb, "}\n");
    for (int i = 0; i < 100000; i++)
        g_string_append(bomb, "- *e\n");
    assert_close(mean_of(bomb->str, "none"), -1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_last_experiment_counts),
                                       cmocka_unit_test(test_nothing_to_be_had),
                                       cmocka_unit_test(test_alias_bomb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
