/* Nights that another node measured, and runs of the reference commit, go along with an export. */
#include "carried.h"

#include "tests/unit/server/fixture.h"

#include "server/store/store_sql.h"

/* Calibrated, with a night of blade2 in place of blade1 and one of blade1 after it. */
static int stood_in(void **state) {
    (void)setup(state);
    fixture *fix = *state;
    run_days(fix, 3);
    (void)hand_in(fix, night_without_blade1(fix, 9), "blade2", "6.1", there);
    fix->now_ms += DAY_MS;
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    assert_string_equal(work(fix, "blade1", here), "worked");
    return 0;
}

static fixture *elsewhere(const fixture *fix) {
    fixture *other = fix_new();
    other->now_ms = fix->now_ms;
    return other;
}

static int64_t count(fixture *fix, const char *sql) {
    int64_t n = -1;
    assert_true(srv__number(fix->store, sql, SRV__NO_ARGS, 0, &n, NULL));
    return n;
}

/* In a project that is not configured there, and so knows of no calibration. */
static void a_stand_in_night_stays_one(void **state) {
    fixture *fix = *state, *other = elsewhere(fix);
    g_autoptr(GPtrArray) lines = exported(fix);
    const srv_import_counts counts = imported(other, lines);
    assert_int_equal(counts.nights, 10);
    assert_int_equal(counts.changes + counts.incidents, 0);
    alike(fix, other, "night");
    alike(fix, other, "calibration");
    assert_int_equal(count(other, "SELECT count(*) FROM series"), 1);
    assert_int_equal(count(other, "SELECT count(*) FROM stand_in"), 1);
    assert_int_equal(shown_nights(other), 10);
    assert_int_equal(imported(other, lines).known, 10);
    assert_int_equal(count(other, "SELECT count(*) FROM experiment"), 16);
    fix_free(other);
}

static void factors_are_known_there_from_the_same_runs(void **state) {
    fixture *fix = *state, *other = elsewhere(fix);
    g_autoptr(GPtrArray) lines = exported(fix);
    calibrate(other, fix_sha(3), 6);
    json_decref(lease(other, "blade1"));
    json_decref(lease(other, "blade2"));
    (void)imported(other, lines);
    json_auto_t *here_view = view(fix), *there_view = view(other);
    const json_t *one = json_array_get(json_object_get(here_view, "items"), 0);
    const json_t *two = json_array_get(json_object_get(there_view, "items"), 0);
    assert_string_equal(text_of(one, "sentence"), text_of(two, "sentence"));
    assert_string_equal(text_of(two, "state"), "known");
    assert_int_equal(number_of(one, "until_ms"), number_of(two, "until_ms"));
    look(other); /* the next run comes in a week */
    assert_null(lease(other, "blade2"));
    fix_free(other);
}

static void runs_that_are_too_old_there_say_nothing(void **state) {
    fixture *fix = *state, *other = elsewhere(fix);
    g_autoptr(GPtrArray) lines = exported(fix);
    other->now_ms += 40 * DAY_MS;
    calibrate(other, fix_sha(3), 6);
    json_decref(lease(other, "blade1"));
    json_decref(lease(other, "blade2"));
    (void)imported(other, lines);
    is(other, "unknown", "0 on blade1, 0 on blade2");
    fix_free(other);
}

/* Nights of April on this node, in a project without calibration. */
static fixture *measured_by(const char *node, int first, int last) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    for (int day = first; day <= last; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix_add(fix, "kieker", day, date, SRV_KIND_NIGHTLY);
        assert_string_equal(work(fix, node, here), "worked");
    }
    return fix;
}

static void usual_is(fixture *fix, const char *node) {
    json_t *row = NULL;
    assert_true(
        srv__object(fix->store, "SELECT usual_node FROM project", SRV__NO_ARGS, &row, NULL));
    assert_string_equal(text_of(row, "usual_node"), node);
    json_decref(row);
}

/* What others measured elsewhere says nothing about who measures here. */
static void the_usual_node_is_one_that_measures_here(void **state) {
    (void)state;
    fixture *old = measured_by("museum", 1, 3), *young = measured_by("elsewhere", 20, 22);
    fixture *fix = measured_by("blade1", 10, 12);
    g_autoptr(GPtrArray) before = exported(old);
    g_autoptr(GPtrArray) after = exported(young);
    assert_int_equal(imported(fix, before).nights, 3);
    usual_is(fix, "blade1");
    assert_int_equal(imported(fix, after).nights, 3);
    usual_is(fix, "blade1");
    fix_free(fix);
    fix_free(young);
    fix_free(old);
}

