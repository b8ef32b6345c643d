/* Histories that were measured elsewhere, as bad as they come: nothing can be asked again. */
#include "tests/unit/test.h"

#include "config/json_text.h"
#include "server/alarm/baselines.h"
#include "server/ground/clock.h"
#include "tests/unit/server/fixture.h"

#include "server/views/views.h"
#include "tests/unit/server/transfer/imported.h"

#include <math.h>
#include <string.h>

#define FIRST_DAY 19723 /* 2024-01-01 */
#define CONFIGURATIONS 4
#define NOISE 0.004

static const char header[] =
    "{\"moowatch_export\":1,\"project\":\"p\",\"title\":\"p\",\"repository\":\"a file\","
    "\"branch\":\"main\",\"detection\":{\"confidence\":0.95,\"minimum_effect_percent\":2.0,"
    "\"minimum_effect_ns\":1.0,\"baseline_nights\":30,\"minimum_loops\":1,\"remeasure\":false,"
    "\"remeasure_loops\":300,\"ageing_days\":30}}";
#define BENCHMARK(driver)                                                                          \
    "{\"type\":\"benchmark\",\"hash\":\"b\",\"body\":{\"driver\":\"" driver "\",\"loops\":2,"      \
    "\"confidence\":0.95,\"configurations\":[{\"name\":\"c0\",\"label\":\"a\",\"portion\":\"T\","  \
    "\"parent\":null},{\"name\":\"c1\",\"label\":\"b\",\"portion\":\"I\",\"parent\":\"c0\"},"      \
    "{\"name\":\"c2\",\"label\":\"c\",\"portion\":\"C\",\"parent\":\"c1\"},{\"name\":\"c3\","      \
    "\"label\":\"d\",\"portion\":\"W\",\"parent\":\"c2\"}]}}"

static const double usual[CONFIGURATIONS] = {90, 440, 1840, 3300};

typedef struct {
    fixture *fix;
    GString *lines;
    guint nights;
    guint64 luck;
    double noise, lean; /* of a night's means; of its two loops, which stand for an interval */
} history;

static history begin_as(fixture *fix, const char *benchmark) {
    history h = {
        .fix = fix, .lines = g_string_new(header), .luck = 7, .noise = NOISE, .lean = 0.002};
    g_string_append_printf(h.lines, "\n%s\n", benchmark);
    return h;
}

static history begin(fixture *fix) {
    return begin_as(fix, BENCHMARK("imported"));
}

/* About normal, the same on every machine. */
static double noise(history *h) {
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        h->luck = h->luck * UINT64_C(6364136223846793005) + 1442695040888963407;
        sum += (double)(h->luck >> 11) / 9007199254740992.0;
    }
    return h->noise * (sum - 6);
}

/* Every configuration times factor, W's own beside. */
static void night(history *h, int day, const char *environment, double factor, double of_w) {
    char date[11];
    srv_day_text(FIRST_DAY + day, date);
    json_t *loops = json_array();
    for (int c = 0; c < CONFIGURATIONS; c++) {
        const double w = c == 3 ? (of_w - 1) * (usual[3] - usual[2]) : 0;
        const double mean = factor * (usual[c] + w) * (1 + noise(h));
        for (int l = 1; l <= 2; l++)
            json_array_append_new(loops, json_pack("{s:o,s:i,s:i,s:I,s:f,s:{s:f}}", "configuration",
                                                   json_sprintf("c%d", c), "loop", l, "position",
                                                   2 * c + l - 1, "started_ms", (json_int_t)1000,
                                                   "seconds", 0.0, "summary", "mean_ns",
                                                   mean * (1 + (l == 1 ? -h->lean : h->lean))));
    }
    json_t *line = json_pack(
        "{s:s,s:s,s:s,s:s,s:{s:o,s:s,s:s,s:I,s:s,s:n},s:{s:s,s:I,s:I,s:{s:s},s:o}}", "type",
        "night", "kind", "backfill", "night", date, "benchmark", "b", "commit", "sha",
        json_sprintf("%040x", h->nights + 1), "author", "a", "author_email", "", "time_ms",
        (json_int_t)(FIRST_DAY + day) * 86400000, "subject", "change", "parent", "result", "node",
        "elsewhere", "started_ms", (json_int_t)1000, "finished_ms", (json_int_t)1000, "environment",
        "host", environment, "loops", loops);
    g_autofree char *text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    h->nights++;
    g_string_append_printf(h->lines, "%s\n", text);
}

