/* Configurations of imported nights: names, chains, and what is told of them. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/imported.h"

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

/* Nothing is subtracted of what is not known to be a chain, and both are told. */
static void guesses_are_told(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *alone = links_text("SetName,CreateKey,T,I", NULL, told, NULL);
    assert_string_equal(alone, "SetName=SetName; CreateKey=CreateKey; T=T; I=I");
    assert_non_null(strstr(told->pdata[0], "no chain is known for these 4"));
    g_ptr_array_set_size(told, 0);
    g_autofree char *writer = links_text("No instrumentation,redis", NULL, told, NULL);
    assert_string_equal(writer, "T=No instrumentation; I+C+W=redis<0");
    assert_string_equal(told->pdata[0], "\"redis\" is no label of MooBench: taken for a writer");
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
    assert_null(links_text("No instrumentation,No logging,No collection", NULL, told, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT,
                 "night 2024-01-01: \"No logging\" and \"No collection\" are one configuration");
    g_autoptr(GString) many = g_string_new("n0");
    for (int i = 1; i < 64; i++)
        g_string_append_printf(many, ",n%d", i);
    g_autofree char *most = links_text(many->str, NULL, told, NULL);
    assert_non_null(most);
    g_string_append(many, ",more");
    assert_null(links_text(many->str, NULL, told, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "there are 65 benchmarks; a project has at most 64");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_all_frameworks),
        cmocka_unit_test(guesses_are_told),
        cmocka_unit_test(a_chain_in_any_order),
        cmocka_unit_test(what_cannot_be_told_apart_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
