/* moowatch history PROJECT - the nights of a project as a table, a chart, or JSON lines. */
#include "ci/command/client.h"
#include "ci/command/outputs.h"
#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"

#include <stdio.h>

#define NIGHTS_DEFAULT 30

/* The portions of the newest measured night give the columns. */
static const json_t *columns_of(const json_t *nights) {
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const json_t *portions = json_object_get(night, "portions");
        if (json_array_size(portions))
            return portions;
    }
    return NULL;
}

static char *portion_cell(const json_t *night, const char *name) {
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        if (!g_str_equal(ci_json_text(p, "portion", ""), name))
            continue;
        g_autofree char *mean = ci_ns(ci_json_real(p, "mean_ns"));
        return g_strconcat(mean,
                           ci_portion_changed(p, "up")     ? " ▲"
                           : ci_portion_changed(p, "down") ? " ▼"
                                                           : "  ",
                           NULL);
    }
    return g_strdup("-  ");
}

static void print(const json_t *nights) {
    const json_t *columns = columns_of(nights);
    g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
    size_t i, k;
    json_t *p, *night;
    g_ptr_array_add(titles, g_strdup("night"));
    g_ptr_array_add(titles, g_strdup("commit"));
    json_array_foreach (columns, i, p)
        g_ptr_array_add(titles, g_strdup_printf(">%s  ", ci_json_text(p, "portion", "?")));
    g_ptr_array_add(titles, g_strdup("what was found"));
    g_ptr_array_add(titles, NULL);
    g_autoptr(ci_table) table = ci_table_new((const char *const *)titles->pdata);
    json_array_foreach (nights, i, night) {
        ci_table_add(table, g_strdup(ci_json_text(night, "night", "?")));
        ci_table_add(table, g_strdup(ci_json_text(json_object_get(night, "commit"), "short", "?")));
        json_array_foreach (columns, k, p)
            ci_table_add(table, portion_cell(night, ci_json_text(p, "portion", "?")));
        ci_table_add(table, ci_headline(night));
    }
    ci_table_print(table, stdout);
}

static const ci_usage usage = {
    .synopsis = "history PROJECT",
    .description = "Lists a project's nights, newest first, in nanoseconds per call. Files for "
                   "other tools hold the newest night; a chart holds all.",
    .least = 1,
    .most = 1};

ci_exit ci_history(int argc, char **argv) {
    gboolean json = FALSE;
    gint count = NIGHTS_DEFAULT;
    g_auto(ci_outputs) outputs = {0};
    g_auto(ci_client_options) options = {0};
    const GOptionEntry entries[] = {
        {"nights", 'n', 0, G_OPTION_ARG_INT, &count, "At most N nights (default: 30; 0: all)", "N"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object per night", NULL},
        CI_OUTPUTS_ENTRIES(outputs),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_client) client = NULL;
    json_t *nights = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error))
        client = ci_client_new(&options, &error);
    if (client)
        nights = ci_client_nights(client, argv[1], (unsigned)MAX(count, 0), NULL, &error);
    const json_t *newest = json_array_get(nights, 0);
    if (newest && !ci_outputs_write(&outputs, argv[1], newest, nights, &error))
        g_prefix_error(&error, "%s: ", argv[1]);
    size_t i;
    json_t *night;
    if (!error && json)
        json_array_foreach (nights, i, night)
            ci_print_json(night);
    else if (!error && !ci_outputs_stdout(&outputs))
        print(nights);
    json_decref(nights);
    return error ? ci_fail("history", error) : CI_OK;
}
