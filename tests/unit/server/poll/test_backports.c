/* A change on the main branch, and what another branch of the project says of its commit. */
#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/watched.h"

#include "server/poll/question.h"
#include "server/store/store_sql.h"
#include "sql/alert.h"
#include "sql/poll.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

#include <sys/stat.h>

#define BRANCH "kieker~1.15.x"

typedef struct {
    watched *watched;
    cfg_project *branch;
    char *culprit; /* the commit of main that moved its seventh night */
} bench;

/* Six nights of main and a seventh that fell; 1.15.x parted before it and has a commit more. */
static void nights(bench *at) {
    watched *w = at->watched;
    g_autofree char *parent = NULL;
    w->fix->can = json_pack("[s]", "confirmation");
    for (int day = 1; day <= 6; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        char *sha = repository_commit(w->repository, day * 1000, date);
        watched_measure(w, sha, parent, date, before);
        g_free(parent);
        parent = sha;
    }
    repository_do(w->repository, "branch", "1.15.x", NULL);
    g_free(folder_file(w->repository->url, "file", "better\n"));
    repository_do(w->repository, "add", "file", NULL);
    at->culprit = repository_commit(w->repository, 7000, "seventh");
    run_trial(w->fix, before, after, watched_measure(w, at->culprit, parent, "2013-04-07", after));
    assert_int_equal(alerts(w->fix), 1);
    repository_do(w->repository, "checkout", "-q", "1.15.x", NULL);
    g_free(repository_commit(w->repository, 8000, "own"));
    watched_fetch(w);
}

static int setup_bench(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    const int code = watched_setup(&own);
    at->watched = own;
    at->branch = fix_branch("kieker", "1.15.x");
    g_autoptr(GPtrArray) both = g_ptr_array_new();
    g_ptr_array_add(both, at->watched->project);
    g_ptr_array_add(both, at->branch);
    assert_true(srv_projects_sync(at->watched->fix->store, both, NULL));
    nights(at);
    *state = at;
    return code;
}

static int teardown_bench(void **state) {
    bench *at = *state;
    void *own = at->watched;
    fix_project_free(at->branch);
    g_free(at->culprit);
    g_free(at);
    return watched_teardown(&own);
}

/* The branch is fetched and asked, with this program as the helper; its head. */
static char *looked(bench *at, const char *program) {
    watched *w = at->watched;
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_fetch) fetch = srv_fetch_new(program, w->config.data_dir, -1);
    g_autofree char *mirror = srv_context_mirror(&w->app.context, BRANCH);
    const srv_repo_source source = {.url = w->repository->url, .branch = "1.15.x"};
    srv_repo_fetched fetched;
    if (!srv_repo_update(mirror, &source, &fetched, &error) ||
        !srv_backports_look(&w->app.context, w->fix->store, fetch, at->branch, fetched.head,
                            &error))
        fail_msg("%s", error->message);
    return g_strdup(fetched.head);
}

/* What the alert says of its only other branch; owned. */
static json_t *told(bench *at) {
    json_t *alert = srv_view_alert(at->watched->fix->store, 1, NULL);
    json_t *branch = json_incref(json_array_get(json_object_get(alert, "branches"), 0));
    json_decref(alert);
    return branch;
}

static void expect_told(bench *at, const char *state, const char *commit, const char *sentence) {
    json_t *branch = told(at);
    assert_string_equal(text_of(branch, "branch"), "1.15.x");
    assert_string_equal(text_of(branch, "project"), BRANCH);
    assert_string_equal(text_of(branch, "state"), state);
    assert_int_equal(g_strcmp0(text_of(branch, "commit"), commit), 0);
    assert_string_equal(text_of(branch, "sentence"), sentence);
    json_decref(branch);
}

static void a_branch_lacks_an_improvement_until_it_is_picked(void **state) {
    bench *at = *state;
    json_t *nothing = told(at);
    assert_null(nothing);
    g_free(looked(at, "/proc/self/exe"));
    expect_told(at, "lacks", NULL, "1.15.x lacks this improvement");
    /* its head is as before: nobody asks git again */
    g_free(looked(at, "/nonexistent/helper"));
    expect_told(at, "lacks", NULL, "1.15.x lacks this improvement");
    repository_do(at->watched->repository, "cherry-pick", "-x", at->culprit, NULL);
    g_autofree char *picked = looked(at, "/proc/self/exe");
    g_autofree char *sentence = g_strdup_printf("1.15.x has this improvement as %.9s", picked);
    expect_told(at, "picked", picked, sentence);
}

static void a_fall_that_ended_an_alert_is_a_fix(void **state) {
    bench *at = *state;
    srv_store *store = at->watched->fix->store;
    assert_true(srv__run(store, ASK(alert_fixed_by, 1, srv__arg_key(1)), NULL));
    g_free(looked(at, "/proc/self/exe"));
    expect_told(at, "lacks", NULL, "1.15.x lacks this fix");
    repository_do(at->watched->repository, "merge", "-q", "--no-ff", "-m", "merge", "main", NULL);
    g_free(looked(at, "/proc/self/exe"));
    expect_told(at, "has", NULL, "1.15.x has this fix, too");
}

