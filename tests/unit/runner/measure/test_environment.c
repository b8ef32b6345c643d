#include "tests/unit/runner/test.h"

#include "runner/measure/environment.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
