/* Where a change is: told with the first message when it is known by then, else once behind it. */
#include "scene.h"

#include <string.h>

#include "server/alarm/alerts.h"
#include "server/alarm/bisection.h"
#include "server/alarm/explanation.h"
#include "server/store/store_sql.h"
#include "sql/explanation.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

static void night(scene *s, const double means[4]) {
    const int n = ++s->nights;
    g_autofree char *date = g_strdup_printf("2013-03-%02d", n);
    (void)fix_measure(s->fix, "kieker", n, date, means);
}

static int setup_via(void **state, cfg_notify_via via) {
    static char repository[] = "o/r";
    scene *s = scene_new(via);
    s->rules[0].repository = repository;
    for (int i = 0; i < 6; i++)
        night(s, quiet);
    scene_round(s, 0);
    night(s, slow);
    *state = s;
    return 0;
}

static int setup(void **state) {
    return setup_via(state, CFG_NOTIFY_SLACK);
}

static int setup_webhook(void **state) {
    return setup_via(state, CFG_NOTIFY_WEBHOOK);
}

static int setup_github(void **state) {
    return setup_via(state, CFG_NOTIFY_GITHUB_ISSUE);
}

static int setup_status(void **state) {
    return setup_via(state, CFG_NOTIFY_GITHUB_STATUS);
}

static int64_t revision(scene *s, int64_t place) {
    int64_t id = 0;
    assert_true(srv__number(s->fix->store,
                            sql_text("SELECT id FROM revision ORDER BY id LIMIT 1 OFFSET $1", "i"),
                            SRV__ARGS(place), 0, &id, NULL));
    return id;
}

static void begin_explaining(scene *s) {
    assert_true(srv__begin(s->fix->store, NULL));
    assert_true(srv__end(
        s->fix->store,
        srv__run(s->fix->store,
                 ASK(explanation_insert, 1, srv__arg_key(0), revision(s, 5), revision(s, 6)), NULL),
        NULL));
}

static void explain(scene *s, const char *sentence) {
    static const char *const none = NULL;
    assert_true(srv__begin(s->fix->store, NULL));
    assert_true(srv__end(s->fix->store,
                         srv__run(s->fix->store,
                                  ASK(explanation_portion_insert, 1, SRV_PROFILE_TIME, "writing",
                                      none, "W", sentence, 900.0, 0.0, 0.0, "[]"),
                                  NULL) &&
                             srv__run(s->fix->store,
                                      ASK(explanation_done, 1, "callgrind", "instructions", "hash",
                                          s->fix->now_ms, none, none, none),
                                      NULL),
                         NULL));
}

static void it_is_in_the_first_message_when_it_is_known(void **state) {
    scene *s = *state;
    begin_explaining(s);
    explain(s, "W rose: +900 ns in `flush`");
    for (int i = 0; i < 3; i++)
        scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "in `flush`"));
}

static void it_is_told_once_behind_the_first_message(void **state) {
    scene *s = *state;
    begin_explaining(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_null(strstr(body_of(s, 0), "flush"));
    explain(s, "W rose: +900 ns in `flush`");
    for (int i = 0; i < 3; i++) {
        scene_round(s, DAY);
        fix_reopen(s->fix);
    }
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_non_null(strstr(body_of(s, 1), ": where it is"));
    assert_non_null(strstr(body_of(s, 1), "in `flush`"));
    /* the levels and the detector's reason were told before */
    assert_null(strstr(body_of(s, 1), "rose from"));
}

static void a_failed_one_is_no_message(void **state) {
    scene *s = *state;
    begin_explaining(s);
    scene_round(s, 0);
    assert_true(srv__begin(s->fix->store, NULL));
    assert_true(srv__end(
        s->fix->store,
        srv__run(s->fix->store,
                 ASK(explanation_fail, 1, "this node has no valgrind", s->fix->now_ms), NULL),
        NULL));
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
}

static void an_alert_that_is_over_needs_none(void **state) {
    scene *s = *state;
    GError *error = NULL;
    begin_explaining(s);
    scene_round(s, 0);
    assert_true(
        srv_alert_set(s->fix->store, 1, "false", "nora", "a cable", s->fix->now_ms, &error));
    explain(s, "W rose: +900 ns in `flush`");
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2); /* the end, and nothing else */
    assert_null(strstr(body_of(s, 1), "where it is"));
}

static void a_text_that_does_not_name_it_is_not_repeated(void **state) {
    static char without[] = "{change}";
    scene *s = *state;
    s->rules[0].text = without;
    begin_explaining(s);
    scene_round(s, 0);
    explain(s, "W rose: +900 ns in `flush`");
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
}

