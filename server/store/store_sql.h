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

/* What becomes of a value that is given to a statement. Text and blobs are borrowed until the query
 * is freed; a NULL text is SQL's NULL, and so is a number that is not finite. */
static inline srv__arg srv__arg_is(srv__arg arg) {
    return arg;
}

static inline srv__arg srv__arg_integer(int64_t integer) {
    return (srv__arg){'i', {.type = SRV_DB_INTEGER, .integer = integer}};
}

static inline srv__arg srv__arg_unsigned(uint64_t integer) {
    return srv__arg_integer((int64_t)integer);
}

static inline srv__arg srv__arg_real(double real) {
    return (srv__arg){'d', {.type = SRV_DB_REAL, .real = real}};
}

static inline srv__arg srv__arg_text(const char *text) {
    return (srv__arg){'t', {.type = SRV_DB_TEXT, .data = text}};
}

/* A key; 0: NULL. */
static inline srv__arg srv__arg_key(int64_t key) {
    return (srv__arg){'i', {.type = key == 0 ? SRV_DB_NULL : SRV_DB_INTEGER, .integer = key}};
}

static inline srv__arg srv__arg_blob(const void *data, size_t size) {
    return (srv__arg){'b', {.type = SRV_DB_BLOB, .data = data, .size = size}};
}

#define SRV__VALUE(x)                                                                              \
    _Generic((x), srv__arg                                                                         \
             : srv__arg_is, double                                                                 \
             : srv__arg_real, float                                                                \
             : srv__arg_real, char *                                                               \
             : srv__arg_text, const char *                                                         \
             : srv__arg_text, void *                                                               \
             : srv__arg_text, unsigned long                                                        \
             : srv__arg_unsigned, default                                                          \
             : srv__arg_integer)(x)
/* A mean and its interval: three values. */
#define SRV__RANGE(m) (m).mean, (m).low, (m).high
/* SRV__EACH_n(name, …) - n values after a name. */
#define SRV__EACH_0(name)
#define SRV__EACH_1(name, x) SRV__VALUE(x),
#define SRV__EACH_2(name, x, ...) SRV__VALUE(x), SRV__EACH_1(name, __VA_ARGS__)
#define SRV__EACH_3(name, x, ...) SRV__VALUE(x), SRV__EACH_2(name, __VA_ARGS__)
#define SRV__EACH_4(name, x, ...) SRV__VALUE(x), SRV__EACH_3(name, __VA_ARGS__)
#define SRV__EACH_5(name, x, ...) SRV__VALUE(x), SRV__EACH_4(name, __VA_ARGS__)
#define SRV__EACH_6(name, x, ...) SRV__VALUE(x), SRV__EACH_5(name, __VA_ARGS__)
#define SRV__EACH_7(name, x, ...) SRV__VALUE(x), SRV__EACH_6(name, __VA_ARGS__)
#define SRV__EACH_8(name, x, ...) SRV__VALUE(x), SRV__EACH_7(name, __VA_ARGS__)
#define SRV__EACH_9(name, x, ...) SRV__VALUE(x), SRV__EACH_8(name, __VA_ARGS__)
#define SRV__EACH_10(name, x, ...) SRV__VALUE(x), SRV__EACH_9(name, __VA_ARGS__)
#define SRV__EACH_11(name, x, ...) SRV__VALUE(x), SRV__EACH_10(name, __VA_ARGS__)
#define SRV__EACH_12(name, x, ...) SRV__VALUE(x), SRV__EACH_11(name, __VA_ARGS__)
#define SRV__EACH_13(name, x, ...) SRV__VALUE(x), SRV__EACH_12(name, __VA_ARGS__)
#define SRV__EACH_14(name, x, ...) SRV__VALUE(x), SRV__EACH_13(name, __VA_ARGS__)
#define SRV__EACH_15(name, x, ...) SRV__VALUE(x), SRV__EACH_14(name, __VA_ARGS__)
#define SRV__EACH_16(name, x, ...) SRV__VALUE(x), SRV__EACH_15(name, __VA_ARGS__)
#define SRV__EACH_17(name, x, ...) SRV__VALUE(x), SRV__EACH_16(name, __VA_ARGS__)
#define SRV__EACH_18(name, x, ...) SRV__VALUE(x), SRV__EACH_17(name, __VA_ARGS__)
#define SRV__EACH_19(name, x, ...) SRV__VALUE(x), SRV__EACH_18(name, __VA_ARGS__)
#define SRV__EACH_20(name, x, ...) SRV__VALUE(x), SRV__EACH_19(name, __VA_ARGS__)
#define SRV__EACH_21(name, x, ...) SRV__VALUE(x), SRV__EACH_20(name, __VA_ARGS__)
#define SRV__EACH_22(name, x, ...) SRV__VALUE(x), SRV__EACH_21(name, __VA_ARGS__)
#define SRV__EACH_23(name, x, ...) SRV__VALUE(x), SRV__EACH_22(name, __VA_ARGS__)
#define SRV__EACH_24(name, x, ...) SRV__VALUE(x), SRV__EACH_23(name, __VA_ARGS__)
#define SRV__EACH_25(name, x, ...) SRV__VALUE(x), SRV__EACH_24(name, __VA_ARGS__)
#define SRV__EACH_26(name, x, ...) SRV__VALUE(x), SRV__EACH_25(name, __VA_ARGS__)
#define SRV__EACH_27(name, x, ...) SRV__VALUE(x), SRV__EACH_26(name, __VA_ARGS__)
#define SRV__EACH_28(name, x, ...) SRV__VALUE(x), SRV__EACH_27(name, __VA_ARGS__)
#define SRV__EACH_29(name, x, ...) SRV__VALUE(x), SRV__EACH_28(name, __VA_ARGS__)
#define SRV__EACH_30(name, x, ...) SRV__VALUE(x), SRV__EACH_29(name, __VA_ARGS__)
#define SRV__EACH_31(name, x, ...) SRV__VALUE(x), SRV__EACH_30(name, __VA_ARGS__)
#define SRV__EACH_32(name, x, ...) SRV__VALUE(x), SRV__EACH_31(name, __VA_ARGS__)
#define SRV__NTH(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17,   \
                 _18, _19, _20, _21, _22, _23, _24, _25, _26, _27, _28, _29, _30, _31, _32, macro, \
                 ...)                                                                              \
    macro
