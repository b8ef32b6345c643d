/* The search for the commit behind an alert begins with what git says lies between two nights. */
#include "server/poll/question.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/watched.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#include <sys/stat.h>

/* Six nights and one that moved, with so many commits of its own, confirmed; their ids. */
static void changed(watched *at, int commits) {
    g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
    at->fix->can = json_pack("[s]", "confirmation");
    for (int day = 1; day <= 6; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        g_autofree char *sha = repository_commit(at->repository, day * 1000, date);
        watched_measure(at, sha, NULL, date, before);
    }
    for (int i = 0; i < commits; i++)
        g_ptr_array_add(ids, repository_commit(at->repository, 7000 + i, "seventh"));
    watched_fetch(at);
    run_trial(at->fix, before, after,
              watched_measure(at, ids->pdata[commits - 1], NULL, "2013-04-07", after));
    assert_int_equal(alerts(at->fix), 1);
}

/* Asks with this program as the helper. */
static bool looked(watched *at, const char *helper, GError **error) {
    g_autoptr(srv_fetch) fetch = srv_fetch_new(helper, at->config.data_dir, -1);
    g_autofree char *mirror = srv_context_mirror(&at->app.context, "kieker");
    return culprits_look(at->fix->store, fetch, at->project, mirror, at->fix->now_ms, error);
}

static json_t *search_of(watched *at) {
    json_t *alert = srv_view_alert(at->fix->store, 1, NULL);
    assert_non_null(alert);
    json_t *search = json_incref(json_object_get(alert, "bisection"));
    json_decref(alert);
    return search;
}

static void a_search_begins_among_the_commits_that_git_names(void **state) {
    watched *at = *state;
    changed(at, 4);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_t *search = search_of(at);
    assert_string_equal(text_of(search, "state"), "running");
    json_decref(search);
    /* there is nothing left to look for, so a helper that always fails is not asked */
    assert_true(looked(at, "/nonexistent/helper", NULL));
    json_t *leased = fix_lease(at->fix);
    const json_t *job = json_object_get(leased, "job");
    assert_string_equal(text_of(job, "kind"), "bisection");
    g_autofree char *subject =
        repository_git(at->repository, "show", "-s", "--format=%s", text_of(job, "commit"), NULL);
    assert_true(g_str_equal(subject, "seventh") || g_str_has_prefix(subject, "2013-04-"));
    json_decref(leased);
}

static void a_branch_that_lost_the_night_ends_the_search_with_the_reason(void **state) {
    watched *at = *state;
    changed(at, 2);
    repository_do(at->repository, "checkout", "-q", "--orphan", "fresh", NULL);
    g_free(repository_commit(at->repository, 9000, "anew"));
    repository_do(at->repository, "branch", "-q", "-M", "fresh", "main", NULL);
    watched_fetch(at);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_t *search = search_of(at);
    assert_says(text_of(search, "reason"),
                "the branch no longer has both commits on its first-parent line");
    json_decref(search);
}

static void without_git_it_is_tried_again(void **state) {
    watched *at = *state;
    GError *error = NULL;
    changed(at, 2);
    assert_false(looked(at, "/nonexistent/helper", &error));
    assert_io_error(error, NOT_FOUND, "cannot start /nonexistent/helper");
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_t *search = search_of(at);
    assert_non_null(text_of(search, "state"));
    json_decref(search);
}

static void an_answer_without_what_is_needed_is_refused(void **state) {
    watched *at = *state;
    static const char *const answers[] = {
        "{\"commits\":[{\"sha\":\"x\"}]}",
        "{\"commits\":[7]}",
        "{\"commits\":[{\"sha\":1,\"author\":\"a\",\"time_ms\":1,\"subject\":\"s\"}]}",
    };
    changed(at, 2);
    for (size_t i = 0; i < G_N_ELEMENTS(answers); i++) {
        GError *error = NULL;
        g_autofree char *text =
            g_strdup_printf("#!/bin/sh\nread -r q; echo '%s'; read -r q\n", answers[i]);
        g_autofree char *helper = folder_file(at->config.data_dir, "helper", text);
        assert_int_equal(chmod(helper, 0700), 0);
        assert_false(looked(at, helper, &error));
        assert_io_error(error, FAILED, "the git process gave an invalid answer");
        json_t *search = search_of(at);
        assert_null(text_of(search, "state"));
        json_decref(search);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WATCHED_TEST(a_search_begins_among_the_commits_that_git_names),
        WATCHED_TEST(a_branch_that_lost_the_night_ends_the_search_with_the_reason),
        WATCHED_TEST(without_git_it_is_tried_again),
        WATCHED_TEST(an_answer_without_what_is_needed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
