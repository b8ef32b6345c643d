#include "runner/driver/driver.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <string.h>

static char *no_words[] = {NULL};

static char *join(GPtrArray *words) {
    assert_null(words->pdata[words->len - 1]);
    return g_strjoinv(" ", (char **)words->pdata);
}

static const run_placeholder values = {
    .checkout = "/c", .scratch = "/s", .harness = "/h", .commit = "abc", .calls = 7, .depth = 10};

static void test_native(void **state) {
    (void)state;
    char option[] = "--flag={depth}";
    char *options[] = {option, NULL};
    cfg_configuration one = {.command = no_words, .options = options, .total_calls = 7};
    run_job job = {.benchmark.driver = CFG_DRIVER_NATIVE,
                   .benchmark.recursion_depth = 10,
                   .benchmark.threads = 2,
                   .benchmark.method_time_ns = 5,
                   .benchmark.configurations = &one,
                   .benchmark.configurations_count = 1};
    g_autoptr(GPtrArray) argv = run_driver_command(&job, 0, &values, "/out/raw.csv");
    g_autofree char *text = join(argv);
    assert_string_equal(text, "/h/moobench --total-calls 7 --method-time 5 --total-threads 2 "
                              "--recursion-depth 10 --output-filename /out/raw.csv --flag=10");
}

static void test_native_command_replaces_the_harness(void **state) {
    (void)state;
    char program[] = "{checkout}/bench", word[] = "a b";
    char *command[] = {program, word, NULL};
    cfg_configuration one = {.command = command, .options = no_words, .total_calls = 7};
    run_job job = {.benchmark.driver = CFG_DRIVER_NATIVE,
                   .benchmark.recursion_depth = 1,
                   .benchmark.threads = 1,
                   .benchmark.configurations = &one,
                   .benchmark.configurations_count = 1};
    g_autoptr(GPtrArray) argv = run_driver_command(&job, 0, &values, "r");
    assert_string_equal(argv->pdata[0], "/c/bench");
    assert_string_equal(argv->pdata[1], "a b"); /* one word, no shell */
    assert_string_equal(argv->pdata[2], "--total-calls");
}

static void test_java(void **state) {
    (void)state;
    char option[] = "-javaagent:{checkout}/k.jar", entry[] = "{checkout}/lib/*";
    char *options[] = {option, NULL}, *classpath[] = {entry, NULL};
    cfg_configuration one = {.command = no_words, .options = options, .total_calls = 7};
    run_job job = {.benchmark.driver = CFG_DRIVER_JAVA,
                   .benchmark.recursion_depth = 1,
                   .benchmark.threads = 1,
                   .benchmark.classpath = classpath,
                   .benchmark.configurations = &one,
                   .benchmark.configurations_count = 1};
    g_autoptr(GPtrArray) argv = run_driver_command(&job, 0, &values, "r");
    g_autofree char *text = join(argv);
    assert_true(g_str_has_prefix(text, "java -javaagent:/c/k.jar -cp /h/moobench.jar:/c/lib/* "
                                       "moowatch.moobench.Benchmark --total-calls 7 "));
}

static void test_command(void **state) {
    (void)state;
    char program[] = "./bench", out[] = "--out={result}", option[] = "-n{depth}";
    char *command[] = {program, out, NULL}, *options[] = {option, NULL};
    cfg_configuration one = {.command = command, .options = options, .total_calls = 7};
    run_job job = {.benchmark.driver = CFG_DRIVER_COMMAND,
                   .benchmark.configurations = &one,
                   .benchmark.configurations_count = 1};
    run_placeholder with_result = values;
    with_result.result = "/o/result";
    g_autoptr(GPtrArray) argv = run_driver_command(&job, 0, &with_result, "/out/raw.csv");
    g_autofree char *text = join(argv);
    assert_string_equal(text, "./bench --out=/o/result -n10");
}

static char frameworks[] = "frameworks/Kieker-java", script[] = "measure.sh",
            sleep_time[] = "SLEEP_TIME", two_seconds[] = "2";

