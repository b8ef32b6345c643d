#include "tests/bench/store/grow.h"

#include "server/store/db.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* CROSS JOIN makes SQLite begin with the template, not with all rows that are there already.
 * template, the nights; told, their alerts; shift has one row: what is added to each key, and to
 * dates; the last letters of a commit. */
static const char *const copies[] = {
    "INSERT INTO revision SELECT r.id+s.revision, r.project_id, substr(r.sha,1,32) ||"
    " s.letters, r.author, r.author_email, r.time_ms+s.days*86400000, r.subject, r.parent,"
    " r.release, r.place+s.days FROM shift s CROSS JOIN revision r WHERE r.id<=(SELECT"
    " max(revision_id) FROM template)",
    "INSERT INTO job(id, project_id, revision_id, benchmark_id, branch, kind, priority,"
    " night, state, attempts, node, lease, queued_ms, started_ms, finished_ms, experiment_id)"
    " SELECT j.id+s.job, j.project_id, j.revision_id+s.revision, j.benchmark_id, j.branch,"
    " j.kind, j.priority, c.night, j.state, j.attempts, j.node, j.lease,"
    " j.queued_ms+s.days*86400000, j.started_ms+s.days*86400000,"
    " j.finished_ms+s.days*86400000, j.experiment_id+s.experiment FROM template t CROSS JOIN"
    " shift s CROSS JOIN job j CROSS JOIN calendar c WHERE t.job_id=j.id"
    " AND c.day=t.day+s.days",
    "INSERT INTO experiment(id, project_id, job_id, revision_id, benchmark_id,"
    " environment_id, series_id, kind, night, time_ms, state, hidden, node, started_ms,"
    " finished_ms, loops, total_mean_ns, total_low_ns, total_high_ns, result_hash,"
    " total_median_ns, total_median_low_ns, total_median_high_ns, level) SELECT"
    " e.id+s.experiment, e.project_id, e.job_id+s.job, e.revision_id+s.revision,"
    " e.benchmark_id, e.environment_id, e.series_id, e.kind, c.night,"
    " e.time_ms+s.days*86400000, e.state, e.hidden, e.node, e.started_ms, e.finished_ms,"
    " e.loops, e.total_mean_ns, e.total_low_ns, e.total_high_ns, e.result_hash || s.letters,"
    " e.total_median_ns, e.total_median_low_ns, e.total_median_high_ns, e.level FROM template"
    " t CROSS JOIN shift s CROSS JOIN experiment e CROSS JOIN calendar c"
    " WHERE t.experiment_id=e.id AND c.day=t.day+s.days",
    "INSERT INTO configuration(experiment_id, ordinal, name, label, loops, mean_ns,"
    " low_ns, high_ns, median_ns, calls_low_ns, calls_high_ns, n, median_low_ns,"
    " median_high_ns, statistics) SELECT o.experiment_id+s.experiment, o.ordinal, o.name,"
    " o.label, o.loops, o.mean_ns, o.low_ns, o.high_ns, o.median_ns, o.calls_low_ns,"
    " o.calls_high_ns, o.n, o.median_low_ns, o.median_high_ns, o.statistics FROM template t"
    " CROSS JOIN shift s CROSS JOIN configuration o WHERE t.experiment_id=o.experiment_id",
    "INSERT INTO loop(experiment_id, ordinal, loop, position, started_ms, seconds, disturbed,"
    " failed, used, calls, warmup_calls, mean_ns, summary, calls_per_second, readings)"
    " SELECT l.experiment_id+s.experiment, l.ordinal, l.loop, l.position, l.started_ms,"
    " l.seconds, l.disturbed, l.failed, l.used, l.calls, l.warmup_calls, l.mean_ns,"
    " l.summary, l.calls_per_second, l.readings FROM template t CROSS JOIN shift s"
    " CROSS JOIN loop l WHERE t.experiment_id=l.experiment_id",
    "INSERT INTO portion(experiment_id, ordinal, portion, configuration, parent, mean_ns,"
    " low_ns, high_ns, method, judged_mean_ns, judged_low_ns, judged_high_ns, verdict, rule,"
    " direction, reference_mean_ns, reference_low_ns, reference_high_ns, reference_nights,"
    " reference_from, reference_to, difference_mean_ns, difference_low_ns,"
    " difference_high_ns, to_experiment, from_experiment, reason, median_ns, median_low_ns,"
    " median_high_ns) SELECT o.experiment_id+s.experiment, o.ordinal, o.portion,"
    " o.configuration, o.parent, o.mean_ns, o.low_ns, o.high_ns, o.method, o.judged_mean_ns,"
    " o.judged_low_ns, o.judged_high_ns, o.verdict, o.rule, o.direction, o.reference_mean_ns,"
    " o.reference_low_ns, o.reference_high_ns, o.reference_nights,"
    " o.reference_from+s.experiment, o.reference_to+s.experiment, o.difference_mean_ns,"
    " o.difference_low_ns, o.difference_high_ns, o.to_experiment+s.experiment,"
    " o.from_experiment+s.experiment, o.reason, o.median_ns, o.median_low_ns,"
    " o.median_high_ns FROM template t CROSS JOIN shift s CROSS JOIN portion o"
    " WHERE t.experiment_id=o.experiment_id",
    "INSERT INTO alert(id, project_id, series_id, portion, configuration, direction, state,"
    " from_experiment, to_experiment, dated_experiment, seen_experiment, raised_ms, before_mean_ns,"
    " before_low_ns, before_high_ns, after_mean_ns, after_low_ns, after_high_ns,"
    " difference_mean_ns, difference_low_ns, difference_high_ns, difference_percent, reason,"
    " to_night, searched) SELECT a.id+s.alert, a.project_id, a.series_id,"
    " a.portion, a.configuration, a.direction, 'accepted', a.from_experiment+s.experiment, "
    "a.to_experiment+s.experiment, a.dated_experiment+s.experiment,"
    " a.seen_experiment+s.experiment, a.raised_ms+s.days*86400000, a.before_mean_ns,"
    " a.before_low_ns, a.before_high_ns, a.after_mean_ns, a.after_low_ns, a.after_high_ns,"
    " a.difference_mean_ns, a.difference_low_ns, a.difference_high_ns, a.difference_percent,"
    " a.reason, e.night, a.searched FROM told t CROSS JOIN shift s CROSS JOIN alert a"
    " CROSS JOIN experiment e WHERE a.id=t.alert_id AND e.id=a.to_experiment+s.experiment",
    "INSERT INTO alert_portion(alert_id, configuration, portion, direction, seen_experiment,"
    " before_mean_ns, before_low_ns, before_high_ns, after_mean_ns, after_low_ns,"
    " after_high_ns, difference_mean_ns, difference_low_ns, difference_high_ns,"
    " difference_percent, reason) SELECT m.alert_id+s.alert, m.configuration, m.portion,"
    " m.direction, m.seen_experiment+s.experiment, m.before_mean_ns, m.before_low_ns,"
    " m.before_high_ns, m.after_mean_ns, m.after_low_ns, m.after_high_ns,"
    " m.difference_mean_ns, m.difference_low_ns, m.difference_high_ns, m.difference_percent,"
    " m.reason FROM told t CROSS JOIN shift s CROSS JOIN alert_portion m"
    " WHERE m.alert_id=t.alert_id",
};

