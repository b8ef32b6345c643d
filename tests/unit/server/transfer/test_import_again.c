/* A night of a file that is here already: what its file says otherwise is told, and replaced for
 * who wants that. */
#include "carried.h"

#include "config/json_text.h"
#include "server/ground/clock.h"
#include "tests/unit/server/sql_text.h"

#include <math.h>

#define NIGHTS 40
#define FIRST_MS (INT64_C(19800) * 86400000)

/* A file: means of 'none' and 'probe' a night; NaN: the file has no value. */
typedef struct {
    double none[NIGHTS], probe[NIGHTS];
    double half; /* of probe's interval; 0: one loop */
    const char *format, *suite, *driver;
    unsigned from, to;   /* its nights */
    bool single;         /* its configurations: no chain */
    unsigned finished_s; /* after the start: of no value */
} content;

static content usual(void) {
    content of = {.format = "google", .suite = "s", .driver = "imported", .to = NIGHTS};
    for (unsigned i = 0; i < NIGHTS; i++) {
        of.none[i] = 90 + i % 3 / 10.0;
        of.probe[i] = 500 + (i * 7) % 5;
    }
    return of;
}

static void loop_put(json_t *loops, const char *configuration, int loop, double mean) {
    if (isfinite(mean))
        json_array_append_new(loops, json_pack("{s:s,s:i,s:i,s:i,s:f,s:{s:f}}", "configuration",
                                               configuration, "loop", loop, "position",
                                               (int)json_array_size(loops), "started_ms", 1,
                                               "seconds", 0.0, "summary", "mean_ns", mean));
}

static json_t *night_of(const content *of, unsigned i) {
    char date[11];
    const json_int_t at_ms = FIRST_MS + (json_int_t)i * 86400000;
    json_t *loops = json_array();
    srv_day_text(FIRST_MS / 86400000 + i, date);
    loop_put(loops, "none", 1, of->none[i]);
    loop_put(loops, "probe", 1, of->probe[i] - of->half);
    if (of->half > 0)
        loop_put(loops, "probe", 2, of->probe[i] + of->half);
    return json_pack("{s:s,s:s,s:s,s:s,s:{s:o,s:s,s:s,s:I,s:s},s:{s:s,s:I,s:I,s:{s:s,s:s},s:o}}",
                     "type", "night", "kind", "backfill", "night", date, "benchmark", "b", "commit",
                     "sha", json_sprintf("%040x", i + 1), "author", "a", "author_email", "",
                     "time_ms", at_ms, "subject", "change", "result", "node", "imported",
                     "started_ms", at_ms, "finished_ms", at_ms + (json_int_t)of->finished_s * 1000,
                     "environment", "imported", of->format, "suite", of->suite, "loops", loops);
}

static void line_put(GString *to, json_t *line) {
    g_autofree char *text = cfg_json_text(line, 0);
    g_string_append_printf(to, "%s\n", text);
    json_decref(line);
}

static GString *lines_of(const content *of, const char *project) {
    GString *text = g_string_new(NULL);
    line_put(text, json_pack("{s:i,s:s,s:s,s:s,s:s,s:{s:f,s:f,s:f,s:i,s:i}}", "moowatch_export", 1,
                             "project", project, "title", "k", "repository", "r", "branch", "main",
                             "detection", "confidence", 0.95, "minimum_effect_percent", 5.0,
                             "minimum_effect_ns", 1.0, "baseline_nights", 30, "minimum_loops", 1));
    line_put(text,
             json_pack("{s:s,s:s,s:b,s:{s:s,s:i,s:f,s:[{s:s,s:s,s:s,s:n},"
                       "{s:s,s:s,s:s,s:s?}]}}",
                       "type", "benchmark", "hash", "b", "guessed", 1, "body", "driver", of->driver,
                       "loops", 2, "confidence", 0.95, "configurations", "name", "none", "label",
                       "No instrumentation", "portion", "T", "parent", "name", "probe", "label",
                       "Deactivated probe", "portion", "I", "parent", of->single ? NULL : "none"));
    for (unsigned i = of->from; i < of->to; i++)
        line_put(text, night_of(of, i));
    return text;
}

