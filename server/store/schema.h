#pragma once
/*
 * schema - schema/schema.sql, which is compiled into the program.
 */
#include <glib.h>

/* srv__schema_version - of a database that it makes. */
unsigned srv__schema_version(void);

/* srv__schema - its SQL; what is "only" another driver's is left out. Owned by the caller. */
char *srv__schema(const char *driver) G_GNUC_WARN_UNUSED_RESULT;

/*
 * tables - which tables the schema has, and by what their rows are told apart; read from its text.
 */

typedef struct {
    char *name;
    char **keys;   /* of the primary key; NULL-ended */
    char *to_self; /* a column that refers to a row of the same table, NULL: none */
    char *body;    /* its columns, as the text has them */
} srv__table;

/* srv__tables - [srv__table*] in an order in which each refers to those before it and to itself;
 * owned. sql: the text of a new database. Pure. */
GPtrArray *srv__tables(const char *sql) G_GNUC_WARN_UNUSED_RESULT;

/* srv__tables_of - which rows of each table belong to some of a table: [char*] beside tables, a
 * condition such as "job_id IN (SELECT id FROM job WHERE …)"; NULL: they belong to nothing that the
 * table owns. Owned.
 * root, where   that table, and the condition that chooses of it
 */
GPtrArray *srv__tables_of(const GPtrArray *tables, const char *root,
                          const char *where) G_GNUC_WARN_UNUSED_RESULT;
