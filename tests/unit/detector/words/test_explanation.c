/* What is said of a change: the function that has most of it, or that none has. */
#include "detector/words/explanation.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

static det_interval exactly(double value) {
    return (det_interval){value, value, value, 1, 0};
}

static void says(const det_explanation *e, const char *expected) {
    char text[DET_EXPLANATION_MAX];
    det_explanation_sentence(text, sizeof text, e);
    assert_string_equal(text, expected);
}

static void the_function_is_named_with_its_part(void **state) {
    (void)state;
    det_contrast_function functions[] = {{.name = "callmon_keep_last",
                                          .caller = "callmon_leave",
                                          .change = exactly(2000),
                                          .is_new = 1},
                                         {.name = "other", .change = exactly(400)}};
    const det_contrast found = {
        .level_cost = 3000, .change = exactly(2400), .functions = functions, .count = 2};
    const det_explanation e = {"C", 484, &found, "instructions", 1};
    assert_float_equal(det_explanation_scale(&e), 484.0 / 2400, 1e-12);
    assert_true(explanation_explains(&e));
    says(&e, "C rose: +403 ns in `callmon_keep_last` (new), called from `callmon_leave`; "
             "+80.7 ns elsewhere (scaled from +2400 instructions a call)");
}

static void all_of_it_leaves_nothing_elsewhere(void **state) {
    (void)state;
    det_contrast_function one = {.name = "is_wanted", .change = exactly(-800), .is_gone = 1};
    const det_contrast found = {
        .level_cost = 3000, .change = exactly(-800), .functions = &one, .count = 1};
    const det_explanation e = {"I", -1250, &found, "instructions", 1};
    says(&e, "I fell: -1.25 µs in `is_wanted` (gone) (scaled from -800 instructions a "
             "call)");
}

static void what_goes_the_other_way_is_elsewhere(void **state) {
    (void)state;
    det_contrast_function functions[] = {{.name = "a", .change = exactly(110)},
                                         {.name = "b", .change = exactly(-10)}};
    const det_contrast found = {
        .level_cost = 500, .change = exactly(100), .functions = functions, .count = 2};
    const det_explanation e = {"I", 50, &found, "instructions", 1};
    says(&e, "I rose: +55.0 ns in `a`; -5.00 ns elsewhere (scaled from +100 "
             "instructions a call)");
}

static void that_no_function_has_half_of_it_is_said(void **state) {
    (void)state;
    det_contrast_function functions[] = {{.name = "a", .change = exactly(40)},
                                         {.name = "b", .change = exactly(35)},
                                         {.name = "c", .change = exactly(25)}};
    const det_contrast found = {
        .level_cost = 500, .change = exactly(100), .functions = functions, .count = 3};
    const det_explanation e = {"W", 1000, &found, "instructions", 1};
    assert_false(explanation_explains(&e));
    says(&e, "W rose; no function explains half of it; the largest share is +400 ns in `a` "
             "(scaled from +100 instructions a call)");
}

/* Python: what its own library does between the harness and the framework counts as the harness's.
 */
static void the_harness_is_named_where_it_has_half_alone(void **state) {
    (void)state;
    det_contrast_function functions[] = {
        {.name = "measure", .change = exactly(45)},
        {.name = "start", .caller = "measure", .change = exactly(30)}};
    det_contrast found = {
        .level_cost = 500, .change = exactly(100), .functions = functions, .count = 2};
    const det_explanation e = {"I", 1000, &found, "instructions", 1};
    says(&e, "I rose; no function explains half of it; the largest share is +300 ns in "
             "`start`, called from `measure` (scaled from +100 instructions a call)");
    functions[0].change = exactly(60);
    says(&e, "I rose: +600 ns in `measure`; +400 ns elsewhere (scaled from +100 "
             "instructions a call)");
}

/* Kieker 1.15: a function that costs less moved most, while the whole rose. */
static void the_largest_share_goes_the_way_of_the_whole(void **state) {
    (void)state;
    det_contrast_function functions[] = {{.name = "less", .change = exactly(-124)},
                                         {.name = "more", .change = exactly(105)}};
    det_contrast found = {
        .level_cost = 1000, .change = exactly(394), .functions = functions, .count = 2};
    const det_explanation e = {"C", 394, &found, "instructions", 1};
    says(&e, "C rose; no function explains half of it; the largest share is +105 ns in "
             "`more` (scaled from +394 instructions a call)");
    found.change = exactly(150);
    const det_explanation half = {"C", 150, &found, "instructions", 1};
    says(&half, "C rose: +105 ns in `more`; +45.0 ns elsewhere (scaled from +150 "
                "instructions a call)");
}

