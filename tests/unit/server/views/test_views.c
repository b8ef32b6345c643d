#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "server/alarm/alerts.h"
#include "server/ground/error.h"
#include "server/hook/hook.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/hook.h"

#include <math.h>
#include <string.h>

static const double level[4] = {70, 270, 1400, 3000};
static const double faster[4] = {70, 150, 1280, 2880};

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
    fix_nights(fix, "kieker", 1, 7, level);
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
    fix_nights(fix, "kieker", 1, 4, level);
    json_t *page = srv_view_nights(fix->store, "kieker", (srv_dates){.until = "2013-04-02"},
                                   (srv_page){0, NULL}, &error);
    assert_int_equal(json_array_size(json_object_get(page, "items")), 2);
    json_decref(page);
}

static void since_begins_the_list(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_nights(fix, "kieker", 1, 4, level);
    json_t *page = srv_view_nights(fix->store, "kieker",
                                   (srv_dates){.since = "2013-04-02", .until = "2013-04-03"},
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
    fix_nights(fix, "kieker", 1, 3, level);
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
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 10, "2013-04-10", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    json_t *view = srv_view_project(fix->store, "kieker", &error);
    assert_non_null(view);
    has(view, "name title repository branch enabled commit_url problem polled_ms next_night_ms "
              "ageing_days "
              "nights queued open_alerts aged_alerts quiet_nights quiet clear pull_requests "
              "portions latest "
              "alert running");
    assert_int_equal(number_of(view, "nights"), 8);
    assert_int_equal(number_of(view, "queued"), 1);
    assert_int_equal(number_of(view, "open_alerts"), 1);
    assert_int_equal(number_of(view, "quiet_nights"), 2);
    assert_string_equal(text_of(view, "quiet"), "Nothing new for 2 nights");
    assert_true(json_is_true(json_object_get(view, "clear")));
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

/* The badge has its colour from all of them: an improvement later takes no open rise away. */
static void open_alerts_tell_all_their_changes(void **state) {
    fixture *fix = *state;
    static const double then[4] = {70, 270, 1400, 2600};
    fix_nights(fix, "kieker", 1, 5, faster);
    fix_nights(fix, "kieker", 6, 10, level);
    fix_nights(fix, "kieker", 11, 14, then);
    json_t *told = srv_open_changes(fix->store, "kieker", NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    json_t *one;
    json_array_foreach (told, i, one)
        g_string_append_printf(text, "%s %s; ", text_of(one, "portion"), text_of(one, "direction"));
    assert_string_equal(text->str, "W down; I up; ");
    json_decref(told);
}

/* Of what changed twice nobody says what is left of it. */
static void alerts_tell_what_came_between_two_nights(void **state) {
    fixture *fix = *state;
    static const struct {
        int64_t a, b;
        const char *told;
    } cases[] = {{1, 5, ""},
                 {5, 6, "deactivated down; "},
                 {1, 8, "deactivated down; "},
                 {8, 5, "deactivated up; "},
                 {6, 8, ""},
                 {8, 14, "deactivated up; "},
                 {5, 14, ""}};
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 10, faster);
    fix_nights(fix, "kieker", 11, 14, level);
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        json_auto_t *told = srv_alerts_across(fix->store, cases[k].a, cases[k].b, NULL);
        g_autoptr(GString) text = g_string_new(NULL);
        size_t i;
        json_t *one;
        json_array_foreach (told, i, one)
            g_string_append_printf(text, "%s %s; ", text_of(one, "configuration"),
                                   text_of(one, "direction"));
        assert_string_equal(text->str, cases[k].told);
    }
}

/* The same nights, but that one branch changed: only that one has an alert, and knows of it. */
static void branches_have_histories_of_their_own(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autoptr(GPtrArray) both = g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    g_ptr_array_add(both, fix_project("kieker"));
    g_ptr_array_add(both, fix_branch("kieker", "1.15.x"));
    assert_true(srv_projects_sync(fix->store, both, &error));
    fix_nights(fix, "kieker", 1, 8, level);
    fix_nights(fix, "kieker~1.15.x", 1, 5, level);
    fix_nights(fix, "kieker~1.15.x", 6, 8, faster);
    const struct {
        const char *name, *branch, *main;
        int64_t alerts;
    } cases[] = {{"kieker", "main", NULL, 0}, {"kieker~1.15.x", "1.15.x", "kieker", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *view = srv_view_project(fix->store, cases[i].name, &error);
        const json_t *branches = json_object_get(view, "branches");
        assert_string_equal(text_of(view, "branch"), cases[i].branch);
        assert_int_equal(g_strcmp0(text_of(view, "main"), cases[i].main), 0);
        assert_int_equal(number_of(view, "nights"), 8);
        assert_int_equal(number_of(view, "open_alerts"), cases[i].alerts);
        assert_int_equal(json_array_size(branches), 2);
        for (size_t k = 0; k < 2; k++) {
            const json_t *branch = json_array_get(branches, k);
            assert_string_equal(text_of(branch, "project"), cases[k].name);
            assert_string_equal(text_of(branch, "branch"), cases[k].branch);
            assert_true(json_is_true(json_object_get(branch, "enabled")));
        }
        const json_t *alert = json_object_get(view, "alert");
        if (cases[i].alerts > 0)
            assert_string_equal(text_of(alert, "branch"), "1.15.x");
        json_decref(view);
    }
    /* taken out of the file: what was measured stays */
    fix_sync(fix, "kieker", NULL);
    json_t *view = srv_view_project(fix->store, "kieker~1.15.x", &error);
    assert_false(json_is_true(json_object_get(view, "enabled")));
    assert_int_equal(number_of(view, "nights"), 8);
    assert_string_equal(text_of(view, "main"), "kieker");
    json_decref(view);
}

static void projects_are_listed_by_name(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_sync(fix, "otel", "kieker", "a", NULL);
    json_t *page = srv_view_projects(fix->store, (srv_page){0}, false, &error);
    json_t *items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 3);
    assert_string_equal(text_of(json_array_get(items, 0), "name"), "a");
    assert_string_equal(text_of(json_array_get(items, 2), "name"), "otel");
    assert_true(json_is_null(json_object_get(page, "next")));
    json_decref(page);
    page = srv_view_projects(fix->store, (srv_page){2, NULL}, false, &error);
    assert_int_equal(json_array_size(json_object_get(page, "items")), 2);
    g_autofree char *next = g_strdup(text_of(page, "next"));
    assert_string_equal(next, "kieker");
    json_decref(page);
    page = srv_view_projects(fix->store, (srv_page){2, next}, false, &error);
    items = json_object_get(page, "items");
    assert_int_equal(json_array_size(items), 1);
    assert_string_equal(text_of(json_array_get(items, 0), "name"), "otel");
    assert_true(json_is_null(json_object_get(page, "next")));
    json_decref(page);
}

/* Of one repository: a branch and another way to measure it; what was imported is like nothing. */
static void projects_of_one_repository_are_listed(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    static const struct {
        const char *name, *repository, *like;
        size_t count;
    } cases[] = {{"a", "https://x.org/a.git", "a", 2},
                 {"a-deep", "https://x.org/a.git", "a-deep", 2},
                 {"b", "/srv/b", "b", 1},
                 {"old", "imported results", "old", 1},
                 {"older", "imported results", "older", 1}};
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        cfg_project *project = fix_project(cases[i].name);
        g_free(project->repository);
        project->repository = g_strdup(cases[i].repository);
        g_ptr_array_add(all, project);
    }
    assert_true(srv_projects_sync(fix->store, all, &error));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *page = srv_view_projects_like(fix->store, cases[i].like, &error);
        const json_t *items = json_object_get(page, "items");
        assert_int_equal(json_array_size(items), cases[i].count);
        for (size_t k = 0; k < cases[i].count; k++)
            assert_string_equal(text_of(json_array_get(items, k), "repository"),
                                cases[i].repository);
        json_decref(page);
    }
    assert_null(srv_view_projects_like(fix->store, "nobody", &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
}

static void a_failed_fetch_is_a_problem(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    assert_true(srv_project_polled(fix->store, "kieker", 5, 6, "it is gone", true, &error));
    json_t *view = srv_view_project(fix->store, "kieker", &error);
    assert_string_equal(text_of(view, "problem"), "it is gone");
    json_decref(view);
    assert_true(srv_project_polled(fix->store, "kieker", 7, 8, NULL, false, &error));
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
    views[5] =
        srv_view_list(fix->store, &srv_list_jobs, "nobody", NULL, (srv_page){0, NULL}, &errors[5]);
    for (size_t i = 0; i < 6; i++) {
        assert_null(views[i]);
        assert_true(g_error_matches(errors[i], SRV_ERROR, SRV_ERROR_NOT_FOUND));
        g_error_free(errors[i]);
    }
}

static void jobs_are_filtered_by_state(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_nights(fix, "kieker", 1, 2, level);
    fix_add(fix, "kieker", 3, "2013-04-03", SRV_KIND_BACKFILL);
    static const struct {
        const char *state;
        size_t count;
    } cases[] = {{NULL, 3}, {"queued", 1}, {"done", 2}, {"failed", 0}, {"' OR 1=1 --", 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *page = srv_view_list(fix->store, &srv_list_jobs, NULL, cases[i].state,
                                     (srv_page){0, NULL}, &error);
        assert_int_equal(json_array_size(json_object_get(page, "items")), cases[i].count);
        json_decref(page);
    }
}

static void rewrite(fixture *fix, const char *sql) {
    assert_true(srv__run(fix->store, sql_text(sql, ""), SRV__NO_ARGS, NULL));
}

/* "takes 12.3 times as long" was said of what cannot be told from nothing. */
static void more_threads_are_told_with_their_interval(void **state) {
    fixture *fix = *state;
    static const double means[4] = {70, 270, 1400, 3000};
    const int64_t id = fix_measure(fix, "kieker", 1, "2013-04-01", means);
    rewrite(fix, "UPDATE portion SET configuration='none-8-threads' WHERE configuration="
                 "'deactivated'");
    rewrite(fix, "UPDATE benchmark SET body=replace(body,'\"name\":\"deactivated\"',"
                 "'\"name\":\"none-8-threads\",\"threads\":8')");
    json_t *view = srv_view_experiment(fix->store, id, NULL);
    const json_t *portions = json_object_get(view, "portions");
    const char *said = text_of(json_array_get(portions, 1), "scaling");
    double factor = 0, low = 0, high = 0;
    assert_int_equal(sscanf(said, "T takes %lf times as long (%lf to %lf) with 8 threads as with",
                            &factor, &low, &high),
                     3);
    assert_true(fabs(factor - 270. / 70) < 0.1 && low < factor && factor < high);
    json_decref(view);
    rewrite(fix, "UPDATE portion SET low_ns=-1 WHERE configuration='none'");
    view = srv_view_experiment(fix->store, id, NULL);
    portions = json_object_get(view, "portions");
    assert_null(json_object_get(json_array_get(portions, 1), "scaling"));
    json_decref(view);
}

/* Of the nights only the one with which the accepted change began says so. */
static void an_accepted_change_marks_its_night(void **state) {
    fixture *fix = *state;
    static const double high_ns[4] = {70, 470, 1600, 3200}, low_ns[4] = {70, 190, 1320, 2920};
    for (int day = 1; day <= 8; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += 3600000;
        fix_measure(fix, "kieker", day, date, day <= 5 ? high_ns : low_ns);
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

/* Nights, an alert and their words carry the level that the project asks for; nothing says 95. */
static void the_level_comes_with_the_data(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    cfg_project *project = fix_project("kieker");
    project->detection.confidence = 0.99;
    fix_sync_only(fix, project);
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, &error);
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

static void change_rows(fixture *fix, const char *words) {
    assert_true(srv__run(fix->store, sql_text(words, ""), SRV__NO_ARGS, NULL));
}

/* A level before that was itself in question. */
static void the_level_before_may_be_in_question(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_null(json_object_get(alert, "before_doubt"));
    json_decref(alert);
    change_rows(fix, "UPDATE portion SET rule='pending', direction='down' WHERE portion='I' AND "
                     "experiment_id="
                     "(SELECT from_experiment FROM alert)");
    alert = srv_view_alert(fix->store, 1, &error);
    assert_string_equal(text_of(alert, "before_doubt"),
                        "the level before is itself in question (Instrumentation (I): may have "
                        "fallen)");
    assert_non_null(strstr(text_of(alert, "sentence"), text_of(alert, "before_doubt")));
    json_decref(alert);
    change_rows(fix, "INSERT INTO incident(project_id,series_id,kind,state,to_experiment,"
                     "seen_experiment,lasts,moved,configurations,opened_ms,reason) SELECT "
                     "project_id,series_id,'scale','open',from_experiment,"
                     "seen_experiment,1,4,4,0,'r' FROM alert");
    change_rows(fix, "UPDATE portion SET verdict='environment', rule='common-scale', "
                     "reference_to=(SELECT min(id) FROM experiment) WHERE portion='I' AND "
                     "experiment_id=(SELECT seen_experiment FROM alert)");
    alert = srv_view_alert(fix->store, 1, &error); /* that was the machine */
    assert_null(json_object_get(alert, "before_doubt"));
    json_decref(alert);
    change_rows(fix, "DELETE FROM incident");
    change_rows(fix, "UPDATE portion SET verdict='anomaly' WHERE verdict='environment'");
    change_rows(fix, "INSERT INTO alert(project_id,series_id,portion,configuration,direction,state,"
                     "from_experiment,to_experiment,dated_experiment,to_night,seen_experiment,"
                     "raised_ms,reason) "
                     "SELECT project_id,series_id,portion,configuration,'down','open',1,"
                     "from_experiment,from_experiment,to_night,seen_experiment,0,'r' FROM alert");
    change_rows(fix, "INSERT INTO alert_portion(alert_id,configuration,portion,direction,"
                     "seen_experiment,reason) SELECT id,configuration,portion,direction,"
                     "seen_experiment,'r' FROM alert WHERE id=(SELECT max(id) FROM alert)");
    alert = srv_view_alert(fix->store, 1, &error); /* of that change another alert tells */
    assert_null(json_object_get(alert, "before_doubt"));
    json_decref(alert);
    change_rows(fix, "DELETE FROM alert_portion WHERE alert_id<>1");
    change_rows(fix, "DELETE FROM alert WHERE id<>1");
    change_rows(fix, "UPDATE portion SET rule=NULL");
    change_rows(fix, "INSERT INTO alert_portion(alert_id,dimension,configuration,portion,direction,"
                     "seen_experiment,reason) SELECT id,'peak_mb','writing','W','up',"
                     "seen_experiment,'why' FROM alert");
    change_rows(fix, "INSERT INTO dimension(experiment_id,dimension,ordinal,configuration,portion,"
                     "mean,verdict) SELECT from_experiment,'peak_mb',3,'writing','W',5,'suspect'"
                     " FROM alert");
    alert = srv_view_alert(fix->store, 1, &error);
    assert_string_equal(text_of(alert, "before_doubt"),
                        "the level before is itself in question (peak memory of Writing (W): "
                        "suspected, to be measured again)");
    json_decref(alert);
}

/* An environment that nobody recorded, nights that were not measured. */
static void what_is_not_known_is_said(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    fix_nights(fix, "kieker", 1, 8, level);
    json_t *view = srv_view_project(fix->store, "kieker", &error);
    assert_null(json_object_get(json_object_get(view, "latest"), "environment_unknown"));
    json_decref(view);
    change_rows(fix, "UPDATE experiment SET node='imported' WHERE night='2013-04-08'");
    view = srv_view_project(fix->store, "kieker", &error);
    assert_true(
        json_is_true(json_object_get(json_object_get(view, "latest"), "environment_unknown")));
    json_decref(view);
    change_rows(fix, "UPDATE experiment SET state='failed',reason='why' WHERE night>='2013-04-07'");
    view = srv_view_project(fix->store, "kieker", &error);
    assert_string_equal(text_of(view, "quiet"),
                        "Nothing is known of the last 2 nights; failed: why");
    assert_false(json_is_true(json_object_get(view, "clear")));
    json_decref(view);
}

/* What the project says of its quiet. */
static void quiet_is(fixture *fix, int64_t nights, const char *words, bool clear) {
    json_auto_t *view = srv_view_project(fix->store, "kieker", NULL);
    assert_string_equal(text_of(view, "quiet"), words);
    assert_int_equal(number_of(view, "quiet_nights"), nights);
    assert_int_equal(json_is_true(json_object_get(view, "clear")), clear);
}

/* Of a night that was measured twice, and told of a change the first time, nothing is new. */
static void a_night_that_was_measured_again_is_quiet_once(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    change_rows(fix, "UPDATE experiment SET night='2013-04-05' WHERE night='2013-04-04'");
    quiet_is(fix, 3, "Nothing new for 3 nights", true);
    change_rows(fix, "UPDATE experiment SET night='2013-04-03' WHERE night='2013-04-02'");
    quiet_is(fix, 2, "Nothing new for 2 nights", true);
    change_rows(fix, "UPDATE portion SET rule='pending' WHERE portion='I' AND experiment_id="
                     "(SELECT max(id) FROM experiment WHERE night='2013-04-03')");
    quiet_is(fix, 1, "Nothing new for 1 night", true); /* its newest result is in question */
    fix_nights(fix, "kieker", 6, 8, faster);
    quiet_is(fix, 2, "Nothing new for 2 nights", true);
    change_rows(fix, "UPDATE experiment SET night='2013-04-06' WHERE night>'2013-04-06'");
    quiet_is(fix, 0, "Nothing new since the last known change", true);
}

/* Neither the first night nor one that failed or was in question, nor the one that told. */
static void only_nights_that_were_clear_are_quiet(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 1, level);
    quiet_is(fix, 0, "Nothing to compare with yet; first of its series", false);
    fix_nights(fix, "kieker", 2, 5, level);
    quiet_is(fix, 4, "Nothing new for 4 nights", true);
    change_rows(fix, "UPDATE loop SET disturbed=1 WHERE ordinal=1 AND experiment_id="
                     "(SELECT id FROM experiment WHERE night='2013-04-03')");
    quiet_is(fix, 3, "Nothing new for 3 nights", true);
    change_rows(fix, "UPDATE loop SET disturbed=0");
    change_rows(fix, "UPDATE portion SET rule='below-minimum-effect' WHERE portion='I' AND "
                     "experiment_id<=(SELECT id FROM experiment WHERE night='2013-04-03')");
    quiet_is(fix, 4,
             "Nothing new for 4 nights; a change below the minimum effect was last seen on "
             "2013-04-03",
             true);
    change_rows(fix, "UPDATE portion SET rule=NULL");
    change_rows(fix, "UPDATE portion SET rule='pending' WHERE portion='I' AND experiment_id="
                     "(SELECT id FROM experiment WHERE night='2013-04-03')");
    quiet_is(fix, 3, "Nothing new for 3 nights", true);
    change_rows(fix, "UPDATE experiment SET state='failed',reason='why' WHERE night='2013-04-04'");
    quiet_is(fix, 2, "Nothing new for 2 nights", true);
    change_rows(fix, "UPDATE portion SET verdict='environment' WHERE portion='C' AND experiment_id="
                     "(SELECT id FROM experiment WHERE night='2013-04-05')");
    quiet_is(fix, 1, "Nothing new for 1 night up to 2013-04-02; not comparable with before", false);
}

static void a_change_is_news_on_the_night_that_told(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    change_rows(fix, "UPDATE portion SET verdict='ok', rule=NULL");
    change_rows(fix, "UPDATE alert_portion SET seen_experiment="
                     "(SELECT id FROM experiment WHERE night='2013-04-07')");
    quiet_is(fix, 1, "Nothing new for 1 night", true);
    change_rows(fix, "UPDATE alert SET state='false'");
    quiet_is(fix, 8, "Nothing new for 8 nights", true);
}

/* What moved otherwise than the machine did was not judged: nights before say nothing of it since.
 */
static void what_was_not_judged_beside_the_machine_ends_the_quiet(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 9, level);
    change_rows(fix, "INSERT INTO incident(project_id,series_id,kind,state,to_experiment,"
                     "seen_experiment,lasts,moved,configurations,opened_ms,reason) SELECT "
                     "project_id,series_id,'scale','closed',id,id,0,3,4,0,'why' FROM experiment "
                     "WHERE night='2013-04-05'");
    quiet_is(fix, 8, "Nothing new for 8 nights", true);
    change_rows(fix, "UPDATE portion SET verdict='environment', rule='not-scaled' WHERE "
                     "portion='I' AND experiment_id=(SELECT seen_experiment FROM incident)");
    quiet_is(fix, 4, "Nothing new for 4 nights", true);
}

/* Whatever the newest night says by itself. */
static void nothing_is_quiet_while_a_suspicion_is_open(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, day < 6 ? before : after);
    change_rows(fix, "UPDATE portion SET verdict='ok', rule=NULL");
    quiet_is(fix, 6, "? 1 suspicion is open; newest night: nothing changed", false);
    change_rows(fix, "UPDATE suspicion SET state='cleared'");
    quiet_is(fix, 6, "Nothing new for 6 nights", true);
}

/* Nights of another environment have another reference: what they did not show says nothing of this
 * one. */
static void only_nights_of_this_environment_are_quiet(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 9, level);
    change_rows(fix, "INSERT INTO environment(id,hash,body) VALUES(99,'another','{}')");
    change_rows(fix, "UPDATE experiment SET environment_id=99 WHERE night<'2013-04-07'");
    quiet_is(fix, 3, "Nothing new for 3 nights in this environment", true);
}

