#include "tests/unit/web/nights.h"

#include "web/chart/claim.h"

#include <math.h>

/* An experiment of one portion; of: its members, ' for ". */
static cfg_night one_of(int experiment, const char *project, const char *of) {
    g_autofree char *text = g_strdelimit(
        g_strdup_printf("{'experiment':%d,'project':'%s','night':'2013-03-%02d','state':'measured',"
                        "'environment':'e','portions':[{'portion':'I','configuration':'off',%s}]}",
                        experiment, project, experiment, of),
        "'", '"');
    json_auto_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return cfg_night_of(json);
}

static web_claim claim_of(const cfg_night *a, double before, const cfg_night *b, double after) {
    return web_claim_of(&(web_claim_side){a, a->portions, before},
                        &(web_claim_side){b, b->portions, after});
}

#define JUDGED(low, high) "'judged':{'low_ns':" #low ",'high_ns':" #high "}"
#define AGAINST(low, high, from, to)                                                               \
    "'reference':{'mean_ns':0,'low_ns':" #low ",'high_ns':" #high                                  \
    ",'nights':3,'from_experiment':" #from ",'to_experiment':" #to "}"

#define YOUNG(mean, low, high)                                                                     \
    "'reference':{'mean_ns':" #mean ",'low_ns':" #low ",'high_ns':" #high                          \
    ",'nights':1,'from_experiment':8,'to_experiment':8}"

/* The night before was at 100 ns, and as before. */
#define BEFORE "'verdict':'ok'," JUDGED(98, 102) "," AGAINST(99, 101, 1, 3)

/* A night's portion, its value, and what is claimed of it beside the night before. */
typedef struct {
    const char *of;
    double now;
    web_claim claim;
} expected;

static void a_verdict_of_the_pair_is_its_claim(void **state) {
    (void)state;
    static const expected cases[] = {
        {"'verdict':'ok'," JUDGED(101, 105) "," AGAINST(99, 101, 1, 4), 103, WEB_CLAIM_LITTLE},
        {"'verdict':'ok','rule':'little-evidence'," JUDGED(104, 108) "," AGAINST(99, 101, 1, 4),
         106, WEB_CLAIM_LITTLE},
        {"'verdict':'ok','rule':'below-minimum-effect','direction':'up'," JUDGED(
             104, 108) "," AGAINST(99, 101, 1, 4),
         106, WEB_CLAIM_SMALL},
        {"'verdict':'ok','rule':'below-minimum-effect','direction':'down'," JUDGED(
             104, 108) "," AGAINST(99, 101, 1, 4),
         106, WEB_CLAIM_LITTLE},
        {"'verdict':'ok','rule':'set-by-hand'," JUDGED(106, 110) "," AGAINST(99, 101, 1, 4), 108,
         WEB_CLAIM_SHOWN},
        {"'verdict':'ok','rule':'answered-false'," JUDGED(106, 110) "," AGAINST(99, 101, 1, 4), 108,
         WEB_CLAIM_SHOWN},
        {"'verdict':'anomaly','direction':'up'," JUDGED(101, 107) "," AGAINST(99, 101, 1, 4), 104,
         WEB_CLAIM_SHOWN},
        {"'verdict':'anomaly','direction':'down'," JUDGED(101, 107) "," AGAINST(99, 101, 1, 4), 104,
         WEB_CLAIM_LITTLE},
        {"'verdict':'ok','rule':'pending','later':'up'," JUDGED(101, 105) "," AGAINST(99, 101, 1,
                                                                                      4),
         103, WEB_CLAIM_SHOWN},
        {"'verdict':'ok','rule':'pending'," JUDGED(101, 105) "," AGAINST(99, 101, 1, 4), 103,
         WEB_CLAIM_ASKED},
        {"'verdict':'suspect','direction':'up'," JUDGED(101, 105) "," AGAINST(99, 101, 1, 4), 103,
         WEB_CLAIM_ASKED},
        {"'verdict':'cleared'," JUDGED(101, 105) "," AGAINST(99, 101, 1, 4), 103, WEB_CLAIM_ASKED},
        /* with the machine: how far apart the levels are */
        {"'verdict':'environment','rule':'control-moved'," JUDGED(118, 122) "," AGAINST(99, 101, 1,
                                                                                        4),
         120, WEB_CLAIM_SHOWN},
        /* its first night there, whose own level is assumed to be anywhere */
        {"'verdict':'environment','rule':'common-scale','direction':'up'," JUDGED(
             94, 126) "," AGAINST(99, 101, 1, 4),
         110, WEB_CLAIM_SHOWN},
        {"'verdict':'environment','rule':'common-scale','direction':'down'," JUDGED(
             94, 126) "," AGAINST(99, 101, 1, 4),
         110, WEB_CLAIM_LITTLE}};
    g_auto(cfg_night) before = one_of(4, "p", BEFORE);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_night) now = one_of(5, "p", cases[i].of);
        assert_int_equal(claim_of(&before, 100, &now, cases[i].now), cases[i].claim);
        assert_int_equal(claim_of(&now, cases[i].now, &before, 100), cases[i].claim);
    }
}

