#pragma once
/*
 * db - one connection to a database: what a driver does, and nothing of what is kept in it.
 *
 * A driver is one file that fills srv_db_driver and stands in the list of db.c; its first member is
 * what a URL begins with ("sqlite"). Statements are SQL text with $1, $2, …, each of which stands
 * in it once or more. A connection, and what was made by it, belongs to one thread at a time.
 *
 * A function that fails leaves what went wrong with the connection: srv_db_problem.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct srv_db srv_db;
typedef struct srv_db_statement srv_db_statement;

/* What can go wrong, as far as somebody has to do something about it. */
typedef enum {
    SRV_DB_OTHER,      /* also a mistake in the SQL */
    SRV_DB_BUSY,       /* somebody else is writing, and went on for longer than one waits */
    SRV_DB_FULL,       /* there is no room left */
    SRV_DB_UNWRITABLE, /* the disk refuses */
    SRV_DB_ABSENT,     /* there is nothing at that place, and nothing can be made there */
    SRV_DB_DAMAGED,    /* it is no database, or broken */
    SRV_DB_CONSTRAINT, /* a row that the schema does not allow */
    SRV_DB_FOREIGN,    /* the database of another program */
    SRV_DB_REFUSED,    /* it is there, but lets this user in not at all or only to read */
    SRV_DB_LOST,       /* it does not answer, or not any more: nothing was changed */
    SRV_DB_UNKNOWN,    /* likewise, and nobody can say whether what was changed is kept */
    SRV_DB_NEWER       /* somebody has taken a step of the schema that we do not know */
} srv_db_class;

typedef enum { SRV_DB_ROW, SRV_DB_END, SRV_DB_ERROR } srv_db_step;

typedef enum { SRV_DB_NULL, SRV_DB_INTEGER, SRV_DB_REAL, SRV_DB_TEXT, SRV_DB_BLOB } srv_db_type;

/* A parameter, or a column of a row. */
typedef struct {
    srv_db_type type;
    int64_t integer;
    double real;
    const void *data; /* text ends with a NUL */
    size_t size;      /* of data, in bytes, without that NUL */
} srv_db_value;

typedef enum {
    SRV_DB_WRITE,    /* made when it is not there, and set up for a server to work with */
    SRV_DB_EXISTING, /* must be there, and stays as it is set up */
    SRV_DB_READ      /* likewise, and cannot be written */
} srv_db_mode;

/* The functions of its statements; each does what is said below of its name. */
typedef struct {
    void (*finish)(srv_db_statement *statement);
    bool (*bind)(srv_db_statement *statement, int parameter,
                 const srv_db_value *value) G_GNUC_WARN_UNUSED_RESULT;
    srv_db_step (*next)(srv_db_statement *statement) G_GNUC_WARN_UNUSED_RESULT;
    void (*reset)(srv_db_statement *statement);
    int (*columns)(srv_db_statement *statement);
    const char *(*column_name)(srv_db_statement *statement, int column);
    char (*column_letter)(srv_db_statement *statement, int column);
    srv_db_value (*column)(srv_db_statement *statement, int column);
} srv_db_rows;

/* The functions of a driver; likewise, or what is said here. */
typedef struct {
    const char *name;
    const char *absent, *damaged, *foreign; /* what to do about that problem; a clause */
    bool is_server; /* not a file: several programs use it at once, and tell each other
                       (srv_db_tell) */
    srv_db *(*open)(const char *place, srv_db_mode mode); /* NULL: no memory */
    void (*close)(srv_db *db);
    srv_db_class (*problem)(const srv_db *db, const char **text);
    /* The version of the database's schema, 0 when it is new; -1 with a problem (FOREIGN: it
     * belongs to another program). */
    int64_t (*version)(srv_db *db);
    /* Make a schema, all of it or nothing, of that version from then on. The rows that others refer
     * to are there at its end, or else it fails. */
    bool (*upgrade)(srv_db *db, const char *sql, int64_t version);
    srv_db_statement *(*prepare)(srv_db *db, const char *sql, const char *types);
    /* Rows that the last statement which ran to its end has written. */
    int64_t (*changes)(srv_db *db);
    bool (*begin)(srv_db *db, int64_t part) G_GNUC_WARN_UNUSED_RESULT;
    /* See what is committed now, and nothing that others commit from now on, until
     * srv_db_roll_back. Holds up nobody, and writes nothing. */
    bool (*begin_reading)(srv_db *db);
    bool (*commit)(srv_db *db) G_GNUC_WARN_UNUSED_RESULT;
    void (*roll_back)(srv_db *db);
    /* Read all of a file and see whether it is sound; NULL: it is a server's. */
    bool (*check)(srv_db *db);
    /* Write a consistent copy to a file while others go on writing. */
    bool (*copy)(srv_db *db, const char *path);
    /* Rows came in with the keys that they had elsewhere: the keys that are given from now on come
     * after them. */
    bool (*renumber)(srv_db *db);
    /* What the database takes, and how much of it srv_db_compact could give back to the disk; 0
     * where its server does that by itself. */
    bool (*space)(srv_db *db, int64_t *bytes, int64_t *free_bytes);
    bool (*compact)(srv_db *db, bool *more);     /* NULL: its server does so by itself */
    void (*expect)(srv_db *db, int64_t version); /* NULL: nobody else makes it */
    bool (*tell)(srv_db *db, const char *text); /* this and the following: NULL when it is a file */
    int (*listen)(srv_db *db);
    /* Text: out, what was told next, for g_free; NULL: nothing now. False with a problem: what is
     * told from now on is not heard, listen anew. */
    bool (*hear)(srv_db *db, char **text);
    /* Of all connections to a database that is a server, at most one holds a name: until it ends,
     * however that comes, or releases it as often as it took it. ours: out, whether this one does
     * now. False with a problem: it may have lost what it held. */
    bool (*hold)(srv_db *db, const char *name, bool *ours);
    bool (*release)(srv_db *db, const char *name);
} srv_db_driver;