static cfg_variable configured[] = {{sleep_time, two_seconds}};

static void test_moobench(void **state) {
    (void)state;
    cfg_configuration two[] = {
        {.command = no_words,
         .options = no_words,
         .total_calls = 7,
         .environment = configured,
         .environment_count = 1,
         .index = 4},
        {.command = no_words, .options = no_words, .total_calls = 9, .threads = 8}};
    run_job job = {.benchmark.driver = CFG_DRIVER_MOOBENCH,
                   .benchmark.framework = frameworks,
                   .benchmark.script = script,
                   .benchmark.recursion_depth = 10,
                   .benchmark.threads = 1,
                   .benchmark.configurations = two,
                   .benchmark.configurations_count = 2};
    g_autoptr(GPtrArray) argv = run_driver_command(&job, 0, &values, "r");
    assert_string_equal(argv->pdata[0], "/bin/sh");
    assert_string_equal(argv->pdata[3], "measure.sh");
    assert_string_equal(argv->pdata[4], "frameworks/Kieker-java");
    assert_string_equal(argv->pdata[5], "results-Kieker-java");
    assert_string_equal(argv->pdata[6], "results");
    assert_null(argv->pdata[7]);
    g_auto(GStrv) variables = run_driver_variables(&job, 0);
    g_autofree char *text = g_strjoinv(" ", variables);
    assert_string_equal(text, "NUM_OF_LOOPS=1 MOOBENCH_CONFIGURATIONS=4 TOTAL_NUM_OF_CALLS=7 "
                              "METHOD_TIME=0 RECURSION_DEPTH=10 THREADS=1 SLEEP_TIME=0 "
                              "BATCH_MODE=yes SLEEP_TIME=2");
    g_auto(GStrv) own = run_driver_variables(&job, 1);
    assert_string_equal(own[5], "THREADS=8");
    job.benchmark.whole_rounds = true;
    g_auto(GStrv) all = run_driver_variables(&job, 0);
    assert_string_equal(all[1], "MOOBENCH_CONFIGURATIONS=4 0");
}

static void test_environment(void **state) {
    (void)state;
    char home[] = "HOME=/other", own[] = "OWN={commit}", path[] = "PATHS=1";
    char *words[] = {home, own, path, NULL};
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, words);
    g_autofree char *text = join(environment);
    assert_string_equal(text, "PATH=/usr/local/bin:/usr/bin:/bin HOME=/other TMPDIR=/s "
                              "LANG=C.UTF-8 TZ=UTC OWN=abc PATHS=1");
    g_autoptr(GPtrArray) plain = run_driver_environment(&values, NULL);
    assert_string_equal(plain->pdata[1], "HOME=/s");
}

static const run_placeholder placeholder_values = {.checkout = "/c",
                                                   .scratch = "/s{harness}",
                                                   .harness = "/h",
                                                   .commit = "abc",
                                                   .artifact = "/w/a.jar",
                                                   .calls = 2000000,
                                                   .depth = 10,
                                                   .result = "/o/result",
                                                   .port = "4318"};

