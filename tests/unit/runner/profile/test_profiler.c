/* Which profiler a job gets, and how it is called. */
#include "runner/profile/profiler.h"

#include "tests/unit/test.h"

#include "runner/ground/error.h"

#include <glib/gstdio.h>
#include <string.h>

static char path[256];
static char *const environment[] = {path, NULL};

/* A PATH with one program that does nothing, or with none. */
static char *path_with(const char *program) {
    char *folder = g_dir_make_tmp("moowatch-profiler-XXXXXX", NULL);
    assert_non_null(folder);
    if (program) {
        g_autofree char *file = g_build_filename(folder, program, NULL);
        assert_true(g_file_set_contents(file, "#!/bin/sh\n", -1, NULL));
        assert_int_equal(g_chmod(file, 0755), 0);
    }
    g_snprintf(path, sizeof path, "PATH=%s", folder);
    return folder;
}

static void path_remove(char *folder, const char *program) {
    g_autofree char *file = g_build_filename(folder, program, NULL);
    (void)g_unlink(file);
    assert_int_equal(g_rmdir(folder), 0);
    g_free(folder);
}

static void native_is_counted_by_callgrind(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    const run_job job = {.driver = CFG_DRIVER_NATIVE};
    char *folder = path_with("valgrind");
    const run_profiler *profiler = run_profiler_of(&job, environment, &error);
    assert_non_null(profiler);
    assert_string_equal(profiler->name, "callgrind");
    assert_string_equal(profiler->unit, "instructions");
    assert_int_equal(profiler->loops, 1);
    g_autofree char *words = run_profiler_words(environment);
    assert_string_equal(words, "driver native: callgrind");
    path_remove(folder, "valgrind");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    const run_job job = {.driver = CFG_DRIVER_NATIVE};
    char *folder = path_with(NULL);
    assert_null(run_profiler_of(&job, environment, &error));
    assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
    assert_non_null(strstr(error->message, "install the package valgrind"));
    g_autofree char *words = run_profiler_words(environment);
    assert_non_null(strstr(words, "needs the package valgrind"));
    path_remove(folder, "valgrind");
}

static void other_drivers_have_none(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    const run_job job = {.driver = CFG_DRIVER_MOOBENCH};
    char *folder = path_with("valgrind");
    assert_null(run_profiler_of(&job, environment, &error));
    assert_non_null(strstr(error->message, "no profiler for the project's driver"));
    path_remove(folder, "valgrind");
}

static void the_benchmarks_command_is_the_end_of_its_own(void **state) {
    (void)state;
    const run_job job = {.driver = CFG_DRIVER_NATIVE};
    char *folder = path_with("valgrind");
    const run_profiler *profiler = run_profiler_of(&job, environment, NULL);
    assert_non_null(profiler);
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup("/harness/moobench"));
    g_ptr_array_add(argv, g_strdup("--total-calls"));
    g_ptr_array_add(argv, NULL);
    g_autoptr(GPtrArray) whole = run_profiler_wrap(profiler, argv, "/srv/50%/profile");
    char **words = (char **)whole->pdata;
    assert_string_equal(words[0], "valgrind");
    assert_true(g_strv_contains((const char *const *)words, "--dump-instr=yes"));
    assert_true(
        g_strv_contains((const char *const *)words, "--callgrind-out-file=/srv/50%%/profile"));
    assert_null(words[whole->len - 1]);
    assert_string_equal(words[whole->len - 2], "--total-calls");
    assert_string_equal(words[whole->len - 3], "/harness/moobench");
    path_remove(folder, "valgrind");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_is_counted_by_callgrind),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(other_drivers_have_none),
        cmocka_unit_test(the_benchmarks_command_is_the_end_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
