/* Tables as RFC 4180 has them, from experiments as the API has them. */
#include "tests/unit/ci/expect.h"

#include "ci/dataset/dataset.h"

#define EXPERIMENTS                                                                                \
    "[{\"experiment\": 4, \"night\": \"2026-03-05\", \"state\": \"measured\", \"reason\": null, "  \
    "\"commit\": {\"sha\": \"ab\", \"time_ms\": 12, \"author\": \"Ada, B\", \"subject\": "         \
    "\"say \\\"hi\\\"\"}, \"level\": 0.95, \"portions\": [{\"portion\": \"T\", "                   \
    "\"configuration\": "                                                                          \
    "\"none\", \"parent\": null, \"mean_ns\": 70.5, \"low_ns\": 70, \"high_ns\": 71, "             \
    "\"verdict\": \"ok\"}], \"configurations\": [{\"name\": \"none\", \"statistics\": {\"n\": "    \
    "9}, \"loop_results\": [{\"loop\": 1, \"used\": true, \"failed\": null, \"summary\": "         \
    "{\"mean_ns\": 70.5}}, {\"loop\": 2, \"used\": false, \"failed\": \"killed\"}]}]}]"

static char *table(const char *file) {
    json_auto_t *experiments = json_loads(EXPERIMENTS, 0, NULL);
    assert_non_null(experiments);
    for (const ci_table *t = ci_tables; t->file; t++)
        if (g_str_equal(t->file, file))
            return ci_table_csv(t, experiments);
    fail_msg("no table %s", file);
    return NULL;
}

static void rows(void **state) {
    (void)state;
    static const struct {
        const char *file;
        unsigned lines;
        const char *begins; /* the first row */
    } cases[] = {
        {"nights.csv", 2, "4,2026-03-05,measured,,ab,12,\"Ada, B\",\"say \"\"hi\"\"\",,"},
        {"portions.csv", 2, "4,2026-03-05,T,none,,70.5,70,71,"},
        {"configurations.csv", 2, "4,2026-03-05,none,,,"},
        {"loops.csv", 3, "4,2026-03-05,none,1,,true,,,,"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = table(cases[i].file);
        g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
        assert_int_equal(g_strv_length(lines), cases[i].lines + 1); /* the last ends, too */
        if (!g_str_has_prefix(lines[1], cases[i].begins))
            fail_msg("%s: %s", cases[i].file, lines[1]);
    }
    g_autofree char *loops = table("loops.csv");
    assert_non_null(strstr(loops, "none,2,,false,,killed,"));
}

static void every_column_once_in_the_dictionary(void **state) {
    (void)state;
    g_autofree char *text = ci_table_dictionary();
    size_t columns = 1;
    for (const ci_table *t = ci_tables; t->file; t++)
        for (const ci_column *c = t->columns; c->name; c++, columns++) {
            g_autofree char *row = g_strdup_printf("\r\n%s,%s,%s,", t->file, c->name, c->unit);
            const char *at = strstr(text, row);
            assert_non_null(at);
            assert_null(strstr(at + 1, row));
        }
    g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
    assert_int_equal(g_strv_length(lines), columns + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows),
                                       cmocka_unit_test(every_column_once_in_the_dictionary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
