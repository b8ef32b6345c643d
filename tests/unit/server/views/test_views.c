#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <math.h>

#include <string.h>

#include "server/alarm/alerts.h"
#include "server/ground/error.h"
#include "server/store/changes.h"
#include "server/store/store_sql.h"

#include "server/views/views.h"

static const double level[4] = {70, 270, 1400, 3000};
static const double faster[4] = {70, 150, 1280, 2880};

static void nights(fixture *fix, const char *project, int first, int last, const double *means) {
    for (int day = first; day <= last; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += 1000;
        fix_measure(fix, project, day, date, means);
    }
}

/* Every member named, separated by spaces, is there. */
static void has(const json_t *object, const char *names) {
    g_auto(GStrv) list = g_strsplit(names, " ", -1);
    for (char **name = list; *name; name++)
        if (!json_object_get(object, *name))
            fail_msg("%s is missing", *name);
}

static void pages_follow_each_other(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, "kieker", 1, 7, level);
    g_autofree char *cursor = NULL;
    int expected = 7, pages = 0;
    do {
        json_t *page =
            srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){3, cursor}, &error);
        assert_non_null(page);
        size_t i;
        json_t *night;
        json_array_foreach (json_object_get(page, "items"), i, night) {
            g_autofree char *date = g_strdup_printf("2013-04-%02d", expected--);
            assert_string_equal(text_of(night, "night"), date);
        }
        g_free(cursor);
        cursor = g_strdup(text_of(page, "next"));
        json_decref(page);
        pages++;
    } while (cursor);
    assert_int_equal(expected, 0);
    assert_int_equal(pages, 3);
}

static void until_ends_the_list(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, "kieker", 1, 4, level);
    json_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){NULL, "2013-04-02"},
                                   (srv_page){0, NULL}, &error);
    assert_int_equal(json_array_size(json_object_get(page, "items")), 2);
    json_decref(page);
}

static void since_begins_the_list(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, "kieker", 1, 4, level);
    json_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){"2013-04-02", "2013-04-03"},
                                   (srv_page){0, NULL}, &error);
    const json_t *items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 2);
    assert_string_equal(text_of(json_array_get(items, 0), "night"), "2013-04-03");
    assert_string_equal(text_of(json_array_get(items, 1), "night"), "2013-04-02");
    json_decref(page);
}

static void bad_pages_are_refused(void **state) {
    static const struct {
        unsigned limit;
        const char *cursor;
    } cases[] = {{5001, NULL},
                 {1, ""},
                 {1, "x"},
                 {1, "2013-04-17~1"},
                 {1, "2013-04-17~a~1"},
                 {1, "2013-04-17~1~-1"},
                 {1, "2013-04-1'~1~1"},
                 {1, "2013-04-17~1~1~1"}};
    fixture *fix = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_null(srv_view_nights(fix->store, "kieker", (srv_dates){0},
                                    (srv_page){cases[i].limit, cases[i].cursor}, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        g_error_free(error);
    }
}

static void a_night_has_what_the_api_says(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, "kieker", 1, 3, level);
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){1, NULL}, &error);
    json_t *night = json_array_get(json_object_get(page, "items"), 0);
    has(night, "experiment job project night state reason commit release environment "
               "environment_changed accepted "
               "finished_ms loops total configurations portions");
    has(json_object_get(night, "commit"), "sha short author time_ms subject");
    assert_null(json_object_get(json_object_get(night, "commit"), "author_email"));
    json_t *portion = json_array_get(json_object_get(night, "portions"), 1);
    has(portion, "portion configuration parent mean_ns low_ns high_ns method verdict direction "
                 "reference difference reason");
    has(json_object_get(portion, "reference"),
        "mean_ns low_ns high_ns nights from_experiment to_experiment");
    assert_string_equal(text_of(portion, "method"), "paired t");
    /* The fixture's medians are 0.99 of its means. */
    static const char *const figures[] = {"", "low_", "high_"};
    for (size_t i = 0; i < G_N_ELEMENTS(figures); i++) {
        g_autofree char *median = g_strdup_printf("median_%sns", figures[i]);
        g_autofree char *mean = g_strdup_printf("%sns", i == 0 ? "mean_" : figures[i]);
        const json_t *of[] = {portion, json_object_get(night, "total"),
                              json_array_get(json_object_get(night, "configurations"), 2)};
        for (size_t k = 0; k < G_N_ELEMENTS(of); k++)
            assert_true(fabs(json_number_value(json_object_get(of[k], median)) -
                             0.99 * json_number_value(json_object_get(of[k], mean))) < 1e-6);
    }
    assert_string_equal(text_of(portion, "verdict"), "ok");
    g_autofree char *brief = g_strndup(fix_sha(3), 9);
    assert_string_equal(text_of(json_object_get(night, "commit"), "short"), brief);
    json_decref(page);
}