static void a_text_with_the_name_is_sent_again(void **state) {
    static char with[] = "{event}: {where}";
    scene *s = *state;
    s->rules[0].text = with;
    begin_explaining(s);
    scene_round(s, 0);
    explain(s, "W rose: +900 ns in `flush`");
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_non_null(strstr(body_of(s, 0), "raised: not known yet"));
    assert_non_null(strstr(body_of(s, 1), "explained: W rose: +900 ns in `flush`"));
}

static void github_gets_a_comment_below_the_issue(void **state) {
    static const receiver_answer made = {201, NULL, NULL, "{\"number\": 42}"};
    scene *s = *state;
    begin_explaining(s);
    receiver_script(s->receiver, &made, 1);
    scene_round(s, 0);
    explain(s, "W rose: +900 ns in `<b>@flush</b>`");
    receiver_forget(s->receiver);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1); /* it stays open */
    assert_string_equal(receiver_get(s->receiver, 0)->line, "POST /repos/o/r/issues/42/comments");
    assert_non_null(strstr(body_of(s, 0), "&lt;b\\\\>@&#8203;flush"));
    assert_null(strstr(body_of(s, 0), "<b>"));
}

/* Commit first and those after it, of which the last is that of night 7. */
static void search_begins_with(scene *s, int first, size_t count) {
    char sha[4][41];
    srv_commit list[4];
    for (size_t i = 0; i < count; i++) {
        g_strlcpy(sha[i], fix_sha(i + 1 == count ? 7 : first + (int)i), sizeof sha[i]);
        list[i] = (srv_commit){sha[i], "Ada", "ada@example.org", 6500, "One of many", NULL, 0};
    }
    assert_true(srv_bisection_begin(s->fix->store, 1, list, count, NULL, s->fix->now_ms, NULL));
}

static void search_begins(scene *s, size_t count) {
    search_begins_with(s, 100, count);
}

/* That at this place, and the last is as it; they count from 0. */
static void search_finds(scene *s, int64_t place) {
    static const char *const ways[] = {
        "UPDATE bisection SET state='found', low=$1-1, high=$1",
        "UPDATE bisection_commit SET state='before', question_id=NULL WHERE place>$1"};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
        assert_true(srv__run(s->fix->store, sql_text(ways[i], "i"), SRV__ARGS(place), NULL));
}

/* Of so many commits, and found at once. */
static void search_ends(scene *s, size_t count) {
    search_begins(s, count);
    search_finds(s, 2);
}

/* The last of three commits turned red, and stayed, though another one had done it. */
static void a_status_waits_for_the_search_and_is_corrected(void **state) {
    scene *s = *state;
    search_begins(s, 3);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "\"error\""));
    assert_non_null(strstr(body_of(s, 0), "(one or more of 3 commits)"));
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    search_finds(s, 1);
    for (int i = 0; i < 3; i++)
        scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_non_null(strstr(body_of(s, 1), "\"success\""));
    assert_non_null(strstr(body_of(s, 1), " (since "));
    assert_string_equal(receiver_get(s->receiver, 0)->line, receiver_get(s->receiver, 1)->line);
}

static void the_commit_is_told_when_the_search_ends(void **state) {
    scene *s = *state;
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    search_ends(s, 3);
    for (int i = 0; i < 3; i++)
        scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_non_null(strstr(body_of(s, 1), ": the commit"));
    assert_non_null(strstr(body_of(s, 1), ", with "));
}

/* Between the sixth night and the seventh. */
static void night_between(scene *s, int commit, const double means[4]) {
    (void)fix_measure(s->fix, "kieker", commit, "2013-03-06", means);
}

static const char *delivery_of(scene *s, guint i) {
    return receiver_get(s->receiver, i)->delivery;
}

/* Found; then a night shows that it was before the change; then found anew, twice. */
static void a_commit_that_the_range_leaves_is_corrected(void **state) {
    static const char *const events[] = {"alert.raised", "alert.found",     "alert.corrected",
                                         "alert.found",  "alert.corrected", "alert.found"};
    scene *s = *state;
    scene_round(s, 0);
    search_begins_with(s, 100, 4);
    search_finds(s, 0);
    scene_round(s, DAY);
    for (int again = 1; again <= 2; again++) {
        night_between(s, 99 + again, quiet);
        scene_round(s, DAY);
        search_begins_with(s, 100 + again, (size_t)(4 - again));
        search_finds(s, 0);
        for (int i = 0; i < 2; i++)
            scene_round(s, DAY);
    }
    assert_int_equal(receiver_count(s->receiver), G_N_ELEMENTS(events));
    for (guint i = 0; i < G_N_ELEMENTS(events); i++) {
        assert_string_equal(receiver_get(s->receiver, i)->event, events[i]);
        for (guint k = 0; k < i; k++)
            assert_string_not_equal(delivery_of(s, i), delivery_of(s, k));
    }
    g_autofree char *mistake = g_strdup_printf("the search had found %.9s; as", fix_sha(100));
    assert_null(strstr(body_of(s, 1), mistake));
    assert_non_null(strstr(body_of(s, 2), mistake));
    assert_non_null(strstr(body_of(s, 2), "\"bisection\":null"));
}

