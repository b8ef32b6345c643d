/* Pages, their files and charts: what an address may ask for, and in what form it comes. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "tests/unit/server/expect.h"

static void pages_and_their_files_are_there(void **state) {
    desk *at = *state;
    desk_measure(at);
    static const struct {
        const char *target, *type;
    } cases[] = {
        {"/", "text/html; charset=utf-8"},
        {"/jobs", "text/html; charset=utf-8"},
        {"/projects/kieker?nights=7&anything=x", "text/html; charset=utf-8"},
        {"/experiments/1", "text/html; charset=utf-8"},
        {"/compare?a=1&b=2", "text/html; charset=utf-8"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *answer = desk_call(at, "GET", cases[i].target, NULL, NULL, 200);
        g_autofree char *type = answer_header(answer, "Content-Type");
        g_autofree char *policy = answer_header(answer, "Content-Security-Policy");
        g_autofree char *etag = answer_header(answer, "ETag");
        assert_string_equal(type, cases[i].type);
        assert_non_null(policy);
        g_autofree char *known = g_strdup_printf("If-None-Match: %s\r\n", etag);
        g_free(desk_call(at, "GET", cases[i].target, known, NULL, 304));
    }
    json_decref(desk_json(at, "GET", "/static/nothing.js", NULL, NULL, 404));
    json_decref(desk_json(at, "GET", "/static/%2e%2e/etc/passwd", NULL, NULL, 400));
    json_t *health = desk_get(at, "/healthz");
    assert_string_equal(text_of(health, "status"), "alive");
    json_decref(health);
}

/* With the page's own words, which its script fills in from the API's 404. */
static void a_page_of_nothing_is_not_found(void **state) {
    desk *at = *state;
    static const char *const targets[] = {"/projects/nosuch",   "/experiments/99999",
                                          "/experiments/first", "/alerts/99999",
                                          "/incidents/99999",   "/jobs/99999",
                                          "/sweeps/99999",      "/pull-requests/99999",
                                          "/alerts/1x",         "/jobs/99999999999999999999"};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_autofree char *answer = desk_call(at, "GET", targets[i], NULL, NULL, 404);
        g_autofree char *type = answer_header(answer, "Content-Type");
        g_autofree char *etag = answer_header(answer, "ETag");
        assert_string_equal(type, "text/html; charset=utf-8");
        assert_null(etag);
        assert_non_null(strstr(answer_body(answer), "<main id=\"main\""));
    }
}

