/* The projects as configured now: what is usable is taken, what is not is told, and a reload leaves
 * whoever holds the old ones alone. */
#include "tests/unit/test.h"

#include "server/catalog.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#define BENCHMARK "benchmark:\n  driver: native\n  configurations: [{name: none, portion: T}]\n"
#define PROJECT(name, more)                                                                        \
    "name: " name "\nrepository: https://example.org/r.git\nbranch: main\n" more "\n" BENCHMARK

static int setup(void **state) {
    *state = folder_new();
    return 0;
}

static int teardown(void **state) {
    folder_free(*state);
    return 0;
}

static srv_catalog *loaded(const char *folder) {
    g_autoptr(GError) error = NULL;
    srv_catalog *catalog = srv_catalog_load(folder, &error);
    assert_no_error(error);
    return catalog;
}

static void usable_projects_are_found_by_name(void **state) {
    g_free(folder_file(*state, "a.yaml", PROJECT("kieker", "")));
    g_free(folder_file(*state, "b.yaml", PROJECT("other", "night_at: \"02:30\"")));
    g_free(folder_file(*state, "README", "no project"));
    srv_catalog *catalog = loaded(*state);
    for (guint i = 0; i < catalog->problems->len; i++)
        fail_msg("%s", (const char *)catalog->problems->pdata[i]);
    assert_int_equal(catalog->projects->len, 2);
    assert_string_equal(srv_catalog_find(catalog, "other")->night_at, "02:30");
    assert_null(srv_catalog_find(catalog, "Kieker"));
    assert_null(srv_catalog_find(catalog, ""));
    srv_catalog_free(catalog);
}

static void branches_of_a_project_are_projects_beside_it(void **state) {
    g_free(folder_file(*state, "a.yaml",
                       "name: kieker\nrepository: https://example.org/r.git\n"
                       "branches: [trunk, 1.15.x]\n" BENCHMARK));
    g_free(folder_file(*state, "b.yaml", PROJECT("other", "")));
    srv_catalog *catalog = loaded(*state);
    assert_int_equal(catalog->projects->len, 3);
    assert_string_equal(srv_catalog_find(catalog, "kieker")->branch, "trunk");
    assert_string_equal(srv_catalog_find(catalog, "kieker~1.15.x")->main, "kieker");
    assert_int_equal(catalog->problems->len, 0);
    const struct {
        const char *project, *branch, *name;
    } cases[] = {{"kieker", "trunk", "kieker"},
                 {"kieker", "1.15.x", "kieker~1.15.x"},
                 {"kieker", "1.14.x", "kieker~1.14.x"},
                 {"other", "main", "other"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = srv_catalog_branch(catalog, cases[i].project, cases[i].branch);
        assert_string_equal(name, cases[i].name);
    }
    srv_catalog_free(catalog);
}

static void one_that_is_not_usable_is_told_and_the_others_stay(void **state) {
    const struct {
        const char *text, *says;
    } cases[] = {
        {"name: bad\n", "bad.yaml:"},
        {"no yaml: [", "bad.yaml:"},
        {"name: bad\nrepository: /srv/a b.git\nbranch: main\n" BENCHMARK,
         "the repository's address is not valid"},
        {"name: bad\nrepository: /srv/a b.git\nbranches: [main, 1.x]\n" BENCHMARK,
         "project bad: the repository's address is not valid"}, /* once for all branches */
        {"name: bad\nrepository: https://example.org/r.git\nbranch: HEAD\n" BENCHMARK,
         "\"HEAD\" is not a valid branch name"},
        {PROJECT("bad", "schedule: \"0 0 30 2 *\""), "it never fires"},
        {PROJECT("bad", "schedule: \"0 3 * * *\"\ntime_zone: Europe/Atlantis"), "Atlantis"},
    };
    g_free(folder_file(*state, "good.yaml", PROJECT("kieker", "")));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_free(folder_file(*state, "bad.yaml", cases[i].text));
        srv_catalog *catalog = loaded(*state);
        assert_int_equal(catalog->projects->len, 1);
        assert_non_null(srv_catalog_find(catalog, "kieker"));
        assert_int_equal(catalog->problems->len, 1);
        assert_says(catalog->problems->pdata[0], cases[i].says);
        srv_catalog_free(catalog);
    }
}