static G_GNUC_NORETURN void fail(srv_db *db, const char *doing) {
    const char *text;
    srv_db_problem(db, &text);
    fprintf(stderr, "%.60s: %s\n", doing, text);
    exit(1);
}

/* The last number that it gives; 0: none. */
static int64_t run(srv_db *db, const char *sql, const char *types, const srv_db_value *values) {
    srv_db_statement *statement = srv_db_prepare(db, sql, types);
    int64_t number = 0;
    srv_db_step step = statement ? SRV_DB_ROW : SRV_DB_ERROR;
    for (int i = 0; statement && types[i] != '\0'; i++)
        if (!srv_db_bind(statement, i + 1, &values[i]))
            fail(db, sql);
    while (step == SRV_DB_ROW)
        if ((step = srv_db_next(statement)) == SRV_DB_ROW)
            number = srv_db_column(statement, 0).integer;
    if (step == SRV_DB_ERROR)
        fail(db, sql);
    srv_db_finish(statement);
    return number;
}

static void ask(srv_db *db, const char *sql) {
    (void)run(db, sql, "", NULL);
}

static srv_db_value integer(int64_t value) {
    return (srv_db_value){.type = SRV_DB_INTEGER, .integer = value};
}

/* Dates of days in the order of the project's nights, from 1. */
static void calendar_make(srv_db *db, int days) {
    ask(db, "CREATE TEMPORARY TABLE calendar(day BIGINT PRIMARY KEY, night TEXT NOT NULL UNIQUE)");
    for (int day = 1; day <= days; day++) {
        g_autoptr(GDateTime) date =
            g_date_time_new_from_unix_utc((MADE_FIRST_DAY + day - 1) * MADE_DAY_MS / 1000);
        g_autofree char *text = g_date_time_format(date, "%Y-%m-%d");
        const srv_db_value values[] = {integer(day),
                                       {.type = SRV_DB_TEXT, .data = text, .size = strlen(text)}};
        (void)run(db, "INSERT INTO calendar VALUES($1, $2)", "it", values);
    }
    ask(db, "CREATE TEMPORARY TABLE template(experiment_id BIGINT PRIMARY KEY, job_id BIGINT,"
            " revision_id BIGINT, day BIGINT)");
    ask(db, "CREATE TEMPORARY TABLE shift(revision BIGINT, job BIGINT, experiment BIGINT,"
            " alert BIGINT, days BIGINT, letters TEXT)");
    const srv_db_value nights = integer(GROW_TEMPLATE);
    (void)run(db,
              "INSERT INTO template SELECT e.id, e.job_id, e.revision_id, c.day FROM experiment e"
              " JOIN calendar c ON c.night=e.night WHERE c.day<=$1",
              "i", &nights);
    ask(db, "CREATE TEMPORARY TABLE told AS SELECT a.id AS alert_id FROM alert a"
            " JOIN template t ON t.experiment_id=a.seen_experiment");
}

