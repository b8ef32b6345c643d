/* The pages as files, by a program that stands in for moowatch and notes how it was called. */
#include "tests/unit/test.h"

#include "tests/unit/server/folder.h"
#include "tests/unit/server/watched.h"

#include "server/site.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    watched *watched;
    char *folder, *program; /* of moowatchd, beside which the stand-in lies */
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    const int code = watched_setup(&own);
    at->watched = own;
    at->folder = folder_new();
    at->program = g_build_filename(at->folder, "moowatchd", NULL);
    at->watched->app.context.program = at->program;
    at->watched->config.site = (cfg_site){at->folder, NULL};
    *state = at;
    return code;
}

static int teardown(void **state) {
    bench *at = *state;
    void *own = at->watched;
    const int code = watched_teardown(&own);
    folder_free(at->folder);
    g_free(at->program);
    g_free(at);
    return code;
}
#define SITE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* The stand-in tells a FIFO what it was asked, and ends as it is told. */
static srv_site *begin(bench *at, const char *ends) {
    g_autoptr(GError) error = NULL;
    g_autofree char *fifo = g_build_filename(at->folder, "notes", NULL);
    g_autofree char *script =
        g_strdup_printf("#!/bin/sh\necho \"$MOOWATCH_TOKEN$*\" >'%s'\n%s\n", fifo, ends);
    g_autofree char *path = folder_file(at->folder, "moowatch", script);
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    srv_site *site = srv_site_new(&at->watched->app.context, &error);
    if (!site || !srv_site_run(site, "http://127.0.0.1:1", &error))
        fail_msg("%s", error->message);
    return site;
}

/* Waits for the next call; what it was asked, the caller's. */
static char *called(bench *at) {
    g_autofree char *fifo = g_build_filename(at->folder, "notes", NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(fifo, &text, NULL, NULL));
    return g_strchomp(text);
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
    at->watched->config.site.base = (char[]){"https://example.org/o"};
    assert_true(g_setenv("MOOWATCH_TOKEN", "secret", TRUE));
    srv_site *site = begin(at, "exit 0");
    g_autofree char *first = called(at);
    g_autofree char *expected = g_strdup_printf(
        "site %s --server http://127.0.0.1:1 --url https://example.org/o", at->folder);
    assert_string_equal(first, expected); /* and nobody's token */
    srv_site_changed(site, "kieker");
    g_autofree char *second = called(at);
    assert_string_equal(second, expected);
    assert_null(srv_site_problem(site));
    srv_site_free(site);
    g_unsetenv("MOOWATCH_TOKEN");
}

static void a_project_with_something_under_way_waits(void **state) {
    bench *at = *state;
    srv_site *site = begin(at, "exit 0");
    g_free(called(at));
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
    g_autofree char *after = called(at); /* once, when it was settled */
    assert_true(g_str_has_prefix(after, "site "));
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
        srv_site *site = begin(at, "exit 0");
        g_free(called(at));
        srv_site_changed(site, "busy");
        srv_site_changed(site, due[i]);
        g_autofree char *after = called(at);
        assert_true(g_str_has_prefix(after, "site "));
        srv_site_free(site);
        g_autofree char *notes = g_build_filename(at->folder, "notes", NULL);
        assert_int_equal(unlink(notes), 0);
    }
}

static void what_it_says_is_the_problem_until_it_works(void **state) {
    bench *at = *state;
    srv_site *site = begin(at, "echo 'moowatch site: /x: holds files that are not of a site' >&2\n"
                               "exit 3");
    g_free(called(at));
    g_autofree char *problem = problem_when(site, true);
    assert_string_equal(problem, "site: /x: holds files that are not of a site");
    srv_site_changed(site, "kieker"); /* is no reason to try again before its time */
    srv_site_free(site);
    assert_null(srv_site_problem(NULL));
    srv_site_changed(NULL, NULL);
    srv_site_free(NULL);
}

static void a_silent_end_has_its_number(void **state) {
    bench *at = *state;
    srv_site *site = begin(at, "kill -9 $$");
    g_free(called(at));
    g_autofree char *problem = problem_when(site, true);
    assert_string_equal(problem, "site: moowatch was ended by signal 9");
    srv_site_free(site);
    g_autofree char *notes = g_build_filename(at->folder, "notes", NULL);
    assert_int_equal(unlink(notes), 0);
    site = begin(at, "exit 7");
    g_free(called(at));
    g_autofree char *number = problem_when(site, true);
    assert_string_equal(number, "site: moowatch ended with 7");
    srv_site_free(site);
}

static void one_that_hangs_ends_with_the_daemon(void **state) {
    bench *at = *state;
    srv_site *site = begin(at, "exec sleep 1000");
    g_free(called(at));
    srv_site_free(site);
}

static void without_the_program_it_does_not_start(void **state) {
    bench *at = *state;
    g_autoptr(GError) error = NULL;
    assert_null(srv_site_new(&at->watched->app.context, &error));
    assert_non_null(strstr(error->message, "moowatch is not next to"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SITE_TEST(it_is_written_at_once_and_after_a_night),
        SITE_TEST(a_project_with_something_under_way_waits),
        SITE_TEST(one_that_is_settled_or_gone_is_due),
        SITE_TEST(what_it_says_is_the_problem_until_it_works),
        SITE_TEST(a_silent_end_has_its_number),
        SITE_TEST(one_that_hangs_ends_with_the_daemon),
        SITE_TEST(without_the_program_it_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
