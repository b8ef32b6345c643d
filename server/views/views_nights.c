#include "server/store/projects.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"
#include "server/views/views_queries.h"
#include "web/words/night.h"

#include <string.h>

/* An interval without a mean is none. */
static void drop_empty(json_t *object, const char *key) {
    srv__drop_empty(object, key, "mean_ns");
}

static void headline_put(json_t *night) {
    g_autofree char *headline = web_night_headline(night);
    json_object_set_new(night, "headline", json_string(headline));
}

/* Once its portions are there. */
static void night_say(json_t *night) {
    size_t i;
    json_t *portion;
    drop_empty(night, "total");
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        drop_empty(portion, "judged");
        drop_empty(portion, "reference");
        drop_empty(portion, "difference");
    }
    headline_put(night);
}

static void members_delete(json_t *object, const char *const *names) {
    for (; *names; names++)
        json_object_del(object, *names);
}

/* Of a brief portion: what only its night's headline was made of; null where there is no interval.
 */
static void portion_shorten(json_t *portion) {
    static const char *const ranges[] = {"judged", "reference"};
    json_object_del(portion, "difference");
    for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++) {
        srv__drop_empty(portion, ranges[i], "low_ns");
        json_object_del(json_object_get(portion, ranges[i]), "mean_ns");
    }
    if (json_is_null(json_object_get(portion, "reason")))
        json_object_del(portion, "reason");
}

/* Likewise for a brief night: of ten years of nights each byte counts. */
static void night_say_briefly(json_t *night) {
    static const char *const unread[] = {"project", "environment", "finished_ms", "loops", NULL};
    static const char *const medians[] = {"median_ns", "median_low_ns", "median_high_ns", NULL};
    size_t i;
    json_t *portion;
    headline_put(night);
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        portion_shorten(portion);
    drop_empty(night, "total");
    members_delete(json_object_get(night, "total"), medians);
    members_delete(night, unread);
}

static bool night_complete(srv_store *store, json_t *night, bool full, GError **error) {
    int64_t id = json_integer_value(json_object_get(night, "experiment"));
    json_t *portions = srv__portion_rows(store, id, error);
    if (!portions)
        return false;
    json_object_set_new(night, "portions", portions);
    night_say(night);
    if (!full)
        return true;
    json_t *configurations = srv__configuration_heads(store, id, error);
    if (configurations)
        json_object_set_new(night, "configurations", configurations);
    return configurations != NULL;
}

json_t *srv__night_view(srv_store *store, int64_t experiment, bool full, GError **error) {
    json_t *night;
    if (!srv__night_row(store, experiment, &night, error))
        return NULL;
    if (!night) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "there is no experiment %" G_GINT64_FORMAT, experiment);
        return NULL;
    }
    if (night_complete(store, night, full, error) && srv__incident_of_night(store, night, error))
        return night;
    json_decref(night);
    return NULL;
}

static srv__night_key key_of(const json_t *night) {
    const json_t *commit = json_object_get(night, "commit");
    return (srv__night_key){.night = json_string_value(json_object_get(night, "night")),
                            .time_ms = json_integer_value(json_object_get(commit, "time_ms")),
                            .id = json_integer_value(json_object_get(night, "experiment"))};
}

/* key → night, each with an empty list of portions; borrows from the items. */
static GHashTable *by_experiment(json_t *items, size_t count) {
    GHashTable *nights = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (size_t i = 0; i < count; i++) {
        json_t *night = json_array_get(items, i);
        const srv__night_key key = key_of(night);
        json_object_set_new(night, "portions", json_array());
        g_hash_table_insert(nights, g_memdup2(&key.id, sizeof key.id), night);
    }
    return nights;
}

/* Each row goes to the night it is of, as an item of its list; takes the rows. */
static void hand_out(GHashTable *nights, const char *list, json_t *rows) {
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const int64_t id = json_integer_value(json_object_get(row, "experiment"));
        json_t *night = g_hash_table_lookup(nights, &id);
        json_object_del(row, "experiment");
        json_array_append(json_object_get(night, list), row);
    }
    json_decref(rows);
}

static bool configurations_put(srv_store *store, int64_t project, GHashTable *nights,
                               const srv__night_key *oldest, const srv__night_key *newest,
                               GError **error) {
    GHashTableIter each;
    gpointer night;
    for (g_hash_table_iter_init(&each, nights); g_hash_table_iter_next(&each, NULL, &night);)
        json_object_set_new(night, "configurations", json_array());
    json_t *rows = srv__configuration_heads_between(store, project, oldest, newest, error);
    hand_out(nights, "configurations", rows);
    return rows != NULL;
}

/* All nights of a page, the first count items, with as many questions as one night takes. */
static bool nights_complete(srv_store *store, int64_t project, json_t *items, size_t count,
                            bool brief, GError **error) {
    g_autoptr(GHashTable) nights = by_experiment(items, count);
    if (count == 0)
        return true;
    if (!srv__incidents_hand_out(store, project, items, count, error))
        return false;
    const srv__night_key newest = key_of(json_array_get(items, 0));
    const srv__night_key oldest = key_of(json_array_get(items, count - 1));
    json_t *portions = srv__portion_rows_between(store, project, &oldest, &newest, brief, error);
    if (!portions)
        return false;
    hand_out(nights, "portions", portions);
    if (!srv__changes_hand_out(store, project, items, count, error))
        return false;
    for (size_t i = 0; i < count; i++)
        (brief ? night_say_briefly : night_say)(json_array_get(items, i));
    return brief || configurations_put(store, project, nights, &oldest, &newest, error);
}

static char *cursor_of(const json_t *item) {
    const srv__night_key key = key_of(item);
    return g_strdup_printf("%s~%" G_GINT64_FORMAT "~%" G_GINT64_FORMAT, key.night, key.time_ms,
                           key.id);
}

static json_t *nights_view(srv_store *store, const char *project, srv_dates dates, srv_page page,
                           bool brief, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, true, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    const srv__page_of_nights wanted = {.project = id,
                                        .before = {cursor.night, cursor.time_ms, cursor.id},
                                        .since = dates.since ? dates.since : "",
                                        .until = dates.until ? dates.until : "9999-99-99",
                                        .count = limit + 1};
    json_t *items = srv__night_rows(store, &wanted, error);
    if (items &&
        nights_complete(store, id, items, MIN(json_array_size(items), limit), brief, error))
        return srv__page_of(items, limit, cursor_of);
    json_decref(items);
    return NULL;
}

json_t *srv_view_nights(srv_store *store, const char *project, srv_dates dates, srv_page page,
                        GError **error) {
    return nights_view(store, project, dates, page, false, error);
}

json_t *srv_view_nights_brief(srv_store *store, const char *project, srv_dates dates, srv_page page,
                              GError **error) {
    return nights_view(store, project, dates, page, true, error);
}
