/* Limits in absolute numbers: as they are written, and beside a night. */
#include "tests/unit/test.h"

#include "config/limits.h"

#include <math.h>

static void what_is_written_is_read(void **state) {
    static const struct {
        const char *text, *dimension, *portion;
        double most;
    } cases[] = {{"start <= 2 s", "start_ms", NULL, 2000},
                 {"start of W<=300ms", "start_ms", "W", 300},
                 {"peak <= 0.25 GiB", "peak_mb", NULL, 256},
                 {"live of C <= 512 KiB", "live_mb", "C", 0.5},
                 {"lost <= 0 %", "lost_percent", NULL, 0},
                 {"p99 of W <= 2 us", "p99_ns", "W", 2000},
                 {"allocations of I <= 3", "allocations", "I", 3},
                 {"I <= 500 ns", NULL, "I", 500},
                 {"cpu [OTLP] <= 20 %", NULL, "cpu [OTLP]", 20},
                 {"sent>=1000 records/s", NULL, "sent", 1000},
                 {"T >= 1 us", NULL, "T", 1000},
                 {"number of spans <= 5 spans", NULL, "number of spans", 5},
                 {"operator<= <= 5 ns", NULL, "operator<=", 5},
                 {"cpu <= 20 %", NULL, "cpu", 20},
                 {"start of a >= b <= 1 ms", "start_ms", "a >= b", 1}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(cfg_limit) limit = {0};
        if (!cfg_limit_read(cases[i].text, &limit, &error))
            fail_msg("%s", error->message);
        assert_string_equal(limit.dimension ? limit.dimension->name : "",
                            cases[i].dimension ? cases[i].dimension : "");
        assert_string_equal(limit.portion ? limit.portion : "",
                            cases[i].portion ? cases[i].portion : "");
        assert_true(limit.least == !strstr(cases[i].text, "<="));
        assert_true(fabs(limit.bound - cases[i].most) < 1e-9);
    }
}

static void what_is_none_is_named(void **state) {
    static const char *const cases[][2] = {{"start", "expected NAME <= NUMBER UNIT, or >="},
                                           {"start <= ", "expected a number"},
                                           {"start <= -1 s", "at least 0"},
                                           {"start <= 2", "must be ns, us, ms or s"},
                                           {"start of W <= 2 MiB", "must be ns"},
                                           {"peak of W <= 2 s", "KiB, MiB or GiB"},
                                           {"lost <= 1", "must be %"},
                                           {"allocations of W <= 1 ms", "without a unit"},
                                           {"lost of W <= 1 %", "of a whole process"},
                                           {"W <= -1 ns", "at least 0"},
                                           {"start >= 2 s", "a lower limit is of a portion"},
                                           {"sent > 2 s", "expected NAME <= NUMBER UNIT, or >="},
                                           {"<= 2 s", "before <= or >="}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(cfg_limit) limit = {0};
        if (cfg_limit_read(cases[i][0], &limit, &error))
            fail_msg("%s is read", cases[i][0]);
        if (!strstr(error->message, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], error->message);
    }
}

static void what_is_proposed_is_read_again(void **state) {
    static const struct {
        const char *dimension, *portion;
        double most;
        const char *text;
    } cases[] = {{"start_ms", NULL, 1234, "start <= 1300 ms"},
                 {"peak_mb", "W", 8.01, "peak of W <= 8.1 MiB"},
                 {"lost_percent", NULL, 0, "lost <= 0 %"},
                 {"allocations", "I", 2, "allocations of I <= 2"},
                 {NULL, "W", 5210, "W <= 5300 ns"}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_limit) limit = {0};
        g_autofree char *text =
            cfg_limit_words(cases[i].dimension, cases[i].portion, NULL, cases[i].most, false);
        assert_string_equal(text, cases[i].text);
        assert_true(cfg_limit_read(text, &limit, NULL));
        assert_true(limit.bound >= cases[i].most);
    }
}

