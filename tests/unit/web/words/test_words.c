/* What alerts, nights and portions say. */
#include "tests/unit/nights_of.h"
#include "tests/unit/web/nights.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static char *headline_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return web_night_headline(&night);
}

static json_t *moved(const char *portion, const char *configuration, double before, double after) {
    return json_pack("{s:s, s:s, s:{s:f}, s:{s:f}, s:{s:f, s:f}}", "portion", portion,
                     "configuration", configuration, "before", "mean_ns", before, "after",
                     "mean_ns", after, "difference", "low_ns", after - before - 10, "high_ns",
                     after - before + 10);
}

static const char *said(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void an_alert_says_all_its_portions(void **state) {
    (void)state;
    json_t *alert = json_pack("{s:[o, o]}", "portions", moved("C", "collecting", 920, 1620),
                              moved("I", "deactivated", 820, 201));
    alert_say(alert, 0.999, NULL);
    assert_string_equal(said(alert, "headline"),
                        "Collection (C) rose by 76.1 %, Instrumentation (I) fell by 75.5 %");
    assert_string_equal(said(alert, "sentence"),
                        "Collection (C) rose from 0.92 µs to 1.62 µs (+700 ns, +76.1 %; 99.9 % "
                        "interval +690 ns to +710 ns); Instrumentation (I) fell from 820 ns to "
                        "201 ns (-619 ns, -75.5 %; 99.9 % interval -629 ns to -609 ns)");
    const json_t *second = json_array_get(json_object_get(alert, "portions"), 1);
    assert_string_equal(said(second, "headline"), "Instrumentation (I) fell by 75.5 %");
    json_decref(alert);
}

/* Its verdict was taken back: its interval says what is left of it. */
static void a_withdrawn_alert_claims_no_more_than_its_interval(void **state) {
    (void)state;
    static const char *const table[][2] = {
        {"open", "Instrumentation (I) rose by 6.21 µs"},
        {"withdrawn", "Instrumentation (I) may have risen by 6.21 µs"}};
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        json_t *part = moved("I", "deactivated", 139, 6352),
               *alert = json_pack("{s:s, s:[o]}", "state", table[i][0], "portions", part);
        json_object_update_new(json_object_get(part, "before"),
                               json_pack("{s:f, s:f}", "low_ns", -2395., "high_ns", 2673.));
        json_object_update_new(json_object_get(part, "difference"),
                               json_pack("{s:f, s:f}", "low_ns", -2696., "high_ns", 15123.));
        alert_say(alert, 0.95, NULL);
        assert_string_equal(said(alert, "headline"), table[i][1]);
        json_decref(alert);
    }
}

/* A level before is no surer than its last night. */
static void an_alert_says_what_its_numbers_rest_on(void **state) {
    (void)state;
    json_t *part = moved("W", "binary", 100, 120), *alert = json_deep_copy(part);
    json_object_set_new(alert, "portions", json_pack("[o]", part));
    json_object_set_new(alert, "levels_before",
                        json_pack("[{s:s, s:s, s:s, s:f}]", "portion", "W", "configuration",
                                  "binary", "verdict", "harness", "mean_ns", 100.));
    alert_say(alert, 0.95, NULL);
    assert_non_null(strstr(said(alert, "sentence"),
                           "); the level before is itself in question (Writing (W): the "
                           "measurement is suspect)"));
    assert_string_equal(said(alert, "before_doubt"),
                        "the level before is itself in question (Writing (W): the measurement is "
                        "suspect)");
    json_decref(alert);
}

/* It was eight nights old, "as before" in each of them, and measured in turn. */
static void a_level_before_that_was_measured_again_is_in_no_question(void **state) {
    (void)state;
    json_t *part = moved("W", "binary", 100, 120), *alert = json_object();
    json_object_set_new(part, "confirmation",
                        json_pack("{s:s, s:i, s:f, s:f}", "state", "confirmed", "loops", 40,
                                  "before_ns", 100., "after_ns", 120.));
    json_object_set_new(alert, "portions", json_pack("[o]", part));
    json_object_set_new(alert, "levels_before",
                        json_pack("[{s:s, s:s, s:s, s:f}]", "portion", "W", "configuration",
                                  "binary", "verdict", "harness", "mean_ns", 100.));
    alert_say(alert, 0.95, NULL);
    assert_null(strstr(said(alert, "sentence"), "in question"));
    assert_null(json_object_get(alert, "before_doubt"));
    json_decref(alert);
}

/* At a commit; half: of the intervals. */
static json_t *step_of(const char *state, const char *sha, int place, double older, double newer,
                       double half) {
    return json_pack("{s:s, s:{s:s}, s:i, s:{s:f, s:f, s:f}, s:{s:f, s:f, s:f}}", "state", state,
                     "commit", "sha", sha, "place", place, "before", "mean_ns", older, "low_ns",
                     older - half, "high_ns", older + half, "after", "mean_ns", newer, "low_ns",
                     newer - half, "high_ns", newer + half);
}

/* A commit is not told of the whole change where it was measured to bring a part of it. */
static void a_commit_is_not_told_of_the_rest(void **state) {
    (void)state;
    static const struct {
        double before, after, half; /* at the commit; the change is 18 to 50, +31 to +33 */
        const char *says;
        double earlier; /* of it, at the commit before; 0: nobody measured that */
        bool end;       /* of the range: the search measured the commit before it alone */
    } cases[] = {
        {18, 34, 0.5,
         "Only 50 % of the change came with 9d6643e27; the rest came with others of the range.", 0,
         false},
        {18, 34, 9,
         "Only about 50 % of the change came with 9d6643e27; the rest came with others of the "
         "range.",
         0, false}, /* it may have brought all */
        {18, 49, 0.5, NULL, 0, false},
        {9, 25, 0.5, NULL, 0, false}, /* all of it, on a machine that was twice as fast by then */
        {18, 18, 0.1, NULL, 0, false},
        {18, 50, 0.1,
         "Only 75 % of the change came with 9d6643e27; the rest came with others of the range.",
         7.9, false},
        {18, 38, 0.1,
         "Only 47 % of the change came with 9d6643e27; the rest came with others of the range.", 5,
         false},
        {18, 50, 0.1,
         "Only 75 % of the change came with 9d6643e27; the rest came with others of the range.",
         7.9, true},
        {18, 50, 0.1, NULL, 3, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double b = cases[i].before, a = cases[i].after, half = cases[i].half;
        json_auto_t *alert = moved("C", "ring", 18, 50);
        json_object_set_new(alert, "confirmation",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", 18., "after_ns",
                                      50., "mean_ns", 32., "low_ns", 31., "high_ns", 33.));
        json_auto_t *steps = json_array();
        if (!cases[i].end)
            json_array_append_new(steps, step_of("after", "9d", 3, b, a, half));
        if (cases[i].earlier > 0)
            json_array_append_new(steps, step_of("before", "8c", 2, b, b + cases[i].earlier, half));
        json_object_set_new(alert, "bisection",
                            json_pack("{s:{s:s, s:s}, s:O}", "culprit", "sha", "9d", "short",
                                      "9d6643e27", "steps", steps));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        if (g_strcmp0(read.search->rest, cases[i].says) != 0)
            fail_msg("%zu: %s", i, read.search->rest);
    }
}

/* Of a change that came in steps of 21, 17, and 62 %: who brought the others, and where they are.
 */
