/* Alerts from the command line: listed, and decided. */
#include "tests/unit/ci/command/asked.h"

#define ALERT(a, ...) CALL(ci_command_alert.run, "alert", "--server", (a)->url, __VA_ARGS__)

static void all_are_listed(void **state) {
    asked *a = *state;
    static const char page[] =
        "{\"items\": [{\"id\": 7, \"state\": \"open\", \"headline\": \"W rose\\u001b[2J\", "
        "\"to\": {\"night\": \"2024-03-05\"}}], \"next\": null}";
    ANSWER(a, JSON(page), JSON(page));
    g_auto(called) c = ALERT(a, "p");
    expect_called(&c, CI_OK, "7 2024-03-05 open W rose", "");
    assert_null(strchr(c.out, '\033'));
    g_auto(called) json = ALERT(a, "p", "--json");
    expect_called(&json, CI_OK, "{\"items\":[{\"id\":7", "");
    EXPECT_REQUESTS(a, "GET /api/v1/projects/p/alerts", "GET /api/v1/projects/p/alerts");
}

static void one_is_decided(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"id\": 7, \"project\": \"p\"}"), JSON("{\"id\": 7}"),
           JSON("{\"id\": 7, \"project\": \"p\"}"),
           {400, NULL, NULL, "{\"detail\": \"state: must be\"}"});
    g_auto(called) c = ALERT(a, "p", "7", "accepted", "--reason=a new JDK");
    expect_called(&c, CI_OK, "", "");
    EXPECT_REQUESTS(a, "GET /api/v1/alerts/7", "POST /api/v1/alerts/7/state");
    assert_string_equal(receiver_get(a->server, 1)->body,
                        "{\"state\":\"accepted\",\"reason\":\"a new JDK\"}");
    g_auto(called) wrong = ALERT(a, "p", "7", "gone", "--reason=r");
    expect_called(&wrong, CI_SERVER, "", "400 state: must be");
}

static void another_projects_is_not_decided(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"id\": 7, \"project\": \"other\"}"));
    g_auto(called) c = ALERT(a, "p", "7", "accepted", "--reason=r");
    expect_called(&c, CI_USAGE, "", "alert 7 is of project other, not of p");
    EXPECT_REQUESTS(a, "GET /api/v1/alerts/7");
}

static void what_is_half_said_is_refused(void **state) {
    asked *a = *state;
    g_auto(called) half = ALERT(a, "p", "7");
    expect_called(&half, CI_USAGE, "", "give NUMBER, STATE and --reason, or none of them");
    g_auto(called) why = ALERT(a, "p", "7", "open");
    expect_called(&why, CI_USAGE, "", "give NUMBER, STATE and --reason");
    g_auto(called) number = ALERT(a, "p", "x", "open", "--reason=r");
    expect_called(&number, CI_USAGE, "", "“x” is not the number of an alert");
    g_auto(called) bytes = ALERT(a, "p", "7", "\xff", "--reason=r");
    expect_called(&bytes, CI_USAGE, "", "must be UTF-8 text");
    EXPECT_NO_REQUEST(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(all_are_listed),
        ASKED(one_is_decided),
        ASKED(another_projects_is_not_decided),
        ASKED(what_is_half_said_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
