/* Statements of PostgreSQL whose answers nobody waits for yet: they are sent with the next one. */
#include "server/store/db_postgres.h"

/* The first problem counts: what follows it was not looked at. */
static PGresult *worse(PGresult *first, PGresult *next) {
    PQclear(first ? next : NULL);
    return first ? first : next;
}

/* The answer to one statement; what comes after it, up to the next one's, says nothing. */
static PGresult *answer(srv__postgres *db) {
    PGresult *result = PQgetResult(db->handle), *more;
    while (result && !srv__postgres_gone(db) && (more = PQgetResult(db->handle)))
        PQclear(more);
    return result ? result : PQmakeEmptyPGresult(db->handle, PGRES_FATAL_ERROR);
}

/* Of all that were pushed; NULL: all are good. */
static PGresult *pushed_read(srv__postgres *db) {
    PGresult *problem = NULL;
    for (unsigned i = 0; i < db->pushed && !srv__postgres_gone(db); i++) {
        PGresult *result = answer(db);
        const bool good = srv__postgres_is_good(result);
        if (db->pushed_by[i] && (good || !db->in_transaction)) {
            srv__postgres_answered(db->pushed_by[i], result);
            continue;
        }
        if (!good) {
            problem = worse(problem, result);
            continue;
        }
        if (g_ascii_strtoll(PQcmdTuples(result), NULL, 10) > 0)
            db->marks |= db->pushed_marks[i];
        PQclear(result);
    }
    return problem;
}

PGresult *srv__pipeline_end(srv__postgres *db, bool asked) {
    const bool sent = PQpipelineSync(db->handle) == 1;
    PGresult *problem = sent ? pushed_read(db) : NULL;
    PGresult *own = sent && asked && !srv__postgres_gone(db) ? answer(db) : NULL;
    db->pushed = 0;
    if (sent && !srv__postgres_gone(db)) {
        PQclear(PQgetResult(db->handle)); /* that was all */
        (void)PQexitPipelineMode(db->handle);
    }
    if (!problem)
        return own;
    PQclear(own);
    return problem;
}

bool srv__pipeline_begin(srv__postgres *db) {
    return db->pushed > 0 || PQenterPipelineMode(db->handle) == 1 ||
           srv__postgres_fail(db, SRV_DB_OTHER, PQerrorMessage(db->handle));
}

bool srv__pipeline_sent(srv__postgres *db, bool sent, unsigned mark, srv_db_statement *by) {
    if (!sent) {
        srv__postgres_fail(db, srv__postgres_gone(db) ? SRV_DB_LOST : SRV_DB_OTHER,
                           PQerrorMessage(db->handle));
        if (db->pushed == 0) /* else whoever settles leaves that mode */
            (void)PQexitPipelineMode(db->handle);
        return false;
    }
    db->pushed_by[db->pushed] = by;
    db->pushed_marks[db->pushed++] = mark;
    return db->pushed < SRV__POSTGRES_PUSHED || srv__pipeline_settle(db);
}

bool srv__pipeline_settle(srv__postgres *db) {
    if (db->pushed == 0)
        return true;
    PGresult *problem = srv__pipeline_end(db, false);
    if (problem)
        return srv__postgres_fail_result(db, problem);
    return !srv__postgres_gone(db) || srv__postgres_fail(db, SRV_DB_LOST, "the connection broke");
}

bool srv__postgres_settle(srv_db *base, unsigned *marks) {
    srv__postgres *db = (srv__postgres *)base;
    const bool good = srv__pipeline_settle(db);
    *marks = db->marks;
    db->marks = 0;
    return good;
}