static void a_project_has_what_the_api_says(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *empty = srv_view_project(fix->store, "kieker", &error);
    assert_non_null(empty);
    assert_true(json_is_null(json_object_get(empty, "latest")));
    assert_int_equal(number_of(empty, "nights"), 0);
    json_decref(empty);
    nights(fix, "kieker", 1, 5, level);
    nights(fix, "kieker", 6, 8, faster);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    json_t *view = srv_view_project(fix->store, "kieker", &error);
    assert_non_null(view);
    has(view, "name title repository branch enabled commit_url problem polled_ms next_night_ms "
              "nights queued open_alerts aged_alerts quiet_nights portions latest alert running");
    assert_int_equal(number_of(view, "nights"), 8);
    assert_int_equal(number_of(view, "queued"), 1);
    assert_int_equal(number_of(view, "open_alerts"), 1);
    assert_int_equal(number_of(view, "quiet_nights"), 2);
    assert_null(json_object_get(json_object_get(view, "latest"), "configurations"));
    assert_string_equal(text_of(json_object_get(view, "alert"), "portion"), "I");
    assert_string_equal(text_of(json_object_get(view, "running"), "night"), "2013-04-09");
    json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    json_t *spark = json_object_get(portion, "spark_ns");
    assert_int_equal(json_array_size(spark), 8);
    assert_true(json_number_value(json_array_get(spark, 0)) > 190);
    assert_true(json_number_value(json_array_get(spark, 7)) < 90);
    json_decref(view);
    json_decref(leased);
}

static void projects_are_listed_by_name(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_sync(fix, "otel", "kieker", "a", NULL);
    json_t *page = srv_view_projects(fix->store, &error);
    json_t *items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 3);
    assert_string_equal(text_of(json_array_get(items, 0), "name"), "a");
    assert_string_equal(text_of(json_array_get(items, 2), "name"), "otel");
    json_decref(page);
}

static void a_failed_fetch_is_a_problem(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    assert_true(srv_project_polled(fix->store, "kieker", 5, 6, "it is gone", &error));
    json_t *view = srv_view_project(fix->store, "kieker", &error);
    assert_string_equal(text_of(view, "problem"), "it is gone");
    json_decref(view);
    assert_true(srv_project_polled(fix->store, "kieker", 7, 8, NULL, &error));
    view = srv_view_project(fix->store, "kieker", &error);
    assert_true(json_is_null(json_object_get(view, "problem")));
    assert_int_equal(number_of(view, "polled_ms"), 7);
    json_decref(view);
}

static void status_knows_queue_and_nodes(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 2, "2013-04-02", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    g_autofree char *text = g_strdup("projects.d/x.yaml:3: unknown key");
    g_autoptr(GPtrArray) problems = g_ptr_array_new();
    g_ptr_array_add(problems, text);
    json_t *view = srv_view_status(fix->store, 1, 60000, problems, fix->now_ms + 1000, &error);
    json_t *queue = json_object_get(view, "queue");
    assert_int_equal(number_of(queue, "queued"), 1);
    assert_int_equal(number_of(queue, "leased"), 1);
    json_t *node = json_array_get(json_object_get(view, "nodes"), 0);
    assert_string_equal(text_of(node, "name"), "blade1");
    assert_string_equal(text_of(node, "state"), "busy");
    assert_int_equal(json_array_size(json_object_get(view, "problems")), 1);
    json_decref(view);
    view = srv_view_status(fix->store, 1, 60000, NULL, fix->now_ms + 61000, &error);
    node = json_array_get(json_object_get(view, "nodes"), 0);
    assert_string_equal(text_of(node, "state"), "silent");
    json_decref(view);
    json_decref(leased);
}

