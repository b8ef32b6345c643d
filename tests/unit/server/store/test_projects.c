/* How many nights there are: the same as when they are counted. */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"

#include "server/views/views.h"
#include "sql/nights.h"
#include "tests/unit/server/sql_text.h"

static const double calm[4] = {70, 300, 1500, 3200};

static int64_t number(fixture *fix, const char *sql) {
    int64_t found = -1;
    assert_true(srv__number(fix->store, sql_text(sql, ""), SRV__NO_ARGS, 0, &found, NULL));
    return found;
}

/* What is kept is what a count gives, of each year and on the page. */
static void is_right(fixture *fix) {
    assert_int_equal(number(fix, "SELECT count(*) FROM night_count c WHERE c.nights<>"
                                 "(SELECT count(*) FROM experiment e WHERE e.hidden=0"
                                 " AND e.project_id=c.project_id AND substr(e.night,1,4)=c.year)"),
                     0);
    assert_int_equal(number(fix, "SELECT CAST(coalesce(sum(nights), 0) AS BIGINT)"
                                 " FROM night_count"),
                     number(fix, "SELECT count(*) FROM experiment WHERE hidden=0"));
    json_auto_t *view = srv_view_project(fix->store, "kieker", NULL);
    assert_int_equal(number_of(view, "nights"),
                     number(fix, "SELECT count(*) FROM experiment WHERE hidden=0"));
}

/* The job's last attempt has failed. */
static void fail_job(fixture *fix, int commit, const char *night) {
    fix_add(fix, "kieker", commit, night, SRV_KIND_MANUAL);
    json_auto_t *leased = fix_lease(fix);
    const int64_t job = job_id(leased);
    json_auto_t *body =
        json_pack("{s:O,s:s,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"), "phase",
                  "prepare", "log", "", "reason", "it does not build", "retry", false);
    g_autoptr(GError) error = NULL;
    if (!srv_queue_failure(fix->store, &fix_rules, job, body, fix->now_ms, &error))
        fail_msg("%s", error->message);
}

/* Asked for by hand, and measured. */
static void measure_again(fixture *fix, int commit, const char *night) {
    fix_add(fix, "kieker", commit, night, SRV_KIND_MANUAL);
    json_auto_t *leased = fix_lease(fix);
    json_auto_t *result = fix_result(fix, leased, calm);
    bool created;
    json_auto_t *answer =
        srv_ingest_result(fix->store, job_id(leased), result, fix->now_ms, &created, NULL);
    assert_non_null(answer);
}

static void nights_of_several_years_are_counted(void **state) {
    fixture *fix = *state;
    static const char *const nights[] = {"2012-12-30", "2012-12-31", "2013-01-01", "2014-06-01"};
    is_right(fix);
    for (int i = 0; i < (int)G_N_ELEMENTS(nights); i++) {
        fix_measure(fix, "kieker", i + 1, nights[i], calm);
        is_right(fix);
    }
    assert_int_equal(number(fix, "SELECT count(*) FROM night_count"), 3);
}

static void a_failed_night_counts_until_it_is_measured(void **state) {
    fixture *fix = *state;
    fix_measure(fix, "kieker", 1, "2013-01-01", calm);
    fail_job(fix, 2, "2013-01-02");
    is_right(fix);
    assert_int_equal(number(fix, "SELECT nights FROM night_count"), 2);
    measure_again(fix, 2, "2013-01-02");
    is_right(fix);
    assert_int_equal(number(fix, "SELECT nights FROM night_count"), 2);
    /* what was measured once stays, whatever comes of it later */
    fail_job(fix, 2, "2013-01-02");
    is_right(fix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(nights_of_several_years_are_counted),
        FIX_TEST(a_failed_night_counts_until_it_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