#define SRV__EACH(...)                                                                             \
    SRV__NTH(__VA_ARGS__, SRV__EACH_32, SRV__EACH_31, SRV__EACH_30, SRV__EACH_29, SRV__EACH_28,    \
             SRV__EACH_27, SRV__EACH_26, SRV__EACH_25, SRV__EACH_24, SRV__EACH_23, SRV__EACH_22,   \
             SRV__EACH_21, SRV__EACH_20, SRV__EACH_19, SRV__EACH_18, SRV__EACH_17, SRV__EACH_16,   \
             SRV__EACH_15, SRV__EACH_14, SRV__EACH_13, SRV__EACH_12, SRV__EACH_11, SRV__EACH_10,   \
             SRV__EACH_9, SRV__EACH_8, SRV__EACH_7, SRV__EACH_6, SRV__EACH_5, SRV__EACH_4,         \
             SRV__EACH_3, SRV__EACH_2, SRV__EACH_1, SRV__EACH_0, 0)                                \
    (__VA_ARGS__)
#define SRV__ARGS(...) ((const srv__arg[]){SRV__EACH(0, __VA_ARGS__){.kind = 0}})
#define SRV__NO_ARGS ((const srv__arg[]){{.kind = 0}})
/* ASK(name, value, …) - a named statement and its values: what the functions below take as sql and
 * args. Too few or too many do not compile. */
#define SRV__COUNT(...)                                                                            \
    SRV__NTH(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,  \
             14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define SRV__NAMED(count, name, ...)                                                               \
    (SQL(name) + 0 * sizeof(char[SQL_VALUES(name) == (count) ? 1 : -1]))
#define ASK(...)                                                                                   \
    SRV__NAMED(SRV__COUNT(__VA_ARGS__), __VA_ARGS__, 0),                                           \
        ((const srv__arg[]){SRV__EACH(__VA_ARGS__){.kind = 0}})

/* srv__statements - how many were begun since the store was opened: what a view asks must not grow
 * with what it shows. */
uint64_t srv__statements(const srv_store *store);

/* srv__run - a statement without rows. srv__change - likewise; changed: out, number of rows. */
bool srv__run(srv_store *store, const srv_sql *sql, const srv__arg *args,
              GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__change(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *changed,
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
/* srv__blob - likewise of a row of two numbers and a blob: owned, NULL when there is no row. */
bool srv__blob(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *first,
               int64_t *second, GBytes **blob, GError **error) G_GNUC_WARN_UNUSED_RESULT;
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
/* srv__ids_place - where one of them is, each at most once; their number: it is not among them. */
guint srv__ids_place(const GArray *ids, int64_t id);

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
