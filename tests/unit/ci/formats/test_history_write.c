/* A project's nights as other programs read them. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/write.h"

#include <stdlib.h>

static json_t *nights(void) {
    return json_of(
        "[{'night': '2024-01-01', 'state': 'measured', 'commit': {'sha': 'aaa', 'subject':"
        " 'one', 'author': 'N', 'time_ms': 1000}, 'portions': [{'portion': 'T', 'mean_ns': 70,"
        " 'low_ns': 69.5, 'high_ns': 70.5, 'verdict': 'first'}, {'portion': 'W', 'mean_ns': 2650,"
        " 'verdict': 'ok'}]}, {'night': '2024-01-02', 'state': 'failed', 'commit': {'sha': 'bbb',"
        " 'time_ms': 3000}, 'portions': []}]");
}

static void csv(void **state) {
    (void)state;
    json_t *json = nights();
    g_autofree char *text = ci_history("csv", "p", json);
    assert_string_equal(text, "night,commit,portion,mean_ns,low_ns,high_ns,verdict\n"
                              "\"2024-01-01\",\"aaa\",\"T\",70,69.5,70.5,\"first\"\n"
                              "\"2024-01-01\",\"aaa\",\"W\",2650,,,\"ok\"\n");
    json_decref(json);
}

static void csv_is_no_formula(void **state) {
    (void)state;
    static const char *const names[] = {"=1+1", "+x", "-x", "@x"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *json = json_pack("[{s:[{s:s}]}]", "portions", "portion", names[i]);
        g_autofree char *text = ci_history("csv", "p", json);
        g_autofree char *safe = g_strdup_printf("\"'%s\"", names[i]);
        assert_non_null(strstr(text, safe));
        json_decref(json);
    }
}

static void json_lines(void **state) {
    (void)state;
    json_t *json = nights();
    g_autofree char *text = ci_history("json", "p", json);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_int_equal(g_strv_length(lines), 3);
    for (size_t i = 0; i < 2; i++) {
        json_t *back = json_loads(lines[i], 0, NULL);
        assert_true(json_equal(back, json_array_get(json, i)));
        json_decref(back);
    }
    assert_string_equal(lines[2], "");
    json_decref(json);
}

static void github_data_reads_back(void **state) {
    (void)state;
    static const char begin[] = "window.BENCHMARK_DATA = ";
    json_t *json = nights();
    g_autofree char *text = ci_history("github", "kieker", json);
    assert_true(g_str_has_prefix(text, begin));
    /* all of it: the action reads what is behind the prefix as JSON, or begins anew */
    json_t *data = json_loads(text + strlen(begin), 0, NULL);
    assert_non_null(data);
    const json_t *runs = json_object_get(json_object_get(data, "entries"), "kieker");
    assert_int_equal(json_array_size(runs), 1); /* the failed night has no value */
    const json_t *run = json_array_get(runs, 0);
    const json_t *benches = json_object_get(run, "benches");
    expect_text(run, "tool", "customSmallerIsBetter");
    expect_text(json_object_get(run, "commit"), "id", "aaa");
    assert_int_equal(json_array_size(benches), 2);
    expect_text(json_array_get(benches, 0), "range", "± 0.500");
    expect_text(json_array_get(benches, 0), "extra", "95 % interval");
    expect_text(json_array_get(benches, 1), "range", "");
    json_decref(data);
    json_decref(json);
}

/* Whoever reads it back has to know that it may be below 0. */
static void a_portion_says_what_it_is_over(void **state) {
    (void)state;
    static const char *const extras[] = {"95 % interval", "95 % interval, portion over T",
                                         "portion over I"};
    json_auto_t *json = json_of(
        "[{'night': '2024-01-01', 'portions': [{'portion': 'T', 'configuration': 'none', 'mean_ns':"
        " 70, 'low_ns': 69, 'high_ns': 71}, {'portion': 'I', 'configuration': 'probe', 'parent':"
        " 'none', 'mean_ns': -1, 'low_ns': -2, 'high_ns': 0}, {'portion': 'W', 'configuration':"
        " 'tcp', 'parent': 'probe', 'mean_ns': 2650}]}]");
    g_autofree char *text = ci_history("github", "p", json);
    json_auto_t *data = json_loads(strchr(text, '{'), 0, NULL);
    const json_t *runs = json_object_get(json_object_get(data, "entries"), "p");
    const json_t *benches = json_object_get(json_array_get(runs, 0), "benches");
    for (size_t i = 0; i < G_N_ELEMENTS(extras); i++)
        expect_text(json_array_get(benches, i), "extra", extras[i]);
}