#define NO_WORK ": the cause may be waiting (memory, locks, the system) or the layout of the code"
#define NO_TIME ": the cause may be waiting (locks, input, output)"

static void a_change_that_profiles_do_not_show_is_no_works(void **state) {
    (void)state;
    det_contrast_function one = {.name = "a", .change = exactly(0.2)};
    det_contrast found = {.level_cost = 500, .change = exactly(0.2), .functions = &one, .count = 1};
    const det_explanation e = {"C", 90, &found, "instructions", 1};
    assert_true(isnan(det_explanation_scale(&e)));
    says(&e, "C rose, but its instructions did not change (+0.20 a call)" NO_WORK);
    found.change = exactly(-30);
    one.change = exactly(-30);
    says(&e, "C rose, but its instructions fell (-30.0 a call)" NO_WORK);
    found = (det_contrast){.level_cost = 500};
    says(&e, "C rose, but its instructions did not change (+0.00 a call)" NO_WORK);
}

static void an_interval_around_nothing_explains_nothing(void **state) {
    (void)state;
    det_contrast_function one = {.name = "a", .change = {50, -10, 110, 5, 4}};
    const det_contrast found = {
        .level_cost = 500, .change = {50, -10, 110, 5, 4}, .functions = &one, .count = 1};
    assert_true(isnan(det_explanation_scale(&(det_explanation){"C", 90, &found, "ns", 1})));
    assert_true(
        isnan(det_explanation_scale(&(det_explanation){"C", (double)NAN, &found, "ns", 1})));
}

static det_interval between(double mean, double low, double high) {
    return (det_interval){mean, low, high, 5, 4};
}

static void samples_are_told_with_how_sure_they_are(void **state) {
    (void)state;
    det_contrast_function functions[] = {{.name = "k/probe/Aspect.text",
                                          .caller = "k/probe/Aspect.operation",
                                          .change = between(560, 500, 620),
                                          .is_new = 1},
                                         {.name = "other", .change = between(40, -20, 100)}};
    const det_contrast found = {.level_cost = 3000,
                                .change = between(600, 540, 660),
                                .functions = functions,
                                .count = 2,
                                .loops = 5};
    const det_explanation e = {"I", 600, &found, "ns", 1};
    assert_true(explanation_explains(&e));
    says(&e, "I rose: about +560 ns (+500 ns to +620 ns) in `Aspect.text` (not seen "
             "before), called from `Aspect.operation`; +40.0 ns elsewhere (from samples of "
             "processor time: +600 ns a call in 5 loops)");
    const det_explanation own = {"I", 1200, &found, "samples", 1};
    says(&own, "I rose: about +1.12 µs (+1.00 µs to +1.24 µs) in `Aspect.text` (not "
               "seen before), called from `Aspect.operation`; +80.0 ns elsewhere (from samples: "
               "+600 samples a call in 5 loops)");
}

static void a_function_whose_interval_holds_nothing_explains_nothing(void **state) {
    (void)state;
    det_contrast_function one = {.name = "a", .change = between(90, -10, 190)};
    const det_contrast found = {.level_cost = 500,
                                .change = between(100, 60, 140),
                                .functions = &one,
                                .count = 1,
                                .loops = 3};
    const det_explanation e = {"C", 100, &found, "ns", 1};
    assert_false(explanation_explains(&e));
    says(&e, "C rose; no function explains half of it; the largest share is about +90.0 "
             "ns (-10.0 "
             "ns to +190 ns) in `a` (from samples of processor time: +100 ns a call in 3 loops)");
}

static void what_samples_do_not_show_is_not_claimed(void **state) {
    (void)state;
    det_contrast_function one = {.name = "a", .change = between(12, -40, 64)};
    det_contrast found = {.level_cost = 500,
                          .change = between(12, -40, 64),
                          .functions = &one,
                          .count = 1,
                          .loops = 5};
    const det_explanation e = {"C", 90, &found, "ns", 1};
    says(&e, "C rose, but profiles do not show where: its processor time changed by "
             "+12.0 ns (-40.0 ns to +64.0 ns) a call in 5 loops");
    found.change = between(-60, -70, -50);
    says(&e, "C rose, but its processor time fell (-60.0 ns a call in 5 loops)" NO_TIME);
    found.change = between(0.1, 0.05, 0.15);
    says(&e, "C rose, but its processor time did not change (+0.10 ns a call in 5 loops)" NO_TIME);
    const det_explanation own = {"C", 90, &found, "samples", 1};
    says(&own, "C rose, but its samples did not change (+0.100 samples a call in 5 loops)" NO_TIME);
}