/* The template once more, days later. */
static void block_copy(srv_db *db, int days) {
    char letters[9];
    g_snprintf(letters, sizeof letters, "%08x", (unsigned)days);
    const srv_db_value values[] = {integer(days),
                                   {.type = SRV_DB_TEXT, .data = letters, .size = strlen(letters)}};
    if (!srv_db_begin(db))
        fail(db, "begin");
    ask(db, "DELETE FROM shift");
    (void)run(db,
              "INSERT INTO shift SELECT (SELECT max(id) FROM revision), (SELECT max(id) FROM job),"
              " (SELECT max(id) FROM experiment), (SELECT coalesce(max(id), 0) FROM alert), $1, $2",
              "it", values);
    for (size_t i = 0; i < G_N_ELEMENTS(copies); i++)
        ask(db, copies[i]);
    if (!srv_db_commit(db))
        fail(db, "commit");
}

/* The detector keeps the states of the newest 16 nights and of every 128th. The copied nights all
 * get that of the last night before them: the ones before it are thinned out already. */
static void states_put(srv_db *db, int before, int nights) {
    const srv_db_value first = integer(before), last = integer(nights);
    (void)run(db,
              "INSERT INTO series_state(series_id, place, experiment_id, state)"
              " SELECT s.series_id, c.day, e.id, s.state FROM series_state s"
              " JOIN experiment e ON e.series_id=s.series_id JOIN calendar c ON c.night=e.night"
              " WHERE s.place=$1 AND c.day>$1 AND c.day<=$2 AND (c.day%128=0 OR c.day>$2-16)",
              "ii", (const srv_db_value[]){first, last});
    (void)run(db, "DELETE FROM series_state WHERE place<=$1-16 AND place%128<>0", "i", &last);
}

/* What writes along with nights. */
static void counts_put(srv_db *db) {
    ask(db, "DELETE FROM night_count");
    ask(db, "INSERT INTO night_count SELECT project_id, substr(night,1,4), count(*)"
            " FROM experiment WHERE hidden=0 GROUP BY project_id, substr(night,1,4)");
}

void grow_begin(grown *g) {
    made_projects(&g->made, g->projects, g->count);
    for (; g->nights < GROW_TEMPLATE; g->nights++)
        for (int i = 0; i < g->count; i++)
            made_night(&g->made, g->projects[i], g->nights);
}

/* Nobody waits for what can be made again. */
static void hurry(srv_db *db) {
    if (g_str_equal(db->driver->name, "sqlite")) {
        ask(db, "PRAGMA synchronous=OFF");
        return;
    }
    ask(db, "SET synchronous_commit=off");
    /* it does not know yet how small the temporary tables are */
    ask(db, "SET enable_hashjoin=off");
    ask(db, "SET enable_mergejoin=off");
}

/* As a server's does by itself. */
static void tidy(srv_db *db) {
    if (!db->driver->renumber(db))
        fail(db, "renumber");
    if (g_str_equal(db->driver->name, "sqlite")) {
        ask(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    } else {
        ask(db, "VACUUM ANALYZE");
        ask(db, "CHECKPOINT");
    }
    sync(); /* what was copied is not written back while something is measured */
}

void grow_to(grown *g, int nights) {
    GError *error = NULL;
    const int before = g->nights;
    if (before >= nights)
        return;
    srv_store_close(g->made.store);
    srv_db *db = srv_db_open(g->url, SRV_DB_EXISTING);
    if (!db->usable)
        fail(db, g->url);
    hurry(db);
    calendar_make(db, nights + GROW_TEMPLATE);
    for (; g->nights < nights; g->nights += GROW_TEMPLATE)
        block_copy(db, g->nights);
    states_put(db, before, g->nights);
    counts_put(db);
    tidy(db);
    srv_db_close(db);
    g->made.store = srv_store_open(g->url, &error);
    if (!g->made.store)
        made_die(g->url, error);
}
