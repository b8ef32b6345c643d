/* Transactions of PostgreSQL: one that writes at a time, and commits whose answer got lost. */
#include "server/store/db_postgres.h"

enum { ASK_AGAIN_MS = 50 };

/* The second half of the key: several installations may share a database, a schema each. */
#define BEGIN "BEGIN; SELECT pg_advisory_xact_lock(1836019575, hashtext(current_schema()))"

static void ended(srv__postgres *db) {
    db->in_transaction = false;
    g_clear_pointer(&db->transaction, g_free);
}

/* What it sees is settled by its first read. */
#define BEGIN_READING "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1"

/* That the connection is gone is noticed by the first who uses it: then it is made anew. */
static bool begin(srv_db *base, const char *sql) {
    srv__postgres *db = (srv__postgres *)base;
    for (int tries = 0; tries < 2; tries++) {
        if (!srv__postgres_ready(db))
            return false;
        if (srv__postgres_execute(db, sql)) {
            db->in_transaction = true;
            return true;
        }
        if (!srv__postgres_gone(db))
            break;
    }
    srv__postgres_roll_back(base);
    return false;
}

bool srv__postgres_begin(srv_db *base) {
    return begin(base, BEGIN);
}

bool srv__postgres_begin_reading(srv_db *base) {
    return begin(base, BEGIN_READING);
}

void srv__postgres_roll_back(srv_db *base) {
    srv__postgres *db = (srv__postgres *)base;
    ended(db);
    if (PQtransactionStatus(db->handle) != PQTRANS_IDLE && !srv__postgres_gone(db))
        PQclear(PQexec(db->handle, "ROLLBACK"));
}

/* The number by which the server knows it; it has none when it has not written. */
static bool number_ask(srv__postgres *db) {
    bool good;
    if (db->transaction)
        return true;
    db->transaction =
        srv__postgres_text(db, "SELECT pg_current_xact_id_if_assigned()::text", NULL, &good);
    return good;
}

bool srv__postgres_tell(srv_db *base, const char *text) {
    srv__postgres *db = (srv__postgres *)base;
    bool good;
    g_autofree char *sql = g_strdup_printf(
        "SELECT pg_current_xact_id()::text FROM pg_notify('moowatch_%u', $1)", db->channel);
    char *number = srv__postgres_text(db, sql, text, &good);
    if (number) {
        g_free(db->transaction);
        db->transaction = number;
    }
    return good;
}

/* The connection broke while it was committed: the server knows what came of it. */
static bool resolve(srv__postgres *db, const char *number) {
    const int64_t end_us = g_get_monotonic_time() + (int64_t)db->patience_ms * 1000;
    for (;;) {
        bool good = srv__postgres_connect(db);
        g_autofree char *state =
            good ? srv__postgres_text(db, "SELECT pg_xact_status($1::text::xid8)", number, &good)
                 : NULL;
        if (g_strcmp0(state, "committed") == 0)
            return true;
        if (g_strcmp0(state, "aborted") == 0)
            return srv__postgres_fail(db, SRV_DB_LOST, "the connection broke");
        if ((good && !state) || g_get_monotonic_time() >= end_us)
            return srv__postgres_fail(
                db, SRV_DB_UNKNOWN,
                "the connection broke while it was committed, and the database cannot say whether "
                "that came to its end");
        g_usleep(ASK_AGAIN_MS * 1000);
    }
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
    if (PQtransactionStatus(db->handle) != PQTRANS_INTRANS || !number_ask(db))
        return false;
    bool good = is_committed(db, PQexec(db->handle, "COMMIT"));
    g_autofree char *number = g_steal_pointer(&db->transaction);
    if (!good && srv__postgres_gone(db))
        good = !number || resolve(db, number);
    ended(db);
    return good;
}
