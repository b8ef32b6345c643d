/* From a confirmed change to the sentence that says where it is: the job, its result, and what can
 * go wrong on the way; the alert stands in any case. */
#include "server/alarm/explanation.h"

#include "server/alarm/alerts.h"
#include "server/alarm/trial.h"
#include "server/store/job_kind.h"
#include "server/views/views.h"
#include "tests/unit/server/transfer/imported.h"

#include "tests/unit/server/sql_text.h"
#include "trials.h"

static bool by_command; /* the driver */
static bool in_mib;     /* values of a unit of their own */
static bool of_start;   /* the alert tells of starts alone */

static void allow(fixture *fix, double minutes) {
    cfg_project *project = fix_project("kieker");
    if (by_command)
        project->benchmark.driver = CFG_DRIVER_COMMAND;
    project->detection.explain_minutes = minutes;
    fix_sync_only(fix, project);
}

/* I falls by 280 ns: the configuration deactivated less none. What explains it is queued. */
static void change_within(fixture *fix, bool able, double minutes) {
    GError *error = NULL;
    allow(fix, minutes);
    json_decref(fix->can);
    fix->can =
        able ? json_pack("[s, s]", "confirmation", "explain") : json_pack("[s]", "confirmation");
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    run_trial(fix, before, after, night(fix, 7, after));
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix)); /* its commits are searched for first */
    if (in_mib)
        assert_true(srv__run(fix->store,
                             sql_text("UPDATE portion SET unit='MiB' WHERE portion='I'", ""),
                             SRV__NO_ARGS, NULL));
    if (of_start)
        assert_true(srv__run(fix->store, sql_text("UPDATE alert SET dimension='start_ms'", ""),
                             SRV__NO_ARGS, NULL) &&
                    srv__run(fix->store,
                             sql_text("UPDATE alert_portion SET dimension='start_ms'", ""),
                             SRV__NO_ARGS, NULL));
    const srv_commit culprit = {fix_sha(7), "Ada", "ada@example.org", 1000, "One", NULL, 0};
    g_autofree char *sha = g_strdup(fix_sha(7));
    srv_commit list = culprit;
    list.sha = sha;
    assert_true(srv_bisection_begin(fix->store, 1, &list, 1, NULL, fix->now_ms, &error));
}

static json_t *begin_within(fixture *fix, bool able, double minutes) {
    change_within(fix, able, minutes);
    return fix_lease(fix);
}

static json_t *begin(fixture *fix, bool able) {
    return begin_within(fix, able, 12);
}

static json_t *explanation(fixture *fix) {
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_non_null(alert);
    json_t *view = json_incref(json_object_get(alert, "explanation"));
    json_decref(alert);
    return view;
}

static void state_is(fixture *fix, const char *state, const char *reason) {
    json_t *view = explanation(fix);
    assert_string_equal(text_of(view, "state"), state);
    if (reason && !strstr(text_of(view, "reason"), reason))
        fail_msg("%s", text_of(view, "reason"));
    assert_true(reason || !text_of(view, "reason"));
    json_decref(view);
}

static json_t *profile(const char *commit, const char *configuration, const char *stacks) {
    return json_pack("{s:s, s:s, s:i, s:i, s:s}", "commit", commit, "configuration", configuration,
                     "loop", 1, "calls", 10, "stacks", stacks);
}

/* A profile of alert 1. */
static const srv_profile_name *of(const char *configuration, bool older) {
    static srv_profile_name name;
    name = (srv_profile_name){1, SRV_PROFILE_TIME, configuration, older};
    return &name;
}

static json_t *body_of(const json_t *leased) {
    g_autofree char *older = g_strdup(fix_sha(6)), *newer = g_strdup(fix_sha(7));
    return json_pack(
        "{s:O, s:s, s:I, s:I, s:s, s:s, s:[o, o, o, o]}", "lease", json_object_get(leased, "lease"),
        "node", "blade1", "started_ms", (json_int_t)1, "finished_ms", (json_int_t)2, "profiler",
        "callgrind", "unit", "instructions", "profiles", profile(older, "none", "m 100\n"),
        profile(older, "deactivated", "m 100\nm;enter 300\nm;enter;is_wanted 2800\n"),
        profile(newer, "none", "m 100\n"), profile(newer, "deactivated", "m 100\nm;enter 340\n"));
}

