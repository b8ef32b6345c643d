/* What the jobs of a pull request bring, and when it is answered. */
#include "pulls.h"

#include "tests/unit/server/sql_text.h"

#define NOISE_NS 40 /* of I's 400: ten loops say nothing about 5 % */

static const double slower[4] = {70, 520, 1650, 3250}; /* I up by 50 of 400 */

static void all_configurations_are_measured_in_turn(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    json_auto_t *leased = fix_lease(at->fix);
    const json_t *job = json_object_get(leased, "job");
    const json_t *benchmark = json_object_get(job, "benchmark");
    assert_string_equal(text_of(job, "commit"), fix_sha(2));
    assert_int_equal(json_array_size(json_object_get(benchmark, "configurations")), 4);
    assert_int_equal(number_of(benchmark, "loops"), 10);
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "measuring");
    assert_string_equal(text_of(pull, "headline"), "Being measured");
    assert_int_equal(number_of(pull, "job"), job_id(leased));
    assert_int_equal(number_of(pull, "place"), 0);
}

static void the_place_in_the_queue_is_told(void **state) {
    bench *at = *state;
    fix_add(at->fix, "kieker", 9, "2013-04-01", SRV_KIND_WEBHOOK);
    fix_add(at->fix, "kieker", 8, "2013-04-01", SRV_KIND_NIGHTLY);
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    json_auto_t *pull = pull_of(at, 1);
    assert_int_equal(number_of(pull, "place"), 2); /* behind the webhook, before the night */
    assert_string_equal(text_of(pull, "headline"), "Waits for its turn");
    const json_t *portion = json_array_get(json_object_get(pull, "portions"), 0);
    assert_string_equal(text_of(portion, "words"), "no answer yet"); /* no node measures it */
}

static void slower_is_told_of_the_portion_that_is(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    while (measured(at, slower, 30))
        ;
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "done");
    assert_string_equal(text_of(pull, "answer"), "slower");
    assert_string_equal(text_of(pull, "headline"), "A portion is slower than at its merge base");
    assert_string_equal(answer_of(pull, 0), "same");
    assert_string_equal(answer_of(pull, 1), "slower");
    assert_string_equal(text_of(pull, "node"), "blade1");
    assert_true(json_is_null(json_object_get(pull, "left_seconds")));
    assert_string_equal(text_of(pull, "base"), fix_sha(1));
}

/* T is the control: the status was a failure, and the gate passed. */
static void the_control_alone_is_not_judged(void **state) {
    static const double control[4] = {84, 484, 1614, 3214};
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    while (measured(at, control, 30))
        ;
    json_auto_t *pull = pull_of(at, 1);
    const json_t *t = json_array_get(json_object_get(pull, "portions"), 0);
    assert_string_equal(text_of(t, "answer"), "slower");
    assert_string_equal(text_of(t, "words"), "slower (not judged)");
    assert_string_equal(text_of(pull, "answer"), "same");
    assert_string_equal(text_of(pull, "headline"),
                        "No portion of the monitoring differs by more than is ignored");
}

/* W takes less time, and two of a hundred records are gone. */
static void faster_that_loses_more_is_no_improvement(void **state) {
    static const double cheaper[4] = {70, 470, 1600, 2600};
    bench *at = *state;
    for (at->lost = 0; at->lost <= 20; at->lost += 20) {
        const int64_t id = at->lost > 0 ? 2 : 1;
        said(at, "opened", 1 + (int)id, false, NULL);
        begin(at, id, 1 + (int)id);
        while (measured(at, cheaper, 30))
            ;
        json_auto_t *pull = pull_of(at, id);
        const char *sentence =
            text_of(json_array_get(json_object_get(pull, "portions"), 3), "sentence");
        assert_string_equal(text_of(pull, "answer"), at->lost > 0 ? "unsure" : "faster");
        assert_int_equal(
            g_str_has_suffix(sentence, ", but W +2.00 % of records lost: this is no improvement"),
            at->lost > 0);
    }
}

