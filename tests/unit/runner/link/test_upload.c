#include "tests/unit/runner/test.h"

#include "runner/link/client.h"
#include "runner/link/upload.h"

#include <string.h>

static void test_delay_grows_to_a_minute(void **state) {
    (void)state;
    const unsigned expected[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(run_upload_delay_s(i + 1), expected[i]);
    assert_int_equal(run_upload_delay_s(1000000), 60);
}

static void test_judge(void **state) {
    (void)state;
    const struct {
        long status;
        int code; /* -1: fine */
    } cases[] = {{200, -1},
                 {201, -1},
                 {204, -1},
                 {301, RUN_ERROR_REFUSED},
                 {400, RUN_ERROR_REFUSED},
                 {401, RUN_ERROR_AWAY},
                 {403, RUN_ERROR_AWAY},
                 {408, RUN_ERROR_AWAY},
                 {409, RUN_ERROR_LOST},
                 {413, RUN_ERROR_REFUSED},
                 {422, RUN_ERROR_REFUSED},
                 {429, RUN_ERROR_AWAY},
                 {500, RUN_ERROR_AWAY},
                 {507, RUN_ERROR_AWAY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char detail[] = "because";
        run_answer answer = {.status = cases[i].status, .detail = detail};
        GError *problem = NULL;
        assert_int_equal(run_client_judge(&answer, "what", &problem), cases[i].code == -1);
        if (cases[i].code != -1)
            assert_error(problem, cases[i].code, "what: the server answered");
    }
}

static void test_client_refuses(void **state) {
    (void)state;
    GError *problem = NULL;
    assert_null(run_client_new("file:///etc/passwd", "t", -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "http");
    assert_null(run_client_new("http://s", "a\r\nX: y", -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "token");
    assert_null(run_client_new("http://s", "", -1, &problem));
    assert_error(problem, RUN_ERROR_JOB, "token");
}

static void test_no_server_is_away(void **state) {
    (void)state;
    g_autoptr(run_client) client = run_client_new("http://127.0.0.1:1/", "t", -1, NULL);
    g_auto(run_answer) answer = {0};
    GError *problem = NULL;
    json_t *body = json_object();
    assert_false(run_client_post(client, "/x", body, 5, &answer, &problem));
    assert_error(problem, RUN_ERROR_AWAY, "no answer from http://127.0.0.1:1:");
    json_decref(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay_grows_to_a_minute), cmocka_unit_test(test_judge),
        cmocka_unit_test(test_client_refuses), cmocka_unit_test(test_no_server_is_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
