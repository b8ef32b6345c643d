/* A server's answers as files: what is written, asked for again, kept and removed. */
#include "tests/unit/test.h"
#include "tests/unit/web/site/folder.h"

#include "web/site/site.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *address, *etag, *body; /* body NULL: there is none, "!": the server is in trouble */
} answer;

/* Two projects: "p" with nights and one of each thing, "q" without a night. */
#define ITEMS(items_) "{\"items\": [" items_ "], \"next\": null}"
#define NIGHT(id_, date_)                                                                          \
    "{\"experiment\": " id_ ", \"night\": \"" date_ "\", \"state\": \"measured\"}"
#define OLD_NIGHTS NIGHT("2", "2026-01-31") ", " NIGHT("1", "2026-01-30")
#define LIST "?limit=5000"
#define NIGHTS "/api/v1/projects/p/nights" LIST
#define ALERT                                                                                      \
    "{\"id\": 4, \"from\": {\"experiment\": 1, \"commit\": {\"sha\": \"aaa\"}}, \"to\": "          \
    "{\"experiment\": 3, \"commit\": {\"sha\": \"bbb\"}}, \"explanation\": {\"portions\": "        \
    "[{\"configuration\": \"a b\"}]}}"

static const answer SERVED[] = {
    {"/api/v1/status", "1", "{\"version\": \"22\"}"},
    {"/api/v1/projects", "1",
     ITEMS("{\"name\": \"p\", \"title\": \"P\", \"repository\": \"https://git.example/p\", "
           "\"branches\": [{\"branch\": \"1/x\"}]}, {\"name\": \"q\"}")},
    {"/api/v1/projects/p", "1", "{\"name\": \"p\"}"},
    {"/api/v1/projects/p?branch=1%2Fx", "1", "{\"name\": \"p~1-x\"}"},
    {"/api/v1/projects/q", "1", "{\"name\": \"q\"}"},
    {NIGHTS "&portions=brief", "1", ITEMS(NIGHT("3", "2026-02-01") ", " OLD_NIGHTS)},
    {NIGHTS, "1", ITEMS("1")},
    {NIGHTS "&portions=columns", "1", ITEMS("2")},
    {"/api/v1/projects/q/nights" LIST "&portions=brief", "1", ITEMS("")},
    {"/api/v1/experiments/1", "1", "{\"experiment\": 1}"},
    {"/api/v1/experiments/2", "1", "{\"experiment\": 2}"},
    {"/api/v1/experiments/3", "1", "{\"experiment\": 3}"},
    {"/api/v1/experiments/4", "1", "{\"experiment\": 4}"},
    {"/api/v1/experiments/9", "1", "{\"experiment\": 9}"},
    {"/api/v1/compare?a=1&b=2", "1", "{\"b\": 2}"},
    {"/api/v1/compare?a=2&b=3", "1", "{\"b\": 3}"},
    {"/api/v1/compare?a=3&b=4", "1", "{\"b\": 4}"},
    {"/api/v1/compare?a=1&b=3", "1", "{\"b\": \"alert\"}"},
    {"/api/v1/projects/p/alerts" LIST, "1", ITEMS("{\"id\": 4}")},
    {"/api/v1/projects/p/incidents" LIST, "1", ITEMS("{\"id\": 5}")},
    {"/api/v1/projects/p/sweeps" LIST, "1", ITEMS("{\"id\": 6}")},
    {"/api/v1/projects/p/commits?after=aaa&until=bbb&limit=200", "1", "{\"total\": 1}"},
    {"/api/v1/projects/q/alerts" LIST, "1", ITEMS("")},
    {"/api/v1/projects/q/incidents" LIST, "1", ITEMS("")},
    {"/api/v1/projects/q/sweeps" LIST, "1", ITEMS("")},
    {"/api/v1/alerts/4", "1", ALERT},
    {"/api/v1/incidents/5", "1", "{\"id\": 5}"},
    {"/api/v1/sweeps/6", "1", "{\"values\": [{\"experiment\": 9}, {\"experiment\": null}]}"},
    {"/charts/p.svg?theme=dark", "1", "<svg>dark</svg>"},
    {"/charts/p.svg", "1", "<svg>light</svg>"},
    {"/charts/p.svg?nights=90&width=320&height=320&theme=dark", "1", "<svg>phone</svg>"},
    {"/charts/p.svg?nights=30&width=900&height=380&theme=light", "1", "<svg>frame</svg>"},
    {"/projects/p/feed.atom", "1",
     "<link rel=\"self\" href=\"http://lab:8080/projects/p/feed.atom\"/>"
     "<link href=\"http://lab:8080/alerts/4\"/>"},
    {"/feed.atom", "1", "<link rel=\"self\" href=\"http://lab:8080/feed.atom\"/>"},
    {"/embed/p", "1",
     "<a href=\"/projects/p\"><img src=\"/charts/p.svg?nights=30&amp;width=900&amp;height=380"
     "&amp;theme=light\"></a>"},
    {"/flames/4/a%20b.svg?view=before&theme=dark&width=1200", "1", "<svg>flame</svg>"},
    {"/api/v1/alerts?state=open&limit=1000", "1", ITEMS("{\"id\": 4}")},
    {"/api/v1/jobs?state=done&limit=300", "1", ITEMS("{\"id\": 11}")},
};

