/* Which changes stop a pipeline. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/policy.h"
#include "config/options.h"

/* T, I, C, W with these verdicts; each changed by +10 % of 100 ns, upwards, where it is an anomaly.
 */
static json_t *night_of(const char *const verdicts[4]) {
    static const char *const names[] = {"T", "I", "C", "W"};
    json_t *portions = json_array();
    for (size_t i = 0; i < 4; i++) {
        g_autofree char *reason = g_strdup_printf("%s: why", names[i]);
        json_array_append_new(portions, json_pack("{s:s,s:s,s:s,s:s,s:{s:f},s:{s:f}}", "portion",
                                                  names[i], "verdict", verdicts[i], "direction",
                                                  "up", "reason", reason, "reference", "mean_ns",
                                                  100.0, "difference", "mean_ns", 10.0));
    }
    return json_pack("{s:s,s:o}", "state", "measured", "portions", portions);
}

typedef struct {
    const char *portions, *allow; /* words divided by '|'; NULL: not given */
    bool both, strict;
} wish;

/* Judged; free the answer. */
static json_t *judge(wish w, const json_t *night, GError **error) {
    ci_policy_options options = {.both = w.both, .strict = w.strict};
    g_auto(ci_policy) policy = {0};
    options.portions = cfg_kept(w.portions ? g_strsplit(w.portions, "|", -1) : NULL);
    options.allow = cfg_kept(w.allow ? g_strsplit(w.allow, "|", -1) : NULL);
    return ci_policy_init(&policy, &options, error) ? ci_policy_judge(&policy, night, error) : NULL;
}

static void expect_failed(wish options, const char *const verdicts[4], const char *failed) {
    g_autoptr(GError) error = NULL;
    json_t *night = night_of(verdicts), *answer = judge(options, night, &error);
    g_autoptr(GString) names = g_string_new(NULL);
    size_t i;
    json_t *portion;
    assert_null(error);
    json_array_foreach (json_object_get(answer, "failed"), i, portion)
        g_string_append(names, cfg_json_word(portion, "portion", "?"));
    assert_string_equal(names->str, failed);
    assert_true(json_is_true(json_object_get(answer, "pass")) == !*failed);
    json_decref(answer);
    json_decref(night);
}

static void expect_unsure(wish options, const char *const verdicts[4]) {
    json_t *night = night_of(verdicts), *answer = judge(options, night, NULL);
    expect_text(answer, "verdict", "unsure");
    assert_true(json_is_false(json_object_get(answer, "pass")));
    assert_int_equal(json_array_size(json_object_get(answer, "failed")), 0);
    json_decref(answer);
    json_decref(night);
}

static void the_control_does_not_matter_unless_named(void **state) {
    (void)state;
    static const char *const all[] = {"anomaly", "anomaly", "anomaly", "anomaly"};
    expect_failed((wish){0}, all, "ICW");
    expect_failed((wish){.portions = "T"}, all, "T");
    expect_failed((wish){.portions = "I|W"}, all, "IW");
}

/* A machine that moved clears nobody, whichever portions somebody asks about. */
static void the_control_that_moved_is_doubt_of_all(void **state) {
    (void)state;
    static const char *const verdicts[] = {"environment", "ok", "ok", "ok"};
    json_t *night = night_of(verdicts);
    json_object_set_new(json_array_get(json_object_get(night, "portions"), 0), "rule",
                        json_string("control-moved"));
    const wish wishes[] = {{0}, {.portions = "I"}, {.strict = true}};
    for (size_t i = 0; i < G_N_ELEMENTS(wishes); i++) {
        json_t *answer = judge(wishes[i], night, NULL);
        expect_text(answer, "verdict", "unsure");
        expect_text(answer, "sentence", "T: why");
        json_decref(answer);
    }
    json_decref(night);
}