/* So have those of another benchmark, whose first night here was compared with nothing. */
static void only_nights_of_this_benchmark_are_quiet(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 9, level);
    change_rows(fix, "INSERT INTO series(id,project_id,branch,identity,environment_id) SELECT "
                     "99,project_id,branch,'another',environment_id FROM series");
    change_rows(fix, "UPDATE experiment SET series_id=99 WHERE night<'2013-04-07'");
    quiet_is(fix, 3, "Nothing new for 3 nights with this benchmark", true);
    change_rows(fix, "UPDATE portion SET rule='pending' WHERE portion='I' AND experiment_id IN "
                     "(SELECT id FROM experiment WHERE night IN ('2013-04-07','2013-04-08'))");
    change_rows(fix, "UPDATE portion SET verdict='environment' WHERE portion='C' AND experiment_id="
                     "(SELECT id FROM experiment WHERE night='2013-04-09')");
    quiet_is(fix, 0, "No night was clear with this benchmark yet; not comparable with before",
             false);
}

/* Loops that others disturbed, and a machine of which it is open what it does. */
static void what_is_hard_to_tell_is_not_clear(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    change_rows(fix, "INSERT INTO incident(project_id,series_id,kind,state,to_experiment,"
                     "seen_experiment,lasts,moved,configurations,opened_ms,reason) SELECT "
                     "project_id,series_id,'noise','open',id,id,1,1,4,0,'why' FROM experiment "
                     "WHERE night='2013-04-03'");
    quiet_is(fix, 4,
             "Nothing new for 4 nights; not settled: “Noisier nights” is open, since 2013-04-03",
             false);
    change_rows(fix, "UPDATE incident SET state='over'");
    quiet_is(fix, 4, "Nothing new for 4 nights", true);
    change_rows(fix, "UPDATE loop SET disturbed=1 WHERE ordinal=3 AND experiment_id="
                     "(SELECT max(id) FROM experiment)");
    quiet_is(fix, 3,
             "Nothing new for 3 nights up to 2013-04-04; hard to tell: 5 of 5 loops of writing "
             "were disturbed or stood apart",
             false);
    change_rows(fix, "UPDATE loop SET disturbed=1 WHERE ordinal=3");
    quiet_is(fix, 0,
             "No night was clear yet; no change seen, but most loops of a configuration were "
             "disturbed or stood apart",
             false);
}

