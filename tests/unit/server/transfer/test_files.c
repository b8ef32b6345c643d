/* A file a night: what one of them lacks is missing in the project, and nothing goes without a
 * word. */
#include "carried.h"

#include "config/json_text.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

#define HEADER                                                                                     \
    "{'moowatch_export':1,'project':'kieker','title':'k','repository':'r','branch':'main',"        \
    "'detection':{'confidence':0.95,'minimum_effect_percent':5.0,'minimum_effect_ns':1.0,"         \
    "'baseline_nights':30,'minimum_loops':1}}\n"

static bool guessed = true;     /* what is compared with what */
static unsigned runs = 1;       /* of each */
static const char *detail = ""; /* of its environment, with its comma */
static const char *unit = "";   /* of all: a member of a configuration, with its comma */

/* Names as a benchmark line and a night of them, as moowatch import writes both. */
static void configurations_put(GString *to, const char *names) {
    g_auto(GStrv) list = g_strsplit(names, " ", -1);
    g_string_append_printf(to,
                           "{'type':'benchmark','hash':'imported','guessed':%s,'body':{'driver':"
                           "'imported','loops':5,'confidence':0.95,'configurations':[",
                           guessed ? "true" : "false");
    for (guint i = 0; list[i]; i++) /* 'on' is measured on 'off' where that is there, 'top' on it */
        g_string_append_printf(to, "%s{'name':'%s','label':'%s','portion':'%s'%s,'parent':%s}",
                               i > 0 ? "," : "", list[i], list[i], list[i], unit,
                               i > 0 && g_str_equal(list[i], "on")    ? "'off'"
                               : i > 0 && g_str_equal(list[i], "top") ? "'on'"
                                                                      : "null");
    g_string_append(to, "]}}\n");
}

static void night_put(GString *to, unsigned day, const char *names, const char *left) {
    g_auto(GStrv) list = g_strsplit(names, " ", -1);
    const gint64 at_ms = INT64_C(1709596800000) + day * INT64_C(86400000);
    g_string_append_printf(
        to,
        "{'type':'night','kind':'backfill','night':'2024-%02u-%02u','benchmark':'imported','left':"
        "{%s},'commit':{'sha':'%040u','author':'','author_email':'','time_ms':%" G_GINT64_FORMAT
        ",'subject':''},'result':{'node':'imported','started_ms':%" G_GINT64_FORMAT
        ",'finished_ms':%" G_GINT64_FORMAT ",'environment':{'imported':'google','suite':''%s},"
        "'loops':[",
        3 + (4 + day) / 31, (4 + day) % 31 + 1, left, day + 1, at_ms, at_ms, at_ms, detail);
    for (guint i = 0; list[i]; i++)
        for (guint l = 1; l <= runs; l++)
            g_string_append_printf(to,
                                   "%s{'configuration':'%s','loop':%u,'position':%u,'started_ms':1,"
                                   "'seconds':0.0,'summary':{'mean_ns':%u.5}}",
                                   i + l > 1 ? "," : "", list[i], l, i * runs + l,
                                   100 * (unsigned)*list[i] + (l - 1) * (i + 1));
    g_string_append(to, "]}}\n");
}

/* A file of one night, taken in. */
static srv_import_counts file_in(fixture *fix, unsigned day, const char *names, const char *left,
                                 GError **error) {
    g_autoptr(GString) text = g_string_new(HEADER);
    configurations_put(text, names);
    night_put(text, day, names, left);
    g_strdelimit(text->str, "'", '"');
    g_autoptr(srv_import) import = srv_import_new(fix->store, NULL, fix->now_ms);
    if (!import_text(import, text->str, error) && !error)
        fail_msg("line %u", srv_import_lines(import));
    return counts_of(import);
}

static srv_import_counts taken(fixture *fix, unsigned day, const char *names, const char *left) {
    GError *error = NULL;
    const srv_import_counts counts = file_in(fix, day, names, left, &error);
    if (error)
        fail_msg("%s", error->message);
    return counts;
}

static int64_t count(fixture *fix, const char *sql) {
    int64_t n = -1;
    assert_true(srv__number(fix->store, sql_text(sql, ""), SRV__NO_ARGS, 0, &n, NULL));
    return n;
}

