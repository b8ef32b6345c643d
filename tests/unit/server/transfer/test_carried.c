/* What people said of nights and levels goes along with an export. */
#include "carried.h"

#include "tests/unit/server/fixture.h"

#include "server/alarm/alerts.h"
#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/sql_text.h"

static const double before[4] = {70, 470, 1600, 3200};
static const double after[4] = {70, 190, 1320, 2920};

/* A change on the sixth of eight nights: alert 1. */
static int changed(void **state) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    fix_nights(fix, "kieker", 1, 5, before);
    fix_nights(fix, "kieker", 6, 8, after);
    *state = fix;
    return 0;
}

static int64_t baseline(fixture *fix, const srv_baseline *said) {
    GError *error = NULL;
    int64_t id;
    if (!srv_baseline_set(fix->store, "kieker", said, fix->now_ms, &id, &error))
        fail_msg("%s", error->message);
    return id;
}

static int64_t note(fixture *fix, const char *text) {
    int64_t id;
    const srv_note said = {.night = "2013-04-03", .text = text, .author = "ada"};
    assert_true(srv_note_add(fix->store, "kieker", &said, fix->now_ms, &id, NULL));
    return id;
}

static int64_t count(fixture *fix, const char *sql) {
    int64_t n = -1;
    assert_true(srv__number(fix->store, sql_text(sql, ""), SRV__NO_ARGS, 0, &n, NULL));
    return n;
}

static void notes_go_along_once(void **state) {
    fixture *fix = *state, *other = fix_new();
    (void)note(fix, "JDK updated");
    assert_true(srv_note_remove(fix->store, note(fix, "a slip"), "ada", "was none", 78, NULL));
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    srv_import_counts counts = imported(other, NULL, lines);
    assert_int_equal(counts.alerts, 1);
    alike(fix, other, "note");
    assert_int_equal(count(other, "SELECT count(*) FROM audit WHERE kind='note'"), 1);
    assert_true(srv_note_remove(other->store, 1, "bob", "not here", 79, NULL));
    counts = imported(other, NULL, lines);
    assert_int_equal(counts.alerts, 0); /* nor one that was removed here */
    assert_int_equal(count(other, "SELECT count(*) FROM note"), 1);
    fix_free(other);
}

static void a_level_begins_there_too(void **state) {
    fixture *fix = *state, *other = fix_new();
    json_auto_t *names = json_pack("[s]", "C");
    (void)baseline(fix, &(srv_baseline){.night = "2013-04-03",
                                        .portions = names,
                                        .reason = "new compiler",
                                        .author = "ada"});
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_int_equal(imported(other, NULL, lines).alerts, 1);
    alike(fix, other, "baseline");
    g_autofree char *judged = verdicts(other);
    assert_non_null(strstr(judged, "2013-04-03 C first: a new level begins here, set by hand (ada)"
                                   ": new compiler"));
    assert_int_equal(imported(other, NULL, lines).alerts, 0);
    assert_int_equal(count(other, "SELECT count(*) FROM baseline"), 1);
    fix_free(other);
}

/* What is there already is not said again, even after it was undone there. */
static void an_alert_moved_by_hand_is_moved_there(void **state) {
    fixture *fix = *state, *other = fix_new();
    (void)baseline(
        fix,
        &(srv_baseline){.night = "2013-04-07", .alert = 1, .reason = "the clock", .author = "ada"});
    assert_true(srv_alert_set(fix->store, 1, "accepted", "ada", "known", fix->now_ms + 1, NULL));
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    const srv_import_counts counts = imported(other, NULL, lines);
    assert_int_equal(counts.unmatched, 0);
    alike(fix, other, "baseline");
    json_auto_t *alert = srv_view_alert(other->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-07");
    assert_string_equal(text_of(alert, "state"), "accepted");
    assert_true(srv_baseline_undo(other->store, 1, "bob", "no", other->now_ms, NULL));
    assert_int_equal(imported(other, NULL, lines).nights, 0);
    json_auto_t *back = srv_view_alert(other->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(back, "to"), "night"), "2013-04-06");
    fix_free(other);
}

