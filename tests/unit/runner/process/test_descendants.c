/* What outlived a killed agent, known by where it works; all else is left alone. What a process and
 * its children take while they run. */
#include "runner/process/descendants.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <signal.h>
#include <unistd.h>

/* A process that waits for its end, with this working directory and TMPDIR (NULL: none). It runs
 * when this returns. */
static pid_t start(const char *directory, const char *tmpdir) {
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        g_autofree char *given = g_strconcat("TMPDIR=", tmpdir ? tmpdir : "/", NULL);
        char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo; exec sleep 1000"}, NULL};
        char *environment[] = {(char[]){"PATH=/usr/bin:/bin"}, given, NULL};
        dup2(ready[1], STDOUT_FILENO);
        if (chdir(directory) != 0)
            _exit(1);
        (void)execve("/bin/sh", argv, environment);
        _exit(1);
    }
    char byte;
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    return pid;
}

/* Whether it was killed; if not, it ends otherwise now. */
static bool was_killed(pid_t pid) {
    int status = 0;
    (void)kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void only_what_works_in_our_folders(void **state) {
    const char *work = *state;
    g_autofree char *scratch = g_build_filename(work, "scratch", "loop", NULL);
    g_autofree char *checkout = g_build_filename(work, "checkout", NULL);
    g_autofree char *beside = g_build_filename(work, "checkout-of-another", NULL);
    g_autofree char *spool = g_build_filename(work, "spool", NULL);
    const char *const folders[] = {scratch, checkout, beside, spool};
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
        assert_int_equal(g_mkdir_with_parents(folders[i], 0700), 0);
    const struct {
        const char *directory, *tmpdir;
        bool killed;
    } cases[] = {{scratch, NULL, true}, {checkout, NULL, true}, {"/", scratch, true},
                 {beside, NULL, false}, {"/", beside, false},   {spool, NULL, false},
                 {work, NULL, false},   {"/", NULL, false}};
    pid_t pids[G_N_ELEMENTS(cases)];
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        pids[i] = start(cases[i].directory, cases[i].tmpdir);
    assert_int_equal(run_leftovers_kill(work), 3);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (was_killed(pids[i]) != cases[i].killed)
            fail_msg("%s, TMPDIR %s", cases[i].directory, cases[i].tmpdir);
    assert_int_equal(run_leftovers_kill(work), 0);
}

/* The work folder is named through a link as well as by its own name. */
static void by_a_link_to_the_folder(void **state) {
    g_autofree char *real = g_build_filename(*state, "real", NULL);
    g_autofree char *scratch = g_build_filename(real, "scratch", NULL);
    g_autofree char *link = g_build_filename(*state, "link", NULL);
    assert_int_equal(g_mkdir_with_parents(scratch, 0700), 0);
    assert_int_equal(symlink("real", link), 0);
    const pid_t pid = start(scratch, NULL);
    assert_int_equal(run_leftovers_kill(link), 1);
    assert_true(was_killed(pid));
    assert_int_equal(run_leftovers_kill("/no/such/folder"), 0);
}

/* Uses a processor under this name until it is killed. */
static pid_t spin(const char *name, const char *child) {
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (child)
        (void)spin(child, NULL);
    (void)prctl(PR_SET_NAME, name);
    for (;;)
        ;
}

#define READER "reader?\xef\xbf\xbd" /* of "reader\t\xff" */

/* By name, without the number at its end; a child's, too. */
static void threads_are_told_by_name(void **state) {
    (void)state;
    const pid_t pid = spin("writer-17", "reader\t\xff");
    run_course *course = run_course_new();
    const json_t *threads = NULL;
    json_t *told = NULL;
    assert_null(run_course_json(course, 1));
    /* A fork has our name until it takes its own. */
    while (!json_object_get(threads, "writer-") || !json_object_get(threads, READER)) {
        json_decref(told);
        g_usleep(1000);
        course->looks = 0;
        run_course_look(course, pid, 1e-3);
        told = run_course_json(course, 1e-3);
        threads = json_object_get(told, "threads");
    }
    assert_true(json_real_value(json_object_get(threads, "writer-")) > PERCENT_LEAST);
    assert_true(json_real_value(json_object_get(threads, READER)) > PERCENT_LEAST);
    assert_null(json_object_get(told, "growth_mb"));
    assert_true(course->mb[course->looks - 1] > 0);
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    const unsigned looks = course->looks;
    run_course_look(course, pid, 1e6);
    assert_int_equal(course->looks, looks); /* there is nothing to be seen any more */
    json_decref(told);
    run_course_free(course);
}

static void looks_become_rarer(void **state) {
    (void)state;
    run_course *course = run_course_new();
    for (int s = 2; s < 86400; s += 2)
        run_course_look(course, getpid(), s);
    assert_in_range(course->looks, 60, LOOKS_MAX - 1);
    run_course_look(course, 0, 1e6);
    assert_true(course->at_s[course->looks - 1] < 86400);
    run_course_free(course);
}

static void growth_is_that_of_the_second_half(void **state) {
    static const struct {
        double first_mb, per_s, seconds, growth;
    } cases[] = {{100, 2, 20, 20}, {100, 0, 20, 0}, {100, -1, 20, 0}, {100, 2, 7, NAN}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        run_course *course = run_course_new();
        for (int s = 2; s < cases[i].seconds; s += 2) {
            course->at_s[course->looks] = s;
            course->mb[course->looks++] = s < 10 ? 1 : cases[i].first_mb + cases[i].per_s * s;
        }
        json_t *told = run_course_json(course, cases[i].seconds);
        const json_t *growth = json_object_get(told, "growth_mb");
        assert_true(growth ? fabs(json_real_value(growth) - cases[i].growth) < 1e-9
                           : isnan(cases[i].growth));
        json_decref(told);
        run_course_free(course);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_what_works_in_our_folders),           IN_FOLDER(by_a_link_to_the_folder),
        cmocka_unit_test(threads_are_told_by_name),          cmocka_unit_test(looks_become_rarer),
        cmocka_unit_test(growth_is_that_of_the_second_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