static void who_else_brought_a_part_is_told(void **state) {
    (void)state;
    static const char *const saw[] = {"less than a quarter of it", "a part of it",
                                      "as with 5158397b1", "a part of it"};
    static const struct {
        const char *state, *culprit, *says;
    } cases[] = {
        {"found", "9d6643e27",
         "Only 62 % of the change came with 9d6643e27; 17 % came with 5158397b1, the rest with "
         "others after 73c241981 up to 2559ae666."},
        {"range", NULL,
         "Of the change 17 % came with 5158397b1, 62 % with 9d6643e27, the rest with others after "
         "73c241981 up to 2559ae666."},
        {"running", NULL, "Of the change 17 % came with 5158397b1, 62 % with 9d6643e27."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *alert = moved("C", "ring", 100, 200);
        json_auto_t *steps = json_array(), *found = json_null();
        json_array_append_new(steps, step_of("before", "4c", 4, 100, 121, 1));
        json_array_append_new(steps, step_of("part", "5158397b1", 5, 100, 138, 1));
        json_array_append_new(steps, step_of("before", "8c", 9, 138, 138, 1));
        json_array_append_new(steps, step_of("after", "9d6643e27", 10, 138, 200, 30));
        if (cases[i].culprit)
            found = json_pack("{s:s, s:s}", "sha", cases[i].culprit, "short", cases[i].culprit);
        json_object_set_new(alert, "confirmation",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", 100., "after_ns",
                                      200., "mean_ns", 100., "low_ns", 95., "high_ns", 105.));
        json_object_set_new(alert, "from", json_pack("{s:{s:s}}", "commit", "short", "73c241981"));
        json_object_set_new(alert, "until", json_pack("{s:{s:s}}", "commit", "short", "2559ae666"));
        json_object_set_new(alert, "bisection",
                            json_pack("{s:s, s:O, s:O}", "state", cases[i].state, "culprit", found,
                                      "steps", steps));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        const cfg_search *search = read.search;
        if (g_strcmp0(search->rest, cases[i].says) != 0)
            fail_msg("%zu: %s", i, search->rest);
        for (size_t k = 0; k < G_N_ELEMENTS(saw); k++)
            assert_string_equal(search->steps[k].saw, saw[k]);
        assert_int_equal(search->parts_count, cases[i].says ? 2 : 0);
        for (unsigned k = 0; k < search->parts_count; k++) {
            const bool largest = k == (cases[i].culprit ? 0 : 1);
            assert_string_equal(search->parts[k].sha, largest ? "9d6643e27" : "5158397b1");
            assert_true(fabs(search->parts[k].percent - (largest ? 62 : 17)) < 0.01);
        }
    }
}

/* Seen: each of two commits was measured to bring half, and one was named for all of it. */
static void each_step_that_shows_a_rise_is_a_part(void **state) {
    (void)state;
    static const struct {
        double first, second; /* of a change by 100 */
        int commits;
        const char *says;
    } cases[] = {
        {50, 42, 2, "Only 54 % of the change came with 735364c31; 46 % came with 1a7092d40."},
        {28, 30, 2, "Only 48 % of the change came with 735364c31; 52 % came with 1a7092d40."},
        {50, 42, 3,
         "Only 50 % of the change came with 735364c31; 42 % came with 1a7092d40, the rest "
         "with others of the range."},
        {85, 28, 3, "Only 75 % of the change came with 735364c31; 25 % came with 1a7092d40."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double first = 100 + cases[i].first;
        json_auto_t *alert = moved("I", "off", 100, 200);
        json_object_set_new(alert, "confirmation",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", 100., "after_ns",
                                      200., "mean_ns", 100., "low_ns", 70., "high_ns", 130.));
        json_object_set_new(
            alert, "bisection",
            json_pack("{s:s, s:i, s:{s:s, s:s}, s:[o, o]}", "state", "found", "commits",
                      cases[i].commits, "culprit", "sha", "735364c31", "short", "735364c31",
                      "steps", step_of("part", "735364c31", 0, 100, first, 20),
                      step_of("after", "1a7092d40", 1, first, first + cases[i].second, 20)));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        if (g_strcmp0(read.search->rest, cases[i].says) != 0)
            fail_msg("%zu: %s", i, read.search->rest);
        assert_string_equal(read.search->steps[1].saw, "a part of it");
        assert_true(cfg_alert_is_named(&read, "1a7092d40"));
    }
}

typedef struct {
    const char *state, *sha;
    int place;
    double rise; /* of 100 */
} step_seen;

/* A confirmed change from 1000 to 1100, and the steps of its search. */
static json_t *searched_of(const step_seen steps[4], double half, json_t **list) {
    json_t *alert = moved("I", "off", 1000, 1100);
    json_object_set_new(alert, "confirmation",
                        json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", 1000., "after_ns",
                                  1100., "mean_ns", 100., "low_ns", 90., "high_ns", 110.));
    *list = json_array();
    for (size_t k = 0; k < 4 && steps[k].state; k++)
        json_array_append_new(*list, step_of(steps[k].state, steps[k].sha, steps[k].place, 1000,
                                             1000 + steps[k].rise, half));
    return alert;
}

/* What a cleared step wavers is nobody's part, the parts are no more than all, what a step saw
 * after the named commit is told of it, and who was seen to bring nothing is no other. */
static void parts_are_what_their_own_steps_show(void **state) {
    (void)state;
    static const struct {
        step_seen steps[4]; /* each is +- 14 */
        const char *culprit, *says;
    } cases[] = {
        {{{"part", "aaaaaaaaa", 0, 47}, {"after", "ddddddddd", 3, 58}, {"before", "c", 2, -17}},
         "ddddddddd",
         "Only 55 % of the change came with ddddddddd; 45 % came with aaaaaaaaa."},
        {{{"before", "a", 0, -12}, {"part", "bbbbbbbbb", 1, 67}, {"after", "d", 3, 45}},
         "bbbbbbbbb",
         "Only 60 % of the change came with bbbbbbbbb; the rest came with others of the range."},
        {{{"part", "aaaaaaaaa", 0, 42}, {"before", "b", 2, -5}, {"after", "ddddddddd", 3, 50}},
         "ddddddddd",
         "Only 54 % of the change came with ddddddddd; 46 % came with aaaaaaaaa."},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *steps;
        json_auto_t *alert = searched_of(cases[i].steps, 10, &steps);
        json_object_set_new(alert, "bisection",
                            json_pack("{s:s, s:i, s:{s:s, s:s}, s:o}", "state", "found", "commits",
                                      4, "culprit", "sha", cases[i].culprit, "short",
                                      cases[i].culprit, "steps", steps));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        if (g_strcmp0(read.search->rest, cases[i].says) != 0)
            fail_msg("%zu: %s", i, read.search->rest);
        assert_true(read.search->partly);
    }
}

/* Seen on ramps: "one of 2 left of the 4 commits", where a step showed what another one brought. */
static void what_others_brought_beside_a_range_is_told(void **state) {
    (void)state;
    static const struct {
        step_seen steps[4];
        int commits, left;
        const char *says;
    } cases[] = {
        {{{"undecided", "a", 0, 18}, {"part", "bbbbbbbbb", 1, 47}, {"after", "d", 3, 32}},
         4,
         2,
         "Only 47 % of the change came with aaaaaaaaa to bbbbbbbbb; the rest came with others of "
         "the range."},
        {{{"before", "9", 5, -1},
          {"undecided", "a", 6, 23},
          {"part", "bbbbbbbbb", 7, 54},
          {"after", "ccccccccc", 8, 33}},
         9,
         2,
         "Only 62 % of the change came with aaaaaaaaa to bbbbbbbbb; 38 % came with ccccccccc."},
        {{{"undecided", "a", 2, 40}, {"before", "9", 1, 22}, {"after", "bbbbbbbbb", 3, 100}},
         4,
         2,
         "Only about 78 % of the change came with aaaaaaaaa to bbbbbbbbb; the rest came with "
         "others of "
         "the range."},
        {{{"undecided", "a", 2, 40}, {"before", "9", 1, 1}, {"after", "bbbbbbbbb", 3, 98}},
         6,
         2,
         NULL},
        {{{"undecided", "a", 0, 40}, {"after", "bbbbbbbbb", 1, 70}}, 2, 0, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *steps;
        json_auto_t *alert = searched_of(cases[i].steps, 2, &steps);
        json_object_set_new(alert, "from", json_pack("{s:s}", "night", "2026-11-23"));
        json_object_set_new(alert, "bisection",
                            json_pack("{s:s, s:i, s:i, s:{s:s, s:s}, s:{s:s, s:s}, s:o}", "state",
                                      "range", "commits", cases[i].commits, "left", cases[i].left,
                                      "first", "sha", "a", "short", "aaaaaaaaa", "last", "sha",
                                      "bbbbbbbbb", "short", "bbbbbbbbb", "steps", steps));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        const cfg_search *search = read.search;
        if (g_strcmp0(search->rest, cases[i].says) != 0)
            fail_msg("%zu: %s", i, search->rest);
        const bool some = cases[i].says || cases[i].left == 0;
        assert_int_equal(cfg_alert_left(&read), some ? cases[i].commits : cases[i].left);
        assert_string_equal(search->steps[i == 1].saw, "undecided");
        assert_int_equal(search->parts_count, i == 1); /* no step is of those of the range alone */
    }
}

/* A machine that is slower by now: 40 ns of 100 are all that came, for nothing came after. */
static void what_the_last_commit_shows_is_all(void **state) {
    (void)state;
    json_auto_t *alert = moved("C", "ring", 100, 200);
    json_auto_t *steps = json_array();
    json_array_append_new(steps, step_of("after", "9d", 3, 100, 140, 1));
    json_object_set_new(alert, "confirmation",
                        json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", 100., "after_ns", 200.,
                                  "mean_ns", 100., "low_ns", 95., "high_ns", 105.));
    json_object_set_new(alert, "bisection",
                        json_pack("{s:{s:s, s:s}, s:O}", "culprit", "sha", "9d", "short",
                                  "9d6643e27", "steps", steps));
    g_auto(cfg_alert) before = cfg_alert_of(alert);
    web_alert_say(&before);
    assert_non_null(before.search->rest);
    json_array_append_new(steps, step_of("before", "2559ae666", 9, 140, 141, 1));
    g_auto(cfg_alert) after = cfg_alert_of(alert);
    web_alert_say(&after);
    assert_null(after.search->rest);
}