/* Nobody is told "pass" of a night of which nothing was looked at. */
static void a_portion_that_stands_alone_is_judged(void **state) {
    (void)state;
    static const char *const verdicts[][4] = {
        {"anomaly", "ok", "ok", "ok"}, {"environment", "ok", "ok", "ok"}, {"ok", "ok", "ok", "ok"}};
    static const char *const told[] = {"fail", "unsure", "pass"};
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
        json_t *night = night_of(verdicts[i]), *portions = json_object_get(night, "portions");
        while (json_array_size(portions) > 1)
            json_array_remove(portions, 1);
        json_t *answer = judge((wish){0}, night, NULL);
        expect_text(answer, "verdict", told[i]);
        json_decref(answer);
        json_decref(night);
    }
}

static void only_an_anomaly_fails(void **state) {
    (void)state;
    static const char *const quiet[] = {"ok", "first", "suspect", "ok"};
    static const char *const machine[] = {"environment", "harness", "environment", "ok"};
    expect_unsure((wish){0}, quiet);
    expect_unsure((wish){.strict = true}, quiet);
    expect_unsure((wish){0}, machine);
    expect_failed((wish){.strict = true}, machine, "IC");
}

static void what_got_faster_passes_unless_both(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "anomaly", "ok", "ok"};
    json_t *night = night_of(verdicts);
    json_object_set_new(json_array_get(json_object_get(night, "portions"), 1), "direction",
                        json_string("down"));
    json_t *answer = judge((wish){0}, night, NULL);
    assert_true(json_is_true(json_object_get(answer, "pass")));
    json_decref(answer);
    answer = judge((wish){.both = true}, night, NULL);
    assert_true(json_is_false(json_object_get(answer, "pass")));
    json_decref(answer);
    json_decref(night);
}

/* The change is 10 % of the level before: so much passes, a little less does not. */
static void an_allowance_at_its_edge(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "anomaly", "ok", "anomaly"};
    expect_failed((wish){.allow = "W=10"}, verdicts, "I");
    expect_failed((wish){.allow = "W=9.99"}, verdicts, "IW");
    expect_failed((wish){.allow = "W=1|W=50"}, verdicts, "I");
    expect_failed((wish){.allow = "W=0|I=1e3"}, verdicts, "W");
}

static void without_a_level_before_nothing_is_allowed(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "ok", "ok", "anomaly"};
    json_t *night = night_of(verdicts);
    json_object_del(json_array_get(json_object_get(night, "portions"), 3), "reference");
    json_t *answer = judge((wish){.allow = "W=1000"}, night, NULL);
    assert_int_equal(json_array_size(json_object_get(answer, "failed")), 1);
    json_decref(answer);
    json_decref(night);
}

static void the_sentence_has_every_reason(void **state) {
    (void)state;
    static const char *const two[] = {"ok", "anomaly", "ok", "anomaly"};
    static const char *const none[] = {"ok", "ok", "ok", "ok"};
    json_t *night = night_of(two), *answer = judge((wish){0}, night, NULL);
    expect_text(answer, "sentence", "I: why; W: why");
    json_decref(answer);
    json_decref(night);
    night = night_of(none);
    answer = judge((wish){0}, night, NULL);
    expect_text(answer, "sentence", "nothing changed");
    json_decref(answer);
    json_decref(night);
}

static void expect_verdict(json_t *night, const char *verdict, const char *sentence) {
    json_t *answer = judge((wish){0}, night, NULL);
    expect_text(answer, "verdict", verdict);
    expect_text(answer, "sentence", sentence);
    json_decref(answer);
    json_decref(night);
}