/* One that failed twice is one night, and one that is hidden was not measured either. */
static void nights_of_which_nothing_is_known_are_counted_once(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    change_rows(fix, "UPDATE experiment SET state='quarantined',reason='why',hidden="
                     "CASE WHEN night='2013-04-04' THEN 1 ELSE 0 END WHERE night>='2013-04-03'");
    quiet_is(fix, 1, "Nothing is known of the last 3 nights; quarantined: why", false);
    change_rows(fix, "UPDATE experiment SET night='2013-04-05' WHERE night>='2013-04-03'");
    quiet_is(fix, 1, "Nothing is known of the newest night; quarantined: why", false);
    change_rows(fix, "UPDATE experiment SET night='2013-04-05'");
    quiet_is(fix, 1, "The newest night was measured, but not again; quarantined: why", false);
}

static json_t *page_of(fixture *fix, unsigned limit) {
    GError *error = NULL;
    json_t *page =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){limit, NULL}, &error);
    assert_non_null(page);
    return page;
}

static uint64_t statements_for(fixture *fix, unsigned limit) {
    uint64_t asked_before = srv__statements(fix->store);
    json_t *page = page_of(fix, limit);
    uint64_t count = srv__statements(fix->store) - asked_before;
    assert_int_equal(json_array_size(json_object_get(page, "items")), limit);
    json_decref(page);
    return count;
}

