#include "tests/unit/test.h"

#include "server/store/sql_writes.h"

/* What is written, as "insert job" and "update project.polled_ms", joined by commas. */
static char *writes_of(const char *sql) {
    static const char *const words[] = {[SRV__WRITE_INSERT] = "insert",
                                        [SRV__WRITE_UPDATE] = "update",
                                        [SRV__WRITE_DELETE] = "delete"};
    g_autoptr(GArray) writes = srv__sql_writes(sql);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < writes->len; i++) {
        const srv__write *write = &g_array_index(writes, srv__write, i);
        g_string_append_printf(text, "%s%s %s%s%s", i > 0 ? ", " : "", words[write->kind],
                               write->table, *write->column != '\0' ? "." : "", write->column);
    }
    return g_string_free(text, FALSE);
}

static void the_text_says_what_is_written(void **state) {
    static const struct {
        const char *sql, *writes;
    } cases[] = {
        {"", ""},
        {"SELECT * FROM job WHERE state='DELETE FROM job'", ""},
        {"SELECT \"update\" FROM job", ""},
        {"SELECT id FROM job FOR UPDATE", ""},
        {"INSERT INTO job(id, kind) VALUES($1, $2) RETURNING id", "insert job"},
        {"insert into job SELECT id FROM trial", "insert job"},
        {"INSERT INTO \"job\"(id) VALUES(1)", "insert job"},
        {"DELETE FROM job", "delete job"},
        {"DELETE FROM job WHERE id IN (SELECT job_id FROM trial_job)", "delete job"},
        {"UPDATE job SET state='x'", "update job.state"},
        {"UPDATE job AS j SET state=$1, node=CASE WHEN $2=1 THEN NULL ELSE node END WHERE id=$3",
         "update job.state, update job.node"},
        {"UPDATE job SET a=(SELECT b FROM c WHERE d=1), e=f(g, h) FROM i WHERE j=1",
         "update job.a, update job.e"},
        {"UPDATE job SET a=CASE WHEN b IS DISTINCT FROM c THEN 1 ELSE 0 END, d=2 RETURNING e",
         "update job.a, update job.d"},
        {"UPDATE job SET (a, b)=(SELECT 1, 2)", "update job.a, update job.b"},
        {"INSERT INTO project(name) VALUES($1) ON CONFLICT(name) DO NOTHING", "insert project"},
        {"INSERT INTO project(name) VALUES($1) ON CONFLICT(name) DO UPDATE SET"
         " title=excluded.title, branch=excluded.branch WHERE project.title<>'' RETURNING id",
         "insert project, update project.title, update project.branch"},
        {"WITH old AS (DELETE FROM job WHERE id=$1 RETURNING id) INSERT INTO raw SELECT id FROM "
         "old",
         "delete job, insert raw"},
        {"WITH x AS (SELECT 1) UPDATE job SET a=1 WHERE id IN (SELECT * FROM x)", "update job.a"},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *writes = writes_of(cases[i].sql);
        if (!g_str_equal(writes, cases[i].writes))
            fail_msg("%s: '%s' instead of '%s'", cases[i].sql, writes, cases[i].writes);
    }
}

static bool shows(const char *sql) {
    g_autoptr(GArray) writes = srv__sql_writes(sql);
    bool any = false;
    for (guint i = 0; i < writes->len; i++)
        any |= srv__write_shows(&g_array_index(writes, srv__write, i));
    return any;
}

static void polls_and_leases_show_nothing(void **state) {
    (void)state;
    assert_false(shows("SELECT * FROM experiment"));
    assert_false(shows("UPDATE job SET state='leased'"));
    assert_false(shows("UPDATE project SET polled_ms=1, fetch_problem=NULL"));
    assert_false(shows("INSERT INTO revision(sha) VALUES($1) ON CONFLICT(sha)"
                       " DO UPDATE SET place=excluded.place"));
    assert_false(shows("INSERT INTO node_label(node, label) VALUES($1,$2)"));
    assert_false(shows("INSERT INTO audit(at_ms) VALUES(1)"));
    assert_false(shows("DELETE FROM audit WHERE id<$1"));
    assert_false(shows("INSERT INTO raw_job(job_id, files) VALUES($1, 1) ON CONFLICT(job_id)"
                       " DO UPDATE SET files=raw_job.files+excluded.files"));
    assert_true(shows("UPDATE raw_job SET pruned_ms=$2, rule=$3, files=0 WHERE job_id=$1"));
    assert_true(shows("UPDATE project SET polled_ms=1, title='x'"));
    assert_true(shows("UPDATE revision SET release='v1'"));
    assert_true(shows("INSERT INTO backport(alert_id) VALUES(1)"));
    assert_true(shows("UPDATE bisection SET state='found'"));
    assert_true(shows("DELETE FROM revision"));
    assert_true(shows("INSERT INTO experiment(id) VALUES(1)"));
    assert_true(shows("UPDATE alert SET aged=1"));
    assert_true(shows("INSERT INTO a_table_of_tomorrow(id) VALUES(1)"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_says_what_is_written),
        cmocka_unit_test(polls_and_leases_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
