/* A benchmark keeps its name here, though the file of a night has no other of that name. */
#include "carried.h"

#include "config/json_text.h"
#include "server/ground/clock.h"

#include <math.h>

#define FIRST_MS (INT64_C(19800) * 86400000)

/* A benchmark of a file: its key is its name. full NULL: of a release that wrote none, or nothing
 * tells it apart. mean 0: it has failed. */
typedef struct {
    const char *name, *alone, *full;
    double mean;
} bench;

static json_t *names_of(const bench *of) {
    return json_pack("{s:{s:s,s:s},s:{s:s,s:s}}", "alone", "name", of->alone, "label", of->alone,
                     "full", "name", of->full, "label", of->full);
}

static void line_put(GString *to, json_t *line) {
    g_autofree char *text = cfg_json_text(line, 0);
    g_string_append_printf(to, "%s\n", text);
    json_decref(line);
}

static json_t *night_of(unsigned i, json_t *loops, json_t *left, json_t *pairs) {
    char date[11];
    const json_int_t at_ms = FIRST_MS + (json_int_t)i * 86400000;
    srv_day_text(FIRST_MS / 86400000 + i, date);
    return json_pack("{s:s,s:s,s:s,s:s,s:{s:o,s:s,s:s,s:I,s:s},s:o,"
                     "s:{s:s,s:I,s:I,s:{s:s,s:{s:o}},s:o}}",
                     "type", "night", "kind", "backfill", "night", date, "benchmark", "b", "commit",
                     "sha", json_sprintf("%040x", i + 1), "author", "a", "author_email", "",
                     "time_ms", at_ms, "subject", "change", "left", left, "result", "node",
                     "imported", "started_ms", at_ms, "finished_ms", at_ms, "environment",
                     "imported", "gotest", "detail", "loops", pairs, "loops", loops);
}

/* A file of one night, of a project; the answer, owned. */
static json_t *take_in(fixture *fix, const char *project, unsigned night, const bench *list) {
    GError *error = NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    json_t *names = json_object(), *configurations = json_array(), *loops = json_array(),
           *left = json_object(), *pairs = json_array();
    for (const bench *one = list; one->name; one++) {
        if (one->full)
            json_object_set_new(names, one->name, names_of(one));
        if (one->mean == 0) {
            json_object_set_new(left, one->name, json_string("has failed"));
            continue;
        }
        json_array_append_new(pairs, json_string(one->name));
        json_array_append_new(configurations,
                              json_pack("{s:s,s:s,s:s,s:n}", "name", one->name, "label", one->name,
                                        "portion", one->name, "parent"));
        json_array_append_new(loops, json_pack("{s:s,s:i,s:i,s:i,s:f,s:{s:f}}", "configuration",
                                               one->name, "loop", 1, "position",
                                               (int)json_array_size(loops), "started_ms", 1,
                                               "seconds", 0.0, "summary", "mean_ns", one->mean));
    }
    line_put(text, json_pack("{s:i,s:s,s:s,s:s,s:s,s:{s:f,s:f,s:f,s:i,s:i}}", "moowatch_export", 1,
                             "project", "p", "title", "k", "repository", "r", "branch", "main",
                             "detection", "confidence", 0.95, "minimum_effect_percent", 5.0,
                             "minimum_effect_ns", 1.0, "baseline_nights", 30, "minimum_loops", 1));
    line_put(text, json_pack("{s:s,s:s,s:b,s:o,s:{s:s,s:i,s:f,s:o}}", "type", "benchmark", "hash",
                             "b", "guessed", 1, "names", names, "body", "driver", "imported",
                             "loops", 2, "confidence", 0.95, "configurations", configurations));
    line_put(text, night_of(night, loops, left, pairs));
    g_autoptr(srv_import) import = srv_import_new(fix->store, project, fix->now_ms);
    if (!import_text(import, text->str, &error))
        fail_msg("%s", error->message);
    return srv_import_report(import);
}

static json_t *take(fixture *fix, unsigned night, const bench *list) {
    return take_in(fix, "p", night, list);
}

/* The newest night's benchmarks with their values, and why one has none. */
static void expect_night(fixture *fix, unsigned night, const bench *list, const char *wanted) {
    json_decref(take(fix, night, list));
    json_auto_t *page = srv_view_nights(fix->store, "p", (srv_dates){0}, (srv_page){0}, NULL);
    const json_t *items = json_object_get(page, "items"), *p;
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    cfg_json_each (json_array_get(items, 0), "portions", i, p) {
        const double mean = cfg_json_number(p, "mean_ns");
        g_string_append_printf(text, "%s%s ", i > 0 ? ", " : "", text_of(p, "portion"));
        g_string_append_printf(text, isfinite(mean) ? "%.0f" : "none", mean);
    }
    assert_string_equal(text->str, wanted);
}

#define A_ALONE(mean)                                                                              \
    { "x", "x", "x a", mean }
#define B_ALONE(mean)                                                                              \
    { "x", "x", "x b", mean }
#define A_FULL(mean)                                                                               \
    { "x a", "x", "x a", mean }
#define B_FULL(mean)                                                                               \
    { "x b", "x", "x b", mean }
#define LIST(...)                                                                                  \
    (const bench[]) {                                                                              \
        __VA_ARGS__, {                                                                             \
            0                                                                                      \
        }                                                                                          \
    }

