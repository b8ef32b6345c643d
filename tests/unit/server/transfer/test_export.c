#include "carried.h"

#include "server/alarm/alerts.h"
#include "server/alarm/incidents.h"
#include "server/ground/error.h"
#include "server/poll/question.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "tests/unit/server/sql_text.h"
#include "web/words/words.h"

static const double before[4] = {70, 470, 1600, 3200};
static const double after[4] = {70, 190, 1320, 2920};

static int setup(void **state) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    for (int day = 1; day <= 8; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += 3600000;
        fix_measure(fix, "kieker", day, date, day <= 5 ? before : after);
    }
    assert_true(srv_alert_set(fix->store, 1, "accepted", "ada", "ticket #996", 77, NULL));
    *state = fix;
    return 0;
}

static int teardown(void **state) {
    fix_free(*state);
    return 0;
}

static void the_password_of_the_address_stays(void **state) {
    fixture *fix = *state;
    assert_true(srv__run(
        fix->store,
        sql_text("UPDATE project SET repository='https://me:secret@example.org/r.git'", ""),
        SRV__NO_ARGS, NULL));
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_non_null(strstr(lines->pdata[0], "https://example.org/r.git"));
    for (guint i = 0; i < lines->len; i++)
        assert_null(strstr(lines->pdata[i], "secret"));
}

static void expect_one_value(fixture *fix, int64_t experiment) {
    json_auto_t *night = srv_view_experiment(fix->store, experiment, NULL);
    const json_t *one = json_array_get(json_object_get(night, "configurations"), 0);
    const json_t *all = json_object_get(one, "statistics");
    const json_t *loop = json_array_get(json_object_get(one, "loop_results"), 0);
    const json_t *summary = json_object_get(loop, "summary");
    assert_int_equal(json_object_size(summary), 5);
    static const char *const known[] = {"n", "mean_ns", "min_ns", "median_ns", "max_ns"};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        assert_true(json_is_number(json_object_get(summary, known[i])));
    assert_true(json_is_null(json_object_get(all, "q1_ns")));
    assert_true(json_is_null(json_object_get(all, "q3_ns")));
    assert_null(json_object_get(all, "p99_ns"));
    assert_true(json_is_number(json_object_get(all, "sd_ns"))); /* of the loops' means */
    assert_true(json_is_number(json_object_get(all, "max_ns")));
}

/* One value has no quartiles and no deviation, though an older runner told them, and another
 * release kept them. */
static void one_value_does_not_scatter_anywhere(void **state) {
    fixture *fix = *state, *other = fix_new();
    fix->now_ms += 3600000;
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, after), *loop;
    size_t i;
    json_array_foreach (json_object_get(body, "loops"), i, loop) {
        fix_calls(loop, 1);
        json_object_set_new(json_object_get(loop, "summary"), "p99_ns", json_real(1.9 * after[3]));
    }
    const int64_t seen = fix_ingest(fix, leased, body);
    expect_one_value(fix, seen);
    assert_true(
        srv__run(fix->store,
                 sql_text("UPDATE configuration SET statistics=replace(statistics, "
                          "'\"min_ns\"', '\"q1_ns\":5,\"q3_ns\":5,\"p99_ns\":5,\"min_ns\"')",
                          ""),
                 SRV__NO_ARGS, NULL));
    expect_one_value(fix, seen);
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_null(strstr(lines->pdata[lines->len - 2], "q1_ns"));
    assert_non_null(strstr(lines->pdata[lines->len - 2], "median_ns"));
    imported(other, NULL, lines);
    expect_one_value(other, 9);
    fix_free(other);
}

/* What matters of a night, without the keys of this server. */
static char *essence(fixture *fix, const char *project) {
    json_t *page = srv_view_nights(fix->store, project, (srv_dates){0}, (srv_page){0, NULL}, NULL);
    GString *text = g_string_new(NULL);
    size_t i, k;
    json_t *night, *portion;
    json_array_foreach (json_object_get(page, "items"), i, night) {
        const char *release = json_string_value(json_object_get(night, "release"));
        g_string_append_printf(
            text, "%s %s %s\n", json_string_value(json_object_get(night, "night")),
            json_string_value(json_object_get(night, "environment")), release ? release : "-");
        json_array_foreach (json_object_get(night, "portions"), k, portion) {
            g_string_append_printf(text, "%s %.17g %.17g %s %s\n",
                                   json_string_value(json_object_get(portion, "portion")),
                                   json_number_value(json_object_get(portion, "mean_ns")),
                                   json_number_value(json_object_get(portion, "high_ns")),
                                   json_string_value(json_object_get(portion, "verdict")),
                                   json_string_value(json_object_get(portion, "reason")));
        }
    }
    json_decref(page);
    return g_string_free(text, FALSE);
}

