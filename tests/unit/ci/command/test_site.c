/* moowatch site: what it is told, what it says, and its exit status. */
#include "tests/unit/ci/command/served.h"

static void says_what_it_did(void **state) {
    asked *a = *state;
    g_autofree char *head = g_strconcat(a->folder, ": ", NULL);
    g_auto(called) first = CALL(ci_command_site.run, "site", a->folder, "--server", a->url, "--url",
                                "https://example.org/overhead//");
    expect_called(&first, CI_OK, " written, 0 unchanged, 0 removed; 0.", "");
    assert_true(g_str_has_prefix(first.out, head));
    expect_words_at(a, "projects/p/feed.atom", "href=\"https://example.org/overhead/alerts/4\"");
    g_auto(called) second = CALL(ci_command_site.run, "site", a->folder, "--server", a->url,
                                 "--url", "https://example.org/overhead");
    expect_called(&second, CI_OK, ": 1 written, ", ""); /* when it was written */
    g_auto(called) one =
        CALL(ci_command_site.run, "site", a->folder, "-s", a->url, "-p", "q", "--all");
    expect_called(&one, CI_OK, " removed; 0.", "");
    assert_false(is_written(a, "projects/p"));
    assert_true(is_written(a, "projects/q"));
}

static void called_wrongly(void **state) {
    asked *a = *state;
    g_auto(called) alone = CALL(ci_command_site.run, "site");
    expect_called(&alone, CI_USAGE, "", "an argument is missing");
    g_auto(called) url =
        CALL(ci_command_site.run, "site", a->folder, "--server", a->url, "--url", "example.org");
    expect_called(&url, CI_USAGE, "", "--url example.org: must begin with https:// or http://");
    g_unsetenv("MOOWATCH_SERVER");
    g_auto(called) server = CALL(ci_command_site.run, "site", a->folder);
    expect_called(&server, CI_USAGE, "", "which server?");
    g_auto(called) scheme = CALL(ci_command_site.run, "site", a->folder, "-s", "127.0.0.1:8300");
    expect_called(&scheme, CI_USAGE, "", "http://127.0.0.1:8300?");
    EXPECT_NO_REQUEST(a);
    g_auto(called) project = CALL(ci_command_site.run, "site", a->folder, "-s", a->url, "-p", "r");
    expect_called(&project, CI_INPUT, "", "--project r: the server has no project of that name");
}

static void a_server_in_trouble(void **state) {
    asked *a = *state;
    SERVE(a, {"/api/v1/status", TROUBLE});
    g_auto(called) c = CALL(ci_command_site.run, "site", a->folder, "--server", a->url);
    expect_called(&c, CI_SERVER, "", "/api/v1/status: 503 no room");
}

int main(void) {
    const struct CMUnitTest tests[] = {IN_SERVED(says_what_it_did), IN_SERVED(called_wrongly),
                                       IN_SERVED(a_server_in_trouble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