/* The answer; owned. */
static json_t *take(fixture *fix, const content *of, const char *project, bool replace) {
    GError *error = NULL;
    GString *text = lines_of(of, project);
    g_autoptr(srv_import) import = srv_import_new(fix->store, NULL, fix->now_ms);
    if (replace)
        srv_import_replace(import);
    FILE *file = fmemopen(text->str, text->len, "r");
    const bool good =
        replace ? srv_import_whole(import, file, &error) : srv_import_file(import, file, &error);
    (void)fclose(file);
    g_string_free(text, TRUE);
    if (!good)
        fail_msg("%s", error->message);
    return srv_import_report(import);
}

/* What the newest import has brought, as the project's page tells it. */
static void expect_brought(fixture *fix, int nights, int changes) {
    json_auto_t *project = srv_view_project(fix->store, "p", NULL);
    const json_t *brought = json_object_get(project, "import");
    assert_int_equal(number_of(brought, "nights"), nights);
    assert_int_equal(number_of(brought, "changes"), changes);
}

/* What has come stays, and is counted, whatever line follows it. */
static void a_wrong_line_hides_no_change(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    content of = usual();
    for (unsigned i = NIGHTS / 2; i < NIGHTS; i++)
        of.probe[i] += 200;
    g_autoptr(GString) text = lines_of(&of, "p");
    g_string_append(text, "{}\n");
    g_autoptr(srv_import) import = srv_import_new(fix->store, NULL, fix->now_ms);
    assert_false(import_text(import, text->str, &error));
    assert_non_null(strstr(error->message, "line 43: "));
    g_clear_error(&error);
    json_auto_t *report = srv_import_report(import);
    assert_int_equal(number_of(report, "changes"), 1);
    expect_brought(fix, NIGHTS, 1);
}

/* How many were known, and what is said of the only other one; "": there is none. */
static void expect_told(json_t *report, int known, const char *list, const char *reason) {
    const json_t *other = json_object_get(report, list);
    assert_int_equal(number_of(report, "nights"), 0);
    assert_int_equal(number_of(report, "known"), known);
    assert_int_equal(json_array_size(other), *reason ? 1 : 0);
    assert_int_equal(cfg_json_count(report, "differing") + cfg_json_count(report, "replaced"),
                     *reason ? 1 : 0);
    if (*reason) {
        assert_string_equal(text_of(json_array_get(other, 0), "night"), "2024-03-28");
        assert_string_equal(text_of(json_array_get(other, 0), "reason"), reason);
    }
    json_decref(report);
}

/* What is shown of a project: values, verdicts and reasons of its nights, and its alerts; owned. */
static char *shown(fixture *fix, const char *project) {
    json_auto_t *page = srv_view_nights(fix->store, project, (srv_dates){0}, (srv_page){0}, NULL);
    json_auto_t *alerts =
        srv_view_list(fix->store, &srv_list_alerts, project, NULL, (srv_page){0, NULL}, NULL);
    GString *text = g_string_new(NULL);
    size_t i, k;
    json_t *night, *p;
    json_array_foreach (json_object_get(page, "items"), i, night)
        json_array_foreach (json_object_get(night, "portions"), k, p)
            g_string_append_printf(text, "%s %s %.6f %.6f %s %s: %s\n", text_of(night, "night"),
                                   text_of(p, "portion"), cfg_json_number(p, "mean_ns"),
                                   cfg_json_number(p, "low_ns"), text_of(night, "state"),
                                   text_of(p, "verdict"), text_of(p, "reason"));
    json_array_foreach (json_object_get(alerts, "items"), i, p)
        if (!g_str_equal(text_of(p, "state"), "withdrawn"))
            g_string_append_printf(text, "%s\n", text_of(p, "sentence"));
    return g_string_free(text, FALSE);
}

