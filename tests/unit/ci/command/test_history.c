/* A project's nights as a table: the newest measured night has the columns. */
#include "tests/unit/ci/command/asked.h"

#define HISTORY(a, ...) CALL(ci_command_history.run, "history", "--server", (a)->url, __VA_ARGS__)

/* Newest first: one that failed, one with a change, one of before W was measured. */
#define NIGHTS                                                                                     \
    "{\"items\": [{\"night\": \"2024-03-03\", \"state\": \"failed\", \"reason\": \"no build\", "   \
    "\"commit\": {\"sha\": \"cccc\", \"short\": \"cccc\"}, \"portions\": []}, "                    \
    "{\"night\": \"2024-03-02\", \"state\": \"measured\", \"headline\": \"W rose by 10 %\", "      \
    "\"commit\": {\"sha\": \"bbbb\", \"short\": \"bbbb\"}, \"portions\": ["                        \
    "{\"portion\": \"T\", \"mean_ns\": 70, \"verdict\": \"anomaly\", \"direction\": \"down\"}, "   \
    "{\"portion\": \"W\", \"mean_ns\": 1100, \"verdict\": \"anomaly\", \"direction\": \"up\"}]}, " \
    "{\"night\": \"2024-03-01\", \"state\": \"measured\", \"headline\": \"nothing changed\", "     \
    "\"commit\": {\"sha\": \"aaaa\", \"short\": \"aaaa\"}, \"portions\": ["                        \
    "{\"portion\": \"T\", \"mean_ns\": 71.5, \"verdict\": \"ok\"}]}], \"next\": null}"

static void a_table(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(NIGHTS));
    g_auto(called) c = HISTORY(a, "kieker");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "night       commit      T       W    what was found\n"
                               "2024-03-03  cccc        -       -    failed: no build\n"
                               "2024-03-02  bbbb    70.00 ▼  1100 ▲  W rose by 10 %\n"
                               "2024-03-01  aaaa    71.50       -    nothing changed\n");
    assert_string_equal(receiver_get(a->server, 0)->query, "limit=30");
}

/* Of two writers each has its own column; one that was not measured that night has no value. */
static void one_letter_twice(void **state) {
    asked *a = *state;
    ANSWER(a,
           JSON("{\"items\": [{\"night\": \"2024-03-02\", \"state\": \"measured\", \"headline\": "
                "\"h\", \"portions\": ["
                "{\"portion\": \"W\", \"configuration\": \"file\", \"mean_ns\": 540}, "
                "{\"portion\": \"W\", \"configuration\": \"tcp\", \"mean_ns\": 988}]}, "
                "{\"night\": \"2024-03-01\", \"state\": \"measured\", \"headline\": \"h\", "
                "\"portions\": [{\"portion\": \"W\", \"configuration\": \"tcp\", \"mean_ns\": "
                "987}]}], \"next\": null}"));
    g_auto(called) c = HISTORY(a, "two");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "night       commit  W, file    W, tcp    what was found\n"
                               "2024-03-02  ?         540.0     988.0    h\n"
                               "2024-03-01  ?             -     987.0    h\n");
}

/* What a later night told of is marked at the night that it is dated to, as in charts. */
static void a_change_is_marked_where_it_began(void **state) {
    asked *a = *state;
    ANSWER(
        a,
        JSON(
            "{\"items\": [{\"night\": \"2024-03-02\", \"state\": \"measured\", \"headline\": "
            "\"W rose by 10 %\", \"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", "
            "\"mean_ns\": 1100, \"verdict\": \"anomaly\", \"direction\": \"up\", \"since\": "
            "\"2024-03-01\"}]}, {\"night\": \"2024-03-01\", \"state\": \"measured\", "
            "\"headline\": \"W rose, as a later measurement showed\", \"portions\": [{\"portion\": "
            "\"W\", \"configuration\": \"w\", \"mean_ns\": 1101, \"verdict\": \"ok\", \"later\": "
            "\"up\"}], \"began\": [{\"configuration\": \"w\", \"direction\": \"up\"}]}], "
            "\"next\": null}"));
    g_auto(called) c = HISTORY(a, "kieker");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out,
                        "night       commit     W    what was found\n"
                        "2024-03-02  ?       1100    W rose by 10 %\n"
                        "2024-03-01  ?       1101 ▲  W rose, as a later measurement showed\n");
}

