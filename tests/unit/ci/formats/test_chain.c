#include "tests/unit/test.h"

#include "ci/formats/chain.h"

#include <string.h>

/* "3=Zipkin 4": a configuration each, with its label where that is another than its name. */
static GPtrArray *links_of(const char *names) {
    GPtrArray *links = g_ptr_array_new_with_free_func(ci_link_free);
    g_auto(GStrv) each = g_strsplit(names, " ", -1);
    for (guint i = 0; each[i]; i++) {
        ci_link *link = g_new0(ci_link, 1);
        char *label = strchr(each[i], '=');
        link->name = g_strndup(each[i], label ? (gsize)(label - each[i]) : strlen(each[i]));
        link->label = g_strdup(label ? label + 1 : each[i]);
        link->parent = -1;
        g_ptr_array_add(links, link);
    }
    return links;
}

/* "T I:0 C:1 W:2": portion and index of the parent */
static char *text_of(const GPtrArray *links) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        g_string_append_printf(text, "%s%s", i ? " " : "", link->portion);
        if (link->parent >= 0)
            g_string_append_printf(text, ":%d", link->parent);
    }
    return g_string_free(text, FALSE);
}

static void upstream_numbers(void **state) {
    (void)state;
    static const struct {
        const char *names, *chain;
    } cases[] = {
        {"0", "T"},
        {"0 1", "T I:0"},
        {"0 1 2 3", "T I:0 C:1 W:2"},
        {"0 1 2 3 4 5", "T I:0 C:1 W-3:2 W-4:2 W-5:2"},
        {"0 1 3", "T I:0 C+W:1"},
        {"0 3", "T I+C+W:0"},
        {"0 1 3 4", "T I:0 C+W-3:1 C+W-4:1"},
        {"0 2 3", "T I+C:0 W:1"},
        {"1 2 3", "T+I C:0 W:1"}, /* without 0 nobody knows T */
        {"3", "T+I+C+W"},
        {"0 1 2 3=Zipkin 4=OTLP", "T I:0 C:1 W Zipkin:2 W OTLP:2"},
        {"0 1 2 3=Zipkin", "T I:0 C:1 W:2"}, /* nothing to be told from */
        {"0 1 3=Regular 4=Bare", "T I:0 C+W Regular:1 C+W Bare:1"},
        {"0 1 2 3=TCP 4=TCP", "T I:0 C:1 W TCP:2 W-4:2"}, /* a label that does not tell */
        /* metrics are no traces: they are not compared with what makes those */
        {"0 1 2 3=Zipkin 4=Prometheus", "T I:0 C:1 W Zipkin:2 C+W Prometheus:1"},
        {"0 2 3=Zipkin 4=Prometheus", "T I+C:0 W Zipkin:1 I+C+W Prometheus:0"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) links = links_of(cases[i].names);
        det_chain chain;
        assert_true(ci_chain_upstream(links, NULL));
        g_autofree char *text = text_of(links);
        assert_string_equal(text, cases[i].chain);
        assert_true(ci_chain_detector(links, &chain, NULL));
    }
}

/* Two writers whose long names differ in their last letters stay two. */
static void a_long_label_is_kept(void **state) {
    (void)state;
    g_autoptr(GPtrArray) links = links_of("0 1 3=x 4=x");
    ci_link *link = links->pdata[3];
    g_free(link->label);
    g_autofree char *many = g_strnfill(DET_NAME_MAX, 'a');
    link->label = g_strconcat("Schreibpuffer ohne Übertragung, ", many, "ä", NULL);
    det_chain chain;
    assert_true(ci_chain_upstream(links, NULL));
    assert_true(g_utf8_validate(link->portion, -1, NULL));
    assert_true(g_str_has_prefix(link->portion, "C+W Schreibpuffer ohne"));
    assert_true(g_str_has_suffix(link->portion, "aä"));
    assert_true(ci_chain_detector(links, &chain, NULL)); /* whose sentences cut it */
}

static void names_need_to_be_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) links = links_of("none writing");
    g_autoptr(GError) error = NULL;
    assert_false(ci_chain_upstream(links, &error));
    assert_true(g_error_matches(error, CI_ERROR, CI_ERROR_INPUT));
    assert_non_null(strstr(error->message, "--chain"));
}

static void told_on_the_command_line(void **state) {
    (void)state;
    static const struct {
        const char *names, *spec, *chain; /* chain NULL: an error */
        const char *wrong;
    } cases[] = {
        {"none off on", "T,I,C", "T I:0 C:1", NULL},
        {"none off a b", "T,I:none,W-a:off,W-b:off", "T I:0 W-a:1 W-b:1", NULL},
        {"none off", "T", NULL, "--chain has 1 items"},
        {"none a b", "T,W:none,W:none", NULL,
         "--chain: the portion \"W\" is used twice; choose another name, such as W-tcp"},
        {"none off", "T,I:nowhere", NULL, "there is no configuration \"nowhere\""},
        {"none off", "T,I:off", NULL, "\"off\" cannot be compared with itself"},
        {"none off", "T:off,I", NULL, "every configuration is compared"},
        {"none off", "T,", NULL, "a portion's name"},
        {"none off",
         "T,a-name-that-is-longer-than-any-that-a-portion-may-have-even-if-it-says-all-that-can-be-"
         "said-of-a-writer-and-of-what-it-does-not-write",
         NULL, "a portion's name"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) links = links_of(cases[i].names);
        g_autoptr(GError) error = NULL;
        assert_int_equal(ci_chain_spec(links, cases[i].spec, &error), cases[i].chain != NULL);
        g_autofree char *text = cases[i].chain ? text_of(links) : NULL;
        if (text)
            assert_string_equal(text, cases[i].chain);
        else
            assert_non_null(strstr(error->message, cases[i].wrong));
    }
}

