#include "tests/unit/test.h"

#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"

#include <string.h>

#include "server/ground/error.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "server/store/db.h"
#include "server/views/views.h"

static const double level[4] = {70, 270, 1400, 3000};

static json_t *leased_job(fixture *fix, int number) {
    g_autofree char *night = g_strdup_printf("2013-04-%02d", number);
    fix_add(fix, "kieker", number, night, SRV_KIND_NIGHTLY);
    return fix_lease(fix);
}

static json_t *loop_at(const json_t *body, size_t i) {
    return json_array_get(json_object_get(body, "loops"), i);
}

static void a_result_becomes_an_experiment(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t id = fix_measure(fix, "kieker", 1, "2013-04-17", level);
    json_t *view = srv_view_experiment(fix->store, id, &error);
    assert_non_null(view);
    assert_string_equal(json_string_value(json_object_get(view, "state")), "measured");
    json_t *portions = json_object_get(view, "portions");
    assert_int_equal(json_array_size(portions), 4);
    for (size_t i = 0; i < 4; i++) {
        json_t *portion = json_array_get(portions, i);
        double expected = level[i] - (i > 0 ? level[i - 1] : 0);
        assert_true(fabs(json_number_value(json_object_get(portion, "mean_ns")) - expected) <
                    1e-6 * expected);
        assert_string_equal(json_string_value(json_object_get(portion, "verdict")), "first");
        assert_true(json_is_null(json_object_get(portion, "reference")));
    }
    double total = json_number_value(json_object_get(json_object_get(view, "total"), "mean_ns"));
    assert_true(fabs(total - 3000) < 1e-3);
    json_t *writing = json_array_get(json_object_get(view, "configurations"), 3);
    assert_int_equal(json_array_size(json_object_get(writing, "loop_results")), FIX_LOOPS);
    g_autofree char *sha = srv_view_raw(fix->store, id, "writing", 5, &error);
    assert_int_equal(strlen(sha), 64);
    assert_null(srv_view_raw(fix->store, id, "writing", 6, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_error_free(error);
    json_decref(view);
}

static void the_same_again_is_the_same_experiment(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    json_t *first = srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error);
    assert_true(created);
    guint told = fix->events->len;
    json_t *again = srv_ingest_result(fix->store, job_id(leased), body, 2, &created, &error);
    assert_false(created);
    assert_true(json_equal(first, again));
    assert_int_equal(fix->events->len, told);
    json_object_set_new(loop_at(body, 0), "seconds", json_real(9));
    assert_null(srv_ingest_result(fix->store, job_id(leased), body, 3, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_error_free(error);
    json_decref(first);
    json_decref(again);
    json_decref(body);
    json_decref(leased);
}

static void another_lease_is_a_conflict(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    json_object_set_new(body, "lease", json_string("stolen"));
    assert_null(srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_null(srv_ingest_result(fix->store, 77, body, 1, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    json_decref(body);
    json_decref(leased);
}

/* Each case breaks one member of a good result, given as JSON. */
static const struct {
    const char *where; /* "" body, "loop" loops[0], "summary", "raw", "environment" */
    const char *key, *value, *says;
} malformed[] = {
    {"", "node", "7", "node: must be a text"},
    {"", "node", "\"blade2\"", "node: the job was given to blade1, the result says blade2"},
    {"", "started_ms", "-5", "started_ms: is -5"},
    {"", "finished_ms", "0", "finished_ms"},
    {"", "environment", "\"text\"", "environment: must be an object"},
    {"", "environment", "null", "environment: is missing"},
    {"", "loops", "{}", "loops: must be a list"},
    {"", "loops", "[]", "loops: must hold"},
    {"", "loops", "[3]", "loops[0].configuration: is missing"},
    {"loop", "configuration", "\"nonsense\"", "'nonsense' is not in the job's benchmark"},
    {"loop", "loop", "0", "loop: is 0"},
    {"loop", "loop", "6", "loop: is 6, must be 1 to 5"},
    {"loop", "loop", "\"1\"", "whole number"},
    {"loop", "position", "-1", "position: is -1"},
    {"loop", "seconds", "-0.1", "seconds"},
    {"loop", "disturbed", "\"no\"", "true or false"},
    {"loop", "failed", "{}", "failed: must be a text"},
    {"loop", "calls", "21", "minus warmup_calls differs from summary.n"},
    {"loop", "warmup_calls", "20", "minus warmup_calls differs from summary.n"},
    {"loop", "calls_per_second", "[\"x\"]", "must hold counts"},
    {"loop", "readings", "[]", "readings: must be an object"},
    {"loop", "summary", "null", "summary: is missing"},
    {"summary", "n", "0", "n: is 0"},
    {"summary", "mean_ns", "-1", "mean_ns"},
    {"summary", "mean_ns", "\"NaN\"", "mean_ns: must be a number"},
    {"summary", "mean_ns", "1e300", "not in order"},
    {"summary", "sd_ns", "-1", "sd_ns"},
    {"summary", "q1_ns", "100000", "not in order"},
    {"summary", "max_ns", "null", "max_ns: is missing"},
    {"raw", "sha256", "\"abc\"", "64 lower-case hex"},
    {"raw", "sha256", "\"0000000000000000000000000000000000000000000000000000000000000000\"",
     "not uploaded"},
    {"raw", "bytes", "1", "differs in size"},
    {"raw", "uncompressed_bytes", "1", "differs in size"},
};

static void malformed_results_store_nothing(void **state) {
    fixture *fix = *state;
    json_t *leased = leased_job(fix, 1), *good = fix_result(fix, leased, level);
    for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++) {
        GError *error = NULL;
        bool created;
        json_t *body = json_deep_copy(good), *into = body, *loop = loop_at(body, 0);
        if (*malformed[i].where != '\0')
            into = g_str_equal(malformed[i].where, "loop")
                       ? loop
                       : json_object_get(loop, malformed[i].where);
        json_object_set_new(into, malformed[i].key,
                            json_loads(malformed[i].value, JSON_DECODE_ANY, NULL));
        assert_null(srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error));
        if (!g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID) ||
            !strstr(error->message, malformed[i].says))
            fail_msg("case %zu: '%s' does not say '%s'", i, error->message, malformed[i].says);
        g_error_free(error);
        json_decref(body);
    }
    GError *error = NULL;
    bool created;
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), good, 1, &created, &error);
    assert_int_equal(json_integer_value(json_object_get(answer, "experiment")), 1);
    json_decref(answer);
    json_decref(good);
    json_decref(leased);
}

static void a_loop_twice_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    json_array_append(json_object_get(body, "loops"), loop_at(body, 2));
    assert_null(srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error));
    assert_non_null(strstr(error->message, "is given twice"));
    g_error_free(error);
    json_decref(body);
    json_decref(leased);
}