static json_t *answer(fixture *fix, const json_t *leased, json_t *body, bool *created,
                      GError **error) {
    return srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, created, error);
}

static void refused(fixture *fix, const json_t *leased, json_t *body, const char *says) {
    GError *error = NULL;
    bool created;
    assert_null(answer(fix, leased, body, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    if (!strstr(error->message, says))
        fail_msg("%s", error->message);
    g_error_free(error);
    json_decref(body);
    state_is(fix, "waiting", NULL);
}

static void the_job_has_both_commits_and_what_bounds_the_portion(void **state) {
    fixture *fix = *state;
    json_t *leased = begin(fix, true);
    const json_t *job = json_object_get(leased, "job");
    g_autofree char *older = g_strdup(fix_sha(6));
    assert_string_equal(text_of(job, "kind"), "explain");
    assert_string_equal(text_of(job, "commit"), fix_sha(7));
    assert_string_equal(text_of(job, "before"), older);
    assert_int_equal(number_of(job, "explain_minutes"), 12);
    const json_t *list = json_object_get(json_object_get(job, "benchmark"), "configurations");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text_of(json_array_get(list, 0), "name"), "none");
    assert_string_equal(text_of(json_array_get(list, 1), "name"), "deactivated");
    assert_string_equal(text_of(json_array_get(list, 1), "parent"), "none");
    state_is(fix, "waiting", NULL);
    json_decref(leased);
}

static void profiles_become_a_sentence(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    for (int i = 0; i < 2; i++) { /* the second is a lost answer's repetition */
        json_t *said = answer(fix, leased, body, &created, &error);
        if (!said)
            fail_msg("%s", error->message);
        assert_int_equal(created, i == 0);
        assert_int_equal(number_of(said, "experiment"), 7);
        json_decref(said);
    }
    json_t *view = explanation(fix);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    assert_string_equal(text_of(view, "state"), "done");
    assert_string_equal(text_of(view, "profiler"), "callgrind");
    assert_string_equal(text_of(portion, "portion"), "I");
    assert_true(g_str_has_prefix(text_of(portion, "sentence"), "I fell: "));
    assert_non_null(
        strstr(text_of(portion, "sentence"), " in `is_wanted` (gone), called from `enter`; +"));
    assert_non_null(strstr(text_of(portion, "sentence"), "(scaled from -276 instructions a call)"));
    const json_t *first = json_array_get(json_object_get(portion, "functions"), 0);
    assert_string_equal(text_of(first, "name"), "is_wanted");
    assert_string_equal(text_of(first, "state"), "gone");
    const double change = json_number_value(json_object_get(portion, "change_ns"));
    const json_t *moved = json_object_get(first, "change");
    assert_float_equal(json_number_value(json_object_get(moved, "mean_ns")), change * 280 / 276,
                       1e-9);
    assert_int_equal(json_array_size(json_object_get(view, "profiles")), 4);
    json_decref(view);
    json_decref(body);
    json_decref(leased);
    assert_null(fix_lease(fix));
}

static void the_stacks_can_be_had_again(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    json_decref(answer(fix, leased, body, &created, &error));
    g_autofree char *text = srv_view_profile(fix->store, of("deactivated", false), &error);
    assert_string_equal(text, "m 100\nm;enter 340\n");
    assert_null(srv_view_profile(fix->store, of("writing", true), &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_error_free(error);
    json_decref(body);
    json_decref(leased);
}

static void the_picture_has_what_the_sentence_has(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    srv_flame flame;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    json_decref(answer(fix, leased, body, &created, &error));
    const uint64_t asked = srv__statements(fix->store);
    assert_true(srv_flame_load(&flame, fix->store, of("deactivated", false), &error));
    assert_int_equal(srv__statements(fix->store) - asked, 8); /* 5 of them for the stacks */
    assert_true(g_str_has_prefix(flame.title, "I fell: "));
    assert_string_equal(flame.unit, "instructions");
    assert_true(flame.plan.has_parent);
    assert_int_equal(flame.plan.loops, 1);
    assert_float_equal(flame.calls[0], 10, 0);
    /* m, enter, is_wanted and what is around them; 280 instructions a call less in the last */
    assert_int_equal(det_stacks_count(flame.stacks), 4);
    assert_float_equal(det_contrast_self(flame.stacks, &flame.plan, 3, 0), 280, 1e-9);
    assert_float_equal(det_contrast_self(flame.stacks, &flame.plan, 3, 1), 0, 0);
    json_t *view = explanation(fix);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    const double change = json_number_value(json_object_get(portion, "change_ns"));
    assert_float_equal(flame.scale_ns, change / -276, 1e-6);
    srv_flame_clear(&flame);
    assert_false(srv_flame_load(&flame, fix->store, of("writing", false), &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    srv_flame_clear(&flame);
    const srv_profile_name nobodys = {99, SRV_PROFILE_TIME, "none", false};
    assert_false(srv_flame_load(&flame, fix->store, &nobodys, &error));
    srv_flame_clear(&flame);
    g_error_free(error);
    json_decref(view);
    json_decref(body);
    json_decref(leased);
}

static void another_result_is_a_conflict(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    json_decref(answer(fix, leased, body, &created, &error));
    json_object_set_new(body, "unit", json_string("samples"));
    assert_null(answer(fix, leased, body, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_error_free(error);
    json_decref(body);
    json_decref(leased);
}

static json_t *with(const json_t *leased, size_t at, const char *key, json_t *value) {
    json_t *body = body_of(leased);
    json_object_set_new(json_array_get(json_object_get(body, "profiles"), at), key, value);
    return body;
}

static void what_is_wrong_with_a_result_is_said(void **state) {
    fixture *fix = *state;
    json_t *leased = begin(fix, true);
    refused(fix, leased, with(leased, 1, "stacks", json_string("m;;x 3\n")), "no name");
    refused(fix, leased, with(leased, 1, "stacks", json_string("m x\n")), "line 1");
    refused(fix, leased, with(leased, 1, "commit", json_string(fix_sha(3))), "commit");
    refused(fix, leased, with(leased, 1, "configuration", json_string("writing")), "configuration");
    refused(fix, leased, with(leased, 1, "calls", json_integer(0)), "calls");
    refused(fix, leased, with(leased, 1, "loop", json_integer(21)), "loop");
    refused(fix, leased, with(leased, 1, "loop", json_integer(2)), "no profile");
    json_t *body = body_of(leased);
    json_array_remove(json_object_get(body, "profiles"), 3);
    refused(fix, leased, body, "no profile of deactivated, after, loop 1");
    body = body_of(leased);
    json_array_append_new(json_object_get(body, "profiles"),
                          profile(fix_sha(7), "none", "m 100\n"));
    refused(fix, leased, body, "profiles[4].loop: is there already");
    body = body_of(leased);
    json_array_clear(json_object_get(body, "profiles"));
    refused(fix, leased, body, "profiles: must not be empty");
    body = body_of(leased);
    json_object_del(body, "unit");
    refused(fix, leased, body, "unit");
    json_decref(leased);
}

static void fail_in(fixture *fix, const json_t *leased, const char *phase, const char *reason) {
    GError *error = NULL;
    json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                             "phase", phase, "reason", reason, "retry", 0);
    assert_true(
        srv_queue_failure(fix->store, &fix_rules, job_id(leased), body, fix->now_ms, &error));
    json_decref(body);
}

static void fail_job(fixture *fix, const json_t *leased, const char *reason) {
    fail_in(fix, leased, "profile", reason);
}

static void a_failure_leaves_the_alert_and_makes_no_night(void **state) {
    fixture *fix = *state;
    json_t *leased = begin(fix, true);
    fail_job(fix, leased, "callgrind of configuration none: exit status 1");
    state_is(fix, "failed", "profile: callgrind of configuration none: exit status 1");
    assert_int_equal(alerts(fix), 1);
    json_t *nights =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, NULL);
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 7);
    json_decref(nights);
    json_decref(leased);
}

/* Which one, why, and what to do without it: the alert is open, with its change, and told. */
static void a_commit_that_no_longer_builds_leaves_the_alert(void **state) {
    static const char why[] = "commit 89abcdef0123 (before): prepare: make: exit status 2 after "
                              "1.0 s: no rule";
    fixture *fix = *state;
    json_t *leased = begin(fix, true);
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_object_del(alert, "explanation");
    fail_in(fix, leased, "prepare", why);
    g_autofree char *told = g_strconcat("prepare: ", why, NULL);
    state_is(fix, "failed", told);
    json_t *then = srv_view_alert(fix->store, 1, NULL);
    json_t *found = json_object_get(then, "explanation");
    assert_int_equal(json_array_size(json_object_get(found, "portions")), 0);
    assert_int_equal(json_array_size(json_object_get(found, "profiles")), 0);
    json_object_del(then, "explanation");
    assert_true(json_equal(alert, then)); /* all else is as it was */
    assert_string_equal(text_of(then, "state"), "open");
    assert_null(fix_lease(fix)); /* and it is not tried again */
    json_decref(then);
    json_decref(alert);
    json_decref(leased);
}

static void a_cancelled_job_explains_nothing(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = begin(fix, true);
    assert_true(srv_queue_cancel(fix->store, job_id(leased), "enough", fix->now_ms, &error));
    state_is(fix, "failed", "it was cancelled");
    json_decref(leased);
}

static void an_older_runner_is_told_of_at_once(void **state) {
    fixture *fix = *state;
    assert_null(begin(fix, false));
    state_is(fix, "failed", "the runner of node blade1 cannot profile");
}

/* Each alert left a failed job. */
static void a_driver_without_a_profiler_is_told_of_at_once(void **state) {
    fixture *fix = *state;
    by_command = true;
    assert_null(begin(fix, true));
    by_command = false;
    state_is(fix, "failed", "no profiler of its own; detection.profile_command can name one");
    json_t *page =
               srv_view_list(fix->store, &srv_list_jobs, "kieker", NULL, (srv_page){0, NULL}, NULL),
           *job;
    size_t i;
    json_array_foreach (json_object_get(page, "items"), i, job)
        assert_string_not_equal(text_of(job, "kind"), "explain");
    json_decref(page);
}

/* "I fell: …" was said of MiB. */
static void what_is_no_time_is_not_profiled(void **state) {
    fixture *fix = *state;
    in_mib = true;
    assert_null(begin(fix, true));
    in_mib = false;
    state_is(fix, "failed", "its values are no times of calls");
}

static void a_node_that_stays_away_is_given_up(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = begin(fix, true);
    json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                             "phase", "profile", "reason", "no network", "retry", 1);
    assert_true(
        srv_queue_failure(fix->store, &fix_rules, job_id(leased), body, fix->now_ms, &error));
    state_is(fix, "waiting", NULL);
    fix->now_ms += INT64_C(4) * 24 * 3600 * 1000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, NULL, &error));
    state_is(fix, "failed", "silent for three days");
    json_decref(body);
    json_decref(leased);
}

static void a_project_may_want_none(void **state) {
    fixture *fix = *state;
    assert_null(begin_within(fix, true, 0));
    json_t *view = explanation(fix);
    assert_true(json_is_null(view));
    json_decref(view);
}

static void it_may_take_half_a_minute(void **state) {
    fixture *fix = *state;
    json_t *leased = begin_within(fix, true, 0.5);
    const json_t *minutes = json_object_get(json_object_get(leased, "job"), "explain_minutes");
    assert_true(json_is_real(minutes) && json_real_value(minutes) == 0.5);
    json_decref(leased);
}

static void an_alert_is_explained_once(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = begin(fix, true);
    assert_true(srv__begin(fix->store, &error));
    assert_true(srv__explanation_start(fix->store, 1, fix->now_ms, &error));
    assert_true(srv__explanation_start(fix->store, 99, fix->now_ms, &error)); /* no such alert */
    assert_true(srv__end(fix->store, true, &error));
    json_t *again = fix_lease(fix); /* the same, as its answer may have been lost */
    assert_int_equal(job_id(again), job_id(leased));
    json_decref(again);
    json_decref(leased);
}

/* Two loops of samples: how sure it is, and why it was not the better profiler. */
static json_t *sampled_body(const json_t *leased) {
    static const int wanted[2][2] = {{2800, 0}, {2700, 20}}; /* of a loop, before and after */
    json_t *body = body_of(leased), *profiles = json_array();
    for (int loop = 1; loop <= 2; loop++)
        for (int newer = 0; newer < 2; newer++) {
            g_autofree char *sha = g_strdup(fix_sha(6 + newer));
            g_autofree char *stacks = g_strdup_printf(
                "m 100\nm;enter 300\nm;enter;k/Probe.is_wanted %d\n", wanted[loop - 1][newer]);
            json_t *none = profile(sha, "none", "m 100\n");
            json_t *probe = profile(sha, "deactivated", stacks);
            json_object_set_new(none, "loop", json_integer(loop));
            json_object_set_new(probe, "loop", json_integer(loop));
            json_array_append_new(profiles, none);
            json_array_append_new(profiles, probe);
        }
    json_object_set_new(body, "profiles", profiles);
    json_object_set_new(body, "profiler", json_string("JFR"));
    json_object_set_new(body, "unit", json_string("ns"));
    json_object_set_new(body, "note", json_string("async-profiler 4.6 cannot be fetched"));
    return body;
}

static void samples_are_told_with_their_interval(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = begin(fix, true), *body = sampled_body(leased);
    json_t *said = answer(fix, leased, body, &created, &error);
    if (!said)
        fail_msg("%s", error->message);
    state_is(fix, "done", "async-profiler 4.6 cannot be fetched");
    json_t *view = explanation(fix);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    const char *sentence = text_of(portion, "sentence");
    assert_true(g_str_has_prefix(sentence, "I fell: "));
    assert_non_null(strstr(sentence, ": about -"));
    assert_non_null(strstr(sentence, " in `Probe.is_wanted`"));
    assert_non_null(
        strstr(sentence, "(from samples of processor time: -274 ns a call in 2 loops)"));
    json_decref(view);
    json_decref(said);
    json_decref(body);
    json_decref(leased);
}

static void a_project_names_its_own_profiler(void **state) {
    static char perf[] = "./perf", out[] = "{profile}", root[] = "main";
    static char *words[] = {perf, out, NULL};
    fixture *fix = *state;
    GError *error = NULL;
    cfg_project *project = fix_project("kieker");
    project->detection.profile_command = words;
    project->detection.profile_command_count = 2;
    project->detection.profile_root = root;
    json_t *leased = begin(fix, true);
    const json_t *job = json_object_get(leased, "job");
    assert_null(json_object_get(job, "profile_command"));
    fix_sync_only(fix, project);
    json_t *kept = NULL;
    assert_true(srv__object(fix->store,
                            sql_text("SELECT detection AS \"detection{\" FROM project", ""),
                            SRV__NO_ARGS, &kept, &error));
    const json_t *detection = json_object_get(kept, "detection");
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(detection, "profile_command"), 1)),
        "{profile}");
    assert_string_equal(text_of(detection, "profile_root"), "main");
    json_decref(kept);
    json_decref(leased);
}