static void a_file_is_not_taken_for_a_package(void **state) {
    (void)state;
    det_contrast_function one = {.name = "probe (kieker/monitoring/probe.py)",
                                 .change = exactly(100)};
    const det_contrast found = {
        .level_cost = 500, .change = exactly(100), .functions = &one, .count = 1, .loops = 1};
    const det_explanation e = {"I", 50, &found, "ns", 1};
    says(&e, "I rose: about +50.0 ns in `probe (kieker/monitoring/probe.py)` (from "
             "samples of processor time: +100 ns a call in 1 loop)");
}

static void names_are_shortened_for_people(void **state) {
    (void)state;
    char longest[400];
    char text[DET_EXPLANATION_MAX];
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest + 118, "äöü", 6); /* the limit is within a letter */
    det_contrast_function one = {.name = "kieker/monitoring/probe/OperationAspect.operation",
                                 .caller = longest,
                                 .change = exactly(100)};
    const det_contrast found = {
        .level_cost = 500, .change = exactly(100), .functions = &one, .count = 1};
    const det_explanation e = {"I", 50, &found, "instructions", 1};
    det_explanation_sentence(text, sizeof text, &e);
    assert_non_null(strstr(text, "in `OperationAspect.operation`, called from `nnn"));
    assert_non_null(strstr(text, "nä…`"));
    det_explanation_sentence(text, 20, &e); /* cut off, but a string */
    assert_int_equal(strlen(text), 19);
}

static void allocates(const det_contrast *found, const char *expected) {
    char text[DET_EXPLANATION_MAX];
    det_explanation_amount(text, sizeof text, "I", "bytes", found);
    assert_string_equal(text, expected);
}

/* Of whole processes, in larger units. */
static void what_a_process_takes_is_told(void **state) {
    (void)state;
    static const struct {
        const char *unit, *more, *same;
    } cases[] = {
        {"ns a process",
         "W takes 40.0 ms of processor a process more: about +39.0 ms (+38.0 ms to +40.5 ms) in "
         "`thread writer` (not seen before); +1.00 ms elsewhere (from samples in 5 loops)",
         "W takes as much as before (96.0 ms of processor a process) (from samples in 5 loops)"},
        {"ns a start",
         "start of W takes 40.0 ms of processor more: about +39.0 ms (+38.0 ms to +40.5 ms) in "
         "`thread writer` (not seen before); +1.00 ms elsewhere (from samples in 5 loops)",
         "start of W takes as much as before (96.0 ms of processor) (from samples in 5 loops)"},
        {"bytes a process",
         "W keeps 38.1 MB of heap more: about +37.2 MB (+36.2 MB to +38.6 MB) in "
         "`thread writer` (not seen before); +0.95 MB elsewhere (live at the end in 5 loops)",
         "W keeps as much as before (91.6 MB of heap) (live at the end in 5 loops)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        det_contrast_function writer = {
            .name = "thread writer", .change = {39e6, 38e6, 40.5e6, 5, 0}, .is_new = 1};
        det_contrast found = {.level_cost = 56e6,
                              .after = 96e6,
                              .change = {40e6, 39e6, 41e6, 5, 0},
                              .functions = &writer,
                              .count = 1,
                              .loops = 5};
        char text[DET_EXPLANATION_MAX];
        det_explanation_amount(text, sizeof text, "W", cases[i].unit, &found);
        assert_string_equal(text, cases[i].more);
        found.change = (det_interval){0, 0, 0, 5, 0};
        det_explanation_amount(text, sizeof text, "W", cases[i].unit, &found);
        assert_string_equal(text, cases[i].same);
        assert_true(det_explanation_is_amount(cases[i].unit));
    }
    assert_false(det_explanation_is_amount("ns"));
    assert_false(det_explanation_is_amount("instructions"));
}

