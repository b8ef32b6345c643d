/* What people say of a night, from the command line. */
#include "tests/unit/ci/command/asked.h"

#define NOTE(a, ...) CALL(ci_command_note.run, "note", "--server", (a)->url, __VA_ARGS__)
#define NOTES "/api/v1/projects/p/notes"

static void one_is_made(void **state) {
    asked *a = *state;
    ANSWER(a, {201, NULL, NULL, "{\"note\": 3}"});
    g_auto(called) c = NOTE(a, "p", "2024-03-05", "JDK updated");
    expect_called(&c, CI_OK, "3\n", "");
    EXPECT_REQUESTS(a, "POST " NOTES);
    assert_string_equal(receiver_get(a->server, 0)->body,
                        "{\"night\":\"2024-03-05\",\"text\":\"JDK updated\"}");
}

static void all_are_listed(void **state) {
    asked *a = *state;
    static const char page[] =
        "{\"items\": [{\"id\": 3, \"night\": \"2024-03-05\", \"text\": \"JDK\\u001b[2J\", "
        "\"author\": \"ada\"}], \"next\": null}";
    ANSWER(a, JSON(page), JSON(page));
    g_auto(called) c = NOTE(a, "p");
    expect_called(&c, CI_OK, "3 2024-03-05 JDK", "");
    assert_null(strchr(c.out, '\033')); /* strangers' text drives no terminal */
    assert_non_null(strstr(c.out, "(ada)"));
    g_auto(called) json = NOTE(a, "p", "--json");
    expect_called(&json, CI_OK, "{\"items\":[{\"id\":3", "");
    EXPECT_REQUESTS(a, "GET " NOTES, "GET " NOTES);
}

static void one_is_removed(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"note\": 3}"));
    g_auto(called) c = NOTE(a, "p", "--remove=3", "--reason=it was not");
    expect_called(&c, CI_OK, "", "");
    EXPECT_REQUESTS(a, "POST /api/v1/notes/3/remove");
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"reason\":\"it was not\"}");
}

static void what_is_half_said_is_refused(void **state) {
    asked *a = *state;
    g_auto(called) half = NOTE(a, "p", "2024-03-05");
    expect_called(&half, CI_USAGE, "", "give NIGHT and TEXT both");
    g_auto(called) why = NOTE(a, "p", "--remove=3");
    expect_called(&why, CI_USAGE, "", "--remove and --reason go together");
    g_auto(called) number = NOTE(a, "p", "--remove=x", "--reason=y");
    expect_called(&number, CI_USAGE, "", "--remove needs the number of a note");
    g_auto(called) bytes = NOTE(a, "p", "2024-03-05", "\xff\xfe");
    expect_called(&bytes, CI_USAGE, "", "must be UTF-8 text");
    EXPECT_NO_REQUEST(a);
}

static void what_the_server_refuses_is_told(void **state) {
    asked *a = *state;
    ANSWER(a, {404, NULL, NULL, "{\"detail\": \"there is no note 3\"}"},
           {403, NULL, NULL, "{\"detail\": \"a token is needed\"}"});
    g_auto(called) c = NOTE(a, "p", "--remove=3", "--reason=y");
    expect_called(&c, CI_SERVER, "", "404 there is no note 3");
    g_auto(called) all = NOTE(a, "p");
    expect_called(&all, CI_SERVER, "", "403 a token is needed");
}

/* Levels that people set, from the command line. */

#define BASELINE(a, ...)                                                                           \
    CALL(ci_command_baseline.run, "baseline", "--server", (a)->url, __VA_ARGS__)
#define BASELINES "/api/v1/projects/p/baselines"

static void body_is(asked *a, guint request, const char *body) {
    assert_string_equal(receiver_get(a->server, request)->body, body);
}

static void baseline_one_is_made(void **state) {
    asked *a = *state;
    ANSWER(a, {201, NULL, NULL, "{\"baseline\": 3}"}, {201, NULL, NULL, "{\"baseline\": 4}"});
    g_auto(called) c = BASELINE(a, "p", "2024-03-05", "--reason=new compiler");
    expect_called(&c, CI_OK, "3\n", "");
    g_auto(called) two = BASELINE(a, "p", "2024-03-05", "--reason=x", "--portion=W", "--portion=I");
    expect_called(&two, CI_OK, "4\n", "");
    EXPECT_REQUESTS(a, "POST " BASELINES, "POST " BASELINES);
    body_is(a, 0, "{\"reason\":\"new compiler\",\"night\":\"2024-03-05\"}");
    body_is(a, 1, "{\"reason\":\"x\",\"night\":\"2024-03-05\",\"portions\":[\"W\",\"I\"]}");
}

