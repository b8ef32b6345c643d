#pragma once
/*
 * store_sql - how the data side talks to its database, without naming which one.
 *
 * Statements are SQL text with $1, $2, …; values are always bound. Every statement is prepared
 * once a store. Which database it is only its driver knows (db.h).
 */
#include "config/model/model.h"
#include "server/ground/error.h"
#include "server/store/db.h"
#include "server/store/sql.h"
#include "server/store/store.h"

typedef struct {
    char kind; /* of the parameter, also when it is NULL: 'i' 'd' 't' 'b'; 0 ends the list */
    srv_db_value value;
} srv__arg;

/* Text and blobs are borrowed until the query is freed; a NULL text is SQL's NULL. */
#define SRV__ARG(letter, ...) ((srv__arg){.kind = (letter), .value = {__VA_ARGS__}})
#define SRV__I(x) SRV__ARG('i', .type = SRV_DB_INTEGER, .integer = (int64_t)(x))
#define SRV__ID(x) /* 0: NULL */                                                                   \
    SRV__ARG('i', .type = (x) == 0 ? SRV_DB_NULL : SRV_DB_INTEGER, .integer = (x))
#define SRV__D(x) SRV__ARG('d', .type = SRV_DB_REAL, .real = (x)) /* not finite: NULL */
#define SRV__T(x) SRV__ARG('t', .type = SRV_DB_TEXT, .data = (x))
#define SRV__B(p, n) SRV__ARG('b', .type = SRV_DB_BLOB, .data = (p), .size = (n))
#define SRV__ARGS(...) ((const srv__arg[]){__VA_ARGS__, {.kind = 0}})
#define SRV__NO_ARGS ((const srv__arg[]){{.kind = 0}})

typedef struct srv__query srv__query;

/* srv__query_new - bind; NULL with error. Free it before the transaction ends. */
srv__query *srv__query_new(srv_store *store, const srv_sql *sql, const srv__arg *args,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__query_free(srv__query *query);
/* srv__query_next - a row, the end, or an error, which is then set. */
srv_db_step srv__query_next(srv__query *query, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Columns of the present row, counted from 0; a number has no text. Text and blob are borrowed
 * until the next step. */
bool srv__query_null(srv__query *query, int column);
int64_t srv__query_int(srv__query *query, int column);
double srv__query_real(srv__query *query, int column);
const char *srv__query_text(srv__query *query, int column);
const void *srv__query_blob(srv__query *query, int column, size_t *size);

/* srv__statements - how many were begun since the store was opened: what a view asks must not grow
 * with what it shows. */
uint64_t srv__statements(const srv_store *store);

/* srv__run - a statement without rows. changed: out, number of rows; may be NULL. */
bool srv__run(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *changed,
              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__insert - one row, RETURNING its key; id: out, 0 when it met another one (ON CONFLICT). */
bool srv__insert(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *id,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__number - the first column of the only row; missing: what is said when there is no row or
 * it is NULL. */
bool srv__number(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t missing,
                 int64_t *number, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__text - likewise a text, owned; NULL when there is no row or it is NULL. */
bool srv__text(srv_store *store, const srv_sql *sql, const srv__arg *args, char **text,
               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__object, srv__array - the only row (out NULL when there is none), all rows. Owned.
 * A row is an object with the columns' names as keys; a name ending in '?' becomes true/false, one
 * ending in '{' is parsed from JSON text (the mark is cut off); "a.b" goes into an object a, null
 * when all of its members are. */
bool srv__object(srv_store *store, const srv_sql *sql, const srv__arg *args, json_t **object,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__array(srv_store *store, const srv_sql *sql, const srv__arg *args,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__one, srv__many - likewise as structs, each member of a noun's table (config/model/model.h)
 * from the column of its name. there: out; may be NULL, and then no row is an error. list: out, for
 * model_list_clear; after an error nothing is to be released. */
bool srv__one(srv_store *store, const srv_sql *sql, const srv__arg *args, const model_noun *noun,
              void *out, bool *there, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__many(srv_store *store, const srv_sql *sql, const srv__arg *args, const model_noun *noun,
               model_list *list, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__more - likewise members of a struct that is there, for model_clear after an error, too. No
 * row leaves it as it is. */
bool srv__more(srv_store *store, const srv_sql *sql, const srv__arg *args, const model_noun *noun,
               void *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__member_instead - what a row has as a whole object becomes one member of it, null when there
 * is none. */
void srv__member_instead(json_t *row, const char *key, const char *member);
/* srv__each_struct - likewise as structs, one row after the other: struct_of gives the struct,
 * begun, that a row fills; NULL is an error. Its first column is no member, but a number that says
 * what it belongs to. */
typedef void *(*srv__struct_of)(void *user, int64_t owner);
bool srv__each_struct(srv_store *store, const srv_sql *sql, const srv__arg *args,
                      const model_noun *noun, srv__struct_of struct_of, void *user,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__each_of - likewise the rows of many things, with a statement for each 64 of them. sql:
 * "SELECT x.key, … WHERE x.key IN {keys}"; keys: [int64_t], each once. */
bool srv__each_of(srv_store *store, const srv_sql *sql, const GArray *keys, const model_noun *noun,
                  srv__struct_of struct_of, void *user, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__words - the texts in all columns of all rows: a set, owned; NULL with error. */
GHashTable *srv__words(srv_store *store, const srv_sql *sql, const srv__arg *args,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__ids - the first column of all rows, [int64_t]; owned, NULL with error. */
GArray *srv__ids(srv_store *store, const srv_sql *sql, const srv__arg *args,
                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A transaction: begin, then exactly one of commit and rollback. Events raised inside are told
 * after the commit, in order. srv__end commits when good, else rolls back; it returns good and
 * committed. */
bool srv__begin(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__begin_project - likewise, of who writes for one project alone, by its key, and reads nothing
 * that another one's could change: see srv_db_begin_part. 0: as srv__begin. */
bool srv__begin_project(srv_store *store, int64_t project,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__end(srv_store *store, bool good, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__event - this has changed; in a transaction. Returns true, so that it may stand in a chain of
 * steps. */
bool srv__event(srv_store *store, srv_event what, int64_t id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv__query, srv__query_free)