/* Of the night in text, each case: a limit, its state, and what its sentence has. */
static void expect_judged(const char *text, const char *const cases[][3], size_t count) {
    json_auto_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    g_auto(cfg_night) night = cfg_night_of(json);
    for (size_t i = 0; i < count; i++) {
        g_auto(cfg_limit) limit = {0};
        assert_true(cfg_limit_read(cases[i][0], &limit, NULL));
        cfg_limit_settle(&limit, &night, cases[i][0]);
        const cfg_limited *one = cfg_limit_judge(&night, cases[i][0], &limit);
        assert_string_equal(one->state, cases[i][1]);
        assert_true(cfg_limit_broken(one) ==
                    (cfg_is(one->state, "above") || cfg_is(one->state, "below")));
        if (!strstr(one->sentence, cases[i][2]))
            fail_msg("%s", one->sentence);
    }
}

static const char night_text[] =
    "{\"level\": 0.95, \"portions\": [{\"portion\": \"I\", \"mean_ns\": 510, \"low_ns\": 490, "
    "\"high_ns\": 530}], \"dimensions\": [{\"dimension\": \"start_ms\", \"portions\": ["
    "{\"portion\": \"T\", \"mean\": 60, \"low\": 59, \"high\": 61, \"total\": 60, \"loops\": [60, "
    "61, 59]}, "
    "{\"portion\": \"I\", \"mean\": 40, \"low\": 38, \"high\": 42, \"total\": 100, "
    "\"loops\": [100, 101, 99]}]}]}";

/* Of whole processes, of a letter that two have, of a portion called as a dimension is. */
static void whose_value_it_is_is_told(void **state) {
    static const char text[] =
        "{\"portions\": [{\"portion\": \"W\", \"configuration\": \"file\", \"mean_ns\": 70}, "
        "{\"portion\": \"W\", \"configuration\": \"tcp\", \"mean_ns\": 90}, "
        "{\"portion\": \"start\", \"configuration\": \"begin\", \"mean_ns\": 5}], "
        "\"dimensions\": [{\"dimension\": \"peak_mb\", \"portions\": [{\"portion\": \"T\", "
        "\"configuration\": \"none\", \"mean\": 8, \"total\": 8}, {\"portion\": \"W\", "
        "\"configuration\": \"tcp\", \"mean\": 2, \"total\": 10}]}]}";
    static const struct {
        const char *limit, *dimension, *portion, *configuration, *sentence;
    } cases[] = {
        {"peak <= 9 MiB", "peak_mb", "W", "tcp", "peak <= 9 MiB: 10 MiB of tcp, may be above"},
        {"peak of T <= 9 MiB", "peak_mb", "T", "none", "peak of T <= 9 MiB: 8 MiB"},
        {"W <= 99 ns", "time", "W", "tcp", "W <= 99 ns: 90 ns of tcp"},
        {"start <= 9 ns", "time", "start", "begin", "start <= 9 ns: 5 ns"},
        {"cpu <= 9 ms", "cpu_ms", NULL, NULL, "cpu <= 9 ms: not measured"},
        {"X <= 9 ns", "time", "X", NULL, "X <= 9 ns: not measured"}};
    json_auto_t *json = json_loads(text, 0, NULL);
    g_auto(cfg_night) night = cfg_night_of(json);
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_limit) limit = {0};
        assert_true(cfg_limit_read(cases[i].limit, &limit, NULL));
        cfg_limit_settle(&limit, &night, cases[i].limit);
        const cfg_limited *one = cfg_limit_judge(&night, cases[i].limit, &limit);
        assert_string_equal(one->dimension, cases[i].dimension);
        assert_true(g_strcmp0(one->portion, cases[i].portion) == 0);
        assert_true(g_strcmp0(one->configuration, cases[i].configuration) == 0);
        assert_string_equal(one->sentence, cases[i].sentence);
    }
}