static void what_is_not_there_is_not_found(void **state) {
    fixture *fix = *state;
    json_t *views[6];
    GError *errors[6] = {NULL};
    views[0] = srv_view_project(fix->store, "nobody", &errors[0]);
    views[1] =
        srv_view_nights(fix->store, "nobody", (srv_dates){0}, (srv_page){0, NULL}, &errors[1]);
    views[2] = srv_view_experiment(fix->store, 5, &errors[2]);
    views[3] = srv_view_alert(fix->store, 5, &errors[3]);
    views[4] = srv_view_job(fix->store, 5, &errors[4]);
    views[5] = srv_view_jobs(fix->store, "nobody", NULL, (srv_page){0, NULL}, &errors[5]);
    for (size_t i = 0; i < 6; i++) {
        assert_null(views[i]);
        assert_true(g_error_matches(errors[i], SRV_ERROR, SRV_ERROR_NOT_FOUND));
        g_error_free(errors[i]);
    }
}

static void jobs_are_filtered_by_state(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    nights(fix, "kieker", 1, 2, level);
    fix_add(fix, "kieker", 3, "2013-04-03", SRV_KIND_BACKFILL);
    static const struct {
        const char *state;
        size_t count;
    } cases[] = {{NULL, 3}, {"queued", 1}, {"done", 2}, {"failed", 0}, {"' OR 1=1 --", 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *page = srv_view_jobs(fix->store, NULL, cases[i].state, (srv_page){0, NULL}, &error);
        assert_int_equal(json_array_size(json_object_get(page, "items")), cases[i].count);
        json_decref(page);
    }
}

/* Of the nights only the one with which the accepted change began says so. */
static void an_accepted_change_marks_its_night(void **state) {
    fixture *fix = *state;
    static const double before[4] = {70, 470, 1600, 3200}, after[4] = {70, 190, 1320, 2920};
    for (int day = 1; day <= 8; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += 3600000;
        fix_measure(fix, "kieker", day, date, day <= 5 ? before : after);
    }
    for (int accepted = 0; accepted < 2; accepted++) {
        if (accepted)
            assert_true(srv_alert_set(fix->store, 1, "accepted", "ada", "#996", 77, NULL));
        json_t *page =
            srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){8, NULL}, NULL);
        size_t i;
        json_t *night;
        json_array_foreach (json_object_get(page, "items"), i, night) {
            bool begins = accepted && g_str_equal(text_of(night, "night"), "2013-04-06");
            assert_int_equal(json_is_true(json_object_get(night, "accepted")), begins);
        }
        json_decref(page);
    }
}

static size_t count_of(fixture *fix, const char *state) {
    json_t *page = srv_view_alerts(fix->store, "kieker", state, (srv_page){0, NULL}, NULL);
    size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

static void expect_ages(fixture *fix, bool aged, const char *last_author) {
    GError *error = NULL;
    json_t *project = srv_view_project(fix->store, "kieker", &error);
    assert_null(error);
    assert_int_equal(number_of(project, "open_alerts"), !aged);
    assert_int_equal(number_of(project, "aged_alerts"), aged);
    assert_int_equal(json_is_null(json_object_get(project, "alert")), aged);
    json_decref(project);
    assert_int_equal(count_of(fix, "open"), 1);
    assert_int_equal(count_of(fix, "aged"), aged);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_non_null(alert);
    assert_string_equal(text_of(alert, "state"), "open");
    assert_int_equal(json_is_true(json_object_get(alert, "aged")), aged);
    json_t *audit = json_object_get(alert, "audit");
    assert_string_equal(text_of(json_array_get(audit, json_array_size(audit) - 1), "author"),
                        last_author);
    json_decref(alert);
}

/* As the daemon does it in time: views ask the store alone. */
static int64_t alerts_age(fixture *fix) {
    int64_t next_ms = 0;
    assert_true(srv_alerts_age(fix->store, g_get_real_time() / 1000, &next_ms, NULL));
    return next_ms;
}

static void ageing_after(fixture *fix, unsigned days) {
    g_autoptr(GPtrArray) projects =
        g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    cfg_project *project = fix_project("kieker");
    project->detection.ageing_days = days;
    g_ptr_array_add(projects, project);
    assert_true(srv_projects_sync(fix->store, projects, NULL));
    alerts_age(fix);
}

/* Nights, an alert and their words carry the level that the project asks for; nothing says 95. */
static void the_level_comes_with_the_data(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autoptr(GPtrArray) projects =
        g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    cfg_project *project = fix_project("kieker");
    project->detection.confidence = 0.99;
    g_ptr_array_add(projects, project);
    assert_true(srv_projects_sync(fix->store, projects, NULL));
    nights(fix, "kieker", 1, 5, level);
    nights(fix, "kieker", 6, 8, faster);
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){NULL, NULL}, (srv_page){0, NULL}, &error);
    const json_t *night = json_array_get(json_object_get(page, "items"), 0);
    assert_true(json_real_value(json_object_get(night, "level")) == 0.99);
    assert_string_equal(text_of(night, "headline"), "nothing changed");
    json_decref(page);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_non_null(alert);
    assert_true(json_real_value(json_object_get(alert, "level")) == 0.99);
    assert_non_null(strstr(text_of(alert, "headline"), "Instrumentation (I) fell by "));
    assert_non_null(strstr(text_of(alert, "sentence"), "; 99 % interval "));
    char *all = json_dumps(alert, 0);
    assert_null(strstr(all, "95 % interval"));
    free(all);
    json_decref(alert);
}

