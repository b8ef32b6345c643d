/* Refusals: counted, and bounded however many there are. */
#include "tests/unit/test.h"

#include "server/ground/refusals.h"

#define NOW_MS INT64_C(3600000000)
#define HOUR_MS INT64_C(3600000)

static const srv_refusal *at(const GPtrArray *all, guint i) {
    return g_ptr_array_index(all, i);
}

static void those_that_are_alike_are_one(void **state) {
    (void)state;
    srv_refusals *refusals = srv_refusals_new();
    assert_true(srv_refusals_add(refusals, "192.0.2.1", NULL, "POST /x", "scope", NOW_MS));
    for (int i = 1; i < 1000; i++)
        assert_false(srv_refusals_add(refusals, "192.0.2.1", NULL, "POST /x", "scope", NOW_MS + i));
    g_autoptr(GPtrArray) all = srv_refusals_take(refusals);
    assert_int_equal(all->len, 1);
    assert_int_equal(at(all, 0)->count, 1000);
    assert_int_equal(at(all, 0)->first_ms, NOW_MS);
    assert_int_equal(at(all, 0)->last_ms, NOW_MS + 999);
    assert_string_equal(at(all, 0)->who, "");
    g_autoptr(GPtrArray) none = srv_refusals_take(refusals);
    assert_int_equal(none->len, 0);
    /* Known in this hour, and worth another line in the next. */
    assert_false(srv_refusals_add(refusals, "192.0.2.1", NULL, "POST /x", "scope", NOW_MS + 9));
    assert_true(
        srv_refusals_add(refusals, "192.0.2.1", NULL, "POST /x", "scope", NOW_MS + HOUR_MS));
    srv_refusals_free(refusals);
}

static void each_part_tells_them_apart(void **state) {
    (void)state;
    srv_refusals *refusals = srv_refusals_new();
    static const char *const cases[][4] = {{"a", "t", "w", "y"}, {"b", "t", "w", "y"},
                                           {"a", "u", "w", "y"}, {"a", "t", "x", "y"},
                                           {"a", "t", "w", "z"}, {NULL, NULL, "w", "y"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_true(
            srv_refusals_add(refusals, cases[i][0], cases[i][1], cases[i][2], cases[i][3], NOW_MS));
    g_autoptr(GPtrArray) all = srv_refusals_take(refusals);
    assert_int_equal(all->len, G_N_ELEMENTS(cases));
    srv_refusals_free(refusals);
}

/* A million addresses: so many rows an hour and no more, and none is left uncounted. */
static void a_flood_is_bounded(void **state) {
    (void)state;
    srv_refusals *refusals = srv_refusals_new();
    unsigned lines = 0;
    int64_t count = 0;
    for (unsigned i = 0; i < 100000; i++) {
        g_autofree char *client = g_strdup_printf("192.0.%u.%u", i / 256, i % 256);
        lines += srv_refusals_add(refusals, client, NULL, "GET /x", "unknown token", NOW_MS + i);
        if (i == 50000) /* written down in the middle */
            g_ptr_array_unref(srv_refusals_take(refusals));
    }
    assert_int_equal(lines, SRV_REFUSALS_MAX + 1);
    g_autoptr(GPtrArray) all = srv_refusals_take(refusals);
    assert_int_equal(all->len, 1);
    for (guint i = 0; i < all->len; i++)
        count += at(all, i)->count;
    assert_int_equal(count, 49999);
    assert_string_equal(at(all, 0)->client, SRV_REFUSALS_OTHERS);
    srv_refusals_free(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_are_alike_are_one),
        cmocka_unit_test(each_part_tells_them_apart),
        cmocka_unit_test(a_flood_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
