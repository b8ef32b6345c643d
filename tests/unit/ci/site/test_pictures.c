/* Charts, badges, feeds and frames of a site: what is changed in them, and what is left out. */
#include "tests/unit/ci/site/served.h"

#include "ci/site/pictures.h"

typedef struct {
    ci_client *client;
    ci_source source;
} opened;

static opened open_source(const asked *a, const char *url) {
    const ci_client_options o = {.server = a->url};
    opened s = {.client = ci_client_new(&o, NULL)};
    s.source =
        (ci_source){.client = s.client, .files = ci_files_open(a->folder, false, NULL), .url = url};
    assert_non_null(s.source.files);
    return s;
}

static ci_files_count end_source(opened *s) {
    ci_files_count count;
    assert_true(ci_files_close(s->source.files, false, &count, NULL));
    ci_client_free(s->client);
    return count;
}

static ci_files_count pictures(const asked *a, const char *url) {
    opened s = open_source(a, url);
    GError *error = NULL;
    if (!ci_site_pictures(&s.source, "p", &error) || !ci_site_feed(&s.source, &error))
        fail_msg("%s", error->message);
    return end_source(&s);
}

static void charts_of_each_theme(void **state) {
    asked *a = *state;
    assert_int_equal(pictures(a, NULL).written, 5);
    expect_text_at(a, "charts/p.svg", "<svg>light</svg>");
    expect_text_at(a, "charts/p-dark.svg", "<svg>dark</svg>");
    expect_text_at(a, "charts/p-all.svg", "<svg>all</svg>");
    /* the server has no badge of a project without a verdict, and no PNG */
    assert_false(is_written(a, "projects/p/badge.svg"));
    assert_false(is_written(a, "charts/p.png"));
}

/* A chart that was taken away on the server goes; one with the same mark stays. */
static void charts_that_go_and_stay(void **state) {
    asked *a = *state;
    (void)pictures(a, NULL);
    SERVE(a, {"/charts/p.svg?theme=dark", {404, NULL, NULL, "{}"}});
    const ci_files_count count = pictures(a, NULL);
    assert_int_equal(count.removed, 1);
    assert_int_equal(count.same, 4);
    assert_false(is_written(a, "charts/p-dark.svg"));
}

static void feeds_lead_to_the_site(void **state) {
    asked *a = *state;
    (void)pictures(a, "https://example.org/o");
    expect_text_at(a, "projects/p/feed.atom",
                   "<link rel=\"self\" href=\"https://example.org/o/projects/p/feed.atom\"/>"
                   "<link href=\"https://example.org/o/alerts/4\"/>");
    expect_text_at(a, "feed.atom", "<link rel=\"self\" href=\"https://example.org/o/feed.atom\"/>");
    static const char *const odd[] = {"<feed/>", "<link rel=\"self\" href=\"/feed.atom\"/>",
                                      "<link rel=\"self\" href=\"http://lab/other\"/>"};
    for (size_t i = 0; i < G_N_ELEMENTS(odd); i++) {
        SERVE(a, {"/feed.atom", {200, NULL, NULL, odd[i]}});
        (void)pictures(a, "https://example.org/o");
        expect_text_at(a, "feed.atom", odd[i]);
    }
}

static void feeds_without_an_address(void **state) {
    asked *a = *state;
    (void)pictures(a, NULL);
    expect_words_at(a, "projects/p/feed.atom", "href=\"http://lab:8080/alerts/4\"");
}

/* The page for frames shows the site's own charts, whatever nights the server's has. */
static void a_frame(void **state) {
    asked *a = *state;
    SERVE(a, {"/embed/p", JSON("<a href=\"/projects/p\"><img src=\"/charts/p.svg?nights=30\">"
                               "<source srcset=\"/charts/p.svg?nights=30&theme=dark\"></a>")});
    (void)pictures(a, NULL);
    expect_text_at(a, "embed/p/index.html",
                   "<a href=\"../../projects/p/\"><img src=\"../../charts/p.svg\">"
                   "<source srcset=\"../../charts/p-dark.svg\"></a>");
}

/* An answer that is cut off is kept as it came. */
static void a_frame_without_an_end(void **state) {
    asked *a = *state;
    SERVE(a, {"/embed/p", JSON("<img src=\"/charts/p.svg?nights=30")});
    (void)pictures(a, NULL);
    expect_words_at(a, "embed/p/index.html", ".svg?nights=30");
}

static unsigned flames(asked *a, const char *explanation) {
    json_auto_t *json = json_of(explanation);
    opened s = open_source(a, NULL);
    receiver_forget(a->server);
    assert_true(ci_site_flames(&s.source, 4, json, NULL));
    return end_source(&s).written;
}

/* Twelve a portion: three views, two themes, for the page and as a picture. */
static void flame_graphs(void **state) {
    asked *a = *state;
    SERVE(a, {"/flames/4/a b.svg?view=before&theme=dark&width=1200", JSON("<svg/>")});
    assert_int_equal(flames(a, "{'portions': [{'configuration': 'a b'}, {'name': 'x'}]}"), 1);
    assert_int_equal(receiver_count(a->server), 12);
    expect_text_at(a, "flames/4/a%20b-before-dark.svg", "<svg/>");
    SERVE(a, {"/flames/4/f.json?view=after&theme=light&width=1200&dimension=bytes", JSON("{}")});
    assert_int_equal(flames(a, "{'allocations': {'portions': [{'configuration': 'f'}]}}"), 1);
    assert_int_equal(receiver_count(a->server), 12);
    expect_text_at(a, "flames/4/bytes/f-after-light.json", "{}");
    assert_int_equal(flames(a, "{'portions': [{'configuration': 'f'}], 'pruned_ms': 1}"), 0);
    assert_int_equal(flames(a, "null"), 0);
    assert_int_equal(receiver_count(a->server), 0);
}

/* No answer at all is no refusal: the picture may well be there. */
static void a_server_that_is_gone(void **state) {
    asked *a = *state;
    const ci_client_options o = {.server = (char[]){"http://127.0.0.1:1"}};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    ci_files *files = ci_files_open(a->folder, false, NULL);
    const ci_source source = {.client = client, .files = files};
    GError *error = NULL;
    assert_false(ci_site_feed(&source, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, "http://127.0.0.1:1/feed.atom: ");
    assert_true(ci_files_close(files, true, NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {IN_SERVED(charts_of_each_theme),
                                       IN_SERVED(charts_that_go_and_stay),
                                       IN_SERVED(feeds_lead_to_the_site),
                                       IN_SERVED(feeds_without_an_address),
                                       IN_SERVED(a_frame),
                                       IN_SERVED(a_frame_without_an_end),
                                       IN_SERVED(flame_graphs),
                                       IN_SERVED(a_server_that_is_gone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