/* The fixture's nights are years ago, so is their alert. */
static void an_open_alert_ages_until_it_is_touched(void **state) {
    fixture *fix = *state;
    nights(fix, "kieker", 1, 5, level);
    nights(fix, "kieker", 6, 8, faster);
    expect_ages(fix, false, "detector"); /* no days are given: never */
    ageing_after(fix, 30);
    expect_ages(fix, true, "ageing");
    const int64_t now_ms = g_get_real_time() / 1000;
    assert_true(srv_alert_set(fix->store, 1, "open", "ada", "look at it again", now_ms, NULL));
    expect_ages(fix, false, "ada");
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *audit = json_object_get(alert, "audit");
    json_t *aged = json_array_get(audit, json_array_size(audit) - 2);
    assert_string_equal(text_of(aged, "author"), "ageing"); /* history keeps that it had */
    json_decref(alert);
    assert_true(srv_alert_set(fix->store, 1, "acknowledged", "ada", "mine", 77, NULL));
    assert_int_equal(count_of(fix, "aged"), 0); /* somebody has it */
}

/* The store says so, nobody asks for the time: a kept answer stays right. */
static void ageing_is_a_change_in_the_store(void **state) {
    fixture *fix = *state;
    nights(fix, "kieker", 1, 5, level);
    nights(fix, "kieker", 6, 8, faster);
    srv_changes *changes = srv_changes_open(fix->path, NULL);
    ageing_after(fix, 36500);
    expect_ages(fix, false, "detector");
    uint64_t before = srv_changes_now(changes, SRV_CHANGES_ALL);
    int64_t next_ms = alerts_age(fix);
    assert_true(next_ms > g_get_real_time() / 1000 && next_ms < INT64_MAX);
    assert_int_equal(srv_changes_now(changes, SRV_CHANGES_ALL), before); /* nothing to say */
    assert_true(srv_alerts_age(fix->store, next_ms - 1, &(int64_t){0}, NULL));
    expect_ages(fix, false, "detector");
    assert_true(srv_alerts_age(fix->store, next_ms, &next_ms, NULL));
    assert_int_equal(next_ms, INT64_MAX);
    assert_int_not_equal(srv_changes_now(changes, SRV_CHANGES_ALL), before);
    expect_ages(fix, true, "ageing");
    ageing_after(fix, 0);
    expect_ages(fix, false, "detector");
    srv_changes_close(changes);
}

static json_t *page_of(fixture *fix, unsigned limit) {
    GError *error = NULL;
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){limit, NULL}, &error);
    assert_non_null(page);
    return page;
}

static uint64_t statements_for(fixture *fix, unsigned limit) {
    uint64_t before = srv__statements(fix->store);
    json_t *page = page_of(fix, limit);
    uint64_t count = srv__statements(fix->store) - before;
    assert_int_equal(json_array_size(json_object_get(page, "items")), limit);
    json_decref(page);
    return count;
}