/* Half a picosecond is an interval, too, whatever the locale. */
static void a_narrow_interval_is_written(void **state) {
    (void)state;
    json_t *json = json_of("[{'night': '2024-01-01', 'portions': [{'portion': 'W', 'mean_ns': 0.27,"
                           " 'low_ns': 0.2698, 'high_ns': 0.2702}]}]");
    g_autofree char *text = ci_history("github", "p", json);
    assert_non_null(strstr(text, "\"± 0.0002\""));
    json_decref(json);
}

/* Nights of one commit have a moment each, by their own dates. */
static void a_date_a_night(void **state) {
    (void)state;
#define NIGHT(date)                                                                                \
    "{'night': '" date "', 'commit': {'sha': 'a', 'time_ms': 5}, 'portions': [{'portion': 'W',"    \
    " 'mean_ns': 1}]}"
    json_t *json =
        json_of("[" NIGHT("1970-01-02") "," NIGHT("1970-01-02") "," NIGHT("1970-01-03") "]");
    g_autofree char *text = ci_history("github", "p", json);
    json_t *data = json_loads(strchr(text, '{'), 0, NULL);
    const json_t *runs = json_object_get(json_object_get(data, "entries"), "p");
    static const double dates[] = {129600000, 129600001, 216000000};
    for (size_t i = 0; i < 3; i++)
        expect_real(json_array_get(runs, i), "date", dates[i]);
    expect_real(data, "lastUpdate", 216000000);
    const json_t *commit = json_object_get(json_array_get(runs, 0), "commit");
    expect_text(commit, "timestamp", "1970-01-01T00:00:00Z");
    expect_text(json_object_get(commit, "committer"), "username",
                json_string_value(json_object_get(json_object_get(commit, "author"), "name")));
    json_decref(data);
    json_decref(json);
}

/* The run's own time goes along, so its commit is no later; one that was measured years after its
 * date has that date all the same, and is no earlier than its commit. */
static void a_run_has_its_own_time(void **state) {
    (void)state;
    static const struct {
        const char *finished, *made;
        double date;
    } cases[] = {
        {"140400000", "136800000", 140400000}, /* 1970-01-02, at 15:00 and at 14:00 */
        {"90000000", "0", 90000000},           /* in the morning */
        {"1700000000000", "0", 129600000},     /* back-filled: noon */
        {"1700000000000", "136800000", 136800000},
        {"null", "136800000", 136800000},
        {"140400000", "1700000000000", 140400000},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *nights_ = g_strdup_printf(
            "[{'night': '1970-01-02', 'finished_ms': %s, 'commit': {'sha': 'a', 'time_ms': %s},"
            " 'portions': [{'portion': 'W', 'mean_ns': 1}]}]",
            cases[i].finished, cases[i].made);
        json_auto_t *json = json_of(nights_);
        g_autofree char *text = ci_history("github", "p", json);
        json_auto_t *data = json_loads(strchr(text, '{'), 0, NULL);
        const json_t *runs = json_object_get(json_object_get(data, "entries"), "p");
        expect_real(json_array_get(runs, 0), "date", cases[i].date);
    }
}

static void no_text_ends_the_script(void **state) {
    (void)state;
    json_t *json = json_of("[{'commit': {'subject': '</script><b>', 'author': '</SCRIPT >'},"
                           " 'portions': [{'portion': 'W', 'mean_ns': 1}]}]");
    g_autofree char *text = ci_history("github", "p</x", json);
    assert_null(strstr(text, "</"));
    assert_non_null(strstr(text, "<\\/script>"));
    json_decref(json);
}