/* What is in question, and what noise would have hidden, is no pass. */
static void nobody_can_tell(void **state) {
    (void)state;
    static const char *const machine[] = {"environment", "environment", "ok", "ok"};
    static const char *const broken[] = {"ok", "ok", "harness", "ok"};
    static const char *const calm[] = {"ok", "ok", "ok", "ok"};
    expect_verdict(night_of(machine), "unsure", "I: why");
    expect_verdict(night_of(broken), "unsure", "C: why");
    json_t *night = night_of(calm), *portions = json_object_get(night, "portions");
    json_object_set_new(json_array_get(portions, 2), "rule", json_string("pending"));
    expect_verdict(night, "unsure", "C: why");
    night = night_of(calm), portions = json_object_get(night, "portions");
    for (size_t i = 0; i < 4; i++) {
        const double half = i == 3 ? 10000 : 2;
        json_object_set_new(json_array_get(portions, i), "judged",
                            json_pack("{s:f,s:f}", "low_ns", 300 - half, "high_ns", 300 + half));
        json_object_set_new(
            json_array_get(portions, i), "reference",
            json_pack("{s:f,s:f,s:f}", "mean_ns", 300.0, "low_ns", 299.0, "high_ns", 301.0));
    }
    json_t *pass = json_deep_copy(night);
    json_array_remove(json_object_get(pass, "portions"), 3);
    expect_verdict(
        night, "unsure",
        "W: only a change of 10.0 µs or more could have been seen, which is more than a doubling");
    expect_verdict(pass, "pass",
                   "nothing changed; a change of I by 3.00 ns or C by 3.00 ns would have been "
                   "seen");
}

/* On a node that is never idle all loops are disturbed: the intervals decide, and it is said. */
static void disturbed_loops_are_told(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "ok", "ok", "ok"};
    json_t *night = night_of(verdicts);
    json_object_set_new(night, "disturbed",
                        json_string("3 of 5 loops of off were disturbed or stood apart"));
    expect_verdict(night, "pass",
                   "no change seen, but most loops of a configuration were disturbed or stood "
                   "apart; 3 of 5 loops of off were disturbed or stood apart");
}

/* Whatever the headline is of, and whatever the answer. */
static void what_is_lost_is_told(void **state) {
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        const char *const verdicts[] = {"ok", "ok", fails ? "anomaly" : "ok", "ok"};
        json_t *night = night_of(verdicts);
        json_object_set_new(night, "lost", json_string("W +2.50 % of records lost"));
        json_object_set_new(night, "headline", json_string("C fell"));
        expect_verdict(night, fails ? "fail" : "pass",
                       fails ? "C: why; W +2.50 % of records lost"
                             : "C fell; W +2.50 % of records lost");
    }
}

/* A control of so many ns, and I around its level; what could be seen of I is half_ns, and a half
 * width of 1 ns of the reference, from it. */
static json_t *beside(double control, const char *root_of_i, double level, double half_ns) {
    return json_pack(
        "{s:s,s:[{s:s,s:s,s:n,s:s,s:{s:f}},{s:s,s:s,s:s?,s:s,s:{s:f,s:f},s:{s:f,s:f,s:f}}]}",
        "state", "measured", "portions", "portion", "T", "configuration", "none", "parent",
        "verdict", "ok", "reference", "mean_ns", control, "portion", "I", "configuration", "off",
        "parent", root_of_i, "verdict", "ok", "judged", "low_ns", level - half_ns, "high_ns",
        level + half_ns, "reference", "mean_ns", level, "low_ns", level - 1, "high_ns", level + 1);
}

/* Likewise with C of 300 ns, whose interval is narrow. */
static json_t *with_c(json_t *night) {
    json_array_append_new(json_object_get(night, "portions"),
                          json_pack("{s:s,s:s,s:s,s:s,s:{s:f,s:f},s:{s:f,s:f,s:f}}", "portion", "C",
                                    "configuration", "on", "parent", "off", "verdict", "ok",
                                    "judged", "low_ns", 298.0, "high_ns", 302.0, "reference",
                                    "mean_ns", 300.0, "low_ns", 299.0, "high_ns", 301.0));
    return night;
}

