/* What is kept, for how long, and what goes first. */
#include "tests/unit/test.h"

#include "server/ground/lru.h"

#include <stdbool.h>

static unsigned held; /* by the cache and by who was given something */

static gpointer ref(gpointer bytes) {
    held++;
    return g_bytes_ref(bytes);
}

static void unref(gpointer bytes) {
    held--;
    g_bytes_unref(bytes);
}

static bool has(srv_lru *lru, const char *key, uint64_t generation) {
    GBytes *thing = srv_lru_get(lru, key, generation);
    if (thing)
        unref(thing);
    return thing != NULL;
}

static void least_used_goes_first(void **state) {
    (void)state;
    srv_lru *lru = srv_lru_new(1204, ref, unref);
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    const char *keys[] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < 4; i++)
        srv_lru_put(lru, keys[i], 1, thing, 100);
    assert_true(has(lru, "a", 1));
    srv_lru_put(lru, "e", 1, thing, 100);
    srv_lru_put(lru, "e", 1, thing, 100);
    assert_true(has(lru, "a", 1));
    assert_false(has(lru, "b", 1));
    assert_true(has(lru, "c", 1));
    assert_int_equal(held, 4);
    srv_lru_free(lru);
}

static void another_generation_is_not_there(void **state) {
    (void)state;
    srv_lru *lru = srv_lru_new(1000, ref, unref);
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    srv_lru_put(lru, "a", 1, thing, 10);
    assert_false(has(lru, "a", 2));
    assert_false(has(lru, "a", 1)); /* it will never be good again */
    assert_int_equal(held, 0);
    srv_lru_free(lru);
}

static void too_large_is_not_kept(void **state) {
    (void)state;
    const gsize rooms[] = {0, 2 * (10 + 1 + 200) - 1};
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    for (size_t i = 0; i < G_N_ELEMENTS(rooms); i++) {
        srv_lru *lru = srv_lru_new(rooms[i], ref, unref);
        srv_lru_put(lru, "a", 1, thing, 10);
        assert_false(has(lru, "a", 1));
        srv_lru_free(lru);
    }
}

/* Keys of kilobytes, things of nothing: what an anonymous client can make of a query string. */
static void keys_and_places_are_charged_and_counted(void **state) {
    (void)state;
    srv_lru *lru = srv_lru_new(1 << 20, ref, unref);
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    g_autofree char *pad = g_strnfill(8000, 'a');
    for (unsigned i = 0; i < 1000; i++) {
        g_autofree char *key = g_strdup_printf("%u%s", i, pad);
        srv_lru_put(lru, key, 1, thing, 1);
        assert_in_range(held, 1, (1 << 20) / (8000 + 200));
    }
    assert_int_equal(held, (1 << 20) / (8000 + 3 + 1 + 200));
    srv_lru_free(lru);
    lru = srv_lru_new(1 << 30, ref, unref);
    for (unsigned i = 0; i <= 4096; i++) {
        g_autofree char *key = g_strdup_printf("%u", i);
        srv_lru_put(lru, key, 1, thing, 1);
    }
    assert_false(has(lru, "0", 1));
    assert_true(has(lru, "1", 1));
    srv_lru_free(lru);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_used_goes_first),
        cmocka_unit_test(another_generation_is_not_there),
        cmocka_unit_test(too_large_is_not_kept),
        cmocka_unit_test(keys_and_places_are_charged_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
