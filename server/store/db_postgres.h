#pragma once
/*
 * db_postgres - what the files of PostgreSQL's driver share: a connection that is made anew when it
 * broke between two transactions, and what went wrong with it.
 */
#include "server/ground/auth_random.h"
#include "server/store/db.h"

#include <libpq-fe.h>

/* How long the end of a commit is looked for after the connection broke. */
#define SRV__POSTGRES_PATIENCE_MS 10000

typedef struct {
    srv_db base;
    char *place;
    srv_db_mode mode;
    PGconn *handle;
    unsigned made;     /* how often it was connected: statements of an earlier time are gone */
    unsigned prepared; /* statements, which are named by it */
    unsigned channel;  /* of its news, and half of the key of its lock */
    bool in_transaction;
    int64_t expected;             /* step of the schema; 0: any */
    char own[SRV_AUTH_UUID_SIZE]; /* its row in moowatch_commit, which tells of its commits */
    int64_t commits; /* the number there, of the transaction that is open or was the last */
    bool marked;     /* the one that is open has left it there */
    int64_t changes;
    int patience_ms;
    srv_db_class class; /* of the last problem */
    char *text;         /* likewise; owned, NULL: none yet */
} srv__postgres;

/* Keep what went wrong; returns false. */
bool srv__postgres_fail(srv__postgres *db, srv_db_class class, const char *text);

/* Likewise of what the server answered; frees result. */
bool srv__postgres_fail_result(srv__postgres *db, PGresult *result);

/* Connected; anew when the connection is gone and no transaction was open on it. */
bool srv__postgres_ready(srv__postgres *db) G_GNUC_WARN_UNUSED_RESULT;

/* Connect anew, now. */
bool srv__postgres_connect(srv__postgres *db) G_GNUC_WARN_UNUSED_RESULT;

/* Is the connection gone? */
bool srv__postgres_lost(const srv__postgres *db);

/* What the server answers to what was sent (what PQsend… returned): the first problem, else the
 * last result, as PQexec has it. While it is silent others are asked whether it answers them; where
 * it does not, the connection is ended, and is gone. */
PGresult *srv__postgres_answer(srv__postgres *db, int sent);

/* Statements without rows that anybody wants, separated by semicolons. */
bool srv__postgres_execute(srv__postgres *db, const char *sql) G_GNUC_WARN_UNUSED_RESULT;

/* The first column of the first row, owned; NULL with a problem, and when it is NULL without one
 * (good: out). */
char *srv__postgres_text(srv__postgres *db, const char *sql, const char *parameter, bool *good);

/* What begins a transaction that writes (in one part alone: its number follows, and a parenthesis);
 * prepared with the connection. */
#define SRV__POSTGRES_BEGIN "BEGIN; EXECUTE moowatch_whole"
#define SRV__POSTGRES_BEGIN_PART "BEGIN; EXECUTE moowatch_part("

/* Transactions (db_postgres_transaction.c). */
bool srv__postgres_begin(srv_db *base, int64_t part) G_GNUC_WARN_UNUSED_RESULT;
bool srv__postgres_begin_reading(srv_db *base) G_GNUC_WARN_UNUSED_RESULT;
bool srv__postgres_commit(srv_db *base) G_GNUC_WARN_UNUSED_RESULT;
void srv__postgres_roll_back(srv_db *base);
bool srv__postgres_tell(srv_db *base, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* Statements (db_postgres_statement.c). */
srv_db_statement *srv__postgres_prepare(srv_db *base, const char *sql, const char *types);

/* What a commit is known by; made where the schema is, and not made for who only reads. */
#define SRV__POSTGRES_COMMITS                                                                      \
    "CREATE TABLE IF NOT EXISTS moowatch_commit(connection TEXT PRIMARY KEY,"                      \
    " number BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now())"

/* Steps of the schema (db_postgres_schema.c). */
int64_t srv__postgres_version(srv_db *base);
bool srv__postgres_upgrade(srv_db *base, const char *sql, int64_t version);
bool srv__postgres_renumber(srv_db *base);