/* A doubling of I is 2 ns: nobody could tell of any commit. Beside C it needs not be seen. */
static void a_portion_near_zero(void **state) {
    (void)state;
    static const char hidden[] =
        "I: only a change of 5.00 ns or more could have been seen, which is more than a doubling";
    expect_verdict(
        with_c(beside(90, "none", 2, 4)), "pass",
        "nothing changed; a change of I by 5.00 ns or C by 3.00 ns would have been seen");
    json_t *share = with_c(beside(90, "none", 200, 4));
    json_object_set_new(json_array_get(json_object_get(share, "portions"), 1), "unit",
                        json_string("%"));
    expect_verdict(share, "pass",
                   "nothing changed; a change of I by 5.00 points or C by 3.00 ns would have been "
                   "seen");
    expect_verdict(
        with_c(beside(90, "none", 2, 88)), "pass",
        "nothing changed; a change of I by 89.0 ns or C by 3.00 ns would have been seen");
    expect_verdict(
        with_c(beside(90, "none", 4e6, 3865697)), "pass",
        "nothing changed; a change of I by 3.87 ms or C by 3.00 ns would have been seen");
    expect_verdict(
        with_c(beside(90, "none", 2, 90)), "unsure",
        "I: only a change of 91.0 ns or more could have been seen, which is more than a doubling");
    expect_verdict(with_c(beside(90, NULL, 2, 4)), "unsure", hidden); /* no control is known */
    expect_verdict(beside(90, "none", 2, 4), "unsure", hidden); /* it is all of the overhead */
    json_t *small = beside(90, "none", 2, 4); /* and the project does not want to be told */
    json_object_set_new(small, "minimum_effect_ns", json_real(10));
    expect_verdict(small, "pass", "nothing changed; a change of I by 5.00 ns would have been seen");
}

/* What changed is told, be it with another commit, of which no more is known than of all of them.
 */
static void what_changed_would_not_only_have_been_seen(void **state) {
    (void)state;
    static const char *const said[][2] = {
        {"rule", "not-this-commit"}, {"rule", "commit-unknown"}, {"verdict", "anomaly"}};
    for (size_t k = 0; k < G_N_ELEMENTS(said); k++) {
        json_t *night = with_c(beside(90, "none", 2, 4));
        json_object_update_new(
            json_array_get(json_object_get(night, "portions"), 1),
            json_pack("{s:s, s:s}", "direction", "down", said[k][0], said[k][1]));
        json_object_set_new(night, "headline", json_string("came with another"));
        expect_verdict(night, "pass",
                       "came with another; a change of C by 3.00 ns would have been seen");
    }
}

/* All loops of a trial were equal: that it saw any change, however small, is no claim of nights. */
static void a_trial_without_scatter(void **state) {
    (void)state;
    json_t *night = with_c(beside(90, "none", 2, 4));
    json_t *again = json_array_get(json_object_get(night, "portions"), 1);
    json_object_set_new(again, "verdict", json_string("cleared"));
    json_object_set_new(again, "confirmation",
                        json_pack("{s:s,s:f,s:f,s:f}", "state", "cleared", "mean_ns", 0.0, "low_ns",
                                  -1e-12, "high_ns", 1e-12));
    expect_verdict(
        night, "pass",
        "Instrumentation (I) was suspected and cleared; a change of I by 5.00 ns or C by 3.00 ns "
        "would have been seen");
}