/* As a project has it whose first file was right. */
static void expect_as_new(fixture *fix, const content *right) {
    json_decref(take(fix, right, "fresh", false));
    g_autofree char *replaced = shown(fix, "p"), *fresh = shown(fix, "fresh");
    assert_string_not_equal(replaced, "");
    assert_string_equal(replaced, fresh);
}

enum { AT = 10 }; /* the night that is corrected: 2024-03-28 */

static void other_values_are_told_and_stay(void **state) {
    fixture *fix = *state;
    content of = usual();
    json_decref(take(fix, &of, "p", false));
    g_autofree char *before = shown(fix, "p");
    expect_told(take(fix, &of, "p", false), NIGHTS, "differing", "");
    of.finished_s = 1; /* of another run of the tool that wrote it */
    expect_told(take(fix, &of, "p", false), NIGHTS, "differing", "");
    of.probe[AT] = 540.25;
    expect_told(take(fix, &of, "p", false), NIGHTS - 1, "differing",
                "Deactivated probe: 500 ns here, 540.25 ns in the file");
    of.none[AT] = NAN;
    expect_told(take(fix, &of, "p", false), NIGHTS - 1, "differing",
                "No instrumentation: 90.1 ns here, no value in the file; Deactivated probe: 500 ns "
                "here, 540.25 ns in the file; it stays as it is: with those of the file it could "
                "not be judged");
    g_autofree char *after = shown(fix, "p");
    assert_string_equal(before, after);
}

static void another_interval_is_another_value(void **state) {
    fixture *fix = *state;
    content of = usual(), wider = of;
    of.half = 1;
    json_decref(take(fix, &of, "p", false));
    wider.half = 2;
    wider.from = AT;
    wider.to = AT + 1;
    expect_told(take(fix, &wider, "p", false), 0, "differing",
                "Deactivated probe: 500 ns here, with another interval or other loops in the file");
}

/* A step that was none, and all that followed from it. */
static void replaced_values_are_judged_as_if_they_had_been_there(void **state) {
    fixture *fix = *state;
    content wrong = usual(), right = wrong;
    for (unsigned i = AT; i < NIGHTS; i++)
        wrong.probe[i] += 200;
    json_decref(take(fix, &wrong, "p", false));
    g_autofree char *before = shown(fix, "p");
    assert_non_null(strstr(before, "I rose from"));
    expect_brought(fix, NIGHTS, 1);
    json_auto_t *report = take(fix, &right, "p", true);
    assert_int_equal(cfg_json_count(report, "replaced"), NIGHTS - AT);
    assert_int_equal(number_of(report, "known"), AT);
    expect_brought(fix, NIGHTS - AT, 0);
    expect_as_new(fix, &right);
    expect_told(take(fix, &right, "p", true), NIGHTS, "replaced", "");
    json_auto_t *back = take(fix, &wrong, "p", true); /* and the alert is there again */
    assert_int_equal(cfg_json_count(back, "replaced"), NIGHTS - AT);
    g_autofree char *after = shown(fix, "p");
    assert_string_equal(before, after);
}

static void one_night_is_replaced(void **state) {
    fixture *fix = *state;
    content of = usual(), right = of;
    json_decref(take(fix, &of, "p", false));
    right.probe[AT] = 540.25;
    expect_told(take(fix, &right, "p", true), NIGHTS - 1, "replaced",
                "Deactivated probe: 500 ns here, 540.25 ns in the file");
    expect_as_new(fix, &right);
}

/* Without its control it could not be judged; with it, it is one of its series. */
static void what_could_not_be_judged_comes_in(void **state) {
    fixture *fix = *state;
    content of = usual(), right = of;
    of.none[AT] = NAN;
    json_decref(take(fix, &of, "p", false));
    expect_told(take(fix, &right, "p", true), NIGHTS - 1, "replaced",
                "No instrumentation: no value here, 90.1 ns in the file");
    expect_as_new(fix, &right);
}