static void else_that_of_the_newest_imported_night(void **state) {
    (void)state;
    fixture *old = measured_by("museum", 1, 3), *young = measured_by("blade1", 10, 12);
    g_autoptr(GPtrArray) before = exported(old);
    g_autoptr(GPtrArray) after = exported(young);
    for (int newest_first = 0; newest_first < 2; newest_first++) {
        fixture *fix = fix_new();
        (void)imported(fix, newest_first ? after : before);
        usual_is(fix, newest_first ? "blade1" : "museum");
        (void)imported(fix, newest_first ? before : after);
        usual_is(fix, "blade1");
        /* until somebody measures here */
        fix_sync(fix, "kieker", NULL);
        fix_add(fix, "kieker", 5, "2013-04-05", SRV_KIND_BACKFILL);
        assert_string_equal(work(fix, "blade7", here), "worked");
        usual_is(fix, "blade7");
        fix_free(fix);
    }
    fix_free(young);
    fix_free(old);
}

static void an_old_night_measured_late_changes_nothing(void **state) {
    (void)state;
    fixture *fix = measured_by("blade1", 10, 12);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_BACKFILL);
    assert_string_equal(work(fix, "blade2", here), "worked");
    usual_is(fix, "blade1");
    fix_add(fix, "kieker", 13, "2013-04-13", SRV_KIND_NIGHTLY);
    assert_string_equal(work(fix, "blade2", here), "worked");
    usual_is(fix, "blade2");
    fix_free(fix);
}

/* The line of this type is the first that a change is made in; owned. */
static json_t *line_of(const GPtrArray *lines, const char *type, const char *member) {
    for (guint i = 0; i < lines->len; i++) {
        json_t *line = json_loads(lines->pdata[i], 0, NULL);
        if (g_strcmp0(text_of(line, "type"), type) == 0 &&
            (!member || json_object_get(line, member)))
            return line;
        json_decref(line);
    }
    fail_msg("no %s", type);
    return NULL;
}

static void refused(fixture *fix, const GPtrArray *lines, const json_t *line, const char *says) {
    fixture *other = elsewhere(fix);
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_import) import = srv_import_new(other->store, NULL, other->now_ms);
    char *text = json_dumps(line, JSON_COMPACT);
    for (guint i = 0; i < 2; i++)
        assert_true(srv_import_line(import, lines->pdata[i], NULL));
    assert_false(srv_import_line(import, text, &error));
    if (!strstr(error->message, says))
        fail_msg("%s", error->message);
    free(text);
    fix_free(other);
}

static void factors_that_cannot_be_are_refused(void **state) {
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix);
    json_auto_t *night = line_of(lines, "night", "stand_in");
    json_t *factors = json_object_get(json_object_get(night, "stand_in"), "factors");
    json_t *first = json_array_get(factors, 0);
    json_object_set_new(first, "factor", json_integer(0));
    refused(fix, lines, night, "stand_in.factors.factor: ");
    json_object_set_new(first, "factor", json_integer(1));
    json_object_set_new(first, "configuration", json_string("another"));
    refused(fix, lines, night, "stand_in.factors.configuration: is not the next one");
    json_array_remove(factors, 0);
    refused(fix, lines, night, "stand_in.factors: must be one for each configuration");
    json_object_del(json_object_get(night, "stand_in"), "environment");
    refused(fix, lines, night, "stand_in.environment: is missing");
}

static void a_run_is_of_the_reference(void **state) {
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix);
    json_auto_t *run = line_of(lines, "calibration", NULL);
    json_object_set_new(run, "kind", json_string("nightly"));
    refused(fix, lines, run, "kind: must be calibration");
    json_object_del(run, "finished_ms");
    refused(fix, lines, run, "finished_ms: is missing");
}

/* Judged there by other settings: what follows it in the file comes in all the same. */
static void a_run_with_too_few_loops_is_passed_over(void **state) {
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix);
    json_auto_t *run = line_of(lines, "calibration", NULL);
    json_t *loops = json_object_get(json_object_get(run, "result"), "loops"), *loop;
    for (size_t i = json_array_size(loops); i > 0; i--)
        if ((loop = json_array_get(loops, i - 1)) && number_of(loop, "loop") > 1)
            json_array_remove(loops, i - 1);
    assert_true(json_array_size(loops) > 0);
    fixture *other = fix_new();
    g_autoptr(srv_import) import = srv_import_new(other->store, NULL, other->now_ms);
    char *text = json_dumps(run, JSON_COMPACT);
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < 2; i++)
        assert_true(srv_import_line(import, lines->pdata[i], NULL));
    if (!srv_import_line(import, text, &error))
        fail_msg("%s", error->message);
    free(text);
    fix_free(other);
}

#define STOOD_IN(name) cmocka_unit_test_setup_teardown(name, stood_in, fix_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        STOOD_IN(a_stand_in_night_stays_one),
        STOOD_IN(factors_are_known_there_from_the_same_runs),
        STOOD_IN(a_run_with_too_few_loops_is_passed_over),
        STOOD_IN(runs_that_are_too_old_there_say_nothing),
        STOOD_IN(factors_that_cannot_be_are_refused),
        STOOD_IN(a_run_is_of_the_reference),
        cmocka_unit_test(the_usual_node_is_one_that_measures_here),
        cmocka_unit_test(else_that_of_the_newest_imported_night),
        cmocka_unit_test(an_old_night_measured_late_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
