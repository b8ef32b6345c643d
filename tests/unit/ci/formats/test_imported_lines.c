/* Results from elsewhere as the lines that moowatchd import takes in: nothing is made up. */
#include "tests/unit/ci/command/results_folder.h"

#include "ci/formats/imported.h"
#include "ci/formats/write.h"
#include "config/formats/formats.h"

#define NIGHT(night_, more_)                                                                       \
    "{'night': '" night_ "', 'time_ms': 1709600000000, 'suite': 's', " more_ "}"
#define VALUES(values_) "'values': [" values_ "]"
#define VALUE(name_, mean_) "{'name': '" name_ "', 'mean_ns': " #mean_ "}"
#define SURE(name_, mean_, low_, high_)                                                            \
    "{'name': '" name_ "', 'mean_ns': " #mean_ ", 'low_ns': " #low_ ", 'high_ns': " #high_ "}"

/* The lines; owned. NULL with error. */
static json_t *lines(const char *nights, ci_lines_options options, GError **error) {
    options.project = "kieker";
    json_t *json = json_of(nights), *made = ci_lines_of_nights(json, &options, error);
    json_decref(json);
    return made;
}

static json_t *body_of(const json_t *line, const char *part) {
    return json_object_get(json_object_get(line, part), "configurations");
}

static void expect_chain(const char *nights, const char *chain, const char *const *wanted) {
    GError *error = NULL;
    json_t *made = lines(nights, (ci_lines_options){.chain = chain}, &error);
    if (!made)
        fail_msg("%s", error->message);
    const json_t *configurations = body_of(json_array_get(made, 1), "body");
    size_t i = 0;
    for (; wanted[i]; i++) {
        const json_t *c = json_array_get(configurations, i);
        g_autofree char *told =
            g_strdup_printf("%s %s %s", cfg_json_word(c, "name", "?"),
                            cfg_json_word(c, "portion", "?"), cfg_json_word(c, "parent", "-"));
        assert_string_equal(told, wanted[i]);
    }
    assert_int_equal(json_array_size(configurations), i);
    json_decref(made);
}

/* Upstream's labels say the chain, in whatever order and night they come. */
static void the_chain_of_upstreams_labels(void **state) {
    (void)state;
    expect_chain(
        "[" NIGHT("2024-03-05",
                  VALUES(VALUE("Logging (TCP)", 4) "," VALUE(
                      "No instrumentation", 1))) "," NIGHT("2024-03-06",
                                                           VALUES(VALUE("no logging", 3) "," VALUE(
                                                               "Deactivated probe", 2))) "]",
        NULL,
        (const char *[]){"no-instrumentation T -", "deactivated-probe I no-instrumentation",
                         "no-logging C deactivated-probe", "logging--tcp- W no-logging", NULL});
}

/* Some nights upstream had no labels: the number says which it was. A fourth is a writer. */
static void the_number_of_a_configuration_without_label(void **state) {
    (void)state;
    expect_chain(
        "[" NIGHT("2024-03-05",
                  VALUES(VALUE("Configuration 3", 4) "," VALUE("Configuration 0", 1) "," VALUE(
                      "Configuration 2", 3) "," VALUE("Configuration 1", 2))) "]",
        NULL,
        (const char *[]){"no-instrumentation T -", "deactivated-probe I no-instrumentation",
                         "no-logging C deactivated-probe", "configuration-3 W no-logging", NULL});
}