static void test_expand(void **state) {
    (void)state;
    const struct {
        const char *text, *expected;
    } cases[] = {{"", ""},
                 {"plain", "plain"},
                 {"{checkout}/x", "/c/x"},
                 {"{harness}{commit}", "/habc"},
                 {"-javaagent:{artifact}={commit}", "-javaagent:/w/a.jar=abc"},
                 {"-n={calls};{depth}", "-n=2000000;10"},
                 {"{unknown} {} { {calls", "{unknown} {} { {calls"},
                 {"{{calls}}", "{2000000}"},
                 {"{scratch}", "/s{harness}"}, /* a replacement is not searched again */
                 {"--out={result}", "--out=/o/result"},
                 {"http://127.0.0.1:{port}/v1", "http://127.0.0.1:4318/v1"},
                 {"ä{depth}ö", "ä10ö"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        g_autofree char *out = placeholder_expand(&placeholder_values, cases[i].text);
        assert_string_equal(out, cases[i].expected);
    }
}

static void test_unknown_value_stays(void **state) {
    (void)state;
    run_placeholder none = {0};
    g_autofree char *out = placeholder_expand(&none, "{checkout} {calls}");
    assert_string_equal(out, "{checkout} 0");
}

/* A folder as distributions lay a JDK out. */
static void add_jdk(const char *below, const char *name, const char *version) {
    g_autofree char *folder = g_build_filename(below, name, NULL);
    g_autofree char *bin = g_build_filename(folder, "bin", NULL);
    g_autofree char *release = g_build_filename(folder, "release", NULL);
    g_autofree char *text = g_strdup_printf("X=1\nJAVA_VERSION=\"%s\"\n", version);
    assert_int_equal(g_mkdir_with_parents(bin, 0755), 0);
    assert_true(g_file_set_contents(release, text, -1, NULL));
}

static void test_a_jdk_is_found_by_its_version(void **state) {
    const char *below = *state;
    static const struct {
        const char *wanted, *folder, *words;
    } cases[] = {{"25", "b-25", NULL},
                 {"25.0.1", "c-25", NULL},
                 {"17", "a-17", NULL},
                 {"2", NULL, "jdk: no JDK 2 in "},
                 {"21", NULL, "Install it, or give its folder"},
                 {"/no/such/jdk", NULL,
                  "there is no /no/such/jdk/bin/java on this node; install it, or correct"}};
    add_jdk(below, "a-17", "17.0.15");
    add_jdk(below, "c-25", "25.0.1");
    add_jdk(below, "b-25", "25.0.3");
    add_jdk(below, "d-250", "250.0.3");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *found = run_driver_jdk(cases[i].wanted, below, &error);
        if (cases[i].words) {
            assert_null(found);
            assert_non_null(strstr(error->message, cases[i].words));
            continue;
        }
        g_autofree char *name = g_path_get_basename(found);
        assert_string_equal(name, cases[i].folder);
    }
}

static void test_a_jdk_comes_first_on_the_path(void **state) {
    (void)state;
    const run_placeholder own = {.scratch = "/s", .jdk = "/opt/jdk"};
    g_autoptr(GPtrArray) environment = run_driver_environment(&own, NULL);
    assert_string_equal(environment->pdata[0], "PATH=/opt/jdk/bin:/usr/local/bin:/usr/bin:/bin");
    assert_string_equal(environment->pdata[1], "JAVA_HOME=/opt/jdk");
}

static void test_the_node_s_path(void **state) {
    (void)state;
    const run_placeholder node = {.scratch = "/s", .path = "/opt/go/bin:/usr/bin"},
                          both = {.scratch = "/s", .path = "/usr/bin", .jdk = "/opt/jdk"};
    g_autoptr(GPtrArray) environment = run_driver_environment(&node, NULL);
    g_autoptr(GPtrArray) with_jdk = run_driver_environment(&both, NULL);
    assert_string_equal(environment->pdata[0], "PATH=/opt/go/bin:/usr/bin");
    assert_string_equal(with_jdk->pdata[0], "PATH=/opt/jdk/bin:/usr/bin");
}

static void test_append(void **state) {
    (void)state;
    char first[] = "{depth}", second[] = "b";
    char *words[] = {first, second, NULL};
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    run_placeholder_append(&placeholder_values, words, argv);
    run_placeholder_append(&placeholder_values, NULL, argv);
    assert_int_equal(argv->len, 2);
    assert_string_equal(argv->pdata[0], "10");
    assert_string_equal(argv->pdata[1], "b");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_native),
        cmocka_unit_test(test_native_command_replaces_the_harness),
        cmocka_unit_test(test_java),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_moobench),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_expand),
        cmocka_unit_test(test_unknown_value_stays),
        cmocka_unit_test(test_append),
        cmocka_unit_test_setup_teardown(test_a_jdk_is_found_by_its_version, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test(test_a_jdk_comes_first_on_the_path),
        cmocka_unit_test(test_the_node_s_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
