/* What nights count: from a result to the night's JSON, the project's and the alert's. */
#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/counts.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

#include <math.h>

static const counts usual = {{300, 350, 1400, 5210}, {0, 0, 1, 2}};
static const counts lighter = {{300, 312, 1362, 5172}, {0, 0, 1, 2}}; /* 38 less in I */

static json_t *view_of(fixture *fix, int64_t experiment) {
    GError *error = NULL;
    json_t *view = srv_view_experiment(fix->store, experiment, &error);
    if (!view)
        fail_msg("%s", error->message);
    return view;
}

static const json_t *dimension_of(const json_t *view, const char *name) {
    size_t i;
    const json_t *one;
    json_array_foreach (json_object_get(view, "dimensions"), i, one)
        if (g_strcmp0(text_of(one, "dimension"), name) == 0)
            return one;
    return NULL;
}

static double real_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void counts_become_portions(void **state) {
    static const double expected[4] = {300, 50, 1050, 3810};
    fixture *fix = *state;
    const int64_t id = counted_night(fix, 1, before, counts_json(&usual));
    json_t *view = view_of(fix, id);
    const json_t *instructions = dimension_of(view, "instructions");
    assert_string_equal(text_of(instructions, "counter"), "callgrind");
    assert_string_equal(text_of(instructions, "per"), "call");
    const json_t *portions = json_object_get(instructions, "portions");
    assert_int_equal(json_array_size(portions), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *portion = json_array_get(portions, i);
        assert_true(real_of(portion, "mean") == expected[i]);
        assert_true(real_of(portion, "low") == expected[i]);
        assert_true(real_of(portion, "total") == usual.instructions[i]);
        assert_true(json_is_null(json_object_get(portion, "before")));
        assert_true(json_is_null(json_object_get(portion, "direction")));
    }
    assert_true(
        real_of(json_array_get(json_object_get(dimension_of(view, "allocations"), "portions"), 2),
                "mean") == 1);
    assert_null(dimension_of(view, "bytes"));
    assert_true(json_is_null(json_object_get(view, "counted")));
    /* as it was sent, and no part of where it was measured */
    assert_non_null(json_object_get(json_object_get(view, "counts"), "configurations"));
    const json_t *environment = json_object_get(view, "environment_detail");
    assert_null(json_object_get(json_object_get(environment, "detail"), "counts"));
    assert_int_equal(json_array_size(json_object_get(view, "doubts")), 0);
    json_decref(view);
}

/* Against the last night that was counted likewise. */
static void a_change_is_told_the_same_night(void **state) {
    fixture *fix = *state;
    const int64_t first = counted_night(fix, 1, before, counts_json(&usual));
    counted_night(fix, 2, before, NULL);
    json_t *view = view_of(fix, counted_night(fix, 3, before, counts_json(&lighter)));
    assert_string_equal(text_of(view, "counted"), "I -38 instructions a call");
    const json_t *portions = json_object_get(dimension_of(view, "instructions"), "portions");
    const json_t *i = json_array_get(portions, 1), *c = json_array_get(portions, 2);
    assert_string_equal(text_of(i, "direction"), "down");
    assert_int_equal(number_of(json_object_get(i, "before"), "experiment"), first);
    assert_true(real_of(json_object_get(i, "before"), "mean") == 50);
    assert_true(json_is_null(json_object_get(c, "direction")));
    json_decref(view);
    json_t *other = counts_json(&usual);
    json_object_set_new(json_object_get(other, "counters"), "instructions", json_string("perf"));
    view = view_of(fix, counted_night(fix, 4, before, other));
    assert_true(json_is_null(json_object_get(view, "counted"))); /* another counter */
    json_decref(view);
}

/* What the experiment says of the portion I and its instructions; borrowed from view. */
static const json_t *instructions_of(const json_t *view) {
    return json_array_get(json_object_get(dimension_of(view, "instructions"), "portions"), 1);
}

static json_t *heavier(double more) {
    const counts heavy = {{30000, 40000 + more, 50000 + more, 60000 + more}, {0, 0, 1, 2}};
    return counts_json(&heavy);
}

