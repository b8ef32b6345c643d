#include "tests/unit/runner/test.h"

#include "runner/process/placeholder.h"

#include <string.h>

static const run_placeholder values = {.checkout = "/c",
                                       .scratch = "/s{harness}",
                                       .harness = "/h",
                                       .commit = "abc",
                                       .artifact = "/w/a.jar",
                                       .calls = 2000000,
                                       .depth = 10,
                                       .result = "/o/result",
                                       .port = "4318"};

static void test_expand(void **state) {
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {{"", ""},
                 {"plain", "plain"},
                 {"{checkout}/x", "/c/x"},
                 {"{harness}{commit}", "/habc"},
                 {"-javaagent:{artifact}={commit}", "-javaagent:/w/a.jar=abc"},
                 {"-n={calls};{depth}", "-n=2000000;10"},
                 {"{unknown} {} { {calls", "{unknown} {} { {calls"},
                 {"{{calls}}", "{2000000}"},
                 {"{scratch}", "/s{harness}"}, /* a replacement is not searched again */
                 {"--out={result}", "--out=/o/result"},
                 {"http://127.0.0.1:{port}/v1", "http://127.0.0.1:4318/v1"},
                 {"ä{depth}ö", "ä10ö"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autofree char *out = run_placeholder_expand(&values, cases[i].text);
        assert_string_equal(out, cases[i].expected);
    }
}

static void test_unknown_value_stays(void **state) {
    (void)state;
    run_placeholder none = {0};
    g_autofree char *out = run_placeholder_expand(&none, "{checkout} {calls}");
    assert_string_equal(out, "{checkout} 0");
}

static void test_append(void **state) {
    (void)state;
    char first[] = "{depth}", second[] = "b";
    char *words[] = {first, second, NULL};
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    run_placeholder_append(&values, words, argv);
    run_placeholder_append(&values, NULL, argv);
    assert_int_equal(argv->len, 2);
    assert_string_equal(argv->pdata[0], "10");
    assert_string_equal(argv->pdata[1], "b");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_expand),
                                       cmocka_unit_test(test_unknown_value_stays),
                                       cmocka_unit_test(test_append)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
