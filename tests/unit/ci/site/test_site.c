/* A server's pages as files: what is written, asked for again, kept and removed. */
#include "tests/unit/ci/site/served.h"

#include <glib/gstdio.h>

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

/* Modules of a newer version would ask in vain for what is not there yet. */
static void data_are_there_before_the_pages(void **state) {
    asked *a = *state;
    g_autoptr(GError) error = NULL;
    ci_files_count count;
    SERVE(a, {"/api/v1/status", TROUBLE});
    assert_false(write_as(a, &(ci_site_options){0}, &count, &error));
    assert_true(is_written(a, "api/v1/places/index.json"));
    assert_false(is_written(a, "static/style.css"));
    assert_false(is_written(a, "experiments/index.html"));
    serve(a, NULL, 0);
    (void)written(a, (ci_site_options){0});
    assert_true(is_written(a, "static/style.css"));
}

/* Pages show three or four digits of a project's newest values; sixteen are most of what is loaded.
 */
static void a_projects_numbers_are_short(void **state) {
    asked *a = *state;
    SERVE(a, {"/api/v1/projects", ITEMS("{\"name\": \"p\", \"portions\": [{\"spark_ns\":"
                                        " [70.12345678901, null, 3]}]}")});
    (void)written(a, (ci_site_options){0});
    expect_text_at(a, "api/v1/projects.json",
                   "{\"items\":[{\"name\":\"p\",\"portions\":[{\"spark_ns\":[70.12346,null,3]}],"
                   "\"running\":null}],\"next\":null}");
    expect_words_at(a, "api/v1/projects/p.json", "[70.12346,null,3]");
}

/* In which file each experiment is: swept ones have a file each. */
static void where_experiments_are(void **state) {
    asked *a = *state;
    (void)written(a, (ci_site_options){0});
    expect_text_at(a, "api/v1/places/0.json.gz",
                   "{\"*\":[4,{\"id\":[9,3,2,1],\"project\":{\"=\":[4,\"p\"]},"
                   "\"month\":[null,\"2026-02\",\"2026-01\",\"2026-01\"]}]}");
    expect_text_at(a, "api/v1/places/index.json", "[0]");
    expect_text_at(a, "api/v1/names.json", "[\"p\",\"q\"]");
    expect_text_at(a, "api/v1/titles.json",
                   "{\"items\":[{\"name\":\"p\",\"repository\":\"https://git.example/p\"},"
                   "{\"name\":\"q\"}],\"next\":null}");
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

static void expect_files_alike(const char *one, const char *other) {
    GDir *directory = g_dir_open(one, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(directory))) {
        g_autofree char *ours = g_build_filename(one, name, NULL), *a = NULL;
        g_autofree char *theirs = g_build_filename(other, name, NULL), *b = NULL;
        gsize size_a, size_b;
        if (g_file_test(ours, G_FILE_TEST_IS_DIR)) {
            expect_files_alike(ours, theirs);
            continue;
        }
        assert_true(g_file_get_contents(ours, &a, &size_a, NULL));
        if (!g_file_get_contents(theirs, &b, &size_b, NULL))
            fail_msg("%s is not there", theirs);
        if (size_a != size_b || memcmp(a, b, size_a) != 0)
            fail_msg("%s is not as %s", ours, theirs);
    }
    g_dir_close(directory);
}

/* What was written step by step is what a folder with nothing in it gets, to the byte. */
static void expect_as_anew(const asked *a) {
    asked other = *a;
    assert_int_equal(make_folder((void **)&other.folder), 0);
    (void)written(&other, (ci_site_options){0});
    expect_files_alike(a->folder, other.folder);
    expect_files_alike(other.folder, a->folder);
    remove_below(other.folder);
    assert_int_equal(remove_folder((void **)&other.folder), 0);
}

/* A new night changes its month alone, and of that it alone is asked for. */
static void a_new_night(void **state) {
    asked *a = *state;
    (void)written(a, (ci_site_options){0});
    SERVE(a,
          {"/api/v1/projects/p/nights",
           MARKED("\"n2\"", "{\"items\": [" NIGHT("4", "2026-02-02", "ddd") ", " NIGHT(
                                "3", "2026-02-01", "ccc") ", " OLD_NIGHTS "], \"next\": null}")});
    (void)written(a, (ci_site_options){0});
    assert_int_equal(asked_for(a, "/api/v1/experiments/4"), 1);
    assert_int_equal(asked_for(a, "/api/v1/experiments/3"), 0);
    assert_int_equal(asked_for(a, "/api/v1/experiments/2"), 0);
    expect_words_at(a, "projects/p/data.js", "\"id\": \"ddd\"");
    expect_as_anew(a);
}

