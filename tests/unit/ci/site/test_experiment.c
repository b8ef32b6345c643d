/* What a site leaves out of an experiment: what its night says, and digits that no page shows. */
#include "tests/unit/ci/site/served.h"

#include "ci/site/experiment.h"

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

/* A real that rounds to nothing, or to what is no number, stays. */
static void what_is_no_number_stays(void **state) {
    (void)state;
    json_auto_t *value = json_pack("{s:[s, n, b, i]}", "a", "1.23456789", 1, 123456789);
    json_auto_t *same = json_deep_copy(value);
    ci_site_round(value, 3);
    assert_true(json_equal(value, same));
    ci_site_round(NULL, 3);
}

static json_t *asked_experiment(asked *a, json_int_t id, GError **error) {
    const ci_client_options o = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    const ci_source source = {.client = client};
    return ci_site_experiment(&source, id, error);
}

static void expect_json(const json_t *got, const char *text) {
    json_auto_t *expected = json_loads(text, 0, NULL);
    g_autofree char *words = json_dumps(got, JSON_COMPACT);
    if (!json_equal(got, expected))
        fail_msg("%s is not %s", words, text);
}

/* Seven digits, a loop's own four but for its mean; raw values and what is said twice go. */
static void without_raw_values(void **state) {
    asked *a = *state;
    json_auto_t *got = asked_experiment(a, 3, NULL);
    expect_json(got, "{\"id\": 3, \"night\": \"2026-02-01\", \"configurations\": [{\"name\":"
                     " \"full\", \"mean_ns\": 70.5, \"statistics\": {\"n\": 3}, \"loop_results\":"
                     " [{\"raw\": null, \"summary\": {\"mean_ns\": 70.12346, \"sd_ns\":"
                     " 1.235}}]}]}");
    GError *error = NULL;
    SERVE(a, {"/api/v1/experiments/3", TROUBLE});
    assert_null(asked_experiment(a, 3, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, ": 503 no room");
}

/* Of what is not there nothing is said. */
static void in_brief(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{}", "{\"benchmark\": {}, \"environment_detail\": {}, \"configurations\": []}"},
        {"{\"project\": \"p\", \"log\": \"long\", \"benchmark\": {\"threads\": 2, \"loops\": 9},"
         " \"environment_detail\": {\"cpu\": \"x\", \"os\": \"y\"}, \"configurations\":"
         " [{\"name\": \"full\", \"mean_ns\": 1.5, \"loop_results\": [1]}]}",
         "{\"project\": \"p\", \"benchmark\": {\"threads\": 2}, \"environment_detail\": {\"cpu\":"
         " \"x\"}, \"configurations\": [{\"name\": \"full\", \"mean_ns\": 1.5}]}"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *whole = json_loads(cases[i][0], 0, NULL);
        json_auto_t *brief = ci_site_brief(whole);
        expect_json(brief, cases[i][1]);
    }
}

/* What is taken and what is left are the whole again, put over each other. */
static void loops_beside_their_means(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"{\"experiment\": 3}", "{\"experiment\": 3}",
         "{\"experiment\": 3, \"configurations\": []}"},
        {"{\"experiment\": 3, \"configurations\": [{\"name\": \"a\", \"loop_results\": [{\"loop\": "
         "1,"
         " \"summary\": {\"min_ns\": 1.5, \"mean_ns\": 2.5, \"sd_ns\": 0.5}}, {\"loop\": 2,"
         " \"summary\": null}, {\"summary\": {\"n\": 1}}]}, {\"name\": \"b\"}]}",
         "{\"experiment\": 3, \"configurations\": [{\"name\": \"a\", \"loop_results\": [{\"loop\": "
         "1,"
         " \"summary\": {\"mean_ns\": 2.5}}, {\"loop\": 2, \"summary\": null}, {\"summary\": {}}]},"
         " {\"name\": \"b\"}]}",
         "{\"experiment\": 3, \"configurations\": [{\"loop_results\": [{\"summary\": {\"min_ns\": "
         "1.5,"
         " \"sd_ns\": 0.5}}, {}, {\"summary\": {\"n\": 1}}]}, {}]}"},
        {"{\"configurations\": [{\"loop_results\": []}, {\"loop_results\": 7}]}",
         "{\"configurations\": [{\"loop_results\": []}, {\"loop_results\": 7}]}",
         "{\"experiment\": null, \"configurations\": [{\"loop_results\": []}, {}]}"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *experiment = json_loads(cases[i][0], 0, NULL);
        json_auto_t *taken = ci_site_take_loops(experiment);
        expect_json(experiment, cases[i][1]);
        expect_json(taken, cases[i][2]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(digits),
                                       cmocka_unit_test(what_is_left),
                                       cmocka_unit_test(what_is_no_number_stays),
                                       IN_SERVED(without_raw_values),
                                       cmocka_unit_test(in_brief),
                                       cmocka_unit_test(loops_beside_their_means)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