static void releases_set(fixture *fix, const char *tag) {
    GError *error = NULL;
    json_t *releases = json_pack("{s:s*}", fix_sha(7), tag);
    if (!srv_releases_mark(fix->store, "kieker", tag ? releases : NULL, &error))
        fail_msg("%s", error->message);
    json_decref(releases);
}

static void a_project_survives_the_way(void **state) {
    fixture *fix = *state, *other = fix_new();
    releases_set(fix, "v1");
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_int_equal(lines->len, 1 + 1 + 8 + 1);
    srv_import_counts counts = imported(other, NULL, lines);
    assert_int_equal(counts.nights, 8);
    assert_int_equal(counts.alerts, 1);
    assert_int_equal(counts.unmatched, 0);
    g_autofree char *here = essence(fix, "kieker");
    g_autofree char *there = essence(other, "kieker");
    assert_string_equal(here, there);
    assert_non_null(strstr(here, "2013-04-07 "));
    assert_non_null(strstr(here, " v1\n"));
    releases_set(fix, "v2");
    g_autofree char *moved = essence(fix, "kieker");
    assert_non_null(strstr(moved, " v2\n"));
    releases_set(fix, NULL);
    g_autofree char *none = essence(fix, "kieker");
    assert_null(strstr(none, " v"));
    releases_set(fix, "v1");
    json_t *alert = srv_view_alert(other->store, 1, NULL);
    assert_string_equal(json_string_value(json_object_get(alert, "state")), "accepted");
    json_decref(alert);
    json_t *project = srv_view_project(other->store, "kieker", NULL);
    assert_true(json_is_false(json_object_get(project, "enabled")));
    json_decref(project);
    counts = imported(other, NULL, lines);
    assert_int_equal(counts.nights, 0);
    assert_int_equal(counts.known, 8);
    assert_int_equal(counts.alerts, 0);
    g_autoptr(GPtrArray) again = exported(other, "kieker");
    assert_int_equal(again->len, lines->len);
    fix_free(other);
}

/* A person's answer to an incident goes the way of one to an alert. */
static void an_answered_incident_goes_along(void **state) {
    fixture *fix = *state, *other = fix_new();
    GError *error = NULL;
    static const double halved[4] = {35, 235, 800, 1600};
    for (int day = 20; day <= 21; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        (void)fix_measure(fix, "kieker", day, date, halved);
    }
    json_t *page =
        srv_view_list(fix->store, &srv_list_incidents, "kieker", NULL, (srv_page){0, NULL}, &error);
    json_t *incident = json_array_get(json_object_get(page, "items"), 0);
    const int64_t id = number_of(incident, "id");
    assert_true(srv_incident_set(fix->store, id, "closed", "ada", "new clock", 7, &error));
    json_decref(page);
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_non_null(strstr(lines->pdata[lines->len - 1], "\"type\":\"incident\""));
    srv_import_counts counts = imported(other, NULL, lines);
    assert_int_equal(counts.unmatched, 0);
    page = srv_view_list(other->store, &srv_list_incidents, "kieker", "closed", (srv_page){0, NULL},
                         &error);
    incident = json_array_get(json_object_get(page, "items"), 0);
    const json_t *entry = json_array_get(json_object_get(incident, "audit"), 0);
    assert_string_equal(text_of(entry, "reason"), "new clock");
    /* opened when its night was, not today */
    assert_true(number_of(incident, "opened_ms") < INT64_C(1366588800000) + 86400000);
    assert_true(json_is_true(json_object_get(incident, "imported")));
    json_decref(page);
    fix_free(other);
}