#define STAMPS(p_, q_)                                                                             \
    {                                                                                              \
        "/api/v1/stamps", ITEMS("{\"project\": \"p\", \"stamp\": \"" p_                            \
                                "\"}, {\"project\": \"q\", \"stamp\": \"" q_ "\"}")                \
    }

/* Of a project whose word is the same nothing is asked for, and all of it stays; its own answer is
 * that of the list. */
static void a_project_that_is_as_it_was(void **state) {
    asked *a = *state;
    SERVE(a, STAMPS("r-1", "r-1"));
    const ci_files_count first = written(a, (ci_site_options){0});
    g_autofree char *places = text_at(a, "api/v1/places/0.json.gz");
    SERVE(a, STAMPS("r-1", "r-2"),
          {"/api/v1/projects", ITEMS("{\"name\": \"p\", \"repository\": \"https://git.example/p\", "
                                     "\"polled_ms\": 9}, {\"name\": \"q\"}")});
    const ci_files_count second = written(a, (ci_site_options){0});
    assert_int_equal(second.removed, 0);
    assert_int_equal(second.written, 2); /* the project's answer, and the list */
    assert_int_equal(second.same, first.written - 2);
    static const char *const left[] = {"/api/v1/projects/p/nights",
                                       "/api/v1/projects/p/alerts",
                                       "/api/v1/alerts/4",
                                       "/api/v1/sweeps/6",
                                       "/charts/p.svg",
                                       "/projects/p/badge.svg",
                                       "/flames/4/full.svg"};
    for (size_t i = 0; i < G_N_ELEMENTS(left); i++)
        if (asked_for(a, left[i]) > 0)
            fail_msg("%s was asked for", left[i]);
    assert_int_equal(asked_for(a, "/api/v1/projects/q/nights"), 1);
    expect_text_at(a, "api/v1/projects/p.json",
                   "{\"name\":\"p\",\"repository\":\"https://git.example/"
                   "p\",\"polled_ms\":9,\"running\":null}");
    expect_text_at(a, "api/v1/alerts/index.json", "[4]");
    expect_text_at(a, "api/v1/incidents/index.json", "[5]");
    expect_text_at(a, "api/v1/sweeps/index.json", "[6]");
    assert_true(is_written(a, "flames/4/full-before-dark.svg"));
    g_autofree char *again = text_at(a, "api/v1/places/0.json.gz");
    json_auto_t *one = json_loads(places, 0, NULL), *two = json_loads(again, 0, NULL);
    assert_true(json_equal(one, two));
}

/* The word is good for the server, the token and the address that it was asked with. */
static void another_address_is_another_site(void **state) {
    asked *a = *state;
    SERVE(a, STAMPS("r-1", "r-1"));
    (void)written(a, (ci_site_options){0});
    SERVE(a, STAMPS("r-1", "r-1"));
    (void)written(a, (ci_site_options){.url = "https://example.org"});
    assert_int_equal(asked_for(a, "/projects/p/feed.atom"), 1);
    expect_words_at(a, "projects/p/feed.atom", "https://example.org/alerts/4");
    SERVE(a, STAMPS("r-1", "r-1"));
    g_autofree char *gone = g_build_filename(a->folder, "charts", "p.svg", NULL);
    assert_int_equal(g_unlink(gone), 0);
    (void)written(a, (ci_site_options){.url = "https://example.org"});
    assert_int_equal(asked_for(a, "/charts/p.svg"), 3); /* light, dark, all nights */
    assert_int_equal(asked_for(a, "/projects/q/badge.svg"), 0);
    assert_true(is_written(a, "charts/p.svg"));
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
    EXPECT_ERROR(error, CI_ERROR_INPUT, "--project r: the server has no project of that name");
}

/* Whatever the server has trouble with is named; nothing is removed. */
static void trouble_anywhere(void **state) {
    asked *a = *state;
    static const char *const addresses[] = {"/api/v1/projects",
                                            "/api/v1/stamps",
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
                                       IN_SERVED(data_are_there_before_the_pages),
                                       IN_SERVED(a_projects_numbers_are_short),
                                       IN_SERVED(where_experiments_are),
                                       IN_SERVED(again_without_a_change),
                                       IN_SERVED(a_new_night),
                                       IN_SERVED(a_project_that_is_as_it_was),
                                       IN_SERVED(another_address_is_another_site),
                                       IN_SERVED(one_project_of_two),
                                       IN_SERVED(trouble_anywhere),
                                       IN_SERVED(a_name_that_leads_out),
                                       IN_SERVED(no_json),
                                       IN_SERVED(commits_that_are_not_known),
                                       IN_SERVED(a_folder_of_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
