/* The search for the commit of a confirmed change, among the commits of one night. */
#include "trials.h"

/* Seven nights, the last of which holds commits 100 … 115 and is itself number 7. */
static void commits_make(srv_commit *list, char (*sha)[41], size_t count) {
    for (size_t i = 0; i < count; i++) {
        g_strlcpy(sha[i], fix_sha(i + 1 == count ? 7 : 100 + (int)i), 41);
        list[i] = (srv_commit){sha[i], "Ada", "ada@example.org", 1000, "One of many", NULL, 0};
    }
}

static size_t place_of(const char (*sha)[41], size_t count, const char *commit) {
    for (size_t i = 0; i < count; i++)
        if (g_str_equal(sha[i], commit))
            return i;
    fail_msg("%s is none of the commits", commit);
    return 0;
}

/* Answer the search's jobs as if commits from culprit on were new, and those from beside on a
 * little different; broken ones do not build. */
static int run_search(fixture *fix, const char (*sha)[41], size_t count, size_t culprit,
                      size_t beside, const bool *broken) {
    static const double little[4] = {70, 435, 1565, 3165}; /* an eighth of the change */
    int trials = 0;
    for (json_t *leased; (leased = fix_lease(fix));) {
        GError *error = NULL;
        bool created;
        const json_t *job = json_object_get(leased, "job");
        size_t place = place_of(sha, count, text_of(job, "commit"));
        assert_string_equal(text_of(job, "kind"), "bisection");
        if (broken && broken[place]) {
            json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                                     "phase", "prepare", "reason", "does not build", "retry", 0);
            assert_true(srv_queue_failure(fix->store, &fix_rules, number_of(job, "id"), body,
                                          fix->now_ms, &error));
            json_decref(body);
        } else {
            json_t *body = fix_trial(fix, leased, before,
                                     place >= culprit  ? after
                                     : place >= beside ? little
                                                       : before);
            json_t *answer = srv_ingest_result(fix->store, number_of(job, "id"), body, fix->now_ms,
                                               &created, &error);
            if (!answer)
                fail_msg("%s", error->message);
            json_decref(answer);
            json_decref(body);
        }
        trials++;
        json_decref(leased);
    }
    return trials;
}

static json_t *search_of(fixture *fix) {
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *search = json_incref(json_object_get(alert, "bisection"));
    json_decref(alert);
    return search;
}

static void begin_search(fixture *fix, srv_commit *list, char (*sha)[41], size_t count) {
    GError *error = NULL;
    run_trial(fix, before, after, suspicious_night(fix));
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 1);
    assert_string_equal(((const srv_search_wanted *)wanted.items)->to, fix_sha(7));
    model_list_clear(&wanted);
    commits_make(list, sha, count);
    for (int i = 0; i < 2; i++)
        assert_true(srv_bisection_begin(fix->store, 1, list, count, NULL, fix->now_ms, &error));
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 0);
    model_list_clear(&wanted);
}

static void every_culprit_is_found(void **state) {
    (void)state;
    for (size_t culprit = 0; culprit < 16; culprit += 3) {
        void *own;
        setup(&own);
        fixture *fix = own;
        srv_commit list[16];
        char sha[16][41];
        begin_search(fix, list, sha, 16);
        int trials = run_search(fix, (const char(*)[41])sha, 16, culprit, 16, NULL);
        assert_true(trials <= 8); /* four steps, each of one look or two */
        json_t *search = search_of(fix);
        assert_string_equal(text_of(search, "state"), "found");
        assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[culprit]);
        assert_true(json_array_size(json_object_get(search, "steps")) <= 4);
        json_decref(search);
        teardown(&own);
    }
}

/* Found by ci/demo: a small part of the change took 600 loops, and there was no answer. */
static void a_small_change_beside_is_passed_over(void **state) {
    fixture *fix = *state;
    srv_commit list[16];
    char sha[16][41];
    begin_search(fix, list, sha, 16);
    const int trials = run_search(fix, (const char(*)[41])sha, 16, 12, 5, NULL);
    assert_true(trials <= 12);
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "found");
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[12]);
    json_decref(search);
}

static void commits_that_do_not_build_leave_a_range(void **state) {
    fixture *fix = *state;
    srv_commit list[8];
    char sha[8][41];
    const bool broken[8] = {false, false, false, true, true, false, false, false};
    begin_search(fix, list, sha, 8);
    run_search(fix, (const char(*)[41])sha, 8, 4, 8, broken);
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "range");
    assert_string_equal(text_of(json_object_get(search, "first"), "sha"), sha[3]);
    assert_string_equal(text_of(json_object_get(search, "last"), "sha"), sha[5]);
    assert_string_equal(text_of(search, "reason"),
                        "2 commits between the two could not be measured");
    json_decref(search);
}

static void a_single_commit_is_the_culprit(void **state) {
    fixture *fix = *state;
    srv_commit list[1];
    char sha[1][41];
    begin_search(fix, list, sha, 1);
    assert_null(fix_lease(fix));
    json_t *search = search_of(fix);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[0]);
    json_decref(search);
}

static void a_range_that_git_has_not_is_said(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_commit list[2];
    char sha[2][41];
    run_trial(fix, before, after, suspicious_night(fix));
    commits_make(list, sha, 2);
    assert_false(srv_bisection_begin(fix->store, 1, list, 1, NULL, 1, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    g_clear_error(&error);
    assert_false(srv_bisection_begin(fix->store, 9, list, 2, NULL, 1, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_true(srv_bisection_begin(fix->store, 1, NULL, 0, "history was rewritten", 1, &error));
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "failed");
    assert_string_equal(text_of(search, "reason"), "history was rewritten");
    json_decref(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_culprit_is_found),
        cmocka_unit_test_setup_teardown(a_small_change_beside_is_passed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(commits_that_do_not_build_leave_a_range, setup, teardown),
        cmocka_unit_test_setup_teardown(a_single_commit_is_the_culprit, setup, teardown),
        cmocka_unit_test_setup_teardown(a_range_that_git_has_not_is_said, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