static void fail_loops(json_t *body, const char *configuration, size_t count) {
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(body, "loops"), i, loop) {
        if (count > 0 &&
            g_str_equal(json_string_value(json_object_get(loop, "configuration")), configuration)) {
            json_object_set_new(loop, "failed", json_string("exit status 134 after 1.2 s"));
            json_object_del(loop, "summary");
            count--;
        }
    }
}

static void quarantined(fixture *fix, size_t failures, const char *says) {
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    fail_loops(body, "none", failures);
    for (int i = 0; i < 2; i++) {
        assert_null(srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error));
        assert_int_equal(created, i == 0);
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_REJECTED));
        if (!strstr(error->message, says))
            fail_msg("'%s' does not say '%s'", error->message, says);
        g_clear_error(&error);
    }
    json_t *view = srv_view_experiment(fix->store, 1, &error);
    assert_string_equal(json_string_value(json_object_get(view, "state")), "quarantined");
    json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    assert_string_equal(json_string_value(json_object_get(portion, "verdict")), "harness");
    json_decref(view);
    json_decref(body);
    json_decref(leased);
    /* It is no baseline: the next night is the first. */
    int64_t next = fix_measure(fix, "kieker", 2, "2013-04-18", level);
    view = srv_view_experiment(fix->store, next, &error);
    portion = json_array_get(json_object_get(view, "portions"), 1);
    assert_string_equal(json_string_value(json_object_get(portion, "verdict")), "first");
    json_decref(view);
}

static void a_missing_control_is_quarantined(void **state) {
    quarantined(*state, 5, "configuration none has no result");
}

static void too_few_loops_are_quarantined(void **state) {
    quarantined(*state, 3, "has 2 of 5 loops, at least 3 are needed; the last failure: exit");
}

/* Its portion and the one on top of it cannot be judged; the others can. */
static void a_missing_configuration_is_a_gap(void **state) {
    for (int failures = 3; failures <= 5; failures += 2) {
        fixture *fix = *state;
        GError *error = NULL;
        bool created;
        json_t *leased = leased_job(fix, failures), *body = fix_result(fix, leased, level);
        fail_loops(body, "collecting", (size_t)failures);
        json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error);
        const int64_t id = json_integer_value(json_object_get(answer, "experiment"));
        json_t *view = srv_view_experiment(fix->store, id, &error);
        for (size_t i = 0; i < 4; i++) {
            const json_t *portion = json_array_get(json_object_get(view, "portions"), i);
            const char *verdict = json_string_value(json_object_get(portion, "verdict"));
            assert_int_equal(g_str_equal(verdict, "harness"), i >= 2);
        }
        json_decref(view);
        json_decref(answer);
        json_decref(body);
        json_decref(leased);
    }
}