/* What an import finds is remembered, and is as old as its nights. */
static void what_an_import_brings_is_summed_up(void **state) {
    fixture *fix = *state, *other = fix_new();
    GError *error = NULL;
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    other->now_ms += INT64_C(400) * 86400000;
    g_autoptr(srv_import) import = srv_import_new(other->store, NULL, other->now_ms);
    g_autofree char *text = first_of(lines, lines->len - 1); /* without the answer to the alert */
    assert_true(import_text(import, text, &error));
    json_t *report = srv_import_report(import);
    assert_int_equal(number_of(report, "nights"), 8);
    assert_int_equal(number_of(report, "changes"), 1);
    assert_int_equal(number_of(report, "incidents"), 0);
    assert_int_equal(number_of(report, "quarantined"), 0);
    assert_int_equal(json_array_size(json_object_get(report, "gaps")), 0);
    g_autofree char *words = web_import_words(report);
    assert_non_null(
        strstr(words, "changes found: 1, incidents: 0; results that cannot be judged: 0\n"));
    json_t *project = srv_view_project(other->store, "kieker", &error);
    assert_int_equal(number_of(json_object_get(project, "import"), "nights"), 8);
    json_decref(project);
    json_decref(report);
    json_t *alert = srv_view_alert(other->store, 1, &error);
    assert_true(number_of(alert, "raised_ms") < other->now_ms - INT64_C(390) * 86400000);
    assert_true(
        json_is_true(json_object_get(alert, "imported")));       /* so nobody takes that for when */
    assert_true(json_is_null(json_object_get(alert, "repeat"))); /* nobody here has its file */
    json_decref(alert);
    alert = srv_view_alert(fix->store, 1, &error);
    assert_null(json_object_get(alert, "imported"));
    assert_true(json_is_string(json_object_get(alert, "repeat")));
    json_decref(alert);
    fix_free(other);
}

static void into_itself_changes_nothing(void **state) {
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    srv_import_counts counts = imported(fix, NULL, lines);
    assert_int_equal(counts.nights, 0);
    assert_int_equal(counts.known, 8);
}

