#pragma once
/* table - the tables of a data set: CSV as RFC 4180 has it, and the dictionary of their columns. */
#include <glib.h>
#include <jansson.h>

typedef struct {
    const char *name;
    const char *path; /* where a row's object has it: "it.statistics.sd_ns" */
    const char *unit; /* "ns", "ms since 1970", "" */
    const char *meaning;
} ci_column;

typedef struct {
    const char *file; /* "portions.csv" */
    const char *about;
    const ci_column *columns; /* up to one without a name */
} ci_table;

/** ci_tables - all tables of a data set, up to one without a file: nights, portions,
 * configurations, loops. */
const ci_table *ci_tables(void);

/** ci_table_csv - head and rows, lines ending in CR LF; numbers as short as they read back the
 * same, null is empty. rows: a JSON list of objects. Caller frees. */
char *ci_table_csv(const ci_table *table, const json_t *rows);

/** ci_table_dictionary - a row for every column of every table; caller frees. */
char *ci_table_dictionary(void);

/** ci_table_rows - the rows of a table from experiments as the API has them, oldest first; owned.
 */
json_t *ci_table_rows(const ci_table *table, const json_t *experiments);
