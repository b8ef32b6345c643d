/* The server's `storage:`: what is taken, and what is told with file and line. */
#include "tests/unit/test.h"

#include "config/config.h"

#include <glib/gstdio.h>
#include <string.h>

static char *path;

static cfg_server *load(const char *storage, GError **error) {
    g_autofree char *text = g_strconcat("data_dir: data\n", storage, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    return cfg_server_load(path, error);
}

static void keeps(const char *storage, bool alerts, bool releases, bool first) {
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) server = load(storage, &error);
    if (!server)
        fail_msg("%s: %s", storage, error->message);
    assert_int_equal(server->storage.keeps[CFG_KEEP_ALERTS], alerts);
    assert_int_equal(server->storage.keeps[CFG_KEEP_RELEASES], releases);
    assert_int_equal(server->storage.keeps[CFG_KEEP_FIRST_OF_MONTH], first);
}

static void without_a_policy_all_stays(void **state) {
    (void)state;
    g_autoptr(cfg_server) server = load("", NULL);
    assert_int_equal(server->storage.keep_raw_days, 0);
    assert_int_equal(server->storage.raw_budget_bytes, 0);
    keeps("", true, true, true);
    keeps("storage:\n  keep_raw_days: 1\n", true, true, true);
}

static void a_policy_is_read(void **state) {
    (void)state;
    g_autoptr(cfg_server) server =
        load("storage:\n  keep_raw_days: 180\n  raw_budget_bytes: 21474836480\n", NULL);
    assert_non_null(server);
    assert_int_equal(server->storage.keep_raw_days, 180);
    assert_int_equal(server->storage.raw_budget_bytes, 21474836480);
    keeps("storage:\n  keep_raw_of: [releases]\n", false, true, false);
    keeps("storage:\n  keep_raw_of: [first_of_month, alerts]\n", true, false, true);
    keeps("storage:\n  keep_raw_of: []\n", false, false, false);
}

static void what_is_wrong_is_told(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"storage:\n  keep_raw_of: [tags]\n",
         "\"tags\" is not one of alerts, releases and first_of_month"},
        {"storage:\n  keep_raw_days: 36501\n", ":3: storage.keep_raw_days"},
        {"storage:\n  raw_budget_bytes: 1125899906842625\n", "storage.raw_budget_bytes"},
        {"storage:\n  keep_days: 3\n", "keep_days"},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(load(cases[i].text, &error));
        if (!strstr(error->message, cases[i].says))
            fail_msg("%s: %s", cases[i].text, error->message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_policy_all_stays),
        cmocka_unit_test(a_policy_is_read),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    g_autofree char *folder = g_dir_make_tmp("moowatch-storage-XXXXXX", NULL);
    path = g_build_filename(folder, "moowatchd.yaml", NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)g_unlink(path);
    (void)g_rmdir(folder);
    g_free(path);
    return failed;
}