static void what_is_allocated_is_told_in_bytes(void **state) {
    (void)state;
    det_contrast_function functions[] = {{.name = "k/Probe.text",
                                          .caller = "k/Probe.enter",
                                          .change = {384.4, 380.1, 388.9, 5, 0},
                                          .is_new = 1},
                                         {.name = "other", .change = exactly(32)}};
    det_contrast found = {.level_cost = 1000,
                          .after = 1416,
                          .change = {416.4, 410, 422, 5, 0},
                          .functions = functions,
                          .count = 2,
                          .loops = 5};
    allocates(&found, "I allocates 416 bytes a call more: about +384 bytes (+380 bytes to +389 "
                      "bytes) in `Probe.text` (not seen before), called from `Probe.enter`; +32.0 "
                      "bytes elsewhere (from samples in 5 loops)");
    functions[0].change = (det_interval){-416, -420, -410, 5, 0};
    functions[0].is_new = 0;
    found.change = (det_interval){-416, -422, -410, 5, 0};
    found.count = 1;
    allocates(&found, "I allocates 416 bytes a call less: about -416 bytes (-420 bytes to -410 "
                      "bytes) in `Probe.text`, called from `Probe.enter` (from samples in 5 "
                      "loops)");
    functions[0].change = (det_interval){-100, -120, -80, 5, 0};
    found.count = 2;
    allocates(&found, "I allocates 416 bytes a call less; no function explains half of it; the "
                      "largest share is about -100 bytes (-120 bytes to -80.0 bytes) in "
                      "`Probe.text`, called from `Probe.enter` (from samples in 5 loops)");
}

static void that_it_allocates_as_much_is_said(void **state) {
    (void)state;
    det_contrast found = {.level_cost = 1000, .after = 1000.4, .change = exactly(0.4), .loops = 1};
    allocates(&found, "I allocates as much as before (1000 bytes a call) (from samples in 1 loop)");
    found = (det_contrast){.loops = 5};
    allocates(&found,
              "I allocates as much as before (0.00 bytes a call) (from samples in 5 loops)");
    found = (det_contrast){.level_cost = 1000, .change = {16, -40, 72, 5, 0}, .loops = 5};
    allocates(&found, "I allocates as much as before, as far as samples tell: +16.0 bytes (-40.0 "
                      "bytes to +72.0 bytes) a call (from samples in 5 loops)");
}

static void a_change_of_no_function_is_not_as_much_as_before(void **state) {
    (void)state;
    const det_contrast found = {.level_cost = 1000, .change = exactly(40), .loops = 1};
    allocates(&found, "I allocates 40.0 bytes a call more; profiles do not show where (from "
                      "samples in 1 loop)");
}

/* An alert of another dimension: what two nights differ by is said to be that, and has no cause. */
static void what_was_not_judged_is_said_to_be_that(void **state) {
    (void)state;
    det_contrast found = {.change = exactly(2031), .level_cost = 10000, .loops = 5};
    const det_explanation e = {"C", -440, &found, "instructions", 0};
    says(&e, "C fell from one night to the other, which this alert does not judge, but its "
             "instructions rose (+2031 a call)");
    const det_explanation unknown = {"C", (double)NAN, &found, "instructions", 0};
    says(&unknown, "C has no time of both nights, but its instructions rose (+2031 a call)");
    found.change = (det_interval){612, 500, 700, 5, 0};
    const det_explanation sampled = {"C", -440, &found, "ns", 0};
    says(&sampled, "C fell from one night to the other, which this alert does not judge, but its "
                   "processor time rose (+612 ns a call in 5 loops)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_function_is_named_with_its_part),
        cmocka_unit_test(all_of_it_leaves_nothing_elsewhere),
        cmocka_unit_test(what_goes_the_other_way_is_elsewhere),
        cmocka_unit_test(that_no_function_has_half_of_it_is_said),
        cmocka_unit_test(the_harness_is_named_where_it_has_half_alone),
        cmocka_unit_test(the_largest_share_goes_the_way_of_the_whole),
        cmocka_unit_test(a_change_that_profiles_do_not_show_is_no_works),
        cmocka_unit_test(an_interval_around_nothing_explains_nothing),
        cmocka_unit_test(samples_are_told_with_how_sure_they_are),
        cmocka_unit_test(a_function_whose_interval_holds_nothing_explains_nothing),
        cmocka_unit_test(what_samples_do_not_show_is_not_claimed),
        cmocka_unit_test(a_file_is_not_taken_for_a_package),
        cmocka_unit_test(names_are_shortened_for_people),
        cmocka_unit_test(what_was_not_judged_is_said_to_be_that),
        cmocka_unit_test(what_a_process_takes_is_told),
        cmocka_unit_test(what_is_allocated_is_told_in_bytes),
        cmocka_unit_test(that_it_allocates_as_much_is_said),
        cmocka_unit_test(a_change_of_no_function_is_not_as_much_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
