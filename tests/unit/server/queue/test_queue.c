#include "tests/unit/server/fixture.h"
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/queue/queue.h"
#include "server/views/views.h"

#include <math.h>
#include <string.h>

static const char *lease_of(const json_t *leased) {
    return json_string_value(json_object_get(leased, "lease"));
}

static int64_t lease_id(fixture *fix) {
    json_t *leased = fix_lease(fix);
    int64_t id = leased ? job_id(leased) : 0;
    json_decref(leased);
    return id;
}

static char *state_of(fixture *fix, int64_t job) {
    json_t *view = srv_view_job(fix->store, job, NULL);
    char *text = g_strdup(json_string_value(json_object_get(view, "state")));
    json_decref(view);
    return text;
}

#define assert_state(fix, job, expected)                                                           \
    do {                                                                                           \
        g_autofree char *present = state_of(fix, job);                                             \
        assert_string_equal(present, expected);                                                    \
    } while (0)

static bool report(fixture *fix, int64_t job, const char *lease, bool retry, GError **error) {
    json_t *body = json_pack("{s:s,s:s,s:s,s:s,s:b}", "lease", lease, "phase", "prepare", "reason",
                             "mvn: exit status 1", "log", "[ERROR] no", "retry", retry);
    bool good = srv_queue_failure(fix->store, &fix_rules, job, body, fix->now_ms, error);
    json_decref(body);
    return good;
}

static bool heartbeat(fixture *fix, int64_t job, const char *lease, GError **error) {
    json_t *body = json_pack("{s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:f,s:s}", "lease", lease, "phase",
                             "measure", "configuration", "none", "loop", 1, "loops", 5, "done", 1,
                             "total", 20, "eta_seconds", 12.7, "message", "");
    json_t *answer = srv_queue_progress(fix->store, &fix_rules, job, body, fix->now_ms, error);
    json_decref(body);
    bool good = answer != NULL;
    json_decref(answer);
    return good;
}

/* The job the node gets, 0: none. */
static int64_t lease_with(fixture *fix, const char *node, const char *labels) {
    GError *error = NULL;
    json_t *list = json_loads(labels, 0, NULL), *answer = NULL;
    assert_true(srv_queue_lease(
        fix->store, &fix_rules,
        &(srv_node){.name = node, .version = "0.1", .labels = list, .can = fix->can}, fix->now_ms,
        &answer, &error));
    int64_t job = json_integer_value(json_object_get(json_object_get(answer, "job"), "id"));
    json_decref(list);
    json_decref(answer);
    return job;
}

static void need_labels(fixture *fix, unsigned count) {
    static const char *const words[] = {"jdk17", "bare-metal"};
    cfg_project *project = fix_project("kieker");
    project->node_labels = g_new0(char *, 3);
    for (unsigned i = 0; i < count; i++)
        project->node_labels[i] = g_strdup(words[i]);
    project->node_labels_count = count;
    fix_sync_only(fix, project);
}

static void expect_unmatched(fixture *fix, int64_t job, size_t labels) {
    json_t *view = srv_view_job(fix->store, job, NULL);
    json_t *list = json_object_get(view, "unmatched_labels");
    assert_int_equal(json_array_size(list), labels);
    assert_int_equal(json_is_null(list), labels == 0);
    json_decref(view);
}

static void a_job_goes_where_its_labels_are(void **state) {
    fixture *fix = *state;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    expect_unmatched(fix, job, 0); /* any node will do */
    need_labels(fix, 2);
    expect_unmatched(fix, job, 2);
    assert_int_equal(lease_with(fix, "blade1", "[]"), 0);
    assert_int_equal(lease_with(fix, "blade2", "[\"jdk17\"]"), 0);
    assert_int_equal(lease_with(fix, "blade3", "[\"jdk17\",\"bare-metal-2\",3,null]"), 0);
    expect_unmatched(fix, job, 2);
    need_labels(fix, 1);
    expect_unmatched(fix, job, 0); /* blade2 need only ask again */
    need_labels(fix, 2);
    assert_int_equal(lease_with(fix, "blade4", "[\"x\",\"bare-metal\",\"jdk17\"]"), job);
    expect_unmatched(fix, job, 0);
}