/* C takes less time, and W, which takes as much, loses: that is told, and C is faster. */
static void what_another_one_loses_is_told(void **state) {
    static const double cheaper[4] = {70, 470, 1300, 2900};
    bench *at = *state;
    at->lost = 20;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    while (measured(at, cheaper, 30))
        ;
    json_auto_t *pull = pull_of(at, 1);
    const json_t *portions = json_object_get(pull, "portions");
    assert_string_equal(text_of(pull, "answer"), "faster");
    assert_true(g_str_has_suffix(text_of(json_array_get(portions, 3), "sentence"),
                                 "; W +2.00 % of records lost"));
    assert_null(strstr(text_of(json_array_get(portions, 2), "sentence"), "lost"));
}

static void innocent_is_as_its_merge_base(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    while (measured(at, base, 30))
        ;
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "done");
    for (size_t i = 0; i < 4; i++)
        assert_true(strcmp(answer_of(pull, i), "slower") != 0 &&
                    strcmp(answer_of(pull, i), "faster") != 0);
}

/* "Every portion is as at its merge base" was told of one that was 22 ns dearer for sure. */
static void what_is_ignored_may_be_there(void **state) {
    static const char *const puts[] = {
        "UPDATE pull_portion SET answer='same', difference_low_ns=-1, difference_high_ns=1",
        "UPDATE pull_portion SET difference_low_ns=16.6, difference_high_ns=26.8 WHERE ordinal=2"};
    static const char *const words[] = {"as before", "as before", "differs little", "as before"};
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    while (measured(at, base, 30))
        ;
    for (size_t i = 0; i < G_N_ELEMENTS(puts); i++)
        assert_true(srv__run(at->fix->store, sql_text(puts[i], ""), SRV__NO_ARGS, NULL));
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "headline"),
                        "No portion of the monitoring differs by more than is ignored");
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(text_of(json_array_get(json_object_get(pull, "portions"), i), "words"),
                            words[i]);
}

/* The minutes are spent with the first job: the last look says so, no job follows. */
static void the_minutes_are_a_bound(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    assert_true(measured_shaken(at, base, 60 * PULL_MINUTES, NOISE_NS));
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "done");
    assert_string_equal(text_of(pull, "answer"), "unsure");
    assert_string_equal(answer_of(pull, 1), "unsure");
    assert_null(fix_lease(at->fix));
}

static void more_rounds_follow_on_the_same_node(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    assert_true(measured_shaken(at, base, 60, NOISE_NS));
    json_t *other = NULL;
    assert_true(
        srv_queue_lease(at->fix->store, &fix_rules,
                        &(srv_node){.name = "blade2", .version = "0.1", .can = at->fix->can},
                        at->fix->now_ms, &other, NULL));
    assert_null(other);
    json_auto_t *leased = fix_lease(at->fix);
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    assert_int_equal(number_of(benchmark, "loops"), 5);
    json_auto_t *pull = pull_of(at, 1);
    assert_int_equal(number_of(pull, "left_seconds"), 60 * (PULL_MINUTES - 1));
}

/* T and W have their answers; I and C, which is measured on top of it, need three configurations.
 */
