/* A project's newest night in two words. */
#include "tests/unit/test.h"

#include "server/views/badge.h"

#include <string.h>

#define GREEN "#2e7d32"
#define RED "#b3261e"
#define YELLOW "#8a6100"
#define GREY "#5f6368"

static gboolean badge_of(srv_badge *out, const json_t *project, const json_t *json,
                         const char *portion) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_badge_of(out, project, json_is_object(json) ? &night : NULL, portion);
}

static json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_t *json = json_loads(quoted, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    return json;
}

#define NIGHT(total, verdict)                                                                      \
    "{'state': 'measured', 'total': {" total "}, 'portions': [{'portion': 'W', 'verdict':"         \
    " '" verdict "', 'mean_ns': 100, 'low_ns': 98, 'high_ns': 102}]}"
/* Of a chain whose W is judged so widely, or not. */
#define WIDE(low, high)                                                                            \
    "{'state': 'measured', 'portions': [{'portion': 'T', 'configuration': 'n', 'verdict': 'ok',"   \
    " 'reference': {'mean_ns': 50, 'low_ns': 49, 'high_ns': 51}}, {'portion': 'W', 'parent': 'n'," \
    " 'verdict': 'ok', 'judged': {'low_ns': " low ", 'high_ns': " high "}, 'reference': {"         \
    "'mean_ns': 300, 'low_ns': " low ", 'high_ns': " high "}}]}"
/* Two writers on T; the first one is in the total. */
#define WRITERS(first, second)                                                                     \
    "{'state': 'measured', 'total': {'mean_ns': 300}, 'portions': [{'portion': 'T',"               \
    " 'configuration': 'n', 'verdict': 'ok'}, {'portion': 'W', 'configuration': 'a', 'parent':"    \
    " 'n', 'verdict': '" first "', 'mean_ns': 100}, {'portion': 'W', 'configuration': 'b',"        \
    " 'parent': 'n', 'verdict': '" second "', 'mean_ns': 200}]}"
#define SLOWER_B "{'told': [{'portion': 'W', 'configuration': 'b', 'direction': 'up'}]}"
#define RATE                                                                                       \
    "{'state': 'measured', 'total': {'mean_ns': 300}, 'portions': [{'portion': 'rate', 'unit':"    \
    " 'ops/s', 'better': 'higher', 'configuration': 'n', 'verdict': 'ok', 'mean_ns': 300}]}"
#define SHARE                                                                                      \
    "{'state': 'measured', 'total': {'mean_ns': 4.87, 'low_ns': 4.79, 'high_ns': 4.95}, "          \
    "'portions': [{'portion': 'cpu', 'unit': '%', 'configuration': 'n', 'verdict': 'ok', "         \
    "'mean_ns': 4.87, 'low_ns': 4.79, 'high_ns': 4.95}]}"
#define PERCENT                                                                                    \
    "{'state': 'measured', 'portions': [{'portion': 'slower', 'unit': 'percent', 'verdict': 'ok'," \
    " 'mean_ns': 4.07, 'low_ns': 4.02, 'high_ns': 4.12}]}"
#define SLOWER "{'told': [{'portion': 'W', 'direction': 'up'}]}"
#define FASTER "{'told': [{'portion': 'W', 'direction': 'down'}]}"