/* Also when it has asked a moment ago. */
static void a_node_has_the_labels_it_says(void **state) {
    fixture *fix = *state;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    need_labels(fix, 1);
    assert_int_equal(lease_with(fix, "blade1", "[]"), 0);
    expect_unmatched(fix, job, 1);
    assert_int_equal(lease_with(fix, "blade1", "[\"jdk17\",\"jdk17\"]"), job);
    int64_t second = fix_add(fix, "kieker", 2, "2013-04-18", SRV_KIND_NIGHTLY);
    assert_int_equal(lease_with(fix, "blade2", "[\"jdk17\"]"), second);
    int64_t third = fix_add(fix, "kieker", 3, "2013-04-19", SRV_KIND_NIGHTLY);
    assert_int_equal(lease_with(fix, "blade3", "[\"jdk17\"]"), third);
    fix_add(fix, "kieker", 4, "2013-04-20", SRV_KIND_NIGHTLY);
    assert_int_equal(lease_with(fix, "blade3", "[]"), third); /* its answer may have been lost */
    assert_int_equal(lease_with(fix, "blade4", "[\"jdk18\"]"), 0);
}

/* "held" of a job, or ""; owned. */
static char *held(fixture *fix, int64_t job) {
    json_t *view = srv_view_job(fix->store, job, NULL);
    json_t *list = json_pack("[O]", view);
    assert_true(srv_view_jobs_held(fix->store, list, 60000, fix->now_ms, NULL));
    const char *text = json_string_value(json_object_get(view, "held"));
    char *copy = g_strdup(text ? text : "");
    json_decref(list);
    json_decref(view);
    return copy;
}

static void expect_held(fixture *fix, int64_t job, const char *words) {
    g_autofree char *text = held(fix, job);
    assert_string_equal(text, words);
}

static void a_job_that_nobody_takes_says_why(void **state) {
    fixture *fix = *state;
    fix->now_ms = INT64_C(1366200000000); /* 2013-04-17 12:00 UTC */
    need_labels(fix, 2);
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    expect_held(fix, job, "no suitable node has ever asked for work");
    /* one takes it, and while it is at work the next one is not missed */
    assert_int_equal(lease_with(fix, "blade1", "[\"jdk17\",\"bare-metal\"]"), job);
    int64_t next = fix_add(fix, "kieker", 2, "2013-04-18", SRV_KIND_NIGHTLY);
    expect_held(fix, job, "");
    expect_held(fix, next, "");
    /* both that could are gone; one that could not is there and is not named */
    fix->now_ms += 61000;
    assert_int_equal(lease_with(fix, "blade2", "[\"jdk17\"]"), 0);
    expect_held(
        fix, next,
        "no suitable node asks for work: blade1 has been silent since 2013-04-17 12:00 UTC");
    need_labels(fix, 1);
    expect_held(fix, next, "");
    assert_true(srv_node_pause(fix->store, "blade2", "ada: new kernel", NULL));
    expect_held(fix, next,
                "no suitable node asks for work: blade2 is paused (ada: new kernel), "
                "blade1 has been silent since 2013-04-17 12:00 UTC");
    /* it comes back and takes it */
    need_labels(fix, 2);
    assert_int_equal(lease_with(fix, "blade1", "[\"jdk17\",\"bare-metal\"]"), next);
    expect_held(fix, next, "");
}