static void a_limit_is_above_only_where_that_is_sure(void **state) {
    static const char *const cases[][3] = {
        {"start <= 120 ms", "met", ": 100 ms (97.52 to 102.5)"},
        {"start <= 101 ms", "unsure", ", may be above"},
        {"start <= 99 ms", "unsure", ", may be above"},
        {"start <= 90 ms", "above", ", surely above"},
        {"start of I <= 45 ms", "met", ": 40 ms (38 to 42)"},
        {"I <= 480 ns", "above", "510 ns (490 to 530), surely above"},
        {"I <= 500 ns", "unsure", "may be above"},
        {"I <= 1 us", "met", "510 ns"},
        {"peak <= 1 MiB", "unknown", "peak <= 1 MiB: not measured"}};
    (void)state;
    expect_judged(night_text, cases, G_N_ELEMENTS(cases));
}

/* However few records there are: where none was lost, none was. Else the interval counts. */
static void no_lost_record_meets_a_limit_of_none(void **state) {
    static const struct {
        double mean, low, high;
        const char *state, *sentence;
    } cases[] = {
        {0, -0.1, 0.1, "met", "lost <= 0 %: 0 % (0 to 0.1)"},
        {0, -0.1, 0.1, "met", "lost <= 0.05 %: 0 % (0 to 0.1)"},
        {0.04, 0.03, 0.06, "unsure", "lost <= 0.05 %: 0.04 % (0.03 to 0.06), may be above"},
        {0.04, 0.03, 0.045, "met", "lost <= 0.05 %: 0.04 % (0.03 to 0.045)"},
        {0.002, -0.1, 0.1, "unsure", "lost <= 0 %: 0.002 % (0 to 0.1), may be above"},
        {0.5, 0.4, 0.6, "above", "lost <= 0 %: 0.5 % (0.4 to 0.6), surely above"}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_limit) limit = {0};
        json_auto_t *json =
            json_pack("{s:[{s:s, s:[{s:s, s:f, s:f, s:f, s:f}]}]}", "dimensions", "dimension",
                      "lost_percent", "portions", "portion", "W", "mean", cases[i].mean, "low",
                      cases[i].low, "high", cases[i].high, "total", cases[i].mean);
        g_auto(cfg_night) night = cfg_night_of(json);
        g_auto(GStrv) text = g_strsplit(cases[i].sentence, ":", 2);
        assert_true(cfg_limit_read(text[0], &limit, NULL));
        const cfg_limited *one = cfg_limit_judge(&night, text[0], &limit);
        assert_string_equal(one->state, cases[i].state);
        assert_string_equal(one->sentence, cases[i].sentence);
    }
}

/* A value of a unit of its own is limited in that unit, and in no other. */
static void a_unit_of_its_own_is_limited_in_it(void **state) {
    static const char text[] = "{\"portions\": [{\"portion\": \"dropped\", \"unit\": \"spans\", "
                               "\"mean_ns\": 12, \"low_ns\": 11, \"high_ns\": 13}]}";
    static const char *const cases[][3] = {
        {"dropped <= 20 spans", "met", "dropped <= 20 spans: 12 spans (11 to 13)"},
        {"dropped <= 0 spans", "above", "12 spans (11 to 13), surely above"},
        {"dropped <= 20 ns", "unknown", "not measured"},
        {"dropped <= 20 bytes", "unknown", "not measured in bytes"}};
    (void)state;
    expect_judged(text, cases, G_N_ELEMENTS(cases));
    g_autofree char *words = cfg_limit_words(NULL, "dropped", "spans", 13.2, false);
    assert_string_equal(words, "dropped <= 14 spans");
}

/* Where the process was not looked at, "start" is the portion of that name. */
static void a_portion_may_be_called_as_a_dimension(void **state) {
    static const char text[] =
        "{\"portions\": [{\"portion\": \"peak\", \"unit\": \"MiB\", \"mean_ns\": 251, \"low_ns\": "
        "247, \"high_ns\": 255}, {\"portion\": \"start\", \"mean_ns\": 2.17e9, \"low_ns\": 2.1e9, "
        "\"high_ns\": 2.2e9}]%s}";
    static const char *const cases[][3] = {
        {"peak <= 250 MiB", "unsure", "peak <= 250 MiB: 251 MiB (247 to 255), may be above"},
        {"start <= 2 s", "above", "surely above"},
        {"start <= 2200 ms", "met", "start"},
        {"lost <= 1 %", "unknown", "not measured"}};
    static const char *const both[][3] = {{"start <= 2 s", "met", ": 100 ms"}};
    (void)state;
    g_autofree char *alone = g_strdup_printf(text, "");
    expect_judged(alone, cases, G_N_ELEMENTS(cases));
    g_autofree char *beside = g_strdup_printf(
        text,
        ", \"dimensions\": [{\"dimension\": \"start_ms\", \"portions\": [{\"portion\": \"T\", "
        "\"mean\": 100, \"total\": 100, \"loops\": [100, 101, 99]}]}]");
    expect_judged(beside, both, G_N_ELEMENTS(both));
}