static void end(history *h) {
    GError *error = NULL;
    g_autoptr(srv_import) import = srv_import_new(h->fix->store, NULL, g_get_real_time() / 1000);
    if (!import_text(import, h->lines->str, &error))
        fail_msg("%s", error->message);
    g_string_free(h->lines, TRUE);
}

static json_t *page_of(fixture *fix, const char *what) {
    const srv_page all = {0, NULL};
    return g_str_equal(what, "alerts")
               ? srv_view_list(fix->store, &srv_list_alerts, "p", NULL, all, NULL)
               : srv_view_list(fix->store, &srv_list_incidents, "p", NULL, all, NULL);
}

static void expect_count(fixture *fix, const char *what, size_t expected) {
    json_t *page = page_of(fix, what);
    json_t *items = json_object_get(page, "items");
    if (json_array_size(items) != expected) {
        g_autofree char *text = json_dumps(items, JSON_INDENT(1));
        fail_msg("%zu %s instead of %zu: %s", json_array_size(items), what, expected, text);
    }
    json_decref(page);
}

/* What the newest alert or incident has as its first night. */
static void expect_first(fixture *fix, const char *what, int day) {
    char date[11];
    srv_day_text(FIRST_DAY + day, date);
    json_t *page = page_of(fix, what);
    const json_t *to = json_object_get(json_array_get(json_object_get(page, "items"), 0), "to");
    assert_string_equal(text_of(to, "night"), date);
    json_decref(page);
}

static void one_night_far_out_is_told_to_nobody(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    for (int day = 0; day < 30; day++)
        night(&h, day, "a", 1, day == 15 ? 1.6 : 1);
    end(&h);
    expect_count(fix, "alerts", 0);
}

/* A node here may have the name of the machine that measured them. */
static void node_asks(fixture *fix, const char *name) {
    json_t *can = json_pack("[s]", "explain"), *leased = NULL;
    assert_true(srv_queue_lease(fix->store, &fix_rules,
                                &(srv_node){.name = name, .version = "0.1", .can = can},
                                fix->now_ms, &leased, NULL));
    assert_null(leased);
    json_decref(can);
}

static void two_nights_that_agree_are_told_since_the_first(void **state) {
    fixture *fix = *state;
    node_asks(fix, "elsewhere");
    history h = begin(fix);
    for (int day = 0; day < 30; day++)
        night(&h, day, "a", 1, day >= 15 ? 1.6 : 1);
    end(&h);
    expect_count(fix, "alerts", 1);
    expect_first(fix, "alerts", 15);
    expect_count(fix, "incidents", 0);
    json_t *alert = srv_view_alert(fix->store, 1, NULL); /* and no node here profiles it */
    assert_true(json_is_null(json_object_get(alert, "explanation")));
    json_decref(alert);
}

static void one_night_is_a_history(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    night(&h, 0, "a", 1, 1);
    end(&h);
    expect_count(fix, "alerts", 0);
    expect_count(fix, "incidents", 0);
    json_t *project = srv_view_project(fix->store, "p", NULL);
    assert_int_equal(number_of(project, "nights"), 1);
    json_decref(project);
}

/* What becomes of two loops a configuration, which lean the same way. */
static void expect_stated(fixture *fix, bool paired) {
    history h = begin(fix);
    night(&h, 0, "a", 1, 1);
    g_autofree char *named = g_strdup(h.lines->str);
    (void)g_string_replace(h.lines, "\"host\":",
                           paired ? "\"imported\":\"github\",\"detail\":{\"paired\":true},\"host\":"
                                  : "\"imported\":\"github\",\"host\":",
                           0);
    assert_string_not_equal(named, h.lines->str);
    end(&h);
    json_auto_t *seen = srv_view_experiment(fix->store, 1, NULL);
    const json_t *configurations = json_object_get(seen, "configurations"), *portion;
    double half[CONFIGURATIONS];
    size_t i;
    json_array_foreach (json_object_get(seen, "portions"), i, portion) {
        const json_t *one = json_array_get(configurations, i);
        half[i] = cfg_json_number(one, "high_ns") - cfg_json_number(one, "mean_ns");
        const double own =
            cfg_json_number(portion, "high_ns") - cfg_json_number(portion, "mean_ns");
        const double below = i > 0 ? half[i - 1] : 0;
        assert_true(fabs(own / (paired ? half[i] - below : hypot(half[i], below)) - 1) < 1e-9);
        assert_true(json_is_null(json_object_get(portion, "method")));
    }
    assert_int_equal(i, CONFIGURATIONS);
}

/* Two loops that tell no more than a mean stand for the interval that the file has: nothing was
 * paired, and what does not hang together adds up as squares. */