/* As a data.js of all these nights would have it. */
static void what_a_file_lacks_is_missing(void **state) {
    fixture *fix = *state;
    for (unsigned day = 0; day < 4; day++)
        (void)taken(fix, day, "a b c", "");
    (void)taken(fix, 4, "a c", "'b':'skipped: no receiver'");
    g_autofree char *judged = verdicts(fix);
    assert_non_null(strstr(judged, "2024-03-09 b harness: b is not judged on 2024-03-09: b "
                                   "has no result"));
    assert_null(strstr(judged, "2024-03-09 a harness"));
    assert_int_equal(count(fix, "SELECT count(*) FROM loop WHERE failed='skipped: no receiver'"),
                     1);
    (void)taken(fix, 5, "a c d", "'b':['refused','timeout']"); /* another one came */
    assert_int_equal(count(fix, "SELECT loop FROM loop WHERE failed='timeout'"), 2);
    (void)taken(fix, 6, "a c d", "");
    g_autofree char *later = verdicts(fix);
    assert_non_null(strstr(later, "2024-03-10 b harness: b is not judged on 2024-03-10: b "
                                  "has no result"));
    assert_int_equal(count(fix, "SELECT count(*) FROM series"), 1);
    assert_int_equal(count(fix, "SELECT count(*) FROM incident WHERE kind='missing'"), 1);
    for (unsigned day = 0; day < 7; day++) /* the same files again */
        assert_int_equal(taken(fix, day,
                               day < 4    ? "a b c"
                               : day == 4 ? "a c"
                                          : "a c d",
                               "")
                             .known,
                         1);
}

/* An incident begins after a night whose commit no file dates, and with one that a file does. */
static void an_end_without_a_date_is_told(void **state) {
    fixture *fix = *state;
    detail = ",'detail':{'undated':['commit','run']}";
    (void)taken(fix, 0, "a b", "");
    detail = ",'detail':{'undated':['run']}";
    for (unsigned day = 1; day < 3; day++)
        (void)taken(fix, day, "a", "");
    detail = "";
    json_t *incident = srv_view_incident(fix->store, 1, NULL);
    assert_true(json_is_true(cfg_json_at(incident, "from.undated")));
    assert_true(json_object_get(incident, "to") && !cfg_json_at(incident, "to.undated"));
    json_decref(incident);
}

/* One file of all these nights, as a data.js is one. nights: what each has; left: of the second. */
static void taken_whole(fixture *fix, const char *names, const char *const *nights,
                        const char *left) {
    GError *error = NULL;
    g_autoptr(GString) text = g_string_new(HEADER);
    configurations_put(text, names);
    for (unsigned day = 0; nights[day]; day++)
        night_put(text, day, nights[day], day == 1 ? left : "");
    g_strdelimit(text->str, "'", '"');
    g_autoptr(srv_import) import = srv_import_new(fix->store, NULL, fix->now_ms);
    assert_true(import_text(import, text->str, &error));
}

static void what_comes_later_is_missed_by_no_night_before(void **state) {
    static const char *const nights[] = {"off b",        "off b",        "off b",
                                         "off b on top", "off b on top", NULL};
    fixture *fix = *state;
    taken_whole(fix, "off b on top", nights, "");
    g_autofree char *judged = verdicts(fix);
    assert_null(strstr(judged, "harness"));
    assert_non_null(strstr(judged, "2024-03-08 on first"));
    assert_non_null(strstr(judged, "2024-03-08 top first"));
    json_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_true(g_str_has_prefix(text_of(project, "quiet"), "Nothing new for 3 nights"));
    json_decref(project);
}

static void what_failed_or_was_there_is_missing(void **state) {
    static const char *const nights[] = {"a b", "a", "a b", NULL};
    fixture *fix = *state;
    taken_whole(fix, "a b c", nights, "'c':'timeout'");
    g_autofree char *judged = verdicts(fix);
    assert_null(strstr(judged, "2024-03-05 c"));
    assert_non_null(strstr(judged, "2024-03-06 b harness"));
    assert_non_null(strstr(judged, "2024-03-06 c harness"));
    assert_non_null(strstr(judged, "2024-03-07 c harness"));
}

/* Where another came in its place, too; a reason of what nobody knows here is nothing. */
static void what_was_renamed_is_missing(void **state) {
    fixture *fix = *state;
    (void)taken(fix, 0, "a b", "");
    (void)taken(fix, 1, "a z", "'nobody':'not finite','b':''");
    g_autofree char *judged = verdicts(fix);
    assert_non_null(strstr(judged, "2024-03-06 b harness"));
    assert_non_null(strstr(judged, "2024-03-06 z first"));
    assert_int_equal(count(fix, "SELECT count(*) FROM series"), 1);
}

/* A release before began another series then: its files are here, too. */
static void a_file_of_before_is_known(void **state) {
    fixture *fix = *state;
    (void)taken(fix, 0, "a b", "");
    guessed = false;
    (void)taken(fix, 1, "a z", "");
    guessed = true;
    assert_int_equal(count(fix, "SELECT count(*) FROM series"), 2);
    assert_int_equal(taken(fix, 0, "a b", "").known, 1);
    assert_int_equal(taken(fix, 1, "a z", "").known, 1);
}