static void bmf_is_the_newest_measured_night(void **state) {
    (void)state;
    json_t *json = nights();
    g_autofree char *text = ci_history("bmf", "kieker", json);
    json_t *data = json_loads(text, 0, NULL);
    assert_int_equal(json_object_size(data), 2);
    const json_t *t = json_object_get(json_object_get(data, "kieker T"), "latency");
    const json_t *w = json_object_get(json_object_get(data, "kieker W"), "latency");
    expect_real(t, "value", 70);
    expect_real(t, "lower_value", 69.5);
    expect_real(t, "upper_value", 70.5);
    expect_real(w, "value", 2650);
    assert_null(json_object_get(w, "lower_value"));
    /* no measure without a value: Bencher refuses the file, and our reader does not know it */
    json_auto_t *gap = json_of("[{'state': 'measured', 'portions': [{'portion': 'T', 'mean_ns': 5},"
                               " {'portion': 'W', 'mean_ns': null}]}]");
    g_autofree char *some = ci_history("bmf", "p", gap);
    assert_null(strstr(some, "p W"));
    json_decref(data);
    json_decref(json);
}

/* What differs at its end alone is two rows, two series, two benchmarks. */
static void long_names_stay_whole(void **state) {
    (void)state;
    static const char *const formats[] = {"csv", "github", "bmf", "openmetrics"};
    g_autofree char *letters = g_strnfill(1200, 'a');
    g_autofree char *one = g_strconcat(letters, "1", NULL), *two = g_strconcat(letters, "2", NULL);
    json_auto_t *all = json_pack("[{s:s,s:[{s:s,s:f},{s:s,s:f}]}]", "state", "measured", "portions",
                                 "portion", one, "mean_ns", 1.0, "portion", two, "mean_ns", 2.0);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autofree char *text = ci_history(formats[i], "p", all);
        if (!strstr(text, one) || !strstr(text, two))
            fail_msg("%s cuts a name", formats[i]);
    }
    g_autofree char *junit = ci_junit("p", json_array_get(all, 0));
    assert_true(strstr(junit, one) && strstr(junit, two));
}