static void stated_intervals_add_up_as_squares(void **state) {
    expect_stated(*state, false);
}

/* Where the file has portions, these are what their intervals are of. */
static void stated_portions_have_their_intervals(void **state) {
    expect_stated(*state, true);
}

static json_t *only_incident(fixture *fix, const char *state) {
    json_t *page = page_of(fix, "incidents");
    json_t *items = json_object_get(page, "items"), *found = NULL;
    size_t i;
    json_t *item;
    json_array_foreach (items, i, item) {
        if (g_str_equal(text_of(item, "state"), "withdrawn"))
            continue;
        assert_null(found);
        found = json_incref(item);
    }
    assert_non_null(found);
    assert_string_equal(text_of(found, "state"), state);
    json_decref(page);
    return found;
}

/* The file itself says from night 30 on that it knows four times less: a night is no surer than
 * that. */
static void wide_intervals_claim_nothing(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    h.luck = 3;
    for (int day = 0; day < 45; day++) {
        h.noise = day < 30 ? 0.004 : 0.016;
        h.lean = h.noise * 1.96 / 12.706; /* as import makes it: Student's interval of the two */
        night(&h, day, "a", 1, 1);
    }
    (void)g_string_replace(h.lines, "\"host\":", "\"imported\":\"github\",\"host\":", 0);
    end(&h);
    expect_count(fix, "alerts", 0);
    json_auto_t *noisier = only_incident(fix, "open");
    assert_string_equal(text_of(noisier, "kind"), "noise");
}

/* Each night is off by another large factor: none can be believed, and nobody is told of code. */
static void nights_that_are_all_broken_raise_no_alert(void **state) {
    static const double factors[] = {1, 700, 0.01, 90000, 0.4, 3000, 25, 0.002, 400, 9};
    fixture *fix = *state;
    history h = begin(fix);
    for (int day = 0; day < 40; day++)
        night(&h, day, "a", factors[day % 10], 1);
    end(&h);
    expect_count(fix, "alerts", 0);
}

/* In order of nights: "h" not judged, "f" the first, "e" another environment, "o" as before. */
static char *verdicts_of(fixture *fix, size_t portion) {
    json_t *page = srv_view_nights(fix->store, "p", (srv_dates){0}, (srv_page){0, NULL}, NULL);
    assert_non_null(page);
    GString *said = g_string_new(NULL);
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(page, "items"), i, item) {
        const json_t *of = json_array_get(json_object_get(item, "portions"), portion);
        g_string_prepend_c(said, *text_of(of, "verdict"));
    }
    json_decref(page);
    return g_string_free(said, FALSE);
}

/* The first nights of inspectIT's history: one of the six is good. What was said of the good ones
   while they were few is taken back, and the incident is of the first night. */
static void the_first_nights_are_the_broken_ones(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    for (int day = 0; day < 20; day++)
        night(&h, day, "a", day < 6 && day != 4 ? 270 : 1, day < 6 && day != 4 ? 0.1 : 1);
    end(&h);
    g_autofree char *said = verdicts_of(fix, 1);
    assert_string_equal(said, "hhhhfhoooooooooooooo");
    expect_count(fix, "alerts", 0);
    json_t *incident = only_incident(fix, "closed");
    assert_string_equal(text_of(incident, "kind"), "broken");
    assert_true(json_is_null(json_object_get(incident, "from")));
    assert_string_equal(text_of(json_object_get(incident, "to"), "night"), "2024-01-01");
    assert_string_equal(text_of(json_object_get(incident, "seen"), "night"), "2024-01-01");
    assert_string_equal(text_of(json_object_get(incident, "over"), "night"), "2024-01-05");
    assert_string_equal(text_of(incident, "sentence"),
                        "all 4 configurations far outside "
                        "everything seen later, first on 2024-01-01");
    json_decref(incident);
}

/* Back-filled from the last to the first, or in order: the same is said. */
static void broken_first_nights_may_come_in_last(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    for (int day = 2; day < 20; day++)
        night(&h, day, "a", 1, 1);
    for (int day = 1; day >= 0; day--)
        night(&h, day, "a", 270, 0.1);
    end(&h);
    g_autofree char *said = verdicts_of(fix, 1);
    assert_string_equal(said, "hhfooooooooooooooooo");
    expect_count(fix, "alerts", 0);
    json_t *incident = only_incident(fix, "closed");
    assert_string_equal(text_of(json_object_get(incident, "to"), "night"), "2024-01-01");
    assert_string_equal(text_of(json_object_get(incident, "over"), "night"), "2024-01-03");
    json_decref(incident);
}

