/* runner.yaml: every default, every bound at its edge. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"
#include "numbers.h"

#include <stddef.h>
#include <string.h>

#define HEAD "server: http://127.0.0.1:8300\ntoken_file: t\nwork_dir: w\n"
#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)

static cfg_runner *load(const char *text, GError **error) {
    char *path = test_file(text, -1);
    cfg_runner *runner = cfg_runner_load(path, error);
    test_file_remove(path);
    return runner;
}

static void defaults(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_runner) runner = load(HEAD, &error);
    assert_null(error);
    assert_string_equal(runner->node, g_get_host_name());
    const char *const unset[] = {runner->harness_dir,    runner->run_as_user,
                                 runner->ssh_key_file,   runner->ssh_known_hosts_file,
                                 runner->benchmark_cpus, runner->housekeeping_cpus};
    for (size_t i = 0; i < G_N_ELEMENTS(unset); i++)
        assert_null(unset[i]);
    assert_int_equal(runner->labels_count, 0);
    assert_null(runner->labels[0]);
    assert_int_equal(runner->tuning_count, 0);
    /* a machine that does other work, too, would never be idle: no gate unless it is asked for */
    assert_int_equal(runner->gate_wait_s, 0);
    assert_int_equal(runner->disturbed_repeats, 0);
    assert_true(runner->idle_cpu_percent == 5 && runner->disturbed_cpu_percent == 10);
    assert_true(runner->disturbed_steal_percent == 2 && runner->temperature_limit_c == 0);
    assert_true(runner->stray_distance == 10);
    assert_false(runner->duet);
    assert_string_equal(runner->path, CFG_RUNNER_PATH);
    g_autoptr(cfg_runner) own = load(HEAD "path: /opt/go/bin:/usr/bin\n", NULL);
    assert_string_equal(own->path, "/opt/go/bin:/usr/bin");
}

#define WIDE(...) WIDE_OF(cfg_runner, __VA_ARGS__)
#define SMALL(...) SMALL_OF(cfg_runner, __VA_ARGS__)

/* docs/configure.md has the same rows. */
static const number_row numbers[] = {
    SMALL("poll_wait_seconds", poll_wait_s, 30, 0, 300),
    WIDE("loop_output_limit_bytes", loop_output_limit_bytes, 8192 * MIB, MIB, TIB),
    WIDE("prepare_output_limit_bytes", prepare_output_limit_bytes, 16384 * MIB, MIB, TIB),
    WIDE("prepared_cache_bytes", prepared_cache_bytes, 10240 * MIB, 0, TIB),
    SMALL("submodule_limit", submodule_limit, 100, 0, 10000),
    SMALL("submodule_depth", submodule_depth, 5, 1, 50),
    WIDE("log_limit_bytes", log_limit_bytes, MIB, 4096, 1024 * MIB),
    WIDE("memory_limit_bytes", memory_limit_bytes, 0, 0, TIB),
    SMALL("process_limit", process_limit, 512, 1, 1000000),
    WIDE("disk_reserve_bytes", disk_reserve_bytes, 512 * MIB, 0, TIB),
    SMALL("nights_in_turn", nights_in_turn, 4, 1, 32),
    SMALL("gate_wait_seconds", gate_wait_s, 0, 0, 86400),
    SMALL("disturbed_repeats", disturbed_repeats, 0, 0, 1000),
};

static uint64_t number_of(const cfg_runner *runner, size_t row) {
    return number_at(runner, &numbers[row]);
}

static cfg_runner *with(const char *key, const char *value, GError **error) {
    g_autofree char *text = g_strdup_printf(HEAD "%s: %s\n", key, value);
    return load(text, error);
}

static cfg_runner *with_number(const char *key, uint64_t value, GError **error) {
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    return with(key, text, error);
}

static void every_number_has_its_default_and_bounds(void **state) {
    (void)state;
    g_autoptr(cfg_runner) plain = load(HEAD, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_runner) low = with_number(numbers[i].key, numbers[i].low, &error);
        g_autoptr(cfg_runner) high = with_number(numbers[i].key, numbers[i].high, &error);
        assert_null(error);
        if (number_of(plain, i) != numbers[i].fallback || number_of(low, i) != numbers[i].low ||
            number_of(high, i) != numbers[i].high)
            fail_msg("%s", numbers[i].key);
        assert_null(with_number(numbers[i].key, numbers[i].high + 1, &error));
        assert_non_null(strstr(error->message, ":4: "));
        assert_non_null(strstr(error->message, numbers[i].key));
        g_clear_error(&error);
        if (numbers[i].low)
            assert_null(with_number(numbers[i].key, numbers[i].low - 1, NULL));
    }
}

