/* What is kept, for how long, and what goes first. */
#include "tests/unit/test.h"

#include "server/ground/lru.h"
#include "server/store/changes.h"

#include <glib/gstdio.h>

static gpointer ref(gpointer bytes) {
    return g_bytes_ref(bytes);
}

static void unref(gpointer bytes) {
    g_bytes_unref(bytes);
}

static uint64_t now(unsigned kind, const void *generation) {
    return kind == 1 ? *(const uint64_t *)generation : 0;
}

static bool has(srv_lru *lru, const char *key, uint64_t generation) {
    g_autoptr(GBytes) thing = srv_lru_get(lru, key, now, &generation);
    return thing != NULL;
}

static void least_used_goes_first(void **state) {
    (void)state;
    srv_lru *lru = srv_lru_new(1204, ref, unref);
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    const char *keys[] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < 4; i++)
        srv_lru_put(lru, keys[i], 1, 1, thing, 100);
    assert_true(has(lru, "a", 1));
    srv_lru_put(lru, "e", 1, 1, thing, 100);
    srv_lru_put(lru, "e", 1, 1, thing, 100);
    assert_true(has(lru, "a", 1));
    assert_false(has(lru, "b", 1));
    assert_true(has(lru, "c", 1));
    assert_int_equal(srv_lru_bytes(lru), 4 * (100 + 1 + 200));
    srv_lru_free(lru);
}

static void another_generation_is_not_there(void **state) {
    (void)state;
    srv_lru *lru = srv_lru_new(1000, ref, unref);
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    srv_lru_put(lru, "a", 1, 1, thing, 10);
    assert_false(has(lru, "a", 2));
    assert_false(has(lru, "a", 1)); /* it will never be good again */
    assert_int_equal(srv_lru_bytes(lru), 0);
    srv_lru_free(lru);
}

static void too_large_is_not_kept(void **state) {
    (void)state;
    const gsize rooms[] = {0, 2 * (10 + 1 + 200) - 1};
    g_autoptr(GBytes) thing = g_bytes_new_static("x", 1);
    for (size_t i = 0; i < G_N_ELEMENTS(rooms); i++) {
        srv_lru *lru = srv_lru_new(rooms[i], ref, unref);
        srv_lru_put(lru, "a", 1, 1, thing, 10);
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
        srv_lru_put(lru, key, 1, 1, thing, 1);
        assert_true(srv_lru_bytes(lru) <= 1 << 20);
        if (i == 0)
            assert_true(srv_lru_bytes(lru) >= 8000 + 200);
    }
    srv_lru_free(lru);
    lru = srv_lru_new(1 << 30, ref, unref);
    for (unsigned i = 0; i <= 4096; i++) {
        g_autofree char *key = g_strdup_printf("%u", i);
        srv_lru_put(lru, key, 1, 1, thing, 1);
    }
    assert_false(has(lru, "0", 1));
    assert_true(has(lru, "1", 1));
    srv_lru_free(lru);
}

static void changes_are_seen_by_all_who_have_the_file(void **state) {
    (void)state;
    g_autofree char *dir = g_dir_make_tmp("changes-XXXXXX", NULL);
    g_autofree char *database = g_build_filename(dir, "db", NULL);
    g_autofree char *file = g_strconcat(database, "-changes", NULL);
    const srv_changes_whose everybody = {.known = false};
    srv_changes *one = srv_changes_open(database, NULL);
    srv_changes *other = srv_changes_open(database, NULL);
    assert_non_null(one);
    assert_non_null(other);
    uint64_t nights = srv_changes_now(one, SRV_CHANGES_NIGHTS);
    uint64_t all = srv_changes_now(one, SRV_CHANGES_ALL);
    srv_changes_note(other, false, everybody);
    assert_int_equal(srv_changes_now(one, SRV_CHANGES_NIGHTS), nights);
    assert_int_not_equal(srv_changes_now(one, SRV_CHANGES_ALL), all);
    srv_changes_note(other, true, everybody);
    assert_int_not_equal(srv_changes_now(one, SRV_CHANGES_NIGHTS), nights);
    assert_int_equal(srv_changes_now(one, SRV_CHANGES_NEVER), 0);
    srv_changes_close(one);
    srv_changes_close(other);
    g_unlink(file);
    g_rmdir(dir);
    GError *error = NULL;
    assert_null(srv_changes_open("/nowhere/db", &error));
    assert_non_null(error);
    g_error_free(error);
}

static void what_one_project_changes_is_its_own(void **state) {
    (void)state;
    g_autofree char *dir = g_dir_make_tmp("changes-XXXXXX", NULL);
    g_autofree char *database = g_build_filename(dir, "db", NULL);
    g_autofree char *file = g_strconcat(database, "-changes", NULL);
    static const char *const names[] = {"kieker", "opentelemetry", "inspectit"};
    static const struct {
        unsigned whose, moves; /* a bit for each of names; whose 0: nobody's, 8: everybody's */
    } cases[] = {{0, 0}, {1, 1}, {2, 2}, {5, 5}, {8, 7}};
    srv_changes *changes = srv_changes_open(database, NULL);
    assert_non_null(changes);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t before[G_N_ELEMENTS(names)], all = srv_changes_now(changes, SRV_CHANGES_ALL);
        srv_changes_whose whose = {.known = cases[i].whose != 8};
        for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
            before[k] = srv_changes_now(changes, srv_changes_own(names[k]));
            if ((cases[i].whose & (1u << k)) != 0)
                srv_changes_add(&whose, names[k]);
        }
        srv_changes_note(changes, false, whose);
        for (size_t k = 0; k < G_N_ELEMENTS(names); k++)
            assert_int_equal(srv_changes_now(changes, srv_changes_own(names[k])) != before[k],
                             (cases[i].moves & (1u << k)) != 0);
        assert_int_not_equal(srv_changes_now(changes, SRV_CHANGES_ALL), all);
    }
    srv_changes_close(changes);
    g_unlink(file);
    g_rmdir(dir);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_project_changes_is_its_own),
        cmocka_unit_test(least_used_goes_first),
        cmocka_unit_test(another_generation_is_not_there),
        cmocka_unit_test(too_large_is_not_kept),
        cmocka_unit_test(keys_and_places_are_charged_and_counted),
        cmocka_unit_test(changes_are_seen_by_all_who_have_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
