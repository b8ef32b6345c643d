/*
 * db_postgres - the driver of PostgreSQL 13 and later.
 *
 * Who writes has the others wait, as with SQLite: a transaction begins by taking a lock of the
 * whole installation (db_postgres_transaction.c), or of a part of it. Readers wait for nobody.
 */
#include "server/store/db_postgres.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { SILENT_MS = 5000 };       /* then it is asked whether it is there */
enum { OLDEST_SERVER = 130000 }; /* its pg_current_xact_id_if_assigned tells who has written */

/* Where a word of the application's own is missing; what the URL says counts more. A server that
 * has gone is noticed within half a minute. */
static const char *const keywords[] = {"fallback_application_name",
                                       "connect_timeout",
                                       "keepalives_idle",
                                       "keepalives_interval",
                                       "keepalives_count",
                                       "tcp_user_timeout",
                                       "dbname",
                                       "client_encoding",
                                       NULL};

/* lock_timeout: as long as SQLite's driver waits. A transaction of ours asks without a pause; one
 * that stays open belongs to a server that hangs, and must not hold up the others. Every statement
 * finds its rows by an index, whatever its parameters, so one plan is enough: planning again takes
 * longer than most statements, and starting a worker longer than any. Pages of an index are mostly
 * in memory, so reading one is cheap. */
#define SET_UP                                                                                     \
    "SET client_min_messages=error; SET lock_timeout='10s'; SET jit=off;"                          \
    " SET plan_cache_mode=force_generic_plan; SET random_page_cost=1.1;"                           \
    " SET max_parallel_workers_per_gather=0;"                                                      \
    " SET idle_in_transaction_session_timeout='30s';"                                              \
    " SET default_transaction_isolation='read committed';"                                         \
    " SELECT set_config('synchronous_commit', 'on', false)"                                        \
    " WHERE current_setting('synchronous_commit')='off'"

/* The locks of who writes. The second half of the key: several installations may share a database,
 * a schema each. Who writes in one part alone shares that lock, and takes one of the part. */
#define KEY "1836019575, hashtext(current_schema())"
#define LOCKS                                                                                      \
    "PREPARE moowatch_whole AS SELECT pg_advisory_xact_lock(" KEY ");"                             \
    " PREPARE moowatch_part(bigint) AS SELECT pg_advisory_xact_lock_shared(" KEY "),"              \
    " pg_advisory_xact_lock(hashtextextended(current_schema(), $1))"

/* libpq gives advice in lines of their own. */
static char *one_line(const char *text) {
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        g_strstrip(*line);
    return g_strstrip(g_strjoinv(" ", lines));
}

bool srv__postgres_fail(srv__postgres *db, srv_db_class class, const char *text) {
    char *kept = one_line(text);
    g_free(db->text);
    db->text = kept;
    db->class = class;
    return false;
}

