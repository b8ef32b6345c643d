/* Which of the servers on a database leads. */
#include "server/leader.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/database.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "server/store/changes.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"

#include <unistd.h>

/* A byte in a pipe each time that it begins to lead. */
static void led(void *user) {
    const int *ends = user;
    assert_int_equal(write(ends[1], "", 1), 1);
}

static void the_only_server_leads(void **state) {
    SKIP_ON_A_SERVER;
    const fixture *fix = *state;
    srv_leader *leader = srv_leader_new(fix->path, led, NULL, NULL);
    assert_true(srv_leader_leads(NULL));
    assert_true(srv_leader_leads(leader));
    assert_true(srv_leader_run(leader, NULL));
    srv_leader_stop(leader);
    assert_true(srv_leader_leads(leader));
    srv_leader_free(leader);
    srv_leader_free(NULL);
}

static void of_two_the_first_leads_until_it_goes(void **state) {
    SKIP_WITHOUT_A_SERVER;
    const fixture *fix = *state;
    char byte;
    int first_led[2], second_led[2];
    assert_int_equal(pipe(first_led) + pipe(second_led), 0);
    srv_leader *first = srv_leader_new(fix->path, led, first_led, NULL);
    srv_leader *second = srv_leader_new(fix->path, led, second_led, NULL);
    assert_false(srv_leader_leads(first));
    assert_true(srv_leader_run(first, NULL));
    assert_int_equal(read(first_led[0], &byte, 1), 1);
    assert_true(srv_leader_leads(first));
    assert_true(srv_leader_run(second, NULL));
    assert_false(srv_leader_leads(second));
    srv_leader_free(first);
    assert_false(srv_leader_leads(second)); /* not before the first one's time is over */
    assert_int_equal(read(second_led[0], &byte, 1), 1);
    assert_true(srv_leader_leads(second));
    srv_leader_free(second);
    for (int i = 0; i < 2; i++) {
        close(first_led[i]);
        close(second_led[i]);
    }
}

/* All connections end, as by a restart: whoever gets the lock leads, and one alone. */
static void who_loses_the_connection_gets_in_line(void **state) {
    SKIP_WITHOUT_A_SERVER;
    const fixture *fix = *state;
    char byte;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    srv_leader *first = srv_leader_new(fix->path, led, ends, NULL);
    srv_leader *second = srv_leader_new(fix->path, led, ends, NULL);
    assert_true(srv_leader_run(first, NULL) && srv_leader_run(second, NULL));
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true(srv_leader_leads(first) != srv_leader_leads(second));
    assert_true(
        srv__run(fix->store,
                 sql_text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                          " WHERE pid<>pg_backend_pid()"
                          " AND application_name=current_setting('application_name')"
                          " AND pid IN (SELECT pid FROM pg_locks WHERE locktype='advisory')",
                          ""),
                 SRV__NO_ARGS, NULL));
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true(srv_leader_leads(first) != srv_leader_leads(second));
    srv_leader_free(first);
    srv_leader_free(second);
    close(ends[0]);
    close(ends[1]);
}

static void a_database_that_is_not_there_is_an_error(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(srv_leader_new("postgresql:host=/nonexistent", led, NULL, &error));
    assert_non_null(error);
}

/* The servers on a database, and what each has of a project. */

/* Of one project or two; hash NULL: it has not the first one. */
static GHashTable *hashes_of(const char *kieker, const char *other) {
    GHashTable *hashes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (kieker)
        g_hash_table_insert(hashes, g_strdup("kieker"), g_strdup(kieker));
    if (other)
        g_hash_table_insert(hashes, g_strdup("other"), g_strdup(other));
    return hashes;
}

static srv_servers server(const char *own, const char *kieker, const char *other) {
    return (srv_servers){.own = own, .hashes = hashes_of(kieker, other), .stale = true};
}

static void configure(srv_servers *s, const char *kieker, const char *other) {
    g_hash_table_unref(s->hashes);
    s->hashes = hashes_of(kieker, other);
    s->stale = true;
}

/* user: the name of the only one that does not; NULL: all do. */
static bool seems_alive(void *user, const char *name) {
    return !user || !g_str_equal(user, name);
}

static const char *look_by(fixture *fix, srv_servers *s, char *dead) {
    g_autoptr(GError) error = NULL;
    if (!servers_look(fix->store, s, seems_alive, dead, &error))
        fail_msg("%s", error->message);
    return s->differs;
}

static int64_t rows(fixture *fix, const char *sql) {
    int64_t number = -1;
    assert_true(srv__number(fix->store, sql_text(sql, ""), SRV__NO_ARGS, -1, &number, NULL));
    return number;
}

/* Has the page a problem to tell? */
static bool is_told(fixture *fix, const char *project) {
    g_autoptr(GError) error = NULL;
    json_auto_t *view = srv_view_project(fix->store, project, &error);
    assert_no_error(error);
    assert_null(json_object_get(view, "servers_differ"));
    const char *problem = text_of(view, "problem");
    if (problem)
        assert_says(problem, "different configurations");
    return problem != NULL;
}