static int64_t kept_profiles(fixture *fix) {
    int64_t count = -1;
    assert_true(srv__number(fix->store, sql_text("SELECT count(*) FROM profile", ""), SRV__NO_ARGS,
                            -1, &count, NULL));
    return count;
}

static void prune(fixture *fix, unsigned days, unsigned expected) {
    GError *error = NULL;
    unsigned removed = 99;
    if (!srv__explanations_remove(fix->store, days, fix->now_ms, &removed, &error))
        fail_msg("%s", error->message);
    assert_int_equal(removed, expected);
}

static void old_profiles_go_and_their_sentence_stays(void **state) {
    const int64_t day_ms = INT64_C(24) * 3600 * 1000;
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    json_decref(answer(fix, leased, body, &created, &error));
    assert_int_equal(kept_profiles(fix), 4);
    fix->now_ms += 400 * day_ms;
    prune(fix, 365, 0); /* the alert is open */
    assert_true(srv_alert_set(fix->store, 1, "accepted", "nora", "wanted", fix->now_ms, &error));
    prune(fix, 0, 0); /* they are kept for ever */
    prune(fix, 401, 0);
    assert_int_equal(kept_profiles(fix), 4);
    prune(fix, 365, 1);
    assert_int_equal(kept_profiles(fix), 0);
    prune(fix, 365, 0);
    json_t *view = explanation(fix);
    assert_string_equal(text_of(view, "state"), "done");
    assert_int_equal(number_of(view, "removed_ms"), fix->now_ms);
    assert_int_equal(json_array_size(json_object_get(view, "portions")), 1);
    assert_int_equal(json_array_size(json_object_get(view, "profiles")), 0);
    json_decref(view);
    json_decref(body);
    json_decref(leased);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* The alert tells of processor time alone; the sentence tells what the time did, and not "0 ns". */
static void an_alert_of_another_dimension_has_its_time(void **state) {
    fixture *fix = *state;
    bool created;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE alert_portion SET dimension='processor_time', "
                                  "difference_mean_ns=NULL",
                                  ""),
                         SRV__NO_ARGS, NULL));
    json_decref(answer(fix, leased, body, &created, NULL));
    json_t *view = explanation(fix);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    if (!g_str_has_prefix(text_of(portion, "sentence"),
                          "I fell from one night to the other, which this "
                          "alert does not judge: "))
        fail_msg("%s", text_of(portion, "sentence"));
    json_decref(view);
    json_decref(body);
    json_decref(leased);
}

