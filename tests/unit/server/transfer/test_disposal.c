/* Projects that are put away, called otherwise, or deleted. */
#include "tests/unit/test.h"

#include "server/alarm/notes.h"
#include "server/ground/error.h"
#include "server/store/schema.h"
#include "server/store/store_move.h"
#include "server/transfer/disposal.h"
#include "server/views/views.h"
#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

/* Nights, an alert that is measured again, a note, jobs that wait, of project and branch. */
static void fill(fixture *fix) {
    int64_t note;
    fix_sync(fix, "other", "kieker", NULL);
    fix_nights(fix, "kieker", 1, 6, before);
    fix->now_ms += 1000;
    fix->can = json_pack("[s]", "confirmation");
    run_trial(fix, before, after, fix_measure(fix, "kieker", 7, "2013-04-07", after));
    assert_int_equal(alerts(fix), 1);
    assert_true(srv_note_add(fix->store, "kieker", &(srv_note){"2013-04-02", "a note", "ada"},
                             fix->now_ms, &note, NULL));
    fix_add(fix, "kieker", 8, "2013-04-08", SRV_KIND_NIGHTLY);
    fix_sync(fix, "other", NULL);
}

static json_t *rows_of(fixture *fix) {
    g_autoptr(GError) error = NULL;
    json_t *counts = srv_store_counts(fix->path, &error);
    assert_no_error(error);
    json_t *rows = json_incref(json_object_get(counts, "rows"));
    json_object_del(rows, "gone");      /* files that go in an hour */
    json_object_del(rows, "audit");     /* stays */
    json_object_del(rows, "benchmark"); /* one may be many projects' */
    json_decref(counts);
    return rows;
}

static srv_artifacts *artifacts_of(fixture *fix) {
    static const srv_artifact_rules rules = {.limit_bytes = 1000, .quota_bytes = 1000};
    g_autofree char *folder = g_build_filename(fix->dir, "artifacts", NULL);
    srv_artifacts *artifacts = srv_artifacts_open(folder, &rules, NULL, fix->store, NULL);
    assert_non_null(artifacts);
    return artifacts;
}

static void every_row_of_a_deleted_project_goes_and_no_other(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    srv_project_content gone;
    fix_sync(fix, "other", NULL);
    fix_measure(fix, "other", 1, "2013-04-01", before); /* raw files that kieker has, too */
    json_t *rows = rows_of(fix);
    json_object_set_new(rows, "project", json_integer(1)); /* kieker's is there already */
    fill(fix);
    srv_artifacts *artifacts = artifacts_of(fix);
    assert_false(
        srv_project_delete(fix->store, artifacts, "kieker", NULL, fix->now_ms, &gone, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    assert_says(error->message, "deleting kieker removes for ever: results 7, jobs 10, alerts 1, "
                                "artifacts 0, raw files ");
    assert_says(error->message, "confirm it by the name kieker");
    g_clear_error(&error);
    assert_true(
        srv_project_delete(fix->store, artifacts, "kieker", "kieker", fix->now_ms, &gone, &error));
    assert_no_error(error);
    assert_int_equal(gone.nights, 7);
    json_t *left = rows_of(fix);
    g_autofree char *was = json_dumps(rows, JSON_INDENT(1)), *is = json_dumps(left, JSON_INDENT(1));
    assert_string_equal(is, was);
    assert_null(srv_view_project(fix->store, "kieker", &error));
    assert_string_equal(error->message, "there is no project kieker");
    json_decref(rows);
    json_decref(left);
    srv_artifacts_close(artifacts);
}

/* Has it a portion in the metrics? */
static bool is_metered(fixture *fix, const char *project) {
    json_auto_t *counted = srv_view_projects_counted(fix->store, NULL);
    bool found = false;
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(counted, "portions"), i, portion)
        found = found || g_str_equal(text_of(portion, "project"), project);
    return found;
}

static void an_archived_project_waits_for_nothing_and_is_in_no_list(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    fill(fix);
    assert_true(is_metered(fix, "kieker"));
    assert_true(srv_project_archive(fix->store, "kieker", true, "done", fix->now_ms, &error));
    json_t *listed = srv_view_projects(fix->store, (srv_page){0}, false, &error);
    assert_int_equal(json_array_size(json_object_get(listed, "items")), 1);
    json_decref(listed);
    listed = srv_view_projects(fix->store, (srv_page){0}, true, &error);
    const json_t *one = json_array_get(json_object_get(listed, "items"), 0);
    assert_string_equal(text_of(one, "name"), "kieker");
    assert_int_equal(number_of(one, "queued"), 0);
    assert_false(is_metered(fix, "kieker"));
    assert_int_equal(number_of(one, "nights"), 7);
    json_decref(listed);
    json_t *view = srv_view_project(fix->store, "kieker", &error);
    assert_int_equal(number_of(view, "archived_ms"), fix->now_ms);
    json_decref(view);
    fix_sync(fix, "kieker", NULL); /* its file is back */
    view = srv_view_project(fix->store, "kieker", &error);
    assert_true(json_is_null(json_object_get(view, "archived_ms")));
    json_decref(view);
    assert_false(srv_project_archive(fix->store, "kieker", true, "r", fix->now_ms, &error));
    assert_says(error->message, "kieker is measured: take its file out of projects_dir");
}

/* CI handed it in under the new name before anybody renamed; removed_ms: "NULL": its bytes are
 * there. */
static void hand_in(fixture *fix, const char *project, const char *sha, const char *removed_ms) {
    g_autofree char *sql = g_strdup_printf(
        "INSERT INTO artifact(project_id, sha, name, sha256, bytes, stored_ms, removed_ms) "
        "SELECT id, '%s', 'agent.jar', 'of %s', 1, 1, %s FROM project WHERE name='%s'",
        sha, project, removed_ms, project);
    assert_true(srv__run(fix->store, sql_text(sql, ""), SRV__NO_ARGS, NULL));
}

static void what_came_under_the_new_name_stays(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    int64_t count;
    fill(fix);
    fix_sync(fix, "other", "trace", NULL);
    hand_in(fix, "kieker", "a", "NULL");
    hand_in(fix, "kieker", "b", "5");
    hand_in(fix, "trace", "b", "NULL");
    hand_in(fix, "trace", "c", "NULL");
    assert_true(srv_project_rename(fix->store, "kieker", "trace", fix->now_ms, &error));
    assert_true(srv__number(fix->store,
                            sql_text("SELECT count(*) FROM artifact WHERE removed_ms IS NULL", ""),
                            SRV__NO_ARGS, 0, &count, NULL));
    assert_int_equal(count, 3);
    /* of the same commit and name in both: neither is dropped in silence */
    fix_sync(fix, "other", "kieker", NULL);
    hand_in(fix, "kieker", "c", "NULL");
    fix_sync(fix, "other", NULL);
    assert_false(srv_project_rename(fix->store, "trace", "kieker", fix->now_ms, &error));
    assert_says(error->message,
                "kieker has an artifact agent.jar of commit c that trace cannot take over");
}

static void a_renamed_project_keeps_what_it_has(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    fill(fix);
    fix_sync(fix, "other", "trace", NULL); /* the file has the new name already */
    fix_add(fix, "trace", 8, "2013-04-08", SRV_KIND_NIGHTLY);
    assert_true(srv_project_rename(fix->store, "kieker", "trace", fix->now_ms, &error));
    json_t *view = srv_view_project(fix->store, "trace", &error);
    assert_int_equal(number_of(view, "nights"), 7);
    json_decref(view);
    assert_null(srv_view_project(fix->store, "kieker", &error));
    assert_says(error->message, "there is no project kieker: it has been called trace since 20");
    g_clear_error(&error);
    /* and back: a name that is in use is no former one */
    fix_sync(fix, "other", NULL);
    assert_true(srv_project_rename(fix->store, "trace", "kieker", fix->now_ms, &error));
    view = srv_view_project(fix->store, "kieker", &error);
    assert_non_null(view);
    json_decref(view);
    fix_measure(fix, "other", 1, "2013-04-01", before);
    fix_sync(fix, "nobody", NULL);
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"kieker", "other", "other has 1 nights of its own"},
        {"kieker", "Not a name", "name: must be another one of a-z"},
        {"kieker", "kieker", "name: must be another one"},
        {"nobody", "else", "nobody is measured"},
        {"never", "else", "there is no project never"},
        {"kieker~1.x", "else", "kieker~1.x is a branch of kieker"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) wrong = NULL;
        assert_false(
            srv_project_rename(fix->store, cases[i].from, cases[i].to, fix->now_ms, &wrong));
        assert_says(wrong->message, cases[i].says);
    }
}