static void a_paused_node_gets_no_more_work(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 2, "2013-04-18", SRV_KIND_NIGHTLY);
    assert_false(srv_node_pause(fix->store, "blade1", "ada: new kernel", &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    assert_true(srv_node_pause(fix->store, "blade1", "ada: new kernel", &error));
    static const double means[4] = {70, 270, 1400, 3000};
    bool created;
    json_t *body = fix_result(fix, leased, means);
    json_t *answer = srv_ingest_result(
        fix->store, json_integer_value(json_object_get(json_object_get(leased, "job"), "id")), body,
        fix->now_ms, &created, &error);
    assert_non_null(answer); /* what it had it could end */
    assert_null(fix_lease(fix));
    json_t *other = NULL;
    assert_true(srv_queue_lease(fix->store, &fix_rules,
                                &(srv_node){.name = "blade2", .version = "0.1", .can = fix->can},
                                fix->now_ms, &other, &error));
    assert_non_null(other); /* others go on */
    fix_add(fix, "kieker", 3, "2013-04-19", SRV_KIND_NIGHTLY);
    assert_true(srv_node_pause(fix->store, "blade1", NULL, &error));
    json_t *again = fix_lease(fix);
    assert_non_null(again);
    json_decref(again);
    json_decref(other);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

static void bad_nights_are_refused(void **state) {
    static const struct {
        const char *sha, *night, *says;
    } cases[] = {
        {"abc", "2013-04-17", "commit id"},
        {"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "2013-04-17", "commit id"},
        {"0123456789abcdef0123456789abcdef01234567", "2013-02-30", "night"},
        {"0123456789abcdef0123456789abcdef01234567", "2013-4-17", "night"},
        {"0123456789abcdef0123456789abcdef01234567", "2013-04-17x", "night"},
        {"0123456789abcdef0123456789abcdef01234567", "", "night"},
    };
    fixture *fix = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        const srv_commit commit = {cases[i].sha, "a", "b", 1, "s", NULL, 0};
        assert_false(srv_night_add(fix->store, "kieker",
                                   &(srv_measurement){&commit, cases[i].night, SRV_KIND_NIGHTLY}, 1,
                                   NULL, NULL, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        assert_non_null(strstr(error->message, cases[i].says));
        g_error_free(error);
    }
}

static void the_same_commit_is_queued_once(void **state) {
    fixture *fix = *state;
    int64_t first = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    assert_int_equal(fix_add(fix, "kieker", 1, "2013-04-18", SRV_KIND_NIGHTLY), first);
    assert_int_equal(fix_add(fix, "kieker", 1, "2013-04-18", SRV_KIND_MANUAL), first);
    assert_int_not_equal(fix_add(fix, "kieker", 2, "2013-04-18", SRV_KIND_NIGHTLY), first);
}

static void by_hand_measures_again(void **state) {
    static const double means[4] = {70, 270, 1400, 3000};
    fixture *fix = *state;
    fix_measure(fix, "kieker", 1, "2013-04-17", means);
    assert_int_equal(fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY), 1);
    assert_int_equal(fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_MANUAL), 2);
}

static void the_job_is_as_the_protocol_says(void **state) {
    fixture *fix = *state;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    json_t *job = json_object_get(leased, "job");
    const char *kind, *night, *commit, *url, *branch, *driver;
    int seed, loops, expires;
    json_t *configurations;
    assert_int_equal(json_unpack(job, "{s:s,s:s,s:s,s:{s:s,s:s},s:i,s:{s:s,s:i,s:o}}", "kind",
                                 &kind, "night", &night, "commit", &commit, "repository", "url",
                                 &url, "branch", &branch, "seed", &seed, "benchmark", "driver",
                                 &driver, "loops", &loops, "configurations", &configurations),
                     0);
    assert_string_equal(commit, fix_sha(1));
    assert_string_equal(driver, "native");
    assert_int_equal(loops, FIX_LOOPS);
    assert_int_equal(json_array_size(configurations), 4);
    assert_int_equal(json_unpack(leased, "{s:i}", "expires_seconds", &expires), 0);
    assert_int_equal(expires, 60);
    assert_null(json_object_get(job, "before"));
    assert_int_equal(json_integer_value(json_object_get(job, "minimum_loops")), 3);
    json_decref(leased);
}

static void a_lost_answer_is_given_again(void **state) {
    fixture *fix = *state;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 2, "2013-04-18", SRV_KIND_NIGHTLY);
    json_t *first = fix_lease(fix), *again = fix_lease(fix);
    assert_true(json_equal(first, again));
    json_decref(first);
    json_decref(again);
}

static void priority_then_fairness_then_night(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "otel", NULL);
    int64_t late = fix_add(fix, "kieker", 1, "2013-04-18", SRV_KIND_NIGHTLY);
    int64_t early = fix_add(fix, "kieker", 2, "2013-04-17", SRV_KIND_NIGHTLY);
    int64_t other = fix_add(fix, "otel", 3, "2020-01-01", SRV_KIND_NIGHTLY);
    int64_t filling = fix_add(fix, "otel", 4, "2001-01-01", SRV_KIND_BACKFILL);
    int64_t manual = fix_add(fix, "kieker", 5, "2013-04-20", SRV_KIND_MANUAL);
    int64_t webhook = fix_add(fix, "kieker", 6, "2013-04-21", SRV_KIND_WEBHOOK);
    const int64_t expected[] = {webhook, manual, other, early, late, filling};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        GError *error = NULL;
        json_t *leased = fix_lease(fix);
        assert_int_equal(job_id(leased), expected[i]);
        assert_true(report(fix, expected[i], lease_of(leased), false, &error));
        json_decref(leased);
        fix->now_ms += 1000;
    }
    assert_int_equal(lease_id(fix), 0);
}