/* A night of the machine's level is none of those that the next one was judged against. */
static void back_from_the_machine_the_levels_speak(void **state) {
    (void)state;
    g_auto(cfg_night) before =
        one_of(4, "p", "'verdict':'environment','rule':'control-moved'," JUDGED(118, 122));
    g_auto(cfg_night) now =
        one_of(5, "p", "'verdict':'ok'," JUDGED(98, 102) "," AGAINST(99, 101, 1, 4));
    assert_int_equal(claim_of(&before, 120, &now, 100), WEB_CLAIM_SHOWN);
}

static void of_other_nights_their_levels_speak(void **state) {
    (void)state;
    static const expected cases[] = {
        /* as before: at the level of the nights before, where its own value is higher */
        {"'verdict':'ok'," JUDGED(101, 105) "," AGAINST(99, 101, 5, 8), 103, WEB_CLAIM_LITTLE},
        {"'verdict':'ok'," JUDGED(101, 105) "," AGAINST(103, 104, 5, 8), 103, WEB_CLAIM_SHOWN},
        {"'verdict':'ok'," JUDGED(94, 98) "," AGAINST(103, 104, 5, 8), 96, WEB_CLAIM_LITTLE},
        /* the level of its nights began with it */
        {"'verdict':'first'", 104, WEB_CLAIM_SHOWN},
        {"'verdict':'first'", 101, WEB_CLAIM_LITTLE},
        /* and the second night, of which it is assumed how far two lie apart, knows as much */
        {"'verdict':'ok'," JUDGED(84, 124) "," YOUNG(104, 84, 124), 104, WEB_CLAIM_SHOWN},
        {"'verdict':'ok'," JUDGED(81, 121) "," YOUNG(101, 81, 121), 101, WEB_CLAIM_LITTLE}};
    g_auto(cfg_night) before = one_of(4, "p", BEFORE);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_night) now = one_of(9, "p", cases[i].of);
        assert_int_equal(claim_of(&before, 100, &now, cases[i].now), cases[i].claim);
    }
}

/* What its project takes for too small to be told is no more between nights that lie far apart. */
static void levels_apart_by_less_than_is_told_differ_little(void **state) {
    (void)state;
    static const struct {
        const char *least, *unit;
        web_claim claim;
    } cases[] = {{"'minimum_effect_ns':4", "null", WEB_CLAIM_SHOWN},
                 {"'minimum_effect_ns':5", "null", WEB_CLAIM_SMALL},
                 {"'minimum_effect_ns':5", "'B/op'", WEB_CLAIM_SHOWN},
                 {"'minimum_effect_percent':5", "'B/op'", WEB_CLAIM_SMALL},
                 {"'minimum_effect_percent':4", "null", WEB_CLAIM_SHOWN}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *a = g_strdup_printf("'verdict':'ok','unit':%s,'reference':{'mean_ns':100,"
                                             "'low_ns':99,'high_ns':101}",
                                             cases[i].unit);
        g_autofree char *b =
            g_strdup_printf("'verdict':'ok','unit':%s,'reference':{'mean_ns':104.5,"
                            "'low_ns':104,'high_ns':105}}],%s,'limits':[{",
                            cases[i].unit, cases[i].least);
        g_auto(cfg_night) before = one_of(4, "p", a), now = one_of(9, "p", b);
        assert_int_equal(claim_of(&before, 100, &now, 106), cases[i].claim);
        assert_int_equal(claim_of(&now, 106, &before, 100), cases[i].claim);
    }
}