static const struct {
    const char *project, *night, *portion, *label, *message, *colour;
} badges[] = {
    {"{}", "null", NULL, "response time", "no night yet", GREY},
    {SLOWER, "null", "W", "overhead W", "no night yet", GREY},
    {"{}", NIGHT("'mean_ns': 3750.4, 'low_ns': 3700.4, 'high_ns': 3800.4", "ok"), NULL,
     "response time", "3.75 µs ±1.3 %", GREEN},
    {"{}", NIGHT("'mean_ns': 210393001", "ok"), NULL, "response time", "210 ms", GREEN},
    {"{}", NIGHT("'mean_ns': 9.876", "ok"), NULL, "response time", "9.88 ns", GREEN},
    {"{}", NIGHT("'mean_ns': 0, 'low_ns': -1, 'high_ns': 1", "ok"), NULL, "response time", "0 ns",
     GREEN},
    {"{}", NIGHT("'mean_ns': -50, 'low_ns': -55, 'high_ns': -45", "ok"), NULL, "response time",
     "\u221250.0 ns ±10.0 %", GREEN},
    {"{}", NIGHT("", "ok"), NULL, "response time", "not measured", GREEN},
    {"{}", NIGHT("", "ok"), "W", "overhead W", "100 ns ±2.0 %", GREEN},
    {SLOWER, NIGHT("", "anomaly"), "W", "overhead W", "100 ns ±2.0 %", RED},
    {SLOWER, NIGHT("", "environment"), "W", "overhead W", "100 ns ±2.0 %", RED},
    {FASTER, NIGHT("", "anomaly"), "W", "overhead W", "100 ns ±2.0 %", GREEN},
    {"{}", NIGHT("", "environment"), "W", "overhead W", "100 ns ±2.0 %", YELLOW},
    {"{}", NIGHT("", "harness"), "W", "overhead W", "100 ns ±2.0 %", YELLOW},
    {"{}",
     "{'state': 'measured', 'total': {'mean_ns': 9.876}, 'portions': [{'configuration': 'n'},"
     "{'configuration': 'a', 'parent': 'n'}, {'configuration': 'b', 'parent': 'n'}]}",
     NULL, "response time, a", "9.88 ns", GREEN},
    {"{'suspicions': 1}", NIGHT("", "ok"), "W", "overhead W", "100 ns ±2.0 %; 1 suspicion is open",
     YELLOW},
    {"{'suspicions': 0}", NIGHT("", "ok"), "W", "overhead W", "100 ns ±2.0 %", GREEN},
    {"{}",
     "{'state': 'measured', 'disturbed': '3 of 5 loops of off were disturbed or stood apart',"
     " 'portions': [{'portion': 'W', 'verdict': 'ok', 'mean_ns': 100}]}",
     "W", "overhead W", "100 ns; 3 of 5 loops of off were disturbed or stood apart", YELLOW},
    {"{}", WIDE("-300", "900"), NULL, "response time", "not measured", YELLOW},
    {"{}", WIDE("250", "350"), NULL, "response time", "not measured", GREEN},
    {"{}", NIGHT("", "first"), NULL, "response time", "not measured", YELLOW},
    {SLOWER_B, WRITERS("ok", "ok"), NULL, "response time, a", "300 ns; W (b) rose", RED},
    {SLOWER_B, WRITERS("ok", "ok"), "W", "overhead W, a", "100 ns; W (b) rose", RED},
    {"{}", WRITERS("ok", "harness"), NULL, "response time, a",
     "300 ns; W (b) the measurement is suspect", YELLOW},
    {"{}", WRITERS("ok", "harness"), "W", "overhead W, a",
     "100 ns; W (b) the measurement is suspect", YELLOW},
    {"{}", WRITERS("first", "harness"), NULL, "response time, a", "300 ns", YELLOW},
    {"{}",
     "{'state': 'measured', 'beside': 'start of W may have risen', 'beside_doubtful': true,"
     " 'portions': [{'portion': 'W', 'verdict': 'ok', 'mean_ns': 100}]}",
     NULL, "response time", "not measured; start of W may have risen", YELLOW},
    {"{}", RATE, NULL, "rate", "300 ops/s", GREEN},
    {"{}", PERCENT, "slower", "overhead slower", "4.07 percent ±0.05 points", GREEN},
    {"{}", SHARE, NULL, "cpu", "4.87 % ±0.08 points", GREEN},
    {"{}", "{'state': 'failed'}", NULL, "response time", "not measured", YELLOW},
    {"{}", "{'state': 'failed'}", "W", "overhead W", "not measured", YELLOW},
};

static void what_it_says(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(badges); i++) {
        json_t *project = json_of(badges[i].project), *night = json_of(badges[i].night);
        g_auto(srv_badge) badge = {0};
        assert_true(badge_of(&badge, project, night, badges[i].portion));
        assert_string_equal(badge.label, badges[i].label);
        assert_string_equal(badge.message, badges[i].message);
        if (strcmp(badge.colour, badges[i].colour) != 0)
            fail_msg("%s with %s: %s", badges[i].project, badges[i].night, badge.colour);
        json_decref(project);
        json_decref(night);
    }
}