/* Nor does an environment begin with a night that is not used. */
static void a_wrong_unit_begins_no_environment(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    const double thousand = 1 + 999 * usual[3] / (usual[3] - usual[2]);
    for (int day = 0; day < 20; day++)
        night(&h, day, day < 10 ? "a" : "b", 1, day == 10 || day == 11 ? thousand : 1);
    end(&h);
    g_autofree char *said = verdicts_of(fix, 3);
    assert_string_equal(said, "fooooooooohhfooooooo");
}

/* After a year the machine is what it was: the history goes on; a change within the gap is told. */
static void a_gap_of_a_year_ends_no_history(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    for (int day = 0; day < 20; day++)
        night(&h, day, "a", 1, 1);
    for (int day = 385; day < 400; day++)
        night(&h, day, "a", 1, 1);
    for (int day = 765; day < 775; day++)
        night(&h, day, "a", 1, 1.5);
    end(&h);
    expect_count(fix, "alerts", 1);
    expect_first(fix, "alerts", 765);
    expect_count(fix, "incidents", 0);
}

/* Each environment is a series of its own, judged against itself. */
static void environments_in_turn_are_judged_apart(void **state) {
    fixture *fix = *state;
    history h = begin(fix);
    for (int day = 0; day < 60; day++)
        night(&h, day, day % 2 ? "b" : "a", day % 2 ? 1.4 : 1, day >= 40 ? 1.5 : 1);
    end(&h);
    expect_count(fix, "alerts", 2);
    expect_first(fix, "alerts", 41);
}

/* Whether the reference of W lies nearer to the level before than to the one after, in the nights
 * after a day. */
static bool is_between(fixture *fix, int after, double middle) {
    json_auto_t *view =
        srv_view_nights(fix->store, "p", (srv_dates){0}, (srv_page){60, NULL}, NULL);
    char date[11];
    size_t i;
    json_t *row;
    srv_day_text(FIRST_DAY + after, date);
    json_array_foreach (json_object_get(view, "items"), i, row) {
        const json_t *w = json_array_get(json_object_get(row, "portions"), 3);
        const json_t *level = json_object_get(json_object_get(w, "reference"), "mean_ns");
        if (strcmp(text_of(row, "night"), date) > 0 && json_number_value(level) < middle)
            return true;
    }
    return false;
}

/* Few nights stand behind a level that began by hand: the rise was dated a night late then, which
 * no one had moved, and told again, from a level that neither side has. */
static void a_rise_whose_alert_is_moved_is_told_once(void **state) {
    fixture *fix = *state;
    history h = begin_as(fix, BENCHMARK("moobench"));
    h.luck = 3;
    h.noise = 0.012;
    for (int day = 0; day < 28; day++)
        night(&h, day, "a", 1, day >= 16 ? 1.2 : 1);
    end(&h);
    expect_count(fix, "alerts", 1);
    expect_first(fix, "alerts", 16);
    for (int day = 9; day < 16; day++) {
        char date[11];
        int64_t id;
        GError *error = NULL;
        srv_day_text(FIRST_DAY + day, date);
        const srv_baseline moved = {
            .alert = 1, .night = date, .reason = "it crept in", .author = "ada"};
        if (!srv_baseline_set(fix->store, "p", &moved, 1000, &id, &error))
            fail_msg("%s", error->message);
        expect_count(fix, "alerts", 1);
        assert_false(is_between(fix, 16, usual[3] - usual[2] + 0.1 * (usual[3] - usual[2])));
        assert_true(srv_baseline_undo(fix->store, id, "ada", "it did not", 1000, NULL));
    }
    expect_count(fix, "alerts", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(one_night_far_out_is_told_to_nobody),
        FIX_TEST(two_nights_that_agree_are_told_since_the_first),
        FIX_TEST(one_night_is_a_history),
        FIX_TEST(stated_intervals_add_up_as_squares),
        FIX_TEST(stated_portions_have_their_intervals),
        FIX_TEST(wide_intervals_claim_nothing),
        FIX_TEST(nights_that_are_all_broken_raise_no_alert),
        FIX_TEST(the_first_nights_are_the_broken_ones),
        FIX_TEST(broken_first_nights_may_come_in_last),
        FIX_TEST(a_wrong_unit_begins_no_environment),
        FIX_TEST(a_gap_of_a_year_ends_no_history),
        FIX_TEST(environments_in_turn_are_judged_apart),
        FIX_TEST(a_rise_whose_alert_is_moved_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
