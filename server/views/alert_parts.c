#include "server/views/views_parts.h"

#include "sql/views_alert.h"

/* within: a part is asked for only of the alerts that have rows of this one, which comes before it.
 */
static const struct {
    const srv_sql *sql;
    srv__alert_part within;
} parts_of[SRV__ALERT_PARTS] = {
    [SRV__ALERT_HEAD] = {SQL(alert_head), SRV__ALERT_HEAD},
    [SRV__ALERT_AUDIT] = {SQL(alert_audit), SRV__ALERT_HEAD},
    [SRV__ALERT_PORTIONS] = {SQL(alert_portions), SRV__ALERT_HEAD},
    [SRV__ALERT_BRANCHES] = {SQL(alert_branches), SRV__ALERT_HEAD},
    [SRV__ALERT_COUNTED] = {SQL(alert_counted), SRV__ALERT_HEAD},
    [SRV__ALERT_SEARCH] = {SQL(alert_search), SRV__ALERT_HEAD},
    [SRV__ALERT_STEPS] = {SQL(alert_steps), SRV__ALERT_SEARCH},
    [SRV__ALERT_SUSPECTS] = {SQL(alert_suspects), SRV__ALERT_SEARCH},
    [SRV__ALERT_WHY] = {SQL(alert_why), SRV__ALERT_HEAD},
    [SRV__ALERT_WHERE] = {SQL(alert_where), SRV__ALERT_WHY},
    [SRV__ALERT_PROFILES] = {SQL(alert_profiles), SRV__ALERT_WHY},
    [SRV__ALERT_BYTES] = {SQL(alert_bytes), SRV__ALERT_WHY},
    [SRV__ALERT_BYTES_OF] = {SQL(alert_bytes_of), SRV__ALERT_WHY},
    [SRV__ALERT_NAMES] = {SQL(alert_names), SRV__ALERT_HEAD},
    [SRV__ALERT_END] = {SQL(alert_end), SRV__ALERT_END},
};

json_t *srv__alert_part_rows(srv_store *store, srv__alert_part part, int64_t key, GError **error) {
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof key);
    g_array_append_val(keys, key);
    g_autoptr(GHashTable) rows = srv__rows_of(store, parts_of[part].sql, keys, error);
    return rows ? json_incref(srv__rows_at(rows, key)) : NULL;
}

static void key_add(GArray *keys, int64_t key) {
    g_array_append_val(keys, key);
}

/* The keys that have rows. */
static GArray *keys_with_rows(GHashTable *rows) {
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(int64_t));
    GHashTableIter each;
    gpointer key, list;
    g_hash_table_iter_init(&each, rows);
    while (g_hash_table_iter_next(&each, &key, &list))
        if (json_array_size(list) > 0)
            key_add(keys, *(const int64_t *)key);
    return keys;
}

/* The experiments that the alerts begin and end with. */
static GArray *ends_of(GHashTable *heads) {
    static const char *const ends[] = {"from_experiment", "to_experiment", "until_experiment"};
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(int64_t));
    GHashTableIter each;
    gpointer list;
    g_hash_table_iter_init(&each, heads);
    while (g_hash_table_iter_next(&each, NULL, &list))
        for (size_t i = 0; json_array_size(list) > 0 && i < G_N_ELEMENTS(ends); i++)
            key_add(keys, json_integer_value(json_object_get(json_array_get(list, 0), ends[i])));
    return keys;
}

bool srv__alert_parts_read(srv__alert_parts *parts, srv_store *store, const GArray *alerts,
                           GError **error) {
    *parts = (srv__alert_parts){{NULL}};
    for (srv__alert_part part = 0; part < SRV__ALERT_PARTS; part++) {
        const srv__alert_part within = parts_of[part].within;
        g_autoptr(GArray) some = part == SRV__ALERT_HEAD    ? NULL
                                 : within == SRV__ALERT_END ? ends_of(parts->rows[SRV__ALERT_HEAD])
                                                            : keys_with_rows(parts->rows[within]);
        parts->rows[part] = srv__rows_of(store, parts_of[part].sql, some ? some : alerts, error);
        if (!parts->rows[part])
            return false;
    }
    return true;
}

void srv__alert_parts_free(srv__alert_parts *parts) {
    for (size_t i = 0; i < SRV__ALERT_PARTS; i++)
        g_clear_pointer(&parts->rows[i], g_hash_table_unref);
}

json_t *srv__alert_rows(const srv__alert_parts *parts, srv__alert_part part, int64_t key) {
    json_t *rows = srv__rows_at(parts->rows[part], key);
    return rows ? json_incref(rows) : json_array();
}

json_t *srv__alert_only(const srv__alert_parts *parts, srv__alert_part part, int64_t key) {
    return json_incref(json_array_get(srv__rows_at(parts->rows[part], key), 0));
}