static void a_folder_that_is_not_there_is_told(void **state) {
    g_autofree char *gone = g_build_filename(*state, "gone", NULL);
    g_autoptr(GError) error = NULL;
    assert_null(srv_catalog_load(gone, &error));
    assert_says(error->message,
                "projects_dir (create it, with a YAML file for each project, or correct it): ");
    assert_says(error->message, gone);
    srv_catalog_free(NULL);
}

static void a_commit_belongs_to_the_night_after_it(void **state) {
    (void)state;
    static const int64_t day_ms = 86400000, hour_ms = 3600000;
    char berlin[] = "Europe/Berlin", at_three[] = "0 3 * * *", night_at[] = "02:30",
         never[] = "0 0 30 2 *";
    cfg_project daily = {.night_at = night_at};
    cfg_project local = {.schedule = at_three, .time_zone = berlin};
    cfg_project broken = {.schedule = never};
    const struct {
        const cfg_project *project;
        int64_t time_ms, now_ms;
        const char *night;
    } cases[] = {
        {&daily, 10 * day_ms, 20 * day_ms, "1970-01-11"},
        {&daily, 10 * day_ms + 2 * hour_ms + hour_ms / 2, 20 * day_ms, "1970-01-12"},
        {&daily, 10 * day_ms + 2 * hour_ms + hour_ms / 2 - 1000, 20 * day_ms, "1970-01-11"},
        {&daily, 30 * day_ms, 20 * day_ms, "1970-01-21"}, /* from the future: now */
        {&local, 10 * day_ms + 2 * hour_ms - 1000, 20 * day_ms, "1970-01-11"},
        {&local, 10 * day_ms + 2 * hour_ms, 20 * day_ms, "1970-01-12"},
        {&broken, 10 * day_ms + hour_ms, 20 * day_ms, "1970-01-11"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char night[11];
        srv_catalog_night(cases[i].project, cases[i].time_ms, cases[i].now_ms, night);
        if (strcmp(night, cases[i].night) != 0)
            fail_msg("case %zu: %s, not %s", i, night, cases[i].night);
    }
}

static void whoever_holds_the_old_projects_keeps_them(void **state) {
    const cfg_server config = {.data_dir = *state};
    srv_context context;
    g_free(folder_file(*state, "a.yaml", PROJECT("kieker", "")));
    srv_context_init(&context, &config, "moowatchd");
    srv_context_catalog_set(&context, loaded(*state));
    srv_catalog *held = srv_context_catalog(&context);
    srv_catalog *twice = srv_context_catalog(&context);
    assert_ptr_equal(held, twice);
    g_free(folder_file(*state, "a.yaml", PROJECT("renamed", "")));
    srv_context_catalog_set(&context, loaded(*state));
    srv_catalog *now = srv_context_catalog(&context);
    assert_non_null(srv_catalog_find(held, "kieker"));
    assert_null(srv_catalog_find(held, "renamed"));
    assert_non_null(srv_catalog_find(now, "renamed"));
    srv_catalog_free(twice);
    assert_non_null(srv_catalog_find(held, "kieker"));
    srv_catalog_free(held);
    srv_catalog_free(now);
    srv_context_clear(&context);
}

static void the_context_knows_where_things_are(void **state) {
    const cfg_server config = {.data_dir = *state};
    srv_context context;
    srv_context_init(&context, &config, "moowatchd");
    g_autofree char *mirror = srv_context_mirror(&context, "kieker");
    g_autofree char *expected = g_build_filename(*state, "mirrors", "kieker.git", NULL);
    g_autofree char *database = g_build_filename(*state, "moowatch.db", NULL);
    assert_string_equal(mirror, expected);
    assert_false(g_file_test(database, G_FILE_TEST_EXISTS));
    g_autoptr(srv_store) store = srv_context_store(&context, NULL);
    assert_non_null(store);
    assert_true(g_file_test(database, G_FILE_TEST_EXISTS));
    srv_context_clear(&context);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(usable_projects_are_found_by_name),
        IN_FOLDER(branches_of_a_project_are_projects_beside_it),
        IN_FOLDER(one_that_is_not_usable_is_told_and_the_others_stay),
        IN_FOLDER(a_folder_that_is_not_there_is_told),
        IN_FOLDER(a_commit_belongs_to_the_night_after_it),
        IN_FOLDER(whoever_holds_the_old_projects_keeps_them),
        IN_FOLDER(the_context_knows_where_things_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
