#include "ci/command/received.h"

#include "config/doubts.h"
#include "detector/words/doubt.h"

#include <glib.h>
#include <jansson.h>

/* Of the good loops of one configuration. */
typedef struct {
    json_int_t records, expected;
} counts;

static void add_loop(GHashTable *all, const json_t *loop) {
    const json_t *told = json_object_get(json_object_get(loop, "readings"), "receiver");
    const json_t *records = json_object_get(told, "records");
    const char *name = json_string_value(json_object_get(loop, "configuration"));
    if (!json_is_integer(records) || !name || json_is_string(json_object_get(loop, "failed")))
        return;
    counts *mine = g_hash_table_lookup(all, name);
    if (!mine) {
        mine = g_new0(counts, 1);
        g_hash_table_insert(all, g_strdup(name), mine);
    }
    mine->records += json_integer_value(records);
    mine->expected += json_integer_value(json_object_get(told, "expected"));
}

/* The entry of a configuration, made where there is none yet; borrowed. */
static json_t *entry_of(json_t *configurations, const char *name) {
    size_t i;
    json_t *one;
    json_array_foreach (configurations, i, one)
        if (g_strcmp0(json_string_value(json_object_get(one, "name")), name) == 0)
            return one;
    one = json_pack("{s:s, s:[]}", "name", name, "loop_results");
    json_array_append_new(configurations, one);
    return one;
}

json_t *ci_received_doubts(const char *folder, json_t *night) {
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_t *root = json_load_file(path, 0, NULL);
    json_t *configurations = json_array();
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(root, "loops"), i, loop) {
        const char *name = json_string_value(json_object_get(loop, "configuration"));
        if (name)
            json_array_append(json_object_get(entry_of(configurations, name), "loop_results"),
                              loop);
    }
    json_t *view = json_pack("{s:O?, s:o}", "portions", json_object_get(night, "portions"),
                             "configurations", configurations);
    json_t *doubts = cfg_doubts(view);
    json_decref(view);
    json_decref(root);
    return doubts;
}

void ci_received_print(const char *folder, FILE *to) {
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_t *root = json_load_file(path, 0, NULL);
    g_autoptr(GHashTable) all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(root, "loops"), i, loop)
        add_loop(all, loop);
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(all), (GCompareFunc)g_strcmp0);
    for (const GList *at = names; at; at = at->next) {
        const counts *mine = g_hash_table_lookup(all, at->data);
        char words[DET_DOUBT_MAX];
        if (mine->records >= mine->expected)
            continue;
        det_doubt_put_dropped(words, sizeof words, at->data, (unsigned long long)mine->records,
                              (unsigned long long)mine->expected);
        (void)fprintf(to, "%s\n", words);
    }
    json_decref(root);
}