typedef struct {
    char *folder;
    answer others[4]; /* in place of those of SERVED */
    size_t count;
    GPtrArray *asked;
} bench;

static const answer *find(const bench *at, const char *address) {
    for (size_t i = 0; i < at->count; i++)
        if (strcmp(at->others[i].address, address) == 0)
            return &at->others[i];
    for (size_t i = 0; i < G_N_ELEMENTS(SERVED); i++)
        if (strcmp(SERVED[i].address, address) == 0)
            return &SERVED[i];
    return NULL;
}

static GBytes *ask(void *user, const char *address, char **etag, GError **error) {
    bench *at = user;
    const answer *found = find(at, address);
    const bool same = found && g_strcmp0(*etag, found->etag) == 0;
    g_ptr_array_add(at->asked, g_strdup(address));
    g_free(*etag);
    *etag = g_strdup(found ? found->etag : NULL);
    const bool trouble = found && g_strcmp0(found->body, "!") == 0;
    if (!found || !found->body || trouble)
        g_set_error(error, WEB_SITE_ERROR, trouble ? WEB_SITE_ERROR_ANSWER : WEB_SITE_ERROR_ABSENT,
                    "%s: %s", address, trouble ? "503 no room" : "404");
    else if (!same)
        return g_bytes_new(found->body, strlen(found->body));
    return NULL;
}

static bool write_as(bench *at, web_site_options how, web_files_count *count, GError **error) {
    g_ptr_array_set_size(at->asked, 0);
    how.folder = at->folder;
    how.now_ms = 1770000000000;
    how.ask = ask;
    how.user = at;
    return web_site_write(&how, count, error);
}

static web_files_count written(bench *at, web_site_options how) {
    GError *error = NULL;
    web_files_count count;
    if (!write_as(at, how, &count, &error))
        fail_msg("%s", error->message);
    return count;
}

static void serve(bench *at, answer other) {
    assert_true(at->count < G_N_ELEMENTS(at->others));
    at->others[at->count++] = other;
}

static unsigned asked_for(const bench *at, const char *address) {
    unsigned count = 0;
    for (guint i = 0; i < at->asked->len; i++)
        count += strcmp(at->asked->pdata[i], address) == 0;
    return count;
}

static bool is_written(const bench *at, const char *path) {
    g_autofree char *full = g_build_filename(at->folder, path, NULL);
    return g_file_test(full, G_FILE_TEST_EXISTS);
}

static void expect_text_at(const bench *at, const char *path, const char *text) {
    g_autofree char *full = g_build_filename(at->folder, path, NULL), *got = NULL;
    if (!g_file_get_contents(full, &got, NULL, NULL))
        fail_msg("%s is not there", path);
    assert_string_equal(got, text);
}

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *folder;
    const int code = folder_make(&folder);
    at->folder = folder;
    at->asked = g_ptr_array_new_with_free_func(g_free);
    *state = at;
    return code;
}