static void what_is_told_apart_stays_so(void **state) {
    fixture *fix = *state;
    expect_night(fix, 0, LIST(A_FULL(100), B_FULL(2000)), "x a 100, x b 2000");
    expect_night(fix, 1, LIST(B_ALONE(2001)), "x a none, x b 2001");
    expect_night(fix, 2, LIST(A_ALONE(101)), "x a 101, x b none");
    expect_night(fix, 3, LIST(A_ALONE(102), B_FULL(0)), "x a 102, x b none");
    expect_night(fix, 4, LIST(A_FULL(103), B_FULL(2002)), "x a 103, x b 2002");
}

/* Who was alone keeps the short name, and another one does not get it. */
static void another_is_told_apart(void **state) {
    fixture *fix = *state;
    expect_night(fix, 0, LIST(A_ALONE(100), {"y", NULL, NULL, 5}), "x 100, y 5");
    expect_night(fix, 1, LIST(B_ALONE(2000), {"y", NULL, NULL, 5}), "x none, y 5, x b 2000");
    expect_night(fix, 2, LIST(A_FULL(101), B_FULL(2001)), "x 101, y none, x b 2001");
    expect_night(fix, 3, LIST(B_ALONE(2002)), "x none, y none, x b 2002");
    expect_night(fix, 4, LIST({"x", "x", "x c", 7}, {"y", NULL, NULL, 5}),
                 "x none, y 5, x b none, x c 7");
}

/* Told once; what is removed, or comes with a name of its own, is not. */
static void who_comes_apart_is_told(void **state) {
    static const char *const told[] = {"[]", "[\"x b\"]", "[]", "[]"};
    for (unsigned i = 0; i < G_N_ELEMENTS(told); i++) {
        json_auto_t *report =
            take(*state, i,
                 i == 0 || i == 3 ? LIST(A_ALONE(100)) : LIST(B_ALONE(2000), {"y", "y", "y b", 5}));
        g_autofree char *apart = json_dumps(json_object_get(report, "apart"), 0);
        assert_string_equal(apart, told[i]);
    }
}

/* Nothing else is in either file. */
static void another_alone_is_another_thing(void **state) {
    fixture *fix = *state;
    expect_night(fix, 0, LIST(A_ALONE(100)), "x 100");
    expect_night(fix, 1, LIST(B_ALONE(2000)), "x b 2000");
    expect_night(fix, 2, LIST({"x", "x", "x c", 7}), "x c 7");
    expect_night(fix, 3, LIST(A_ALONE(101)), "x 101");
    json_auto_t *known = take(fix, 1, LIST(B_ALONE(2000)));
    assert_int_equal(number_of(known, "known"), 1);
}

/* Of a history from before this was known a short name is the one that the newest night has. */
static void an_older_history_goes_on(void **state) {
    fixture *fix = *state;
    expect_night(fix, 0, LIST({"x a", NULL, NULL, 100}, {"x b", NULL, NULL, 2000}),
                 "x a 100, x b 2000");
    expect_night(fix, 1, LIST({"x", NULL, NULL, 101}, {"x b", NULL, NULL, 2001}),
                 "x a none, x b 2001, x 101");
    expect_night(fix, 2, LIST(A_ALONE(102)), "x a none, x b none, x 102");
    expect_night(fix, 3, LIST(A_FULL(103), B_FULL(2003)), "x a none, x b 2003, x 103");
}

/* Eight nights of x, then `between` into a project, then both: what x doubled to is judged. */
static void expect_judged(fixture *fix, const char *project, const bench *between) {
    for (unsigned i = 0; i < 8; i++)
        json_decref(take(fix, i, LIST({"x", NULL, NULL, 100 + i % 3})));
    json_decref(take_in(fix, project, 8, between));
    json_decref(take(fix, 9, LIST({"x", NULL, NULL, 205}, {"y", NULL, NULL, 501})));
    json_auto_t *page = srv_view_nights(fix->store, "p", (srv_dates){0}, (srv_page){0}, NULL);
    const json_t *night = json_array_get(json_object_get(page, "items"), 0), *p;
    size_t i;
    cfg_json_each (night, "portions", i, p)
        assert_int_equal(g_str_equal(text_of(p, "verdict"), "first"),
                         g_str_equal(text_of(p, "portion"), "y"));
    assert_int_equal(i, 2);
}

static void another_project_ends_no_history(void **state) {
    expect_judged(*state, "q", LIST({"y", NULL, NULL, 500}));
}

/* A night of y alone is a series of its own, and the shorter one. */
static void the_longer_history_goes_on(void **state) {
    expect_judged(*state, "p", LIST({"y", NULL, NULL, 500}));
}

static int without_project(void **state) {
    *state = fix_new();
    return 0;
}

int main(void) {
#define EMPTY(name) cmocka_unit_test_setup_teardown(name, without_project, fix_teardown)
    const struct CMUnitTest tests[] = {
        EMPTY(what_is_told_apart_stays_so),    EMPTY(another_is_told_apart),
        EMPTY(another_alone_is_another_thing), EMPTY(who_comes_apart_is_told),
        EMPTY(an_older_history_goes_on),       EMPTY(another_project_ends_no_history),
        EMPTY(the_longer_history_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