static void nights_are_asked_for_at_once(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 9, level);
    fix_nights(fix, "kieker", 10, 12, faster);
    uint64_t one = statements_for(fix, 1);
    assert_true(one > 0);
    assert_int_equal(statements_for(fix, 2), one);
    assert_int_equal(statements_for(fix, 12), one);
}

static uint64_t statements_for_alerts(fixture *fix, unsigned limit) {
    const uint64_t asked_before = srv__statements(fix->store);
    json_t *page =
        srv_view_list(fix->store, &srv_list_alerts, NULL, NULL, (srv_page){limit, NULL}, NULL);
    const uint64_t count = srv__statements(fix->store) - asked_before;
    assert_int_equal(json_array_size(json_object_get(page, "items")), limit);
    json_decref(page);
    return count;
}

/* An alert of each project; more than fit into one statement. */
static void alerts_are_asked_for_together(void **state) {
    enum { PROJECTS = 18 };
    fixture *fix = *state;
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)fix_project_free);
    for (int i = 0; i < PROJECTS; i++) {
        g_autofree char *name = g_strdup_printf("project-%02d", i);
        g_ptr_array_add(all, fix_project(name));
    }
    assert_true(srv_projects_sync(fix->store, all, NULL));
    for (int i = 0; i < PROJECTS; i++) {
        const cfg_project *project = all->pdata[i];
        fix_nights(fix, project->name, 1, 5, level);
        fix_nights(fix, project->name, 6, 8, faster);
    }
    const uint64_t one = statements_for_alerts(fix, 1);
    assert_int_equal(statements_for_alerts(fix, 7), one);
    assert_true(statements_for_alerts(fix, PROJECTS) < 3 * one);
    json_t *page =
               srv_view_list(fix->store, &srv_list_alerts, NULL, NULL, (srv_page){0, NULL}, NULL),
           *alert;
    size_t i;
    json_array_foreach (json_object_get(page, "items"), i, alert) {
        json_t *alone = srv_view_alert(fix->store, number_of(alert, "id"), NULL);
        assert_int_equal(number_of(alert, "id"), PROJECTS - i);
        assert_true(json_equal(alert, alone));
        json_decref(alone);
    }
    json_decref(page);
}