static void every_real_has_its_bounds(void **state) {
    (void)state;
    static const struct {
        const char *key, *low, *high, *below, *above;
    } rows[] = {
        {"idle_cpu_percent", "0.1", "100000", "0.09", "100001"},
        {"disturbed_cpu_percent", "0.1", "100000", "0.09", "100001"},
        {"disturbed_steal_percent", "0.01", "100", "0.009", "100.1"},
        {"temperature_limit_celsius", "0", "150", "-0.1", "150.1"},
        {"stray_distance", "0", "1000", "-1", "1000.1"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_runner) low = with(rows[i].key, rows[i].low, &error);
        g_autoptr(cfg_runner) high = with(rows[i].key, rows[i].high, &error);
        assert_true(low && high && !error);
        assert_null(with(rows[i].key, rows[i].below, &error));
        assert_non_null(strstr(error->message, rows[i].key));
        assert_null(with(rows[i].key, rows[i].above, NULL));
        assert_null(with(rows[i].key, ".nan", NULL));
    }
}

static void trials_are_in_turn_unless_said_otherwise(void **state) {
    (void)state;
    g_autoptr(cfg_runner) turns = with("trial_order", "turns", NULL);
    g_autoptr(cfg_runner) duet = with("trial_order", "duet", NULL);
    assert_true(turns && !turns->duet);
    assert_true(duet && duet->duet);
}

static void paths_are_beside_the_file(void **state) {
    (void)state;
    char *path = test_file(HEAD "harness_dir: ../h\nssh_key_file: key\n"
                                "ssh_known_hosts_file: /etc/known\n",
                           -1);
    g_autofree char *folder = g_path_get_dirname(path);
    g_autoptr(cfg_runner) runner = cfg_runner_load(path, NULL);
    test_file_remove(path);
    g_autofree char *token = g_build_filename(folder, "t", NULL);
    g_autofree char *key = g_build_filename(folder, "key", NULL);
    g_autofree char *parent = g_path_get_dirname(folder);
    g_autofree char *harness = g_build_filename(parent, "h", NULL);
    assert_string_equal(runner->token_file, token);
    assert_string_equal(runner->ssh_key_file, key);
    assert_string_equal(runner->harness_dir, harness);
    assert_string_equal(runner->ssh_known_hosts_file, "/etc/known");
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"token_file: t\nwork_dir: w\n", "server"},
        {"server: http://h\nwork_dir: w\n", "token_file"},
        {"server: http://h\ntoken_file: t\n", "work_dir"},
        {"server: ftp://h\ntoken_file: t\nwork_dir: w\n", "http://"},
        {"server: h:8300\ntoken_file: t\nwork_dir: w\n", "http://"},
        {"server: ''\ntoken_file: t\nwork_dir: w\n", ":1: "},
        {HEAD "ssh_key_file: '/a%h'\n", "ssh takes no path"},
        {HEAD "trial_order: both\n", ": trial_order: must be turns or duet, not \"both\""},
        {HEAD "ssh_key_file: '/a\"b'\n", "ssh takes no path"},
        {HEAD "ssh_known_hosts_file: '/a\\b'\n", "ssh_known_hosts_file"},
        {HEAD "labels: {a: b}\n", "must be a list"},
        {HEAD "path: bin\n", "path: must be absolute folders with colons between them, such as "},
        {HEAD "path: '/usr/bin:'\n", "path: must be absolute"},
        {HEAD "path: \"/usr/bin\\n\"\n", "path"},
        {HEAD "token: secret\n", "is not allowed here"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(load(cases[i].text, &error));
        if (!strstr(error->message, cases[i].words))
            fail_msg("%s: %s", cases[i].text, error->message);
    }
}

static void lists_at_their_limit(void **state) {
    (void)state;
    static const char *const keys[] = {"labels", "tuning"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        for (unsigned n = 32; n <= 33; n++) {
            g_autoptr(GString) text = g_string_new(HEAD);
            g_string_append_printf(text, "%s:\n", keys[i]);
            for (unsigned k = 0; k < n; k++)
                g_string_append_printf(text, "  - l%u\n", k);
            g_autoptr(GError) error = NULL;
            g_autoptr(cfg_runner) runner = load(text->str, &error);
            assert_true(!runner == (n == 33));
            if (runner)
                assert_int_equal(runner->labels_count + runner->tuning_count, 32);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_number_has_its_default_and_bounds),
        cmocka_unit_test(every_real_has_its_bounds),
        cmocka_unit_test(trials_are_in_turn_unless_said_otherwise),
        cmocka_unit_test(paths_are_beside_the_file),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(lists_at_their_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