/* What a SQLSTATE of five letters means to us. Pure. */
static srv_db_class postgres_class(const char *state) {
    static const struct {
        const char *begins;
        srv_db_class class;
    } table[] = {
        {"08", SRV_DB_LOST},       {"23", SRV_DB_CONSTRAINT}, {"25006", SRV_DB_REFUSED},
        {"28", SRV_DB_REFUSED},    {"3D000", SRV_DB_ABSENT},  {"3F000", SRV_DB_ABSENT},
        {"40", SRV_DB_BUSY},       {"42501", SRV_DB_REFUSED}, {"53100", SRV_DB_FULL},
        {"53300", SRV_DB_BUSY},    {"55P03", SRV_DB_BUSY},    {"57014", SRV_DB_BUSY},
        {"57P", SRV_DB_LOST},      {"25P03", SRV_DB_LOST},    {"58030", SRV_DB_UNWRITABLE},
        {"XX001", SRV_DB_DAMAGED}, {"XX002", SRV_DB_DAMAGED},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (g_str_has_prefix(state, table[i].begins))
            return table[i].class;
    return SRV_DB_OTHER;
}

bool srv__postgres_lost(const srv__postgres *db) {
    return PQstatus(db->handle) != CONNECTION_OK;
}

bool srv__postgres_fail_result(srv__postgres *db, PGresult *result) {
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    /* Nothing is done any more in this transaction: what began that is the problem. */
    if (g_strcmp0(state, "25P02") == 0 && db->text) {
        PQclear(result);
        return false;
    }
    const char *said = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const srv_db_class class = srv__postgres_lost(db) ? SRV_DB_LOST
                               : state                ? postgres_class(state)
                                                      : SRV_DB_OTHER;
    srv__postgres_fail(db, class, said ? said : PQerrorMessage(db->handle));
    PQclear(result);
    return false;
}

/* A step of the schema may be for another driver alone: then nothing is left of it. */
static bool postgres_is_good(const PGresult *result) {
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

/* What says where it is; place: of libpq. */
#define VALUES(place)                                                                              \
    { "moowatchd", "5", "15", "5", "3", "20000", (place), "UTF8", NULL }

/* libpq reads a name that begins like a URL, or has a '=', as all there is to know. */
static char *place_of(const srv__postgres *db) {
    return g_str_has_prefix(db->place, "//") ? g_strconcat("postgresql:", db->place, NULL)
                                             : g_strdup(db->place);
}

static bool answers_others(const srv__postgres *db) {
    g_autofree char *place = place_of(db);
    const char *const values[] = VALUES(place);
    return PQpingParams(keywords, values, 1) == PQPING_OK;
}

/* Until there is a result, or the connection is gone. A host that answers keep-alive probes may
 * have a server that never says a word, as one that was stopped, or that a proxy has lost. */
static void wait_for(srv__postgres *db) {
    while (PQisBusy(db->handle) && !srv__postgres_lost(db)) {
        struct pollfd fd = {.fd = PQsocket(db->handle), .events = POLLIN};
        if (poll(&fd, 1, SILENT_MS) == 0 && !answers_others(db))
            (void)shutdown(fd.fd, SHUT_RDWR); /* the next look finds its end */
        if (PQconsumeInput(db->handle) != 1)
            return;
    }
}

PGresult *srv__postgres_answer(srv__postgres *db, int sent) {
    PGresult *kept = NULL, *one;
    if (!sent)
        return NULL;
    while (wait_for(db), (one = PQgetResult(db->handle))) {
        const bool failed = kept && !postgres_is_good(kept);
        PQclear(failed ? one : kept);
        kept = failed ? kept : one;
    }
    return kept;
}

bool srv__postgres_execute(srv__postgres *db, const char *sql) {
    PGresult *result = srv__postgres_answer(db, PQsendQuery(db->handle, sql));
    if (!postgres_is_good(result))
        return srv__postgres_fail_result(db, result);
    PQclear(result);
    return true;
}

char *srv__postgres_text(srv__postgres *db, const char *sql, const char *parameter, bool *good) {
    PGresult *result = srv__postgres_answer(
        db, PQsendQueryParams(db->handle, sql, parameter ? 1 : 0, NULL, &parameter, NULL, NULL, 0));
    *good = postgres_is_good(result) || srv__postgres_fail_result(db, result);
    if (!*good)
        return NULL;
    const bool some = PQntuples(result) > 0 && !PQgetisnull(result, 0, 0);
    char *text = some ? g_strdup(PQgetvalue(result, 0, 0)) : NULL;
    PQclear(result);
    return text;
}

/* Why it cannot be connected to; libpq says that in words alone. A server that answers now may have
 * been starting a moment ago. */
static srv_db_class connect_class(const char *const *values, const char *said) {
    if (strstr(said, "timeout expired")) /* asked once more, it would take as long again */
        return SRV_DB_LOST;
    switch (PQpingParams(keywords, values, 1)) {
    case PQPING_OK:
        return strstr(said, "does not exist") ? SRV_DB_ABSENT
               : strstr(said, "authentication") || strstr(said, "password") ||
                       strstr(said, "permission") || strstr(said, "pg_hba.conf")
                   ? SRV_DB_REFUSED
                   : SRV_DB_LOST;
    case PQPING_REJECT:
    case PQPING_NO_RESPONSE:
        return SRV_DB_LOST;
    case PQPING_NO_ATTEMPT:
        break;
    }
    return SRV_DB_ABSENT;
}

static bool set_up(srv__postgres *db) {
    bool good;
    if (PQserverVersion(db->handle) < OLDEST_SERVER)
        return srv__postgres_fail(db, SRV_DB_OTHER, "it is older than PostgreSQL 13");
    if (!srv__postgres_execute(db, SET_UP) || !srv__postgres_execute(db, LOCKS) ||
        (db->mode == SRV_DB_READ &&
         !srv__postgres_execute(db, "SET default_transaction_read_only=on")))
        return false;
    g_autofree char *channel =
        srv__postgres_text(db, "SELECT hashtext(current_schema())", NULL, &good);
    db->channel = channel ? (unsigned)g_ascii_strtoll(channel, NULL, 10) : 0;
    if (!good || db->mode == SRV_DB_READ)
        return good;
    g_autofree char *read_only = srv__postgres_text(db, "SHOW transaction_read_only", NULL, &good);
    return good && (g_strcmp0(read_only, "on") != 0 ||
                    srv__postgres_fail(db, SRV_DB_REFUSED, "it is read-only"));
}

bool srv__postgres_connect(srv__postgres *db) {
    g_autofree char *place = place_of(db);
    const char *const values[] = VALUES(place);
    PQfinish(db->handle);
    db->handle = PQconnectdbParams(keywords, values, 1);
    db->made++;
    db->in_transaction = false;
    if (srv__postgres_lost(db)) {
        const char *said = PQerrorMessage(db->handle);
        return srv__postgres_fail(db, connect_class(values, said), said);
    }
    return set_up(db);
}

bool srv__postgres_ready(srv__postgres *db) {
    if (!srv__postgres_lost(db))
        return true;
    if (db->in_transaction)
        return srv__postgres_fail(db, SRV_DB_LOST, "the connection broke");
    return srv__postgres_connect(db);
}

static srv_db *db_open(const char *place, srv_db_mode mode) {
    g_autoptr(GError) error = NULL;
    srv__postgres *db = g_new0(srv__postgres, 1);
    db->base.driver = &srv_db_postgres;
    db->place = g_strdup(place);
    db->mode = mode;
    db->patience_ms = SRV__POSTGRES_PATIENCE_MS;
    db->base.usable = srv_auth_uuid(db->own, &error)
                          ? srv__postgres_connect(db)
                          : srv__postgres_fail(db, SRV_DB_OTHER, error->message);
    return &db->base;
}

static void db_close(srv_db *base) {
    srv__postgres *db = (srv__postgres *)base;
    PQfinish(db->handle);
    g_free(db->place);
    g_free(db->text);
    g_free(db);
}

static srv_db_class db_problem(const srv_db *base, const char **text) {
    const srv__postgres *db = (const srv__postgres *)base;
    *text = db->text ? db->text : "no problem";
    return db->class;
}

static void db_expect(srv_db *base, int64_t version) {
    ((srv__postgres *)base)->expected = version;
}

static int64_t db_changes(srv_db *base) {
    return ((srv__postgres *)base)->changes;
}

static bool db_copy(srv_db *base, const char *path) {
    (void)path;
    return srv__postgres_fail((srv__postgres *)base, SRV_DB_OTHER,
                              "use pg_dump to copy a PostgreSQL database");
}

/* What is free in it autovacuum knows, and uses again. */
static bool db_space(srv_db *base, int64_t *bytes, int64_t *free_bytes) {
    bool good = srv__postgres_ready((srv__postgres *)base);
    g_autofree char *size =
        good ? srv__postgres_text((srv__postgres *)base,
                                  "SELECT pg_database_size(current_database())", NULL, &good)
             : NULL;
    *bytes = size ? g_ascii_strtoll(size, NULL, 10) : 0;
    *free_bytes = 0;
    return good;
}

static int db_listen(srv_db *base) {
    srv__postgres *db = (srv__postgres *)base;
    g_autofree char *sql = NULL;
    if (!srv__postgres_ready(db))
        return -1;
    sql = g_strdup_printf("LISTEN moowatch_%u", db->channel);
    return srv__postgres_execute(db, sql) ? PQsocket(db->handle) : -1;
}

static bool db_hear(srv_db *base, char **text) {
    srv__postgres *db = (srv__postgres *)base;
    *text = NULL;
    if (PQconsumeInput(db->handle) != 1 || srv__postgres_lost(db))
        return srv__postgres_fail(db, SRV_DB_LOST, PQerrorMessage(db->handle));
    PGnotify *news = PQnotifies(db->handle);
    *text = news ? g_strdup(news->extra) : NULL;
    PQfreemem(news);
    return true;
}

/* A lock of the session, of this installation and name. */
#define HELD(call) "SELECT pg_" call "(hashtextextended(current_schema() || ' ' || $1, 0))"

static bool held(srv_db *base, const char *sql, const char *name, bool *ours) {
    srv__postgres *db = (srv__postgres *)base;
    bool good = srv__postgres_ready(db);
    g_autofree char *text = good ? srv__postgres_text(db, sql, name, &good) : NULL;
    *ours = g_strcmp0(text, "t") == 0;
    return good;
}

static bool db_hold(srv_db *base, const char *name, bool *ours) {
    return held(base, HELD("try_advisory_lock"), name, ours);
}

static bool db_release(srv_db *base, const char *name) {
    bool had;
    return held(base, HELD("advisory_unlock"), name, &had);
}

const srv_db_driver srv_db_postgres = {
    .name = "postgresql",
    .absent = "create the database, owned by the user that the URL names, or correct the URL",
    .damaged = "restore the last backup into a database that is empty",
    .foreign = "give moowatchd a database, or a schema, of its own",
    .is_server = true,
    .open = db_open,
    .close = db_close,
    .problem = db_problem,
    .version = srv__postgres_version,
    .upgrade = srv__postgres_upgrade,
    .prepare = srv__postgres_prepare,
    .changes = db_changes,
    .begin = srv__postgres_begin,
    .begin_reading = srv__postgres_begin_reading,
    .commit = srv__postgres_commit,
    .roll_back = srv__postgres_roll_back,
    .copy = db_copy,
    .renumber = srv__postgres_renumber,
    .space = db_space,
    .expect = db_expect,
    .tell = srv__postgres_tell,
    .listen = db_listen,
    .hear = db_hear,
    .hold = db_hold,
    .release = db_release,
};
