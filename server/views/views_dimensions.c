#include "detector/words/counted.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"

#include <math.h>

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static det_interval interval_of(const json_t *object) {
    return (det_interval){.mean = number_of(object, "mean"),
                          .low = number_of(object, "low"),
                          .high = number_of(object, "high")};
}

static det_counted counted_of(const det_dimension *dimension, const json_t *row) {
    return (det_counted){.dimension = dimension,
                         .before = interval_of(json_object_get(row, "before")),
                         .after = interval_of(row),
                         .slow = json_is_true(json_object_get(row, "slow"))};
}

static json_t *direction_json(int direction) {
    return direction == 0 ? json_null() : json_string(direction > 0 ? "up" : "down");
}

/* One dimension with those of the rows that are its own; NULL: none is. */
static json_t *dimension_json(const det_dimension *dimension, const json_t *rows) {
    json_t *portions = json_array();
    json_t *counter = json_null();
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        if (g_strcmp0(text_of(row, "dimension"), dimension->name) != 0)
            continue;
        const det_counted one = counted_of(dimension, row);
        json_t *portion = json_copy(row);
        counter = json_object_get(row, "counter");
        json_object_del(portion, "dimension");
        json_object_del(portion, "counter");
        if (!text_of(row, "verdict")) /* of an older release, or only shown */
            json_object_set_new(
                portion, "direction",
                direction_json(det_dimension_moved(dimension, &one.before, &one.after)));
        json_array_append_new(portions, portion);
    }
    if (json_array_size(portions) > 0)
        return json_pack("{s:s, s:s, s:s, s:O, s:o}", "dimension", dimension->name, "label",
                         dimension->label, "per", dimension->per, "counter", counter, "portions",
                         portions);
    json_decref(portions);
    return NULL;
}

/* What is counted of one portion, in the order of the dimensions; returns how many. */
static size_t counted_list(const json_t *rows, const char *configuration, det_counted *list) {
    size_t count = 0, i;
    const json_t *row;
    for (size_t d = 0; d < DET_DIMENSIONS; d++)
        json_array_foreach (rows, i, row)
            if (count < DET_DIMENSIONS &&
                g_strcmp0(text_of(row, "dimension"), det_dimensions[d].name) == 0 &&
                g_strcmp0(text_of(row, "configuration"), configuration) == 0)
                list[count++] = counted_of(&det_dimensions[d], row);
    return count;
}

/* "I +2 allocations a call; C +410 instructions a call" of the portions that moved; JSON null when
 * none did. */
static json_t *counted_sentence(const json_t *rows, const cfg_night *night) {
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned i = 0; i < night->portions_count; i++) {
        det_counted list[DET_DIMENSIONS];
        char text[DET_COUNTED_MAX];
        const cfg_portion *portion = &night->portions[i];
        const size_t count = counted_list(rows, portion->configuration, list);
        det_counted_change(text, sizeof text, portion->portion, list, count);
        if (text[0] != '\0')
            g_string_append_printf(all, "%s%s", all->len > 0 ? "; " : "", text);
    }
    return all->len > 0 ? json_string(all->str) : json_null();
}

bool srv__dimensions_add(srv_store *store, const cfg_night *night, json_t *view, GError **error) {
    json_auto_t *rows =
        srv__array(store, SQL(dimension_rows), SRV__ARGS(SRV__I(night->experiment)), error);
    if (!rows)
        return false;
    json_t *dimensions = json_array();
    for (size_t i = 0; i < DET_DIMENSIONS; i++) {
        json_t *one = dimension_json(&det_dimensions[i], rows);
        if (one)
            json_array_append_new(dimensions, one);
    }
    json_object_set_new(view, "dimensions", dimensions);
    json_object_set_new(view, "counted", counted_sentence(rows, night));
    return true;
}

/* What a portion's change did to what is counted. rows: of the nights before and after it. */
static void portion_counted(const json_t *rows, json_t *portion) {
    const char *configuration = text_of(portion, "configuration");
    const int direction = g_strcmp0(text_of(portion, "direction"), "down") == 0 ? -1 : 1;
    det_counted list[DET_DIMENSIONS];
    char text[DET_COUNTED_MAX];
    const size_t count = counted_list(rows, configuration, list);
    det_counted_verdict(text, sizeof text, text_of(portion, "portion"), direction, list, count);
    json_object_set_new(portion, "counted", text[0] != '\0' ? json_string(text) : json_null());
    for (size_t i = 0; i < count; i++)
        if (list[i].dimension->kind == DET_DIMENSION_SHARE) {
            det_counted_change(text, sizeof text, text_of(portion, "portion"), &list[i], 1);
            if (det_dimension_moved(list[i].dimension, &list[i].before, &list[i].after) > 0)
                json_object_set_new(portion, "lost", json_string(text));
        }
}

void srv__alert_counted(const srv__alert_parts *parts, int64_t id, json_t *alert) {
    json_auto_t *rows = srv__alert_rows(parts, SRV__ALERT_COUNTED, id);
    g_autoptr(GString) all = g_string_new(NULL);
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(alert, "portions"), i, portion) {
        json_object_set_new(portion, "counted", json_null());
        if (det_dimension_find(text_of(portion, "dimension")))
            continue; /* beside time */
        portion_counted(rows, portion);
        const char *text = text_of(portion, "counted");
        if (text)
            g_string_append_printf(all, "%s%s", all->len > 0 ? "; " : "", text);
    }
    json_object_set_new(alert, "counted", all->len > 0 ? json_string(all->str) : json_null());
}

/* Each portion goes to its night; both come in the same order. */
static void hand_out(json_t *nights, size_t count, json_t *rows) {
    size_t at = 0;
    for (size_t n = 0; n < count; n++) {
        json_t *night = json_array_get(nights, n), *portions = json_array(), *row;
        while (
            (row = json_array_get(rows, at)) &&
            json_equal(json_object_get(row, "experiment"), json_object_get(night, "experiment"))) {
            json_object_del(row, "experiment");
            json_array_append(portions, row);
            at++;
        }
        json_object_set_new(night, "portions", portions);
    }
}

static bool portions_add(srv_store *store, int64_t project, const char *dimension, json_t *nights,
                         size_t count, GError **error) {
    if (count == 0)
        return true;
    const srv__night_key newest = srv__night_key_of(json_array_get(nights, 0));
    const srv__night_key oldest = srv__night_key_of(json_array_get(nights, count - 1));
    json_auto_t *rows =
        srv__array(store, SQL(counted_portions),
                   SRV__ARGS(SRV__I(project), SRV__T(dimension), SRV__T(oldest.night),
                             SRV__I(oldest.time_ms), SRV__I(oldest.id), SRV__T(newest.night),
                             SRV__I(newest.time_ms), SRV__I(newest.id)),
                   error);
    if (rows)
        hand_out(nights, count, rows);
    return rows != NULL;
}

json_t *srv_view_dimension(srv_store *store, const char *project, const char *dimension,
                           srv_page page, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!det_dimension_find(dimension)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "dimension: there is no dimension of this name");
        return NULL;
    }
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, true, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items = srv__array(store, SQL(counted_nights),
                               SRV__ARGS(SRV__I(id), SRV__T(cursor.night), SRV__I(cursor.time_ms),
                                         SRV__I(cursor.id), SRV__T("9999-99-99"), SRV__T(""),
                                         SRV__T(dimension), SRV__I(limit + 1)),
                               error);
    if (items &&
        portions_add(store, id, dimension, items, MIN(json_array_size(items), limit), error))
        return srv__page_of(items, limit, srv__page_by_night);
    json_decref(items);
    return NULL;
}
