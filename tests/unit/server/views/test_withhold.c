/* What is left out for those who read without a token: names stay, values and logs do not. */
#include "tests/unit/test.h"

#include "server/views/withhold.h"
#include "tests/unit/server/expect.h"

static json_t *json_of(const char *text) {
    json_error_t wrong;
    json_t *json = json_loads(text, 0, &wrong);
    if (!json)
        fail_msg("%s: %s", wrong.text, text);
    return json;
}

/* Takes got. */
static void expect_json(json_t *got, const char *text) {
    json_t *wanted = json_of(text);
    g_autofree char *shown = json_dumps(got, JSON_SORT_KEYS);
    if (!json_equal(got, wanted))
        fail_msg("%s, not %s", shown, text);
    json_decref(wanted);
    json_decref(got);
}

static void a_jobs_logs_are_left_out(void **state) {
    (void)state;
    static const char job[] = "{'id':1,'log':'x','progress':{'phase':'prepare','log':'y'}}";
    g_autofree char *text = g_strdelimit(g_strdup(job), "'", '"');
    json_t *less = json_of(text), *all = json_of(text);
    srv_withhold_job(less, false);
    srv_withhold_job(all, true);
    expect_json(less, "{\"id\":1,\"log\":null,\"progress\":{\"phase\":\"prepare\",\"log\":null},"
                      "\"withheld\":true}");
    expect_json(all, "{\"id\":1,\"log\":\"x\",\"progress\":{\"phase\":\"prepare\",\"log\":\"y\"},"
                     "\"withheld\":false}");
    srv_withhold_job(NULL, false);
    json_t *none = json_null();
    srv_withhold_job(none, false);
    json_t *list = json_of("[{\"progress\":null},{\"log\":null}]");
    srv_withhold_jobs(list, false);
    expect_json(list, "[{\"progress\":null,\"withheld\":true},{\"log\":null,\"withheld\":true}]");
}

static void a_nodes_progress_is_shown_without_its_output(void **state) {
    (void)state;
    json_t *nodes = json_of("[{\"progress\":{\"done\":1,\"log\":\"y\"}},{\"progress\":null}]");
    srv_withhold_nodes(nodes, true);
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(json_array_get(nodes, 0), "progress"), "log")),
                        "y");
    srv_withhold_nodes(nodes, false);
    expect_json(nodes, "[{\"progress\":{\"done\":1,\"log\":null}},{\"progress\":null}]");
}

static void a_night_shows_which_variables_there_are(void **state) {
    (void)state;
    json_t *night = json_of("{\"log\":\"x\",\"benchmark\":{\"loops\":3,\"configurations\":["
                            "{\"name\":\"a\",\"environment\":{\"KEY\":\"secret\"}},"
                            "{\"name\":\"b\",\"environment\":{}}]}}");
    srv_withhold_experiment(night, false);
    expect_json(night, "{\"log\":null,\"withheld\":true,\"benchmark\":{\"loops\":3,"
                       "\"configurations\":[{\"name\":\"a\",\"environment\":{\"KEY\":null}},"
                       "{\"name\":\"b\",\"environment\":{}}]}}");
    json_t *measured =
        json_of("{\"environment_detail\":{\"kernel\":\"6.1\",\"kernel_options\":\"root=UUID=1\"}}");
    srv_withhold_experiment(measured, false);
    expect_json(measured, "{\"environment_detail\":{\"kernel\":\"6.1\",\"kernel_options\":null},"
                          "\"withheld\":true}");
    json_t *imported = json_of("{\"benchmark\":null}");
    srv_withhold_experiment(imported, false);
    expect_json(imported, "{\"benchmark\":null,\"withheld\":true}");
    srv_withhold_experiment(NULL, false);
}

static void a_comparison_shows_that_a_value_differs(void **state) {
    (void)state;
    static const char text[] =
        "{\"benchmark\":[{\"key\":\"loops\",\"a\":1,\"b\":2},{\"key\":\"configurations\","
        "\"a\":[{\"name\":\"p\",\"environment\":{\"SAME\":\"s\",\"OTHER\":\"1\",\"GONE\":\"2\"}}],"
        "\"b\":[{\"name\":\"p\",\"environment\":{\"SAME\":\"s\",\"OTHER\":\"3\"}},"
        "{\"name\":\"q\",\"environment\":{\"NEW\":\"4\"}}]}]}";
    json_t *node = json_of("{\"environment\":[{\"key\":\"kernel_options\",\"a\":\"x\",\"b\":\"y\"},"
                           "{\"key\":\"kernel\",\"a\":\"6.1\",\"b\":\"6.2\"}]}");
    srv_withhold_comparison(node, false);
    expect_json(
        node, "{\"environment\":[{\"key\":\"kernel_options\",\"a\":\"changed\",\"b\":\"changed\"},"
              "{\"key\":\"kernel\",\"a\":\"6.1\",\"b\":\"6.2\"}],\"withheld\":true}");
    json_t *all = json_of(text), *less = json_of(text);
    srv_withhold_comparison(all, true);
    srv_withhold_comparison(less, false);
    g_autofree char *shown = json_dumps(all, 0);
    assert_says(shown, "\"OTHER\": \"3\"");
    json_decref(all);
    expect_json(less,
                "{\"withheld\":true,\"benchmark\":[{\"key\":\"loops\",\"a\":1,\"b\":2},"
                "{\"key\":\"configurations\",\"a\":[{\"name\":\"p\",\"environment\":"
                "{\"SAME\":null,\"OTHER\":\"changed\",\"GONE\":null}}],\"b\":[{\"name\":\"p\","
                "\"environment\":{\"SAME\":null,\"OTHER\":\"changed\"}},{\"name\":\"q\","
                "\"environment\":{\"NEW\":null}}]}]}");
    srv_withhold_comparison(NULL, false);
}

/* A configuration that only one side has, and a benchmark that had none. */
static void what_is_no_list_stays_null(void **state) {
    (void)state;
    json_t *one = json_of("{\"benchmark\":[{\"key\":\"configurations\",\"a\":null,"
                          "\"b\":[{\"name\":\"p\",\"environment\":{\"K\":\"1\"}}]}]}");
    srv_withhold_comparison(one, false);
    expect_json(one, "{\"withheld\":true,\"benchmark\":[{\"key\":\"configurations\",\"a\":null,"
                     "\"b\":[{\"name\":\"p\",\"environment\":{\"K\":null}}]}]}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jobs_logs_are_left_out),
        cmocka_unit_test(a_nodes_progress_is_shown_without_its_output),
        cmocka_unit_test(a_night_shows_which_variables_there_are),
        cmocka_unit_test(a_comparison_shows_that_a_value_differs),
        cmocka_unit_test(what_is_no_list_stays_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