static int64_t lease_beside(fixture *fix, int64_t beside, bool room) {
    GError *error = NULL;
    json_t *answer = NULL;
    const srv_node node = {.name = "blade1", .beside = beside, .room = room};
    assert_true(srv_queue_lease(fix->store, &fix_rules, &node, fix->now_ms, &answer, &error));
    const int64_t job = answer ? job_id(answer) : 0;
    /* Until it is told of, it is given again: its answer may have been lost. */
    if (job != 0)
        assert_true(heartbeat(fix, job, lease_of(answer), &error));
    json_decref(answer);
    return job;
}

static void back_filled_nights_are_given_beside_each_other(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "otel", NULL);
    int64_t of_other = fix_add(fix, "otel", 9, "2001-01-01", SRV_KIND_BACKFILL);
    int64_t first = fix_add(fix, "kieker", 1, "2001-01-01", SRV_KIND_BACKFILL);
    int64_t third = fix_add(fix, "kieker", 3, "2001-01-03", SRV_KIND_BACKFILL);
    int64_t second = fix_add(fix, "kieker", 2, "2001-01-02", SRV_KIND_BACKFILL);
    fix_add(fix, "kieker", 4, "2001-01-04", SRV_KIND_EXPLAIN);
    assert_int_equal(lease_beside(fix, 0, false), of_other);
    fix->now_ms += 1000;
    json_t *leased = fix_lease(fix);
    assert_int_equal(job_id(leased), first);
    assert_true(json_is_true(json_object_get(json_object_get(leased, "job"), "beside")));
    assert_true(heartbeat(fix, first, lease_of(leased), NULL));
    json_decref(leased);
    assert_int_equal(lease_beside(fix, first, false), 0);
    assert_int_equal(lease_beside(fix, first, true), second);
    /* What goes before them does not wait, whosever it is. */
    int64_t fresh = fix_add(fix, "otel", 10, "2013-04-17", SRV_KIND_NIGHTLY);
    assert_int_equal(lease_beside(fix, first, true), fresh);
    assert_int_equal(lease_beside(fix, first, true), third);
    assert_int_equal(lease_beside(fix, first, true), 0);
}

/* Another way of measuring is another series. */
static void a_night_of_another_benchmark_is_not_given_beside(void **state) {
    fixture *fix = *state;
    int64_t first = fix_add(fix, "kieker", 1, "2001-01-01", SRV_KIND_BACKFILL);
    assert_int_equal(lease_beside(fix, 0, false), first);
    cfg_project *project = fix_project("kieker");
    project->benchmark.loops++;
    fix_sync_only(fix, project);
    int64_t other = fix_add(fix, "kieker", 2, "2001-01-02", SRV_KIND_BACKFILL);
    assert_int_equal(lease_beside(fix, first, true), 0);
    assert_int_equal(lease_beside(fix, 0, false), other);
}

