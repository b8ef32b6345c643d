#pragma once
/*
 * sql_writes - which tables a statement writes, read from its text.
 *
 * The schema has no triggers and no cascades, so the text says all of it. Pure.
 */
#include <glib.h>
#include <stdbool.h>

typedef enum { SRV__WRITE_INSERT, SRV__WRITE_UPDATE, SRV__WRITE_DELETE } srv__write_kind;

typedef struct {
    srv__write_kind kind;
    char table[32];
    char column[32]; /* UPDATE: a line for each that is assigned to; else "" */
} srv__write;

/* srv__sql_writes - [srv__write] in the order of the text, empty for one that only reads; owned.
 * sql: one statement, as PostgreSQL and SQLite both read it. */
GArray *srv__sql_writes(const char *sql) G_GNUC_WARN_UNUSED_RESULT;

/* srv__write_shows - would nights, charts or what belongs to an alert look different for it? */
bool srv__write_shows(const srv__write *write);
