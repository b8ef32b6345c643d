#pragma once
/* A server with two projects that a site is written of: "p" with nights of two months and one of
 * each thing, "q" without a night. */
#include "tests/unit/ci/command/asked.h"

#include "ci/site/site.h"

#include <gio/gio.h>

#define ITEMS(items_) JSON("{\"items\": [" items_ "], \"next\": null}")
#define MARKED(etag_, body_)                                                                       \
    { 200, "ETag", (etag_), (body_) }
#define TROUBLE                                                                                    \
    { 503, NULL, NULL, "{\"detail\": \"no room\"}" }

#define NIGHT(id_, date_, sha_)                                                                    \
    "{\"experiment\": " id_ ", \"night\": \"" date_ "\", \"commit\": {\"sha\": \"" sha_ "\"}, "    \
    "\"portions\": [{\"portion\": \"W\", \"mean_ns\": 70.123456789}]}"
#define OLD_NIGHTS NIGHT("2", "2026-01-31", "bbb") ", " NIGHT("1", "2026-01-30", "aaa")
#define LOOP "{\"raw\": \"/raw/1\", \"summary\": {\"mean_ns\": 70.123456789, \"sd_ns\": 1.23456}}"
#define EXPERIMENT(id_, date_)                                                                     \
    JSON("{\"id\": " id_ ", \"night\": \"" date_ "\", \"configurations\": [{\"name\": \"full\", "  \
         "\"mean_ns\": 70.5, \"statistics\": {\"mean_ns\": 70.5, \"n\": 3}, \"loop_results\": "    \
         "[" LOOP "]}]}")
#define ALERT_COMMITS                                                                              \
    "\"from\": {\"commit\": {\"sha\": \"aaa\"}}, \"to\": {\"commit\": {\"sha\": \"bbb\"}}"

static const receiver_page SERVED[] = {
    {"/api/v1/projects", ITEMS("{\"name\": \"p\", \"repository\": \"https://git.example/p\", "
                               "\"running\": {\"job\": 7}}, {\"name\": \"q\"}")},
    {"/api/v1/projects/p/nights",
     MARKED("\"n1\"",
            "{\"items\": [" NIGHT("3", "2026-02-01", "ccc") ", " OLD_NIGHTS "], \"next\": null}")},
    {"/api/v1/projects/q/nights", MARKED("\"n0\"", "{\"items\": [], \"next\": null}")},
    {"/api/v1/experiments/1", EXPERIMENT("1", "2026-01-30")},
    {"/api/v1/experiments/2", EXPERIMENT("2", "2026-01-31")},
    {"/api/v1/experiments/3", EXPERIMENT("3", "2026-02-01")},
    {"/api/v1/experiments/4", EXPERIMENT("4", "2026-02-02")},
    {"/api/v1/experiments/9", EXPERIMENT("9", "2026-02-01")},
    {"/api/v1/projects/p/alerts", ITEMS("{\"id\": 4, " ALERT_COMMITS "}")},
    {"/api/v1/projects/p/incidents", ITEMS("{\"id\": 5}")},
    {"/api/v1/projects/p/sweeps", ITEMS("{\"id\": 6}")},
    {"/api/v1/projects/p/commits", JSON("{\"items\": [{\"sha\": \"bbb\"}], \"total\": 1}")},
    {"/api/v1/projects/q/alerts", ITEMS("")},
    {"/api/v1/projects/q/incidents", ITEMS("")},
    {"/api/v1/projects/q/sweeps", ITEMS("")},
    {"/api/v1/alerts/4",
     MARKED("\"a4\"", "{\"id\": 4, \"explanation\": {\"profiles\": [1, 2], \"portions\": "
                      "[{\"configuration\": \"full\"}]}}")},
    {"/api/v1/incidents/5", JSON("{\"id\": 5}")},
    {"/api/v1/sweeps/6", JSON("{\"id\": 6, \"project\": \"p\", \"values\": [{\"experiment\": 9}, "
                              "{\"experiment\": null}]}")},
    {"/charts/p.svg?theme=dark", MARKED("\"c2\"", "<svg>dark</svg>")},
    {"/charts/p.svg?nights=5000", MARKED("\"c3\"", "<svg>all</svg>")},
    {"/charts/p.svg", MARKED("\"c1\"", "<svg>light</svg>")},
    {"/projects/p/feed.atom",
     JSON("<link rel=\"self\" href=\"http://lab:8080/projects/p/feed.atom\"/>"
          "<link href=\"http://lab:8080/alerts/4\"/>")},
    {"/feed.atom", JSON("<link rel=\"self\" href=\"http://lab:8080/feed.atom\"/>")},
    {"/flames/4/full.svg", MARKED("\"f1\"", "<svg>flame</svg>")},
    {"/api/v1/status", JSON("{\"version\": \"22\"}")},
    {"/api/v1/alerts", ITEMS("{\"id\": 4}")},
    {"/api/v1/jobs?state=done&limit=300", ITEMS("{\"id\": 11}")},
    {"/api/v1/jobs?state=queued&limit=300", ITEMS("{\"id\": 12}")},
    {"/api/v1/jobs", ITEMS("")},
};

