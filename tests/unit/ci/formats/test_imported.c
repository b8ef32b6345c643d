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
                            SUITE(RUN("400000000000", BENCH("a", "1", "ns")) "," RUN(
                                "200000000000", "") "," RUN("300000000000", "")),
                            &error);
    assert_int_equal(json_array_size(nights), 3);
    for (size_t i = 0; i < 3; i++)
        expect_real(json_array_get(nights, i), "time_ms", (double)(i + 2) * 1e11);
    expect_text(json_array_get(nights, 0), "night", "1976-05-03");
    expect_text(json_array_get(nights, 0), "suite", "s");
    json_decref(nights);
}

static void what_is_left_out_is_named(void **state) {
    json_t *nights =
        import(state, "[" BENCH("a", "1", "us") "," BENCH("size\\u0007", "4", "") "]", NULL);
    const json_t *night = json_array_get(nights, 0);
    const json_t *left = json_array_get(json_object_get(night, "left"), 0);
    assert_int_equal(json_integer_value(json_object_get(night, "left_out")), 1);
    assert_null(strchr(cfg_json_word(left, "name", ""), '\a'));
    assert_non_null(strstr(cfg_json_word(left, "why", ""), "no unit"));
    expect_text(night, "format", "github");
    expect_text(night, "night", NULL);
    assert_true(json_is_null(json_object_get(night, "commit")));
    const json_t *value = json_array_get(json_object_get(night, "values"), 0);
    expect_real(value, "mean_ns", 1000);
    expect_real(value, "low_ns", NAN);
    assert_null(json_object_get(value, "loops_ns"));
    json_decref(nights);
}

/* By its unit a later file of one night tells a custom value apart; a label of MooBench is a
 * time's.
 */
static void a_custom_value_has_its_name_in_its_unit(void **state) {
    static const char *const full[] = {"a [ns]", "b [req/s]", NULL};
    json_t *nights = import(state,
                            "[" BENCH("a", "1", "us") "," BENCH("b", "4", "req/s") "," BENCH(
                                "No instrumentation", "1", "us") "]",
                            NULL);
    const json_t *values = json_object_get(json_array_get(nights, 0), "values");
    for (size_t i = 0; i < 3; i++)
        expect_text(json_array_get(values, i), "full", full[i]);
    expect_text(json_array_get(values, 1), "alone", "b");
    json_decref(nights);
    nights = import(state, "BenchmarkA-8 100 12.5 ns/op\n", NULL);
    values = json_object_get(json_array_get(nights, 0), "values");
    expect_text(json_array_get(values, 0), "full", NULL);
    json_decref(nights);
}

