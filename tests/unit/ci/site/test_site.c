/* A server's pages as files: what is written, asked for again, kept and removed. */
#include "tests/unit/ci/site/served.h"

static bool write_as(asked *a, const ci_site_options *how, ci_files_count *count, GError **error) {
    const ci_client_options o = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    ci_site_options own = *how;
    own.folder = a->folder;
    own.now_ms = 1770000000000;
    return ci_site_write(client, &own, count, error);
}

static ci_files_count written(asked *a, ci_site_options how) {
    GError *error = NULL;
    ci_files_count count;
    if (!write_as(a, &how, &count, &error))
        fail_msg("%s", error->message);
    return count;
}

static void a_whole_site(void **state) {
    asked *a = *state;
    const ci_files_count count =
        written(a, (ci_site_options){.url = "https://example.org/overhead"});
    assert_int_equal(count.same + count.removed, 0);
    static const char *const there[] = {"index.html",
                                        "404.html",
                                        "compare/index.html",
                                        "jobs/index.html",
                                        "experiments/index.html",
                                        "projects/p/index.html",
                                        "projects/q/index.html",
                                        "alerts/4/index.html",
                                        "incidents/5/index.html",
                                        "sweeps/6/index.html",
                                        "charts/p.svg",
                                        "flames/4/full-before-dark.svg",
                                        CI_FILES_MANIFEST};
    for (size_t i = 0; i < G_N_ELEMENTS(there); i++)
        if (!is_written(a, there[i]))
            fail_msg("%s is not there", there[i]);
    expect_words_at(a, "projects/p/index.html", "href=\"../../");
    expect_text_at(a, "api/v1/projects.json",
                   "{\"items\":[{\"name\":\"p\",\"repository\":\"https://git.example/p\","
                   "\"running\":null},{\"name\":\"q\",\"running\":null}],\"next\":null}");
    expect_text_at(a, "api/v1/status.json", "{\"version\":\"22\",\"written_ms\":1770000000000}");
    expect_text_at(a, "api/v1/jobs.json", "{\"items\":[{\"id\":12},{\"id\":11}],\"next\":null}");
    expect_text_at(a, "api/v1/alerts/index.json", "[4]");
    expect_text_at(a, "api/v1/incidents/index.json", "[5]");
    expect_text_at(a, "api/v1/sweeps/index.json", "[6]");
    expect_words_at(a, "feed.atom", "href=\"https://example.org/overhead/feed.atom\"");
    /* what asks for a token, or answers a server's 404, is no part of a site */
    assert_false(is_written(a, "static/access.html"));
    assert_true(is_written(a, "static/style.css"));
}

/* In which file each experiment is: swept ones have a file each. */
static void where_experiments_are(void **state) {
    asked *a = *state;
    (void)written(a, (ci_site_options){0});
    expect_text_at(a, "api/v1/experiments.json.gz",
                   "{\"*\":[4,{\"id\":[9,3,2,1],\"project\":{\"=\":[4,\"p\"]},"
                   "\"month\":[null,\"2026-02\",\"2026-01\",\"2026-01\"]}]}");
    assert_true(is_written(a, "api/v1/experiments/9.json.gz"));
    expect_text_at(a, "api/v1/projects/p/nights/index.json",
                   "{\"months\":[[\"2026-02\",1,[3]],[\"2026-01\",2,[2,1]]]}");
    expect_text_at(a, "api/v1/projects/q/nights/index.json", "{\"months\":[]}");
}

static void again_without_a_change(void **state) {
    asked *a = *state;
    const ci_files_count first = written(a, (ci_site_options){0});
    serve(a, NULL, 0);
    const ci_files_count second = written(a, (ci_site_options){0});
    assert_int_equal(second.written, 0);
    assert_int_equal(second.removed, 0);
    assert_int_equal(second.same, first.written);
    assert_int_equal(second.bytes, first.bytes);
    assert_int_equal(asked_for(a, "/api/v1/experiments/1"), 0);
    assert_int_equal(asked_for(a, "/api/v1/experiments/9"), 0);
    assert_int_equal(asked_for(a, "/api/v1/projects/p/commits"), 0);
    serve(a, NULL, 0);
    const ci_files_count anew = written(a, (ci_site_options){.again = true});
    assert_int_equal(anew.written, 0); /* asked for, but the same bytes */
    assert_int_equal(asked_for(a, "/api/v1/experiments/1"), 1);
    assert_int_equal(asked_for(a, "/api/v1/projects/p/commits"), 1);
}

/* A new night changes its month alone. */
static void a_new_night(void **state) {
    asked *a = *state;
    (void)written(a, (ci_site_options){0});
    SERVE(a,
          {"/api/v1/projects/p/nights",
           MARKED("\"n2\"", "{\"items\": [" NIGHT("4", "2026-02-02", "ddd") ", " NIGHT(
                                "3", "2026-02-01", "ccc") ", " OLD_NIGHTS "], \"next\": null}")});
    (void)written(a, (ci_site_options){0});
    assert_int_equal(asked_for(a, "/api/v1/experiments/4"), 1);
    assert_int_equal(asked_for(a, "/api/v1/experiments/3"), 1);
    assert_int_equal(asked_for(a, "/api/v1/experiments/2"), 0);
    expect_words_at(a, "projects/p/data.js", "\"id\": \"ddd\"");
}

