#include "tests/unit/runner/test.h"

#include "runner/environment.h"

#include <string.h>

static void test_cpu(void **state) {
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {{"processor\t: 0\nmodel name\t: Intel(R) Xeon(R)  X\nmodel name\t: other\n",
                  "Intel(R) Xeon(R)  X"},
                 {"processor : 0\nBogoMIPS : 1\nModel\t\t: Raspberry Pi 4\n", "Raspberry Pi 4"},
                 {"cpu\t\t: POWER9\n", "POWER9"},
                 {"model name\t: no newline", "no newline"},
                 {"modelname: x\n", "unknown"},
                 {"", "unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autofree char *cpu = run_environment_cpu(cases[i].text);
        assert_string_equal(cpu, cases[i].expected);
    }
}

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cpu), cmocka_unit_test(test_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
