/* Whoever runs the server hears of each kind of problem once, as long as it lasts. */
#include "tests/unit/test.h"

#include "server/notify/troubles.h"
#include "server/store/projects.h"
#include "tests/unit/server/fixture.h"

/* At this minute: sentences divided by '|'; what is news, NULL: nothing is. sent: it was told. */
static void expect_news(GHashTable *told, srv_store *store, int minute, const char *sentences,
                        const char *news, bool sent) {
    json_auto_t *problems = json_array();
    g_auto(GStrv) each = g_strsplit(sentences, "|", -1);
    for (size_t i = 0; each[i] && *sentences != '\0'; i++)
        json_array_append_new(problems, json_string(each[i]));
    const int64_t now_ms = (int64_t)minute * 60000;
    g_autofree char *text = srv_troubles_unsent(told, store, problems, now_ms);
    if (!news)
        assert_null(text);
    else
        assert_string_equal(text, news);
    if (sent)
        srv_troubles_sent(told, store, problems, now_ms);
}

static void each_kind_is_told_once(void **state) {
    srv_store *store = ((fixture *)*state)->store;
    g_autoptr(GHashTable) told = srv_troubles_new();
    expect_news(told, store, 0, "", NULL, false);
    expect_news(told, store, 1, "data_dir: 9 MiB", "- data_dir: 9 MiB\n", false);
    /* could not be sent */
    expect_news(told, store, 2, "data_dir: 8 MiB", "- data_dir: 8 MiB\n", true);
    expect_news(told, store, 3, "data_dir: 7 MiB", NULL, false);
    expect_news(told, store, 4, "data_dir: 7 MiB|messages: 1", "- messages: 1\n", true);
    expect_news(told, store, 5, "messages: 2", NULL, false);
    /* it hovers: no news */
    expect_news(told, store, 64, "data_dir: 6 MiB|messages: 3", NULL, false);
    expect_news(told, store, 65, "", NULL, false);
    expect_news(told, store, 125, "", NULL, false); /* over since an hour */
    expect_news(told, store, 126, "messages: 1", "- messages: 1\n", true);
}

static void a_restart_or_another_server_tells_nothing_again(void **state) {
    fixture *fix = *state;
    g_autoptr(GHashTable) told = srv_troubles_new();
    expect_news(told, fix->store, 1, "data_dir: 9 MiB", "- data_dir: 9 MiB\n", true);
    fix_reopen(fix);
    g_autoptr(GHashTable) after = srv_troubles_new();
    expect_news(after, fix->store, 2, "data_dir: 8 MiB", NULL, false);
    expect_news(after, fix->store, 62, "data_dir: 8 MiB", NULL, false);
    /* nobody has looked for hours: it may have lasted */
    expect_news(told, fix->store, 300, "data_dir: 8 MiB", NULL, false);
    expect_news(told, fix->store, 361, "", NULL, false);
    g_autoptr(GHashTable) later = srv_troubles_new();
    expect_news(later, fix->store, 362, "data_dir: 8 MiB", "- data_dir: 8 MiB\n", true);
}

static void a_clock_set_back_tells_nothing_again(void **state) {
    srv_store *store = ((fixture *)*state)->store;
    g_autoptr(GHashTable) told = srv_troubles_new();
    expect_news(told, store, 2000, "data_dir: 9 MiB", "- data_dir: 9 MiB\n", true);
    expect_news(told, store, 10, "data_dir: 8 MiB", NULL, false);
    expect_news(told, store, 71, "", NULL, false);
    expect_news(told, store, 72, "data_dir: 8 MiB", "- data_dir: 8 MiB\n", false);
}

/* The sentences now, a line each, of a server with this data_dir; owned. */
static char *troubles_in(fixture *fix, char *dir) {
    cfg_server config = {.data_dir = dir};
    srv_context context = {.config = &config, .lock = PTHREAD_MUTEX_INITIALIZER};
    json_auto_t *problems = json_array();
    GString *text = g_string_new(NULL);
    size_t i;
    json_t *problem;
    srv_troubles_add(&context, fix->store, problems);
    json_array_foreach (problems, i, problem)
        g_string_append_printf(text, "%s\n", json_string_value(problem));
    return g_string_free(text, FALSE);
}

static char *troubles(fixture *fix) {
    return troubles_in(fix, fix->dir);
}

/* Which was in no list where disk_reserve_bytes is 0. */
static void a_full_disk_is_told_without_a_reserve(void **state) {
    char dir[] = "/proc"; /* has no room at all */
    g_autofree char *text = troubles_in(*state, dir);
    assert_string_equal(text, "data_dir: the disk of /proc is full: what is new cannot be kept; "
                              "free some space\n");
}

static void polled(fixture *fix, int minute, const char *problem, bool failed) {
    assert_true(srv_project_polled(fix->store, "kieker", (int64_t)minute * 60000, 0, problem,
                                   failed, NULL));
}

static void a_repository_that_cannot_be_asked_twice_is_told(void **state) {
    fixture *fix = *state;
    static const struct {
        const char *problem;
        bool failed;
        const char *told;
    } polls[] = {
        {NULL, false, ""},
        {"gone", true, ""},
        {NULL, false, ""},
        {"rewritten", false, ""},
        {"rewritten", false, ""},
        {"gone", true, ""},
        {"refused", true,
         "repository of kieker: it could not be read since 1970-01-01 00:06 UTC: refused\n"},
        {"gone", true,
         "repository of kieker: it could not be read since 1970-01-01 00:06 UTC: gone\n"},
        {NULL, false, ""},
    };
    fix_sync(fix, "kieker", NULL);
    for (int i = 0; i < (int)G_N_ELEMENTS(polls); i++) {
        polled(fix, i + 1, polls[i].problem, polls[i].failed);
        g_autofree char *text = troubles(fix);
        assert_string_equal(text, polls[i].told);
    }
}

#define TROUBLES_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static int setup(void **state) {
    *state = fix_new();
    return 0;
}

static int teardown(void **state) {
    fix_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TROUBLES_TEST(each_kind_is_told_once),
        TROUBLES_TEST(a_restart_or_another_server_tells_nothing_again),
        TROUBLES_TEST(a_clock_set_back_tells_nothing_again),
        TROUBLES_TEST(a_full_disk_is_told_without_a_reserve),
        TROUBLES_TEST(a_repository_that_cannot_be_asked_twice_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
