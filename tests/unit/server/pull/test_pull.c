/* A pull request: who may have it measured, what becomes of it when another commit comes. */
#include "pulls.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

static void one_of_our_own_waits_for_its_commits(void **state) {
    bench *at = *state;
    assert_null(said(at, "opened", 2, false, NULL));
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "waiting");
    assert_string_equal(text_of(pull, "commit"), fix_sha(2));
    assert_string_equal(text_of(pull, "headline"), "Waits for its commits");
    assert_int_equal(number_of(pull, "number"), 7);
    assert_int_equal(number_of(pull, "left_seconds"), 60 * PULL_MINUTES);
    json_auto_t *waiting = srv__array(at->fix->store, ASK(pulls_waiting, "kieker"), NULL);
    assert_int_equal(json_array_size(waiting), 1);
    assert_string_equal(text_of(json_array_get(waiting, 0), "ref"), "refs/pull/7/head");
}

static void the_same_commit_is_known(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    assert_string_equal(said(at, "opened", 2, false, NULL), "this commit was already reported");
    json_auto_t *list = srv_view_list(at->fix->store, &srv_list_pulls, "kieker", NULL,
                                      (srv_page){.limit = 10}, NULL);
    assert_int_equal(json_array_size(json_object_get(list, "items")), 1);
}

static bool project_has_some(bench *at) {
    json_auto_t *project = srv_view_project(at->fix->store, "kieker", NULL);
    return json_is_true(json_object_get(project, "pull_requests"));
}

static void the_project_says_that_there_are_some(void **state) {
    bench *at = *state;
    assert_false(project_has_some(at));
    said(at, "opened", 2, false, NULL);
    assert_true(project_has_some(at));
}

static void a_fork_waits_for_a_maintainer(void **state) {
    bench *at = *state;
    said(at, "opened", 2, true, NULL);
    state_is(at, 1, "held", NULL);
    json_auto_t *waiting = srv__array(at->fix->store, ASK(pulls_waiting, "kieker"), NULL);
    assert_int_equal(json_array_size(waiting), 0);
    assert_null(said(at, "labels", 2, true,
                     json_pack("{s:[s],s:[s]}", "labels", "measure", "labels_set", "measure")));
    state_is(at, 1, "waiting", NULL);
}

static void another_label_lets_no_fork_in(void **state) {
    bench *at = *state;
    said(at, "opened", 2, true, NULL);
    assert_non_null(said(at, "labels", 2, true,
                         json_pack("{s:[s],s:[s]}", "labels", "bug", "labels_set", "bug")));
    state_is(at, 1, "held", NULL);
}

/* The label was set on a commit that a maintainer saw; what is pushed later nobody has seen. */
static void a_label_counts_for_its_commit_alone(void **state) {
    bench *at = *state;
    said(at, "opened", 2, true, NULL);
    said(at, "labels", 2, true,
         json_pack("{s:[s],s:[s]}", "labels", "measure", "labels_set", "measure"));
    said(at, "opened", 3, true, json_pack("{s:[s]}", "labels", "measure"));
    state_is(at, 1, "dropped", fix_sha(3)[0] ? "replaced it" : "");
    state_is(at, 2, "held", NULL);
    /* another label is set while ours is still there: with and without the name of what was set */
    said(at, "labels", 3, true,
         json_pack("{s:[s,s],s:[s]}", "labels", "measure", "bug", "labels_set", "bug"));
    said(at, "labels", 3, true, json_pack("{s:[s,s]}", "labels", "measure", "bug"));
    state_is(at, 2, "held", NULL);
    /* taken away and set anew */
    said(at, "labels", 3, true, json_pack("{s:[s]}", "labels", "bug"));
    assert_null(said(at, "labels", 3, true, json_pack("{s:[s,s]}", "labels", "measure", "bug")));
    state_is(at, 2, "waiting", NULL);
}

/* Another commit was pushed, and heard of first, when the label was set on this one. */
static void a_label_that_is_heard_late_counts_for_the_head_of_its_time(void **state) {
    bench *at = *state;
    said(at, "opened", 2, true, NULL);
    said(at, "opened", 3, true, NULL);
    assert_null(said(at, "labels", 2, true,
                     json_pack("{s:[s],s:[s]}", "labels", "measure", "labels_set", "measure")));
    state_is(at, 2, "dropped", "replaced it");
    state_is(at, 3, "waiting", NULL);
    json_auto_t *pull = pull_of(at, 3);
    assert_string_equal(text_of(pull, "commit"), fix_sha(2));
}

static const char *comment(bench *at, const char *text, bool maintainer) {
    return said(at, "comment", 2, true,
                json_pack("{s:s,s:b}", "comment", text, "by_maintainer", (int)maintainer));
}

