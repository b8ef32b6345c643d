#include "server/views/views_page.h"

#include "config/number.h"

#include "server/ground/error.h"
#include "server/store/projects.h"

#include <stdio.h>
#include <string.h>

bool srv__page_limit(srv_page page, unsigned *limit, GError **error) {
    *limit = page.limit == 0 ? SRV_PAGE_DEFAULT : page.limit;
    if (*limit <= SRV_PAGE_LIMIT)
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "limit: must be 1 to %u", SRV_PAGE_LIMIT);
    return false;
}

bool srv__cursor_read(const char *text, bool with_night, srv__cursor *cursor, GError **error) {
    *cursor = (srv__cursor){.night = "9999-99-99", .time_ms = INT64_MAX, .id = INT64_MAX};
    if (!text)
        return true;
    g_auto(GStrv) part = g_strsplit(text, "~", 4);
    guint parts = g_strv_length(part);
    bool good = parts == (with_night ? 3u : 1u) &&
                cfg_number_signed(part[parts - 1], 0, INT64_MAX, &cursor->id);
    if (good && with_night) {
        good = strlen(part[0]) == 10 && strspn(part[0], "0123456789-") == 10 &&
               cfg_number_signed(part[1], INT64_MIN, INT64_MAX, &cursor->time_ms);
        g_strlcpy(cursor->night, part[0], sizeof cursor->night);
    }
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "cursor: use the unchanged 'next' of the previous page");
    return good;
}

json_t *srv__page_of(json_t *items, unsigned limit, char *(*key)(const json_t *item)) {
    json_t *next = json_null();
    if (json_array_size(items) > limit) {
        json_array_remove(items, limit);
        g_autofree char *text = key(json_array_get(items, limit - 1));
        next = json_string(text);
    }
    return json_pack("{s:o,s:o}", "items", items, "next", next);
}

char *srv__page_by_id(const json_t *item) {
    return g_strdup_printf("%" G_GINT64_FORMAT,
                           (int64_t)json_integer_value(json_object_get(item, "id")));
}

json_t *srv__page_of_rows(srv_store *store, const char *project, srv_page page, const srv_sql *rows,
                          void (*finish)(json_t *row), GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items =
        srv__array(store, rows, SRV__ARGS(SRV__I(id), SRV__I(cursor.id), SRV__I(limit + 1)), error);
    for (size_t i = 0; finish && i < json_array_size(items); i++)
        finish(json_array_get(items, i));
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}

srv__night_key srv__night_key_of(const json_t *night) {
    const json_t *commit = json_object_get(night, "commit");
    return (srv__night_key){.night = json_string_value(json_object_get(night, "night")),
                            .time_ms = json_integer_value(json_object_get(commit, "time_ms")),
                            .id = json_integer_value(json_object_get(night, "experiment"))};
}

char *srv__page_by_night(const json_t *item) {
    const srv__night_key key = srv__night_key_of(item);
    return g_strdup_printf("%s~%" G_GINT64_FORMAT "~%" G_GINT64_FORMAT, key.night, key.time_ms,
                           key.id);
}