static void a_silent_runner_loses_its_job_and_may_come_back(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    unsigned expired;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    fix->now_ms += 59000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, &expired, &error));
    assert_int_equal(expired, 0);
    assert_true(heartbeat(fix, job, lease_of(leased), &error));
    fix->now_ms += 61000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, &expired, &error));
    assert_int_equal(expired, 1);
    assert_state(fix, job, "queued");
    /* Nobody took it: the heartbeat that comes late holds it again. */
    assert_true(heartbeat(fix, job, lease_of(leased), &error));
    assert_state(fix, job, "leased");
    json_decref(leased);
}

/* Found by tests/campaign: the job of a dead runner was its for as long as the clock was set back.
 */
static void a_clock_that_is_set_back_makes_no_lease_longer(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    unsigned expired;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    fix->now_ms -= 86400000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, &expired, &error));
    assert_int_equal(expired, 0);
    fix->now_ms += 59000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, &expired, &error));
    assert_int_equal(expired, 0);
    assert_state(fix, job, "leased");
    fix->now_ms += 2000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, &expired, &error));
    assert_int_equal(expired, 1);
    assert_state(fix, job, "queued");
    json_decref(leased);
}

/* Found by tests/campaign, too: a day more for a job that was to wait half a minute. */
static void a_clock_that_is_set_back_makes_no_pause_longer(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    assert_true(report(fix, job, lease_of(leased), true, &error));
    json_decref(leased);
    fix->now_ms += 29999;
    assert_int_equal(lease_id(fix), 0);
    fix->now_ms -= 86400000;
    assert_int_equal(lease_id(fix), job);
}