static void nights_are_asked_for_at_once(void **state) {
    fixture *fix = *state;
    nights(fix, "kieker", 1, 9, level);
    nights(fix, "kieker", 10, 12, faster);
    uint64_t one = statements_for(fix, 1);
    assert_true(one > 0);
    assert_int_equal(statements_for(fix, 2), one);
    assert_int_equal(statements_for(fix, 12), one);
}

/* What came for all nights at once is what a night says of itself. */
static void nights_of_a_page_are_whole(void **state) {
    static const char *const same[] = {"portions", "total", "commit", "headline"};
    fixture *fix = *state;
    nights(fix, "kieker", 1, 5, level);
    nights(fix, "kieker", 6, 8, faster);
    json_t *page = page_of(fix, 6), *night;
    size_t i;
    json_array_foreach (json_object_get(page, "items"), i, night) {
        json_t *alone = srv_view_experiment(fix->store, number_of(night, "experiment"), NULL);
        json_t *portion;
        size_t k;
        json_array_foreach (json_object_get(alone, "portions"), k, portion)
            json_object_del(portion, "accepted_in_advance");
        for (k = 0; k < G_N_ELEMENTS(same); k++)
            if (!json_equal(json_object_get(night, same[k]), json_object_get(alone, same[k])))
                fail_msg("night %zu: %s differ", i, same[k]);
        assert_int_equal(json_array_size(json_object_get(night, "portions")), 4);
        assert_int_equal(json_array_size(json_object_get(night, "configurations")), 4);
        assert_null(
            json_object_get(json_array_get(json_object_get(night, "portions"), 0), "experiment"));
        json_decref(alone);
    }
    json_decref(page);
}

/* Whoever keeps an answer is told when it is old: nights that look different have another
 * counter. */
typedef struct {
    srv_changes *changes;
    char *shown;
    uint64_t nights, all;
} watched;

static void look(fixture *fix, watched *w) {
    GError *error = NULL;
    json_t *view =
        srv_view_nights(fix->store, "kieker", (srv_dates){NULL, NULL}, (srv_page){0, NULL}, &error);
    assert_non_null(view);
    g_free(w->shown);
    w->shown = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);
    w->nights = srv_changes_now(w->changes, SRV_CHANGES_NIGHTS);
    w->all = srv_changes_now(w->changes, SRV_CHANGES_ALL);
    json_decref(view);
}

/* shown: the nights must look different now. */
static void expect_told(fixture *fix, watched *w, const char *what, bool shown) {
    watched before = *w;
    w->shown = NULL;
    look(fix, w);
    bool differ = strcmp(before.shown, w->shown) != 0;
    if (differ && before.nights == w->nights)
        fail_msg("%s: the nights differ, and nobody was told", what);
    if (shown && !differ)
        fail_msg("%s: the nights were to differ", what);
    if (!shown && before.nights != w->nights)
        fail_msg("%s: told without need", what);
    assert_int_not_equal(before.all, w->all);
    g_free(before.shown);
}

static void changes_of_nights_are_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    watched w = {.changes = srv_changes_open(fix->path, NULL)};
    assert_non_null(w.changes);
    look(fix, &w);
    nights(fix, "kieker", 1, 8, level);
    expect_told(fix, &w, "nights", true);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    expect_told(fix, &w, "a queued job", false);
    json_t *leased = fix_lease(fix);
    expect_told(fix, &w, "a lease", false);
    json_t *result = fix_result(fix, leased, faster);
    expect_told(fix, &w, "an upload", false);
    json_t *answer = srv_ingest_result(fix->store, number_of(json_object_get(leased, "job"), "id"),
                                       result, fix->now_ms, &created, &error);
    assert_non_null(answer);
    expect_told(fix, &w, "a result", true);
    json_decref(answer);
    json_decref(result);
    json_decref(leased);
    nights(fix, "kieker", 10, 12, faster);
    expect_told(fix, &w, "an alert's nights", true);
    json_t *alerts = srv_view_alerts(fix->store, "kieker", NULL, (srv_page){0, NULL}, &error);
    int64_t alert = number_of(json_array_get(json_object_get(alerts, "items"), 0), "id");
    assert_true(alert > 0);
    json_decref(alerts);
    assert_true(
        srv_alert_set(fix->store, alert, "accepted", "nora", "meant so", fix->now_ms, &error));
    expect_told(fix, &w, "an accepted alert", true);
    g_free(w.shown);
    srv_changes_close(w.changes);
}

