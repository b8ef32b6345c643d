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
    assert_null(strchr(cfg_json_word(left, "name", ""), '\a'));
    assert_non_null(strstr(cfg_json_word(left, "why", ""), "MiB"));
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

/* A commit that is measured again later is not a later commit. */

#define DAY_MS 86400000

/* Runs on the days 10, 11, …: "a5" is commit a of day 5; a lone letter has no date. Returns "a@10
 * b@11": what stays, with its night. */
static char *order_of(const char *runs, GPtrArray *told) {
    json_auto_t *nights = json_array();
    g_auto(GStrv) each = g_strsplit(runs, " ", -1);
    for (int i = 0; each[i]; i++) {
        g_autofree char *day = g_strdup_printf("1970-01-%02d", i + 10),
                        *sha = g_strndup(each[i], 1);
        json_t *commit = json_pack("{s:s}", "sha", sha);
        if (each[i][1])
            json_object_set_new(commit, "time_ms",
                                json_integer((json_int_t)(atoi(each[i] + 1) - 1) * DAY_MS));
        json_array_append_new(nights, json_pack("{s:s,s:o}", "night", day, "commit", commit));
    }
    json_auto_t *kept = ci_code_order(nights, told);
    GString *text = g_string_new(NULL);
    size_t i;
    json_t *night;
    json_array_foreach (kept, i, night)
        g_string_append_printf(text, "%s%s@%s", i ? " " : "",
                               cfg_json_word(json_object_get(night, "commit"), "sha", "?"),
                               cfg_json_word(night, "night", "?") + strlen("1970-01-"));
    return g_string_free(text, FALSE);
}

static void runs_of_old_code(void **state) {
    (void)state;
    static const struct {
        const char *runs, *order;
        guint told;
    } cases[] = {
        {"a9 b10 c11", "a@10 b@11 c@12", 0},
        {"a9 a9 b10 b10", "a@10 a@11 b@12 b@13", 0}, /* the same night after night */
        {"a9 b10 a9 c11", "a@10 b@11 c@13", 1},      /* again, with another in between */
        {"a b a c", "a@10 b@11 c@13", 1},
        {"a7 b9 c3 d10", "c@03 a@10 b@11 d@13", 1},         /* filled in later: goes to its place */
        {"a7 b9 c3 c3 d10", "c@03 c@03 a@10 b@11 d@14", 2}, /* measured again at once */
        {"a7 b9 c3 b9 d10", "c@03 a@10 b@11 b@13 d@14", 1}, /* its place leaves b beside b */
        {"a9 b9 c9", "a@10 b@11 c@12", 0},
        {"a9 b8 c10", "a@10 b@11 c@12", 0}, /* a day apart says nothing of branches */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *order = order_of(cases[i].runs, told);
        assert_string_equal(order, cases[i].order);
        assert_int_equal(told->len, cases[i].told);
    }
}

static void it_is_said_which(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *order = order_of("a9 b10 a9 c3", told);
    assert_string_equal(order, "c@03 a@10 b@11");
    assert_non_null(strstr(told->pdata[0], "run of 1970-01-12: commit a was measured before"));
    assert_non_null(strstr(told->pdata[1], "run of 1970-01-13: its commit c is of 1970-01-03"));
}

/* What an import left out, once for all runs, by name and reason. */

static void a_line_a_benchmark(void **state) {
    (void)state;
    json_auto_t *nights = json_of(
        "[{'left': [{'name': 'mem', 'why': 'no time'}, {'name': 'b', 'why': 'skipped'}], 'notes':"
        " ['doubled']}, {'left': [{'name': 'mem', 'why': 'no time'}], 'notes': ['doubled']}, {}]");
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    ci_told_nights(told, nights);
    assert_int_equal(told->len, 3);
    assert_string_equal(told->pdata[0], "left out: mem: no time (in 2 of 3 runs)");
    assert_string_equal(told->pdata[1], "left out: b: skipped");
    assert_string_equal(told->pdata[2], "doubled (in 2 of 3 runs)");
}

static void many_lines_are_counted(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 30; i++)
        g_ptr_array_add(told, g_strdup_printf("line %d", i));
    char text[1024] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    ci_told_print(told, file);
    (void)fclose(file);
    assert_non_null(strstr(text, "line 24\n"));
    assert_null(strstr(text, "line 25\n"));
    assert_non_null(strstr(text, "and 5 more such lines\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(oldest_first),
        IN_FOLDER(what_is_left_out_is_named),
        IN_FOLDER(loops_and_long_names_are_kept),
        IN_FOLDER(a_commit_with_its_own_time),
        IN_FOLDER(what_is_refused_says_why),
        IN_FOLDER(a_file_that_is_not_there),
        cmocka_unit_test(runs_of_old_code),
        cmocka_unit_test(it_is_said_which),
        cmocka_unit_test(a_line_a_benchmark),
        cmocka_unit_test(many_lines_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