/* The gate told of a commit that brought 52 ns the 32 that were left: a later one took 20 back. */
static void what_others_took_back_is_told_with_the_commit(void **state) {
    (void)state;
    static const char more[] = "With 9d6643e27 Collection (C) rose from 18.0 ns to 70.0 ns (+52.0 "
                               "ns, +289 %; interval +51.3 ns to +52.7 ns); others after it took "
                               "a part of that back.";
    static const char of_half[] =
        "With 9d6643e27 Collection (C) rose from 18.0 ns to 70.0 ns (+52.0 ns, +289 %; interval "
        "+51.3 ns to +52.7 ns), of the fastest half of the loops; others after it took a part of "
        "that back.";
    static const struct {
        double before, after, half; /* at the commit; the change is 18 to 50, +31 to +33 */
        bool last;                  /* the range's last commit was measured, as it */
        const char *says, *counts;  /* of its trial's reason */
    } cases[] = {
        {18, 70, 0.5, false, more, NULL},
        {18, 55, 0.5, false, NULL, NULL},
        {18, 70, 25, false, NULL, NULL},   /* it may have brought no more */
        {36, 100, 0.5, false, NULL, NULL}, /* nor did it: the machine was half as fast by then */
        {18, 70, 0.5, true, NULL, NULL},
        {18, 70, 0.5, false, of_half, ", of which the fastest half counts"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double b = cases[i].before, a = cases[i].after, half = cases[i].half;
        json_auto_t *part = moved("C", "ring", 18, 50), *alert = json_deep_copy(part);
        json_auto_t *steps = json_pack("[o]", step_of("after", "9d6643e27", 3, b, a, half));
        if (cases[i].last)
            json_array_append_new(steps, step_of("before", "2559ae666", 9, a, a, half));
        json_object_set_new(
            json_array_get(steps, 0), "reason",
            json_sprintf("Measured again, 40 loops of each commit in turn%s: confirmed",
                         cases[i].counts ? cases[i].counts : ""));
        json_object_set_new(alert, "portions", json_pack("[O]", part));
        json_object_set_new(alert, "confirmation",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", 18., "after_ns",
                                      50., "mean_ns", 32., "low_ns", 31., "high_ns", 33.));
        json_object_set_new(alert, "bisection",
                            json_pack("{s:s, s:{s:s, s:s}, s:O}", "state", "found", "culprit",
                                      "sha", "9d6643e27", "short", "9d6643e27", "steps", steps));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        if (g_strcmp0(read.search->told, cases[i].says) != 0)
            fail_msg("%zu: %s", i, read.search->told);
    }
}

