/* What the doctor says of the kernel's events and of the tools around them. */
#include "runner/profile/kernel_events.h"

#include "tests/unit/runner/path.h"

#include <glib/gstdio.h>
#include <string.h>

/* A root with that setting; NULL: without. To be removed with forget. */
static char *root_with(const char *paranoid) {
    char *root = g_dir_make_tmp("moowatch-events-XXXXXX", NULL);
    g_autofree char *folder = g_build_filename(root, "proc", "sys", "kernel", NULL);
    g_autofree char *file = g_build_filename(folder, "perf_event_paranoid", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    if (paranoid)
        assert_true(g_file_set_contents(file, paranoid, -1, NULL));
    return root;
}

static void forget(char *root) {
    static const char *const parts[] = {"proc/sys/kernel/perf_event_paranoid", "proc/sys/kernel",
                                        "proc/sys", "proc", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *part = g_build_filename(root, parts[i], NULL);
        (void)g_remove(part);
    }
    assert_false(g_file_test(root, G_FILE_TEST_EXISTS));
    g_free(root);
}

static void what_the_kernel_allows_is_said(void **state) {
    static const struct {
        const char *paranoid, *says;
    } cases[] = {{"-1\n", "perf_event_paranoid -1: everybody may profile"},
                 {"1\n", "perf_event_paranoid 1: everybody may profile"},
                 {"2\n", "perf_event_paranoid 2: ordinary users may profile all but the kernel"},
                 {"4\n", "perf_event_paranoid 4: ordinary users may not profile"},
                 {"4\n", "`sysctl kernel.perf_event_paranoid=1` allows it"},
                 {NULL, "no performance events in this kernel: async-profiler uses timers"}};
    (void)state;
    char *folder = path_with("perf");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *root = root_with(cases[i].paranoid);
        g_autofree char *words = run_kernel_events_words(environment, root);
        if (!strstr(words, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", words, cases[i].says);
        forget(root);
    }
    path_remove(folder, "perf");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    char *root = root_with("2\n"), *folder = path_with("perf");
    g_autofree char *with_perf = run_kernel_events_words(environment, root);
    assert_non_null(strstr(with_perf, "\nperf: can be a profile_command"));
    assert_non_null(strstr(with_perf, "\nno addr2line: inlined functions count as their caller's; "
                                      "install the package binutils"));
    path_remove(folder, "perf");
    folder = path_with("addr2line");
    g_autofree char *without = run_kernel_events_words(environment, root);
    assert_non_null(strstr(without, "\nno perf: only a profile_command would need it; install"));
    assert_null(strstr(without, "addr2line"));
    path_remove(folder, "addr2line");
    forget(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_kernel_allows_is_said),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