static void who_took_the_job_keeps_it(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *taken = NULL;
    fix->now_ms += 61000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, NULL, &error));
    fix->now_ms += 3600000;
    assert_true(srv_queue_lease(fix->store, &fix_rules,
                                &(srv_node){.name = "blade2", .version = "0.1"}, fix->now_ms,
                                &taken, &error));
    assert_int_equal(job_id(taken), job);
    assert_false(heartbeat(fix, job, lease_of(leased), &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_null(srv_queue_resume(fix->store, &fix_rules, job, "blade1", lease_of(leased),
                                 fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_false(srv_queue_holds(fix->store, job, lease_of(leased), &error));
    g_clear_error(&error);
    assert_true(srv_queue_holds(fix->store, job, lease_of(taken), &error));
    json_decref(leased);
    json_decref(taken);
}

static void a_restarted_runner_resumes_without_a_new_attempt(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    assert_true(heartbeat(fix, job, lease_of(leased), &error));
    fix_reopen(fix);
    json_t *resumed = srv_queue_resume(fix->store, &fix_rules, job, "blade1", lease_of(leased),
                                       fix->now_ms, &error);
    assert_non_null(resumed);
    assert_true(json_equal(json_object_get(resumed, "job"), json_object_get(leased, "job")));
    json_t *view = srv_view_job(fix->store, job, &error);
    assert_int_equal(json_integer_value(json_object_get(view, "attempts")), 1);
    json_decref(view);
    json_decref(resumed);
    json_decref(leased);
}

static void attempts_end_and_the_dead_job_keeps_its_log(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    const int64_t pauses[] = {30000, 60000};
    for (size_t i = 0; i < 3; i++) {
        json_t *leased = fix_lease(fix);
        assert_int_equal(job_id(leased), job);
        assert_true(report(fix, job, lease_of(leased), true, &error));
        assert_true(report(fix, job, lease_of(leased), true, &error)); /* the answer was lost */
        json_decref(leased);
        if (i < 2) {
            assert_state(fix, job, "queued");
            fix->now_ms += pauses[i] - 1;
            assert_int_equal(lease_id(fix), 0);
            fix->now_ms += 1;
        }
    }
    assert_state(fix, job, "failed");
    json_t *view = srv_view_job(fix->store, job, &error);
    assert_string_equal(json_string_value(json_object_get(view, "log")), "[ERROR] no");
    assert_string_equal(json_string_value(json_object_get(view, "error")),
                        "prepare: mvn: exit status 1");
    json_decref(view);
    json_t *nights =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, &error);
    json_t *night = json_array_get(json_object_get(nights, "items"), 0);
    assert_string_equal(json_string_value(json_object_get(night, "state")), "failed");
    assert_string_equal(json_string_value(json_object_get(night, "reason")),
                        "prepare: mvn: exit status 1");
    json_decref(nights);
}

static void a_cancelled_job_stops_its_runner(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    assert_true(srv_queue_cancel(fix->store, job, "not needed", fix->now_ms, &error));
    assert_false(heartbeat(fix, job, lease_of(leased), &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_false(srv_queue_cancel(fix->store, job, "again", fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_false(srv_queue_cancel(fix->store, 999, "none", fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    json_decref(leased);
}

static void reports_are_checked(void **state) {
    static const struct {
        const char *body, *says;
    } cases[] = {
        {"{}", "lease: is missing"},
        {"{\"lease\":1,\"phase\":\"measure\"}", "lease: must be a text"},
        {"{\"lease\":\"x\",\"phase\":\"a\\u0007\"}", "phase: holds control"},
        {"{\"lease\":\"x\",\"phase\":\"measure\",\"loop\":-1}", "loop: is -1"},
        {"{\"lease\":\"x\",\"phase\":\"measure\",\"loop\":1.5}", "whole number"},
        {"{\"lease\":\"x\",\"phase\":\"measure\",\"eta_seconds\":-3}", "eta_seconds"},
        {"[]", "lease: is missing"},
    };
    fixture *fix = *state;
    int64_t job = fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        json_t *body = json_loads(cases[i].body, 0, NULL);
        assert_null(srv_queue_progress(fix->store, &fix_rules, job, body, 1, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        if (!strstr(error->message, cases[i].says))
            fail_msg("'%s' does not say '%s'", error->message, cases[i].says);
        g_error_free(error);
        json_decref(body);
    }
}

/* A sweep: a job for each value, all on one node, and what they measure is no night. */

static const double at_1[4] = {10, 110, 310, 1010}, at_2[4] = {11, 211, 611, 2011};
static const double at_8[4] = {17, 817, 2417, 8017};

/* The fixture's project with this sweep; to fix_project_free. */
static cfg_project *swept(const uint64_t *values, unsigned count) {
    cfg_project *project = fix_project("kieker");
    project->benchmark.sweep = (cfg_sweep){
        .of = CFG_SWEEP_DEPTH, .values = g_memdup2(values, count * sizeof *values), .count = count};
    return project;
}

static void done_with(cfg_project *project) {
    g_clear_pointer(&project->benchmark.sweep.values, g_free);
    fix_project_free(project);
}

static int64_t ask(fixture *fix, const cfg_project *project, bool *queued) {
    const srv_commit commit = {.sha = fix_sha(7),
                               .author = "Ada",
                               .author_email = "a@b",
                               .time_ms = 1000,
                               .subject = "seven"};
    const srv_sweep_wanted wanted = {&commit, "2013-04-07", "maria"};
    int64_t sweep = 0;
    g_autoptr(GError) error = NULL;
    if (!srv_sweep_add(fix->store, project, &wanted, fix->now_ms, queued, &sweep, &error))
        fail_msg("%s", error->message);
    return sweep;
}

/* Leases the next job, which must be of this value, and hands in these means. */
static void measure(fixture *fix, int64_t value, const double means[4]) {
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    const json_t *job = json_object_get(leased, "job");
    assert_string_equal(text_of(job, "kind"), "sweep");
    assert_int_equal(number_of(json_object_get(job, "benchmark"), "recursion_depth"), value);
    json_t *result = fix_result(fix, leased, means);
    (void)fix_ingest(fix, leased, result);
}

static json_t *view(fixture *fix, int64_t sweep) {
    g_autoptr(GError) error = NULL;
    json_t *json = srv_view_sweep(fix->store, sweep, &error);
    if (!json)
        fail_msg("%s", error->message);
    return json;
}

static size_t nights(fixture *fix) {
    json_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0}, NULL);
    const size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

static double real_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static void a_job_for_each_value_and_a_line_for_each_portion(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2, 8}, 3);
    bool queued;
    const int64_t sweep = ask(fix, project, &queued);
    assert_true(queued);
    assert_int_equal(ask(fix, project, &queued), sweep); /* under way already */
    assert_false(queued);
    measure(fix, 1, at_1);
    json_t *half = view(fix, sweep);
    assert_string_equal(text_of(half, "state"), "running");
    assert_int_equal(json_array_size(json_object_get(half, "fits")), 0);
    json_decref(half);
    measure(fix, 2, at_2);
    measure(fix, 8, at_8);
    assert_null(fix_lease(fix));

    json_t *whole = view(fix, sweep);
    assert_string_equal(text_of(whole, "state"), "done");
    assert_string_equal(text_of(whole, "parameter"), "recursion_depth");
    assert_string_equal(text_of(whole, "author"), "maria");
    assert_string_equal(text_of(json_object_get(whole, "commit"), "subject"), "seven");
    const json_t *values = json_object_get(whole, "values"), *fits = json_object_get(whole, "fits");
    assert_int_equal(json_array_size(values), 3);
    assert_int_equal(json_array_size(json_object_get(json_array_get(values, 2), "portions")), 4);
    assert_string_equal(text_of(json_array_get(values, 2), "state"), "measured");
    assert_int_equal(json_array_size(fits), 4);
    const json_t *collecting = json_array_get(fits, 2),
                 *slope = json_object_get(collecting, "slope");
    assert_string_equal(text_of(collecting, "portion"), "C");
    assert_true(fabs(real_of(slope, "mean_ns") - 200) < 1);
    assert_true(real_of(slope, "low_ns") < real_of(slope, "high_ns"));
    assert_int_equal(json_array_size(json_object_get(collecting, "residuals")), 3);
    json_decref(whole);
    done_with(project);
}

/* It is in no series, not in the list of nights, and does not stand in for a night of its commit.
 */
static void it_is_no_night(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 10}, 2); /* 10: as the nights have it */
    bool queued;
    fix_nights(fix, "kieker", 1, 3, at_1);
    ask(fix, project, &queued);
    measure(fix, 1, at_1);
    measure(fix, 10, at_8);
    assert_int_equal(nights(fix), 3);
    json_t *alerts =
        srv_view_list(fix->store, &srv_list_alerts, "kieker", NULL, (srv_page){0}, NULL);
    assert_int_equal(json_array_size(json_object_get(alerts, "items")), 0);
    json_decref(alerts);
    fix_measure(fix, "kieker", 7, "2013-04-07", at_1);
    assert_int_equal(nights(fix), 4);
    done_with(project);
}

static void a_node_that_began_goes_on(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2}, 2);
    bool queued;
    ask(fix, project, &queued);
    measure(fix, 1, at_1);
    json_t *answer;
    assert_true(srv_queue_lease(fix->store, &fix_rules, &(srv_node){.name = "other"}, fix->now_ms,
                                &answer, NULL));
    assert_null(answer);
    measure(fix, 2, at_2);
    done_with(project);
}

static void a_value_that_fails_is_told(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2}, 2);
    bool queued;
    const int64_t sweep = ask(fix, project, &queued);
    json_t *leased = fix_lease(fix);
    json_t *report = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                               "phase", "measure", "reason", "too deep", "retry", 0);
    assert_true(
        srv_queue_failure(fix->store, &fix_rules, job_id(leased), report, fix->now_ms, NULL));
    measure(fix, 2, at_2);
    json_t *whole = view(fix, sweep);
    assert_string_equal(text_of(whole, "state"), "incomplete");
    const json_t *first = json_array_get(json_object_get(whole, "values"), 0);
    assert_string_equal(text_of(first, "state"), "failed");
    assert_non_null(strstr(text_of(first, "error"), "too deep"));
    assert_int_equal(json_array_size(json_object_get(whole, "fits")), 0);
    assert_int_equal(nights(fix), 0);
    json_decref(whole);
    json_decref(report);
    json_decref(leased);
    done_with(project);
}

