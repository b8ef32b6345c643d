#include "server/store/schema.h"

#include "store_resources.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#define VERSION "-- version "
#define ONLY "-- only "

/* The text, a zero byte after it. */
static GBytes *text_of_schema(void) {
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        store_resources_register_resource();
        g_once_init_leave(&ready, 1);
    }
    return g_resource_lookup_data(store_resources_get_resource(), "/moowatch/store/schema.sql",
                                  G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

static const char *end_of(const char *line) {
    return strchrnul(line, '\n');
}

static const char *after(const char *end) {
    return *end ? end + 1 : end;
}

unsigned srv__schema_version(void) {
    g_autoptr(GBytes) text = text_of_schema();
    const char *line = strstr(g_bytes_get_data(text, NULL), VERSION);
    g_assert(line);
    return (unsigned)g_ascii_strtoull(line + strlen(VERSION), NULL, 10);
}

static bool names(const char *from, const char *end, const char *driver) {
    const size_t length = strlen(driver);
    return (size_t)(end - from) == length && !strncmp(from, driver, length);
}

char *srv__schema(const char *driver) {
    g_autoptr(GBytes) text = text_of_schema();
    GString *sql = g_string_new(NULL);
    bool others = false;
    for (const char *line = g_bytes_get_data(text, NULL), *end; *line; line = after(end)) {
        end = end_of(line);
        if (g_str_has_prefix(line, ONLY))
            others = !names(line + strlen(ONLY), end, driver);
        else if (line == end)
            others = false;
        if (!others && !g_str_has_prefix(line, "--"))
            g_string_append_len(sql, line, after(end) - line);
    }
    return g_string_free(sql, FALSE);
}

static void table_free(void *memory) {
    srv__table *table = memory;
    g_free(table->name);
    g_strfreev(table->keys);
    g_free(table->to_self);
    g_free(table->body);
    g_free(table);
}

/* The first group of a pattern's first match; owned, NULL: none. */
static char *found(const char *pattern, const char *text) {
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_DOTALL, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static char **keys_of(const char *body) {
    g_autofree char *several = found("[,(]\\s*PRIMARY KEY\\(([^)]*)\\)", body);
    if (several)
        return g_regex_split_simple(",\\s*", several, 0, 0);
    char **keys = g_new0(char *, 2);
    keys[0] = found("(\\w+) \\w+ PRIMARY KEY", body);
    return keys;
}

static srv__table *table_of(const char *name, const char *body) {
    srv__table *table = g_new0(srv__table, 1);
    g_autofree char *self = g_strdup_printf("(\\w+) INTEGER(?: NOT NULL)? REFERENCES %s\\b", name);
    table->name = g_strdup(name);
    table->keys = keys_of(body);
    table->to_self = found(self, body);
    table->body = g_strdup(body);
    return table;
}

GPtrArray *srv__tables(const char *sql) {
    GPtrArray *tables = g_ptr_array_new_with_free_func(table_free);
    g_auto(GStrv) statements = g_strsplit(sql, ";\n", -1);
    for (char **statement = statements; *statement; statement++) {
        const char *text = g_strstrip(*statement);
        g_autofree char *made = found("^CREATE TABLE (\\w+)\\(", text);
        if (made)
            g_ptr_array_add(tables, table_of(made, text));
    }
    return tables;
}

/* The column without which a row of the table could not be, that names one of owner; owned. */
static char *owner_column(const srv__table *table, const srv__table *owner) {
    g_autofree char *pattern = g_strdup_printf(
        "(\\w+) \\w+ (?:NOT NULL|PRIMARY KEY)[A-Z ]* REFERENCES %s\\b", owner->name);
    return found(pattern, table->body);
}

GPtrArray *srv__tables_of(const GPtrArray *tables, const char *root, const char *where) {
    GPtrArray *conditions = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < tables->len; i++) {
        const srv__table *table = tables->pdata[i];
        char *condition = g_str_equal(table->name, root) ? g_strdup(where) : NULL;
        for (guint k = 0; !condition && k < i; k++) {
            const srv__table *owner = tables->pdata[k];
            g_autofree char *column = conditions->pdata[k] ? owner_column(table, owner) : NULL;
            if (column)
                condition =
                    g_strdup_printf("%s IN (SELECT %s FROM %s WHERE %s)", column, owner->keys[0],
                                    owner->name, (const char *)conditions->pdata[k]);
        }
        g_ptr_array_add(conditions, condition);
    }
    return conditions;
}