/* What the server answers from now on: these in place of those of SERVED. */
static inline void serve(asked *a, const receiver_page *others, guint count) {
    static receiver_page pages[2 * G_N_ELEMENTS(SERVED)];
    g_assert_cmpuint(count, <=, G_N_ELEMENTS(SERVED));
    receiver_pages(a->server, NULL, 0);
    for (guint i = 0; i < count; i++)
        pages[i] = others[i];
    memcpy(pages + count, SERVED, sizeof SERVED);
    receiver_pages(a->server, pages, count + G_N_ELEMENTS(SERVED));
    receiver_forget(a->server);
}
#define SERVE(a, ...)                                                                              \
    serve((a), (const receiver_page[]){__VA_ARGS__},                                               \
          G_N_ELEMENTS(((const receiver_page[]){__VA_ARGS__})))

static inline int served_make(void **state) {
    const int made = asked_make(state);
    serve(*state, NULL, 0);
    return made;
}

static inline int served_free(void **state) {
    remove_below(((asked *)*state)->folder);
    return asked_free(state);
}
#define IN_SERVED(test) cmocka_unit_test_setup_teardown(test, served_make, served_free)

static inline bool is_written(const asked *a, const char *path) {
    g_autofree char *full = g_build_filename(a->folder, path, NULL);
    return g_file_test(full, G_FILE_TEST_EXISTS);
}

/* What a file holds, unpacked where it is packed; caller frees. */
static inline char *text_at(const asked *a, const char *path) {
    enum { ROOM = 1 << 20 };
    g_autofree char *full = g_build_filename(a->folder, path, NULL), *text = NULL;
    gsize size, read = 0, made = 0;
    if (!g_file_get_contents(full, &text, &size, NULL))
        fail_msg("%s is not there", path);
    if (!g_str_has_prefix(text, "\x1f\x8b"))
        return g_steal_pointer(&text);
    g_autoptr(GZlibDecompressor) zip = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
    char *out = g_malloc0(ROOM);
    assert_int_equal(g_converter_convert(G_CONVERTER(zip), text, size, out, ROOM - 1,
                                         G_CONVERTER_INPUT_AT_END, &read, &made, NULL),
                     G_CONVERTER_FINISHED);
    return out;
}

static inline void expect_text_at(const asked *a, const char *path, const char *text) {
    g_autofree char *got = text_at(a, path);
    assert_string_equal(got, text);
}

static inline void expect_words_at(const asked *a, const char *path, const char *words) {
    g_autofree char *got = text_at(a, path);
    if (!strstr(got, words))
        fail_msg("%s: \"%s\" is not in \"%s\"", path, words, got);
}

/* How often an address was asked for since the last call of serve(). */
static inline guint asked_for(asked *a, const char *path) {
    guint found = 0;
    const receiver_request *one;
    for (guint i = 0; (one = receiver_get(a->server, i)); i++)
        found += g_str_equal(strchr(one->line, ' ') + 1, path);
    return found;
}