static int teardown(void **state) {
    bench *at = *state;
    void *folder = at->folder;
    g_ptr_array_unref(at->asked);
    g_free(at);
    return folder_remove(&folder);
}

static void a_whole_site(void **state) {
    bench *at = *state;
    const web_files_count count = written(at, (web_site_options){0});
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
                                        "static/style.css",
                                        WEB_FILES_MANIFEST,
                                        "api/v1/experiments/3.json.gz",
                                        "api/v1/experiments/9.json.gz",
                                        "api/v1/incidents/5.json",
                                        "api/v1/compare,a=1,b=2.json.gz",
                                        "api/v1/projects/p,branch=1%2Fx.json",
                                        "api/v1/projects/p/nights.json.gz",
                                        "api/v1/projects/p/nights,portions=columns.json.gz",
                                        "api/v1/alerts,state=open.json",
                                        "api/v1/jobs,state=done.json"};
    assert_int_equal(count.same + count.removed, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(there); i++)
        if (!is_written(at, there[i]))
            fail_msg("%s is not there", there[i]);
    /* as they came */
    expect_text_at(at, "api/v1/status.json", "{\"version\": \"22\"}");
    expect_text_at(at, "api/v1/alerts/4.json", ALERT);
    expect_text_at(at, "api/v1/projects.json", find(at, "/api/v1/projects")->body);
    expect_text_at(at, "api/v1/compare,a=1,b=3.json.gz", "{\"b\": \"alert\"}");
    expect_text_at(at, "api/v1/projects/p/commits,after=aaa,until=bbb.json", "{\"total\": 1}");
    expect_text_at(at, "flames/4/a%20b,theme=dark,view=before.svg", "<svg>flame</svg>");
    expect_text_at(at, "charts/p,height=320,nights=90,theme=dark,width=320.svg",
                   "<svg>phone</svg>");
    expect_text_at(at, "charts/p,theme=dark.svg", "<svg>dark</svg>");
    expect_text_at(at, "api/v1/written.json", "{\"written_ms\":1770000000000}");
    /* what asks for a token, or what the server does not have, is no part of a site */
    static const char *const absent[] = {"static/access.html", "charts/q.svg",
                                         "projects/p/badge.svg", "charts/p.png"};
    for (size_t i = 0; i < G_N_ELEMENTS(absent); i++)
        assert_false(is_written(at, absent[i]));
}

static void each_address_once(void **state) {
    bench *at = *state;
    (void)written(at, (web_site_options){0});
    for (guint i = 0; i < at->asked->len; i++)
        if (asked_for(at, at->asked->pdata[i]) != 1)
            fail_msg("%s", (const char *)at->asked->pdata[i]);
}

/* What follows from the nights, an alert or a sweep is not even asked for. */
static void again_without_a_change(void **state) {
    bench *at = *state;
    const web_files_count first = written(at, (web_site_options){0});
    const web_files_count second = written(at, (web_site_options){0});
    assert_int_equal(second.written + second.removed, 0);
    assert_int_equal(second.same, first.written);
    assert_int_equal(second.bytes, first.bytes);
    static const char nights[] = NIGHTS;
    static const char *const followers[] = {
        "/api/v1/experiments/1",
        "/api/v1/experiments/9",
        "/api/v1/compare?a=1&b=3",
        "/charts/p.svg",
        nights,
        "/api/v1/projects/p/commits?after=aaa&until=bbb&limit=200"};
    for (size_t i = 0; i < G_N_ELEMENTS(followers); i++)
        assert_int_equal(asked_for(at, followers[i]), 0);
    assert_int_equal(asked_for(at, "/api/v1/alerts/4"), 1);
    const web_files_count anew = written(at, (web_site_options){.again = true});
    assert_int_equal(anew.written, 0); /* asked for, but the same bytes */
    for (size_t i = 0; i < G_N_ELEMENTS(followers); i++)
        assert_int_equal(asked_for(at, followers[i]), 1);
}