static void the_chain_as_told(void **state) {
    (void)state;
    const char *nights =
        "[" NIGHT("2024-03-05", VALUES(VALUE("Bare", 1) "," VALUE("With Zipkin", 2))) "]";
    expect_chain(nights, "T,Z:bare",
                 (const char *[]){"bare T -", "with-zipkin-dcb5b4aa Z bare", NULL});
    GError *error = NULL;
    assert_null(lines(nights, (ci_lines_options){.chain = "T"}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "--chain");
}

/* The loops of the only night. */
static json_t *loops_of(const char *values) {
    g_autofree char *nights = g_strdup_printf("[" NIGHT("2024-03-05", VALUES("%s")) "]", values);
    json_t *made = lines(nights, (ci_lines_options){0}, NULL);
    assert_non_null(made);
    json_t *loops =
        json_incref(json_object_get(json_object_get(json_array_get(made, 2), "result"), "loops"));
    json_decref(made);
    return loops;
}

/* It is shown with the night, and splits no series. */
static void where_a_file_was_measured_is_kept(void **state) {
    (void)state;
    json_t *made = lines(
        "[" NIGHT("2024-03-05", "'machine': {'cpu': 'AMD EPYC'}, 'notes': ['so']," VALUES(VALUE(
                                    "a", 1))) "," NIGHT("2024-03-06",
                                                        "'machine': {}," VALUES(VALUE("a", 1))) "]",
        (ci_lines_options){0}, NULL);
    const json_t *of[2];
    for (size_t i = 0; i < 2; i++)
        of[i] =
            json_object_get(json_object_get(json_array_get(made, 2 + i), "result"), "environment");
    const json_t *machine = json_object_get(json_object_get(of[0], "detail"), "machine");
    assert_string_equal(cfg_json_word(machine, "cpu", "?"), "AMD EPYC");
    const json_t *read = json_object_get(json_object_get(of[0], "detail"), "read");
    assert_string_equal(json_string_value(json_array_get(read, 0)), "so");
    const json_t *undated = json_object_get(json_object_get(of[1], "detail"), "undated");
    assert_int_equal(json_array_size(undated), 1); /* the commit: the run says its time */
    assert_string_equal(json_string_value(json_array_get(undated, 0)), "commit");
    json_decref(made);
    made = lines("[{'night': '2024-03-05', 'suite': 's', 'time_ms': 5, 'commit': {'sha': 'a', "
                 "'time_ms': 4}, 'values': [" VALUE("a", 1) "]}]",
                 (ci_lines_options){0}, NULL);
    const json_t *result = json_object_get(json_array_get(made, 2), "result");
    assert_null(json_object_get(json_object_get(result, "environment"), "detail"));
    json_decref(made);
    made = lines("[{'suite': 's', 'values': [" VALUE("a", 1) "]}]",
                 (ci_lines_options){.night = "2024-03-05"}, NULL);
    result = json_object_get(json_array_get(made, 2), "result");
    const json_t *detail = json_object_get(json_object_get(result, "environment"), "detail");
    assert_int_equal(json_array_size(json_object_get(detail, "undated")), 2);
    json_decref(made);
    made = lines("[" NIGHT("2024-03-05",
                           VALUES("{'name': 'a', 'mean_ns': 2, 'loops_ns': [1, 3]}," SURE(
                               "b", 2, 1, 3) ",{'name': 'c', 'mean_ns': 2, 'loops_ns': [2]}")) "]",
                 (ci_lines_options){0}, NULL);
    result = json_object_get(json_array_get(made, 2), "result");
    detail = json_object_get(json_object_get(result, "environment"), "detail");
    assert_int_equal(json_array_size(json_object_get(detail, "loops")), 1);
    g_autofree char *key = ci_upstream_key("a");
    assert_true(cfg_json_has_word(json_object_get(detail, "loops"), key));
    json_decref(made);
}

/* By which of its two names a history has it, the server knows. */
static void both_names_go_along(void **state) {
    (void)state;
    json_t *made =
        lines("[" NIGHT("2024-03-05", "'left': [{'name': 'Y', 'why': 'failed', 'alone': 'Y', "
                                      "'full': 'Y [b]'}],"
                                      "'values': [{'name': 'X [b]', 'mean_ns': 1, 'alone': 'X', "
                                      "'full': 'X [b]'}, {'name': 'Z', 'mean_ns': 1}]") "]",
              (ci_lines_options){0}, NULL);
    const json_t *names = json_object_get(json_array_get(made, 1), "names");
    g_autofree char *x = ci_upstream_key("X [b]"), *y = ci_upstream_key("Y [b]");
    json_t *wanted =
        json_pack("{s:{s:{s:s,s:s},s:{s:s,s:s}},s:{s:{s:s,s:s},s:{s:s,s:s}}}", x, "alone", "name",
                  "x", "label", "X", "full", "name", x, "label", "X [b]", "y", "alone", "name", "y",
                  "label", "Y", "full", "name", y, "label", "Y [b]");
    assert_true(json_equal(names, wanted));
    json_decref(wanted);
    json_decref(made);
}

/* Whether a project waits for it is not known here; what is only in part left out has a value. */
static void why_a_value_is_not_there_goes_along(void **state) {
    (void)state;
    json_t *made =
        lines("[" NIGHT("2024-03-05",
                        "'left': [{'name': 'B', 'why': 'skipped'}, {'name': 'B', 'why': 'again'},"
                        " {'name': 'a', 'why': '1 of 9 runs failed'},"
                        " {'name': 'd', 'why': '3 runs failed', 'failed': [{'loop': 1, 'why': 'x'},"
                        " {'loop': 2, 'why': 'y'}, {'loop': 3, 'why': 'x'}]}]," VALUES(
                            VALUE("a", 1))) "," NIGHT("2024-03-06", VALUES(VALUE("a", 1))) "]",
              (ci_lines_options){0}, NULL);
    const json_t *left = json_object_get(json_array_get(made, 2), "left");
    assert_int_equal(json_object_size(left), 2);
    assert_string_equal(cfg_json_word(left, "b", "?"), "skipped");
    g_autofree char *key = ci_upstream_key("d");
    const json_t *failed = json_object_get(left, key);
    assert_int_equal(json_array_size(failed), 3); /* what the file has */
    assert_string_equal(json_string_value(json_array_get(failed, 1)), "y");
    assert_int_equal(cfg_json_integer(cfg_json_at(json_array_get(made, 1), "body"), "loops"), 3);
    assert_null(json_object_get(json_array_get(made, 3), "left"));
    json_decref(made);
}

static double loop_mean(const json_t *loops, size_t i) {
    return cfg_json_number(json_object_get(json_array_get(loops, i), "summary"), "mean_ns");
}

/* Two loops around a value have its interval: mean ± qt(0.975, 1) * sd / sqrt(2). */
static void an_interval_becomes_two_loops(void **state) {
    (void)state;
    json_t *loops = loops_of(SURE("No instrumentation", 100, 90, 110));
    assert_int_equal(json_array_size(loops), 2);
    const double a = loop_mean(loops, 0), b = loop_mean(loops, 1);
    assert_true(fabs((a + b) / 2 - 100) < 1e-9);
    assert_true(fabs(12.706204736432095 * fabs(a - b) / 2 - 10) < 1e-9);
    json_decref(loops);
}

/* Neighbours lean opposite ways: their difference by rounds is no surer than they are. */
static void a_difference_is_no_surer_than_its_parts(void **state) {
    (void)state;
    json_t *loops = loops_of(
        SURE("No instrumentation", 100, 90, 110) "," SURE("Deactivated probe", 150, 140, 160));
    assert_int_equal(json_array_size(loops), 4);
    const double first = loop_mean(loops, 2) - loop_mean(loops, 0);
    const double second = loop_mean(loops, 3) - loop_mean(loops, 1);
    assert_true(fabs((first + second) / 2 - 50) < 1e-9);
    assert_true(12.706204736432095 * fabs(first - second) / 2 >= 20 - 1e-9);
    json_decref(loops);
}

/* An export of ours, whose I measures below zero. */
static json_t *exported(void **state) {
    GError *error = NULL;
    json_auto_t *json = json_of(
        "[{'night': '2024-03-05', 'finished_ms': 1709643600000, 'commit': {'sha': 'a', 'time_ms':"
        " 1709640000000}, 'portions': [{'portion': 'T', 'configuration': 'none', 'mean_ns': 100,"
        " 'low_ns': 99, 'high_ns': 101}, {'portion': 'I', 'configuration': 'probe', 'parent':"
        " 'none', 'mean_ns': -0.25, 'low_ns': -1.5, 'high_ns': 1}, {'portion': 'W',"
        " 'configuration': 'tcp', 'parent': 'probe', 'mean_ns': 900}]}]");
    g_autofree char *text = ci_history("github", "kieker", json);
    g_autofree char *path = put(*state, "data.js", text);
    json_t *nights = ci_import(path, &error);
    g_assert_no_error(error);
    return nights;
}

/* Each as it was, with its chain and its interval; and its run is no earlier than its commit. */
static void portions_come_back(void **state) {
    static const char *const chain[] = {"T -", "I t", "W i"};
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    const ci_lines_options options = {.project = "kieker", .told = told};
    json_auto_t *nights = exported(state), *made = ci_lines_of_nights(nights, &options, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < told->len; i++)
        if (!strstr(told->pdata[i], "40 or 64 hex digits"))
            fail_msg("%s", (char *)told->pdata[i]);
    const json_t *configurations = body_of(json_array_get(made, 1), "body");
    assert_int_equal(json_array_size(configurations), 3);
    assert_false(cfg_json_true(json_array_get(made, 1), "guessed"));
    for (size_t i = 0; i < G_N_ELEMENTS(chain); i++) {
        const json_t *c = json_array_get(configurations, i);
        g_autofree char *is = g_strdup_printf("%s %s", cfg_json_word(c, "portion", "?"),
                                              cfg_json_word(c, "parent", "-"));
        assert_string_equal(is, chain[i]);
    }
    const json_t *result = json_object_get(json_array_get(made, 2), "result");
    const json_t *loops = json_object_get(result, "loops");
    assert_true(cfg_json_true(cfg_json_at(result, "environment.detail"), "paired"));
    assert_int_equal(cfg_json_integer(result, "started_ms"), 1709643600000);
    assert_int_equal(json_array_size(loops), 5);
    const double first = loop_mean(loops, 2) - loop_mean(loops, 0);
    const double second = loop_mean(loops, 3) - loop_mean(loops, 1);
    assert_true(fabs((first + second) / 2 + 0.25) < 1e-9);
    assert_true(fabs(12.706204736432095 * fabs(first - second) / 2 - 1.25) < 1e-9);
    assert_true(fabs(12.706204736432095 * (loop_mean(loops, 1) - loop_mean(loops, 0)) / 2 - 1) <
                1e-9);
    assert_true(loop_mean(loops, 4) == 999.75);
}

/* Another chain would take them for what they are not, and without T nobody knows what I takes. */
static void portions_have_their_own_chain(void **state) {
    GError *error = NULL;
    json_auto_t *nights = exported(state);
    assert_null(ci_lines_of_nights(
        nights, &(ci_lines_options){.project = "kieker", .chain = "T,I,W"}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "--chain: the values are portions");
    assert_null(
        ci_lines_of_nights(nights, &(ci_lines_options){.project = "kieker", .match = "I"}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "\"I\" is a portion over \"T\", which is not among them");
}

#define PART(name, mean) "{'name': '" name "', 'mean_ns': " mean "}"
#define PART_OVER(name, mean, over) "{'name': '" name "', 'mean_ns': " mean ", 'over': '" over "'}"
#define OF(day, values)                                                                            \
    "{'format': 'github', 'suite': 's', 'night': '2024-03-0" day "', 'values': [" values "]}"

/* A chain may have changed, or a file have been written by two: a night's values are what that
 * night says, and whole when they are stored. */
static void a_portion_is_read_by_its_own_night(void **state) {
    (void)state;
    static const struct {
        const char *nights, *told;
        double whole[2]; /* of W, in two nights; 0: no value */
    } cases[] = {
        {OF("1", PART("T", "100") "," PART_OVER("W", "-0.25", "T")) "," OF(
             "2", PART("T", "100") "," PART("W", "99.75")),
         "night 2024-03-02: \"W\" is a whole value from here on",
         {99.75, 99.75}},
        {OF("1", PART("T", "100") "," PART("W", "120")) "," OF(
             "2", PART("T", "100") "," PART_OVER("W", "20", "T")),
         "night 2024-03-02: \"W\" is a portion over T from here on",
         {120, 120}},
        {OF("1", PART("T", "100") "," PART_OVER("I", "5", "T") "," PART_OVER(
                     "W", "15", "I")) "," OF("2",
                                             PART("T", "100") "," PART_OVER(
                                                 "I", "5", "T") "," PART_OVER("W", "20", "T")),
         "night 2024-03-02: \"W\" is a portion over T from here on",
         {120, 120}},
        {OF("1", PART("T", "100") "," PART_OVER("I", "5", "W") "," PART_OVER(
                     "W", "15", "I")) "," OF("2", PART("T", "100") "," PART_OVER("W", "20", "T")),
         "night 2024-03-02: \"W\" is a portion over T from here on",
         {0, 120}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("[%s]", cases[i].nights);
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
        const ci_lines_options options = {.project = "p", .told = told};
        json_auto_t *nights = json_of(text);
        json_auto_t *made = ci_lines_of_nights(nights, &options, &error);
        g_assert_no_error(error);
        assert_true(g_str_has_prefix(told->pdata[0], cases[i].told));
        for (size_t night = 0; night < 2; night++) {
            const json_t *line = json_array_get(made, 2 + night);
            const json_t *loops = cfg_json_at(line, "result.loops");
            double whole = 0;
            for (size_t l = 0; l < json_array_size(loops); l++) {
                g_autofree char *key = ci_upstream_key("W");
                const json_t *loop = json_array_get(loops, l);
                if (g_str_equal(cfg_json_word(loop, "configuration", ""), key))
                    whole = loop_mean(loops, l);
            }
            assert_true(fabs(whole - cases[i].whole[night]) < 1e-9);
        }
    }
}

static void a_value_alone_is_one_loop(void **state) {
    (void)state;
    static const struct {
        const char *value;
        size_t loops;
    } cases[] = {{VALUE("No instrumentation", 100), 1},
                 {SURE("No instrumentation", 100, 100, 100), 1},
                 {SURE("No instrumentation", 100, 110, 90), 1},
                 {SURE("No instrumentation", 1, -30, 32), 1}, /* a loop below zero cannot be */
                 {VALUE("No instrumentation", 0), 0},
                 {VALUE("No instrumentation", -5), 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *loops = loops_of(cases[i].value);
        assert_int_equal(json_array_size(loops), cases[i].loops);
        json_decref(loops);
    }
}

/* What a file has of loops are loops; a configuration with more than the others sets how many. */
static void loops_are_kept(void **state) {
    (void)state;
    const char *nights =
        "[" NIGHT("2024-03-05",
                  VALUES("{'name': 'a', 'mean_ns': 2, 'low_ns': 1, 'high_ns': 3, 'loops_ns': [1, 2,"
                         " 3]}," VALUE("b", 7))) "]";
    json_t *made = lines(nights, (ci_lines_options){0}, NULL);
    const json_t *body = json_object_get(json_array_get(made, 1), "body");
    const json_t *loops =
        json_object_get(json_object_get(json_array_get(made, 2), "result"), "loops");
    assert_int_equal(json_integer_value(json_object_get(body, "loops")), 3);
    assert_int_equal(json_array_size(loops), 4);
    assert_true(loop_mean(loops, 0) == 1 && loop_mean(loops, 2) == 3 && loop_mean(loops, 3) == 7);
    json_decref(made);
}

/* Each has its number in the file, also beside one that failed. */
static void a_loop_that_failed_is_one(void **state) {
    (void)state;
    json_t *loops =
        loops_of("{'name': 'a', 'mean_ns': 2, 'loops_ns': [1, 3], 'failed': [{'loop': 2,"
                 " 'why': 'exit code 1'}, {'loop': 4, 'why': 'a signal'}]}");
    assert_int_equal(json_array_size(loops), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *loop = json_array_get(loops, i);
        assert_int_equal(cfg_json_integer(loop, "loop"), i + 1);
        assert_int_equal(json_object_get(loop, "failed") != NULL, i % 2);
        assert_true(i % 2 == 1 || loop_mean(loops, i) == (double)i + 1);
    }
    assert_string_equal(cfg_json_word(json_array_get(loops, 1), "failed", "?"), "exit code 1");
    json_decref(loops);
}

/* One run without a value brings in the others, and is told. */
static void an_empty_night_is_left_out_and_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    const char *nights = "[" NIGHT("2024-03-05", VALUES(VALUE("a", 1))) "," NIGHT(
        "2024-03-06", VALUES("")) "," NIGHT("2024-03-07", VALUES(VALUE("a", 1))) "]";
    json_t *made = lines(nights, (ci_lines_options){.told = told}, NULL);
    assert_int_equal(json_array_size(made), 4);
    assert_int_equal(told->len, 1);
    assert_string_equal(told->pdata[0], "run of 2024-03-06: no usable value; left out");
    json_decref(made);
}

/* What is given is for files that say neither; of ten files with one --night each it was silent. */
static void what_is_given_and_not_used_is_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    const char *own = "5158397b5158397b5158397b5158397b5158397b",
               *nights = "[{'suite': 's', 'night': '2024-03-06', 'commit': {'sha': "
                         "'5158397b5158397b5158397b5158397b5158397b'}, " VALUES(VALUE("a", 1)) "}]";
    const ci_lines_options given = {
        .told = told, .night = "2024-03-07", .commit = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    json_t *made = lines(nights, given, NULL);
    assert_int_equal(told->len, 2);
    assert_string_equal(told->pdata[0],
                        "--commit aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa is not used for 1 of 1 "
                        "runs: the file says 5158397b5158397b5158397b5158397b5158397b");
    assert_string_equal(told->pdata[1],
                        "--night 2024-03-07 is not used for 1 of 1 runs: the file says 2024-03-06");
    json_decref(made);
    g_ptr_array_set_size(told, 0);
    made =
        lines(nights, (ci_lines_options){.told = told, .night = "2024-03-06", .commit = own}, NULL);
    assert_int_equal(told->len, 0);
    json_decref(made);
}

/* A run without a date does not keep out those that have one. */
static void an_undated_run_is_left_out_and_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    const char *nights = "[{'suite': 's', 'commit': {'sha': 'abc'}, " VALUES(
        VALUE("a", 1)) "}," NIGHT("2024-03-07", VALUES(VALUE("a", 1))) "]";
    json_t *made = lines(nights, (ci_lines_options){.told = told}, NULL);
    assert_int_equal(json_array_size(made), 3);
    assert_non_null(strstr(told->pdata[0], "run of commit abc: it has no date"));
    json_decref(made);
}

/* More loops than a night may have become their mean, and that is told. */
static void too_many_loops_become_their_mean(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) loops = g_string_new("1");
    for (int i = 0; i < 1000; i++)
        g_string_append(loops, ",1");
    g_autofree char *nights = g_strdup_printf(
        "[" NIGHT("2024-03-05", VALUES("{'name': 'a', 'mean_ns': 1, 'loops_ns': [%s]}")) "]",
        loops->str);
    json_t *made = lines(nights, (ci_lines_options){.told = told}, NULL);
    const json_t *result = json_object_get(json_array_get(made, 2), "result");
    assert_int_equal(json_array_size(json_object_get(result, "loops")), 1);
    assert_non_null(strstr(told->pdata[0], "a has 1001 loops, at most 1000 can be kept"));
    json_decref(made);
}

/* A value whose interval is wider than two loops above 0 can have stands alone, and that is told.
 */
static void an_interval_that_is_not_read_is_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    const char *nights = "[" NIGHT(
        "2024-03-04",
        VALUES(SURE(
            "a", 0, -1,
            1) ",{'name': 'b', 'mean_ns': 100}")) "," NIGHT("2024-03-05",
                                                            VALUES(SURE("a", 1, -30, 32) "," SURE(
                                                                "b", 100, 90, 110))) "]";
    json_t *made = lines(nights, (ci_lines_options){.told = told}, NULL);
    guint found = 0;
    for (guint t = 0; t < told->len; t++) {
        found += g_str_equal(told->pdata[t], "the interval of a reaches far below 0; it is not "
                                             "read (in 2 of 2 runs)");
        assert_null(strstr(told->pdata[t], "the interval of b"));
    }
    assert_int_equal(found, 1);
    const json_t *read = cfg_json_at(json_array_get(made, 3), "result.environment.detail.read");
    assert_string_equal(json_string_value(json_array_get(read, 0)),
                        "the interval of a reaches far below 0; it is not read");
    json_decref(made);
}

/* Two loops have the width of an interval and not its ends, unless its mean is in the middle. */
static void ends_that_are_not_kept_are_told(void **state) {
    (void)state;
    static const struct {
        const char *value;
        bool told;
    } cases[] = {{SURE("a", 100, 90, 110), false},
                 {SURE("a", 100, 90, 111), false},
                 {SURE("a", 100, 90, 112), true},
                 {SURE("a", 100, 40, 110), true},
                 {VALUE("a", 100), false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *nights =
            g_strdup_printf("[{'night': '2024-03-05', 'values': [%s]}]", cases[i].value);
        json_t *made = lines(nights, (ci_lines_options){0}, NULL);
        const json_t *read = cfg_json_at(json_array_get(made, 2), "result.environment.detail.read");
        assert_int_equal(json_array_size(read), cases[i].told);
        if (cases[i].told)
            assert_string_equal(
                json_string_value(json_array_get(read, 0)),
                "the interval of a does not lie evenly around its mean: mean ± half its "
                "width is kept");
        json_decref(made);
    }
}

/* Values that are not as in the file have a note at their night. */
static void what_was_mended_stands_at_the_night(void **state) {
    (void)state;
    const char *nights =
        "[" NIGHT("2024-03-05", VALUES(VALUE("a", 1)) ", 'notes': ['" FMT_HALVED "', 'other']") "]";
    json_t *made = lines(nights, (ci_lines_options){0}, NULL);
    assert_int_equal(json_array_size(made), 4);
    expect_text(json_array_get(made, 3), "type", "note");
    expect_text(json_array_get(made, 3), "night", "2024-03-05");
    expect_text(json_array_get(made, 3), "text", FMT_HALVED);
    json_decref(made);
}

static void a_suite_of_several(void **state) {
    (void)state;
    const char *nights = "[{'night': '2024-03-05', 'suite': 'a', " VALUES(
        VALUE("x", 1)) "},"
                       "{'night': '2024-03-05', 'suite': 'b', " VALUES(VALUE("y", 1)) "}]";
    GError *error = NULL;
    assert_null(lines(nights, (ci_lines_options){.chain = "T"}, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "several suites; choose one with --suite: \"a\", \"b\"");
    assert_null(lines(nights, (ci_lines_options){.chain = "T", .suite = "c"}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "there is no suite \"c\"; choose one of \"a\", \"b\"");
    json_t *made = lines(nights, (ci_lines_options){.chain = "T", .suite = "b"}, &error);
    assert_int_equal(json_array_size(made), 3);
    expect_text(json_array_get(body_of(json_array_get(made, 1), "body"), 0), "label", "y");
    json_decref(made);
    assert_null(lines("[]", (ci_lines_options){0}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "the input has no results");
    assert_null(lines("[" NIGHT("2024-03-05", VALUES("")) "]", (ci_lines_options){0}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "no run has a value that can be used");
}

static void many_suites_are_named_in_short(void **state) {
    (void)state;
    g_autoptr(GString) nights = g_string_new("[");
    for (int i = 0; i < 7; i++)
        g_string_append_printf(
            nights, "%s{'night': '2024-03-05', 'suite': 's%d', " VALUES(VALUE("x", 1)) "}",
            i > 0 ? "," : "", i);
    g_string_append(nights, "]");
    GError *error = NULL;
    assert_null(lines(nights->str, (ci_lines_options){.chain = "T"}, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "\"s3\", \"s4\" and 2 more");
}

static json_t *commit_line(const char *night, ci_lines_options options) {
    options.chain = "T";
    g_autofree char *nights = g_strdup_printf("[%s]", night);
    GError *error = NULL;
    json_t *made = lines(nights, options, &error);
    if (!made)
        fail_msg("%s", error->message);
    json_t *line = json_incref(json_array_get(made, 2));
    json_decref(made);
    return line;
}

#define FULL "0123456789abcdef0123456789abcdef01234567"
#define FULL_BYTES sizeof FULL

static void whose_commit_and_night(void **state) {
    (void)state;
    json_t *own = commit_line(
        NIGHT("2024-03-05",
              "'commit': {'sha': '" FULL
              "', 'subject': 'one\\ttab\\nmore', 'author': 'N'}, " VALUES(VALUE("x", 1))),
        (ci_lines_options){.commit = "given", .night = "2020-01-01"});
    expect_text(json_object_get(own, "commit"), "sha", FULL);
    expect_text(json_object_get(own, "commit"), "subject", "one tab");
    expect_text(own, "night", "2024-03-05");
    json_t *given = commit_line("{'suite': 's', " VALUES(VALUE("x", 1)) "}",
                                (ci_lines_options){.commit = "given", .night = "2020-01-01"});
    expect_text(json_object_get(given, "commit"), "sha", "given");
    expect_text(given, "night", "2020-01-01");
    expect_real(json_object_get(given, "commit"), "time_ms", 1577880000000.0); /* noon */
    json_decref(own);
    json_decref(given);
}

/* The server takes full ids alone: another one stands for itself, the same in each run. */
static void an_id_that_is_not_full(void **state) {
    (void)state;
    static const char *const ids[] = {"abc1234", "abc1234", "unversioned",
                                      "0123456789ABCDEF0123456789ABCDEF01234567"};
    char sha[G_N_ELEMENTS(ids)][FULL_BYTES];
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
        g_autofree char *night =
            g_strdup_printf("{'night': '2024-03-0%zu', 'suite': 's', 'commit': {'sha': '%s',"
                            " 'subject': 'one'}, " VALUES(VALUE("x", 1)) "}",
                            i + 1, ids[i]);
        json_t *made = commit_line(night, (ci_lines_options){0});
        const json_t *commit = json_object_get(made, "commit");
        g_autofree char *subject = g_strdup_printf("%s one", ids[i]);
        expect_text(commit, "subject", i < 3 ? subject : "one");
        g_strlcpy(sha[i], cfg_json_word(commit, "sha", ""), FULL_BYTES);
        assert_int_equal(strlen(sha[i]), FULL_BYTES - 1);
        json_decref(made);
        made = commit_line(night, (ci_lines_options){.commit = FULL});
        expect_text(json_object_get(made, "commit"), "sha", FULL);
        expect_text(json_object_get(made, "commit"), "subject", "one");
        json_decref(made);
    }
    assert_string_equal(sha[0], sha[1]);
    assert_string_not_equal(sha[0], sha[2]);
    assert_string_equal(sha[3], FULL);
}

/* What was measured is its own name then: the same again has the same, another day another. */
static void without_a_commit(void **state) {
    (void)state;
    const char *names[3];
    json_t *made[3];
    static const char *const nights[] = {"2020-01-01", "2020-01-01", "2020-01-02"};
    for (size_t i = 0; i < 3; i++) {
        made[i] = commit_line("{'suite': 's', " VALUES(VALUE("x", 1)) "}",
                              (ci_lines_options){.night = nights[i]});
        names[i] = cfg_json_word(json_object_get(made[i], "commit"), "sha", "");
        assert_int_equal(strlen(names[i]), 40);
        expect_text(json_object_get(made[i], "commit"), "subject", "(no commit is known)");
    }
    assert_string_equal(names[0], names[1]);
    assert_string_not_equal(names[0], names[2]);
    for (size_t i = 0; i < 3; i++)
        json_decref(made[i]);
    GError *error = NULL;
    assert_null(lines("[{'suite': 's', " VALUES(VALUE("x", 1)) "}]",
                      (ci_lines_options){.chain = "T"}, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "do not say when they were measured: give --night");
}

static json_t *raw_lines(const char *folder, ci_lines_options options, GError **error) {
    const ci_moobench_options how = {.warmup_calls = DET_RAW_WARMUP_HALF, .allow_missing = true};
    g_autoptr(ci_results) results = ci_moobench_read(folder, &how, NULL);
    assert_non_null(results);
    options.project = "kieker";
    return ci_lines_of_results(results, &options, error);
}

/* Every loop, with its place, its calls and its statistics; one without a file has failed. */
static void raw_results_keep_every_loop(void **state) {
    put_results(*state, 0);
    g_autofree char *missing = g_build_filename(*state, "raw-2-10-1.csv", NULL);
    assert_int_equal(g_remove(missing), 0);
    GError *error = NULL;
    json_t *made =
        raw_lines(*state, (ci_lines_options){.commit = "abc", .night = "2020-01-01"}, &error);
    assert_null(error);
    assert_int_equal(json_array_size(made), 3);
    const json_t *benchmark = json_object_get(json_array_get(made, 1), "body");
    assert_int_equal(json_integer_value(json_object_get(benchmark, "loops")), 3);
    const json_t *night = json_array_get(made, 2), *result = json_object_get(night, "result");
    expect_text(night, "night", "2020-01-01");
    expect_text(json_object_get(night, "commit"), "sha", "abc");
    expect_real(json_object_get(result, "environment"), "recursion_depth", 10);
    expect_real(result, "started_ms", 1577880000000.0);
    const json_t *loops = json_object_get(result, "loops");
    assert_int_equal(json_array_size(loops), 12);
    for (size_t i = 0; i < 12; i++)
        expect_real(json_array_get(loops, i), "position", (double)i);
    const json_t *lost = json_array_get(loops, 5), *next = json_array_get(loops, 6);
    expect_text(lost, "configuration", "1");
    expect_text(lost, "failed", "the raw file is missing");
    assert_null(json_object_get(lost, "summary"));
    expect_text(next, "configuration", "2");
    expect_real(next, "loop", 2);
    expect_real(next, "calls", CALLS);
    expect_real(next, "warmup_calls", CALLS / 2.0);
    assert_true(loop_mean(loops, 6) == 302);
    json_decref(made);
}

static void raw_results_need_commit_and_night(void **state) {
    put_results(*state, 0);
    static const ci_lines_options cases[] = {
        {.commit = "abc"}, {.night = "2020-01-01"}, {.commit = "abc", .night = "yesterday"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_null(raw_lines(*state, cases[i], &error));
        EXPECT_ERROR(error, CI_ERROR_USAGE,
                     "raw results name neither commit nor date: give --commit and --night");
    }
}

#define OF_UNIT(name_, mean_, unit_)                                                               \
    "{'name': '" name_ "', 'mean_ns': " #mean_ ", 'unit': '" unit_ "'}"

static void expect_told(const GPtrArray *told, const char *words) {
    for (guint i = 0; i < told->len; i++)
        if (strstr(told->pdata[i], words))
            return;
    fail_msg("nobody is told \"%s\"", words);
}

/* Values of another unit stand by themselves; 0 is one, and what changes its unit is another one.
 */
static void units_are_kept_apart(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    json_auto_t *made = lines(
        "[" NIGHT("2024-03-05",
                  VALUES(OF_UNIT("ram", 54, "MiB") "," OF_UNIT(
                      "dropped", 0, "spans"))) "," NIGHT("2024-03-06",
                                                         VALUES(OF_UNIT("ram", 55296, "KiB"))) "]",
        (ci_lines_options){.told = told}, &error);
    g_assert_no_error(error);
    const json_t *configurations = body_of(json_array_get(made, 1), "body");
    static const char *const units[] = {"MiB", "spans", "KiB"};
    assert_int_equal(json_array_size(configurations), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(cfg_json_word(json_array_get(configurations, i), "unit", "?"),
                            units[i]);
    assert_string_equal(cfg_json_word(json_array_get(configurations, 2), "portion", "?"),
                        "ram [KiB]");
    const json_t *result = json_object_get(json_array_get(made, 2), "result");
    assert_int_equal(json_array_size(json_object_get(result, "loops")), 2);
    expect_told(told, "night 2024-03-06: the unit of \"ram\" is KiB and was MiB");
}

/* Who wrote customSmallerIsBetter of a rate first, and then customBiggerIsBetter, meant the latter.
 */
static void the_newest_says_what_is_better(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    json_auto_t *made =
        lines("[" NIGHT("2024-03-05", VALUES(OF_UNIT("hits", 5, "hits"))) "," NIGHT(
                  "2024-03-06",
                  VALUES("{'name': 'hits', 'mean_ns': 6, 'unit': 'hits', 'better': 'higher'}")) "]",
              (ci_lines_options){.told = told}, &error);
    g_assert_no_error(error);
    const json_t *configurations = body_of(json_array_get(made, 1), "body");
    assert_int_equal(json_array_size(configurations), 1);
    expect_text(json_array_get(configurations, 0), "better", "higher");
    expect_told(told, "night 2024-03-06: of \"hits\" more is better from here on");
}

static void units_leave_a_chain_of_times_in_peace(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    static const char night[] =
        "[" NIGHT("2024-03-05", VALUES(VALUE("No instrumentation", 1) "," VALUE(
                                    "Deactivated probe", 2) "," OF_UNIT("ram", 54, "MiB"))) "]";
    json_auto_t *made = lines(night, (ci_lines_options){.told = told}, &error);
    g_assert_no_error(error);
    assert_int_equal(json_array_size(body_of(json_array_get(made, 1), "body")), 2);
    expect_told(told, "left out: ram: its unit \"MiB\" is no time per call; MooBench's chain");
    assert_null(lines(night, (ci_lines_options){.chain = "T,I,W", .told = told}, &error));
    assert_non_null(strstr(error->message, "nothing can be subtracted"));
}

static void names_can_be_chosen(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    static const char night[] =
        "[" NIGHT("2024-03-05", VALUES(VALUE("a OTLP", 1) "," VALUE("b Zipkin", 2))) "]";
    json_auto_t *made = lines(night, (ci_lines_options){.match = "*OTLP*"}, &error);
    g_assert_no_error(error);
    assert_int_equal(json_array_size(body_of(json_array_get(made, 1), "body")), 1);
    assert_null(lines(night, (ci_lines_options){.match = "c*"}, &error));
    assert_non_null(strstr(error->message, "--match"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_of_upstreams_labels),
        cmocka_unit_test(the_number_of_a_configuration_without_label),
        cmocka_unit_test(the_chain_as_told),
        cmocka_unit_test(where_a_file_was_measured_is_kept),
        cmocka_unit_test(why_a_value_is_not_there_goes_along),
        cmocka_unit_test(an_interval_becomes_two_loops),
        cmocka_unit_test(a_difference_is_no_surer_than_its_parts),
        IN_FOLDER(portions_come_back),
        IN_FOLDER(portions_have_their_own_chain),
        cmocka_unit_test(a_portion_is_read_by_its_own_night),
        cmocka_unit_test(a_value_alone_is_one_loop),
        cmocka_unit_test(loops_are_kept),
        cmocka_unit_test(a_loop_that_failed_is_one),
        cmocka_unit_test(both_names_go_along),
        cmocka_unit_test(an_empty_night_is_left_out_and_told),
        cmocka_unit_test(what_is_given_and_not_used_is_told),
        cmocka_unit_test(an_undated_run_is_left_out_and_told),
        cmocka_unit_test(too_many_loops_become_their_mean),
        cmocka_unit_test(an_interval_that_is_not_read_is_told),
        cmocka_unit_test(ends_that_are_not_kept_are_told),
        cmocka_unit_test(what_was_mended_stands_at_the_night),
        cmocka_unit_test(a_suite_of_several),
        cmocka_unit_test(many_suites_are_named_in_short),
        cmocka_unit_test(whose_commit_and_night),
        cmocka_unit_test(an_id_that_is_not_full),
        cmocka_unit_test(without_a_commit),
        IN_FOLDER(raw_results_keep_every_loop),
        IN_FOLDER(raw_results_need_commit_and_night),
        cmocka_unit_test(units_are_kept_apart),
        cmocka_unit_test(the_newest_says_what_is_better),
        cmocka_unit_test(units_leave_a_chain_of_times_in_peace),
        cmocka_unit_test(names_can_be_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
