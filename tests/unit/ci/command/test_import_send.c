/* What is sent to be imported: an export as it is, or lines that were just made. */
#include "tests/unit/ci/command/asked.h"

#include "ci/command/import_send.h"

static void which_file_is_an_export(void **state) {
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"{\"moowatch_export\": 1}\n", true},
                 {"{\"moowatch_export\": 1, \"project\": \"p\"}\n{\"type\": \"night\"}\n", true},
                 {"{\"moowatch_export\": 9}", true}, /* of a later release: the server says so */
                 {"{\"entries\": {}}\n", false},
                 {"\n{\"moowatch_export\": 1}\n", false},
                 {"{\n\"moowatch_export\": 1}\n", false},
                 {"[\"moowatch_export\"]\n", false},
                 {"", false},
                 {"moowatch_export\n", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = put(*state, "file", cases[i].text);
        if (ci_import_is_export(path) != cases[i].is)
            fail_msg("%s", cases[i].text);
    }
    assert_false(ci_import_is_export(*state));
    assert_false(ci_import_is_export("/no/such/file"));
}

static void lines_go_out_as_they_are_printed(void **state) {
    asked *a = *state;
    const ci_client_options options = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&options, NULL);
    json_t *lines = json_of("[{'b': 1, 'a': 'ä'}, {'c': null}]");
    ANSWER(a, JSON("{\"nights\": 1}"), JSON("{}"));
    json_t *answer = ci_import_send_lines(client, "a/b", lines, NULL);
    expect_real(answer, "nights", 1);
    EXPECT_REQUESTS(a, "POST /api/v1/projects/a/b/import");
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"b\":1,\"a\":\"ä\"}\n{\"c\":null}\n");
    json_decref(answer);
    json_array_clear(lines);
    json_decref(ci_import_send_lines(client, "p", lines, NULL));
    assert_string_equal(receiver_get(a->server, 1)->body, "");
    json_decref(lines);
}

static void a_file_that_went_away(void **state) {
    asked *a = *state;
    const ci_client_options options = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&options, NULL);
    GError *error = NULL;
    assert_null(ci_import_send_file(client, "p", "/no/such/file", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "/no/such/file");
    EXPECT_NO_REQUEST(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(which_file_is_an_export),
        ASKED(lines_go_out_as_they_are_printed),
        ASKED(a_file_that_went_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