/* A new night is asked for alone, with what shows all nights. */
static void a_new_night(void **state) {
    bench *at = *state;
    (void)written(at, (web_site_options){0});
    serve(at,
          (answer){NIGHTS "&portions=brief", "2",
                   ITEMS(NIGHT("4", "2026-02-02") ", " NIGHT("3", "2026-02-01") ", " OLD_NIGHTS)});
    (void)written(at, (web_site_options){0});
    assert_int_equal(asked_for(at, "/api/v1/experiments/4"), 1);
    assert_int_equal(asked_for(at, "/api/v1/compare?a=3&b=4"), 1);
    assert_int_equal(asked_for(at, "/charts/p.svg"), 1);
    assert_int_equal(asked_for(at, "/api/v1/experiments/3"), 0);
    assert_true(is_written(at, "api/v1/experiments/4.json.gz"));
}

/* From the first other line on: an older one says the same of its night. */
static void a_night_that_changed(void **state) {
    bench *at = *state;
    (void)written(at, (web_site_options){0});
    serve(at, (answer){
                  NIGHTS "&portions=brief", "2",
                  ITEMS(NIGHT("3", "2026-02-01") ", {\"experiment\": 2, \"night\": \"2026-01-31\", "
                                                 "\"state\": \"quarantined\"}, " NIGHT(
                                                     "1", "2026-01-30"))});
    (void)written(at, (web_site_options){0});
    assert_int_equal(asked_for(at, "/api/v1/experiments/3"), 1);
    assert_int_equal(asked_for(at, "/api/v1/experiments/2"), 1);
    assert_int_equal(asked_for(at, "/api/v1/experiments/1"), 0);
    assert_int_equal(asked_for(at, "/api/v1/compare?a=1&b=2"), 1);
    assert_int_equal(asked_for(at, "/api/v1/compare?a=2&b=3"), 0); /* it counts no more */
    assert_false(is_written(at, "api/v1/compare,a=2,b=3.json.gz"));
    assert_true(is_written(at, "api/v1/compare,a=1,b=3.json.gz"));
}

/* Another version, or somebody who sees more, may be told something else of all. */
static void of_another_server(void **state) {
    bench *at = *state;
    (void)written(at, (web_site_options){0});
    (void)written(at, (web_site_options){.asks = "details"});
    assert_int_equal(asked_for(at, "/api/v1/experiments/1"), 1);
    serve(at, (answer){"/api/v1/status", "2", "{\"version\": \"23\"}"});
    (void)written(at, (web_site_options){.asks = "details"});
    assert_int_equal(asked_for(at, "/api/v1/experiments/1"), 1);
}

static void what_is_gone_goes(void **state) {
    bench *at = *state;
    (void)written(at, (web_site_options){0});
    serve(at, (answer){"/api/v1/projects/p/alerts" LIST, "2", ITEMS("")});
    assert_true(written(at, (web_site_options){0}).removed > 3);
    assert_false(is_written(at, "alerts/4/index.html"));
    assert_false(is_written(at, "flames"));
    (void)written(at, (web_site_options){.wanted = (const char *const[]){"q", NULL}});
    assert_false(is_written(at, "projects/p"));
    assert_false(is_written(at, "api/v1/experiments"));
    expect_text_at(at, "api/v1/projects.json", "{\"items\":[{\"name\":\"q\"}],\"next\":null}");
}

static void profiles_that_were_removed_are_not_drawn(void **state) {
    bench *at = *state;
    serve(at, (answer){"/api/v1/alerts/4", "2",
                       "{\"id\": 4, \"explanation\": {\"removed_ms\": 1, \"portions\": "
                       "[{\"configuration\": \"a b\"}]}}"});
    (void)written(at, (web_site_options){0});
    assert_false(is_written(at, "flames"));
}

