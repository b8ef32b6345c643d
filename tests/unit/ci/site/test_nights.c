/* The files of a project's nights: what is in them, and what brings them back. */
#include "tests/unit/ci/site/served.h"

#include "ci/site/nights.h"

#include <stdlib.h>
#include <string.h>

/* Writes p's nights; {id, project, month} of each, owned. */
static json_t *nights_of(asked *a, ci_files_count *count) {
    const ci_client_options o = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    const ci_source source = {.client = client, .files = ci_files_open(a->folder, false, NULL)};
    json_t *places = json_array();
    GError *error = NULL;
    if (!ci_site_nights(&source, "p", places, &error))
        fail_msg("%s", error->message);
    assert_true(ci_files_close(source.files, false, count, NULL));
    return places;
}

#define FOLDER "api/v1/projects/p/"

/* Of an experiment what its night does not say; raw values and what is said twice go. */
static void of_an_experiment(void **state) {
    asked *a = *state;
    json_auto_t *places = nights_of(a, NULL);
    assert_int_equal(json_array_size(places), 3);
    expect_text(json_array_get(places, 2), "month", "2026-01");
    expect_words_at(a, FOLDER "nights.json", "\"mean_ns\":70.12346}");
    expect_text_at(
        a, FOLDER "experiments/2026-02.json.gz",
        "[{\"id\":3,\"configurations\":[{\"name\":\"full\",\"mean_ns\":70.5,\"statistics\":"
        "{\"n\":3},\"loop_results\":[{\"raw\":null,\"summary\":{\"mean_ns\":70.12346}}]}],"
        "\"experiment\":3}]");
    expect_text_at(a, FOLDER "loops/2026-02.json.gz",
                   "[{\"experiment\":3,\"configurations\":[{\"loop_results\":[{\"summary\":"
                   "{\"sd_ns\":1.235}}]}]}]");
}

/* A file that somebody took away, or an index that is none: all is asked for again. */
static void what_was_taken_away_comes_back(void **state) {
    asked *a = *state;
    static const char *const paths[] = {
        "projects/p/data.js",          FOLDER "nights.json",   FOLDER "nights/2026-01.json.gz",
        FOLDER "latest.json.gz",       FOLDER "brief.json.gz", FOLDER "experiments/2026-02.json.gz",
        FOLDER "loops/2026-01.json.gz"};
    json_decref(nights_of(a, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *full = g_build_filename(a->folder, paths[i], NULL);
        assert_int_equal(g_unlink(full), 0);
        serve(a, NULL, 0);
        ci_files_count count;
        json_auto_t *places = nights_of(a, &count);
        assert_int_equal(json_array_size(places), 3);
        assert_int_equal(asked_for(a, "/api/v1/projects/p/nights"), 2); /* with its mark, and not */
        assert_true(is_written(a, paths[i]));
        assert_int_equal(count.removed, 0);
    }
    serve(a, NULL, 0);
    json_decref(nights_of(a, NULL));
    assert_int_equal(receiver_count(a->server), 1);
}

/* More nights than an answer has: the rest is asked for, and next time all again. */
static void more_than_one_answer(void **state) {
    asked *a = *state;
    const receiver_page pages[] = {
        {"/api/v1/projects/p/nights?limit=5000",
         MARKED("\"m\"",
                "{\"items\": [" NIGHT("3", "2026-02-01", "ccc") "], \"next\": \"c=\\u0026\"}")},
        {"/api/v1/projects/p/nights?limit=5000&cursor=c=&", ITEMS(OLD_NIGHTS)}};
    for (int times = 0; times < 2; times++) {
        serve(a, pages, G_N_ELEMENTS(pages));
        json_auto_t *places = nights_of(a, NULL);
        assert_int_equal(json_array_size(places), 3);
        assert_int_equal(asked_for(a, "/api/v1/projects/p/nights"), 2);
        assert_null(receiver_get(a->server, 0)->known);
    }
    expect_words_at(a, FOLDER "nights/index.json", "[\"2026-02\",1,[3]],[\"2026-01\",2,[2,1]]");
}

/* A night that failed has no experiment; one without a date has a month of its own. */
static void nights_without_this_and_that(void **state) {
    asked *a = *state;
    SERVE(a, {"/api/v1/projects/p/nights",
              ITEMS("{\"experiment\": null, \"night\": \"2026-02-03\"}, {\"experiment\": 1}")});
    json_auto_t *places = nights_of(a, NULL);
    assert_int_equal(json_array_size(places), 1);
    expect_text_at(a, FOLDER "nights/index.json",
                   "{\"months\":[[\"2026-02\",1,[]],[\"0000-00\",1,[1]]]}");
    expect_text_at(a, FOLDER "experiments/2026-02.json.gz", "[]");
    expect_words_at(a, FOLDER "latest.json.gz", "\"experiment\":1");
}

/* The page of frameworks loads one of every project: no loops, of the conditions those it shows. */
static void the_newest_one_in_brief(void **state) {
    asked *a = *state;
    SERVE(a, {"/api/v1/experiments/3",
              JSON("{\"experiment\": 3, \"project\": \"p\", \"night\": \"2026-02-01\","
                   " \"portions\": [{\"portion\": \"W\", \"mean_ns\": 1.5}], \"benchmark\":"
                   " {\"threads\": 1, \"loops\": 9}, \"environment_detail\": {\"cpu\": \"x\","
                   " \"kernel\": \"y\"}, \"configurations\": [{\"name\": \"full\", \"mean_ns\":"
                   " 70.5, \"statistics\": {\"n\": 3}, \"loop_results\": [" LOOP "]}]}")});
    json_decref(nights_of(a, NULL));
    expect_words_at(a, FOLDER "latest.json.gz", "\"loop_results\"");
    expect_text_at(a, FOLDER "brief.json.gz",
                   "{\"experiment\":3,\"project\":\"p\",\"night\":\"2026-02-01\",\"portions\":"
                   "[{\"portion\":\"W\",\"mean_ns\":1.5}],\"benchmark\":{\"threads\":1},"
                   "\"environment_detail\":{\"cpu\":\"x\"},\"configurations\":"
                   "[{\"name\":\"full\",\"mean_ns\":70.5}]}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SERVED(of_an_experiment), IN_SERVED(what_was_taken_away_comes_back),
        IN_SERVED(more_than_one_answer), IN_SERVED(nights_without_this_and_that),
        IN_SERVED(the_newest_one_in_brief)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