/* Of what is of a whole process the process is profiled, and its unit says what the numbers are. */
static void a_start_is_profiled_from_its_beginning(void **state) {
    fixture *fix = *state;
    bool created;
    GError *error = NULL;
    of_start = true;
    json_t *leased = begin(fix, true), *body = body_of(leased), *one;
    of_start = false;
    assert_string_equal(text_of(json_object_get(leased, "job"), "profile_of"), "start");
    static const char *const stacks[] = {
        "thread main 100000000\n", "thread main 120000000\nthread main;k/Probe.load 10000000\n",
        "thread main 100000000\n", "thread main 120000000\nthread main;k/Probe.load 28000000\n"};
    size_t i;
    json_array_foreach (json_object_get(body, "profiles"), i, one) {
        json_object_set_new(one, "stacks", json_string(stacks[i]));
        json_object_set_new(one, "calls", json_integer(1));
    }
    json_object_set_new(body, "unit", json_string("ns a start"));
    json_decref(answer(fix, leased, body, &created, &error));
    json_t *view = explanation(fix);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 0);
    assert_string_equal(text_of(view, "unit"), "ns a start");
    assert_true(json_is_null(json_object_get(portion, "change_ns")));
    const char *sentence = text_of(portion, "sentence");
    if (!g_str_has_prefix(sentence,
                          "start of I takes 18.0 ms of processor more: about +18.0 ms in "
                          "`Probe.load`, called from `thread main` (from samples in 1 loop)"))
        fail_msg("it says: %s", sentence);
    const json_t *function = json_array_get(json_object_get(portion, "functions"), 0);
    assert_true(json_number_value(
                    json_object_get(json_object_get(function, "change"), "mean_units")) == 18e6);
    json_decref(view);
    json_decref(body);
    json_decref(leased);
}