/* Modules of a newer version would ask in vain for what is not there yet. */
static void data_are_there_before_the_pages(void **state) {
    bench *at = *state;
    web_files_count count;
    g_autoptr(GError) error = NULL;
    serve(at, (answer){"/api/v1/projects/q/sweeps" LIST, NULL, "!"});
    assert_false(write_as(at, (web_site_options){0}, &count, &error));
    assert_string_equal(error->message, "/api/v1/projects/q/sweeps" LIST ": 503 no room");
    assert_true(is_written(at, "api/v1/projects/p/nights.json.gz"));
    assert_false(is_written(at, "static/style.css"));
    at->count = 0;
    (void)written(at, (web_site_options){0});
    assert_true(is_written(at, "static/style.css"));
}

static void feeds_lead_to_the_site(void **state) {
    bench *at = *state;
    const web_site_options how = {.base = "https://example.org/o"};
    (void)written(at, how);
    expect_text_at(at, "projects/p/feed.atom",
                   "<link rel=\"self\" href=\"https://example.org/o/projects/p/feed.atom\"/>"
                   "<link href=\"https://example.org/o/alerts/4\"/>");
    expect_text_at(at, "feed.atom",
                   "<link rel=\"self\" href=\"https://example.org/o/feed.atom\"/>");
    static const char *const odd[] = {"<feed/>", "<link rel=\"self\" href=\"/feed.atom\"/>",
                                      "<link rel=\"self\" href=\"http://lab/other\"/>"};
    for (size_t i = 0; i < G_N_ELEMENTS(odd); i++) {
        at->count = 0;
        serve(at, (answer){"/feed.atom", "2", odd[i]});
        (void)written(at, how);
        expect_text_at(at, "feed.atom", odd[i]);
    }
    at->count = 0;
    (void)written(at, (web_site_options){0}); /* to the server again */
    expect_text_at(at, "feed.atom", "<link rel=\"self\" href=\"http://lab:8080/feed.atom\"/>");
}

/* The page for frames shows the site's own charts, which are written for it. */
static void a_frame(void **state) {
    bench *at = *state;
    (void)written(at, (web_site_options){0});
    expect_text_at(at, "embed/p/index.html",
                   "<a href=\"../../projects/p/\">"
                   "<img src=\"../../charts/p,height=380,width=900.svg\"></a>");
    expect_text_at(at, "charts/p,height=380,width=900.svg", "<svg>frame</svg>");
}

static void what_is_no_answer(void **state) {
    bench *at = *state;
    static const struct {
        answer other;
        const char *wanted, *words;
    } cases[] = {
        {{"/api/v1/alerts/4", "2", "<html>"},
         NULL,
         "/api/v1/alerts/4: the server's answer is not JSON"},
        {{"/api/v1/alerts/4", "2", NULL},
         NULL,
         "/api/v1/alerts/4: the server's answer is not JSON"},
        {{"/api/v1/projects", "2", "{}"}, NULL, "/api/v1/projects: the server's answer is no list"},
        {{NIGHTS "&portions=brief", "2", "{}"},
         NULL,
         NIGHTS "&portions=brief: the server's answer is no list"},
        {{"/api/v1/projects/p/sweeps" LIST, "2", "[]"},
         NULL,
         "/api/v1/projects/p/sweeps" LIST ": the server's answer is no list"},
        {{"/api/v1/status", "2", "!"}, NULL, "/api/v1/status: 503 no room"},
        {{"/none", NULL, NULL}, "r", "--project r: the server has no project of that name"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *wanted[] = {cases[i].wanted, NULL};
        web_files_count count;
        g_autoptr(GError) error = NULL;
        at->count = 0;
        serve(at, cases[i].other);
        assert_false(write_as(at, (web_site_options){.wanted = wanted}, &count, &error));
        assert_string_equal(error->message, cases[i].words);
    }
}

#define SITE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        SITE_TEST(a_whole_site),
        SITE_TEST(each_address_once),
        SITE_TEST(again_without_a_change),
        SITE_TEST(a_new_night),
        SITE_TEST(a_night_that_changed),
        SITE_TEST(of_another_server),
        SITE_TEST(what_is_gone_goes),
        SITE_TEST(profiles_that_were_removed_are_not_drawn),
        SITE_TEST(data_are_there_before_the_pages),
        SITE_TEST(feeds_lead_to_the_site),
        SITE_TEST(a_frame),
        SITE_TEST(what_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