/* What came for all nights at once is what a night says of itself. */
static void nights_of_a_page_are_whole(void **state) {
    static const char *const same[] = {"portions", "total", "commit", "headline"};
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    json_t *page = page_of(fix, 6), *night;
    size_t i;
    json_array_foreach (json_object_get(page, "items"), i, night) {
        json_t *alone = srv_view_experiment(fix->store, number_of(night, "experiment"), NULL);
        json_t *portion;
        size_t k;
        json_array_foreach (json_object_get(alone, "portions"), k, portion) {
            json_object_del(portion, "accepted_in_advance");
            json_object_del(portion, "joined");
        }
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

/* Nights without a row, first, last and between others, take none of their neighbours'. */
static void nights_without_portions_have_none(void **state) {
    static const size_t has[] = {0, 4, 0, 4, 4, 0};
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 6, level);
    json_t *page = page_of(fix, 6), *night;
    size_t i;
    json_array_foreach (json_object_get(page, "items"), i, night)
        if (has[i] == 0)
            assert_true(srv__run(fix->store,
                                 sql_text("DELETE FROM portion WHERE experiment_id=$1", "i"),
                                 SRV__ARGS(number_of(night, "experiment")), NULL));
    json_decref(page);
    page = page_of(fix, 6);
    json_array_foreach (json_object_get(page, "items"), i, night) {
        assert_int_equal(json_array_size(json_object_get(night, "portions")), has[i]);
        assert_int_equal(json_array_size(json_object_get(night, "configurations")), 4);
        assert_non_null(json_string_value(json_object_get(night, "headline")));
    }
    json_decref(page);
}

/* From a night that is queued to the commit that is found: what is
 * still open. */

/* The project's "open", joined by commas; "" when it is settled. */
static char *open_of(fixture *fix, const char *name) {
    GError *error = NULL;
    json_t *project = srv_view_project(fix->store, name, &error), *word;
    assert_non_null(project);
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    json_array_foreach (json_object_get(project, "open"), i, word)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", json_string_value(word));
    assert_int_equal(json_is_true(json_object_get(project, "settled")), text->len == 0);
    json_decref(project);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void open_is(fixture *fix, const char *expected) {
    g_autofree char *open = open_of(fix, "kieker");
    assert_string_equal(open, expected);
}

static void jobs_are_named_until_they_are_measured(void **state) {
    fixture *fix = *state;
    open_is(fix, "");
    fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    fix_add(fix, "kieker", 2, "2013-04-02", SRV_KIND_NIGHTLY);
    open_is(fix, "2 jobs queued");
    json_t *leased = fix_lease(fix);
    open_is(fix, "1 job queued, 1 job running");
    GError *error = NULL;
    bool created;
    json_t *body = fix_result(fix, leased, before);
    json_decref(srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error));
    json_decref(body);
    json_decref(leased);
    open_is(fix, "1 job queued");
}

static void a_suspicion_is_open_until_its_commit_is_found(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    open_is(fix, "1 job queued, 1 trial of two commits waiting to be measured");
    run_trial(fix, before, after, seen);
    open_is(fix, "1 search for a commit to begin");
    char middle[41], newest[41];
    g_strlcpy(middle, fix_sha(100), sizeof middle);
    g_strlcpy(newest, fix_sha(7), sizeof newest);
    const srv_commit commits[] = {{middle, "Ada", "ada@example.org", 1000, "One of two", NULL, 0},
                                  {newest, "Ada", "ada@example.org", 1000, "The other", NULL, 0}};
    assert_true(srv_bisection_begin(fix->store, 1, commits, 2, NULL, fix->now_ms, &error));
    open_is(fix, "1 job queued, 1 trial of two commits waiting to be measured, 1 search for a "
                 "commit running");
    json_t *leased;
    while ((leased = fix_lease(fix))) {
        bool created;
        json_t *body = fix_trial(fix, leased, before, before);
        json_decref(
            srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error));
        json_decref(body);
        json_decref(leased);
    }
    open_is(fix, "");
}

