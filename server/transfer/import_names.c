#include "config/json_text.h"
#include "server/store/store_sql.h"
#include "server/transfer/export.h"
#include "sql/transfer.h"

/* What a project knows of its names. */
typedef struct {
    const json_t *rows;   /* {"body"} of its benchmarks, the newest first */
    const json_t *newest; /* names that have a result in its newest night */
} history;

static const char *name_of(const json_t *names, const char *which) {
    return cfg_json_word(json_object_get(names, which), "name", "");
}

/* The one that is this benchmark's already, told apart or from when nobody else had its name; else
 * its full one where the short one is, or was, another's. Before releases knew whose a short name
 * is it stays whose it is now. first: out, the name is another's, and it was never here. */
static const char *settled(const history *of, const char *now, const json_t *names, bool *first) {
    const char *alone = name_of(names, "alone"), *full = name_of(names, "full");
    bool apart = *first = false, taken = false;
    size_t i, k;
    json_t *row, *c;
    json_array_foreach (of->rows, i, row)
        cfg_json_each (json_object_get(row, "body"), "configurations", k, c) {
            const char *name = cfg_json_word(c, "name", ""), *own = cfg_json_word(c, "full", NULL);
            if (g_strcmp0(own, full) == 0)
                return name;
            apart = apart || g_str_equal(name, full);
            taken = taken || (own && g_str_equal(name, alone));
        }
    if (g_str_equal(now, alone) && !taken && json_object_get(of->newest, alone))
        return now;
    *first = taken && !apart;
    return apart || taken ? full : now;
}

static void word_turn(json_t *object, const char *key, const json_t *turned) {
    json_t *word = json_object_get(turned, cfg_json_word(object, key, ""));
    if (word)
        json_object_set(object, key, word);
}

/* As it is called here, and for later files by which name it is told apart. */
static void configuration_turn(json_t *c, const json_t *names, const json_t *turned) {
    const json_t *own = json_object_get(names, cfg_json_word(c, "name", ""));
    const char *full = name_of(own, "full");
    word_turn(c, "parent", turned);
    if (!own)
        return;
    json_object_set_new(c, "full", json_string(full));
    if (!json_object_get(turned, cfg_json_word(c, "name", "")))
        return;
    word_turn(c, "name", turned);
    const bool is_full = g_str_equal(cfg_json_word(c, "name", ""), full);
    json_t *label = json_object_get(json_object_get(own, is_full ? "full" : "alone"), "label");
    if (json_equal(json_object_get(c, "portion"), json_object_get(c, "label")))
        json_object_set(c, "portion", label);
    json_object_set(c, "label", label);
}

bool srv__import_names(srv__importing *into, json_t *names, const json_t *newest, json_t *body,
                       json_t *turned, GError **error) {
    const char *key;
    json_t *own, *c;
    size_t i;
    bool first;
    json_auto_t *rows = srv__array(into->store, ASK(import_benchmarks, into->project), error);
    const history of = {rows, newest};
    json_object_foreach (names, key, own) {
        const char *name = settled(&of, key, own, &first);
        if (first)
            json_array_append(into->apart, json_object_get(json_object_get(own, "full"), "label"));
        if (!g_str_equal(name, key) && !json_object_get(names, name))
            json_object_set_new(turned, key, json_string(name));
    }
    cfg_json_each (body, "configurations", i, c)
        configuration_turn(c, names, turned);
    return rows != NULL;
}

json_t *srv__import_names_turn(const json_t *turned, json_t *result, json_t *left) {
    json_t *list = json_object_get(cfg_json_at(result, "environment.detail"), "loops");
    json_t *own = json_object(), *one;
    const char *key;
    size_t i;
    cfg_json_each (result, "loops", i, one)
        word_turn(one, "configuration", turned);
    json_array_foreach (list, i, one) {
        json_t *name = json_object_get(turned, json_string_value(one));
        if (name)
            json_array_set(list, i, name);
    }
    json_object_foreach (left, key, one) {
        const char *name = cfg_json_word(turned, key, key);
        json_object_set(own, name, one);
    }
    return own;
}
