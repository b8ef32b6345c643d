/* Nights of other tools as JSON: nothing goes without a word. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/imported.h"

static json_t *import(void **state, const char *text, GError **error) {
    g_autofree char *path = put(*state, "file", text);
    return ci_import(path, error);
}

#define RUN(date, benches) "{\"date\":" date ",\"benches\":[" benches "]}"
#define BENCH(name, value, unit) "{\"name\":\"" name "\",\"value\":" value ",\"unit\":\"" unit "\"}"
#define SUITE(runs) "{\"entries\":{\"s\":[" runs "]}}"

static void oldest_first(void **state) {
    g_autoptr(GError) error = NULL;
    json_t *nights = import(state,
                            SUITE(RUN("300000000", BENCH("a", "1", "ns")) "," RUN(
                                "100000000", "") "," RUN("200000000", "")),
                            &error);
    assert_int_equal(json_array_size(nights), 3);
    for (size_t i = 0; i < 3; i++)
        expect_real(json_array_get(nights, i), "time_ms", (double)(i + 1) * 1e8);
    expect_text(json_array_get(nights, 0), "night", "1970-01-02");
    expect_text(json_array_get(nights, 0), "suite", "s");
    json_decref(nights);
}

static void what_is_left_out_is_named(void **state) {
    json_t *nights =
        import(state, "[" BENCH("a", "1", "us") "," BENCH("size\\u0007", "4", "MiB") "]", NULL);
    const json_t *night = json_array_get(nights, 0);
    const json_t *left = json_array_get(json_object_get(night, "left"), 0);
    assert_int_equal(json_integer_value(json_object_get(night, "left_out")), 1);
    assert_null(strchr(ci_json_text(left, "name", ""), '\a'));
    assert_non_null(strstr(ci_json_text(left, "why", ""), "MiB"));
    expect_text(night, "format", "github");
    expect_text(night, "night", NULL);
    assert_true(json_is_null(json_object_get(night, "commit")));
    const json_t *value = json_array_get(json_object_get(night, "values"), 0);
    expect_real(value, "mean_ns", 1000);
    expect_real(value, "low_ns", NAN);
    assert_null(json_object_get(value, "loops_ns"));
    json_decref(nights);
}

/* A loop is its mean; a long name is kept whole. */
static void loops_and_long_names_are_kept(void **state) {
    g_autofree char *lengthy = g_strnfill(1000, 'x');
    g_autofree char *text =
        g_strdup_printf("[{\"benchmark\":\"%s\",\"primaryMetric\":{\"score\":1,\"scoreUnit\":"
                        "\"ns/op\",\"rawData\":[[1,3],[4]]}}]",
                        lengthy);
    json_t *nights = import(state, text, NULL);
    const json_t *value = json_array_get(json_object_get(json_array_get(nights, 0), "values"), 0);
    const json_t *loops = json_object_get(value, "loops_ns");
    expect_text(value, "name", lengthy);
    expect_real(value, "n", 2);
    assert_int_equal(json_array_size(loops), 2);
    assert_true(json_number_value(json_array_get(loops, 0)) == 2);
    assert_true(json_number_value(json_array_get(loops, 1)) == 4);
    json_decref(nights);
}

static void a_commit_with_its_own_time(void **state) {
    json_t *nights =
        import(state,
               SUITE("{\"commit\":{\"id\":\"abc\",\"timestamp\":\"1970-01-01T00:00:05Z\"},"
                     "\"benches\":[" BENCH("a", "1", "ns") "]}"),
               NULL);
    const json_t *commit = json_object_get(json_array_get(nights, 0), "commit");
    expect_text(commit, "sha", "abc");
    expect_text(commit, "subject", "");
    expect_real(commit, "time_ms", 5000);
    json_decref(nights);
}

static void what_is_refused_says_why(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "is empty"},
        {"{", "file:1:"},
        {"nonsense", "known are github-action-benchmark, JMH"},
        {"[1,2]", "is JSON, but not the output of a known tool"},
        {"\xff\xfe", "is UTF-16 text, as PowerShell writes it: save it as UTF-8"},
        {"\x1f\x8b\x08", "is packed by gzip: unpack it first"},
        {"[\xff]", "is not UTF-8 text"},
        {"kind: x\nexperiments: 3\n", "results.yaml"},
        {"[" BENCH("a", "1", "MiB") "]", "a: its unit"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_null(import(state, cases[i].text, &error));
        EXPECT_ERROR(error, CI_ERROR_INPUT, cases[i].words);
    }
}

static void a_file_that_is_not_there(void **state) {
    g_autofree char *path = g_build_filename(*state, "nothing", NULL);
    GError *error = NULL;
    assert_null(ci_import(path, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "nothing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(oldest_first),
        IN_FOLDER(what_is_left_out_is_named),
        IN_FOLDER(loops_and_long_names_are_kept),
        IN_FOLDER(a_commit_with_its_own_time),
        IN_FOLDER(what_is_refused_says_why),
        IN_FOLDER(a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
