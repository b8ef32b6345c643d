#include "config/json_text.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"

#include <math.h>
#include <string.h>

static bool nowhere(GError **error, const srv_profile_name *name) {
    g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                "alert %" G_GINT64_FORMAT " has no profile of %s", name->alert,
                name->configuration);
    return false;
}

/* Every loop of one end and configuration into its columns. */
static bool columns_read(srv_flame *f, const json_t *rows, bool after, bool of_parent) {
    size_t i;
    const json_t *row;
    json_array_foreach (rows, i, row) {
        det_stacks_error wrong;
        const size_t column = det_contrast_column(&f->plan, after, of_parent, i);
        const char *text = json_string_value(json_object_get(row, "stacks"));
        if (i >= f->plan.loops ||
            det_stacks_read(f->stacks, column, text, strlen(text), &wrong) != DET_OK)
            return false;
        f->calls[column] = (double)json_integer_value(json_object_get(row, "calls"));
    }
    return true;
}

static bool ends_read(srv_flame *f, srv_store *store, srv_profile_name name, bool of_parent,
                      GError **error) {
    bool good = true;
    for (int after = 0; good && after < 2; after++) {
        name.before = !after;
        json_auto_t *rows = srv__profile_rows(store, &name, error);
        if (!rows)
            return false;
        good = columns_read(f, rows, after, of_parent) || nowhere(error, &name);
    }
    return good;
}

static bool make_room(srv_flame *f, size_t loops, bool has_parent) {
    const size_t columns = 4 * loops;
    f->stacks = det_stacks_new(columns);
    f->calls = g_new(double, columns);
    for (size_t i = 0; i < columns; i++)
        f->calls[i] = 1;
    f->plan = (det_contrast_plan){loops, has_parent, f->calls, 0.95};
    return f->stacks != NULL;
}

static bool load(srv_flame *f, srv_store *store, srv_profile_name name, const json_t *row,
                 GError **error) {
    srv_profile_name of_parent = name;
    of_parent.configuration = json_string_value(json_object_get(row, "parent"));
    name.before = false;
    json_auto_t *rows = srv__profile_rows(store, &name, error);
    if (!rows)
        return false;
    if (json_array_size(rows) == 0 ||
        !make_room(f, json_array_size(rows), of_parent.configuration != NULL))
        return nowhere(error, &name);
    f->title = g_strdup(json_string_value(json_object_get(row, "sentence")));
    const double change =
        cfg_json_number(row, "after_units") - cfg_json_number(row, "before_units");
    f->scale_ns = cfg_json_number(row, "change_ns") / change;
    if (!isfinite(f->scale_ns) || f->scale_ns <= 0)
        f->scale_ns = (double)NAN;
    return ends_read(f, store, name, false, error) &&
           (!of_parent.configuration || ends_read(f, store, of_parent, true, error));
}

static char *unit_of(const json_t *about, const char *dimension) {
    const char *unit = json_string_value(json_object_get(about, "unit"));
    return g_strdup(strcmp(dimension, SRV_PROFILE_BYTES) == 0 ? dimension : unit);
}

bool srv_flame_load(srv_flame *flame, srv_store *store, const srv_profile_name *name,
                    GError **error) {
    *flame = (srv_flame){.scale_ns = (double)NAN};
    const bool bytes = strcmp(name->dimension, SRV_PROFILE_BYTES) == 0;
    const srv__alert_part found = bytes ? SRV__ALERT_BYTES : SRV__ALERT_WHERE;
    json_auto_t *about = srv__alert_part_rows(store, SRV__ALERT_WHY, name->alert, error);
    json_auto_t *rows = about ? srv__alert_part_rows(store, found, name->alert, error) : NULL;
    if (!rows)
        return false;
    flame->unit = unit_of(json_array_get(about, 0), name->dimension);
    size_t i;
    const json_t *row;
    json_array_foreach (rows, i, row)
        if (g_strcmp0(json_string_value(json_object_get(row, "configuration")),
                      name->configuration) == 0)
            return load(flame, store, *name, row, error);
    return nowhere(error, name);
}

void srv_flame_clear(srv_flame *flame) {
    det_stacks_free(flame->stacks);
    g_free(flame->calls);
    g_free(flame->title);
    g_free(flame->unit);
    *flame = (srv_flame){.scale_ns = (double)NAN};
}