/* Percent, seconds and ns side by side: each says which it is. */
static void each_in_its_unit(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"items\": [{\"night\": \"2024-03-02\", \"state\": \"measured\", "
                   "\"headline\": \"h\", \"portions\": ["
                   "{\"portion\": \"failed\", \"mean_ns\": 0.45, \"unit\": \"%\"}, "
                   "{\"portion\": \"first idle\", \"mean_ns\": 24, \"unit\": \"s\"}, "
                   "{\"portion\": \"put\", \"mean_ns\": 1100}]}], \"next\": null}"));
    g_auto(called) c = HISTORY(a, "k6");
    expect_called(&c, CI_OK, "failed (%)    first idle (s)    put (ns)  ", "");
}

static void how_many(void **state) {
    asked *a = *state;
    static const struct {
        const char *option, *query;
        int lines;
    } cases[] = {{"--nights=2", "limit=2", 2},
                 {"--nights=0", "limit=500", 3},
                 {"--nights=-5", "limit=500", 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(NIGHTS));
        receiver_forget(a->server);
        g_auto(called) c = HISTORY(a, "kieker", "--json", cases[i].option);
        expect_called(&c, CI_OK, NULL, "");
        g_auto(GStrv) lines = g_strsplit(c.out, "\n", -1);
        assert_int_equal(g_strv_length(lines), cases[i].lines + 1);
        json_t *newest = json_loads(lines[0], 0, NULL);
        expect_text(newest, "night", "2024-03-03");
        json_decref(newest);
        assert_string_equal(receiver_get(a->server, 0)->query, cases[i].query);
    }
}

static void no_night_yet(void **state) {
    asked *a = *state;
    g_autofree char *file = g_build_filename(a->folder, "m.md", NULL);
    ANSWER(a, JSON("{\"items\": [], \"next\": null}"));
    g_auto(called) c = HISTORY(a, "kieker", "--markdown", file);
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "night  commit  what was found\n");
    assert_false(g_file_test(file, G_FILE_TEST_EXISTS));
}

/* Files hold the newest night, the chart all; who takes standard output has it alone. */
static void files_for_other_tools(void **state) {
    asked *a = *state;
    g_autofree char *chart = g_build_filename(a->folder, "c.svg", NULL);
    ANSWER(a, JSON(NIGHTS));
    g_auto(called) c = HISTORY(a, "kieker", "--markdown", "-", "--chart", chart);
    expect_called(&c, CI_OK, "### kieker: failed: no build\n", "");
    assert_null(strstr(c.out, "what was found"));
    assert_true(g_file_test(chart, G_FILE_TEST_IS_REGULAR));
    ANSWER(a, JSON(NIGHTS));
    g_auto(called) wrong = HISTORY(a, "kieker", "--chart", "c.gif");
    expect_called(&wrong, CI_USAGE, "", "kieker: --chart c.gif");
}

static void no_such_project(void **state) {
    asked *a = *state;
    ANSWER(a, {404, NULL, NULL, "{\"detail\": \"there is no project \\\"kiker\\\"\"}"});
    g_auto(called) c = HISTORY(a, "kiker");
    expect_called(&c, CI_SERVER, "", "there is no project \"kiker\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(a_table),
        ASKED(one_letter_twice),
        ASKED(each_in_its_unit),
        ASKED(how_many),
        ASKED(a_change_is_marked_where_it_began),
        ASKED(no_night_yet),
        ASKED(files_for_other_tools),
        ASKED(no_such_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
