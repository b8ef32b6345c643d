/* Nights ready for drawing: read once, shared, and read anew when nights have changed. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/views/histories.h"
#include "tests/unit/server/expect.h"

static const double means[4] = {70, 470, 1600, 3200};

typedef struct {
    fixture *fix;
    srv_changes *changes;
    srv_histories *histories;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    fix_setup(&own);
    at->fix = own;
    fix_nights(at->fix, "kieker", 1, 5, means);
    at->changes = srv_changes_open(at->fix->path, NULL);
    at->histories = srv_histories_new(1 << 20, at->changes);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    srv_histories_free(at->histories);
    srv_changes_close(at->changes);
    void *own = at->fix;
    g_free(at);
    return fix_teardown(&own);
}

static srv_history *got(bench *at, const char *until, unsigned limit) {
    g_autoptr(GError) error = NULL;
    srv_history *history =
        srv_histories_get(at->histories, at->fix->store, "kieker", until, NULL, limit, &error);
    assert_no_error(error);
    return history;
}

static void the_same_question_is_answered_by_the_same_history(void **state) {
    bench *at = *state;
    g_autoptr(srv_history) first = got(at, NULL, 10);
    g_autoptr(srv_history) again = got(at, NULL, 10);
    g_autoptr(srv_history) shorter = got(at, NULL, 2);
    g_autoptr(srv_history) earlier = got(at, "2013-04-03", 10);
    assert_ptr_equal(first, again);
    assert_int_equal(first->nights->nights->len, 5);
    assert_int_equal(shorter->nights->nights->len, 2);
    assert_int_equal(earlier->nights->nights->len, 3);
    assert_string_equal(first->title, "Project kieker");
    assert_true(first->bytes > 5 * sizeof(web_night));
}

static void new_nights_are_seen_and_held_ones_stay(void **state) {
    bench *at = *state;
    g_autoptr(srv_history) before = got(at, NULL, 10);
    fix_nights(at->fix, "kieker", 6, 6, means);
    g_autoptr(srv_history) after = got(at, NULL, 10);
    assert_ptr_not_equal(before, after);
    assert_int_equal(before->nights->nights->len, 5);
    assert_int_equal(after->nights->nights->len, 6);
}

static void without_room_each_is_read_anew(void **state) {
    bench *at = *state;
    srv_histories *none = srv_histories_new(0, at->changes);
    srv_history *a = srv_histories_get(none, at->fix->store, "kieker", NULL, NULL, 10, NULL);
    srv_history *b = srv_histories_get(none, at->fix->store, "kieker", NULL, NULL, 10, NULL);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    srv_history_done(a);
    srv_history_done(b);
    srv_histories_free(none);
    srv_histories_free(NULL);
}

static void what_cannot_be_read_is_told_and_not_kept(void **state) {
    bench *at = *state;
    for (int i = 0; i < 2; i++) {
        GError *error = NULL;
        assert_null(
            srv_histories_get(at->histories, at->fix->store, "nobody", NULL, NULL, 10, &error));
        assert_srv_error(error, NOT_FOUND, "nobody");
        assert_null(
            srv_histories_get(at->histories, at->fix->store, "kieker", NULL, NULL, 5001, &error));
        assert_srv_error(error, INVALID, "");
    }
}

int main(void) {
#define WITH_NIGHTS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_NIGHTS(the_same_question_is_answered_by_the_same_history),
        WITH_NIGHTS(new_nights_are_seen_and_held_ones_stay),
        WITH_NIGHTS(without_room_each_is_read_anew),
        WITH_NIGHTS(what_cannot_be_read_is_told_and_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
