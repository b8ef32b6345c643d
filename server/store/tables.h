#pragma once
/*
 * tables - which tables the schema has, and by what their rows are told apart; read from its text.
 */
#include <glib.h>

typedef struct {
    char *name;
    char **keys;   /* of the primary key; NULL-ended */
    char *to_self; /* a column that refers to a row of the same table, NULL: none */
} srv__table;

/* srv__tables - [srv__table*] in an order in which each refers to those before it and to itself;
 * owned. sql: the steps of a new database, one after the other. Pure. */
GPtrArray *srv__tables(const char *sql) G_GNUC_WARN_UNUSED_RESULT;
