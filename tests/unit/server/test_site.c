/* The pages as files: when they are written, by whom, and what is said when they are not. */
#include "tests/unit/test.h"

#include "tests/unit/server/database.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/watched.h"

#include "server/site.h"

#include <glib/gstdio.h>
#include <semaphore.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
    watched *watched;
    char *folder, *site; /* site: a folder below it */
    sem_t begun;         /* once for each write: its first question */
    sem_t *until;        /* the first answer waits for it; NULL: for nothing */
    const char *status;  /* NULL: the server is in trouble */
    int priority;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    const int code = watched_setup(&own);
    at->watched = own;
    at->folder = folder_new();
    at->site = g_build_filename(at->folder, "site", NULL);
    at->status = "{\"version\": \"1\"}";
    at->watched->config.site = (cfg_site){at->site, NULL};
    sem_init(&at->begun, 0, 0);
    *state = at;
    return code;
}

static int teardown(void **state) {
    bench *at = *state;
    void *own = at->watched;
    const int code = watched_teardown(&own);
    folder_free(at->folder);
    sem_destroy(&at->begun);
    g_free(at->site);
    g_free(at);
    return code;
}
#define SITE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* A server without a project. */
static srv_reply *answer(void *user, srv_store *store, const char *address) {
    bench *at = user;
    (void)store;
    if (strcmp(address, "/api/v1/status") == 0) {
        at->priority = getpriority(PRIO_PROCESS, (id_t)gettid());
        sem_post(&at->begun);
        if (at->until)
            sem_wait(at->until);
        return at->status ? srv_reply_json(200, json_loads(at->status, 0, NULL))
                          : srv_reply_problem(500, "no room");
    }
    return strcmp(address, "/api/v1/projects") == 0
               ? srv_reply_json(200, json_pack("{s:[]}", "items"))
               : srv_reply_problem(404, "none");
}

static srv_site *begin(bench *at) {
    g_autoptr(GError) error = NULL;
    srv_site *site = srv_site_new(&at->watched->app.context);
    if (!srv_site_run(site, answer, at, &error))
        fail_msg("%s", error->message);
    return site;
}

/* Waits for the next write. */
static void called(bench *at) {
    assert_int_equal(sem_wait(&at->begun), 0);
}

static bool is_there(const bench *at, const char *name) {
    g_autofree char *path = g_build_filename(at->site, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Waits until there is one, or none. */
static char *problem_when(srv_site *site, bool some) {
    for (;;) {
        char *problem = srv_site_problem(site);
        if ((problem != NULL) == some)
            return problem;
        g_free(problem);
        g_usleep(1000);
    }
}

static void it_is_written_at_once_and_after_a_night(void **state) {
    bench *at = *state;
    srv_site *site = begin(at);
    called(at);
    assert_int_equal(at->priority, 19); /* who measures beside it is not disturbed */
    srv_site_changed(site, "kieker");
    called(at);
    assert_true(is_there(at, "index.html"));
    assert_null(srv_site_problem(site));
    srv_site_free(site);
}

static void a_project_with_something_under_way_waits(void **state) {
    bench *at = *state;
    srv_site *site = begin(at);
    called(at);
    (void)fix_add(at->watched->fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    srv_site_changed(site, "kieker");
    json_auto_t *leased = fix_lease(at->watched->fix);
    const double means[4] = {70, 470, 1600, 3200};
    json_auto_t *body = fix_result(at->watched->fix, leased, means);
    bool created;
    json_auto_t *answer = srv_ingest_result(at->watched->fix->store, job_id(leased), body,
                                            at->watched->fix->now_ms, &created, NULL);
    assert_non_null(answer);
    srv_site_look(site);
    called(at); /* once, when it was settled */
    srv_site_free(site);
}

/* Two projects changed, of which one is not settled: the other is reason enough, and so is one that
 * is not there any more. */
static void one_that_is_settled_or_gone_is_due(void **state) {
    bench *at = *state;
    static const char *const due[] = {"kieker", "gone"};
    for (size_t i = 0; i < G_N_ELEMENTS(due); i++) {
        fix_sync(at->watched->fix, "busy", NULL);
        (void)fix_add(at->watched->fix, "busy", (int)i + 1, "2013-04-01", SRV_KIND_NIGHTLY);
        srv_site *site = begin(at);
        called(at);
        srv_site_changed(site, "busy");
        srv_site_changed(site, due[i]);
        called(at);
        srv_site_free(site);
    }
}

static void what_is_wrong_is_the_problem_until_it_works(void **state) {
    bench *at = *state;
    at->status = NULL;
    srv_site *site = begin(at);
    g_autofree char *problem = problem_when(site, true);
    assert_non_null(strstr(problem, "site: /api/v1/status: 500 "));
    assert_non_null(strstr(problem, "no room"));
    srv_site_changed(site, "kieker"); /* is no reason to try again before its time */
    srv_site_free(site);
    assert_null(srv_site_problem(NULL));
    srv_site_changed(NULL, NULL);
    srv_site_free(NULL);
}

static void files_of_others_are_the_problem(void **state) {
    bench *at = *state;
    assert_int_equal(g_mkdir(at->site, 0700), 0);
    g_free(folder_file(at->site, "thesis.tex", "x"));
    srv_site *site = begin(at);
    g_autofree char *problem = problem_when(site, true);
    assert_non_null(strstr(problem, "holds files that moowatch site did not write"));
    srv_site_free(site);
    assert_true(is_there(at, "thesis.tex"));
    assert_false(is_there(at, "index.html"));
}

/* It ends after the answer that is asked for, which is no problem. */
static void it_ends_with_the_daemon(void **state) {
    bench *at = *state;
    sem_t never;
    sem_init(&never, 0, 0);
    srv_site *site = begin(at);
    called(at);
    srv_site_free(site);
    at->until = &never;
    site = begin(at);
    called(at);
    sem_post(&never); /* what it does until it is stopped is its own */
    srv_site_stop(site);
    assert_null(srv_site_problem(site));
    srv_site_free(site);
    sem_destroy(&never);
}

static void leads(void *user) {
    srv_site_look(*(srv_site **)user);
}

/* Its site looked before: a server leads some seconds after it has run. */
static void who_begins_to_lead_writes_it_then(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    srv_context *context = &at->watched->app.context;
    srv_site *site = NULL;
    srv_leader *leader = srv_leader_new(context->database, leads, &site, NULL);
    context->leader = leader;
    site = begin(at);
    assert_true(srv_leader_run(leader, NULL));
    called(at);
    srv_leader_stop(leader);
    srv_site_free(site);
    context->leader = NULL;
    srv_leader_free(leader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SITE_TEST(it_is_written_at_once_and_after_a_night),
        SITE_TEST(a_project_with_something_under_way_waits),
        SITE_TEST(one_that_is_settled_or_gone_is_due),
        SITE_TEST(what_is_wrong_is_the_problem_until_it_works),
        SITE_TEST(files_of_others_are_the_problem),
        SITE_TEST(it_ends_with_the_daemon),
        SITE_TEST(who_begins_to_lead_writes_it_then),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
