/* A project's word: what changes it, and whose is left as it was. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/retention/retention.h"
#include "server/store/store_sql.h"
#include "server/views/stamps.h"

#include <string.h>

#define DAY_MS INT64_C(86400000)

static const double means[4] = {70, 470, 1600, 3200};

typedef struct {
    fixture *fix;
    srv_changes *changes;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->fix = fix_new();
    at->changes = srv_changes_open(at->fix->path, NULL);
    assert_non_null(at->changes);
    fix_sync(at->fix, "kieker", NULL);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    srv_changes_close(at->changes);
    fix_free(at->fix);
    g_free(at);
    return 0;
}
#define STAMP_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* The word of a project; caller frees. */
static char *stamp_of(bench *at, const char *run, const char *project) {
    json_auto_t *view = srv_view_stamps(at->fix->store, at->changes, run, NULL);
    assert_true(json_is_null(json_object_get(view, "next")));
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(view, "items"), i, item)
        if (strcmp(text_of(item, "project"), project) == 0)
            return g_strdup(text_of(item, "stamp"));
    fail_msg("%s has no stamp", project);
    return NULL;
}

static void a_night_changes_its_project_alone(void **state) {
    bench *at = *state;
    fix_sync(at->fix, "kieker", "other", NULL);
    g_autofree char *before = stamp_of(at, "r", "kieker"), *other = stamp_of(at, "r", "other");
    g_autofree char *same = stamp_of(at, "r", "kieker");
    assert_string_equal(before, same);
    (void)fix_measure(at->fix, "kieker", 1, "2013-04-01", means);
    g_autofree char *after = stamp_of(at, "r", "kieker"), *theirs = stamp_of(at, "r", "other");
    assert_string_not_equal(before, after);
    assert_string_equal(other, theirs);
}

static void a_poll_changes_nothing(void **state) {
    bench *at = *state;
    g_autofree char *before = stamp_of(at, "r", "kieker");
    assert_true(srv_project_polled(at->fix->store, "kieker", 1, 2, NULL, NULL));
    g_autofree char *after = stamp_of(at, "r", "kieker");
    assert_string_equal(before, after);
}

/* An alert says what other branches have. */
static void branches_change_together(void **state) {
    bench *at = *state;
    cfg_project *main = fix_project("kieker"), *branch = fix_branch("kieker", "1.15.x");
    g_autoptr(GPtrArray) both = g_ptr_array_new();
    g_ptr_array_add(both, main);
    g_ptr_array_add(both, branch);
    assert_true(srv_projects_sync(at->fix->store, both, NULL));
    g_autofree char *before = stamp_of(at, "r", "kieker");
    assert_true(srv__begin(at->fix->store, NULL));
    srv__concerns(at->fix->store, "kieker~1.15.x");
    assert_true(srv__run(at->fix->store, "UPDATE project SET title='x'", SRV__NO_ARGS, NULL, NULL));
    assert_true(srv__end(at->fix->store, true, NULL));
    g_autofree char *after = stamp_of(at, "r", "kieker");
    g_autofree char *own = stamp_of(at, "r", "kieker~1.15.x");
    assert_string_not_equal(before, after);
    assert_string_equal(after, own);
    fix_project_free(main);
    fix_project_free(branch);
}

/* A night says that its raw values were removed. */
static void what_retention_removes_changes_its_project(void **state) {
    bench *at = *state;
    fix_sync(at->fix, "kieker", "other", NULL);
    (void)fix_measure(at->fix, "kieker", 1, "2013-04-01", means);
    g_autofree char *before = stamp_of(at, "r", "kieker"), *other = stamp_of(at, "r", "other");
    const cfg_storage policy = {.keep_raw_days = 1};
    g_autoptr(srv_retention) retention = srv_retention_new(&policy);
    for (bool more = true; more;)
        assert_true(srv_retention_step(retention, at->fix->store, at->fix->raw,
                                       at->fix->now_ms + 10 * DAY_MS, &more, NULL));
    g_autofree char *after = stamp_of(at, "r", "kieker"), *theirs = stamp_of(at, "r", "other");
    assert_string_not_equal(before, after);
    assert_string_equal(other, theirs);
}

/* The page of a sweep says of each value what became of its job; a night that is cancelled is
 * nowhere but in the queue. */
static void a_cancelled_value_of_a_sweep_changes_its_project(void **state) {
    bench *at = *state;
    fix_sync(at->fix, "kieker", "other", NULL);
    const int64_t value = fix_add(at->fix, "kieker", 1, "2013-04-01", SRV_KIND_SWEEP);
    const int64_t night = fix_add(at->fix, "kieker", 2, "2013-04-02", SRV_KIND_NIGHTLY);
    g_autofree char *before = stamp_of(at, "r", "kieker"), *other = stamp_of(at, "r", "other");
    assert_true(srv_queue_cancel(at->fix->store, night, "not wanted", at->fix->now_ms, NULL));
    g_autofree char *same = stamp_of(at, "r", "kieker");
    assert_string_equal(before, same);
    assert_true(srv_queue_cancel(at->fix->store, value, "not wanted", at->fix->now_ms, NULL));
    g_autofree char *after = stamp_of(at, "r", "kieker"), *theirs = stamp_of(at, "r", "other");
    assert_string_not_equal(before, after);
    assert_string_equal(other, theirs);
}

static void another_run_has_other_words(void **state) {
    bench *at = *state;
    g_autofree char *one = stamp_of(at, "r", "kieker"), *two = stamp_of(at, "s", "kieker");
    assert_string_not_equal(one, two);
    assert_true(g_str_has_prefix(two, "s-"));
}

int main(void) {
    const struct CMUnitTest tests[] = {STAMP_TEST(a_night_changes_its_project_alone),
                                       STAMP_TEST(a_poll_changes_nothing),
                                       STAMP_TEST(branches_change_together),
                                       STAMP_TEST(what_retention_removes_changes_its_project),
                                       STAMP_TEST(a_cancelled_value_of_a_sweep_changes_its_project),
                                       STAMP_TEST(another_run_has_other_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
