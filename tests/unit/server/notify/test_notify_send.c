/* One message out of the house: what an answer means, and that no secret gets into a problem. */
#include "tests/unit/test.h"

#include "server/notify/notify_send.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/receiver.h"

static int setup(void **state) {
    *state = receiver_new();
    return 0;
}

static int teardown(void **state) {
    receiver_free(*state);
    return 0;
}

static void post(receiver *to, const receiver_answer *answer, srv_sent *out) {
    g_autofree char *url =
        g_strdup_printf("http://ada:pass@127.0.0.1:%u/hook/s3cret?key=s3cret", receiver_port(to));
    const srv_send_http request = {
        .method = "POST", .url = url, .bearer = "s3cret", .body = "{\"a\":1}"};
    receiver_script(to, answer, 1);
    srv_send_over_http(&request, out);
}

static void an_answer_says_whether_to_try_again(void **state) {
    static const struct {
        receiver_answer answer;
        bool delivered, refused;
        int64_t retry_after_ms;
        const char *problem;
    } cases[] = {
        {{200, NULL, NULL, "ok"}, true, false, 0, NULL},
        {{204, NULL, NULL, NULL}, true, false, 0, NULL},
        {{400, NULL, NULL, ""}, false, true, 0, " answers 400"},
        {{413, NULL, NULL, ""}, false, true, 0, "answers 413"},
        {{415, NULL, NULL, ""}, false, true, 0, "answers 415"},
        {{422, NULL, NULL, ""}, false, true, 0, "answers 422"},
        {{404, NULL, NULL, ""}, false, false, 0, "answers 404"},
        {{429, "Retry-After", "7", ""}, false, false, 7000, "answers 429"},
        {{503, "Retry-After", "43200", ""}, false, false, 43200000, "answers 503"},
        {{503, "Retry-After", "99999999", ""}, false, false, 86400000, "answers 503"},
        {{503, "Retry-After", "soon", ""}, false, false, 0, "answers 503"},
        {{503, "Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT", ""}, false, false, 0, "answers 503"},
        {{503, "Retry-After", "Fri, 06 Nov 2099 08:49:37 GMT", ""},
         false,
         false,
         86400000,
         "answers 503"},
        {{500, NULL, NULL, ""}, false, false, 0, "answers 500"},
        {{302, "Location", "http://evil.example/s3cret", ""},
         false,
         false,
         0,
         "a redirect to http://evil.example, which is not followed"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(srv_sent) out = {0};
        post(*state, &cases[i].answer, &out);
        if (out.delivered != cases[i].delivered || out.refused != cases[i].refused ||
            out.retry_after_ms != cases[i].retry_after_ms)
            fail_msg("case %zu", i);
        assert_int_equal(out.status, cases[i].answer.status);
        if (cases[i].problem)
            assert_says(out.problem, cases[i].problem);
        else
            assert_null(out.problem);
        assert_says_not(out.problem, "s3cret");
        assert_says_not(out.problem, "pass");
    }
}

static void what_is_sent_is_what_was_given(void **state) {
    static const receiver_answer good = {200, NULL, NULL, "{\"b\":2}"};
    g_auto(srv_sent) out = {0};
    post(*state, &good, &out);
    const receiver_request *got = receiver_get(*state, 0);
    assert_string_equal(got->line, "POST /hook/s3cret");
    assert_string_equal(got->body, "{\"a\":1}");
    assert_string_equal(got->type, "application/json");
    assert_string_equal(got->authorization, "Bearer s3cret");
    assert_string_equal(out.answer, "{\"b\":2}");
    assert_true(out.date_s > 1700000000);
}

static void an_answer_without_end_is_not_kept(void **state) {
    g_autofree char *large = g_strnfill(SRV_SEND_ANSWER_BYTES_MAX + 1, 'x');
    const receiver_answer answer = {200, NULL, NULL, large};
    g_auto(srv_sent) out = {0};
    post(*state, &answer, &out);
    assert_false(out.delivered);
    assert_non_null(out.problem);
    assert_true(strlen(out.answer) <= SRV_SEND_ANSWER_BYTES_MAX);
}

static void an_address_that_leads_nowhere_is_told(void **state) {
    (void)state;
    static const char *const urls[] = {"http://127.0.0.1:1/s3cret", "ftp://127.0.0.1/s3cret",
                                       "file:///etc/passwd",        "gopher://127.0.0.1/s3cret",
                                       "no address s3cret",         ""};
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        g_auto(srv_sent) out = {0};
        const srv_send_http request = {.method = "GET", .url = urls[i]};
        srv_send_over_http(&request, &out);
        assert_false(out.delivered || out.refused);
        assert_non_null(out.problem);
        assert_says_not(out.problem, "s3cret");
        assert_says_not(out.answer, "root:");
    }
}

static bool at_once(void *user) {
    ++*(int *)user;
    return true;
}

static void a_stopping_daemon_gives_the_call_up(void **state) {
    g_autofree char *url = g_strdup_printf("http://127.0.0.1:%u/", receiver_port(*state));
    int asked = 0;
    g_auto(srv_sent) out = {0};
    const srv_send_http request = {.stop = {at_once, &asked}, .method = "GET", .url = url};
    srv_send_over_http(&request, &out);
    assert_false(out.delivered);
    assert_true(asked > 0);
}

static void mail_needs_its_settings(void **state) {
    (void)state;
    char url[] = "smtp://127.0.0.1:1", from[] = "moo@example.org", to[] = "ada@example.org";
    char user[] = "moo", gone[] = "/nonexistent/password";
    char *const list[] = {to, NULL};
    const struct {
        cfg_mail mail;
        const char *says;
    } cases[] = {
        {{.from = from}, "the server has no mail: in its configuration"},
        {{.url = url, .from = from, .user = user, .password_file = gone}, "/nonexistent/password"},
        {{.url = url, .from = from}, "smtp://127.0.0.1:1: "},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(srv_sent) out = {0};
        const srv_send_mail message = {.mail = &cases[i].mail,
                                       .to = list,
                                       .subject = "s",
                                       .message_id = "<1@x>",
                                       .list_id = "<l>",
                                       .date = "Wed, 17 Apr 2013 02:00:00 +0000",
                                       .text = "text",
                                       .html = "<p>html"};
        srv_send_over_smtp(&message, &out);
        assert_false(out.delivered);
        assert_says(out.problem, cases[i].says);
    }
}

int main(void) {
#define RECEIVED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        RECEIVED(an_answer_says_whether_to_try_again),
        RECEIVED(what_is_sent_is_what_was_given),
        RECEIVED(an_answer_without_end_is_not_kept),
        RECEIVED(an_address_that_leads_nowhere_is_told),
        RECEIVED(a_stopping_daemon_gives_the_call_up),
        RECEIVED(mail_needs_its_settings),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