/* It would have waited until nothing else of the project is left to measure. */
static void a_time_that_joins_is_explained_in_the_turn_of_times(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    of_start = true;
    change_within(fix, true, 12);
    of_start = false;
    g_autoptr(GArray) joins = g_array_new(FALSE, TRUE, sizeof(srv__anomaly));
    const srv__anomaly time = {.configuration = 1,
                               .configuration_name = "deactivated",
                               .portion = "I",
                               .dimension = SRV__TIME,
                               .direction = -1,
                               .from = 6,
                               .to = 7,
                               .seen = 7};
    g_array_append_val(joins, time);
    assert_true(srv__begin(fix->store, &error));
    assert_true(srv__alerts_add(fix->store, 1, joins, fix->now_ms, &error));
    assert_true(srv__end(fix->store, true, &error));
    assert_int_equal(alerts(fix), 1);
    json_t *leased = fix_lease(fix);
    assert_null(json_object_get(json_object_get(leased, "job"), "profile_of"));
    json_t *job = srv_view_job(fix->store, job_id(leased), NULL);
    assert_int_equal(number_of(job, "priority"), SRV__PRIORITY_OF_TIME);
    json_decref(job);
    json_decref(leased);
}

static bool take_line(const char *line, void *lines, GError **error) {
    (void)error;
    g_string_append_printf(lines, "%s\n", line);
    return true;
}

