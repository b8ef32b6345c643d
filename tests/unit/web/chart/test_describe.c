#include "tests/unit/web/drawn.h"

#include "web/layout/layout.h"

static char *describe(json_t *json, web_chart_of of) {
    web_history *h = web_history_new(json, NULL, NULL, 0, NULL);
    json_decref(json);
    char *words = web__describe(h, of);
    web_history_free(h);
    return words;
}

static void nights_are_told_in_sentences(void **state) {
    (void)state;
    g_autofree char *words = describe(nights(3), WEB_OF_MEAN);
    assert_string_equal(words,
                        "3 nights from 2013-01-01 to 2013-01-03. Newest measured: 2013-01-03, "
                        "commit c00000002: T 70.0 ns; I 200 ns; C 830 ns; W 2.65 µs. No anomaly.");
}

static void a_night_that_was_measured_again_counts_once(void **state) {
    (void)state;
    json_t *json = nights(3);
    json_object_set(json_array_get(json, 1), "night",
                    json_object_get(json_array_get(json, 2), "night"));
    g_autofree char *words = describe(json, WEB_OF_MEAN);
    assert_true(g_str_has_prefix(words, "2 nights from 2013-01-01 to 2013-01-03. "));
}

static void no_night_is_told(void **state) {
    (void)state;
    g_autofree char *words = describe(json_array(), WEB_OF_MEAN);
    assert_string_equal(words, "No night has been measured yet.");
}

static void failed_nights_are_counted_and_passed_over(void **state) {
    (void)state;
    json_t *json = nights(3);
    json_array_set_new(json, 0, bare_night(2, "failed"));
    g_autofree char *words = describe(json, WEB_OF_MEAN);
    assert_non_null(strstr(words, ", 1 without result. Newest measured: 2013-01-02,"));
}

static void only_the_first_anomalies_are_told(void **state) {
    (void)state;
    json_t *json = nights(14);
    for (size_t i = 0; i < 14; i++)
        mark(json_array_get(json, i), 1, i % 2 ? "up" : "down");
    g_autofree char *words = describe(json, WEB_OF_MEAN);
    assert_non_null(strstr(words, "Anomaly on 2013-01-01, commit c00000000: I rose."));
    assert_non_null(strstr(words, " 4 more anomalies."));
    assert_null(strstr(words, "No anomaly"));
}

static void medians_are_called_so(void **state) {
    (void)state;
    json_t *json = nights(1);
    add_medians(json_array_get(json, 0));
    g_autofree char *words = describe(json, WEB_OF_MEDIAN);
    assert_non_null(strstr(words, "commit c00000000, medians: T 63.0 ns;"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nights_are_told_in_sentences),
        cmocka_unit_test(a_night_that_was_measured_again_counts_once),
        cmocka_unit_test(no_night_is_told),
        cmocka_unit_test(failed_nights_are_counted_and_passed_over),
        cmocka_unit_test(only_the_first_anomalies_are_told),
        cmocka_unit_test(medians_are_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