static void a_project_orders_and_names(void **state) {
    (void)state;
    g_autoptr(cfg_project) project =
        cfg_project_load(TEST_SOURCE_DIR "/config/examples/projects.d/kieker-java.yaml", NULL);
    assert_non_null(project);
    g_autoptr(GPtrArray) names = links_of("collecting deactivated none writing");
    assert_true(ci_chain_project(names, project, NULL));
    g_autofree char *text = text_of(names);
    assert_string_equal(text, "T I:0 C:1 W:2");
    assert_string_equal(((ci_link *)names->pdata[0])->name, "none");
    g_autoptr(GPtrArray) numbers = links_of("0 1 2 3");
    assert_true(ci_chain_project(numbers, project, NULL));
    g_autoptr(GPtrArray) few = links_of("0 1");
    g_autoptr(GError) error = NULL;
    assert_false(ci_chain_project(few, project, &error));
    assert_true(g_error_matches(error, CI_ERROR, CI_ERROR_INPUT));
}

/* As many as the project has, but one of another name. */
static void a_project_names_what_it_misses(void **state) {
    (void)state;
    g_autoptr(cfg_project) project =
        cfg_project_load(TEST_SOURCE_DIR "/config/examples/projects.d/kieker-java.yaml", NULL);
    assert_non_null(project);
    g_autoptr(GPtrArray) links = links_of("none deactivated collect writing");
    g_autoptr(GError) error = NULL;
    assert_false(ci_chain_project(links, project, &error));
    assert_non_null(
        strstr(error->message, "there are no results of configuration \"collecting\" (number 2)"));
}

/* Portions name what they are over, in any order. */
static void values_say_their_own_chain(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) links = links_of("i=I t=T w=W");
    assert_false(ci_chain_is_own(links));
    ((ci_link *)links->pdata[0])->over = g_strdup("T");
    ((ci_link *)links->pdata[2])->over = g_strdup("I");
    assert_true(ci_chain_is_own(links) && ci_chain_own(links, NULL));
    g_autofree char *text = text_of(links);
    assert_string_equal(text, "T I:0 W:1");
    ((ci_link *)links->pdata[0])->over = g_strdup("W");
    assert_false(ci_chain_own(links, &error));
    assert_non_null(strstr(error->message, "one must stand by itself"));
}

static void more_than_can_be_analysed(void **state) {
    (void)state;
    g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(ci_link_free);
    for (int i = 0; i < (int)DET_CONFIGURATIONS_MAX; i++) {
        ci_link *link = g_new0(ci_link, 1);
        *link = (ci_link){.portion = g_strdup_printf("P%d", i), .parent = i - 1};
        g_ptr_array_add(links, link);
    }
    det_chain chain;
    assert_true(ci_chain_detector(links, &chain, NULL));
    assert_int_equal(chain.count, DET_CONFIGURATIONS_MAX);
    ci_link *more = g_new0(ci_link, 1);
    *more = (ci_link){.portion = g_strdup("more"), .parent = 0};
    g_ptr_array_add(links, more);
    g_autoptr(GError) error = NULL;
    assert_false(ci_chain_detector(links, &chain, &error));
    assert_non_null(
        strstr(error->message, "there are 65 configurations; at most 64 can be analysed"));
}

static void several_roots_have_no_control(void **state) {
    (void)state;
    g_autoptr(GPtrArray) links = links_of("0 1");
    for (guint i = 0; i < links->len; i++)
        ((ci_link *)links->pdata[i])->portion = g_strdup_printf("P%u", i);
    det_chain chain;
    assert_true(ci_chain_detector(links, &chain, NULL));
    assert_int_equal(chain.count, 2);
    assert_int_equal(chain.control, -1);
}

static void a_parent_behind_or_none_at_all_are_no_tree(void **state) {
    (void)state;
    g_autoptr(GPtrArray) links = links_of("0 1");
    for (guint i = 0; i < links->len; i++)
        ((ci_link *)links->pdata[i])->portion = g_strdup_printf("P%u", i);
    ((ci_link *)links->pdata[1])->parent = 1;
    det_chain chain;
    g_autoptr(GError) error = NULL;
    assert_false(ci_chain_detector(links, &chain, &error));
    assert_true(g_error_matches(error, CI_ERROR, CI_ERROR_INPUT));
    assert_non_null(strstr(error->message, "must form a tree"));
    g_ptr_array_set_size(links, 0);
    g_autoptr(GError) none = NULL;
    assert_false(ci_chain_detector(links, &chain, &none));
    assert_non_null(strstr(none->message, "must form a tree"));
}

/* MooBench's labels, and keys that cannot collide. */

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
        {"Configuration 4", 3},
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
    static const char *const others[] = {"",          "encode",      "Configuration x", "Text",
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upstream_numbers),
        cmocka_unit_test(a_long_label_is_kept),
        cmocka_unit_test(names_need_to_be_told),
        cmocka_unit_test(told_on_the_command_line),
        cmocka_unit_test(a_project_orders_and_names),
        cmocka_unit_test(a_project_names_what_it_misses),
        cmocka_unit_test(values_say_their_own_chain),
        cmocka_unit_test(more_than_can_be_analysed),
        cmocka_unit_test(several_roots_have_no_control),
        cmocka_unit_test(a_parent_behind_or_none_at_all_are_no_tree),
        cmocka_unit_test(every_label_has_its_step),
        cmocka_unit_test(two_names_have_two_keys),
        cmocka_unit_test(a_renamed_label_keeps_its_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
