/* A pull request in words: for a status, a check's text, a comment. */
#include "tests/unit/test.h"

#include "server/notify/notify_words.h"

#include <glib.h>
#include <string.h>

#define PAGE "https://moo.example/pull-requests/3"

/* One in this state, whose portion W has this answer. */
static json_t *pull_of(const char *state, const char *answer, const char *reason) {
    return json_pack(
        "{s:i,s:s,s:s,s:s,s:s*,s:s,s:s*,s:i,s:i,s:f,s:[{s:s,s:s,s:{s:f,s:f,s:f},s:{s:f,s:f,s:f},"
        "s:{s:f,s:f,s:f},s:s,s:s}]}",
        "id", 3, "project", "kieker_x", "commit", "0123456789012345678901234567890123456789",
        "state", state, "answer", answer, "headline", "Being measured", "reason", reason, "place",
        2, "left_seconds", 100, "level", 0.95, "portions", "portion", "W", "answer",
        answer ? answer : "more", "before", "mean_ns", 1000.0, "low_ns", 990.0, "high_ns", 1010.0,
        "after", "mean_ns", 1100.0, "low_ns", 1090.0, "high_ns", 1110.0, "difference", "mean_ns",
        100.0, "low_ns", 90.0, "high_ns", 110.0, "sentence", "W rose <b> by much", "words",
        g_strcmp0(answer, "same") == 0 ? "differs little"
        : answer                       ? answer
                                       : "no answer yet");
}

static void states_are_those_of_a_commit_status(void **state) {
    (void)state;
    static const char *const table[][3] = {
        {"held", NULL, "pending"},      {"waiting", NULL, "pending"},
        {"measuring", NULL, "pending"}, {"done", "slower", "failure"},
        {"done", "faster", "success"},  {"done", "same", "success"},
        {"done", "unsure", "success"},  {"done", "untouched", "success"},
        {"failed", NULL, "error"},      {"dropped", NULL, "error"}};
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        json_auto_t *pull = pull_of(table[i][0], table[i][1], NULL);
        assert_string_equal(srv_words_pull_state(pull), table[i][2]);
    }
}

static void a_line_says_where_it_stands_or_what_came_of_it(void **state) {
    (void)state;
    static const char *const table[][4] = {
        {"measuring", NULL, NULL,
         "Being measured, place 2 in the queue, at most 2 minutes of measuring left"},
        {"waiting", NULL, "today's minutes are spent",
         "Being measured, place 2 in the queue, at most 2 minutes of measuring left: today's "
         "minutes are spent"},
        {"done", "same", NULL, "W differs little"},
        {"done", "untouched", "none is among the project's paths",
         "Being measured, place 2 in the queue, at most 2 minutes of measuring left: none is among "
         "the project's paths"},
        {"done", "slower", NULL, "W slower"}};
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        json_auto_t *pull = pull_of(table[i][0], table[i][1], table[i][2]);
        g_autofree char *text = srv_words_pull(pull);
        assert_string_equal(text, table[i][3]);
    }
    g_autofree char *long_reason = g_strnfill(500, 'x');
    json_auto_t *failed = pull_of("failed", NULL, long_reason);
    g_autofree char *text = srv_words_pull(failed);
    assert_true(g_utf8_strlen(text, -1) <= 140);
}

static void the_table_has_a_row_a_portion(void **state) {
    (void)state;
    json_auto_t *pull = pull_of("done", "slower", NULL);
    g_autofree char *text = srv_words_pull_markdown(pull, PAGE, "mark", SRV_WORDS_PULL_BYTES);
    assert_true(g_str_has_prefix(text, "<!-- mark -->\n### Monitoring overhead of kieker"));
    assert_non_null(
        strstr(text, "| W | 1000 [990.0, 1010] | 1100 [1090, 1110] | +10.0 % | ▲ **slower** |"));
    assert_null(strstr(text, "<b>")); /* strangers' text is no markup */
    assert_true(g_str_has_suffix(text, "\n\n<" PAGE ">\n"));
}

static void a_fork_is_told_how_it_gets_in(void **state) {
    (void)state;
    static const char *const providers[] = {"github", "gitea"};
    for (size_t i = 0; i < G_N_ELEMENTS(providers); i++) {
        json_auto_t *pull = pull_of("held", NULL, NULL);
        json_object_set_new(pull, "provider", json_string(providers[i]));
        g_autofree char *text = srv_words_pull_markdown(pull, PAGE, NULL, SRV_WORDS_PULL_BYTES);
        assert_non_null(strstr(text, "only after a maintainer sets the label"));
        assert_int_equal(
            strstr(text, "/moowatch measure 0123456789012345678901234567890123456789") != NULL,
            i == 0);
    }
}

/* GitHub refuses what is longer; what is cut off is on the page. */
static void what_is_too_long_is_cut_with_a_link(void **state) {
    (void)state;
    json_auto_t *pull = pull_of("done", "slower", NULL);
    json_t *portions = json_object_get(pull, "portions");
    for (int i = 0; i < 1000; i++)
        json_array_append_new(portions, json_deep_copy(json_array_get(portions, 0)));
    g_autofree char *whole = srv_words_pull_markdown(pull, PAGE, NULL, SIZE_MAX);
    assert_true(strlen(whole) > SRV_WORDS_PULL_BYTES);
    static const size_t limits[] = {SRV_WORDS_PULL_BYTES, 1000, 100, 10};
    for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
        g_autofree char *text = srv_words_pull_markdown(pull, PAGE, NULL, limits[i]);
        assert_true(strlen(text) <= MAX(limits[i], 130));
        assert_true(g_utf8_validate(text, -1, NULL));
        assert_non_null(strstr(text, "cut off here"));
        assert_true(g_str_has_suffix(text, "<" PAGE ">\n"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_a_commit_status),
        cmocka_unit_test(a_line_says_where_it_stands_or_what_came_of_it),
        cmocka_unit_test(the_table_has_a_row_a_portion),
        cmocka_unit_test(a_fork_is_told_how_it_gets_in),
        cmocka_unit_test(what_is_too_long_is_cut_with_a_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