static void a_job_does_not_wait_for_ever_for_a_project_without_a_file(void **state) {
    fixture *fix = *state;
    unsigned ended;
    fill(fix);
    const int64_t due_ms = fix->now_ms + 7 * G_TIME_SPAN_DAY / 1000;
    assert_true(srv_queue_off_end(fix->store, 7, due_ms - G_TIME_SPAN_DAY / 1000, &ended, NULL));
    assert_int_equal(ended, 0);
    assert_true(srv_queue_off_end(fix->store, 7, due_ms + 1, &ended, NULL));
    assert_true(ended > 0);
    json_t *view = srv_view_project(fix->store, "kieker", NULL);
    assert_int_equal(number_of(view, "queued"), 0);
    json_decref(view);
}

/* What names a row of a project is removed with it, whatever tables come. */
static void every_table_that_needs_a_project_is_known(void **state) {
    (void)state;
    g_autofree char *sql = srv__schema("");
    g_autoptr(GPtrArray) tables = srv__tables(sql);
    g_autoptr(GPtrArray) conditions = srv__tables_of(tables, "project", "id=1");
    for (guint i = 0; i < tables->len; i++) {
        const srv__table *table = tables->pdata[i];
        for (guint k = 0; k < i; k++) {
            const srv__table *owner = tables->pdata[k];
            g_autofree char *pattern = g_strdup_printf(" REFERENCES %s\\b", owner->name);
            if (conditions->pdata[k] && !conditions->pdata[i] &&
                g_regex_match_simple(pattern, table->body, 0, 0) &&
                !g_str_equal(table->name, "node")) /* forgets its job */
                fail_msg("%s refers to %s, and is not removed with it", table->name, owner->name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(every_row_of_a_deleted_project_goes_and_no_other),
        FIX_TEST(an_archived_project_waits_for_nothing_and_is_in_no_list),
        FIX_TEST(a_renamed_project_keeps_what_it_has),
        FIX_TEST(what_came_under_the_new_name_stays),
        FIX_TEST(a_job_does_not_wait_for_ever_for_a_project_without_a_file),
        cmocka_unit_test(every_table_that_needs_a_project_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