static void a_cleared_suspicion_leaves_nothing_open(void **state) {
    fixture *fix = *state;
    int64_t seen = suspicious_night(fix);
    run_trial(fix, before, before, seen);
    open_is(fix, "");
}

static void a_webhook_whose_commit_is_not_there_yet_is_open(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_delivery delivery = {
        .provider = "github", .id = "1", .project = "kieker", .sha = fix_sha(3)};
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    g_ptr_array_add(list, &delivery);
    assert_true(srv_delivery_take(fix->store, list, &error));
    open_is(fix, "1 webhook waiting for its commit");
    assert_true(srv__run(fix->store, ASK(delivery_close, "kieker", fix_sha(3)), &error));
    open_is(fix, "");
}

static void one_project_does_not_keep_another_open(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    g_autofree char *open = open_of(fix, "other");
    assert_string_equal(open, "");
    open_is(fix, "1 job queued");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(the_level_comes_with_the_data),
        FIX_TEST(the_level_before_may_be_in_question),
        FIX_TEST(what_is_not_known_is_said),
        FIX_TEST(pages_follow_each_other),
        FIX_TEST(until_ends_the_list),
        FIX_TEST(since_begins_the_list),
        FIX_TEST(bad_pages_are_refused),
        FIX_TEST(a_night_has_what_the_api_says),
        FIX_TEST(a_project_has_what_the_api_says),
        FIX_TEST(branches_have_histories_of_their_own),
        FIX_TEST(projects_are_listed_by_name),
        FIX_TEST(projects_of_one_repository_are_listed),
        FIX_TEST(a_failed_fetch_is_a_problem),
        FIX_TEST(open_alerts_tell_all_their_changes),
        FIX_TEST(alerts_tell_what_came_between_two_nights),
        FIX_TEST(status_knows_queue_and_nodes),
        FIX_TEST(what_is_not_there_is_not_found),
        FIX_TEST(jobs_are_filtered_by_state),
        FIX_TEST(more_threads_are_told_with_their_interval),
        FIX_TEST(an_accepted_change_marks_its_night),
        FIX_TEST(only_nights_that_were_clear_are_quiet),
        FIX_TEST(a_night_that_was_measured_again_is_quiet_once),
        FIX_TEST(a_change_is_news_on_the_night_that_told),
        FIX_TEST(what_was_not_judged_beside_the_machine_ends_the_quiet),
        cmocka_unit_test_setup_teardown(nothing_is_quiet_while_a_suspicion_is_open, setup,
                                        teardown),
        FIX_TEST(only_nights_of_this_environment_are_quiet),
        FIX_TEST(only_nights_of_this_benchmark_are_quiet),
        FIX_TEST(what_is_hard_to_tell_is_not_clear),
        FIX_TEST(nights_of_which_nothing_is_known_are_counted_once),
        FIX_TEST(nights_are_asked_for_at_once),
        FIX_TEST(alerts_are_asked_for_together),
        FIX_TEST(nights_of_a_page_are_whole),
        FIX_TEST(nights_without_portions_have_none),

        cmocka_unit_test_setup_teardown(jobs_are_named_until_they_are_measured, setup, teardown),
        cmocka_unit_test_setup_teardown(a_suspicion_is_open_until_its_commit_is_found, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_cleared_suspicion_leaves_nothing_open, setup, teardown),
        cmocka_unit_test_setup_teardown(a_webhook_whose_commit_is_not_there_yet_is_open, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_project_does_not_keep_another_open, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
