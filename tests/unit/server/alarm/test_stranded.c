/* Queued jobs that only one node may take, and that node does not come back. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/alarm/trial.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/sql_text.h"

/* What the tests' list and teller share: neither is handed anything of the test's. */
static struct {
    fixture *comes; /* whose node comes for a job as soon as it was listed; NULL: none does */
    json_t *leased;
    unsigned told;
} scene;

static GArray *queued(srv_store *store, int64_t before_ms, GError **error) {
    GArray *jobs = srv__ids(
        store,
        sql_text("SELECT id FROM job WHERE state='queued' AND queued_ms<$1 ORDER BY id", "i"),
        SRV__ARGS(before_ms), error);
    if (scene.comes)
        scene.leased = fix_lease(scene.comes);
    scene.comes = NULL;
    return jobs;
}

static bool tell(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                 GError **error) {
    (void)store;
    (void)job;
    (void)now_ms;
    (void)error;
    assert_string_equal(reason, "nobody came");
    scene.told++;
    return true;
}

static bool tell_nobody(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                        GError **error) {
    (void)tell(store, job, reason, now_ms, NULL);
    g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "nobody to tell");
    return false;
}

static const srv__stranded stranded = {.list = queued, .reason = "nobody came", .failed = tell};

static int64_t in_state(fixture *fix, const char *state) {
    int64_t count = -1;
    assert_true(srv__number(fix->store, sql_text("SELECT count(*) FROM job WHERE state=$1", "t"),
                            SRV__ARGS(state), 0, &count, NULL));
    return count;
}

/* Two jobs of three days ago. */
static int waiting(void **state) {
    scene.comes = NULL;
    scene.leased = NULL;
    scene.told = 0;
    assert_int_equal(fix_setup(state), 0);
    fixture *fix = *state;
    (void)fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    (void)fix_add(fix, "kieker", 2, "2013-04-02", SRV_KIND_NIGHTLY);
    fix->now_ms += SRV__STRANDED_MS + 1;
    return 0;
}

static void both_are_cancelled_and_told_of(void **state) {
    fixture *fix = *state;
    assert_true(srv__stranded_cancel(fix->store, &stranded, fix->now_ms, NULL));
    assert_int_equal(in_state(fix, "cancelled"), 2);
    assert_int_equal(scene.told, 2);
    assert_true(srv__stranded_cancel(fix->store, &stranded, fix->now_ms, NULL));
    assert_int_equal(scene.told, 2);
}

static void one_that_a_node_has_just_taken_is_its(void **state) {
    fixture *fix = *state;
    scene.comes = fix;
    assert_true(srv__stranded_cancel(fix->store, &stranded, fix->now_ms, NULL));
    assert_non_null(scene.leased);
    assert_int_equal(in_state(fix, "leased"), 1);
    assert_int_equal(in_state(fix, "cancelled"), 1);
    assert_int_equal(scene.told, 1);
    json_decref(scene.leased);
}

static void all_or_none_are_cancelled(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    const srv__stranded untold = {.list = queued, .reason = "nobody came", .failed = tell_nobody};
    assert_false(srv__stranded_cancel(fix->store, &untold, fix->now_ms, &error));
    assert_string_equal(error->message, "nobody to tell");
    assert_int_equal(in_state(fix, "queued"), 2);
}

static void those_that_wait_not_long_enough_stay(void **state) {
    fixture *fix = *state;
    assert_true(srv__stranded_cancel(fix->store, &stranded, fix->now_ms - 10, NULL));
    assert_int_equal(in_state(fix, "queued"), 2);
}

#define WAITING(name) cmocka_unit_test_setup_teardown(name, waiting, fix_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WAITING(both_are_cancelled_and_told_of),
        WAITING(one_that_a_node_has_just_taken_is_its),
        WAITING(all_or_none_are_cancelled),
        WAITING(those_that_wait_not_long_enough_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
