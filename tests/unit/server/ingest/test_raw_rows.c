/* Whose the raw files are: those that jobs have in common, those that go, and those that come back.
 */
#include "tests/unit/server/retention/kept.h"

#include "server/ingest/raw_rows.h"
#include "server/store/gone.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/sql_text.h"

static const char *const same = "aa00000000000000000000000000000000000000000000000000000000000001";

static void insert(fixture *fix, int64_t job, const char *sha, bool is_new) {
    bool created = !is_new;
    const srv__raw_row row = {.sha256 = sha, .bytes = 100, .job = job};
    assert_true(srv__begin(fix->store, NULL));
    assert_true(
        srv__end(fix->store, srv__raw_insert(fix->store, &row, fix->now_ms, &created, NULL), NULL));
    assert_int_equal(created, is_new);
}

static int64_t drop(fixture *fix, int64_t job) {
    int64_t files = -1;
    assert_true(srv__begin(fix->store, NULL));
    assert_true(srv__end(fix->store,
                         srv__raw_drop(fix->store, job, "age", fix->now_ms, &files, NULL), NULL));
    return files;
}

/* Three jobs of different nights. */
static void jobs(fixture *fix, int64_t job[3]) {
    static const char *const nights[] = {"2013-04-01", "2013-04-02", "2013-04-03"};
    for (int i = 0; i < 3; i++)
        job[i] = fix_add(fix, "kieker", i + 1, nights[i], SRV_KIND_NIGHTLY);
}

static int64_t owner(fixture *fix) {
    return counted(fix, "SELECT job_id FROM raw");
}

/* It goes with the last of the jobs that have it. */
static void a_file_in_common_stays_until_the_last(void **state) {
    fixture *fix = *state;
    int64_t job[3];
    jobs(fix, job);
    insert(fix, job[0], same, true);
    insert(fix, job[0], same, false); /* sent again: nothing is in common */
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_share"), 0);
    insert(fix, job[2], same, false);
    insert(fix, job[1], same, false);
    assert_int_equal(drop(fix, job[0]), 0);
    assert_int_equal(owner(fix), job[1]);
    there(fix, 1, 0, 1);
    assert_int_equal(drop(fix, job[2]), 0); /* it has nothing of its own */
    there(fix, 1, 0, 2);
    assert_int_equal(drop(fix, job[1]), 1);
    there(fix, 0, 1, 3);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_share"), 0);
}

/* As an imported night does, whose files are those of the one that was exported. */
static void a_night_that_names_others_files_has_them_too(void **state) {
    static const double means[4] = {70, 470, 1600, 3200};
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 2, means);
    const int64_t second = counted(fix, "SELECT job_id FROM experiment WHERE id=2");
    assert_true(
        srv__run(fix->store,
                 sql_text("UPDATE loop SET raw_sha256=(SELECT o.raw_sha256 FROM loop o"
                          " WHERE o.experiment_id=1 AND o.ordinal=loop.ordinal AND o.loop=loop.loop"
                          " AND o.position=loop.position) WHERE experiment_id=2",
                          ""),
                 SRV__NO_ARGS, NULL, NULL));
    for (int i = 0; i < 2; i++) { /* again changes nothing */
        assert_true(srv__begin(fix->store, NULL));
        assert_true(srv__end(fix->store, srv__raw_share(fix->store, 2, second, 1, NULL), NULL));
    }
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_share"), JOB_FILES);
    assert_int_equal(drop(fix, counted(fix, "SELECT job_id FROM experiment WHERE id=1")), 0);
    there(fix, 2 * JOB_FILES, 0, 1);
    assert_int_equal(drop(fix, second), 2 * JOB_FILES);
    there(fix, 0, 2 * JOB_FILES, 2);
}

static json_t *take(fixture *fix, int64_t after_ms) {
    json_t *rows = srv__gone_take(fix->store, SRV__GONE_RAW, fix->now_ms + after_ms, 10, NULL);
    assert_non_null(rows);
    return rows;
}

/* Between the row and the file an hour passes; who brings the bytes again has as long for its row.
 */
static void who_brings_it_again_keeps_it(void **state) {
    fixture *fix = *state;
    int64_t job[3];
    jobs(fix, job);
    insert(fix, job[0], same, true);
    assert_true(srv__gone_claim(fix->store, SRV__GONE_RAW, same, fix->now_ms,
                                NULL)); /* it is not even going */
    assert_int_equal(drop(fix, job[0]), 1);
    json_t *rows = take(fix, SRV__GONE_AFTER_MS);
    assert_int_equal(json_array_size(rows), 0);
    json_decref(rows);
    assert_true(
        srv__gone_claim(fix->store, SRV__GONE_RAW, same, fix->now_ms + SRV__GONE_AFTER_MS, NULL));
    rows = take(fix, 2 * SRV__GONE_AFTER_MS);
    assert_int_equal(json_array_size(rows), 0);
    json_decref(rows);
    insert(fix, job[1], same, true);
    there(fix, 1, 0, 1);
    rows = take(fix, 9 * SRV__GONE_AFTER_MS);
    assert_int_equal(json_array_size(rows), 0);
    json_decref(rows);
}

/* Who is about it may be killed; the next one goes on. */
static void while_it_is_removed_nobody_brings_it(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job[3];
    jobs(fix, job);
    insert(fix, job[0], same, true);
    assert_int_equal(drop(fix, job[0]), 1);
    json_t *rows = NULL;
    for (int again = 0; again < 2; again++) {
        json_decref(rows);
        rows = take(fix, SRV__GONE_AFTER_MS + 1);
        assert_int_equal(json_array_size(rows), 1);
        assert_string_equal(text_of(json_array_get(rows, 0), "sha256"), same);
        assert_false(srv__gone_claim(fix->store, SRV__GONE_RAW, same, fix->now_ms, &error));
        assert_srv_error(error, BUSY, "just being removed");
    }
    assert_true(srv__gone_done(fix->store, SRV__GONE_RAW, rows, 0, NULL)); /* none is removed */
    assert_false(srv__gone_claim(fix->store, SRV__GONE_RAW, same, fix->now_ms, NULL));
    assert_true(srv__gone_done(fix->store, SRV__GONE_RAW, rows, 1, NULL));
    json_decref(rows);
    assert_true(srv__gone_claim(fix->store, SRV__GONE_RAW, same, fix->now_ms, NULL));
    there(fix, 0, 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_file_in_common_stays_until_the_last),
        FIX_TEST(a_night_that_names_others_files_has_them_too),
        FIX_TEST(who_brings_it_again_keeps_it),
        FIX_TEST(while_it_is_removed_nobody_brings_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
