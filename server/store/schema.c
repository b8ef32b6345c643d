#include "server/store/schema.h"

#include "store_resources.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#define STEP "-- step "
#define ONLY "-- only "

/* Its lines; owned. */
static char **lines_of_schema(void) {
    static gsize ready;
    if (g_once_init_enter(&ready)) {
        store_resources_register_resource();
        g_once_init_leave(&ready, 1);
    }
    g_autoptr(GBytes) bytes =
        g_resource_lookup_data(store_resources_get_resource(), "/moowatch/store/schema.sql",
                               G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    g_autofree char *text = g_strndup(data, size);
    return g_strsplit(text, "\n", -1);
}

unsigned srv__schema_steps(void) {
    g_auto(GStrv) lines = lines_of_schema();
    unsigned steps = 0;
    for (char **line = lines; *line; line++)
        if (g_str_has_prefix(*line, STEP))
            steps++;
    return steps;
}

char *srv__schema_step(unsigned number, const char *driver) {
    g_auto(GStrv) lines = lines_of_schema();
    GString *sql = g_string_new(NULL);
    unsigned step = 0;
    bool others = false;
    for (char **line = lines; *line; line++) {
        if (g_str_has_prefix(*line, STEP))
            step++;
        if (g_str_has_prefix(*line, ONLY))
            others = !g_str_equal(*line + strlen(ONLY), driver);
        else if (**line == '\0')
            others = false;
        if (step == number && !others && !g_str_has_prefix(*line, "--"))
            g_string_append_printf(sql, "%s\n", *line);
    }
    return g_string_free(sql, FALSE);
}