static void a_failed_loop_is_shown_and_left_out(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    fail_loops(body, "collecting", 1);
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error);
    assert_non_null(answer);
    json_t *view = srv_view_experiment(fix->store, 1, &error);
    json_t *collecting = json_array_get(json_object_get(view, "configurations"), 2);
    assert_int_equal(json_integer_value(json_object_get(collecting, "loops")), 4);
    json_t *portion = json_array_get(json_object_get(view, "portions"), 2);
    assert_string_equal(json_string_value(json_object_get(portion, "method")), "Welch t");
    json_decref(view);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

static void a_repeated_loop_replaces_the_disturbed_one(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    json_t *again = json_deep_copy(loop_at(body, 0));
    json_object_set_new(loop_at(body, 0), "disturbed", json_true());
    json_object_set_new(json_object_get(loop_at(body, 0), "summary"), "max_ns", json_real(1e9));
    json_object_set_new(json_object_get(loop_at(body, 0), "summary"), "mean_ns", json_real(1e8));
    json_object_set_new(again, "position", json_integer(99));
    json_array_append_new(json_object_get(body, "loops"), again);
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error);
    assert_non_null(answer);
    json_t *view = srv_view_experiment(fix->store, 1, &error);
    json_t *none = json_array_get(json_object_get(view, "configurations"), 0);
    assert_int_equal(json_integer_value(json_object_get(none, "loops")), FIX_LOOPS);
    assert_int_equal(json_array_size(json_object_get(none, "loop_results")), FIX_LOOPS + 1);
    const json_t *replaced = json_array_get(json_object_get(none, "loop_results"), 0);
    assert_null(text_of(json_object_get(replaced, "raw"), "url"));
    assert_true(fabs(json_number_value(json_object_get(none, "mean_ns")) - 70) < 1e-6);
    json_decref(view);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

/* It does not count, and its calls can be had all the same; of a repeated loop only the one that
 * does. */
static void a_disturbed_loop_is_left_out(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    json_object_set_new(loop_at(body, 0), "disturbed", json_true());
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error);
    assert_non_null(answer);
    json_t *view = srv_view_experiment(fix->store, 1, &error);
    json_t *none = json_array_get(json_object_get(view, "configurations"), 0);
    assert_int_equal(number_of(none, "loops"), FIX_LOOPS - 1);
    const json_t *loop = json_array_get(json_object_get(none, "loop_results"), 0);
    assert_true(json_is_false(json_object_get(loop, "used")));
    assert_non_null(text_of(json_object_get(loop, "raw"), "url"));
    assert_non_null(text_of(json_object_get(loop, "raw"), "calls_url"));
    json_decref(view);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

/* No file may grow: what a full disk does to the database. */
static void a_full_disk_keeps_what_was_there(void **state) {
    SKIP_ON_A_SERVER; /* it is another process's disk */
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    fix_measure(fix, "kieker", 1, "2013-04-01", level);
    json_t *leased = leased_job(fix, 2), *body = fix_result(fix, leased, level);
    struct rlimit before, limit = {.rlim_cur = 4096};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_null(srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error));
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
    g_clear_error(&error);
    assert_true(database_is_sound(fix->store));
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 2, &created, &error);
    assert_true(created);
    assert_int_equal(json_integer_value(json_object_get(answer, "experiment")), 2);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

/* Beside the server, as its operator would. */
static void operate(const fixture *fix, const char *sql) {
    const char *text;
    srv_db *db = srv_db_open(fix->path, SRV_DB_EXISTING);
    srv_db_statement *statement = srv_db_prepare(db, sql, "");
    if (!statement || srv_db_next(statement) != SRV_DB_END) {
        srv_db_problem(db, &text);
        fail_msg("%s: %s", sql, text);
    }
    srv_db_finish(statement);
    srv_db_close(db);
}

/* Whoever writes a row of this table meets that problem, of PostgreSQL's number. */
static void trouble(const fixture *fix, const char *table, const char *number) {
    g_autofree char *raise =
        g_strdup_printf("CREATE OR REPLACE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS "
                        "'BEGIN RAISE EXCEPTION ''here it is'' USING ERRCODE=''%s''; END'",
                        number);
    g_autofree char *trigger = g_strdup_printf(
        "CREATE TRIGGER trouble BEFORE INSERT ON %s EXECUTE FUNCTION trouble()", table);
    operate(fix, raise);
    operate(fix, trigger);
}

/* Full, read-only by now, without the right any more, serialized: at whichever statement of it,
 * nothing is kept and the same result is taken later. */