/* It told a rise by a level of the nights before it, until its own was known to lie lower. */
#define RETOLD                                                                                     \
    "'verdict':'ok','direction':'up','later':'down'," JUDGED(108, 112) "," AGAINST(99, 101, 1, 4)

static void where_a_level_was_of_nights_before_its_value_speaks(void **state) {
    (void)state;
    static const struct {
        int experiment;
        const char *of;
        double at;
        web_claim claim; /* of the night at 97 ns after it, or before it */
    } cases[] = {
        {4, BEFORE, 100, WEB_CLAIM_LITTLE}, /* below by what two nights differ */
        {8, "'verdict':'ok','later':'up','since':'2013-03-05'," JUDGED(108, 112), 110,
         WEB_CLAIM_SHOWN},
        {10, "'verdict':'anomaly','direction':'down'," JUDGED(93, 97) "," AGAINST(109, 111, 5, 8),
         95, WEB_CLAIM_LITTLE},
        {11, "'verdict':'ok'," JUDGED(94, 98) "," AGAINST(95, 97, 9, 10), 96, WEB_CLAIM_LITTLE}};
    g_auto(cfg_night) retold = one_of(9, "p", RETOLD);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_night) other = one_of(cases[i].experiment, "p", cases[i].of);
        assert_int_equal(claim_of(&other, cases[i].at, &retold, 97), cases[i].claim);
        assert_int_equal(claim_of(&retold, 97, &other, cases[i].at), cases[i].claim);
    }
}

/* By chance the numbers of their experiments are of one history. */
static void another_project_has_no_verdict_of_it(void **state) {
    (void)state;
    g_auto(cfg_night) before = one_of(4, "p", BEFORE);
    g_auto(cfg_night) now =
        one_of(5, "q", "'verdict':'ok'," JUDGED(198, 202) "," AGAINST(199, 201, 1, 4));
    assert_int_equal(claim_of(&before, 100, &now, 200), WEB_CLAIM_SHOWN);
}

static void unjudged_nights_have_their_loops_alone(void **state) {
    (void)state;
    g_auto(cfg_night) a = one_of(4, "p", "'verdict':'first'");
    g_auto(cfg_night) b = one_of(5, "q", "'verdict':'first'");
    assert_int_equal(claim_of(&a, 100, &b, 101), WEB_CLAIM_LOOPS);
}

/* Everything was 7 % slower, and compare put all of 17 % on that. */
static void what_the_machine_does_not_explain_is_otherwise(void **state) {
    (void)state;
    static const struct {
        const char *of;
        double low, high;
        bool otherwise;
    } cases[] = {
        {"'verdict':'ok'," YOUNG(117, 116, 118), 1.06, 1.08, true},
        {"'verdict':'ok'," YOUNG(107, 106, 108), 1.06, 1.08, false},
        {"'verdict':'ok'," YOUNG(100, 99, 101), 1.06, 1.08, true},
        {"'verdict':'ok'," YOUNG(109, 108.8, 109.2), 1.06, 1.08, false}, /* within 101 × 1.08 */
        {"'verdict':'ok'," YOUNG(117, 116, 118), NAN, NAN, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_night) a = one_of(4, "k", "'verdict':'ok'," YOUNG(100, 99, 101));
        g_auto(cfg_night) b = one_of(9, "k", cases[i].of);
        const web_moved moved = {.factor = {.low = cases[i].low, .high = cases[i].high}};
        const web_claim_side side_a = {&a, a.portions, 100}, side_b = {&b, b.portions, 117};
        if (web_claim_otherwise(&side_a, &side_b, &moved) != cases[i].otherwise)
            fail_msg("case %zu", i);
        b.minimum_effect_percent = 20;
        assert_false(web_claim_otherwise(&side_a, &side_b, &moved));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_of_the_pair_is_its_claim),
        cmocka_unit_test(back_from_the_machine_the_levels_speak),
        cmocka_unit_test(of_other_nights_their_levels_speak),
        cmocka_unit_test(levels_apart_by_less_than_is_told_differ_little),
        cmocka_unit_test(where_a_level_was_of_nights_before_its_value_speaks),
        cmocka_unit_test(another_project_has_no_verdict_of_it),
        cmocka_unit_test(unjudged_nights_have_their_loops_alone),
        cmocka_unit_test(what_the_machine_does_not_explain_is_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
