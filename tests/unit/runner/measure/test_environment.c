#include "runner/measure/environment.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <string.h>

static char *hash_of(const char *text) {
    json_t *record = json_loads(text, 0, NULL);
    char *hash = run_environment_hash(record);
    json_decref(record);
    return hash;
}

/* echo -n '{"a":1,"b":{"c":"x","d":2}}' | sha256sum */
static void test_hash(void **state) {
    (void)state;
    g_autofree char *one = hash_of("{\"b\": {\"d\": 2, \"c\": \"x\"}, \"a\": 1}");
    g_autofree char *detailed =
        hash_of("{\"a\": 1, \"detail\": {\"uptime\": 5}, \"b\": {\"c\": \"x\", \"d\": 2}}");
    g_autofree char *other = hash_of("{\"a\": 2, \"b\": {\"c\": \"x\", \"d\": 2}}");
    assert_string_equal(one, "377851b9e9eec0cdaeca082bf7383ce32e4d8b5b91f95041f653e5b2521f7fe2");
    assert_string_equal(detailed, one);
    assert_string_not_equal(other, one);
}

static void test_version_is_what_was_printed_without_remarks(void **state) {
    (void)state;
    static const struct {
        const char *printed, *version;
    } cases[] = {
        {"moobench-java 1\n", "moobench-java 1"},
        {"openjdk 17\nOpenJDK Runtime\n  64-Bit\n", "openjdk 17; OpenJDK Runtime; 64-Bit"},
        {"Picked up JAVA_TOOL_OPTIONS: -Xint\nmoobench-java 1\n", "moobench-java 1"},
        {"[0.001s][warning][perf,memops] Cannot use file /tmp/hsperfdata_root/2 because it is "
         "locked by another process (errno = 11)\nmoobench-java 1\n",
         "moobench-java 1"},
        {"[callmon] 2\n", "[callmon] 2"},
        {"\n", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *version = environment_version(cases[i].printed);
        assert_string_equal(version, cases[i].version);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_version_is_what_was_printed_without_remarks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
