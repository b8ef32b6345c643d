/* What a text is said to take is never less than what jansson takes for it. */
#include "tests/unit/test.h"

#include "server/ground/fields.h"
#include "tests/unit/server/expect.h"

#include <jansson.h>
#include <malloc.h>
#include <string.h>

#define MANY 20000

static size_t allocated(void) {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static char *list_of(const char *begin, const char *unit, const char *end) {
    GString *text = g_string_new(begin);
    for (unsigned i = 0; i < MANY; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", unit);
    g_string_append(text, end);
    return g_string_free(text, FALSE);
}

static void nothing_takes_more(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        double most; /* times what it takes */
    } cases[] = {
        {"{}", 1.5},
        {"[]", 1.6},
        {"1", 1.5},
        {"1.5", 1.5},
        {"\"a\"", 1.5},
        {"\"a long string of forty letters, or about\"", 1.6},
        {"\"\\u00e4\\\"\\\\,{[:\"", 1.6},
        {"{\"a\":1}", 1.5},
        {"{\"a\":[{}]}", 1.5},
        {"{\"mean_ns\": 123.5, \"calls\": 20, \"configuration\": \"writing\", \"loop\": 3}", 1.8},
    };
    char *probe = g_malloc(1000000);
    const bool known = allocated() >= 1000000; /* a sanitizer's allocator keeps no such accounts */
    g_free(probe);
    if (!known)
        skip();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = list_of("[", cases[i].unit, "]");
        srv_json_cost cost = {0};
        srv_json_cost_add(&cost, text, strlen(text));
        const size_t before = allocated();
        json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        const size_t took = allocated() - before;
        assert_non_null(json);
        json_decref(json);
        if (cost.bytes < took || (double)cost.bytes > cases[i].most * (double)took)
            fail_msg("%s: said %zu, took %zu", cases[i].unit, (size_t)cost.bytes, took);
    }
}

static void a_text_may_come_in_pieces(void **state) {
    (void)state;
    static const char text[] = "{\"a\\\"{\": [1, \"\\\\\", {}]}";
    srv_json_cost whole = {0}, pieces = {0};
    srv_json_cost_add(&whole, text, strlen(text));
    for (size_t i = 0; i < strlen(text); i++)
        srv_json_cost_add(&pieces, text + i, 1);
    assert_int_equal(whole.bytes, pieces.bytes);
    assert_false(whole.in_string);
}

static void too_much_is_told(void **state) {
    (void)state;
    g_autofree char *text = list_of("[", "{}", "]");
    GError *error = NULL;
    assert_true(srv_json_cost_check(text, strlen(text), 8 << 20, &error));
    assert_false(srv_json_cost_check(text, strlen(text), 4 << 20, &error));
    assert_srv_error(error, TOO_LARGE, "would take 5 MiB of memory, at most 4 are allowed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_takes_more),
        cmocka_unit_test(a_text_may_come_in_pieces),
        cmocka_unit_test(too_much_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
