/* Transactions of PostgreSQL: one that writes at a time, or one in each part, and commits whose
 * answer got lost. */
#include "server/store/db_postgres.h"

enum { ASK_AGAIN_MS = 50 };

static void ended(srv__postgres *db) {
    db->in_transaction = db->marked = false;
}

/* What it sees is settled by its first read. */
#define BEGIN_READING "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1"
/* The lock is held while a step of the schema is taken. */
#define KNOWN "; SELECT version FROM moowatch_schema"

/* Between these two a server of another version may have come. */
static bool is_known(srv__postgres *db, const char *version) {
    return db->expected == 0 || !version || g_ascii_strtoll(version, NULL, 10) <= db->expected ||
           srv__postgres_fail(db, SRV_DB_NEWER, "it was upgraded by a newer moowatchd");
}

static bool execute(srv__postgres *db, const char *sql) {
    PGresult *result = srv__postgres_answer(db, PQsendQuery(db->handle, sql));
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        return srv__postgres_fail_result(db, result);
    const bool writes = !g_str_equal(sql, BEGIN_READING);
    const bool good =
        !writes || is_known(db, PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : NULL);
    PQclear(result);
    return good;
}

/* That the connection is gone is noticed by the first who uses it: then it is made anew. */
static bool begin(srv_db *base, const char *sql) {
    srv__postgres *db = (srv__postgres *)base;
    for (int tries = 0; tries < 2; tries++) {
        if (!srv__postgres_ready(db))
            return false;
        if (execute(db, sql)) {
            db->in_transaction = true;
            return true;
        }
        if (!srv__postgres_lost(db))
            break;
    }
    srv__postgres_roll_back(base);
    return false;
}

bool srv__postgres_begin(srv_db *base, int64_t part) {
    const bool knows = ((srv__postgres *)base)->expected > 0;
    g_autofree char *of_part =
        part == 0 ? NULL
                  : g_strdup_printf(SRV__POSTGRES_BEGIN_PART "%" G_GINT64_FORMAT ")%s", part,
                                    knows ? KNOWN : "");
    return begin(base, of_part ? of_part : knows ? SRV__POSTGRES_BEGIN KNOWN : SRV__POSTGRES_BEGIN);
}

bool srv__postgres_begin_reading(srv_db *base) {
    return begin(base, BEGIN_READING);
}

void srv__postgres_roll_back(srv_db *base) {
    srv__postgres *db = (srv__postgres *)base;
    ended(db);
    if (PQtransactionStatus(db->handle) != PQTRANS_IDLE && !srv__postgres_lost(db))
        PQclear(srv__postgres_answer(db, PQsendQuery(db->handle, "ROLLBACK")));
}

/*
 * What a transaction leaves in the row of its connection: one more than the one before. Numbers of
 * the server's own (pg_xact_status) do not say what became of a commit: after a crash it gives
 * those again that had not reached its disk, to whoever comes next.
 */
#define MARK                                                                                       \
    "INSERT INTO moowatch_commit(connection, number) VALUES('%s', %" G_GINT64_FORMAT ")"           \
    " ON CONFLICT(connection) DO UPDATE SET number=excluded.number, at=now()"

/* Of connections that are gone, such as those of servers that were killed. */
#define TIDY "DELETE FROM moowatch_commit WHERE at<now()-interval '1 day'"

static bool mark(srv__postgres *db) {
    if (db->marked)
        return true;
    if (db->commits == 0 && !srv__postgres_execute(db, TIDY))
        return false;
    g_autofree char *sql = g_strdup_printf(MARK, db->own, ++db->commits);
    db->marked = srv__postgres_execute(db, sql);
    return db->marked;
}

/* Has it written? Else there is nothing to be lost. */
static bool mark_what_wrote(srv__postgres *db) {
    bool good;
    g_autofree char *number =
        srv__postgres_text(db, "SELECT pg_current_xact_id_if_assigned()::text", NULL, &good);
    return good && (!number || mark(db));
}

/* It goes with the commit, and the mark with it: one question. */
bool srv__postgres_tell(srv_db *base, const char *text) {
    srv__postgres *db = (srv__postgres *)base;
    bool good;
    if (db->commits == 0 && !mark(db))
        return false;
    db->commits += !db->marked;
    g_autofree char *sql =
        g_strdup_printf("WITH mark AS (" MARK ") SELECT 1 FROM pg_notify('moowatch_%u', $1)",
                        db->own, db->commits, db->channel);
    g_free(srv__postgres_text(db, sql, text, &good));
    return db->marked = good;
}

/* Whoever writes holds the lock, or shares it: once it is ours alone, that transaction has come to
 * its end. */
static bool look(srv__postgres *db, bool *committed) {
    bool good;
    if (!srv__postgres_connect(db) || !srv__postgres_execute(db, SRV__POSTGRES_BEGIN))
        return false;
    g_autofree char *number = srv__postgres_text(
        db, "SELECT number::text FROM moowatch_commit WHERE connection=$1", db->own, &good);
    *committed = number && g_ascii_strtoll(number, NULL, 10) == db->commits;
    PQclear(srv__postgres_answer(db, PQsendQuery(db->handle, "ROLLBACK")));
    return good;
}

/* The connection broke while it was committed. */
static bool resolve(srv__postgres *db) {
    const int64_t end_us = g_get_monotonic_time() + (int64_t)db->patience_ms * 1000;
    bool committed = false;
    while (!look(db, &committed)) {
        if (g_get_monotonic_time() >= end_us)
            return srv__postgres_fail(db, SRV_DB_UNKNOWN,
                                      "the connection broke during the commit, and the database "
                                      "cannot say whether it was committed");
        g_usleep(ASK_AGAIN_MS * 1000);
    }
    return committed || srv__postgres_fail(db, SRV_DB_LOST, "the connection broke");
}

/* A transaction in which something failed is rolled back by it, without an error. */
static bool is_committed(srv__postgres *db, PGresult *result) {
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        return srv__postgres_fail_result(db, result);
    const bool good = g_str_equal(PQcmdStatus(result), "COMMIT");
    PQclear(result);
    return good;
}

bool srv__postgres_commit(srv_db *base) {
    srv__postgres *db = (srv__postgres *)base;
    if (!db->in_transaction)
        return srv__postgres_fail(db, SRV_DB_OTHER, "there is no transaction");
    if (!db->marked && (PQtransactionStatus(db->handle) != PQTRANS_INTRANS || !mark_what_wrote(db)))
        return false;
    bool good = is_committed(db, srv__postgres_answer(db, PQsendQuery(db->handle, "COMMIT")));
    if (!good && srv__postgres_lost(db))
        good = !db->marked || resolve(db);
    ended(db);
    return good;
}
