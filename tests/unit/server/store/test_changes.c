/* The number that tells when a kept answer is old. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/store/changes.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "tests/unit/server/sql_text.h"

static const double level[4] = {70, 270, 1400, 3000};

/* It has moved since the last look, or not. */
static void expect_moved(const srv_changes *changes, uint64_t *last, const char *what, bool moved) {
    const uint64_t now = srv_changes_now(changes);
    if ((now != *last) != moved)
        fail_msg("%s: moved is not %d", what, moved);
    *last = now;
}

static void whatever_is_committed_moves_it(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) changes = srv_changes_open(fix->path, NULL);
    uint64_t last = srv_changes_now(changes);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    expect_moved(changes, &last, "a queued job", true);
    json_t *leased = fix_lease(fix);
    expect_moved(changes, &last, "a lease", true);
    json_decref(leased);
    fix_nights(fix, "kieker", 1, 1, level);
    expect_moved(changes, &last, "a night", true);
    assert_true(srv__run(fix->store, sql_text("UPDATE project SET title='x'", ""), SRV__NO_ARGS,
                         NULL, NULL));
    expect_moved(changes, &last, "a statement by itself", true);
}

static void what_is_not_committed_does_not(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) changes = srv_changes_open(fix->path, NULL);
    uint64_t last = srv_changes_now(changes);
    json_t *view = srv_view_project(fix->store, "kieker", NULL);
    assert_non_null(view);
    json_decref(view);
    expect_moved(changes, &last, "reading", false);
    assert_true(srv__begin(fix->store, NULL));
    assert_true(srv__run(fix->store, sql_text("UPDATE project SET title='x'", ""), SRV__NO_ARGS,
                         NULL, NULL));
    expect_moved(changes, &last, "before the commit", false);
    assert_false(srv__end(fix->store, false, NULL));
    expect_moved(changes, &last, "rolled back", false);
    assert_true(srv__run(fix->store, sql_text("DELETE FROM note", ""), SRV__NO_ARGS, NULL, NULL));
    expect_moved(changes, &last, "no row", false);
}

static void all_who_have_the_database_see_it(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) one = srv_changes_open(fix->path, NULL);
    g_autoptr(srv_changes) other = srv_changes_open(fix->path, NULL);
    const uint64_t before = srv_changes_now(one);
    srv_changes_note(other);
    assert_true(srv_changes_now(one) > before);
}

static void a_folder_that_is_not_there_is_named(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(srv_changes_open("/nowhere/db", &error));
    assert_string_equal(error->message, "/nowhere/db-changes cannot be opened: No such file or "
                                        "directory; its folder must be writable");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(whatever_is_committed_moves_it),
        FIX_TEST(what_is_not_committed_does_not),
        FIX_TEST(all_who_have_the_database_see_it),
        cmocka_unit_test(a_folder_that_is_not_there_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