/* What people read. */
static void the_correction_says_which_commit_it_was_not(void **state) {
    scene *s = *state;
    scene_round(s, 0);
    search_begins_with(s, 100, 4);
    search_finds(s, 0);
    scene_round(s, DAY);
    night_between(s, 100, quiet);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 3);
    g_autofree char *mistake =
        g_strdup_printf("\nThe search had found %.9s; as the change is dated now, it was not "
                        "that commit.\none of ",
                        fix_sha(100));
    json_auto_t *body = json_loads(body_of(s, 2), 0, NULL);
    g_autofree char *text = json_dumps(body, JSON_ENSURE_ASCII);
    g_autofree char *escaped = g_strescape(mistake, NULL);
    assert_non_null(strstr(text, ": not the commit that was named"));
    assert_non_null(strstr(text, escaped));
}

/* Whom nobody was told of needs no correction. */
static void a_search_that_nobody_was_told_of_is_not_corrected(void **state) {
    scene *s = *state;
    scene_round(s, 0);
    search_begins_with(s, 100, 4);
    night_between(s, 100, quiet);
    scene_round(s, DAY);
    search_begins_with(s, 101, 3);
    search_finds(s, 0);
    night_between(s, 101, quiet); /* before a round */
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
}

/* The alert had ended before the commit was told, and came back. */
static void a_commit_that_was_over_before_it_was_told_is_not_corrected(void **state) {
    scene *s = *state;
    scene_round(s, 0);
    search_begins_with(s, 100, 4);
    search_finds(s, 0);
    assert_true(srv__run(s->fix->store,
                         sql_text("INSERT INTO outbox(channel_id, subject, subject_id, event, "
                                  "state, made_ms, not_before_ms) "
                                  "SELECT channel_id, subject, subject_id, 'found', 'over', 1, 1 "
                                  "FROM outbox WHERE event='raised'",
                                  ""),
                         SRV__NO_ARGS, NULL));
    night_between(s, 100, quiet);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
}

/* The night's own commit was found, and is not the one: its status turns from red. */
static void the_status_of_a_commit_that_did_not_do_it_is_taken_back(void **state) {
    scene *s = *state;
    search_begins(s, 3);
    search_finds(s, 2);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "\"failure\""));
    receiver_forget(s->receiver);
    night_between(s, 101, slow);
    for (int i = 0; i < 3; i++)
        scene_round(s, DAY);
    g_autofree char *line = g_strconcat("POST /repos/o/r/statuses/", fix_sha(7), NULL);
    const char *last = NULL;
    for (guint i = 0; i < receiver_count(s->receiver); i++)
        if (g_str_equal(receiver_get(s->receiver, i)->line, line))
            last = body_of(s, i);
    assert_non_null(last);
    assert_null(strstr(last, "\"failure\""));
}

static void one_commit_needs_no_search(void **state) {
    scene *s = *state;
    scene_round(s, 0);
    search_ends(s, 1);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
}

static void a_search_that_ended_before_is_in_the_first_message(void **state) {
    scene *s = *state;
    search_ends(s, 3);
    for (int i = 0; i < 3; i++)
        scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), ", with "));
    night_between(s, 100, slow); /* before what was found */
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_non_null(strstr(body_of(s, 1), ": not the commit that was named"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, scene_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_status_waits_for_the_search_and_is_corrected,
                                        setup_status, scene_teardown),
        cmocka_unit_test_setup_teardown(the_status_of_a_commit_that_did_not_do_it_is_taken_back,
                                        setup_status, scene_teardown),
        cmocka_unit_test_setup_teardown(a_commit_that_the_range_leaves_is_corrected, setup_webhook,
                                        scene_teardown),
        TEST(the_correction_says_which_commit_it_was_not),
        TEST(a_search_that_nobody_was_told_of_is_not_corrected),
        TEST(a_commit_that_was_over_before_it_was_told_is_not_corrected),
        TEST(it_is_in_the_first_message_when_it_is_known),
        TEST(it_is_told_once_behind_the_first_message),
        TEST(a_failed_one_is_no_message),
        TEST(an_alert_that_is_over_needs_none),
        TEST(a_text_that_does_not_name_it_is_not_repeated),
        TEST(a_text_with_the_name_is_sent_again),
        TEST(the_commit_is_told_when_the_search_ends),
        TEST(one_commit_needs_no_search),
        TEST(a_search_that_ended_before_is_in_the_first_message),
        cmocka_unit_test_setup_teardown(github_gets_a_comment_below_the_issue, setup_github,
                                        scene_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, scene_end);
}
