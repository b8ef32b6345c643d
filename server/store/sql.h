#pragma once
/*
 * sql - the questions that moowatch asks its database, by name.
 *
 * They stand in sql/<room>.sql and are compiled in (sql/compile): who includes "sql/<room>.h" asks
 * with SQL(name), or with ASK(name, value, …) of store_sql.h. A name that no file has does not
 * compile; tests/unit/server/store/test_sql.c prepares each on every database, and ci/layers
 * refuses one that nobody asks for.
 */

typedef struct {
    const char *name;
    const char *types; /* a letter for each parameter, as srv_db_prepare has them */
    const char *text;
} srv_sql;

#define SQL(name) (&srv_sql_##name)
/* How many values it takes. */
#define SQL_VALUES(name) srv_sql_values_##name

/* All of them; NULL ends the list. */
extern const srv_sql *const srv__sql_all[];
