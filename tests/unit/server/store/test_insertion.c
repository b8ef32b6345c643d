/* Many rows of one table. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/store/insertion.h"

#define INTO "INSERT INTO node(name, seen_ms, version, labels, paused)"

static bool add(srv__insertion *nodes, int number, GError **error) {
    g_autofree char *name = g_strdup_printf("node %d", number);
    return srv__insertion_add(nodes,
                              SRV__ARGS(SRV__T(name), SRV__I(number), SRV__T("1.0"), SRV__T("[]"),
                                        SRV__T(number % 2 == 0 ? "why" : NULL)),
                              error);
}

static bool insert(fixture *fix, int from, int count, GError **error) {
    srv__insertion *nodes = srv__insertion_begin(fix->store, INTO);
    bool good = true;
    for (int i = from; good && i < from + count; i++)
        good = add(nodes, i, error);
    return srv__insertion_end(nodes, good, error);
}

static int64_t nodes(fixture *fix, const char *where) {
    g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM node WHERE %s", where);
    int64_t number = -1;
    assert_true(srv__number(fix->store, sql, SRV__NO_ARGS, -1, &number, NULL));
    return number;
}

/* None, one, as many as go together, and more. */
static void any_number_of_rows(void **state) {
    static const int counts[] = {0, 1, 15, 16, 17, 40};
    fixture *fix = *state;
    int all = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        assert_true(srv__begin(fix->store, NULL));
        assert_true(insert(fix, all, counts[i], NULL));
        assert_true(srv__end(fix->store, true, NULL));
        all += counts[i];
        assert_int_equal(nodes(fix, "1=1"), all);
    }
    assert_int_equal(nodes(fix, "name='node 88' AND seen_ms=88 AND paused='why'"), 1);
    assert_int_equal(nodes(fix, "paused IS NULL"), all / 2);
}

static void a_row_that_may_not_be_is_none(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    assert_true(srv__begin(fix->store, NULL));
    assert_true(insert(fix, 0, 3, NULL));
    assert_true(srv__end(fix->store, true, NULL));
    assert_true(srv__begin(fix->store, NULL));
    const bool good = insert(fix, 2, 30, &error);
    assert_false(srv__end(fix->store, good, &error));
    assert_non_null(error);
    assert_int_equal(nodes(fix, "1=1"), 3);
}

static void what_waits_is_dropped_when_something_else_failed(void **state) {
    fixture *fix = *state;
    assert_true(srv__begin(fix->store, NULL));
    srv__insertion *some = srv__insertion_begin(fix->store, INTO);
    assert_true(add(some, 1, NULL));
    assert_false(srv__insertion_end(some, false, NULL));
    assert_false(srv__end(fix->store, false, NULL));
    assert_int_equal(nodes(fix, "1=1"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(any_number_of_rows),
        FIX_TEST(a_row_that_may_not_be_is_none),
        FIX_TEST(what_waits_is_dropped_when_something_else_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