static void a_slowdown_is_not_missed(void **state) {
    bench *at = *state;
    srv_store *store = at->watched->fix->store;
    g_free(looked(at, "/proc/self/exe"));
    assert_true(
        srv__run(store, sql_text("UPDATE alert SET direction='up'", ""), SRV__NO_ARGS, NULL));
    expect_told(at, "lacks", NULL, "1.15.x does not have this slowdown");
    assert_true(
        srv__run(store, sql_text("UPDATE backport SET state='unknown'", ""), SRV__NO_ARGS, NULL));
    expect_told(at, "unknown", NULL,
                "Whether 1.15.x has this slowdown is not known: the commit is on no branch any "
                "more");
}

/* It was there, and the branch's own alert of that commit is over. */
static void a_slowdown_that_was_fixed_there_is_there_no_longer(void **state) {
    bench *at = *state;
    srv_store *store = at->watched->fix->store;
    repository_do(at->watched->repository, "merge", "-q", "--no-ff", "-m", "merge", "main", NULL);
    g_free(looked(at, "/proc/self/exe"));
    assert_true(
        srv__run(store, sql_text("UPDATE alert SET direction='up'", ""), SRV__NO_ARGS, NULL));
    expect_told(at, "has", NULL, "1.15.x has this slowdown, too");
    assert_true(srv__run(
        store,
        sql_text(
            "INSERT INTO alert(project_id,series_id,portion,configuration,direction,state,"
            "from_experiment,to_experiment,dated_experiment,to_night,seen_experiment,raised_ms,"
            "reason)"
            " SELECT k.project_id,a.series_id,a.portion,a.configuration,'up','fixed',"
            "a.from_experiment,a.to_experiment,a.dated_experiment,a.to_night,a.seen_experiment,0,'"
            "r'"
            " FROM alert a JOIN backport k ON k.alert_id=a.id",
            ""),
        SRV__NO_ARGS, NULL));
    assert_true(srv__run(store, sql_text("UPDATE alert SET fixed_by=id WHERE state='fixed'", ""),
                         SRV__NO_ARGS, NULL));
    expect_told(at, "has", NULL, "1.15.x had this slowdown, too; it is fixed there");
    assert_true(srv__run(store, sql_text("UPDATE backport SET state='picked', sha=$1", "t"),
                         SRV__ARGS(at->culprit), NULL));
    g_autofree char *picked =
        g_strdup_printf("1.15.x had this slowdown as %.9s; it is fixed there", at->culprit);
    expect_told(at, "picked", at->culprit, picked);
}

/* What git cannot say is asked again; what nobody believes is not asked. */
static void without_git_it_is_tried_again(void **state) {
    bench *at = *state;
    g_free(looked(at, "/nonexistent/helper"));
    assert_null(told(at));
    g_autofree char *silent =
        folder_file(at->watched->config.data_dir, "helper", "#!/bin/sh\nread -r q; echo '{}'\n");
    assert_int_equal(chmod(silent, 0700), 0);
    g_free(looked(at, silent));
    assert_null(told(at));
    assert_true(srv__run(at->watched->fix->store, sql_text("UPDATE alert SET state='false'", ""),
                         SRV__NO_ARGS, NULL));
    g_free(looked(at, "/proc/self/exe"));
    assert_null(told(at));
}

/* The alert that the branch is asked for first. */
static int64_t first_wanted(bench *at) {
    json_auto_t *list =
        srv__array(at->watched->fix->store, ASK(backports_wanted, BRANCH, "head", 1), NULL);
    return number_of(json_array_get(list, 0), "alert");
}

/* Of two alerts the newest is asked for first, until git could not say it. */
static void what_git_cannot_say_lets_others_go_first(void **state) {
    bench *at = *state;
    watched *w = at->watched;
    g_autofree char *next = repository_commit(w->repository, 9000, "eighth");
    run_trial(w->fix, after, before, watched_measure(w, next, at->culprit, "2013-04-08", before));
    assert_int_equal(alerts(w->fix), 2);
    assert_int_equal(first_wanted(at), 2);
    g_free(looked(at, "/nonexistent/helper"));
    assert_int_equal(first_wanted(at), 1);
    g_free(looked(at, "/nonexistent/helper"));
    assert_int_equal(first_wanted(at), 2);
    g_free(looked(at, "/nonexistent/helper"));
    assert_int_equal(first_wanted(at), 1);
    /* an answer makes it one of the others again */
    g_free(looked(at, "/proc/self/exe"));
    expect_told(at, "lacks", NULL, "1.15.x lacks this improvement");
    assert_int_equal(first_wanted(at), 2);
}

int main(void) {
#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup_bench, teardown_bench)
    const struct CMUnitTest tests[] = {
        BENCH_TEST(a_branch_lacks_an_improvement_until_it_is_picked),
        BENCH_TEST(a_fall_that_ended_an_alert_is_a_fix),
        BENCH_TEST(a_slowdown_is_not_missed),
        BENCH_TEST(a_slowdown_that_was_fixed_there_is_there_no_longer),
        BENCH_TEST(without_git_it_is_tried_again),
        BENCH_TEST(what_git_cannot_say_lets_others_go_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