/* An alert of memory is told from one of time, and an answer to it is not lost. */
static void an_alert_beside_time_keeps_its_dimension(void **state) {
    fixture *fix = *state;
    static const char *const texts[] = {"UPDATE alert SET dimension='peak_mb'",
                                        "UPDATE alert_portion SET dimension='peak_mb'"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        assert_true(srv__run(fix->store, sql_text(texts[i], ""), SRV__NO_ARGS, NULL));
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    assert_non_null(strstr(lines->pdata[lines->len - 1], "\"dimension\":\"peak_mb\""));
    srv_import_counts counts = imported(fix, NULL, lines);
    assert_int_equal(counts.unmatched, 0);
    assert_int_equal(counts.alerts, 0);
}

static void under_another_name(void **state) {
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    srv_import_counts counts = imported(fix, "kieker-copy", lines);
    assert_int_equal(counts.nights, 8);
    g_autofree char *here = essence(fix, "kieker");
    g_autofree char *there = essence(fix, "kieker-copy");
    assert_string_equal(here, there);
}

static void an_unknown_project_is_not_found(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    assert_false(srv_export_project(fix->store, "nobody", 5, collect, NULL, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_error_free(error);
}

#define HEADER(detection)                                                                          \
    "{\"moowatch_export\":1,\"project\":\"p\",\"title\":\"t\",\"repository\":\"r\",\"branch\":"    \
    "\"b\","                                                                                       \
    "\"detection\":" detection "}"

static void a_further_branch_stays_one(void **state) {
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    fixture *other = fix_new();
    imported(other, "kieker", lines);
    imported(other, "kieker~release-1.15", lines);
    json_t *view = srv_view_project(other->store, "kieker~release-1.15", NULL);
    json_t *whole = srv_view_project(other->store, "kieker", NULL);
    assert_string_equal(text_of(view, "main"), "kieker");
    assert_null(text_of(whole, "main"));
    assert_int_equal(json_array_size(json_object_get(whole, "branches")), 2);
    assert_int_equal(number_of(view, "nights"), 8);
    json_decref(view);
    json_decref(whole);
    fix_free(other);
}

/* Lines are the export's; one of them is replaced. */
static void bad_lines_are_refused(void **state) {
    static const struct {
        guint line;
        const char *text, *says;
    } cases[] = {
        {0, "", "line 1: is not a JSON object"},
        {0, "[1]", "line 1: is not a JSON object"},
        {0, "{\"moowatch_export\":3}", "moowatch_export: is 3"},
        {0,
         "{\"moowatch_export\":1,\"project\":\"../x\",\"title\":\"t\",\"repository\":\"r\","
         "\"branch\":\"b\",\"detection\":{}}",
         "is not a name"},
        {0,
         "{\"moowatch_export\":1,\"project\":\"kieker~\",\"title\":\"t\",\"repository\":\"r\","
         "\"branch\":\"b\",\"detection\":{}}",
         "is not a name"},
        {0,
         "{\"moowatch_export\":1,\"project\":\"kieker~a/b\",\"title\":\"t\",\"repository\":\"r\","
         "\"branch\":\"b\",\"detection\":{}}",
         "is not a name"},
        {0, HEADER("{}"), "line 1: detection.confidence: is missing; put a number from 0.5 to"},
        {0, HEADER("{\"confidence\":2}"), "line 1: detection.confidence: cannot be used; put"},
        {0,
         HEADER("{\"confidence\":0.95,\"minimum_effect_percent\":1,\"minimum_effect_ns\":1,"
                "\"baseline_nights\":2.5}"),
         "line 1: detection.baseline_nights: cannot be used; put a whole number"},
        {1, "{\"type\":\"night\"}", "line 2: type: a benchmark must come before"},
        {1, "{\"type\":\"benchmark\",\"hash\":\"x\",\"body\":{}}", "line 2"},
        {1, "{\"type\":\"benchmark\",\"hash\":\"x\",\"names\":{\"a\":{}},\"body\":{}}",
         "line 2: names.alone.name: is missing"},
        {1,
         "{\"type\":\"benchmark\",\"hash\":\"x\",\"names\":{\"a\":{\"alone\":{\"name\":\"a\","
         "\"label\":\"A\"},\"full\":{\"name\":1,\"label\":\"A\"}}},\"body\":{}}",
         "line 2: names.full.name: must be a text"},
        {2, "{\"type\":\"x\"}", "line 3: type: must be"},
        {2, "{\"type\":\"night\"}", "line 3: result: is missing"},
        {2, "{\"type\":\"night\",\"type\":\"night\"}", "line 3: is not a JSON object"},
        {2,
         "{\"type\":\"night\",\"night\":\"2013-04-99\",\"kind\":\"nightly\",\"benchmark\":\"x\","
         "\"result\":{},\"commit\":{\"sha\":\"0123456789012345678901234567890123456789\","
         "\"author\":\"a\",\"author_email\":\"\",\"time_ms\":1,\"subject\":\"s\"}}",
         "is not a night"},
        {10, "{\"type\":\"alert\",\"audit\":[]}", "line 11: configuration: is missing"},
    };
    fixture *fix = *state;
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fixture *other = fix_new();
        GError *error = NULL;
        g_autoptr(srv_import) import = srv_import_new(other->store, NULL, 1);
        g_autofree char *first = first_of(lines, cases[i].line);
        g_autofree char *text = g_strconcat(first, cases[i].text, "\n", NULL);
        assert_false(import_text(import, text, &error));
        if (!g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID) ||
            !strstr(error->message, cases[i].says))
            fail_msg("case %zu: '%s' does not say '%s'", i, error->message, cases[i].says);
        g_error_free(error);
        fix_free(other);
    }
}

/* As the poller takes the same commit in: one odd subject refuses no history. */
static void strangers_texts_come_in_as_the_poller_keeps_them(void **state) {
    fixture *fix = *state, *other = fix_new();
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    g_autofree char *name = g_strnfill(5000, 'n');
    json_t *line = json_loads(lines->pdata[2], 0, NULL);
    json_t *commit = json_object_get(line, "commit");
    json_object_set_new(commit, "subject", json_string("red \x1b[31mtext\nsecond"));
    json_object_set_new(commit, "author", json_string(name));
    json_object_set_new(commit, "author_email", json_string("a\x7f@h"));
    char *text = json_dumps(line, JSON_COMPACT);
    g_free(lines->pdata[2]);
    lines->pdata[2] = g_strdup(text);
    assert_int_equal(imported(other, NULL, lines).nights, 8);
    json_t *page =
        srv_view_nights(other->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, NULL);
    json_t *night = json_array_get(json_object_get(page, "items"), 7);
    const char *subject =
        json_string_value(json_object_get(json_object_get(night, "commit"), "subject"));
    const char *author =
        json_string_value(json_object_get(json_object_get(night, "commit"), "author"));
    assert_string_equal(subject, "red  [31mtext second");
    assert_int_equal(g_utf8_strlen(author, -1), 100);
    json_decref(page);
    json_decref(line);
    free(text);
    fix_free(other);
}

/* As the nights here have it, though a parent comes after its child in the file. */
static void a_guess_in_another_order_goes_on_as_before(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    json_t *line = json_loads(lines->pdata[1], 0, NULL);
    json_t *body = json_object_get(line, "body");
    json_t *list = json_object_get(body, "configurations");
    json_t *last = json_incref(json_array_get(list, 3)), *third = json_array_get(list, 2);
    json_object_set_new(last, "parent", json_string("deactivated"));
    json_object_set(third, "parent", json_object_get(last, "name"));
    json_array_remove(list, 3);
    json_array_insert_new(list, 2, last);
    json_object_set_new(line, "guessed", json_true());
    char *text = json_dumps(line, JSON_COMPACT);
    g_autoptr(srv_import) import = srv_import_new(fix->store, "kieker", fix->now_ms);
    g_autofree char *both = g_strconcat(lines->pdata[0], "\n", text, NULL);
    if (!import_text(import, both, &error))
        fail_msg("%s", error->message);
    int64_t kept = 0;
    assert_true(srv__number(fix->store, sql_text("SELECT count(*) FROM benchmark", ""),
                            SRV__NO_ARGS, 0, &kept, NULL));
    assert_int_equal(kept, 1);
    free(text);
    json_decref(line);
}

/* The lines as a file, one of them replaced (line 0: none). */
static FILE *file_of(const GPtrArray *lines, guint line, const char *text, size_t length) {
    FILE *file = tmpfile();
    assert_non_null(file);
    for (guint i = 0; i < lines->len; i++) {
        const char *own = lines->pdata[i];
        const bool other = line > 0 && i + 1 == line;
        (void)fwrite(other ? text : own, 1, other ? length : strlen(own), file);
        (void)fputc('\n', file);
    }
    rewind(file);
    return file;
}

static int64_t projects(srv_store *store) {
    json_t *list = srv_view_projects(store, (srv_page){0}, false, NULL);
    int64_t n = (int64_t)json_array_size(json_object_get(list, "items"));
    json_decref(list);
    return n;
}

static void a_whole_is_taken_in_or_nothing(void **state) {
    static const char with_nul[] = "{}\0{}";
    static const struct {
        guint line;
        const char *text;
        size_t length;
    } broken[] = {{6, "{", 1}, {9, "", 0}, {4, with_nul, sizeof with_nul - 1}, {3, "\xff", 1}};
    fixture *fix = *state;
    fixture *other = fix_new();
    g_autoptr(GPtrArray) lines = exported(fix, "kieker");
    for (size_t i = 0; i < G_N_ELEMENTS(broken); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *where = g_strdup_printf("line %u: ", broken[i].line);
        FILE *file = file_of(lines, broken[i].line, broken[i].text, broken[i].length);
        g_autoptr(srv_import) import = srv_import_new(other->store, NULL, 1);
        assert_false(srv_import_whole(import, file, &error));
        (void)fclose(file);
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        assert_true(g_str_has_prefix(error->message, where));
        assert_int_equal(srv_import_lines(import), broken[i].line);
        assert_int_equal(projects(other->store), 0);
    }
    g_autofree char *marked = g_strconcat("\xef\xbb\xbf", lines->pdata[0], NULL);
    for (unsigned round = 0; round < 2; round++) { /* an editor's mark before it is nothing */
        FILE *file = file_of(lines, round, marked, strlen(marked));
        g_autoptr(srv_import) import = srv_import_new(other->store, NULL, 1);
        assert_true(srv_import_whole(import, file, NULL));
        (void)fclose(file);
        assert_int_equal(counts_of(import).nights, round == 0 ? 8 : 0);
        assert_int_equal(counts_of(import).known, round == 0 ? 0 : 8);
        assert_int_equal(projects(other->store), 1);
    }
    fix_free(other);
}

int main(void) {
#define EXPORTED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        EXPORTED(a_project_survives_the_way),
        EXPORTED(one_value_does_not_scatter_anywhere),
        EXPORTED(an_answered_incident_goes_along),
        EXPORTED(what_an_import_brings_is_summed_up),
        EXPORTED(into_itself_changes_nothing),
        EXPORTED(strangers_texts_come_in_as_the_poller_keeps_them),
        EXPORTED(a_guess_in_another_order_goes_on_as_before),
        EXPORTED(the_password_of_the_address_stays),
        EXPORTED(an_alert_beside_time_keeps_its_dimension),
        EXPORTED(under_another_name),
        EXPORTED(an_unknown_project_is_not_found),
        EXPORTED(a_further_branch_stays_one),
        EXPORTED(bad_lines_are_refused),
        EXPORTED(a_whole_is_taken_in_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