static void openmetrics(void **state) {
    (void)state;
    json_t *json = nights();
    g_autofree char *text = ci_history("openmetrics", "a\"b\\c", json);
    static const char *const lines[] = {
        "# TYPE overhead_portion_mean_seconds gauge\n",
        "# UNIT overhead_portion_mean_seconds seconds\n",
        "# HELP overhead_portion_mean_seconds Mean of a portion of the response time.\n",
        "overhead_portion_mean_seconds{project=\"a\\\"b\\\\c\",portion=\"W\"} ",
        "overhead_portion_low_seconds{project=\"a\\\"b\\\\c\",portion=\"T\"} ",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        if (!strstr(text, lines[i]))
            fail_msg("no \"%s\" in %s", lines[i], text);
    assert_null(strstr(text, "low_seconds{project=\"a\\\"b\\\\c\",portion=\"W\"}"));
    const char *value = strstr(text, "portion=\"W\"} ") + strlen("portion=\"W\"} ");
    assert_true(fabs(g_ascii_strtod(value, NULL) - 2.65e-6) < 1e-15);
    assert_true(g_str_has_suffix(text, "\n# EOF\n"));
    json_decref(json);
}

static const char counted[] =
    "{'state': 'measured', 'configurations': [{'name': 'a', 'label': 'a', 'median_ns': 5,"
    " 'loop_results': []}, {'name': 'ram', 'label': 'ram', 'median_ns': 54.5, 'loop_results': []}],"
    " 'portions': [{'portion': 'T', 'configuration': 'a', 'mean_ns': 5}, {'portion': 'ram',"
    " 'configuration': 'ram', 'unit': 'MiB', 'mean_ns': 54.5}]}";

/* 54.5 MiB are no 54.5 ns. */
static void what_has_a_unit_is_no_time(void **state) {
    (void)state;
    json_auto_t *night = json_of(counted), *nights_ = json_pack("[O]", night);
    g_autofree char *bmf = ci_history("bmf", "p", nights_);
    g_autofree char *metrics = ci_history("openmetrics", "p", nights_);
    json_auto_t *data = json_loads(bmf, 0, NULL), *point = ci_otep_point(night);
    const json_t *ram = json_object_get(data, "p ram"),
                 *benches = json_object_get(point, "benches");
    assert_null(json_object_get(ram, "latency"));
    expect_real(json_object_get(ram, "MiB"), "value", 54.5);
    assert_non_null(strstr(metrics, "portion=\"T\""));
    assert_null(strstr(metrics, "portion=\"ram\""));
    assert_int_equal(json_array_size(benches), 1);
    expect_text(json_array_get(benches, 0), "name", "a");
}

static void nothing_measured(void **state) {
    (void)state;
    json_t *none = json_array();
    g_autofree char *csv_text = ci_history("csv", "p", none), *bmf = ci_history("bmf", "p", none);
    g_autofree char *metrics = ci_history("openmetrics", "p", none);
    g_autofree char *github = ci_history("github", "p", none);
    assert_string_equal(csv_text, "night,commit,portion,mean_ns,low_ns,high_ns,verdict\n");
    assert_string_equal(bmf, "{}\n");
    assert_null(strchr(metrics, '{'));
    assert_non_null(strstr(github, "\"p\": []"));
    json_decref(none);
}

/* A release in the form of OTEP 5109: medians, allocations, environment. */

#define LOOP(used_, bytes_)                                                                        \
    "{'used': " used_ ", 'readings': {'allocated_bytes_per_call': " bytes_ "}}"

static const char experiment[] =
    "{'release': '1.55.0', 'commit': {'sha': 'abc', 'time_ms': 1787146668571},"
    " 'environment_detail': {'node': 'metal\\u000a1', 'runtime': 'openjdk 17.0.1', 'cpu': 'EPYC',"
    " 'kernel': '6.1.0', 'detail': {'runner': '0.1.0'}},"
    " 'configurations': [{'name': 'api', 'label': 'counter increment', 'median_ns': 3.25,"
    "  'loop_results': [" LOOP("true", "104") "," LOOP("false", "9000") "," LOOP(
        "true", "108") ","
                       "  {'used': true, 'readings': null}]},"
                       " {'name': 'gone', 'label': 'gone', 'median_ns': null, 'loop_results': []},"
                       " {'name': 'sdk', 'label': 'with the SDK', 'median_ns': 70, 'loop_results': "
                       "[{'used': true}]}]}";

static void expect_bench(const json_t *benches, size_t at, const char *name, const char *unit,
                         double value) {
    const json_t *bench = json_array_get(benches, at);
    expect_text(bench, "name", name);
    expect_text(bench, "unit", unit);
    expect_real(bench, "value", value);
    expect_text(
        bench, "extra",
        "runner=metal 1\nruntime=openjdk 17.0.1\ncpu=EPYC\nkernel=6.1.0\nframework=moowatch "
        "0.1.0");
}

static void a_point_of_a_release(void **state) {
    (void)state;
    json_t *json = json_of(experiment), *point = ci_otep_point(json);
    expect_text(point, "release", "1.55.0");
    expect_text(point, "commit", "abc");
    assert_int_equal(json_integer_value(json_object_get(point, "date")), 1787146668571);
    const json_t *benches = json_object_get(point, "benches");
    assert_int_equal(json_array_size(benches), 3);
    expect_bench(benches, 0, "counter increment", "ns", 3.25);
    expect_bench(benches, 1, "counter increment allocations", "B/op", 106);
    expect_bench(benches, 2, "with the SDK", "ns", 70);
    json_decref(point);
    json_decref(json);
}

/* Nothing is made up of what is not known. */
static void what_is_not_known(void **state) {
    (void)state;
    json_t *json = json_of("{'configurations': [{'label': 'x', 'median_ns': 1}]}");
    json_t *point = ci_otep_point(json);
    assert_null(json_object_get(point, "release"));
    const json_t *benches = json_object_get(point, "benches");
    assert_int_equal(json_array_size(benches), 1);
    expect_text(json_array_get(benches, 0), "extra", "framework=moowatch");
    json_decref(point);
    json_decref(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv),
        cmocka_unit_test(csv_is_no_formula),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(github_data_reads_back),
        cmocka_unit_test(a_portion_says_what_it_is_over),
        cmocka_unit_test(a_narrow_interval_is_written),
        cmocka_unit_test(a_date_a_night),
        cmocka_unit_test(a_run_has_its_own_time),
        cmocka_unit_test(no_text_ends_the_script),
        cmocka_unit_test(bmf_is_the_newest_measured_night),
        cmocka_unit_test(long_names_stay_whole),
        cmocka_unit_test(openmetrics),
        cmocka_unit_test(what_has_a_unit_is_no_time),
        cmocka_unit_test(nothing_measured),

        cmocka_unit_test(a_point_of_a_release),
        cmocka_unit_test(what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