/* The commit of C was named for I, too. What says of C the same as its time is of the search. */
static void a_search_of_one_portion_alone_says_so(void **state) {
    (void)state;
    static const char *const table[][3] = {
        {"I", "off",
         "The search is of Collection (C) alone; the commit of Instrumentation (I) is not known."},
        {"C", "ring", NULL},
        {NULL, NULL, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        json_auto_t *alert = moved("C", "ring", 200, 180), *parts = json_pack("[O]", alert);
        json_object_set_new(alert, "direction", json_string("down"));
        if (table[i][0]) {
            json_t *other = moved(table[i][0], table[i][1], 200, 180);
            json_object_set_new(other, "direction", json_string("down"));
            json_object_set_new(other, "dimension", json_string(table[i][2] ? "time" : "cpu_ms"));
            json_array_append_new(parts, other);
        }
        json_auto_t *whole =
            json_pack("{s:O, s:{s:s, s:s, s:s}}", "portions", parts, "bisection", "state", "found",
                      "configuration", "ring", "dimension", "time");
        g_auto(cfg_alert) read = cfg_alert_of(whole);
        web_alert_say(&read);
        assert_string_equal(read.search->of, "Collection (C)");
        if (g_strcmp0(read.search->alone, table[i][2]) != 0)
            fail_msg("%zu: %s", i, read.search->alone);
    }
}

/* Its level before was that of the nights before two steps, and looked as measured in turn with the
 * second one. */
static void what_was_not_measured_in_turn_says_its_nights(void **state) {
    (void)state;
    json_t *time = moved("I", "off", 254, 262), *tail = moved("I", "off", 360, 399);
    json_t *again = json_pack("{s:f, s:f, s:f}", "mean_ns", 8., "low_ns", 6., "high_ns", 10.);
    json_object_set_new(time, "confirmation", again);
    json_object_set_new(tail, "dimension", json_string("p99_ns"));
    json_object_set_new(tail, "reason",
                        json_string("99th percentile of I rose from 360 ns to 399 ns (+39.0 ns, "
                                    "+10.8 %; 95 % interval +29.0 ns to +49.0 ns) against 21 "
                                    "nights, 2026-11-01 to 2026-11-21: 1.58 times the threshold; "
                                    "with the time of a call, which was measured again"));
    json_auto_t *alert =
        json_pack("{s:[o, o], s:O}", "portions", time, tail, "confirmation", again);
    alert_say(alert, 0.95, NULL);
    const json_t *told = json_array_get(json_object_get(alert, "portions"), 1);
    assert_string_equal(said(told, "sentence"),
                        "99th percentile of Instrumentation (I) rose from 360 ns to 399 ns (+39.0 "
                        "ns, +10.8 %; 95 % interval +29.0 ns to +49.0 ns) against 21 nights, "
                        "2026-11-01 to 2026-11-21");
    assert_string_equal(said(told, "reason"), "1.58 times the threshold; with the time of a call, "
                                              "which was measured again");
    assert_true(g_str_has_suffix(said(alert, "sentence"), said(told, "sentence")));
}

/* The level that its nights had is another one; what was measured in turn needs none. */
static void a_level_of_the_controls_factor_is_told_as_that(void **state) {
    (void)state;
    for (int measured = 0; measured < 3; measured++) {
        json_t *part = moved("C", "collecting", 744, 803);
        json_object_set_new(part, "reason",
                            json_string("C rose from 744 ns to 803 ns (+59.0 ns, +7.93 %; 95 % "
                                        "interval +49.0 ns to +69.0 ns) against 2 nights, "
                                        "2026-11-21 to 2026-11-22: 1.16 times the threshold; the "
                                        "former value is where the control's factor puts it"));
        if (measured > 0) /* or it could not be */
            json_object_set_new(
                part, "confirmation",
                json_pack("{s:o}", "before_ns", measured == 1 ? json_real(744) : json_null()));
        json_auto_t *alert = json_pack("{s:[o]}", "portions", part);
        alert_say(alert, 0.95, NULL);
        assert_int_equal(
            g_str_has_suffix(said(alert, "sentence"), " +69.0 ns) beside the control's factor"),
            measured != 1);
        part = json_array_get(json_object_get(alert, "portions"), 0);
        assert_non_null(strstr(said(part, "reason"), "; the former value is where the control's"));
    }
}

/* The tail rose by 57 % with another commit than the time, by 8 %, and was told with that one. */
static void what_says_more_than_the_time_is_another_change(void **state) {
    (void)state;
    static const struct {
        double tail;
        const char *alone, *headline;
    } cases[] = {
        {1120, NULL, "Writing (W) rose by 8.00 %"},
        {1325, NULL, "Writing (W) rose by 8.00 %"}, /* four times that is in its interval */
        {1570,
         "The search is of Writing (W) alone; the commit of 99th percentile of Writing (W) "
         "is not known.",
         "Writing (W) rose by 8.00 %, 99th percentile of Writing (W) rose by 57.0 %"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *time = moved("W", "file", 1000, 1080),
               *tail = moved("W", "file", 1000, cases[i].tail);
        json_object_set_new(time, "direction", json_string("up"));
        json_object_set_new(tail, "direction", json_string("up"));
        json_object_set_new(tail, "dimension", json_string("p99_ns"));
        json_auto_t *whole =
            json_pack("{s:[o, o], s:{s:s, s:s, s:s}}", "portions", time, tail, "bisection", "state",
                      "found", "configuration", "file", "dimension", "time");
        g_auto(cfg_alert) read = cfg_alert_of(whole);
        web_alert_say(&read);
        assert_string_equal(read.change.headline, cases[i].headline);
        if (g_strcmp0(read.search->told, cases[i].alone) != 0)
            fail_msg("%zu: %s", i, read.search->told);
    }
}

/* Another configuration's loss is in no doubt, and told beside whatever else is. */
static void what_another_one_loses_is_told(void **state) {
    (void)state;
    json_auto_t *whole =
        json_pack("{s:[o], s:s, s:{s:s, s:s, s:s}}", "portions", moved("C", "ring", 200, 180),
                  "lost", "W +2.50 % of records lost", "bisection", "state", "found",
                  "configuration", "ring", "dimension", "time");
    g_auto(cfg_alert) read = cfg_alert_of(whole);
    web_alert_say(&read);
    assert_string_equal(read.change.headline,
                        "Collection (C) fell by 10.0 %, W +2.50 % of records lost");
    assert_true(g_str_has_suffix(read.change.sentence, "; W +2.50 % of records lost"));
    assert_string_equal(read.search->alone, "The search is of Collection (C) alone; the commit of "
                                            "W +2.50 % of records lost is not known.");
}

/* What is lost since is of all the range: no step asked for it. */
static void a_search_of_a_fall_knows_not_who_loses(void **state) {
    (void)state;
    static const char *const table[][3] = {
        {"down", "time",
         "The search is of Collection (C) alone; the commit of C +3.00 % of records lost is not "
         "known."},
        {"up", "time", NULL},
        {"down", NULL, NULL}}; /* one commit: nobody searched */
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        json_t *fell = moved("C", "ring", 200, 180);
        json_object_set_new(fell, "direction", json_string(table[i][0]));
        json_object_set_new(fell, "lost", json_string("C +3.00 % of records lost"));
        json_t *tail = json_deep_copy(fell); /* it is of what the time says */
        json_object_set_new(tail, "dimension", json_string("p99_ns"));
        json_auto_t *whole = json_pack("{s:[o, o], s:{s:s, s:s*, s:s*}}", "portions", fell, tail,
                                       "bisection", "state", "found", "configuration",
                                       table[i][1] ? "ring" : NULL, "dimension", table[i][1]);
        g_auto(cfg_alert) read = cfg_alert_of(whole);
        web_alert_say(&read);
        if (g_strcmp0(read.search->told, table[i][2]) != 0)
            fail_msg("%zu: %s", i, read.search->told);
    }
}

/* Of two changes the other one leads: what the search measured was a share of that, in its unit. */
static void a_search_is_compared_with_its_own_change(void **state) {
    (void)state;
    json_t *leads = moved("C", "ring", 86, 150), *searched = moved("W", "file", 17, 27);
    json_object_set_new(searched, "dimension", json_string("peak_mb"));
    for (int i = 0; i < 2; i++)
        json_object_set_new(i == 0 ? leads : searched, "confirmation",
                            json_pack("{s:f, s:f, s:f, s:f, s:f}", "before_ns", i ? 17. : 86.,
                                      "after_ns", i ? 27. : 150., "mean_ns", i ? 10. : 64.,
                                      "low_ns", i ? 9. : 60., "high_ns", i ? 11. : 68.));
    json_auto_t *alert = json_deep_copy(leads);
    json_object_set_new(alert, "portions", json_pack("[o, o]", leads, searched));
    json_object_set_new(alert, "bisection",
                        json_pack("{s:s, s:s, s:s, s:{s:s, s:s}, s:[o]}", "state", "found",
                                  "configuration", "file", "dimension", "peak_mb", "culprit", "sha",
                                  "9d", "short", "9d6643e27", "steps",
                                  step_of("after", "9d", 3, 17, 27, 1)));
    g_auto(cfg_alert) read = cfg_alert_of(alert);
    web_alert_say(&read);
    assert_string_equal(read.search->of, "peak memory of Writing (W)");
    assert_null(read.search->rest);
}

/* A search of the commits before the last one found that, as if it had been measured. */
static void a_commit_that_no_step_measured_is_named_by_exclusion(void **state) {
    (void)state;
    static const char excluded[] = "9d6643e27 is named by exclusion: no other was seen to bring a "
                                   "quarter of the change, and no step of the search measured it.";
    static const struct {
        const char *sha, *state; /* of its only step */
        int commits;
        const char *says;
    } cases[] = {
        {"8c", "before", 2, excluded}, {"9d", "after", 2, NULL}, {"8c", "before", 1, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *alert = moved("C", "ring", 100, 200);
        json_object_set_new(alert, "bisection",
                            json_pack("{s:s, s:i, s:{s:s, s:s}, s:[o]}", "state", "found",
                                      "commits", cases[i].commits, "culprit", "sha", "9d", "short",
                                      "9d6643e27", "steps",
                                      step_of(cases[i].state, cases[i].sha, 0, 100, 200, 1)));
        g_auto(cfg_alert) read = cfg_alert_of(alert);
        web_alert_say(&read);
        if (g_strcmp0(read.search->told, cases[i].says) != 0)
            fail_msg("%zu: %s", i, read.search->told);
    }
}

/* "Measured again …: confirmed" stood over commits that nobody had measured in turn. */
static void a_moved_alert_says_so_for_its_reason(void **state) {
    (void)state;
    json_auto_t *part = moved("C", "ring", 100, 200), *alert = json_deep_copy(part);
    json_object_set_new(alert, "reason", json_string("Measured again, C rose: confirmed"));
    json_object_set_new(alert, "portions", json_pack("[O]", part));
    json_object_set_new(alert, "audit",
                        json_pack("[{s:s, s:s, s:s, s:s}]", "from", "open", "to", "open", "author",
                                  "ada", "reason", "moved by hand from 1 to 2: a release"));
    alert_say(alert, 0.95, NULL);
    const json_t *first = json_array_get(json_object_get(alert, "portions"), 0);
    assert_string_equal(said(alert, "reason"), "Moved by hand from 1 to 2: a release (ada)");
    assert_string_equal(said(first, "reason"), said(alert, "reason"));
}

static void one_of_two_writers_is_named(void **state) {
    (void)state;
    json_t *alert = moved("W", "binary", 100, 120);
    json_t *all = json_pack("[{s:s, s:s}, {s:s, s:s}]", "portion", "W", "configuration", "ascii",
                            "portion", "W", "configuration", "binary");
    alert_say(alert, 0.95, all);
    assert_string_equal(said(alert, "headline"), "Writing (W, binary) rose by 20.0 %");
    alert_say(alert, 0.95, NULL);
    assert_string_equal(said(alert, "headline"), "Writing (W) rose by 20.0 %");
    json_decref(all);
    json_decref(alert);
}

/* The detector's own sentences, as alerts keep them. */
static void a_reason_does_not_repeat_the_sentence(void **state) {
    (void)state;
    static const char numbers[] = " from 100 ns to 120 ns (+20.0 ns, +20.0 %; 95 % interval "
                                  "+10.0 ns to +30.0 ns)";
    static const struct {
        const char *before, *after, *kept;
    } cases[] = {
        {"W rose", " against 30 nights, 2013-03-18 to 2013-04-16: 3.2 times the threshold",
         "Against 30 nights, 2013-03-18 to 2013-04-16: 3.2 times the threshold"},
        {"W rose slowly", " against 1 night, 2013-03-18: 1.2 times the threshold; a slow shift",
         "Against 1 night, 2013-03-18: 1.2 times the threshold; a slow shift"},
        {"Measured again, W rose", ", 40 loops of each commit in turn: confirmed",
         "Measured again, 40 loops of each commit in turn: confirmed"},
        {"C rose", " against 2 nights", NULL},
        {"W fell", " against 2 nights", NULL},
        {"W rose", "", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *reason = g_strconcat(cases[i].before, numbers, cases[i].after, NULL);
        json_t *part = moved("W", "binary", 100, 120);
        json_object_set_new(part, "reason", json_string(reason));
        json_object_set_new(part, "confirmation", json_pack("{s:s}", "reason", reason));
        json_t *alert = json_deep_copy(part);
        json_object_set_new(alert, "portions", json_pack("[o]", part));
        alert_say(alert, 0.95, NULL);
        part = json_array_get(json_object_get(alert, "portions"), 0);
        const json_t *all[] = {alert, part, json_object_get(part, "confirmation")};
        for (size_t k = 0; k < G_N_ELEMENTS(all); k++)
            assert_string_equal(said(all[k], "reason"), cases[i].kept ? cases[i].kept : reason);
        json_decref(alert);
    }
}

/* One that leaves this commit and has another one before; null: none ended. */
static json_t *search_of(const char *last, const char *before) {
    json_t *search = last ? json_pack("{s:{s:s}}", "last", "sha", last) : json_null();
    if (before)
        json_object_set_new(search, "before", json_pack("{s:s}", "sha", before));
    return search;
}

static void the_command_that_repeats_it(void **state) {
    (void)state;
#define OLD "73c241981fa2b2d15d6ac6a0b0b1a2f4c3d2e1f0"
#define NEW "2559ae666fa2b2d15d6ac6a0b0b1a2f4c3d2e1f0"
#define FOUND "9d6643e27fa2b2d15d6ac6a0b0b1a2f4c3d2e1f0"
#define BEFORE "8ff023c0ffa2b2d15d6ac6a0b0b1a2f4c3d2e1f0"
    enum { MOVED = 3 };
    static const struct {
        const char *file, *from, *until, *last, *before, *repeat;
    } cases[] = {
        {"kieker", OLD, NEW, NULL, NULL,
         "moowatch run kieker.yaml --commit " NEW " --compare " OLD},
        {"kieker", OLD, NEW, FOUND, BEFORE,
         "moowatch run kieker.yaml --commit " FOUND " --compare " BEFORE},
        {"kieker", OLD, NEW, FOUND, NULL,
         "moowatch run kieker.yaml --commit " FOUND " --compare " OLD},
        {"kieker", OLD, NEW, FOUND, BEFORE,
         "moowatch run kieker.yaml --commit " NEW " --compare " OLD}, /* moved by hand since */
        {NULL, OLD, NEW, NULL, NULL, NULL},
        {"kieker", OLD, OLD, NULL, NULL, NULL},
        {"kieker", "73c241981", NEW, NULL, NULL, NULL},
        {"kieker", OLD, "--upload-pack=2559ae666fa2b2d15d6ac6a0b0", NULL, NULL, NULL},
        {"kieker", NULL, NEW, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *alert =
            json_pack("{s:s?, s:{s:{s:s?}}, s:{s:{s:s?}}}", "file", cases[i].file, "from", "commit",
                      "sha", cases[i].from, "until", "commit", "sha", cases[i].until);
        json_object_set_new(alert, "bisection", search_of(cases[i].last, cases[i].before));
        if (i == MOVED)
            json_object_set_new(alert, "audit",
                                json_pack("[{s:s, s:s, s:s}]", "from", "open", "to", "open",
                                          "reason", CFG_ALERT_MOVED " 2026-01-02 to 2026-01-03"));
        alert_say(alert, 0.95, NULL);
        if (cases[i].repeat)
            assert_string_equal(said(alert, "repeat"), cases[i].repeat);
        else
            assert_true(json_is_null(json_object_get(alert, "repeat")));
        json_decref(alert);
    }
}

/* The newest that its history has, whatever was decided since. */
static void a_commit_that_was_named_is_taken_back(void **state) {
    (void)state;
    json_auto_t *alert =
        json_pack("{s:[{s:s},{s:s},{s:s}]}", "audit", "reason", "the search had found 1; x",
                  "reason", "the search had found 9d6643e27; it was not", "reason", "a ticket");
    alert_say(alert, NAN, NULL);
    assert_string_equal(said(alert, "corrected"), "The search had found 9d6643e27; it was not.");
    json_auto_t *other = json_pack("{s:[{s:s}]}", "audit", "reason", "a ticket");
    alert_say(other, NAN, NULL);
    assert_null(json_object_get(other, "corrected"));
    json_auto_t *again = json_pack("{s:[{s:s}],s:{s:s,s:{s:s}}}", "audit", "reason",
                                   "the search had found 9d6643e27; it was not", "bisection",
                                   "state", "found", "culprit", "sha", "9d6643e27aa");
    alert_say(again, NAN, NULL);
    assert_null(json_object_get(again, "corrected"));
}

static void what_is_missing_is_no_crash(void **state) {
    (void)state;
    json_t *alert = json_object();
    alert_say(alert, NAN, NULL);
    assert_string_equal(said(alert, "sentence"), "? changed");
    g_autofree char *night = headline_of(alert);
    assert_string_equal(night, "nothing changed");
    json_decref(alert);
}

static void strange_names_are_one_clean_line(void **state) {
    (void)state;
    g_autofree char *name = web_portion_name("R\n\x01<b>\u202e", "x\ty");
    assert_string_equal(name, "R  <b> (x y)");
}

/* Of several writers each has its own name, and a joined step says what is in it. */
static void names_say_what_they_are(void **state) {
    (void)state;
    static const struct {
        const char *portion, *which, *name;
        size_t letters;
    } cases[] = {
        {"I", NULL, "Instrumentation (I)", 1},
        {"W", "binary", "Writing (W, binary)", 1},
        {"W Zipkin", NULL, "Writing (W Zipkin)", 1},
        {"W-tcp", NULL, "Writing (W-tcp)", 1},
        {"I+C", NULL, "Instrumentation and collection (I+C)", 2},
        {"I+C+W OTLP", NULL, "Instrumentation, collection and writing (I+C+W OTLP)", 3},
        {"Writing", NULL, "Writing", 0},
        {"I+", NULL, "I+", 0},
        {"I+R", NULL, "I+R", 0},
        {"Reduction", "all", "Reduction (all)", 0},
        {"", NULL, "?", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = web_portion_name(cases[i].portion, cases[i].which);
        assert_string_equal(name, cases[i].name);
        assert_int_equal(web_portion_letters(cases[i].portion), cases[i].letters);
    }
    g_autofree char *own = web_portion_spelled("R");
    assert_null(own);
}

static void a_joined_step_says_why(void **state) {
    (void)state;
    g_autofree char *joined = web_portion_joined("I+C", "No logging", "No instrumentation");
    assert_string_equal(joined, "Instrumentation and collection cannot be told apart: nothing was "
                                "measured between \"No instrumentation\" and \"No logging\", so "
                                "this is what all of it adds.");
    g_autofree char *root = web_portion_joined("T+I", "Deactivated\nprobe", NULL);
    assert_string_equal(root, "Method time and instrumentation cannot be told apart: nothing was "
                              "measured below \"Deactivated probe\".");
    assert_null(web_portion_joined("W Zipkin", "Zipkin", "No logging"));
    assert_null(web_portion_joined(NULL, "Zipkin", "No logging"));
}

/* A night whose portions T and I have these verdicts. */
static char *headline(const char *t, const char *i, const char *direction) {
    json_t *json = json_pack("{s:s, s:[o, o]}", "state", "measured", "portions",
                             portion("T", "none", NULL, 70, t, NULL),
                             portion("I", "on", "none", 300, i, direction));
    json_t *second = json_array_get(json_object_get(json, "portions"), 1);
    json_object_set_new(second, "reference", json_pack("{s:f}", "mean_ns", 200.));
    json_object_set_new(second, "difference", json_pack("{s:f}", "mean_ns", 100.));
    char *text = headline_of(json);
    json_decref(json);
    return text;
}

static void a_night_is_told_by_what_stood_out(void **state) {
    (void)state;
    static const struct {
        const char *t, *i, *direction, *wanted;
    } cases[] = {
        {"ok", "anomaly", "up", "Instrumentation (I) rose by 50.0 %"},
        {"ok", "ok", NULL, "nothing changed"},
        {"first", "first", NULL, "first of its series"},
        {"environment", "environment", "up", "not comparable with before"},
        {"ok", "first", NULL, "Instrumentation (I) is the first of its series"},
        {"harness", "harness", NULL, "the measurement is suspect"},
        {"ok", "suspect", "up", "Instrumentation (I) is suspected and to be measured again"},
        {"cleared", "anomaly", "up",
         "Method time (T) was suspected and cleared, Instrumentation (I) rose by 50.0 %"},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autofree char *text = headline(cases[k].t, cases[k].i, cases[k].direction);
        assert_string_equal(text, cases[k].wanted);
    }
    json_t *lossy =
        json_pack("{s:s, s:[{s:s,s:s,s:s,s:s}]}", "state", "measured", "portions", "portion", "W",
                  "verdict", "ok", "later", "down", "lost", "W +0.80 % of records lost");
    g_autofree char *fell = headline_of(lossy);
    assert_string_equal(
        fell, "Writing (W) fell, as a later measurement showed, but W +0.80 % of records lost");
    json_object_set_new(lossy, "counts_moved", json_string("counts of 2 portions moved"));
    json_object_set_new(lossy, "lost", json_string("S +2.50 % of records lost"));
    g_autofree char *beside = headline_of(lossy);
    assert_true(g_str_has_suffix(beside, "W +0.80 % of records lost, S +2.50 % of records lost"));
    json_decref(lossy);
    json_t *pending = json_pack("{s:s, s:[{s:s,s:s,s:s}]}", "state", "measured", "portions",
                                "portion", "W", "verdict", "ok", "rule", "pending");
    g_autofree char *open = headline_of(pending);
    assert_string_equal(open, "Writing (W) may have changed");
    json_object_set_new(pending, "counts_moved", json_string("W +2.02 % of records lost"));
    g_autofree char *known = headline_of(pending);
    assert_string_equal(known, "W +2.02 % of records lost, Writing (W) may have changed");
    json_decref(pending);
    json_t *answered = json_pack("{s:s, s:[{s:s,s:s,s:s}]}", "state", "measured", "portions",
                                 "portion", "I", "verdict", "ok", "rule", "answered-false");
    g_autofree char *denied = headline_of(answered);
    assert_string_equal(denied, "no change here, as somebody said");
    json_array_append_new(
        json_object_get(answered, "portions"),
        json_pack("{s:s,s:s,s:s}", "portion", "W", "verdict", "ok", "rule", "little-evidence"));
    g_autofree char *partly = headline_of(answered);
    assert_string_equal(partly, "nothing shown to have changed, partly as somebody said");
    json_decref(answered);
    json_t *failed = json_pack("{s:s, s:n}", "state", "failed", "reason");
    g_autofree char *text = headline_of(failed);
    assert_string_equal(text, "failed: no reason given");
    json_decref(failed);
}

#define MOVED(portion, verdict, before, low, high)                                                 \
    "{'portion':'" portion "','verdict':'" verdict "','reference':{'low_ns':" before               \
    ",'high_ns':" before "},"                                                                      \
    "'judged':{'low_ns':" low ",'high_ns':" high "}}"
#define SCALED_BUT_C                                                                               \
    MOVED("T", "environment', 'rule':'common-scale", "100", "109", "111")                          \
    "," MOVED("C", "cleared", "200", "223", "230") ","
#define CLEARED                                                                                    \
    "Collection (C) was suspected and cleared, Instrumentation (I) was suspected and cleared, "
#define BY_FACTOR "portions moved by one factor"

/* By the rule, and how many it is of: what was suspected and cleared moved with the others, where
 * it is where their factor puts it. */
static const struct {
    const char *portions, *wanted;
} befell[] = {
    {"{'portion':'T','verdict':'environment','rule':'new-environment'},"
     "{'portion':'I','verdict':'environment','rule':'new-environment'}",
     "the environment changed"},
    {"{'portion':'T','verdict':'environment','rule':'common-scale'},"
     "{'portion':'I','verdict':'environment','rule':'common-scale'}",
     "everything moved by one factor"},
    {"{'portion':'T','verdict':'environment','rule':'not-scaled'},"
     "{'portion':'I','verdict':'environment','rule':'common-scale'},"
     "{'portion':'C','verdict':'environment','rule':'common-scale'}",
     "2 of 3 portions moved by one factor"},
    {"{'portion':'T','verdict':'environment','rule':'not-scaled'},"
     "{'portion':'I','verdict':'environment','rule':'common-scale'},"
     "{'portion':'C','verdict':'ok'}",
     "1 of 3 portions moved by one factor"},
    {SCALED_BUT_C MOVED("I", "cleared", "200", "217", "223"), CLEARED "2 of 3 " BY_FACTOR},
    {"{'portion':'T','verdict':'environment','rule':'not-scaled'},"
     "{'portion':'I','verdict':'anomaly','direction':'up'},"
     "{'portion':'W','verdict':'environment','rule':'not-scaled'}",
     "Instrumentation (I) rose, 2 of 3 portions moved otherwise than the control"},
    {"{'portion':'T','verdict':'environment','rule':'control-moved'},"
     "{'portion':'W','verdict':'environment','rule':'not-scaled'}",
     "1 of 2 portions moved otherwise than the control, the control moved"},
    {"{'portion':'T','verdict':'environment','rule':'control-moved'},"
     "{'portion':'I','verdict':'environment','rule':'new-level'}",
     "the control moved, a new level begins"},
    {"{'portion':'T','verdict':'first'},{'portion':'I','verdict':'first'},"
     "{'portion':'C','verdict':'ok'}",
     "2 of 3 portions are the first of their series"},
    {"{'portion':'T','verdict':'first','rule':'new-level'},"
     "{'portion':'I','verdict':'first','rule':'new-level'},{'portion':'C','verdict':'first'}",
     "Collection (C) is the first of its series, 2 of 3 portions have a new level, set by "
     "hand"},
    {"{'portion':'I','verdict':'anomaly','direction':'up','reference':{'mean_ns':100},"
     "'difference':{'mean_ns':4}},{'portion':'C','verdict':'ok','rule':'pending'}",
     "Instrumentation (I) rose by 4.00 %, Collection (C) may have changed"},
    {"{'portion':'W','verdict':'ok','rule':'little-evidence'}", "nothing shown to have changed"},
    {"{'portion':'W','verdict':'ok','rule':'below-minimum-effect'}",
     "nothing changed by more than is ignored"},
    {"{'portion':'W','verdict':'ok','rule':'below-minimum-effect'},"
     "{'portion':'I','verdict':'ok','rule':'little-evidence'}",
     "nothing shown to have changed by more than is ignored"},
    {"{'portion':'W','verdict':'ok','rule':'set-by-hand'}", "no change here, as somebody said"},
    {"{'portion':'W','verdict':'ok'}],'disturbed':'4 of 5 loops','began':[{}",
     "no change seen, but most loops of a configuration were disturbed or stood apart"},
    {"{'portion':'W','verdict':'ok','rule':'little-evidence'}],'disturbed':'4 of 5 loops',"
     "'began':[{}",
     "nothing shown to have changed, but most loops of a configuration were disturbed or "
     "stood apart"},
};

static void what_befell_several_is_told_once(void **state) {
    (void)state;
    for (size_t k = 0; k < G_N_ELEMENTS(befell); k++) {
        g_autofree char *text = g_strdelimit(
            g_strdup_printf("{'state':'measured','portions':[%s]}", befell[k].portions), "'", '"');
        json_t *json = json_loads(text, 0, NULL);
        g_autofree char *told = headline_of(json);
        assert_string_equal(told, befell[k].wanted);
        json_decref(json);
    }
}

/* A writer that failed or was taken away makes the others' figures no worse. */
static void a_portion_without_result_is_called_so(void **state) {
    (void)state;
    static const char *const wanted[] = {"Writing (W) has no result", "2 portions have no result",
                                         "the measurement is suspect, 2 portions have no result"};
    for (size_t k = 0; k < G_N_ELEMENTS(wanted); k++) {
        json_t *json = json_pack("{s:s, s:[o, o, o]}", "state", "measured", "portions",
                                 portion("T", "none", NULL, 70, k == 2 ? "harness" : "ok", NULL),
                                 portion("C", "on", "none", 300, k > 0 ? "harness" : "ok", NULL),
                                 portion("W", "all", "on", 900, "harness", NULL));
        for (size_t i = 1; i < 3; i++) {
            json_t *one = json_array_get(json_object_get(json, "portions"), i);
            if (strcmp(json_string_value(json_object_get(one, "verdict")), "harness") == 0)
                json_object_set_new(one, "mean_ns", json_null());
        }
        g_autofree char *text = headline_of(json);
        assert_string_equal(text, wanted[k]);
        json_decref(json);
    }
    json_t *own = json_pack("{s:s, s:[{s:s,s:s,s:n}]}", "state", "measured", "portions", "portion",
                            "C+W Sampling", "verdict", "harness", "mean_ns");
    g_autofree char *text = headline_of(own);
    assert_string_equal(text, "Collection and writing (C+W Sampling) has no result");
    json_decref(own);
}

static void verdicts_have_words_and_marks(void **state) {
    (void)state;
    static const struct {
        const char *json, *words, *standing;
    } cases[] = {
        {"{'verdict':'anomaly','direction':'up'}", "rose", "changed"},
        {"{'verdict':'anomaly','direction':'down'}", "fell", "changed"},
        {"{'verdict':'anomaly'}", "changed", "changed"},
        {"{'verdict':'ok','direction':'up'}", "as before", NULL},
        {"{'verdict':'ok','rule':'little-evidence'}", "not shown to have changed", NULL},
        {"{'verdict':'ok','rule':'below-minimum-effect','direction':'up'}", "differs little", NULL},
        {"{'verdict':'ok','rule':'answered-false'}", "no change here, as somebody said", NULL},
        {"{'verdict':'ok','rule':'set-by-hand'}", "no change here, as somebody said", NULL},
        {"{'verdict':'ok','rule':'pending'}", "may have changed", "doubtful"},
        {"{'verdict':'ok','rule':'pending','direction':'down'}", "may have fallen", "doubtful"},
        {"{'verdict':'ok','rule':'not-this-commit','direction':'up'}",
         "changed, not with this commit", NULL},
        {"{'verdict':'ok','rule':'commit-unknown','direction':'down'}",
         "changed, its commit is not known", NULL},
        {"{'verdict':'suspect'}", "suspected, to be measured again", "doubtful"},
        {"{'verdict':'cleared'}", "suspected and cleared", NULL},
        {"{'verdict':'first'}", "first of its series", NULL},
        {"{'verdict':'first','rule':'new-level'}", "a new level, set by hand", NULL},
        {"{'verdict':'environment','mean_ns':5}", "not comparable with before", "incomparable"},
        {"{'verdict':'environment','rule':'new-environment'}", "the environment changed",
         "incomparable"},
        {"{'verdict':'environment','rule':'new-level'}", "a new level begins", "incomparable"},
        {"{'verdict':'environment','rule':'common-scale'}", "likely the machine", "incomparable"},
        {"{'verdict':'environment','rule':'common-scale','direction':'up'}", "moved by one factor",
         "incomparable"},
        {"{'verdict':'environment','rule':'not-scaled'}", "the control moved otherwise",
         "incomparable"},
        {"{'verdict':'environment','rule':'control-moved'}", "the control moved", "incomparable"},
        {"{'verdict':'environment','rule':'machine-unclear'}",
         "not clear whether the machine changed", "incomparable"},
        {"{'verdict':'harness','mean_ns':5}", "the measurement is suspect", "doubtful"},
        {"{'verdict':'harness','mean_ns':null}", "no result", "missing"},
        {"{'verdict':'moonlight'}", "moonlight", NULL},
        {"{}", "", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdelimit(
            g_strdup_printf("{'state':'measured','portions':[%s]}", cases[i].json), "'", '"');
        json_t *json = json_loads(text, 0, NULL);
        g_auto(cfg_night) night = cfg_night_of(json);
        json_decref(json);
        assert_string_equal(web_portion_words(&night.portions[0]), cases[i].words);
        web_night_say(&night);
        assert_int_equal(g_strcmp0(night.portions[0].standing, cases[i].standing), 0);
        assert_int_equal(g_strcmp0(night.portions[0].words, i == 3 ? NULL : cases[i].words), 0);
    }
    assert_string_equal(web_verdict_mark("up"), "▲");
    assert_string_equal(web_verdict_mark("down"), "▼");
    assert_string_equal(web_verdict_mark(NULL), "●");
}

#define WIDE                                                                                       \
    "'measured','portions':[{'portion':'T','configuration':'n','verdict':'ok','reference':"        \
    "{'mean_ns':50,'low_ns':49,'high_ns':51}},{'portion':'W','parent':'n','verdict':'ok',"         \
    "'judged':{'low_ns':-300,'high_ns':900},'reference':{'mean_ns':300,'low_ns':-300,"             \
    "'high_ns':900}}]"
#define SMALL(difference, reference, unit)                                                         \
    "'measured','minimum_effect_percent':1,'minimum_effect_ns':5,'portions':[{'portion':'W',"      \
    "'verdict':'ok','rule':'below-minimum-effect','unit':" unit ",'difference':" difference        \
    ",'reference':" reference "}]"
static const struct {
    const char *latest;
    web_quiet quiet;
    bool clear;
    const char *words;
} QUIET[] = {
    {NULL, {0}, false, "No night measured yet"},
    {"'failed','reason':'why'", {0}, false, "No night could be measured yet"},
    {"'measured'", {.nights = 1}, true, "Nothing new for 1 night"},
    {"'measured'", {.nights = 12, .changed = true}, true, "Nothing new for 12 nights"},
    {"'measured'",
     {.nights = 12, .small = "2026-01-02"},
     true,
     "Nothing new for 12 nights; a change below the minimum effect was last seen on 2026-01-02"},
    {"'measured'",
     {.nights = 12, .counted = "2026-01-02"},
     true,
     "Nothing new for 12 nights; what is counted moved on 2026-01-02"},
    {"'measured','counts_moved':'W +5.00 % of records lost'",
     {.nights = 12, .counted = "2026-01-02"},
     true,
     "Nothing new for 12 nights; W +5.00 % of records lost"},
    {"'measured'", {.nights = 998, .at_least = true}, true, "Nothing new for at least 998 nights"},
    {"'failed','reason':'why'",
     {.nights = 6, .changed = true, .unmeasured = 1},
     false,
     "Nothing is known of the newest night; failed: why"},
    {"'failed','reason':'why'",
     {.nights = 1, .unmeasured = 12},
     false,
     "Nothing is known of the last 12 nights; failed: why"},
    {"'failed','reason':'why'",
     {.nights = 1, .again = true},
     false,
     "The newest night was measured, but not again; failed: why"},
    {"'measured','portions':[{'portion':'W','verdict':'first'}]",
     {.nights = 59, .changed = true},
     false,
     "Nothing to compare with yet; first of its series"},
    {"'measured','portions':[{'portion':'W','verdict':'first'},{'portion':'C','verdict':'ok'}]",
     {.nights = 59},
     false,
     "Nothing new for 59 nights; Writing (W) is the first of its series"},
    {"'measured','portions':[{'portion':'W','verdict':'harness','mean_ns':null}]",
     {.nights = 6},
     false,
     "Nothing new for 6 nights; Writing (W) has no result"},
    {"'measured','portions':[{'portion':'W','verdict':'harness','mean_ns':null}]",
     {0},
     false,
     "No night was clear yet; Writing (W) has no result"},
    {"'measured','portions':[{'portion':'T','verdict':'ok'},{'portion':'W','verdict':'harness',"
     "'mean_ns':null}]",
     {.nights = 4, .until = "2026-01-01"},
     false,
     "Nothing new for 4 nights up to 2026-01-01; Writing (W) has no result"},
    {"'measured','portions':[{'portion':'W','verdict':'environment','mean_ns':5}]",
     {.changed = true},
     false,
     "No night was clear since the last known change; not comparable with before"},
    {"'measured','portions':[{'portion':'W','verdict':'harness','mean_ns':5}]",
     {.nights = 6},
     false,
     "? the measurement is suspect"},
    {"'measured','portions':[{'portion':'W','verdict':'ok','rule':'pending'}]",
     {.nights = 6},
     false,
     "? Writing (W) may have changed"},
    {"'measured','portions':[{'portion':'W','verdict':'ok'}]",
     {.nights = 6, .suspicions = 1},
     false,
     "? 1 suspicion is open; newest night: nothing changed"},
    {"'measured','portions':[{'portion':'W','verdict':'suspect'}]",
     {.nights = 6, .suspicions = 2},
     false,
     "? Writing (W) is suspected and to be measured again"},
    {"'measured','beside':'start may have risen','beside_doubtful':true",
     {.nights = 6, .suspicions = 1},
     false,
     "? start may have risen"},
    {"'measured','beside':'start rose'",
     {.nights = 2, .changed = true},
     false,
     "Nothing new since the last known change; start rose"},
    {"'measured','portions':[{'portion':'W','verdict':'anomaly','since':'2026-01-02'}]",
     {.nights = 2, .changed = true},
     true,
     "Nothing new since the last known change"},
    {"'measured','portions':[{'portion':'W','verdict':'ok'}]",
     {.changed = true, .told = true},
     true,
     "Nothing new since the last known change"},
    {"'measured','portions':[{'portion':'W','verdict':'anomaly','direction':'up'}]",
     {.nights = 2},
     false,
     "Nothing else is new; Writing (W) rose"},
    {"'measured','portions':[{'portion':'W','verdict':'cleared'}]",
     {.nights = 6},
     true,
     "Nothing new for 6 nights"},
    {SMALL("{'mean_ns':0.8}", "{'mean_ns':100,'low_ns':99,'high_ns':101}", "null"),
     {.nights = 6},
     true,
     "Nothing new for 6 nights; Writing (W) differs little (+0.80 %, below the minimum effect of "
     "1 %)"},
    {SMALL("{'mean_ns':-4}", "{'mean_ns':100,'low_ns':99,'high_ns':101}", "null"),
     {.nights = 6, .changed = true, .told = true},
     true,
     "Nothing new since the last known change; Writing (W) differs little (-4.00 %, below the "
     "minimum effect of 5.00 ns)"},
    {SMALL("{'mean_ns':0.3}", "{'mean_ns':40,'low_ns':39,'high_ns':41}", "'%'"),
     {.nights = 6},
     true,
     "Nothing new for 6 nights; Writing (W) differs little (+0.300 points, below the minimum "
     "effect of 1 %)"},
    {"'measured','disturbed':'4 of 5 loops of write were disturbed'",
     {.nights = 13},
     false,
     "Nothing new for 13 nights; hard to tell: 4 of 5 loops of write were disturbed"},
    {"'measured'",
     {.nights = 3, .unsettled = "“Everything × 0.50” is open, since 2026-01-02"},
     false,
     "Nothing new for 3 nights; not settled: “Everything × 0.50” is open, since 2026-01-02"},
    {"'measured'",
     {.nights = 4, .here = " in this environment"},
     true,
     "Nothing new for 4 nights in this environment"},
    {"'measured','portions':[{'portion':'W','verdict':'environment','mean_ns':5}]",
     {.here = " in this environment"},
     false,
     "No night was clear in this environment yet; not comparable with before"},
    {WIDE,
     {.nights = 6},
     false,
     "Nothing new for 6 nights; W: only a change of 1.20 µs or more could have been seen, "
     "which "
     "is more than a doubling"},
};

/* "Nothing new" is said of nights that were judged and clear, not above one that is in question nor
 * while a suspicion is open; no night is called clear that was not looked at. */
static void quiet_is_said_with_what_stands_against_it(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(QUIET); i++) {
        g_autofree char *text =
            g_strdelimit(g_strdup_printf("{'state':%s}", QUIET[i].latest), "'", '"');
        json_t *json = QUIET[i].latest ? json_loads(text, 0, NULL) : NULL;
        g_auto(cfg_night) night = cfg_night_of(json);
        bool clear;
        g_autofree char *words =
            web_quiet_words(QUIET[i].latest ? &night : NULL, &QUIET[i].quiet, &clear);
        json_decref(json);
        assert_string_equal(words, QUIET[i].words);
        assert_int_equal(clear, QUIET[i].clear);
    }
}

/* Before, now and change of a table need not add up where a level was judged: that is said. */
static void a_level_that_was_judged_is_told(void **state) {
    (void)state;
    static const struct {
        const char *judged, *told; /* NULL: nothing */
    } cases[] = {
        {"{\"low_ns\":90,\"high_ns\":97}", "as they were judged, not of this night alone."},
        {"null", NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "{\"portions\":[{\"portion\":\"T\"},{\"portion\":\"W\",\"judged\":%s}]}",
            cases[i].judged);
        json_auto_t *json = json_loads(text, 0, NULL);
        g_auto(cfg_night) night = cfg_night_of(json);
        const char *words = web_judged_words(&night);
        assert_true(cases[i].told ? words && g_str_has_suffix(words, cases[i].told) : !words);
    }
}

static void a_level_is_written_as_it_is(void **state) {
    (void)state;
    static const struct {
        double level;
        const char *wanted;
    } cases[] = {{0.95, "95 % interval"},
                 {0.99, "99 % interval"},
                 {0.999, "99.9 % interval"},
                 {0.9999, "99.99 % interval"},
                 {0.5, "50 % interval"},
                 {NAN, "interval"},
                 {1, "interval"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = web_level_interval(cases[i].level);
        assert_string_equal(text, cases[i].wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alert_says_all_its_portions),
        cmocka_unit_test(a_withdrawn_alert_claims_no_more_than_its_interval),
        cmocka_unit_test(an_alert_says_what_its_numbers_rest_on),
        cmocka_unit_test(a_level_before_that_was_measured_again_is_in_no_question),
        cmocka_unit_test(a_commit_is_not_told_of_the_rest),
        cmocka_unit_test(a_search_of_one_portion_alone_says_so),
        cmocka_unit_test(what_was_not_measured_in_turn_says_its_nights),
        cmocka_unit_test(a_level_of_the_controls_factor_is_told_as_that),
        cmocka_unit_test(what_says_more_than_the_time_is_another_change),
        cmocka_unit_test(what_another_one_loses_is_told),
        cmocka_unit_test(a_search_of_a_fall_knows_not_who_loses),
        cmocka_unit_test(a_search_is_compared_with_its_own_change),
        cmocka_unit_test(a_commit_that_no_step_measured_is_named_by_exclusion),
        cmocka_unit_test(a_moved_alert_says_so_for_its_reason),
        cmocka_unit_test(who_else_brought_a_part_is_told),
        cmocka_unit_test(each_step_that_shows_a_rise_is_a_part),
        cmocka_unit_test(parts_are_what_their_own_steps_show),
        cmocka_unit_test(what_others_brought_beside_a_range_is_told),
        cmocka_unit_test(what_the_last_commit_shows_is_all),
        cmocka_unit_test(what_others_took_back_is_told_with_the_commit),
        cmocka_unit_test(one_of_two_writers_is_named),
        cmocka_unit_test(a_reason_does_not_repeat_the_sentence),
        cmocka_unit_test(the_command_that_repeats_it),
        cmocka_unit_test(a_commit_that_was_named_is_taken_back),
        cmocka_unit_test(what_is_missing_is_no_crash),
        cmocka_unit_test(strange_names_are_one_clean_line),
        cmocka_unit_test(names_say_what_they_are),
        cmocka_unit_test(a_joined_step_says_why),
        cmocka_unit_test(a_night_is_told_by_what_stood_out),
        cmocka_unit_test(what_befell_several_is_told_once),
        cmocka_unit_test(a_portion_without_result_is_called_so),
        cmocka_unit_test(verdicts_have_words_and_marks),
        cmocka_unit_test(quiet_is_said_with_what_stands_against_it),
        cmocka_unit_test(a_level_that_was_judged_is_told),
        cmocka_unit_test(a_level_is_written_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