static void what_cannot_be_asked(void **state) {
    fixture *fix = *state;
    const srv_commit commit = {.sha = fix_sha(7), .author = "", .author_email = "", .subject = ""};
    const srv_sweep_wanted wanted = {&commit, "2013-04-07", "maria"};
    cfg_project *project = fix_project("kieker");
    int64_t sweep;
    bool queued;
    g_autoptr(GError) error = NULL;
    assert_false(srv_sweep_add(fix->store, project, &wanted, 1, &queued, &sweep, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_non_null(strstr(error->message, "benchmark.sweep"));
    fix_project_free(project);
    g_clear_error(&error);
    project = swept((uint64_t[]){1, 2}, 2);
    const srv_sweep_wanted no_night = {&commit, "tomorrow", "maria"};
    assert_false(srv_sweep_add(fix->store, project, &no_night, 1, &queued, &sweep, &error));
    g_clear_error(&error);
    fix_sync(fix, "another", NULL);
    assert_false(srv_sweep_add(fix->store, project, &wanted, 1, &queued, &sweep, &error));
    assert_non_null(strstr(error->message, "disabled"));
    g_clear_error(&error);
    assert_null(srv_view_sweep(fix->store, 99, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    done_with(project);
}

static void a_list_of_them(void **state) {
    fixture *fix = *state;
    cfg_project *project = swept((uint64_t[]){1, 2}, 2);
    bool queued;
    const int64_t first = ask(fix, project, &queued);
    measure(fix, 1, at_1);
    measure(fix, 2, at_2);
    const int64_t second = ask(fix, project, &queued);
    assert_true(queued && second > first);
    json_t *page =
        srv_view_list(fix->store, &srv_list_sweeps, "kieker", NULL, (srv_page){.limit = 1}, NULL);
    const json_t *newest = json_array_get(json_object_get(page, "items"), 0);
    assert_int_equal(number_of(newest, "id"), second);
    assert_string_equal(text_of(newest, "state"), "running");
    assert_int_equal(number_of(newest, "points"), 2);
    assert_non_null(text_of(page, "next"));
    json_t *rest = srv_view_list(fix->store, &srv_list_sweeps, "kieker", NULL,
                                 (srv_page){.cursor = text_of(page, "next")}, NULL);
    assert_int_equal(json_array_size(json_object_get(rest, "items")), 1);
    assert_string_equal(text_of(json_array_get(json_object_get(rest, "items"), 0), "state"),
                        "done");
    json_decref(rest);
    json_decref(page);
    done_with(project);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_job_goes_where_its_labels_are),
        FIX_TEST(a_node_has_the_labels_it_says),
        FIX_TEST(a_job_that_nobody_takes_says_why),
        FIX_TEST(a_paused_node_gets_no_more_work),
        FIX_TEST(bad_nights_are_refused),
        FIX_TEST(the_same_commit_is_queued_once),
        FIX_TEST(by_hand_measures_again),
        FIX_TEST(the_job_is_as_the_protocol_says),
        FIX_TEST(a_lost_answer_is_given_again),
        FIX_TEST(priority_then_fairness_then_night),
        FIX_TEST(back_filled_nights_are_given_beside_each_other),
        FIX_TEST(a_night_of_another_benchmark_is_not_given_beside),
        FIX_TEST(a_silent_runner_loses_its_job_and_may_come_back),
        FIX_TEST(who_took_the_job_keeps_it),
        FIX_TEST(a_clock_that_is_set_back_makes_no_lease_longer),
        FIX_TEST(a_clock_that_is_set_back_makes_no_pause_longer),
        FIX_TEST(a_restarted_runner_resumes_without_a_new_attempt),
        FIX_TEST(attempts_end_and_the_dead_job_keeps_its_log),
        FIX_TEST(a_cancelled_job_stops_its_runner),
        FIX_TEST(reports_are_checked),

        FIX_TEST(a_job_for_each_value_and_a_line_for_each_portion),
        FIX_TEST(it_is_no_night),
        FIX_TEST(a_node_that_began_goes_on),
        FIX_TEST(a_value_that_fails_is_told),
        FIX_TEST(what_cannot_be_asked),
        FIX_TEST(a_list_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