/* Of 0 there is no doubling; where no night ever differed, what could be seen is not known. */
static void a_count_of_0(void **state) {
    (void)state;
    static const struct {
        double judged, before;
        const char *sentence;
    } cases[] = {
        {0, 0, "nothing changed; a change of C by 3.00 ns would have been seen"},
        {1, 1,
         "nothing changed; a change of dropped by 2.00 spans or C by 3.00 ns would have been "
         "seen"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = with_c(beside(90, "none", 0, cases[i].judged));
        json_t *dropped = json_array_get(json_object_get(night, "portions"), 1);
        json_object_update_new(dropped,
                               json_pack("{s:s,s:s,s:{s:f,s:f,s:f}}", "portion", "dropped", "unit",
                                         "spans", "reference", "mean_ns", 0.0, "low_ns",
                                         -cases[i].before, "high_ns", cases[i].before));
        expect_verdict(night, "pass", cases[i].sentence);
    }
}

/* What the night showed was overruled by measuring again, whose interval says what is excluded. */
static void a_cleared_portion_was_seen_by_its_trial(void **state) {
    (void)state;
    static const struct {
        double low, high;
        const char *verdict, *sentence;
    } cases[] = {{-28.5, 69.9, "pass",
                  "Instrumentation (I) was suspected and cleared; a change of I by 69.9 ns or C by "
                  "3.00 ns would have been seen"},
                 {-210, 30, "unsure",
                  "I: only a change of 210 ns or more could have been seen, which is more than a "
                  "doubling"}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        json_t *night = with_c(beside(90, "none", 200, 4));
        json_object_update_new(json_array_get(json_object_get(night, "portions"), 1),
                               json_pack("{s:s, s:{s:s, s:f, s:f}}", "verdict", "cleared",
                                         "confirmation", "state", "cleared", "low_ns", cases[k].low,
                                         "high_ns", cases[k].high));
        expect_verdict(night, cases[k].verdict, cases[k].sentence);
    }
}

/* What somebody called no change is there: it says who, and by how much, and is none that would
 * have been seen. */
static void what_somebody_answered(void **state) {
    (void)state;
    for (int percent = 0; percent < 2; percent++) {
        json_t *night = with_c(beside(90, "none", percent ? 20 : 2, 4));
        json_t *i = json_array_get(json_object_get(night, "portions"), 1);
        json_object_set_new(i, "rule", json_string("answered-false"));
        json_object_set_new(i, "reason", json_string("ada answered that nothing changed: imports"));
        json_object_set_new(i, "difference", json_pack("{s:f}", "mean_ns", 17.18));
        json_object_set_new(i, "unit", percent ? json_string("%") : json_null());
        expect_verdict(
            night, "pass",
            percent ? "no change here, as somebody said; I +17.2 points: ada answered that nothing "
                      "changed: imports; a change of C by 3.00 ns would have been seen"
                    : "no change here, as somebody said; I +17.2 ns: ada answered that nothing "
                      "changed: imports; a change of C by 3.00 ns would have been seen");
    }
}

/* So has what changed by less than is told: it was seen, and this is by how much. */
static void what_is_below_the_minimum_effect(void **state) {
    (void)state;
    json_t *night = with_c(beside(90, "none", 2, 4));
    json_t *i = json_array_get(json_object_get(night, "portions"), 1);
    json_object_set_new(i, "rule", json_string("below-minimum-effect"));
    json_object_set_new(i, "reason", json_string("I is 94 ns, +4 %: below the minimum effect"));
    json_object_set_new(i, "difference", json_pack("{s:f}", "mean_ns", 4.0));
    expect_verdict(
        night, "pass",
        "nothing changed by more than is ignored; I +4.00 ns: I is 94 ns, +4 %: below the "
        "minimum effect; a change of C by 3.00 ns would have been seen");
}

/* Beside a method of half a millisecond all of the overhead is small, and yet it has to be seen. */
static void a_slow_method_hides_no_portion(void **state) {
    (void)state;
    expect_verdict(
        beside(5e5, "none", 300, 10000), "unsure",
        "I: only a change of 10.0 µs or more could have been seen, which is more than a doubling");
    expect_verdict(
        with_c(beside(5e5, "none", 2, 350)), "unsure",
        "I: only a change of 351 ns or more could have been seen, which is more than a doubling");
    expect_verdict(with_c(beside(5e5, "none", 2, 250)), "pass",
                   "nothing changed; a change of I by 251 ns or C by 3.00 ns would have been seen");
}

static void what_a_commit_announced_passes(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "anomaly", "ok", "anomaly"};
    json_t *night = night_of(verdicts), *portions = json_object_get(night, "portions");
    json_object_set_new(json_array_get(portions, 1), "accepted_in_advance", json_true());
    expect_verdict(json_incref(night), "fail", "W: why");
    json_object_set_new(json_array_get(portions, 3), "accepted_in_advance", json_true());
    json_t *answer = judge((wish){.both = true}, night, NULL);
    expect_text(answer, "verdict", "pass");
    json_decref(answer);
    json_decref(night);
}