/* A throughput was turned into a time: it goes on as that, and no night comes in twice. */
static void a_rate_that_was_a_time_stays_one(void **state) {
    fixture *fix = *state;
    (void)taken(fix, 0, "a", "");
    unit = ",'unit':'req/s','better':'higher'";
    assert_int_equal(taken(fix, 0, "a", "").nights, 0);
    (void)taken(fix, 1, "a", "");
    unit = "";
    assert_int_equal(count(fix, "SELECT count(*) FROM series"), 1);
    assert_int_equal(
        count(fix, "SELECT count(*) FROM loop WHERE mean_ns BETWEEN 103087 AND 103088"),
        1); /* 1e9 / 9700.5 */
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE unit IS NOT NULL"), 0);
}

/* A night as a time in between does not make one of it. */
static void a_rate_stays_one(void **state) {
    fixture *fix = *state;
    static const char *const units[] = {",'unit':'req/s','better':'higher'", ""};
    for (unsigned day = 0; day < 3; day++) {
        unit = units[day % 2];
        (void)taken(fix, day, "a", "");
    }
    unit = "";
    assert_int_equal(count(fix, "SELECT count(*) FROM series"), 2);
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE unit IS NOT NULL"), 2);
}

/* A tool runs one benchmark after the other: its runs are no rounds. */
static void runs_of_a_file_are_not_paired(void **state) {
    fixture *fix = *state;
    runs = 4;
    (void)taken(fix, 0, "off on", "");
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE method LIKE 'Welch%'"), 1);
    runs = 2; /* they may stand for an interval, unless the import says that they do not */
    (void)taken(fix, 1, "off on", "");
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE method IS NULL"), 2);
    detail = ",'detail':{'loops':['on','off']}";
    (void)taken(fix, 2, "off on", "");
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE method LIKE 'Welch%'"), 2);
    detail = "";
    runs = 1;
}

/* Of another thing nothing is missing. */
static void another_suite_lacks_nothing(void **state) {
    fixture *fix = *state;
    (void)taken(fix, 0, "a b", "");
    assert_int_equal(taken(fix, 0, "x y", "").nights, 1);
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE mean_ns IS NULL"), 0);
}

/* After a month it was taken as removed, and the project has it no longer. */
static void what_is_missing_for_a_month_is_let_go(void **state) {
    fixture *fix = *state;
    for (unsigned day = 0; day < 3; day++)
        (void)taken(fix, day, "a b", "");
    for (unsigned day = 3; day < 36; day++)
        (void)taken(fix, day, "a", "");
    assert_int_equal(count(fix, "SELECT count(*) FROM portion WHERE mean_ns IS NULL"), 31);
    assert_int_equal(count(fix, "SELECT count(*) FROM incident WHERE kind='missing' AND "
                                "state='closed'"),
                     1);
    assert_int_equal(count(fix, "SELECT count(*) FROM series"), 1);
}

/* On which another one is measured: the nights without it cannot be used, and then its child stands
 * by itself. */
static void a_parent_is_let_go_too(void **state) {
    fixture *fix = *state;
    (void)taken(fix, 0, "off on", "");
    for (unsigned day = 1; day < 32; day++)
        (void)taken(fix, day, "on", "");
    (void)taken(fix, 32, "on", "");
    assert_int_equal(count(fix, "SELECT count(*) FROM experiment WHERE state='quarantined'"), 31);
}

/* Up to a month's they are together more than a project can have. */
static void more_than_a_project_can_have_are_refused(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) many = g_string_new("a");
    for (unsigned i = 1; i < 64; i++)
        g_string_append_printf(many, " b%u", i);
    (void)taken(fix, 0, many->str, "");
    (void)file_in(fix, 1, "a c", "", &error);
    assert_non_null(strstr(error->message,
                           "line 2: body: lacks 63 configurations that had a result "
                           "in the last 31 nights here: with them there are 65"));
    (void)taken(fix, 1, "a b1", "");
}

static int without_project(void **state) {
    *state = fix_new();
    return 0;
}

int main(void) {
#define EMPTY(name) cmocka_unit_test_setup_teardown(name, without_project, fix_teardown)
    const struct CMUnitTest tests[] = {
        EMPTY(what_a_file_lacks_is_missing),
        EMPTY(an_end_without_a_date_is_told),
        EMPTY(what_comes_later_is_missed_by_no_night_before),
        EMPTY(what_failed_or_was_there_is_missing),
        EMPTY(what_was_renamed_is_missing),
        EMPTY(a_file_of_before_is_known),
        EMPTY(a_rate_that_was_a_time_stays_one),
        EMPTY(a_rate_stays_one),
        EMPTY(runs_of_a_file_are_not_paired),
        EMPTY(another_suite_lacks_nothing),
        EMPTY(what_is_missing_for_a_month_is_let_go),
        EMPTY(a_parent_is_let_go_too),
        EMPTY(more_than_a_project_can_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