static void what_is_answered_is_measured_no_more(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    assert_true(measured_shaken(at, base, 60, NOISE_NS));
    json_auto_t *leased = fix_lease(at->fix);
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    const json_t *configurations = json_object_get(benchmark, "configurations");
    assert_int_equal(json_array_size(configurations), 3);
    assert_string_equal(text_of(json_array_get(configurations, 2), "name"), "collecting");
    json_auto_t *pull = pull_of(at, 1);
    static const char *const answers[] = {"same", "more", "more", "same"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(answer_of(pull, i), answers[i]);
    const json_t *portion = json_array_get(json_object_get(pull, "portions"), 1);
    assert_true(
        g_str_has_prefix(text_of(portion, "sentence"), "I has no answer yet; a change of "));
}

/* What is measured in two ways is no sample. */
static void another_benchmark_is_for_the_next_pull_request(void **state) {
    bench *at = *state;
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    at->project->benchmark.recursion_depth = 20;
    g_ptr_array_add(projects, at->project);
    assert_true(srv_projects_sync(at->fix->store, projects, NULL));
    assert_true(measured_shaken(at, base, 60, NOISE_NS));
    json_auto_t *leased = fix_lease(at->fix);
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    assert_int_equal(number_of(benchmark, "recursion_depth"), 10);
}

static void what_does_not_build_is_told(void **state) {
    bench *at = *state;
    GError *error = NULL;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    json_auto_t *leased = fix_lease(at->fix);
    json_auto_t *body =
        json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"), "phase",
                  "prepare", "reason", "the merge base does not build", "retry", 0);
    assert_true(srv_queue_failure(at->fix->store, &fix_rules, job_id(leased), body, at->fix->now_ms,
                                  &error));
    state_is(at, 1, "failed", "prepare: the merge base does not build");
    json_auto_t *nights =
        srv_view_nights(at->fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, &error);
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 0);
}

static void a_cancelled_job_ends_it(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    json_auto_t *pull = pull_of(at, 1);
    assert_true(
        srv_queue_cancel(at->fix->store, number_of(pull, "job"), "no time", at->fix->now_ms, NULL));
    state_is(at, 1, "failed", "its job was cancelled");
}

static void an_older_runner_gets_none(void **state) {
    bench *at = *state;
    g_clear_pointer(&at->fix->can, json_decref);
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    assert_null(fix_lease(at->fix));
}

/* The next job may run on the first one's node alone: who asked is told when that is gone. */
static void a_node_that_is_gone_ends_it(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    assert_true(measured_shaken(at, base, 60, NOISE_NS));
    at->fix->now_ms += INT64_C(2) * 24 * 3600 * 1000;
    assert_true(srv_queue_expire(at->fix->store, &fix_rules, at->fix->now_ms, NULL, NULL));
    state_is(at, 1, "measuring", NULL);
    at->fix->now_ms += INT64_C(2) * 24 * 3600 * 1000;
    assert_true(srv_queue_expire(at->fix->store, &fix_rules, at->fix->now_ms, NULL, NULL));
    state_is(at, 1, "failed", "silent for three days");
    assert_null(fix_lease(at->fix));
}

static void another_result_of_the_same_job_is_refused(void **state) {
    bench *at = *state;
    GError *error = NULL;
    bool created;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    json_auto_t *leased = fix_lease(at->fix);
    json_auto_t *body = fix_trial(at->fix, leased, base, base);
    json_auto_t *answer =
        srv_ingest_result(at->fix->store, job_id(leased), body, at->fix->now_ms, &created, &error);
    assert_non_null(answer);
    json_object_set_new(body, "finished_ms", json_integer(3000));
    assert_null(
        srv_ingest_result(at->fix->store, job_id(leased), body, at->fix->now_ms, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_error_free(error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PULL_TEST(all_configurations_are_measured_in_turn),
        PULL_TEST(the_place_in_the_queue_is_told),
        PULL_TEST(slower_is_told_of_the_portion_that_is),
        PULL_TEST(the_control_alone_is_not_judged),
        PULL_TEST(faster_that_loses_more_is_no_improvement),
        PULL_TEST(what_another_one_loses_is_told),
        PULL_TEST(innocent_is_as_its_merge_base),
        PULL_TEST(what_is_ignored_may_be_there),
        PULL_TEST(the_minutes_are_a_bound),
        PULL_TEST(more_rounds_follow_on_the_same_node),
        PULL_TEST(what_is_answered_is_measured_no_more),
        PULL_TEST(another_benchmark_is_for_the_next_pull_request),
        PULL_TEST(what_does_not_build_is_told),
        PULL_TEST(a_cancelled_job_ends_it),
        PULL_TEST(an_older_runner_gets_none),
        PULL_TEST(a_node_that_is_gone_ends_it),
        PULL_TEST(another_result_of_the_same_job_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