/* More is better of it: the least of a letter counts. */
static void a_lower_limit_is_kept(void **state) {
    static const char text[] =
        "{\"portions\": [{\"portion\": \"sent\", \"unit\": \"records/s\", \"better\": \"higher\", "
        "\"mean_ns\": 900, \"low_ns\": 880, \"high_ns\": 920}, {\"portion\": \"sent\", \"unit\": "
        "\"records/s\", \"mean_ns\": 2000, \"low_ns\": 1990, \"high_ns\": 2010}]}";
    static const char *const cases[][3] = {
        {"sent >= 800 records/s", "met", "sent >= 800 records/s: 900 records/s (880 to 920)"},
        {"sent >= 890 records/s", "unsure", "(880 to 920), may be below"},
        {"sent >= 910 records/s", "unsure", "may be below"},
        {"sent >= 1000 records/s", "below", "(880 to 920), surely below"},
        {"sent >= 1000 spans", "unknown", "not measured in spans"}};
    (void)state;
    expect_judged(text, cases, G_N_ELEMENTS(cases));
    g_autofree char *words = cfg_limit_words(NULL, "sent", "records/s", 818.2, true);
    assert_string_equal(words, "sent >= 810 records/s");
}

/* Two configurations may have one letter, and one of them may have failed. */
static void the_dearest_of_a_letter_is_judged(void **state) {
    static const char text[] =
        "{\"portions\": [{\"portion\": \"W\", \"mean_ns\": 400, \"low_ns\": 390, \"high_ns\": "
        "410}, "
        "{\"portion\": \"W\", \"mean_ns\": 900, \"low_ns\": 890, \"high_ns\": 910}, "
        "{\"portion\": \"W\", \"mean_ns\": null, \"low_ns\": null, \"high_ns\": null}], "
        "\"dimensions\": [{\"dimension\": \"start_ms\", \"portions\": ["
        "{\"portion\": \"T\", \"mean\": 60, \"low\": 59, \"high\": 61, \"total\": 60, \"loops\": "
        "[60, 61, 59]}, {\"portion\": \"W\", \"mean\": null, \"low\": null, \"high\": null, "
        "\"total\": null, \"loops\": []}]}]}";
    static const char *const cases[][2] = {
        {"W <= 500 ns", "W <= 500 ns: 900 ns (890 to 910), surely above"},
        {"start <= 50 ms", "start <= 50 ms: 60 ms (57.52 to 62.48), surely above"}};
    (void)state;
    json_auto_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    g_auto(cfg_night) night = cfg_night_of(json);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_limit) limit = {0};
        assert_true(cfg_limit_read(cases[i][0], &limit, NULL));
        assert_string_equal(cfg_limit_judge(&night, cases[i][0], &limit)->sentence, cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_none_is_named),
        cmocka_unit_test(what_is_proposed_is_read_again),
        cmocka_unit_test(a_limit_is_above_only_where_that_is_sure),
        cmocka_unit_test(no_lost_record_meets_a_limit_of_none),
        cmocka_unit_test(the_dearest_of_a_letter_is_judged),
        cmocka_unit_test(a_portion_may_be_called_as_a_dimension),
        cmocka_unit_test(a_lower_limit_is_kept),
        cmocka_unit_test(whose_value_it_is_is_told),
        cmocka_unit_test(a_unit_of_its_own_is_limited_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