/* Every connection begins with this; a driver's own struct has it as its first member. */
struct srv_db {
    const srv_db_driver *driver;
    bool usable; /* false after an open that failed: only problem and close may follow */
};

/* Every statement likewise. */
struct srv_db_statement {
    const srv_db_rows *driver;
};

/**
 * srv_db_open - connect.
 * url   "sqlite:/path/to/file", or a plain path, which is SQLite's; "postgresql://user@host/name",
 *       "postgresql:" and what else libpq reads ("service=moowatch", "host=… dbname=…")
 * Returns a connection for srv_db_close also when it failed (usable is false then, and
 * srv_db_problem says why).
 */
srv_db *srv_db_open(const char *url, srv_db_mode mode) G_GNUC_WARN_UNUSED_RESULT;
void srv_db_close(srv_db *db);

/* srv_db_place - a URL without its driver's name; borrowed from it. */
const char *srv_db_place(const char *url);

/* srv_db_is_server - is it one that several programs on several machines may use? */
bool srv_db_is_server(const char *url);

/* srv_db_writers - how many threads, a connection each, are worth having for what is written in
 * many parts (srv_db_begin_part): in a file one writes while the next one prepares. */
unsigned srv_db_writers(const char *url);

/* srv_db_problem - what went wrong last; text: out, borrowed until the next call. */
#define srv_db_problem(db, text) ((db)->driver->problem(db, text))

/**
 * srv_db_prepare - read a statement.
 * types   a letter for each parameter: i(nteger), d(ouble), t(ext), b(lob)
 * Returns a statement for srv_db_finish, NULL with a problem.
 */
#define srv_db_prepare(db, sql, types) ((db)->driver->prepare(db, sql, types))
void srv_db_finish(srv_db_statement *statement);

/* srv_db_only_reads - by its first word. */
bool srv_db_only_reads(const char *sql);

/* srv_db_bind - parameter: from 1. What data points to stays until srv_db_reset. */
#define srv_db_bind(statement, parameter, value)                                                   \
    ((statement)->driver->bind(statement, parameter, value))

/* srv_db_next - the next row; END: no more, and all that it changes is changed. */
#define srv_db_next(statement) ((statement)->driver->next(statement))

/* srv_db_reset - as it was after srv_db_prepare. */
#define srv_db_reset(statement) ((statement)->driver->reset(statement))

/* srv_db_columns - of its rows, 0 when it has none; srv_db_column_name - of one, from 0. */
#define srv_db_columns(statement) ((statement)->driver->columns(statement))
#define srv_db_column_name(statement, column) ((statement)->driver->column_name(statement, column))

/* srv_db_column_letter - what a column of a table holds, as srv_db_prepare has it. */
#define srv_db_column_letter(statement, column)                                                    \
    ((statement)->driver->column_letter(statement, column))

/* srv_db_column - of the present row; a yes or no is an integer, 1 or 0. Borrowed until the next
 * srv_db_next or srv_db_reset. */
#define srv_db_column(statement, place) ((statement)->driver->column(statement, place))

/* srv_db_begin - a transaction that may write from its beginning, so it waits here if at all.
 * srv_db_begin_part - likewise, by one who reads and writes only what belongs to one part of what
 * is kept, a number from 1: where the database is a server it waits for no one who does so with
 * another part. srv_db_commit - on disk when it returns true. srv_db_roll_back - also when none is
 * open. */
bool srv_db_begin(srv_db *db) G_GNUC_WARN_UNUSED_RESULT;
#define srv_db_begin_part(db, part) ((db)->driver->begin(db, part))
#define srv_db_commit(db) ((db)->driver->commit(db))
#define srv_db_roll_back(db) ((db)->driver->roll_back(db))

/* srv_db_compact - give back some of what is free, in a short transaction of its own: between two
 * of them others have their turn. more: out, false when nothing is left to do. */
bool srv_db_compact(srv_db *db, bool *more) G_GNUC_WARN_UNUSED_RESULT;

/* srv_db_expect - the last step that we know: where several programs use a database, transactions
 * that write fail (NEWER) once one of them has taken a later one. */
void srv_db_expect(srv_db *db, int64_t version);

/* srv_db_tell - in a transaction: when it is committed, all who listen are told; at most
 * SRV_DB_TELL_BYTES. Nothing happens where a database is a file: its only server knows. */
enum { SRV_DB_TELL_BYTES = 7900 };
bool srv_db_tell(srv_db *db, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* srv_db_listen - hear what is told from now on. Returns a descriptor that can be read when there
 * may be something to hear, -1 with a problem. A connection that listens does nothing else. */
int srv_db_listen(srv_db *db);

/* The drivers. */
extern const srv_db_driver srv_db_sqlite, srv_db_postgres;