static void a_misspelt_portion_is_no_pass(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "ok", "ok", "ok"};
    GError *error = NULL;
    json_t *night = night_of(verdicts);
    assert_null(judge((wish){.portions = "W|w"}, night, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "no portion \"w\"; it has T, I, C, W");
    assert_null(judge((wish){.allow = "W-tcp=3"}, night, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "W-tcp");
    assert_null(judge((wish){.allow = "Span/depth=8=3"}, night, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "no portion \"Span/depth=8\"");
    json_decref(night);
}

/* Two writers are W, both: each has its configuration's name. */
static void one_of_a_letter_is_called_by_its_configuration(void **state) {
    (void)state;
    static const char *const verdicts[] = {"ok", "ok", "anomaly", "anomaly"};
    static const char *const configurations[] = {"none", "probe", "file", "tcp"};
    static const struct {
        wish wish;
        const char *failed;
    } cases[] = {{{.portions = "W"}, "file tcp "},   {{.portions = "tcp"}, "tcp "},
                 {{.portions = "I|file"}, "file "},  {{.allow = "tcp=10"}, "file "},
                 {{.allow = "tcp=10|W=1"}, "file "}, {{.allow = "W=10|file=1"}, "file "}};
    json_t *night = night_of(verdicts), *portions = json_object_get(night, "portions"), *portion;
    size_t i, k;
    json_array_foreach (portions, i, portion)
        json_object_set_new(portion, "configuration", json_string(configurations[i]));
    json_object_set_new(json_array_get(portions, 2), "portion", json_string("W"));
    for (k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autoptr(GString) names = g_string_new(NULL);
        json_auto_t *answer = judge(cases[k].wish, night, NULL);
        json_array_foreach (json_object_get(answer, "failed"), i, portion)
            g_string_append_printf(names, "%s ", cfg_json_word(portion, "configuration", "?"));
        assert_string_equal(names->str, cases[k].failed);
    }
    GError *error = NULL;
    assert_null(judge((wish){.portions = "W-tcp"}, night, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE,
                 "no portion \"W-tcp\"; it has T, I, W; by configuration none, probe, file, tcp");
    json_decref(night);
}

static void an_allowance_that_is_none(void **state) {
    (void)state;
    static const char *const wrong[] = {"W",     "W=",    "=5",   "W=x", "W=5%",   "W=-1",
                                        "W=nan", "W=inf", "W=5 ", "=",   "W=1e999"};
    static const char *const verdicts[] = {"ok", "ok", "ok", "ok"};
    json_t *night = night_of(verdicts);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        assert_null(judge((wish){.allow = wrong[i]}, night, &error));
        EXPECT_ERROR(error, CI_ERROR_USAGE, "NAME=PERCENT");
    }
    json_decref(night);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_control_does_not_matter_unless_named),
        cmocka_unit_test(the_control_that_moved_is_doubt_of_all),
        cmocka_unit_test(a_portion_that_stands_alone_is_judged),
        cmocka_unit_test(only_an_anomaly_fails),
        cmocka_unit_test(what_got_faster_passes_unless_both),
        cmocka_unit_test(an_allowance_at_its_edge),
        cmocka_unit_test(without_a_level_before_nothing_is_allowed),
        cmocka_unit_test(the_sentence_has_every_reason),
        cmocka_unit_test(nobody_can_tell),
        cmocka_unit_test(disturbed_loops_are_told),
        cmocka_unit_test(what_is_lost_is_told),
        cmocka_unit_test(a_portion_near_zero),
        cmocka_unit_test(what_changed_would_not_only_have_been_seen),
        cmocka_unit_test(a_trial_without_scatter),
        cmocka_unit_test(a_count_of_0),
        cmocka_unit_test(a_cleared_portion_was_seen_by_its_trial),
        cmocka_unit_test(what_somebody_answered),
        cmocka_unit_test(what_is_below_the_minimum_effect),
        cmocka_unit_test(a_slow_method_hides_no_portion),
        cmocka_unit_test(what_a_commit_announced_passes),
        cmocka_unit_test(a_misspelt_portion_is_no_pass),
        cmocka_unit_test(one_of_a_letter_is_called_by_its_configuration),
        cmocka_unit_test(an_allowance_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
