/* Another environment: the last commit before is measured again in it, and joins the two levels. */
#include "trials.h"

#include <math.h>

#include "tests/unit/server/sql_text.h"

/* A tenth slower on the new machine; and with I up by 100 ns there. */
static const double slower[4] = {77, 517, 1760, 3520};
static const double dearer[4] = {77, 617, 1860, 3620};

/* Commit `number` in the night of a day, on a node with this processor. */
static int64_t night_on(fixture *fix, int day, int number, const char *cpu, const double means[4]) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    fix_add(fix, "kieker", number, date, number == day ? SRV_KIND_NIGHTLY : SRV_KIND_MANUAL);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, means);
    json_object_set_new(json_object_get(body, "environment"), "cpu", json_string(cpu));
    return fix_ingest(fix, leased, body);
}

static int64_t moved(fixture *fix, const double means[4]) {
    for (int day = 1; day <= 6; day++)
        night_on(fix, day, day, "old", before);
    return night_on(fix, 7, 7, "new", means);
}

/* The one incident there is. */
static json_t *incident_of(fixture *fix) {
    json_t *page =
        srv_view_list(fix->store, &srv_list_incidents, "kieker", NULL, (srv_page){0, NULL}, NULL);
    const json_t *items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 1);
    json_t *one = json_incref(json_array_get(items, 0));
    assert_string_equal(text_of(one, "kind"), "environment");
    json_decref(page);
    return one;
}

static double real_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* The fixture's loops scatter by a per cent, and a night of few is off by as much. */
static void expect_factor(const json_t *factor, double mean) {
    const double got = real_of(factor, "mean");
    assert_true(fabs(got - mean) <= 0.03);
    assert_true(real_of(factor, "low") < got && got < real_of(factor, "high"));
    assert_true(real_of(factor, "high") - real_of(factor, "low") < 0.3);
}

static void says(const json_t *bridge, const char *words) {
    if (!strstr(text_of(bridge, "sentence"), words))
        fail_msg("\"%s\" does not say \"%s\"", text_of(bridge, "sentence"), words);
}

static void the_machine_has_a_factor(void **state) {
    fixture *fix = *state;
    const int64_t first = moved(fix, slower);
    json_t *open = incident_of(fix), *bridge = json_object_get(open, "bridge");
    assert_string_equal(text_of(bridge, "state"), "open");
    says(bridge, "the last one before, is to be measured again here");
    assert_true(json_is_null(json_object_get(bridge, "factor")));
    assert_string_equal(text_of(open, "headline"), "Another environment");
    json_decref(open);

    assert_true(run_trial(fix, slower, slower, first) > 0);
    json_t *done = incident_of(fix);
    bridge = json_object_get(done, "bridge");
    assert_string_equal(text_of(bridge, "state"), "done");
    says(bridge, "levels before 2013-04-07: T × 1.1");
    says(bridge, "no change of the code was confirmed");
    expect_factor(json_object_get(bridge, "factor"), 1.1);
    assert_true(g_str_has_prefix(text_of(done, "headline"), "Levels before × 1."));
    const json_t *portions = json_object_get(bridge, "portions");
    assert_int_equal(json_array_size(portions), 4);
    size_t i;
    json_t *one;
    json_array_foreach (portions, i, one) {
        expect_factor(json_object_get(one, "factor"), 1.1);
        assert_string_not_equal(text_of(one, "changed"), "yes");
    }
    json_decref(done);
    assert_int_equal(alerts(fix), 0);
}

/* Its levels count: whatever the node's order of trials, both commits never run at once. */
static void all_its_jobs_are_in_turn(void **state) {
    fixture *fix = *state;
    int jobs = 0;
    moved(fix, slower);
    for (json_t *leased; jobs < 3 && (leased = fix_lease(fix)); jobs++) {
        const json_t *job = json_object_get(leased, "job");
        assert_true(json_is_true(json_object_get(json_object_get(job, "benchmark"), "in_turn")));
        json_t *body = fix_trial(fix, leased, slower, slower);
        waver(body); /* one job is not enough then */
        fix_ingest(fix, leased, body);
    }
    assert_true(jobs > 1);
}

/* What the machine does to both commits is the factor; what is left is the code's. */
static void a_change_in_the_same_night_is_told_apart(void **state) {
    fixture *fix = *state;
    const int64_t first = moved(fix, dearer);
    assert_true(run_trial(fix, slower, dearer, first) > 0);
    json_t *done = incident_of(fix);
    const json_t *bridge = json_object_get(done, "bridge");
    const json_t *probe = json_array_get(json_object_get(bridge, "portions"), 1);
    says(bridge, "and the code changed: I +1");
    assert_string_equal(text_of(probe, "changed"), "yes");
    expect_factor(json_object_get(probe, "factor"), 1.1);
    assert_true(fabs(real_of(json_object_get(probe, "change"), "mean") - 100) < 25);
    json_decref(done);
}

