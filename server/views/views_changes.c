#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* id → night; borrows both from them. */
static GHashTable *by_experiment(const json_t *nights, int64_t *ids, size_t count) {
    GHashTable *found = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (size_t i = 0; i < count; i++) {
        json_t *night = json_array_get(nights, i);
        ids[i] = json_integer_value(json_object_get(night, "experiment"));
        g_hash_table_insert(found, &ids[i], night);
    }
    return found;
}

static json_t *night_of(GHashTable *nights, const json_t *change, const char *key) {
    const int64_t id = json_integer_value(json_object_get(change, key));
    return g_hash_table_lookup(nights, &id);
}

/* To the night that told. */
static void since_put(json_t *night, const json_t *change) {
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        if (g_strcmp0(text_of(portion, "configuration"), text_of(change, "configuration")) == 0)
            json_object_set(portion, "since", json_object_get(change, "night"));
}

/* To the night that it began with. */
static void began_put(json_t *night, const json_t *change) {
    if (!json_object_get(night, "began"))
        json_object_set_new(night, "began", json_array());
    json_array_append_new(json_object_get(night, "began"),
                          json_pack("{s:O,s:O}", "configuration",
                                    json_object_get(change, "configuration"), "direction",
                                    json_object_get(change, "direction")));
}

/* To a portion that moved so, or of which its night could not say it yet. */
static void announced_put(json_t *night, const json_t *change) {
    const char *way = text_of(change, "direction");
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        if (g_strcmp0(text_of(portion, "configuration"), text_of(change, "configuration")) == 0 &&
            (!text_of(portion, "direction") || g_str_equal(text_of(portion, "direction"), way)))
            json_object_set_new(portion, "accepted_in_advance", json_true());
}

bool srv__changes_hand_out(srv_store *store, int64_t project, json_t *nights, size_t count,
                           GError **error) {
    if (count == 0)
        return true;
    const char *oldest = text_of(json_array_get(nights, count - 1), "night");
    const char *newest = text_of(json_array_get(nights, 0), "night");
    json_t *changes = srv__array(store, SQL(changes_dated_back),
                                 SRV__ARGS(SRV__I(project), SRV__T(oldest), SRV__T(newest)), error);
    json_t *announced =
        changes ? srv__array(store, SQL(changes_announced),
                             SRV__ARGS(SRV__I(project), SRV__T(oldest), SRV__T(newest)), error)
                : NULL;
    g_autofree int64_t *ids = g_new(int64_t, count);
    g_autoptr(GHashTable) found = by_experiment(nights, ids, count);
    size_t i;
    json_t *change;
    json_array_foreach (changes, i, change) {
        json_t *told = night_of(found, change, "seen"), *first = night_of(found, change, "began");
        if (told)
            since_put(told, change);
        if (first)
            began_put(first, change);
    }
    json_array_foreach (announced, i, change) {
        json_t *night = night_of(found, change, "experiment");
        if (night)
            announced_put(night, change);
    }
    json_decref(changes);
    json_decref(announced);
    return announced != NULL;
}

bool srv__changes_of_night(srv_store *store, json_t *night, GError **error) {
    int64_t project;
    if (!srv__project_id(store, text_of(night, "project"), &project, error))
        return false;
    json_t *alone = json_pack("[O]", night);
    const bool good = srv__changes_hand_out(store, project, alone, 1, error);
    json_decref(alone);
    return good;
}