static void a_servers_trouble_keeps_what_was_there(void **state) {
    static const struct {
        const char *table, *number;
        srv_error code;
        const char *says;
    } cases[] = {
        {"experiment", "53100", SRV_ERROR_FULL, "free some space, nothing was changed"},
        {"loop", "53100", SRV_ERROR_FULL, "free some space, nothing was changed"},
        {"loop", "58030", SRV_ERROR_FULL, "check the disk, nothing was changed"},
        {"configuration", "25006", SRV_ERROR_INTERNAL, "its user owns and may write to"},
        {"portion", "42501", SRV_ERROR_INTERNAL, "its user owns and may write to"},
        {"series_state", "40001", SRV_ERROR_BUSY, "try again"},
    };
    SKIP_WITHOUT_A_SERVER;
    fixture *fix = *state;
    json_t *leased = leased_job(fix, 1), *body = fix_result(fix, leased, level);
    bool created;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_autofree char *end = g_strdup_printf("DROP TRIGGER trouble ON %s", cases[i].table);
        trouble(fix, cases[i].table, cases[i].number);
        assert_null(srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error));
        if (!g_error_matches(error, SRV_ERROR, (int)cases[i].code) ||
            !strstr(error->message, cases[i].says) || !strstr(error->message, "here it is"))
            fail_msg("%s %s: %s", cases[i].table, cases[i].number, error->message);
        g_clear_error(&error);
        operate(fix, end);
    }
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 2, &created, NULL);
    assert_true(created);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

static const char *verdict_of(fixture *fix, int64_t experiment, char *text, size_t size) {
    json_t *view = srv_view_experiment(fix->store, experiment, NULL);
    json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    g_strlcpy(text, json_string_value(json_object_get(portion, "verdict")), size);
    json_decref(view);
    return text;
}

/* The series of before goes on; that the environment changed is told all the same. */
static void way_back_is_told(fixture *fix) {
    GError *error = NULL;
    fix_measure(fix, "kieker", 6, "2013-04-06", level);
    json_t *view = srv_view_experiment(fix->store, 6, &error);
    assert_string_equal(json_string_value(json_object_get(view, "environment_change")),
                        "CPU other → test");
    assert_true(json_is_null(json_object_get(view, "ended_early")));
    json_decref(view);
}

static void another_environment_is_another_series(void **state) {
    static const double slower[4] = {140, 540, 2800, 6000};
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    char verdict[20];
    for (int day = 1; day <= 4; day++) {
        g_autofree char *night = g_strdup_printf("2013-04-%02d", day);
        fix_measure(fix, "kieker", day, night, level);
    }
    json_t *leased = leased_job(fix, 5), *body = fix_result(fix, leased, slower);
    json_object_set_new(json_object_get(body, "environment"), "cpu", json_string("other"));
    json_object_set_new(json_object_get(body, "environment"), "detail",
                        json_pack("{s:s}", "ended_early", "the node was busy"));
    json_t *answer = srv_ingest_result(fix->store, job_id(leased), body, 1, &created, &error);
    assert_non_null(answer);
    assert_string_equal(verdict_of(fix, 5, verdict, sizeof verdict), "environment");
    json_t *view = srv_view_experiment(fix->store, 5, &error);
    assert_true(json_is_true(json_object_get(view, "environment_changed")));
    assert_string_equal(json_string_value(json_object_get(view, "environment_change")),
                        "CPU test → other");
    assert_string_equal(json_string_value(json_object_get(view, "ended_early")),
                        "the node was busy");
    json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    assert_string_equal(json_string_value(json_object_get(portion, "reason")),
                        "the environment changed, a new baseline begins here: CPU test → other");
    json_t *alerts =
        srv_view_list(fix->store, &srv_list_alerts, NULL, NULL, (srv_page){0, NULL}, &error);
    assert_int_equal(json_array_size(json_object_get(alerts, "items")), 0);
    json_decref(alerts);
    json_decref(view);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
    way_back_is_told(fix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_result_becomes_an_experiment),
        FIX_TEST(the_same_again_is_the_same_experiment),
        FIX_TEST(another_lease_is_a_conflict),
        FIX_TEST(malformed_results_store_nothing),
        FIX_TEST(a_full_disk_keeps_what_was_there),
        FIX_TEST(a_servers_trouble_keeps_what_was_there),
        FIX_TEST(another_environment_is_another_series),
        FIX_TEST(a_loop_twice_is_refused),
        FIX_TEST(a_missing_control_is_quarantined),
        FIX_TEST(a_missing_configuration_is_a_gap),
        FIX_TEST(too_few_loops_are_quarantined),
        FIX_TEST(a_failed_loop_is_shown_and_left_out),
        FIX_TEST(a_repeated_loop_replaces_the_disturbed_one),
        FIX_TEST(a_disturbed_loop_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