/* What a driver takes and an import does not. */
static void allocated_bytes_are_told(void **state) {
    json_t *nights = import(state, "BenchmarkA-8 100 12.5 ns/op 64 B/op 2 allocs/op\n", NULL);
    const json_t *notes = json_object_get(json_array_get(nights, 0), "notes");
    assert_true(cfg_json_has_word(notes, "bytes allocated a call are not imported"));
    assert_true(cfg_json_has_word(notes, "beside the times, not read: allocs/op"));
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
        {"PK\3\4\xff", "is a zip: --project reads MooBench's raw results of a FILE.zip"},
        {"[\xff]", "is not UTF-8 text"},
        {"kind: x\nexperiments: 3\n", "results.yaml"},
        {"[" BENCH("a", "1", "") "]", "a: it has no unit"},
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
    error = NULL;
    assert_null(ci_import("/dev/null", &error)); /* as a pipe it has no pages */
    EXPECT_ERROR(error, CI_ERROR_INPUT, "write what a pipe gives into a file first");
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
        json_array_append_new(nights, json_pack("{s:s,s:I,s:o}", "night", day, "time_ms",
                                                (json_int_t)(i + 9) * DAY_MS, "commit", commit));
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

/* A clock that was ahead neither moves the nights behind it, nor puts its own behind one of the
 * same day; it is told once. */
static void a_commit_dated_after_its_run(void **state) {
#define OF(date, id, of)                                                                           \
    "{\"date\":" date ",\"commit\":{\"id\":\"" id "\",\"timestamp\":\"" of "\"},"
#define FORTY(d) d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d
#define ONE "\"benches\":[" BENCH("a", "1", "ns") "]}"
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    json_auto_t *nights =
        import(state,
               SUITE(OF("1709600000000", FORTY("a"), "2038-01-01T00:00:00Z") ONE
                     "," OF("1709610000000", FORTY("b"), "2024-03-05T03:00:00Z") ONE
                     "," OF("1709700000000", FORTY("c"), "2024-03-06T03:00:00Z") ONE),
               &error);
    g_assert_no_error(error);
    ci_import_notes(told, nights);
    json_auto_t *kept = ci_code_order(nights, told);
    assert_int_equal(json_array_size(kept), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *night = json_array_get(kept, i);
        assert_int_equal(*cfg_json_word(json_object_get(night, "commit"), "sha", "?"), 'a' + i);
        assert_true(cfg_json_number(json_object_get(night, "commit"), "time_ms") <=
                    cfg_json_number(night, "time_ms"));
    }
    assert_int_equal(told->len, 1);
    assert_string_equal(told->pdata[0], "the commit is dated after its run, which cannot be: the "
                                        "run's time is taken");
#undef OF
#undef FORTY
#undef ONE
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
        "[{'left': [{'name': 'mem', 'why': 'no time'}, {'name': 'b', 'why': 'skipped'},"
        " {'name': 'b', 'why': 'skipped'}, {'name': 'mem', 'why': 'no time'}], 'notes':"
        " ['doubled']}, {'left': [{'name': 'mem', 'why': 'no time'}], 'notes': ['doubled']}, {}]");
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    ci_import_notes(told, nights);
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
    ci_import_notes_print(told, file);
    (void)fclose(file);
    assert_non_null(strstr(text, "line 24\n"));
    assert_null(strstr(text, "line 25\n"));
    assert_non_null(strstr(text, "and 5 more such lines\n"));
}

/* Configurations of imported nights: names, chains, and what is told of them. */

/* "T:none I:deactivated<0": portion, label and parent of each; owned. names: a night each, between
 * bars; a name behind another with a comma. */
static char *links_text(const char *names, const char *chain, GPtrArray *told, GError **error) {
    json_auto_t *nights = json_array();
    g_auto(GStrv) each = g_strsplit(names, "|", -1);
    for (GStrv night = each; *night; night++) {
        g_auto(GStrv) values = g_strsplit(*night, ",", -1);
        json_t *list = json_array();
        for (GStrv value = values; *value; value++)
            json_array_append_new(list, json_pack("{s:s,s:f}", "name", *value, "mean_ns", 1.0));
        json_array_append_new(nights,
                              json_pack("{s:s,s:o}", "night", "2024-01-01", "values", list));
    }
    g_autoptr(GPtrArray) links = ci_links_of_nights(nights, chain, told, error);
    if (!links)
        return NULL;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        g_string_append_printf(text, "%s%s=%s", i ? "; " : "", link->portion, link->label);
        if (link->parent >= 0)
            g_string_append_printf(text, "<%d", link->parent);
    }
    return g_string_free(text, FALSE);
}