/* 20 of 10,000 are too few to tell, 60 are not: since the last night of the old level. */
static void small_steps_are_told_when_they_add_up(void **state) {
    static const double more[] = {0, 0, 20, 40, 60, 60};
    static const char *const verdicts[] = {"first", "ok", "ok", "ok", "anomaly", "ok"};
    fixture *fix = *state;
    int64_t ids[G_N_ELEMENTS(more)];
    for (size_t i = 0; i < G_N_ELEMENTS(more); i++) {
        ids[i] = counted_night(fix, 1 + (int)i, before, heavier(more[i]));
        json_t *view = view_of(fix, ids[i]);
        const json_t *one = instructions_of(view);
        assert_string_equal(text_of(one, "verdict"), verdicts[i]);
        assert_int_equal(json_is_true(json_object_get(one, "slow")), i == 4);
        const char *headline = text_of(view, "headline");
        if (i == 4) {
            assert_string_equal(text_of(view, "counted"),
                                "I +60 instructions (in small steps) a call");
            assert_string_equal(headline, "I +60 instructions (in small steps) a call, nothing "
                                          "else changed");
            assert_int_equal(number_of(json_object_get(one, "before"), "experiment"), ids[1]);
            assert_true(real_of(json_object_get(one, "before"), "mean") == 10000);
        } else {
            assert_true(json_is_null(json_object_get(view, "counted")));
            assert_string_equal(headline, i == 0 ? "first of its series" : "nothing changed");
        }
        json_decref(view);
    }
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_string_equal(text_of(project, "quiet"),
                        "Nothing new for 5 nights; what is counted moved on 2013-04-05");
}

/* Lists and overview say it in the words of the night's own page; of several portions how many. */
static void a_night_whose_counts_moved_has_changed(void **state) {
    static const counts more = {{30000, 40000, 50500, 61000}, {0, 0, 1, 2}};
    fixture *fix = *state;
    counted_night(fix, 1, before, heavier(0));
    counted_night(fix, 2, before, heavier(500));
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    const json_t *latest = json_object_get(project, "latest");
    assert_string_equal(text_of(latest, "headline"),
                        "I +500 instructions a call, nothing else changed");
    assert_string_equal(text_of(latest, "counts_moved"), "I +500 instructions a call");
    assert_string_equal(text_of(project, "quiet"),
                        "Nothing new for 1 night; I +500 instructions a call");
    assert_true(json_is_true(json_object_get(project, "clear")));
    json_auto_t *view = view_of(fix, counted_night(fix, 3, before, counts_json(&more)));
    assert_string_equal(text_of(view, "headline"),
                        "counts of 3 portions moved, nothing else changed");
}

/* A night that comes in late is judged in its place, and those after it once more. */
static void a_night_between_is_judged_in_its_place(void **state) {
    fixture *fix = *state;
    counted_night(fix, 1, before, heavier(0));
    const int64_t last = counted_night(fix, 9, before, heavier(500));
    json_t *view = view_of(fix, last);
    assert_string_equal(text_of(instructions_of(view), "verdict"), "anomaly");
    json_decref(view);
    const int64_t late = counted_night(fix, 5, before, heavier(500));
    view = view_of(fix, late);
    assert_string_equal(text_of(view, "counted"), "I +500 instructions a call");
    json_decref(view);
    view = view_of(fix, last);
    assert_string_equal(text_of(instructions_of(view), "verdict"), "ok");
    assert_true(json_is_null(json_object_get(view, "counted")));
    json_decref(view);
}

/* A night whose I alone was not counted says nothing of I, and the one after it goes on, as does
 * what stands on I. */
static void a_gap_is_bridged(void **state) {
    fixture *fix = *state;
    const int64_t first = counted_night(fix, 1, before, heavier(0));
    json_t *counted = heavier(0);
    json_object_del(json_object_get(json_object_get(counted, "configurations"), "deactivated"),
                    "instructions");
    json_decref(view_of(fix, counted_night(fix, 2, before, counted)));
    json_t *view = view_of(fix, counted_night(fix, 3, before, heavier(500)));
    assert_string_equal(text_of(instructions_of(view), "verdict"), "anomaly");
    assert_string_equal(text_of(view, "counted"), "I +500 instructions a call");
    const json_t *c =
        json_array_get(json_object_get(dimension_of(view, "instructions"), "portions"), 2);
    assert_string_equal(text_of(c, "verdict"), "ok");
    assert_int_equal(number_of(json_object_get(c, "before"), "experiment"), first);
    json_decref(view);
}

