/* MooBench's labels, and keys that cannot collide. */
#include "tests/unit/test.h"

#include "ci/formats/upstream.h"

#include <string.h>

/* labels.sh of all frameworks of MooBench 1.0.2. */
static void every_label_has_its_step(void **state) {
    (void)state;
    static const struct {
        const char *label;
        unsigned step;
    } cases[] = {
        {"No instrumentation", 0},
        {"No Instrumentation", 0},
        {"deactivated probe", 1},
        {"Deactivated probe - B", 1},
        {"Pinpoint Deactivated", 1},
        {"Disabled Profiling", 1},
        {"Skywalking no data collection", 1},
        {"Configuration 1", 1},
        {"No logging", 2},
        {"No collection", 2},
        {"No logging - A", 2},
        {"OpenTelemetry No Export", 2},
        {"Pinpoint No Measurement", 2},
        {"Text file", 3},
        {"Binary file (Milli timer)", 3},
        {"Binary TCP (Zero timer)", 3},
        {"Binary TCP - B", 3},
        {"Logging", 3},
        {"Zipkin+Cassandra", 3},
        {"OpenTelemetry Jaeger", 3},
        {"OpenTelemetry Zipkin", 3},
        {"Instrumentation and Profiling", 3},
        {"Skywalking instrumentation", 3},
        {"Skywalking 20Hz Sampling", 3},
        {"Regular Writing", 3},
        {"Writing without sanitizing fields", 3},
        {"Pinpoint Basic", 3},
        {"Pinpoint Sampling", 3},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ci_upstream known;
        if (!ci_upstream_find(cases[i].label, &known) || known.step != cases[i].step)
            fail_msg("%s", cases[i].label);
    }
    static const char *const others[] = {"",          "encode",      "Configuration 3", "Text",
                                         "Redis - A", "Zipkin - AB", "No logging - a",  "No"};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        ci_upstream known;
        if (ci_upstream_find(others[i], &known))
            fail_msg("%s", others[i]);
    }
}

static void two_names_have_two_keys(void **state) {
    (void)state;
    static const char *const names[] = {
        "operator+",
        "operator-",
        "operator*",
        "operator--",
        "测试甲",
        "测试乙",
        "a",
        "A",
        "a b",
        "a-b",
        "a_b",
        "a.b",
        "a/b",
        "a%b",
        "a=b",
        "",
        "-",
        " ",
        "No logging",
        "no-logging",
        "no-logging-a",
        "No logging - A",
        "No logging - B",
        "none",
        "None",
        "NONE",
        "x-0123abcd",
        "io.opentelemetry.MetricRecordBenchmark.record_MultipleThreads aggregation=SUM",
        "io.opentelemetry.MetricRecordBenchmark.record_MultipleThreads aggregation=LAST",
        "io.opentelemetry.metricrecordbenchmark.record_multiplethreads aggregation=LAST"};
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        char *key = ci_upstream_key(names[i]);
        assert_true(strlen(key) <= 80);
        assert_int_equal(strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789._-"), strlen(key));
        if (!g_hash_table_add(keys, key))
            fail_msg("%s", names[i]);
    }
}

/* What is renamed upstream goes on under the key that it had. */
static void a_renamed_label_keeps_its_key(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"No collection", "no-logging"},   {"No logging (null writer)", "no-logging"},
        {"NO LOGGING", "no-logging"},      {"No collection - A", "no-logging-a"},
        {"Configuration 2", "no-logging"}, {"Skywalking Sampling 20Hz", "skywalking-20hz-sampling"},
        {"With zipkin", "with-zipkin"},    {"M", "m"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *key = ci_upstream_key(cases[i][0]);
        assert_string_equal(key, cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_label_has_its_step),
                                       cmocka_unit_test(two_names_have_two_keys),
                                       cmocka_unit_test(a_renamed_label_keeps_its_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
