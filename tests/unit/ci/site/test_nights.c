/* What a site leaves out of an experiment: what its night says, and digits that no page shows. */
#include "tests/unit/ci/site/served.h"

#include "ci/site/nights.h"

#include <stdlib.h>
#include <string.h>

static void digits(void **state) {
    (void)state;
    static const struct {
        double value, made;
        int digits;
    } cases[] = {{70.123456789, 70.123, 5},
                 {70.123456789, 70.123457, 8},
                 {-0.00012345678, -0.00012346, 5},
                 {123456789.4, 123460000, 5},
                 {0, 0, 5},
                 {9.99999, 10, 5},
                 {1e-300, 1e-300, 8},
                 {1, 1, 8}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *value = json_pack("{s:[f, i], s:n}", "a", cases[i].value, 123456789, "b");
        ci_site_round(value, cases[i].digits);
        json_t *list = json_object_get(value, "a");
        assert_true(json_real_value(json_array_get(list, 0)) == cases[i].made);
        assert_int_equal(json_integer_value(json_array_get(list, 1)), 123456789);
    }
}

static void what_is_left(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"{\"a\": 1, \"b\": 2}", "{\"a\": 1}", "{\"b\":2}"},
        {"{\"a\": 1}", "{\"a\": 1, \"c\": 3}", "{}"},
        {"{\"a\": {\"x\": 1, \"y\": 2}}", "{\"a\": {\"x\": 1, \"y\": 3}}", "{\"a\":{\"y\":2}}"},
        {"{\"a\": [{\"x\": 1}, {\"x\": 2, \"y\": 3}]}", "{\"a\": [{\"x\": 1}, {\"x\": 2}]}",
         "{\"a\":[{},{\"y\":3}]}"},
        {"{\"a\": [1, 2]}", "{\"a\": [1, 3]}", "{\"a\":[1,2]}"},
        {"{\"a\": [{\"x\": 1}]}", "{\"a\": []}", "{\"a\":[{\"x\":1}]}"},
        {"{\"a\": null}", "{\"a\": 1}", "{\"a\":null}"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *a = json_loads(cases[i][0], 0, NULL);
        json_auto_t *b = json_loads(cases[i][1], 0, NULL);
        json_auto_t *rest = ci_site_subtract(a, b);
        char *text = json_dumps(rest, JSON_COMPACT);
        assert_string_equal(text, cases[i][2]);
        free(text);
        assert_null(ci_site_subtract(a, a));
    }
}

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
        "{\"n\":3},\"loop_results\":[{\"raw\":null,\"summary\":{\"mean_ns\":70.12346,"
        "\"sd_ns\":1.235}}]}],\"experiment\":3}]");
}

/* A file that somebody took away, or an index that is none: all is asked for again. */
static void what_was_taken_away_comes_back(void **state) {
    asked *a = *state;
    static const char *const paths[] = {"projects/p/data.js", FOLDER "nights.json",
                                        FOLDER "nights/2026-01.json.gz",
                                        FOLDER "experiments/2026-02.json.gz"};
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
         MARKED("\"m\"", "{\"items\": [], \"next\": \"c\"}")},
        {"/api/v1/projects/p/nights?limit=500",
         JSON("{\"items\": [" NIGHT("3", "2026-02-01", "ccc") "], \"next\": \"c\"}")},
        {"/api/v1/projects/p/nights?limit=500&cursor=c", ITEMS(OLD_NIGHTS)}};
    for (int times = 0; times < 2; times++) {
        serve(a, pages, G_N_ELEMENTS(pages));
        json_auto_t *places = nights_of(a, NULL);
        assert_int_equal(json_array_size(places), 3);
        assert_int_equal(asked_for(a, "/api/v1/projects/p/nights"), 3);
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
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits),        cmocka_unit_test(what_is_left),
        IN_SERVED(of_an_experiment),     IN_SERVED(what_was_taken_away_comes_back),
        IN_SERVED(more_than_one_answer), IN_SERVED(nights_without_this_and_that)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
