#include "server/store/schema.h"

#include "store_resources.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#define STEP "-- step "
#define ONLY "-- only "

/* The text, a zero byte after it. It is read where it lies, since each step reads it. */
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

unsigned srv__schema_steps(void) {
    g_autoptr(GBytes) text = text_of_schema();
    unsigned steps = 0;
    for (const char *line = g_bytes_get_data(text, NULL); *line; line = after(end_of(line)))
        if (g_str_has_prefix(line, STEP))
            steps++;
    return steps;
}

static bool names(const char *from, const char *end, const char *driver) {
    const size_t length = strlen(driver);
    return (size_t)(end - from) == length && !strncmp(from, driver, length);
}

char *srv__schema_step(unsigned number, const char *driver) {
    g_autoptr(GBytes) text = text_of_schema();
    GString *sql = g_string_new(NULL);
    unsigned step = 0;
    bool others = false;
    for (const char *line = g_bytes_get_data(text, NULL), *end; *line; line = after(end)) {
        end = end_of(line);
        if (g_str_has_prefix(line, STEP))
            step++;
        if (g_str_has_prefix(line, ONLY))
            others = !names(line + strlen(ONLY), end, driver);
        else if (line == end)
            others = false;
        if (step == number && !others && !g_str_has_prefix(line, "--"))
            g_string_append_len(sql, line, after(end) - line);
    }
    return g_string_free(sql, FALSE);
}