static void what_is_of_something_else_stays(void **state) {
    fixture *fix = *state;
    content of = usual(), other = of;
    json_decref(take(fix, &of, "p", false));
    g_autofree char *before = shown(fix, "p");
    other.probe[AT] = 540.25;
    other.suite = "another";
    expect_told(
        take(fix, &other, "p", true), NIGHTS - 1, "differing",
        "Deactivated probe: 500 ns here, 540.25 ns in the file; it stays as it is: it is of "
        "another suite, format or chain here");
    g_autofree char *after = shown(fix, "p");
    assert_string_equal(before, after);
}

/* asv dates a run by its commit, whichever machine it ran on. */
static void each_machine_of_asv_is_a_run(void **state) {
    fixture *fix = *state;
    content big = usual(), vm = big, old = big;
    big.format = vm.format = old.format = "asv";
    big.suite = "big, py3";
    vm.suite = "vm, py3";
    old.suite = ""; /* as 0.1.0 took it in */
    for (unsigned i = 0; i < NIGHTS; i++)
        vm.probe[i] += 300;
    json_decref(take(fix, &old, "p", false));
    expect_told(take(fix, &big, "p", false), NIGHTS, "differing", "");
    for (unsigned turn = 0; turn < 2; turn++) {
        const char *project = turn == 0 ? "q" : "r";
        json_decref(take(fix, turn == 0 ? &big : &vm, project, false));
        json_auto_t *second = take(fix, turn == 0 ? &vm : &big, project, false);
        assert_int_equal(number_of(second, "nights"), NIGHTS);
        expect_told(take(fix, &vm, project, false), NIGHTS, "differing", "");
        expect_told(take(fix, &big, project, false), NIGHTS, "differing", "");
        content right = big;
        right.probe[AT] = 540.25;
        expect_told(take(fix, &right, project, true), NIGHTS - 1, "replaced",
                    "Deactivated probe: 500 ns here, 540.25 ns in the file");
    }
}

/* A machine waits for what it had itself. */
static void what_a_machine_never_had_is_not_missing(void **state) {
    fixture *fix = *state;
    content big = usual(), vm = big;
    big.format = vm.format = "asv";
    big.suite = "big, py3";
    vm.suite = "vm, py3";
    big.single = vm.single = true;
    for (unsigned i = 0; i < NIGHTS; i++)
        vm.probe[i] = i >= 20 && i < 30 ? vm.probe[i] + 300 : NAN;
    json_decref(take(fix, &big, "p", false));
    json_decref(take(fix, &vm, "p", false));
    g_autofree char *all = shown(fix, "p");
    g_auto(GStrv) missing = g_strsplit(all, " I nan ", -1);
    assert_int_equal(g_strv_length(missing) - 1, 10);
}

/* What a node measured nobody writes anew. */
static void what_a_node_measured_stays(void **state) {
    fixture *fix = *state;
    content of = usual();
    of.driver = "command";
    json_decref(take(fix, &of, "p", false));
    of.probe[AT] = 540.25;
    expect_told(take(fix, &of, "p", true), NIGHTS - 1, "differing",
                "Deactivated probe: 500 ns here, 540.25 ns in the file; it stays as it is: a node "
                "measured it");
}

static int without_project(void **state) {
    *state = fix_new();
    return 0;
}

int main(void) {
#define EMPTY(name) cmocka_unit_test_setup_teardown(name, without_project, fix_teardown)
    const struct CMUnitTest tests[] = {
        EMPTY(other_values_are_told_and_stay),
        EMPTY(another_interval_is_another_value),
        EMPTY(replaced_values_are_judged_as_if_they_had_been_there),
        EMPTY(one_night_is_replaced),
        EMPTY(what_could_not_be_judged_comes_in),
        EMPTY(what_is_of_something_else_stays),
        EMPTY(a_wrong_line_hides_no_change),
        EMPTY(each_machine_of_asv_is_a_run),
        EMPTY(what_a_machine_never_had_is_not_missing),
        EMPTY(what_a_node_measured_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