/* It said "ns" of all, and had a factor of their sum. */
static void values_of_other_units_have_no_sum(void **state) {
    fixture *fix = *state;
    const int64_t first = moved(fix, dearer);
    assert_true(
        srv__run(fix->store, sql_text("UPDATE portion SET unit='MiB'", ""), SRV__NO_ARGS, NULL));
    assert_true(run_trial(fix, slower, dearer, first) > 0);
    json_t *done = incident_of(fix);
    const json_t *bridge = json_object_get(done, "bridge");
    const json_t *probe = json_array_get(json_object_get(bridge, "portions"), 1);
    says(bridge, " MiB (+");
    assert_null(strstr(text_of(bridge, "sentence"), " ns"));
    assert_string_equal(text_of(probe, "unit"), "MiB");
    assert_true(json_is_null(json_object_get(bridge, "factor")));
    assert_string_equal(text_of(done, "headline"), "Another environment");
    json_decref(done);
}

/* In a table of nights there is one sentence for both. */
static void its_first_night_says_so(void **state) {
    fixture *fix = *state;
    const int64_t first = moved(fix, slower);
    run_trial(fix, slower, slower, first);
    json_t *view = srv_view_experiment(fix->store, first, NULL);
    const json_t *incident = json_object_get(view, "incident");
    assert_non_null(strstr(text_of(incident, "sentence"), "CPU old → new; levels before"));
    assert_true(g_str_has_prefix(text_of(incident, "headline"), "Levels before × 1."));
    json_decref(view);
}

static void an_old_commit_that_does_not_build_leaves_it_as_it_was(void **state) {
    fixture *fix = *state;
    moved(fix, slower);
    json_t *leased = fix_lease(fix);
    const json_t *job = json_object_get(leased, "job");
    json_t *failure =
        json_pack("{s:s, s:s, s:s, s:s, s:b}", "lease", text_of(leased, "lease"), "phase",
                  "prepare", "reason", "make: exit status 2", "log", "", "retry", 0);
    assert_true(srv_queue_failure(fix->store, &fix_rules, number_of(job, "id"), failure,
                                  fix->now_ms, NULL));
    json_decref(failure);
    json_decref(leased);
    assert_null(fix_lease(fix));
    json_t *one = incident_of(fix);
    const json_t *bridge = json_object_get(one, "bridge");
    assert_string_equal(text_of(bridge, "state"), "failed");
    says(bridge, "could not be measured again here (");
    says(bridge, "make: exit status 2");
    says(bridge, "; the series starts anew");
    assert_int_equal(json_array_size(json_object_get(bridge, "portions")), 0);
    assert_string_equal(text_of(one, "headline"), "Another environment");
    json_decref(one);
}

/* Night by night another machine: one bridge, not one a night. */
static void alternating_environments_are_bridged_once(void **state) {
    fixture *fix = *state;
    const int64_t first = moved(fix, slower);
    assert_true(run_trial(fix, slower, slower, first) > 0);
    for (int day = 8; day <= 19; day++)
        night_on(fix, day, day, day % 2 ? "new" : "old", day % 2 ? slower : before);
    assert_null(fix_lease(fix));
    json_decref(incident_of(fix));
}

/* The same commit on both sides is its own bridge. */
static void one_commit_needs_no_trial(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night_on(fix, day, day, "old", before);
    night_on(fix, 7, 6, "new", slower);
    assert_null(fix_lease(fix));
    json_t *one = incident_of(fix);
    const json_t *bridge = json_object_get(one, "bridge");
    assert_string_equal(text_of(bridge, "state"), "done");
    says(bridge, "(the same commit on both sides)");
    expect_factor(json_object_get(bridge, "factor"), 1.1);
    const json_t *first = json_array_get(json_object_get(bridge, "portions"), 0);
    assert_true(json_is_null(json_object_get(first, "changed")));
    json_decref(one);
}

static void a_node_that_cannot_has_none(void **state) {
    fixture *fix = *state;
    json_decref(fix->can);
    fix->can = NULL;
    moved(fix, slower);
    assert_null(fix_lease(fix));
    json_t *one = incident_of(fix);
    assert_true(json_is_null(json_object_get(one, "bridge")));
    json_decref(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_machine_has_a_factor, setup, teardown),
        cmocka_unit_test_setup_teardown(all_its_jobs_are_in_turn, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_in_the_same_night_is_told_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(values_of_other_units_have_no_sum, setup, teardown),
        cmocka_unit_test_setup_teardown(its_first_night_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(an_old_commit_that_does_not_build_leaves_it_as_it_was,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(alternating_environments_are_bridged_once, setup, teardown),
        cmocka_unit_test_setup_teardown(one_commit_needs_no_trial, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_cannot_has_none, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