/* What was profiled there is shown here; its size is that of the alert here, which no trial
 * measured. */
static void an_export_carries_it(void **state) {
    fixture *fix = *state, *other = fix_new();
    bool created;
    json_t *leased = begin(fix, true), *body = body_of(leased);
    json_decref(answer(fix, leased, body, &created, NULL));
    for (int day = 8; day <= 10; day++)
        night(fix, day, after);
    json_t *there = explanation(fix);
    for (int i = 0; i < 2; i++) { /* the second changes nothing */
        g_autoptr(GError) error = NULL;
        g_autoptr(srv_import) import = srv_import_new(other->store, "kieker", 77);
        g_autoptr(GString) lines = g_string_new(NULL);
        if (!srv_export_project(fix->store, "kieker", 5, take_line, lines, &error) ||
            !import_text(import, lines->str, &error))
            fail_msg("%s", error->message);
        json_auto_t *report = srv_import_report(import);
        assert_int_equal(number_of(report, "unmatched"), 0);
    }
    json_t *here = explanation(other);
    assert_string_equal(text_of(here, "state"), "done");
    static const char *const same[] = {"profiler", "before", "after", "profiles"};
    for (size_t i = 0; i < G_N_ELEMENTS(same); i++)
        if (!json_equal(json_object_get(here, same[i]), json_object_get(there, same[i])))
            fail_msg("%s", same[i]);
    const json_t *portion = json_array_get(json_object_get(here, "portions"), 0);
    assert_non_null(
        strstr(text_of(portion, "sentence"), "`is_wanted` (gone), called from `enter`"));
    assert_true(json_number_value(json_object_get(portion, "before_units")) == 310);
    json_decref(here);
    json_decref(there);
    json_decref(body);
    json_decref(leased);
    fix_free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_job_has_both_commits_and_what_bounds_the_portion),
        TEST(profiles_become_a_sentence),
        TEST(the_stacks_can_be_had_again),
        TEST(the_picture_has_what_the_sentence_has),
        TEST(another_result_is_a_conflict),
        TEST(what_is_wrong_with_a_result_is_said),
        TEST(a_failure_leaves_the_alert_and_makes_no_night),
        TEST(a_commit_that_no_longer_builds_leaves_the_alert),
        TEST(a_cancelled_job_explains_nothing),
        TEST(an_older_runner_is_told_of_at_once),
        TEST(a_driver_without_a_profiler_is_told_of_at_once),
        TEST(what_is_no_time_is_not_profiled),
        TEST(a_node_that_stays_away_is_given_up),
        TEST(a_project_may_want_none),
        TEST(it_may_take_half_a_minute),
        TEST(an_alert_is_explained_once),
        TEST(samples_are_told_with_their_interval),
        TEST(a_project_names_its_own_profiler),
        TEST(old_profiles_go_and_their_sentence_stays),
        TEST(an_alert_of_another_dimension_has_its_time),
        TEST(a_start_is_profiled_from_its_beginning),
        TEST(a_time_that_joins_is_explained_in_the_turn_of_times),
        TEST(an_export_carries_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
