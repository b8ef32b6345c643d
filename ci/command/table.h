#pragma once
/* table - columns of text for people, and how a number of nanoseconds is written in them. */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct ci_table ci_table;

/** ci_table_new - titles: NULL-terminated; one that begins with '>' has its column at the right. */
ci_table *ci_table_new(const char *const *titles);
void ci_table_free(ci_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_table, ci_table_free)

/** ci_table_add - the next cell; text is taken over. A row is full with its last column. */
void ci_table_add(ci_table *table, char *text);
/** ci_table_print - what is wider than the terminal comes in parts, each with the first column. */
void ci_table_print(const ci_table *table, FILE *to);

/** ci_ns - "1332", "70.1", "9.65", "-" for what is not a number; caller frees. */
char *ci_ns(double ns);
/** ci_ns_interval - "[69.0, 71.2]" or "-"; caller frees. */
char *ci_ns_interval(double low, double high);
/** ci_percent - "+4.1 %" or "-"; caller frees. */
char *ci_percent(double percent);