static void a_comment_lets_a_fork_in_by_its_commit(void **state) {
    bench *at = *state;
    g_autofree char *right = g_strdup_printf("/moowatch measure %s", fix_sha(2));
    g_autofree char *alike = g_strdup_printf("/moowatch measure %.39s", fix_sha(2));
    assert_non_null(strstr(comment(at, right, true), "is not known"));
    said(at, "opened", 2, true, NULL);
    assert_string_equal(comment(at, right, false), "only a maintainer's comment counts");
    assert_non_null(strstr(comment(at, "/moowatch measure", true), "must name its commit"));
    assert_non_null(strstr(comment(at, "/moowatch measure 0123456789", true),
                           "the full id of the latest commit"));
    /* as another commit may be made to begin */
    assert_non_null(strstr(comment(at, alike, true), "the full id of the latest commit"));
    assert_string_equal(comment(at, "/moowatch measured", true),
                        "the comment is not a /moowatch measure command");
    assert_string_equal(comment(at, "please", true),
                        "the comment is not a /moowatch measure command");
    state_is(at, 1, "held", NULL);
    assert_null(comment(at, right, true));
    state_is(at, 1, "waiting", NULL);
}

static void a_comment_asks_again_when_it_is_over(void **state) {
    bench *at = *state;
    GError *error = NULL;
    said(at, "opened", 2, false, NULL);
    assert_true(
        srv_pull_end(at->fix->store, 1, "failed", 0, "no common commit", at->fix->now_ms, &error));
    state_is(at, 1, "failed", "no common commit");
    assert_null(comment(at, "/moowatch measure", true));
    state_is(at, 2, "waiting", NULL);
}

static void a_push_over_it_drops_what_is_measured(void **state) {
    bench *at = *state;
    said(at, "opened", 2, false, NULL);
    begin(at, 1, 2);
    json_auto_t *leased = fix_lease(at->fix);
    assert_string_equal(text_of(json_object_get(leased, "job"), "before"), fix_sha(1));
    said(at, "opened", 3, false, NULL);
    state_is(at, 1, "dropped", "replaced it");
    state_is(at, 2, "waiting", NULL);
    /* the runner hears of it with its next word */
    GError *error = NULL;
    json_auto_t *beat =
        json_pack("{s:O,s:s}", "lease", json_object_get(leased, "lease"), "phase", "measure");
    assert_null(srv_queue_progress(at->fix->store, &fix_rules, job_id(leased), beat,
                                   at->fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_null(fix_lease(at->fix));
}

static void closed_is_dropped(void **state) {
    bench *at = *state;
    said(at, "opened", 2, true, NULL);
    said(at, "closed", 2, true, NULL);
    state_is(at, 1, "dropped", "it was closed");
    /* git answers late */
    begin(at, 1, 2);
    state_is(at, 1, "dropped", "it was closed");
    assert_null(fix_lease(at->fix));
}

static void a_project_that_measures_none_says_so(void **state) {
    bench *at = *state;
    GError *error = NULL;
    int64_t id;
    const srv_pull_facts facts = {
        .provider = SRV_PULL_SUBMITTED, .head = fix_sha(2), .title = "", .author = "ci"};
    at->project->pull_requests.minutes = 0;
    assert_string_equal(said(at, "opened", 2, false, NULL),
                        "the project measures no pull requests");
    assert_false(srv_pull_ask(at->fix->store, at->project, &facts, 0, &id, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_non_null(strstr(error->message, "pull_requests.minutes"));
    g_error_free(error);
}

static void a_commit_that_was_handed_in_twice_is_one(void **state) {
    bench *at = *state;
    int64_t first, second, other;
    char sha[41];
    g_strlcpy(sha, fix_sha(2), sizeof sha);
    srv_pull_facts facts = {
        .provider = SRV_PULL_SUBMITTED, .head = sha, .title = "", .author = "ci"};
    assert_true(srv_pull_ask(at->fix->store, at->project, &facts, 0, &first, NULL));
    assert_true(srv_pull_ask(at->fix->store, at->project, &facts, 0, &second, NULL));
    assert_int_equal(first, second);
    g_strlcpy(sha, fix_sha(3), sizeof sha);
    assert_true(srv_pull_ask(at->fix->store, at->project, &facts, 0, &other, NULL));
    assert_int_not_equal(first, other);
    state_is(at, first, "waiting", NULL); /* another branch's: nothing replaced it */
}

static void there_is_none_of_that_number(void **state) {
    bench *at = *state;
    GError *error = NULL;
    assert_null(srv_view_pull(at->fix->store, 5, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_error_free(error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PULL_TEST(one_of_our_own_waits_for_its_commits),
        PULL_TEST(the_same_commit_is_known),
        PULL_TEST(the_project_says_that_there_are_some),
        PULL_TEST(a_fork_waits_for_a_maintainer),
        PULL_TEST(another_label_lets_no_fork_in),
        PULL_TEST(a_label_counts_for_its_commit_alone),
        PULL_TEST(a_label_that_is_heard_late_counts_for_the_head_of_its_time),
        PULL_TEST(a_comment_lets_a_fork_in_by_its_commit),
        PULL_TEST(a_comment_asks_again_when_it_is_over),
        PULL_TEST(a_push_over_it_drops_what_is_measured),
        PULL_TEST(closed_is_dropped),
        PULL_TEST(a_project_that_measures_none_says_so),
        PULL_TEST(a_commit_that_was_handed_in_twice_is_one),
        PULL_TEST(there_is_none_of_that_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
