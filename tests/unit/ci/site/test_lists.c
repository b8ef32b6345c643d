/* What a site says of a thing is what the server says of it now. */
#include "tests/unit/ci/command/asked.h"

#include "ci/site/lists.h"

#include <string.h>

#define LIST JSON("{\"items\": [{\"id\": 4}], \"next\": null}")
#define NONE JSON("{\"items\": [], \"next\": null}")
#define GONE                                                                                       \
    { 404, NULL, NULL, "{}" }
#define PICTURES GONE, GONE, GONE, GONE, GONE, GONE, GONE, GONE
#define PATH "api/v1/alerts/4.json"

/* Writes the project as the script says; the alert's file. */
static char *written(asked *a, const char *alert) {
    const ci_client_options o = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    ci_files *files = ci_files_open(a->folder, false, NULL);
    const ci_source source = {.client = client, .files = files};
    json_auto_t *project = json_pack("{s:s}", "name", "p");
    json_auto_t *ids = json_pack("{s:[], s:[], s:[]}", "alerts", "incidents", "sweeps");
    json_auto_t *places = json_array();
    const receiver_answer answers[] = {LIST, {200, "ETag", alert, alert}, NONE, NONE, PICTURES};
    receiver_script(a->server, answers, G_N_ELEMENTS(answers));
    receiver_forget(a->server);
    assert_true(ci_site_project(&source, project, ids, places, NULL));
    assert_string_equal(receiver_get(a->server, 1)->line, "GET /api/v1/alerts/4");
    assert_true(ci_files_close(files, false, NULL, NULL));
    g_autofree char *path = g_build_filename(a->folder, PATH, NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

static void an_explanation_comes_later(void **state) {
    asked *a = *state;
    g_autofree char *before = written(a, "{\"id\": 4, \"explanation\": null}");
    assert_string_equal(before, "{\"id\":4,\"explanation\":null}");
    g_autofree char *after = written(a, "{\"id\": 4, \"explanation\": {\"profiles\": [1], "
                                        "\"pruned_ms\": 9, \"portions\": "
                                        "[{\"configuration\": \"full\"}]}}");
    assert_non_null(strstr(after, "\"profiles\":[]"));
    assert_non_null(strstr(after, "\"pruned_ms\":9"));
    /* no flame graph is asked for without profiles: lists, the alert, and eight pictures */
    assert_int_equal(receiver_count(a->server), 12);
    /* a run that keeps nothing leaves an empty folder to remove */
    assert_true(ci_files_close(ci_files_open(a->folder, false, NULL), false, NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {ASKED(an_explanation_comes_later)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