static void an_alert_is_moved_and_removed(void **state) {
    asked *a = *state;
    ANSWER(a, {201, NULL, NULL, "{\"baseline\": 5}"}, {201, NULL, NULL, "{\"baseline\": 6}"});
    g_auto(called) moved = BASELINE(a, "p", "2024-03-05", "--alert=7", "--reason=x");
    expect_called(&moved, CI_OK, "5\n", "");
    g_auto(called) removed = BASELINE(a, "p", "--alert=7", "--reason=noise");
    expect_called(&removed, CI_OK, "6\n", "");
    EXPECT_REQUESTS(a, "POST " BASELINES, "POST " BASELINES);
    body_is(a, 0, "{\"reason\":\"x\",\"night\":\"2024-03-05\",\"alert\":7}");
    body_is(a, 1, "{\"reason\":\"noise\",\"alert\":7}");
}

static void one_is_undone(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"baseline\": 3}"));
    g_auto(called) c = BASELINE(a, "p", "--undo=3", "--reason=it was not");
    expect_called(&c, CI_OK, "", "");
    EXPECT_REQUESTS(a, "POST /api/v1/baselines/3/undo");
    body_is(a, 0, "{\"reason\":\"it was not\"}");
}

static void baseline_all_are_listed(void **state) {
    asked *a = *state;
    static const char page[] =
        "{\"items\": [{\"id\": 5, \"night\": null, \"portions\": [{\"portion\": \"I\"}, "
        "{\"portion\": \"W\"}], \"alert\": 7, \"was\": \"2024-03-05\", \"reason\": "
        "\"no\\u001b[2J\", \"author\": \"ada\"}, {\"id\": 3, \"night\": \"2024-03-02\", "
        "\"portions\": null, \"alert\": null, \"was\": null, \"reason\": \"new compiler\", "
        "\"author\": \"bob\"}], \"next\": null}";
    ANSWER(a, JSON(page), JSON(page));
    g_auto(called) c = BASELINE(a, "p");
    expect_called(&c, CI_OK, "5 none I W: alert 7, was 2024-03-05: no", "");
    assert_non_null(strstr(c.out, "\n3 2024-03-02 all: new compiler (bob)\n"));
    assert_null(strchr(c.out, '\033')); /* strangers' text drives no terminal */
    g_auto(called) json = BASELINE(a, "p", "--json");
    expect_called(&json, CI_OK, "{\"items\":[{\"id\":5", "");
    EXPECT_REQUESTS(a, "GET " BASELINES, "GET " BASELINES);
}

static void baseline_what_is_half_said_is_refused(void **state) {
    asked *a = *state;
    g_auto(called) why = BASELINE(a, "p", "2024-03-05");
    expect_called(&why, CI_USAGE, "", "--reason goes with NIGHT, --alert or --undo");
    g_auto(called) what = BASELINE(a, "p", "--reason=x");
    expect_called(&what, CI_USAGE, "", "--reason goes with NIGHT, --alert or --undo");
    g_auto(called) own = BASELINE(a, "p", "--alert=7", "--portion=W", "--reason=x");
    expect_called(&own, CI_USAGE, "", "an alert has its own portions");
    g_auto(called) night = BASELINE(a, "p", "--portion=W");
    expect_called(&night, CI_USAGE, "", "--portion needs NIGHT");
    g_auto(called) both = BASELINE(a, "p", "2024-03-05", "--undo=3", "--reason=x");
    expect_called(&both, CI_USAGE, "", "--undo needs PROJECT and --reason alone");
    g_auto(called) alert = BASELINE(a, "p", "--alert=x", "--reason=y");
    expect_called(&alert, CI_USAGE, "", "--alert needs the number of an alert");
    g_auto(called) undo = BASELINE(a, "p", "--undo=x", "--reason=y");
    expect_called(&undo, CI_USAGE, "", "--undo needs the number of a level set by hand");
    g_auto(called) bytes = BASELINE(a, "p", "\xff\xfe", "--reason=x");
    expect_called(&bytes, CI_USAGE, "", "must be UTF-8 text");
    g_auto(called) text = BASELINE(a, "p", "--undo=3", "--reason=\xff\xfe");
    expect_called(&text, CI_USAGE, "", "Invalid byte sequence");
    EXPECT_NO_REQUEST(a);
}

static void baseline_what_the_server_refuses_is_told(void **state) {
    asked *a = *state;
    ANSWER(a, {409, NULL, NULL, "{\"detail\": \"baseline 3 begins with it already\"}"},
           {403, NULL, NULL, "{\"detail\": \"a token is needed\"}"});
    g_auto(called) c = BASELINE(a, "p", "2024-03-05", "--reason=y");
    expect_called(&c, CI_SERVER, "", "409 baseline 3 begins with it already");
    g_auto(called) all = BASELINE(a, "p");
    expect_called(&all, CI_SERVER, "", "403 a token is needed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(one_is_made),
        ASKED(all_are_listed),
        ASKED(one_is_removed),
        ASKED(what_is_half_said_is_refused),
        ASKED(what_the_server_refuses_is_told),

        ASKED(baseline_one_is_made),
        ASKED(an_alert_is_moved_and_removed),
        ASKED(one_is_undone),
        ASKED(baseline_all_are_listed),
        ASKED(baseline_what_is_half_said_is_refused),
        ASKED(baseline_what_the_server_refuses_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