static void a_chart_comes_in_three_formats(void **state) {
    desk *at = *state;
    desk_measure(at);
    static const struct {
        const char *target, *type, *begins;
    } cases[] = {
        {"/charts/kieker.svg", "image/svg+xml", "<svg"},
        {"/charts/kieker.png?width=400&height=300&scale=2&theme=dark", "image/png", "\x89PNG"},
        {"/charts/kieker.pdf?view=lines&value=median&range=full&leaf=writing&nights=3",
         "application/pdf", "%PDF"},
        {"/charts/kieker.svg?until=2013-04-03&v=12", "image/svg+xml", "<svg"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *answer = desk_call(at, "GET", cases[i].target, NULL, NULL, 200);
        g_autofree char *type = answer_header(answer, "Content-Type");
        g_autofree char *shared = answer_header(answer, "Cross-Origin-Resource-Policy");
        assert_true(g_str_has_prefix(type, cases[i].type));
        assert_string_equal(shared, "cross-origin");
        const char *body = answer_body(answer);
        if (strncmp(body, cases[i].begins, strlen(cases[i].begins)) != 0 &&
            !strstr(body, cases[i].begins))
            fail_msg("%s begins with %.20s", cases[i].target, body);
    }
}

static void a_chart_that_cannot_be_is_refused(void **state) {
    desk *at = *state;
    desk_measure(at);
    static const desk_refusal cases[] = {
        {"/charts/kieker", NULL, 404, "a chart's name ends in .svg, .png or .pdf"},
        {"/charts/kieker.gif", NULL, 404, "ends in .svg"},
        {"/charts/nobody.svg", NULL, 404, "nobody"},
        {"/charts/kieker.svg?nights=0", NULL, 400, "nights"},
        {"/charts/kieker.svg?nights=5001", NULL, 400, "nights"},
        {"/charts/kieker.svg?width=1", NULL, 400, "width"},
        {"/charts/kieker.svg?height=999999", NULL, 400, "height"},
        {"/charts/kieker.svg?scale=3", NULL, 400, "scale"},
        {"/charts/kieker.svg?theme=blue", NULL, 400, "theme must be light or dark"},
        {"/charts/kieker.svg?view=pie", NULL, 400, "view must be bars or lines"},
        {"/charts/kieker.svg?value=mode", NULL, 400, "value must be mean or median"},
        {"/charts/kieker.svg?range=some", NULL, 400, "range must be typical or full"},
        {"/charts/kieker.svg?until=yesterday", NULL, 400, "until must be a date, YYYY-MM-DD"},
        {"/charts/kieker.svg?colour=red", NULL, 400, "colour"},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

static void a_project_can_be_framed_where_it_may(void **state) {
    desk *at = *state;
    char ancestors[] = "https://wiki.example";
    at->watched->config.embed_ancestors = ancestors;
    desk_measure(at);
    g_autofree char *answer =
        desk_call(at, "GET", "/embed/kieker?theme=dark&view=lines&value=median&range=full&nights=5",
                  NULL, NULL, 200);
    g_autofree char *policy = answer_header(answer, "Content-Security-Policy");
    g_autofree char *frame = answer_header(answer, "X-Frame-Options");
    assert_says(policy, "https://wiki.example");
    assert_null(frame);
    assert_says_not(answer_body(answer), "<script");
    static const desk_refusal cases[] = {
        {"/embed/nobody", NULL, 404, "nobody"},
        {"/embed/kieker?theme=blue", NULL, 400, "theme must be light or dark"},
        {"/embed/kieker?view=pie", NULL, 400, "view must be bars or lines"},
        {"/embed/kieker?value=mode", NULL, 400, "value must be mean or median"},
        {"/embed/kieker?range=some", NULL, 400, "range must be typical or full"},
        {"/embed/kieker?nights=x", NULL, 400, "nights"},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

static void badges_and_feeds_say_how_it_is(void **state) {
    desk *at = *state;
    char public_url[] = "https://moo.example";
    at->watched->config.public_url = public_url;
    desk_measure(at);
    static const struct {
        const char *target, *type, *says;
    } cases[] = {
        {"/projects/kieker/badge.svg", "image/svg+xml", "<svg"},
        {"/projects/kieker/badge.json", "application/json", "\"schemaVersion\""},
        {"/projects/kieker/badge.svg?portion=I", "image/svg+xml", "<svg"},
        {"/projects/kieker/feed.atom", "application/atom+xml; charset=utf-8", "Overhead of kieker"},
        {"/feed.atom", "application/atom+xml; charset=utf-8", "https://moo.example/alerts/1"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *answer = desk_call(at, "GET", cases[i].target, NULL, NULL, 200);
        g_autofree char *type = answer_header(answer, "Content-Type");
        assert_string_equal(type, cases[i].type);
        assert_says(answer_body(answer), cases[i].says);
    }
    static const desk_refusal refusals[] = {
        {"/projects/kieker/badge.svg?portion=X", NULL, 404, "the newest night has no such portion"},
        {"/projects/nobody/badge.svg", NULL, 404, "nobody"},
        {"/projects/nobody/feed.atom", NULL, 404, "nobody"},
    };
    desk_refuses(at, "GET", NULL, refusals, G_N_ELEMENTS(refusals));
}

static void a_feed_of_any_port_leads_to_the_one_that_it_got(void **state) {
    desk *at = *state;
    char public_url[] = "http://127.0.0.1:0";
    at->watched->config.public_url = public_url;
    at->app->http = at->listener->http;
    desk_measure(at);
    g_autofree char *feed = desk_call(at, "GET", "/feed.atom", NULL, NULL, 200);
    g_autofree char *alert = g_strconcat(srv_http_url(at->listener->http), "/alerts/1", NULL);
    assert_says(feed, alert);
    assert_says_not(feed, public_url);
}

static void the_watchers_watcher_gets_numbers(void **state) {
    desk *at = *state;
    desk_measure(at);
    fix_add(at->fix, "kieker", 20, "2013-04-20", SRV_KIND_NIGHTLY);
    json_t *ready = desk_get(at, "/readyz");
    assert_string_equal(text_of(ready, "status"), "ready");
    json_decref(ready);
    g_autofree char *plain = desk_call(at, "GET", "/metrics", NULL, NULL, 200);
    static const char *const lines[] = {
        "moowatch_start_time_seconds 5\n",
        "moowatch_jobs{state=\"queued\"} 1\n",
        "moowatch_configuration_problems 0\n",
        "moowatch_event_streams 0\n",
        "moowatch_requests_waiting{worker=\"writer\"} 0\n",
        "moowatch_project_nights{project=\"kieker\"} 7\n",
        "moowatch_project_jobs_queued{project=\"kieker\"} 1\n",
        "moowatch_project_alerts_open{project=\"kieker\"} 1\n",
        "moowatch_project_problem{project=\"kieker\"} 0\n",
        "overhead_portion_seconds{project=\"kieker\",portion=\"T\",configuration=\"none\"} 7",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        assert_says(plain, lines[i]);
    g_autofree char *open =
        desk_call(at, "GET", "/metrics", "Accept: application/openmetrics-text; version=1.0.0\r\n",
                  NULL, 200);
    g_autofree char *plain_type = answer_header(plain, "Content-Type");
    g_autofree char *open_type = answer_header(open, "Content-Type");
    assert_string_equal(plain_type, "text/plain; version=0.0.4; charset=utf-8");
    assert_string_equal(open_type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(pages_and_their_files_are_there),
        DESK_TEST(a_page_of_nothing_is_not_found),
        DESK_TEST(a_chart_comes_in_three_formats),
        DESK_TEST(a_chart_that_cannot_be_is_refused),
        DESK_TEST(a_project_can_be_framed_where_it_may),
        DESK_TEST(badges_and_feeds_say_how_it_is),
        DESK_TEST(a_feed_of_any_port_leads_to_the_one_that_it_got),
        DESK_TEST(the_watchers_watcher_gets_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
