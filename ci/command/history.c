/* moowatch history PROJECT - the nights of a project as a table, a chart, or JSON lines. */
#include "ci/command/client.h"
#include "ci/command/outputs.h"
#include "ci/command/table.h"
#include "ci/formats/write.h"
#include "config/model/night.h"

#include <math.h>
#include <stdio.h>

#define NIGHTS_DEFAULT 30

/* The portions of the newest measured night give the columns. */
static const cfg_night *columns_of(const model_list *nights) {
    static const cfg_night none = {0};
    const cfg_night *all = nights->items;
    for (unsigned i = 0; i < nights->count; i++)
        if (all[i].portions_count > 0)
            return &all[i];
    return &none;
}

/* That of the column's configuration, or of its name; NULL. */
static const cfg_portion *portion_of(const cfg_night *night, const cfg_night *columns,
                                     const cfg_portion *column) {
    g_autofree char *title = cfg_portion_title(columns, column);
    const cfg_portion *own = cfg_night_portion(night, column->configuration);
    for (unsigned i = 0; !own && i < night->portions_count; i++) {
        g_autofree char *other = cfg_portion_title(night, &night->portions[i]);
        own = g_str_equal(other, title) ? &night->portions[i] : NULL;
    }
    return own;
}

/* A change is marked where its level began, as in charts, not at a later night that told of it. */
static char *portion_cell(const cfg_night *night, const cfg_portion *p) {
    const char *moved = p && cfg_is(p->verdict, "anomaly") && !p->since ? p->direction : NULL;
    for (unsigned i = 0; p && i < night->began_count; i++)
        if (cfg_is(night->began[i].configuration, p->configuration))
            moved = night->began[i].direction;
    g_autofree char *mean = ci_ns(p ? p->now.mean : (double)NAN);
    return g_strconcat(mean,
                       cfg_is(moved, "up")     ? " ▲"
                       : cfg_is(moved, "down") ? " ▼"
                                               : "  ",
                       NULL);
}

static const char *known(const char *text) {
    return text ? text : "?";
}

static void print(const json_t *json) {
    g_auto(model_list) nights = {.noun = &cfg_night_model};
    for (size_t i = 0; i < json_array_size(json); i++)
        model_read_leniently(&cfg_night_model, json_array_get(json, i), model_list_add(&nights));
    const cfg_night *all = nights.items, *columns = columns_of(&nights);
    g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(titles, g_strdup("night"));
    g_ptr_array_add(titles, g_strdup("commit"));
    for (unsigned i = 0; i < columns->portions_count; i++) {
        g_autofree char *title = cfg_portion_title(columns, &columns->portions[i]);
        g_ptr_array_add(titles, g_strdup_printf(">%s  ", title));
    }
    g_ptr_array_add(titles, g_strdup("what was found"));
    g_ptr_array_add(titles, NULL);
    g_autoptr(ci_table) table = ci_table_new((const char *const *)titles->pdata);
    for (unsigned i = 0; i < nights.count; i++) {
        ci_table_add(table, g_strdup(known(all[i].night)));
        ci_table_add(table, g_strdup(known(all[i].commit.shortened)));
        for (unsigned k = 0; k < columns->portions_count; k++)
            ci_table_add(
                table, portion_cell(&all[i], portion_of(&all[i], columns, &columns->portions[k])));
        ci_table_add(table, ci_headline(json_array_get(json, i)));
    }
    ci_table_print(table, stdout);
}

static const ci_usage usage = {
    .synopsis = "history PROJECT",
    .description = "Lists a project's nights, newest first, in nanoseconds per call or in the "
                   "unit of\nthe heading. Files for other tools hold the newest night; a chart "
                   "holds all.",
    .least = 1,
    .most = 1};

static ci_exit history(int argc, char **argv, GError **error) {
    gboolean json = FALSE;
    gint count = NIGHTS_DEFAULT;
    ci_outputs outputs = {0};
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        {"nights", 'n', 0, G_OPTION_ARG_INT, &count, "At most N nights (default: 30; 0: all)", "N"},
        CI_FLAG("json", &json, "Print one JSON object per night"),
        CI_OUTPUTS_ENTRIES(outputs),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    json_auto_t *nights = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error))
        client = ci_client_new(&options, error);
    if (client)
        nights = ci_client_nights(client, argv[1], (unsigned)MAX(count, 0), NULL, error);
    const json_t *newest = json_array_get(nights, 0);
    if (newest && !ci_outputs_write(&outputs, argv[1], newest, nights, error))
        g_prefix_error(error, "%s: ", argv[1]);
    size_t i;
    json_t *night;
    if (!*error && json)
        json_array_foreach (nights, i, night)
            ci_print_json(night);
    else if (!*error && !ci_outputs_stdout(&outputs))
        print(nights);
    return CI_OK;
}

const ci_command ci_command_history = {"history", "list a project's nights: table, chart, JSON",
                                       history};
