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