static void what_is_the_same_is_no_problem(void **state) {
    fixture *fix = *state;
    srv_servers a = server("a", "1", NULL), b = server("b", "1", NULL);
    assert_false(is_told(fix, "kieker"));
    assert_string_equal(look_by(fix, &a, NULL), "");
    assert_string_equal(look_by(fix, &b, NULL), "");
    assert_string_equal(look_by(fix, &a, NULL), "");
    assert_int_equal(rows(fix, "SELECT count(*) FROM server"), 2);
    assert_false(is_told(fix, "kieker"));
    servers_clear(&a);
    servers_clear(&b);
}

static void two_configurations_are_told_until_they_agree(void **state) {
    fixture *fix = *state;
    srv_servers a = server("a", "1", NULL), b = server("b", "2", NULL);
    (void)look_by(fix, &a, NULL);
    assert_string_equal(look_by(fix, &b, NULL), "kieker");
    assert_true(is_told(fix, "kieker"));
    assert_string_equal(look_by(fix, &a, NULL), "kieker");
    configure(&b, "1", NULL);
    assert_string_equal(look_by(fix, &b, NULL), "");
    assert_false(is_told(fix, "kieker"));
    servers_clear(&a);
    servers_clear(&b);
}

static void a_project_that_one_has_not_is_told(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    srv_servers a = server("a", "1", "1"), b = server("b", "1", NULL);
    (void)look_by(fix, &a, NULL);
    assert_string_equal(look_by(fix, &b, NULL), "other");
    assert_true(is_told(fix, "other"));
    assert_false(is_told(fix, "kieker"));
    servers_clear(&a);
    servers_clear(&b);
}

static void whoever_leaves_takes_its_difference_away(void **state) {
    fixture *fix = *state;
    srv_servers a = server("a", "1", NULL), b = server("b", "2", NULL);
    (void)look_by(fix, &a, NULL);
    (void)look_by(fix, &b, NULL);
    assert_true(servers_leave(fix->store, &b, NULL));
    assert_false(is_told(fix, "kieker"));
    assert_string_equal(look_by(fix, &a, NULL), "");
    servers_clear(&a);
    servers_clear(&b);
}

/* And it is back when it looks again: its connection broke, and it did not. */
static void a_dead_one_is_taken_away(void **state) {
    fixture *fix = *state;
    srv_servers a = server("a", "1", NULL), b = server("b", "2", NULL);
    char dead[] = "b";
    (void)look_by(fix, &b, NULL);
    assert_string_equal(look_by(fix, &a, NULL), "kieker");
    assert_string_equal(look_by(fix, &a, dead), "");
    assert_int_equal(rows(fix, "SELECT count(*) FROM server"), 1);
    assert_int_equal(rows(fix, "SELECT count(*) FROM server_project"), 1);
    assert_string_equal(look_by(fix, &b, NULL), "kieker");
    servers_clear(&a);
    servers_clear(&b);
}

/* What looks every second must not make kept answers old. */
static void where_nothing_is_new_nothing_is_written(void **state) {
    fixture *fix = *state;
    srv_servers a = server("a", "1", NULL);
    g_autoptr(srv_changes) changes = srv_changes_open(fix->path, NULL);
    (void)look_by(fix, &a, NULL);
    const uint64_t before = srv_changes_now(changes);
    (void)look_by(fix, &a, NULL);
    assert_int_equal(srv_changes_now(changes), before);
    servers_clear(&a);
}

static void the_hash_is_of_what_is_measured_and_judged(void **state) {
    (void)state;
    cfg_project *one = fix_project("kieker"), *two = fix_project("kieker");
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    g_ptr_array_add(projects, one);
    g_autoptr(GHashTable) first = srv_projects_hashes(projects);
    projects->pdata[0] = two;
    g_autoptr(GHashTable) same = srv_projects_hashes(projects);
    assert_string_equal(g_hash_table_lookup(first, "kieker"), g_hash_table_lookup(same, "kieker"));
    two->detection.minimum_effect_percent += 1;
    g_autoptr(GHashTable) judged = srv_projects_hashes(projects);
    assert_string_not_equal(g_hash_table_lookup(first, "kieker"),
                            g_hash_table_lookup(judged, "kieker"));
    two->detection.minimum_effect_percent -= 1;
    two->benchmark.loops++;
    g_autoptr(GHashTable) measured = srv_projects_hashes(projects);
    assert_string_not_equal(g_hash_table_lookup(first, "kieker"),
                            g_hash_table_lookup(measured, "kieker"));
    fix_project_free(one);
    fix_project_free(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(the_only_server_leads),
        FIX_TEST(of_two_the_first_leads_until_it_goes),
        FIX_TEST(who_loses_the_connection_gets_in_line),
        cmocka_unit_test(a_database_that_is_not_there_is_an_error),

        FIX_TEST(what_is_the_same_is_no_problem),
        FIX_TEST(two_configurations_are_told_until_they_agree),
        FIX_TEST(a_project_that_one_has_not_is_told),
        FIX_TEST(whoever_leaves_takes_its_difference_away),
        FIX_TEST(a_dead_one_is_taken_away),
        FIX_TEST(where_nothing_is_new_nothing_is_written),
        cmocka_unit_test(the_hash_is_of_what_is_measured_and_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