static void chains_of_all_frameworks(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"No instrumentation,Deactivated probe,No collection,Binary file",
         "T=No instrumentation; I=Deactivated probe<0; C=No collection<1; W=Binary file<2"},
        {"No instrumentation,Deactivated probe,No logging,Binary file|No instrumentation,No "
         "collection",
         "T=No instrumentation; I=Deactivated probe<0; C=No collection<1; W=Binary file<2"},
        {"No instrumentation,Deactivated probe,No collection,Binary file,Binary file (Milli timer)",
         "T=No instrumentation; I=Deactivated probe<0; C=No collection<1; W Binary file=Binary "
         "file<2; W Binary file (Milli timer)=Binary file (Milli timer)<2"},
        {"No instrumentation,Deactivated probe - A,Deactivated probe - B,No logging - A,No logging "
         "- B,Text file - A,Text file - B",
         "T=No instrumentation; I A=Deactivated probe - A<0; I B=Deactivated probe - B<0; C A=No "
         "logging - A<1; C B=No logging - B<2; W Text file - A=Text file - A<3; W Text file - "
         "B=Text file - B<4"},
        {"No instrumentation,Skywalking instrumentation,Skywalking 20Hz Sampling,Skywalking no "
         "data "
         "collection",
         "T=No instrumentation; I=Skywalking no data collection<0; C+W Skywalking "
         "instrumentation=Skywalking instrumentation<1; C+W Skywalking 20Hz Sampling=Skywalking "
         "20Hz Sampling<1"},
        {"No instrumentation,Instrumentation and Profiling,Disabled Profiling",
         "T=No instrumentation; I=Disabled Profiling<0; C+W=Instrumentation and Profiling<1"},
        {"No Instrumentation,OpenTelemetry No Export,OpenTelemetry Zipkin",
         "T=No Instrumentation; I+C=OpenTelemetry No Export<0; W=OpenTelemetry Zipkin<1"},
        {"No instrumentation,Deactivated probe,Regular Writing,Writing without sanitizing fields",
         "T=No instrumentation; I=Deactivated probe<0; C+W Regular Writing=Regular Writing<1; C+W "
         "Writing without sanitizing fields=Writing without sanitizing fields<1"},
        {"No instrumentation,Pinpoint Deactivated,Pinpoint No Measurement,Pinpoint Basic,Pinpoint "
         "Sampling",
         "T=No instrumentation; I=Pinpoint Deactivated<0; C=Pinpoint No Measurement<1; W Pinpoint "
         "Basic=Pinpoint Basic<2; W Pinpoint Sampling=Pinpoint Sampling<2"},
        /* two frameworks in one file: no portion stands for two */
        {"No instrumentation,Deactivated probe,Disabled Profiling,Binary file",
         "T=No instrumentation; I=Deactivated probe<0; I Disabled Profiling=Disabled Profiling<0; "
         "C+W=Binary file<1"},
        {"No instrumentation,Text file,Binary file",
         "T=No instrumentation; I+C+W Text file=Text file<0; I+C+W Binary file=Binary file<0"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *text = links_text(cases[i][0], NULL, told, NULL);
        assert_string_equal(text, cases[i][1]);
        assert_int_equal(told->len, 1);
        assert_true(g_str_has_prefix(told->pdata[0], "chain by MooBench's labels: T = "));
    }
}

/* As Pinpoint's own history has it: a step that was soon left out keeps no night from being judged.
 */
static void a_step_that_few_nights_have(void **state) {
    (void)state;
    static const char with[] = "No instrumentation,Pinpoint Deactivated,Pinpoint No Measurement,"
                               "Pinpoint Basic",
                      without[] = "|No instrumentation,Pinpoint Deactivated,Pinpoint Basic";
    g_autofree char *half = g_strconcat(with, without, NULL),
                    *few = g_strconcat(with, without, without, NULL);
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *kept = links_text(half, NULL, told, NULL);
    assert_string_equal(kept, "T=No instrumentation; I=Pinpoint Deactivated<0; C=Pinpoint No "
                              "Measurement<1; W=Pinpoint Basic<2");
    assert_int_equal(told->len, 1);
    g_ptr_array_set_size(told, 0);
    g_autofree char *joined = links_text(few, NULL, told, NULL);
    assert_string_equal(joined, "T=No instrumentation; I=Pinpoint Deactivated<0; C=Pinpoint No "
                                "Measurement<1; C+W=Pinpoint Basic<1");
    assert_non_null(
        strstr(told->pdata[0], "\"Pinpoint No Measurement\" is in only 1 of the runs:"));
}

/* Nothing is subtracted of what is not known to be a chain, and both are told. */
static void guesses_are_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *alone = links_text("SetName,CreateKey,T,I", NULL, told, NULL);
    assert_string_equal(alone, "SetName=SetName; CreateKey=CreateKey; T=T; I=I");
    assert_non_null(strstr(told->pdata[0], "no chain is known for these 4"));
}

/* One label may be anybody's word: a Catch2 file has "No instrumentation" beside "span". A chain
 * are two that belong together, and what is no label of MooBench's is in none. */