/* The project as it is kept: what it shows, and whether that was told. */
static void look_own(fixture *fix, watched *w, const char *project) {
    json_t *view = srv_view_project(fix->store, project, NULL);
    assert_non_null(view);
    g_free(w->shown);
    w->shown = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);
    w->all = srv_changes_now(w->changes, srv_changes_own(project));
    json_decref(view);
}

/* What was done is shown by kieker, whose answers are old now; the other's are not. */
static void expect_own(fixture *fix, watched *w, watched *other, const char *what, bool shown) {
    watched before = *w, other_before = *other;
    w->shown = other->shown = NULL;
    look_own(fix, w, "kieker");
    look_own(fix, other, "opentelemetry");
    if (strcmp(other_before.shown, other->shown) != 0 || other_before.all != other->all)
        fail_msg("%s: the other project changed", what);
    if ((strcmp(before.shown, w->shown) != 0) != shown)
        fail_msg("%s: shown is not %d", what, shown);
    if (shown && before.all == w->all)
        fail_msg("%s: it differs, and nobody was told", what);
    g_free(before.shown);
    g_free(other_before.shown);
}

static void what_happens_often_is_told_to_one_project(void **state) {
    fixture *fix = *state;
    watched w = {.changes = srv_changes_open(fix->path, NULL)}, other = {.changes = w.changes};
    fix_sync(fix, "kieker", "opentelemetry", NULL);
    json_t *nothing = NULL;
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    look_own(fix, &w, "kieker");
    look_own(fix, &other, "opentelemetry");
    assert_true(srv_project_polled(fix->store, "kieker", 1234, 5678, "gone", NULL));
    expect_own(fix, &w, &other, "a poll", true);
    json_t *leased = fix_lease(fix);
    expect_own(fix, &w, &other, "a lease", true);
    assert_true(srv_queue_lease(fix->store, &fix_rules,
                                &(srv_node){"blade9", "0.1", NULL, fix->can}, fix->now_ms, &nothing,
                                NULL));
    assert_null(nothing);
    expect_own(fix, &w, &other, "a node that asks", false);
    json_t *body = json_pack("{s:O,s:s,s:s,s:i,s:i,s:i,s:i,s:s}", "lease",
                             json_object_get(leased, "lease"), "phase", "measure", "configuration",
                             "none", "loop", 1, "loops", 2, "done", 1, "total", 8, "message", "");
    json_t *answer =
        srv_queue_progress(fix->store, &fix_rules, number_of(json_object_get(leased, "job"), "id"),
                           body, fix->now_ms, NULL);
    assert_non_null(answer);
    expect_own(fix, &w, &other, "progress", true);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
    /* what says nothing of whose it is changes everybody's */
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    assert_int_not_equal(srv_changes_now(other.changes, srv_changes_own("opentelemetry")),
                         other.all);
    g_free(w.shown);
    g_free(other.shown);
    srv_changes_close(w.changes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(the_level_comes_with_the_data),
        FIX_TEST(changes_of_nights_are_told),
        FIX_TEST(what_happens_often_is_told_to_one_project),
        FIX_TEST(pages_follow_each_other),
        FIX_TEST(until_ends_the_list),
        FIX_TEST(since_begins_the_list),
        FIX_TEST(bad_pages_are_refused),
        FIX_TEST(a_night_has_what_the_api_says),
        FIX_TEST(a_project_has_what_the_api_says),
        FIX_TEST(projects_are_listed_by_name),
        FIX_TEST(a_failed_fetch_is_a_problem),
        FIX_TEST(status_knows_queue_and_nodes),
        FIX_TEST(what_is_not_there_is_not_found),
        FIX_TEST(jobs_are_filtered_by_state),
        FIX_TEST(an_accepted_change_marks_its_night),
        FIX_TEST(an_open_alert_ages_until_it_is_touched),
        FIX_TEST(ageing_is_a_change_in_the_store),
        FIX_TEST(nights_are_asked_for_at_once),
        FIX_TEST(nights_of_a_page_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