static void what_is_no_count_is_left_out(void **state) {
    static const char *const wrong[] = {"[-1, 5]", "[5, 1e300]", "\"x\"", "{}", "[null]", "[]"};
    fixture *fix = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        json_t *counted = counts_json(&usual);
        json_t *writing = json_object_get(json_object_get(counted, "configurations"), "writing");
        json_object_set_new(writing, "instructions", json_loads(wrong[i], JSON_DECODE_ANY, NULL));
        json_t *view = view_of(fix, counted_night(fix, 1 + (int)i, before, counted));
        assert_string_equal(text_of(view, "state"), "measured");
        assert_int_equal(
            json_array_size(json_object_get(dimension_of(view, "instructions"), "portions")), 3);
        assert_int_equal(
            json_array_size(json_object_get(dimension_of(view, "allocations"), "portions")), 4);
        json_decref(view);
    }
    json_t *doubted = view_of(fix, counted_night(fix, 19, before,
                                                 json_pack("{s:{s:s}}", "failed", "none dhat",
                                                           "dhat of configuration none: refused")));
    assert_string_equal(text_of(json_array_get(json_object_get(doubted, "doubts"), 0), "sentence"),
                        "not counted: dhat of configuration none: refused");
    json_decref(doubted);
    json_t *view = view_of(fix, counted_night(fix, 20, before, json_string("none")));
    assert_int_equal(json_array_size(json_object_get(view, "dimensions")), 0);
    json_decref(view);
}