static void an_alert_removed_by_hand_stays_away(void **state) {
    fixture *fix = *state, *other = fix_new();
    (void)baseline(fix, &(srv_baseline){.alert = 1, .reason = "a broken fan", .author = "ada"});
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_int_equal(imported(other, NULL, lines).unmatched, 0);
    alike(fix, other, "baseline");
    assert_int_equal(count(other, "SELECT count(*) FROM alert WHERE state<>'withdrawn'"),
                     count(fix, "SELECT count(*) FROM alert WHERE state<>'withdrawn'"));
    json_auto_t *alert = srv_view_alert(other->store, 1, NULL);
    assert_string_equal(text_of(alert, "state"), "withdrawn");
    assert_int_equal(imported(other, NULL, lines).unmatched, 0);
    fix_free(other);
}

/* Of other nights, or judged by other limits: counted and left, and the rest is taken in. */
static void what_does_not_fit_is_counted(void **state) {
    static const char *const lines[] = {
        "{\"type\":\"baseline\",\"night\":\"2013-05-01\",\"reason\":\"r\",\"author\":\"a\","
        "\"at_ms\":1}",
        "{\"type\":\"baseline\",\"night\":\"2013-04-01\",\"reason\":\"r\",\"author\":\"a\","
        "\"at_ms\":1}",
        "{\"type\":\"baseline\",\"reason\":\"r\",\"author\":\"a\",\"at_ms\":1,\"alert\":"
        "{\"configuration\":\"writing\",\"direction\":\"up\",\"commit\":\"0\"}}",
        "{\"type\":\"calibration\",\"kind\":\"calibration\"}"}; /* of a server of 0.1 */
    fixture *fix = *state;
    g_autoptr(GPtrArray) own = exported(fix, "kieker");
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        g_ptr_array_add(own, g_strdup(lines[i]));
    const srv_import_counts counts = imported(fix, NULL, own);
    assert_int_equal(counts.unmatched, 4);
    assert_int_equal(count(fix, "SELECT count(*) FROM baseline"), 0);
}

static void bad_lines_are_refused(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"{\"type\":\"note\",\"night\":\"2013-04-03\",\"author\":\"a\",\"at_ms\":1}",
         "text: is missing"},
        {"{\"type\":\"note\",\"night\":\"2013-04-33\",\"text\":\"t\",\"author\":\"a\",\"at_ms\":"
         "1}",
         "night: must be a date"},
        {"{\"type\":\"baseline\",\"reason\":\"r\",\"author\":\"a\",\"at_ms\":1}",
         "night: is missing: a level begins with one"},
        {"{\"type\":\"baseline\",\"reason\":\"r\",\"author\":\"a\",\"at_ms\":1,\"alert\":{}}",
         "alert.configuration: is missing"},
        {"{\"type\":\"sweep\"}", "type: must be benchmark, night, note,"}};
    fixture *fix = *state;
    g_autoptr(GPtrArray) own = exported(fix, "kieker");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(srv_import) import = srv_import_new(fix->store, NULL, fix->now_ms);
        g_autofree char *text = first_of(own, 2);
        g_autofree char *whole = g_strconcat(text, cases[i].line, NULL);
        assert_false(import_text(import, whole, &error));
        if (!strstr(error->message, cases[i].says))
            fail_msg("case %zu: %s", i, error->message);
    }
}

/* An export of a release before this one has no such lines. */
static void a_file_of_the_first_format_is_read(void **state) {
    fixture *fix = *state, *other = fix_new();
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    char *header = lines->pdata[0];
    char *version = strstr(header, "\"moowatch_export\":2");
    assert_non_null(version);
    version[strlen("\"moowatch_export\":")] = '1';
    assert_int_equal(imported(other, NULL, lines).nights, 8);
    g_autofree char *first = verdicts(fix), *second = verdicts(other);
    assert_string_equal(first, second);
    fix_free(other);
}

#define CHANGED(name) cmocka_unit_test_setup_teardown(name, changed, fix_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CHANGED(notes_go_along_once),
        CHANGED(a_level_begins_there_too),
        CHANGED(an_alert_moved_by_hand_is_moved_there),
        CHANGED(an_alert_removed_by_hand_stays_away),
        CHANGED(what_does_not_fit_is_counted),
        CHANGED(bad_lines_are_refused),
        CHANGED(a_file_of_the_first_format_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