static void labels_that_belong_together(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"No instrumentation,span", "No instrumentation=No instrumentation; span=span",
         "no chain is known for these 2"},
        {"No logging,Logging,parse", "No logging=No logging; Logging=Logging; parse=parse",
         "no chain is known for these 3"},
        {"Configuration 1,Configuration 2",
         "Configuration 1=Configuration 1; Configuration 2=Configuration 2",
         "no chain is known for these 2"},
        {"No instrumentation,Configuration 1", "T=No instrumentation; I=Deactivated probe<0",
         "\"Configuration 1\" is read as \"Deactivated probe\""},
        {"redis,No instrumentation,Deactivated probe,Zipkin",
         "T=No instrumentation; I=Deactivated probe<0; C+W=Zipkin<1; redis=redis",
         "\"redis\" is not a label of MooBench: it is shown by itself (--chain says what it is "
         "compared with)"},
        {"T,No instrumentation,Deactivated probe",
         "T=No instrumentation; I=Deactivated probe<0; T-t=T", "\"T\" is not a label"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *text = links_text(cases[i][0], NULL, told, NULL);
        assert_string_equal(text, cases[i][1]);
        assert_true(g_str_has_prefix(told->pdata[0], cases[i][2]));
    }
}

/* --chain names what an item is compared with, wherever that stands. */
static void a_chain_in_any_order(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    static const char *const cases[][3] = {
        {"c,a,b", "C:b,T:a,I:a", NULL},
        {"c,a,b", "C:b,T,I:a", NULL},
        {"a,c,b", "T,C:b,I:a", "T=a; I=b<0; C=c<1"},
        {"A b,c d", "T,I:A b", "T=A b; I=c d<0"},
        {"A b,c d", "T,I:a-b", "T=A b; I=c d<0"},
        {"a,b", "T:b,I:a", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_autofree char *text = links_text(cases[i][0], cases[i][1], told, &error);
        if (cases[i][2])
            assert_string_equal(text, cases[i][2]);
        else
            EXPECT_ERROR(error, CI_ERROR_INPUT, "--chain");
    }
    assert_int_equal(told->len, 0);
}

static void what_cannot_be_told_apart_is_refused(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    GError *error = NULL;
    g_autofree char *other = links_text(
        "No instrumentation,No logging,No collection|No instrumentation", NULL, told, NULL);
    assert_string_equal(other, "No instrumentation=No instrumentation");
    assert_string_equal(told->pdata[0],
                        "run of 2024-01-01: \"No logging\" and \"No collection\" are "
                        "one configuration of MooBench; left out");
    assert_null(links_text("a,a", NULL, told, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "no run has a value that can be used");
    g_autoptr(GString) many = g_string_new("n0");
    for (int i = 1; i < 64; i++)
        g_string_append_printf(many, ",n%d", i);
    g_autofree char *most = links_text(many->str, NULL, told, NULL);
    assert_non_null(most);
    g_string_append(many, ",more");
    assert_null(links_text(many->str, NULL, told, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "there are 65 benchmarks; a project has at most 64");
    g_string_assign(many, "cpu [0]");
    for (int i = 1; i < 80; i++)
        g_string_append_printf(many, ",%s [%d]", i % 2 ? "ram" : "cpu", i);
    assert_null(links_text(many->str, NULL, told, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT,
                 "--match for each project, such as 'cpu*' (40), 'ram*' (40)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(oldest_first),
        IN_FOLDER(what_is_left_out_is_named),
        IN_FOLDER(a_custom_value_has_its_name_in_its_unit),
        IN_FOLDER(allocated_bytes_are_told),
        IN_FOLDER(loops_and_long_names_are_kept),
        IN_FOLDER(a_commit_with_its_own_time),
        IN_FOLDER(what_is_refused_says_why),
        IN_FOLDER(a_file_that_is_not_there),
        cmocka_unit_test(runs_of_old_code),
        cmocka_unit_test(it_is_said_which),
        IN_FOLDER(a_commit_dated_after_its_run),
        cmocka_unit_test(a_line_a_benchmark),
        cmocka_unit_test(many_lines_are_counted),

        cmocka_unit_test(chains_of_all_frameworks),
        cmocka_unit_test(a_step_that_few_nights_have),
        cmocka_unit_test(guesses_are_told),
        cmocka_unit_test(labels_that_belong_together),
        cmocka_unit_test(a_chain_in_any_order),
        cmocka_unit_test(what_cannot_be_told_apart_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
