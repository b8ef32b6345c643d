/* What people say of a night, from the command line. */
#include "tests/unit/ci/command/asked.h"

#define NOTE(a, ...) CALL(ci_note, "note", "--server", (a)->url, __VA_ARGS__)
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

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(one_is_made),
        ASKED(all_are_listed),
        ASKED(one_is_removed),
        ASKED(what_is_half_said_is_refused),
        ASKED(what_the_server_refuses_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