/* What is no more goes; what is asked for alone stays alone. */
static void one_project_of_two(void **state) {
    asked *a = *state;
    (void)written(a, (ci_site_options){0});
    const ci_files_count count =
        written(a, (ci_site_options){.wanted = (const char *const[]){"q", NULL}});
    assert_true(count.removed > 10);
    assert_false(is_written(a, "projects/p"));
    assert_false(is_written(a, "alerts"));
    assert_true(is_written(a, "projects/q/index.html"));
    expect_text_at(a, "api/v1/alerts/index.json", "[]");
    GError *error = NULL;
    const ci_site_options none = {.wanted = (const char *const[]){"q", "r", NULL}};
    assert_false(write_as(a, &none, NULL, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "only 1 of the projects that --project names");
}

/* Whatever the server has trouble with is named; nothing is removed. */
static void trouble_anywhere(void **state) {
    asked *a = *state;
    static const char *const addresses[] = {"/api/v1/projects",
                                            "/api/v1/projects/p/nights",
                                            "/api/v1/experiments/2",
                                            "/api/v1/experiments/9",
                                            "/api/v1/projects/p/alerts",
                                            "/api/v1/projects/p/sweeps",
                                            "/api/v1/alerts/4",
                                            "/api/v1/sweeps/6",
                                            "/charts/p.svg",
                                            "/charts/p.png",
                                            "/projects/p/feed.atom",
                                            "/flames/4/full.svg",
                                            "/api/v1/status",
                                            "/api/v1/alerts",
                                            "/api/v1/jobs",
                                            "/feed.atom"};
    (void)written(a, (ci_site_options){0});
    for (size_t i = 0; i < G_N_ELEMENTS(addresses); i++) {
        const receiver_page bad = {addresses[i], TROUBLE};
        serve(a, &bad, 1);
        GError *error = NULL;
        const ci_site_options how = {.again = true};
        if (write_as(a, &how, NULL, &error))
            fail_msg("%s: was written", addresses[i]);
        if (!strstr(error->message, addresses[i]))
            fail_msg("\"%s\" does not name %s", error->message, addresses[i]);
        EXPECT_ERROR(error, CI_ERROR_SERVER, ": 503 no room");
        assert_true(is_written(a, "projects/p/index.html") && is_written(a, "charts/p.svg"));
    }
    serve(a, NULL, 0);
    assert_int_equal(written(a, (ci_site_options){0}).removed, 0);
}

/* A name that leads out of the folder is no name. */
static void a_name_that_leads_out(void **state) {
    asked *a = *state;
    SERVE(a, {"/api/v1/projects", ITEMS("{\"name\": \"../x\"}")}, {"/api/v1/x/nights", ITEMS("")});
    GError *error = NULL;
    const ci_site_options how = {0};
    assert_false(write_as(a, &how, NULL, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "\"projects/../x/data.js\" cannot name a file of a site");
}

static void no_json(void **state) {
    asked *a = *state;
    GError *error = NULL;
    const ci_site_options how = {0};
    SERVE(a, {"/api/v1/alerts/4", {200, NULL, NULL, "<html>"}});
    assert_false(write_as(a, &how, NULL, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "/api/v1/alerts/4: the server's answer is not JSON");
}

/* Commits the server cannot tell are told as such: the page says why. */
static void commits_that_are_not_known(void **state) {
    asked *a = *state;
    SERVE(a, {"/api/v1/projects/p/commits", {404, NULL, NULL, "{\"detail\": \"no clone\"}"}});
    (void)written(a, (ci_site_options){0});
    g_autofree char *text = text_at(a, "api/v1/projects/p/commits.json.gz");
    json_auto_t *all = json_loads(text, 0, NULL);
    const json_t *one = json_object_get(all, "aaa..bbb");
    assert_int_equal(json_array_size(json_object_get(one, "items")), 0);
    assert_non_null(strstr(ci_json_text(one, "reason", ""), ": 404 no clone"));
}

static void a_folder_of_others(void **state) {
    asked *a = *state;
    g_free(put(a->folder, "thesis.tex", "x"));
    GError *error = NULL;
    const ci_site_options how = {0};
    assert_false(write_as(a, &how, NULL, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "such as thesis.tex");
    assert_int_equal(receiver_count(a->server), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {IN_SERVED(a_whole_site),
                                       IN_SERVED(where_experiments_are),
                                       IN_SERVED(again_without_a_change),
                                       IN_SERVED(a_new_night),
                                       IN_SERVED(one_project_of_two),
                                       IN_SERVED(trouble_anywhere),
                                       IN_SERVED(a_name_that_leads_out),
                                       IN_SERVED(no_json),
                                       IN_SERVED(commits_that_are_not_known),
                                       IN_SERVED(a_folder_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