static void an_alert_says_what_counts_say(void **state) {
    static const struct {
        const counts *then;
        const char *says;
        const char *measured; /* what the trial's own sentence ends with */
    } cases[] = {
        {&lighter, "I -38 instructions a call", ": confirmed; its instructions moved with it"},
        {&usual,
         "I: its instructions did not change (50 a call): the cause may be waiting (memory, locks, "
         "the system) or the layout of the code",
         ": confirmed; its instructions did not change"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        teardown(state);
        setup(state);
        fixture *fix = *state;
        for (int day = 1; day <= 6; day++)
            counted_night(fix, day, before, counts_json(&usual));
        run_trial(fix, before, after, counted_night(fix, 7, after, counts_json(cases[i].then)));
        assert_int_equal(alerts(fix), 1);
        json_t *alert = srv_view_alert(fix->store, 1, NULL);
        assert_string_equal(text_of(alert, "counted"), cases[i].says);
        assert_true(g_str_has_suffix(text_of(alert, "reason"), cases[i].measured));
        assert_string_equal(
            text_of(json_array_get(json_object_get(alert, "portions"), 0), "counted"),
            cases[i].says);
        json_decref(alert);
    }
}

static void a_project_has_the_nights_of_a_dimension(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    for (int day = 1; day <= 4; day++)
        counted_night(fix, day, before, day == 2 ? NULL : counts_json(&usual));
    json_t *page =
        srv_view_dimension(fix->store, "kieker", "instructions", (srv_page){2, NULL}, &error);
    const json_t *items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 2);
    assert_string_equal(text_of(json_array_get(items, 1), "night"), "2013-04-03");
    const json_t *portions = json_object_get(json_array_get(items, 1), "portions");
    assert_int_equal(json_array_size(portions), 4);
    assert_string_equal(text_of(json_array_get(portions, 3), "portion"), "W");
    assert_true(real_of(json_array_get(portions, 3), "mean") == 3810);
    g_autofree char *next = g_strdup(text_of(page, "next"));
    json_decref(page);
    page = srv_view_dimension(fix->store, "kieker", "instructions", (srv_page){2, next}, &error);
    assert_int_equal(json_array_size(json_object_get(page, "items")), 1);
    json_decref(page);
    assert_null(srv_view_dimension(fix->store, "kieker", "love", (srv_page){2, NULL}, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    g_error_free(error);
}

/* What the kernel says of measured loops costs nothing, and comes from every night. */
static void readings_of_the_loops_are_dimensions(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, before), *loop;
    size_t i;
    json_array_foreach (json_object_get(body, "loops"), i, loop) {
        const bool none = g_str_equal(text_of(loop, "configuration"), "none");
        json_object_set_new(json_object_get(loop, "readings"), "process",
                            json_pack("{s:f, s:f, s:i, s:i, s:i}", "peak_mb", none ? 8.0 : 9.5,
                                      "cpu_ms", none ? 100.0 : 138.0, "voluntary_switches", 3,
                                      "involuntary_switches", 4, "major_faults", -1));
        json_object_set_new(json_object_get(loop, "readings"), "course",
                            json_pack("{s:f}", "growth_mb", none ? 1.0 : 3.5));
        json_object_set_new(json_object_get(loop, "readings"), "collections",
                            json_integer(none ? 2 : 5));
        json_object_set_new(json_object_get(loop, "readings"), "harness",
                            json_pack("{s:f, s:f}", "start_ms", none ? 20.0 : 25.0, "pauses_ms",
                                      none ? 4.0 : 11.0));
        json_t *summary = json_object_get(loop, "summary");
        fix_calls(loop, 10000);
        json_object_set_new(summary, "p99_9_ns", json_real(1.9 * real_of(summary, "mean_ns")));
        if (!none)
            json_object_set_new(json_object_get(loop, "readings"), "verify",
                                json_pack("{s:i, s:i}", "records", 995, "expected", 1000));
    }
    json_t *answer =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    json_t *view = view_of(fix, number_of(answer, "experiment"));
    const json_t *peak = json_object_get(dimension_of(view, "peak_mb"), "portions");
    assert_true(real_of(json_array_get(peak, 0), "mean") == 8);
    assert_true(real_of(json_array_get(peak, 1), "mean") == 1.5);
    assert_true(
        real_of(json_array_get(json_object_get(dimension_of(view, "switches"), "portions"), 0),
                "mean") == 7);
    const json_t *cpu = json_object_get(dimension_of(view, "cpu_ms"), "portions");
    assert_true(real_of(json_array_get(cpu, 0), "mean") == 100);
    assert_true(real_of(json_array_get(cpu, 1), "mean") == 38);
    const json_t *collections = json_object_get(dimension_of(view, "collections"), "portions");
    assert_true(real_of(json_array_get(collections, 1), "mean") == 3);
    const json_t *growth = json_object_get(dimension_of(view, "growth_mb"), "portions");
    assert_true(real_of(json_array_get(growth, 1), "mean") == 2.5);
    assert_null(json_object_get(dimension_of(view, "cpu_ms"), "threads"));
    assert_null(dimension_of(view, "faults"));
    const json_t *start = json_object_get(dimension_of(view, "start_ms"), "portions");
    assert_true(real_of(json_array_get(start, 1), "mean") == 5);
    const json_t *pauses = json_object_get(dimension_of(view, "pauses_ms"), "portions");
    assert_true(real_of(json_array_get(pauses, 1), "mean") == 7);
    const json_t *tail = json_object_get(dimension_of(view, "p99_9_ns"), "portions");
    assert_true(fabs(real_of(json_array_get(tail, 1), "mean") - 760) < 1e-9);
    const json_t *lost = json_object_get(dimension_of(view, "lost_percent"), "portions");
    assert_true(fabs(real_of(json_array_get(lost, 0), "mean") - 0.5) < 1e-9);
    assert_true(fabs(real_of(json_array_get(lost, 1), "mean") - 0.5) < 1e-9); /* no difference */
    json_decref(view);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

/* A limit that no night ever met closes the gate for good: it says so. */
static void a_night_stands_beside_its_limits(void **state) {
    fixture *fix = *state;
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE project SET detection=replace(detection, "
                                  "'\"dimensions\":true', '\"dimensions\":true,\"limits\":"
                                  "[\"I <= 10 us\",\"I <= 1 ns\",\"instructions <= 5100\","
                                  "\"start <= 2 s\"]')",
                                  ""),
                         SRV__NO_ARGS, NULL));
    json_auto_t *view = view_of(fix, counted_night(fix, 1, before, counts_json(&usual)));
    static const char *const states[] = {"met", "above", "above", "unknown"};
    const json_t *limits = json_object_get(view, "limits");
    assert_int_equal(json_array_size(limits), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(text_of(json_array_get(limits, i), "state"), states[i]);
    assert_true(g_str_has_suffix(text_of(json_array_get(limits, 1), "sentence"),
                                 ", surely above; no night of this series has met it"));
    assert_string_equal(
        text_of(json_array_get(limits, 2), "sentence"),
        "instructions <= 5100: 5210 of writing, surely above; no night of this series has met it");
    json_auto_t *next = view_of(fix, counted_night(fix, 2, before, counts_json(&lighter)));
    assert_string_equal(
        text_of(json_array_get(json_object_get(next, "limits"), 2), "sentence"),
        "instructions <= 5100: 5172 of writing, surely above; no night of this series has met it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_become_portions, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_is_told_the_same_night, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_whose_counts_moved_has_changed, setup, teardown),
        cmocka_unit_test_setup_teardown(small_steps_are_told_when_they_add_up, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_between_is_judged_in_its_place, setup, teardown),
        cmocka_unit_test_setup_teardown(a_gap_is_bridged, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_count_is_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(an_alert_says_what_counts_say, setup, teardown),
        cmocka_unit_test_setup_teardown(a_project_has_the_nights_of_a_dimension, setup, teardown),
        cmocka_unit_test_setup_teardown(readings_of_the_loops_are_dimensions, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_stands_beside_its_limits, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
