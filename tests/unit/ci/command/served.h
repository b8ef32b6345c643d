#pragma once
/* A server with a project without a night, as far as `moowatch site` asks: what it writes of more
 * is in tests/unit/web/site/test_site.c. */
#include "tests/unit/ci/command/asked.h"

#include <gio/gio.h>

#define ITEMS(items_) JSON("{\"items\": [" items_ "], \"next\": null}")
#define TROUBLE                                                                                    \
    { 503, NULL, NULL, "{\"detail\": \"no room\"}" }

static const receiver_page SERVED[] = {
    {"/api/v1/status", {200, "ETag", "\"s1\"", "{\"version\": \"22\"}"}},
    {"/api/v1/projects/q/nights", ITEMS("")},
    {"/api/v1/projects/q/alerts", ITEMS("")},
    {"/api/v1/projects/q/incidents", ITEMS("")},
    {"/api/v1/projects/q/sweeps", ITEMS("")},
    {"/api/v1/projects/p/nights", ITEMS("")},
    {"/api/v1/projects/p/alerts", ITEMS("")},
    {"/api/v1/projects/p/incidents", ITEMS("")},
    {"/api/v1/projects/p/sweeps", ITEMS("")},
    {"/api/v1/projects", ITEMS("{\"name\": \"p\"}, {\"name\": \"q\"}")},
    {"/projects/p/feed.atom",
     JSON("<link rel=\"self\" href=\"http://lab:8080/projects/p/feed.atom\"/>"
          "<link href=\"http://lab:8080/alerts/4\"/>")},
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

static inline void expect_words_at(const asked *a, const char *path, const char *words) {
    g_autofree char *full = g_build_filename(a->folder, path, NULL), *got = NULL;
    if (!g_file_get_contents(full, &got, NULL, NULL))
        fail_msg("%s is not there", path);
    if (!strstr(got, words))
        fail_msg("%s: \"%s\" is not in \"%s\"", path, words, got);
}