static void another_portions_alert_is_not_ours(void **state) {
    (void)state;
    json_t *project = json_of("{'told': [{'portion': 'C', 'direction': 'up'}]}");
    json_t *night = json_of(NIGHT("", "ok"));
    g_auto(srv_badge) whole = {0}, w = {0};
    assert_true(badge_of(&whole, project, night, NULL));
    assert_true(badge_of(&w, project, night, "W"));
    assert_string_equal(whole.colour, RED);
    assert_string_equal(w.colour, GREEN);
    json_decref(project);
    json_decref(night);
}

/* More memory with W's time as before: the badge tells of time. */
static void another_dimension_is_not_ours(void **state) {
    (void)state;
    json_t *project =
        json_of("{'told': [{'portion': 'W', 'direction': 'up', 'dimension': 'peak_mb'}]}");
    json_t *night = json_of(NIGHT("", "ok"));
    g_auto(srv_badge) whole = {0}, w = {0};
    assert_true(badge_of(&whole, project, night, NULL));
    assert_true(badge_of(&w, project, night, "W"));
    assert_string_equal(whole.colour, GREEN);
    assert_string_equal(w.colour, GREEN);
    json_decref(project);
    json_decref(night);
}

static void a_portion_that_is_not_there(void **state) {
    (void)state;
    json_t *project = json_of("{}"), *night = json_of(NIGHT("", "ok"));
    g_auto(srv_badge) badge = {0};
    assert_false(badge_of(&badge, project, night, "w"));
    json_decref(project);
    json_decref(night);
}

/* A portion's name is a stranger's. */
static void the_picture_is_well_formed(void **state) {
    (void)state;
    json_t *project = json_of("{}");
    g_auto(srv_badge) badge = {0};
    assert_true(badge_of(&badge, project, NULL, "<script>\"&'"));
    g_autofree char *svg = srv_badge_svg(&badge);
    assert_null(strstr(svg, "<script"));
    assert_non_null(strstr(svg, "&lt;script&gt;&quot;&amp;&apos;"));
    g_autoptr(GMarkupParseContext) parser =
        g_markup_parse_context_new(&(const GMarkupParser){0}, 0, NULL, NULL);
    assert_true(g_markup_parse_context_parse(parser, svg, -1, NULL));
    assert_true(g_markup_parse_context_end_parse(parser, NULL));
    assert_non_null(strstr(svg, "fill=\"" GREY "\""));
    json_decref(project);
}

static void wider_words_wider_picture(void **state) {
    (void)state;
    json_t *project = json_of("{}"), *shorter = json_of(NIGHT("'mean_ns': 1", "ok"));
    json_t *wider = json_of(NIGHT("'mean_ns': 123456789, 'low_ns': 1, 'high_ns': 2", "ok"));
    double width[2];
    json_t *const nights[] = {shorter, wider};
    for (size_t i = 0; i < 2; i++) {
        g_auto(srv_badge) badge = {0};
        assert_true(badge_of(&badge, project, nights[i], NULL));
        g_autofree char *svg = srv_badge_svg(&badge);
        width[i] = g_ascii_strtod(strstr(svg, " width=\"") + strlen(" width=\""), NULL);
    }
    assert_true(width[0] > 80 && width[1] > width[0] + 20);
    json_decref(project);
    json_decref(shorter);
    json_decref(wider);
}

static void shields(void **state) {
    (void)state;
    json_t *project = json_of(SLOWER), *night = json_of(NIGHT("", "anomaly"));
    g_auto(srv_badge) badge = {0};
    assert_true(badge_of(&badge, project, night, "W"));
    json_t *got = srv_badge_shields(&badge);
    json_t *expected = json_of("{'schemaVersion': 1, 'label': 'overhead W', 'message':"
                               " '100 ns ±2.0 %', 'color': '" RED "', 'isError': true,"
                               " 'cacheSeconds': 3600}");
    assert_true(json_equal(got, expected));
    json_decref(expected);
    json_decref(got);
    json_decref(project);
    json_decref(night);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_says),
        cmocka_unit_test(another_portions_alert_is_not_ours),
        cmocka_unit_test(another_dimension_is_not_ours),
        cmocka_unit_test(a_portion_that_is_not_there),
        cmocka_unit_test(the_picture_is_well_formed),
        cmocka_unit_test(wider_words_wider_picture),
        cmocka_unit_test(shields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
