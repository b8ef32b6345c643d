#include "ci/command/received.h"

#include "config/doubts.h"

#include <glib.h>
#include <jansson.h>

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

/* NULL: there is none; to json_decref. */
static json_t *experiment_of(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    return json_load_file(path, 0, NULL);
}

bool ci_received_duet(const char *folder) {
    json_auto_t *root = experiment_of(folder);
    size_t i;
    const json_t *loop;
    json_array_foreach (json_object_get(root, "loops"), i, loop)
        if (json_object_get(json_object_get(loop, "readings"), "duet"))
            return true;
    return false;
}

json_t *ci_received_doubts(const char *folder, json_t *night) {
    json_t *root = experiment_of(folder);
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

static int by_text(gconstpointer a, gconstpointer b) {
    return g_strcmp0(json_string_value(*(json_t *const *)a),
                     json_string_value(*(json_t *const *)b));
}

void ci_received_print(const char *folder, FILE *to) {
    json_auto_t *doubts = ci_received_doubts(folder, NULL);
    g_autoptr(GPtrArray) lines = g_ptr_array_new();
    size_t i;
    json_t *doubt;
    json_array_foreach (doubts, i, doubt)
        if (g_strcmp0(json_string_value(json_object_get(doubt, "kind")), "dropped") == 0)
            g_ptr_array_add(lines, json_object_get(doubt, "sentence"));
    g_ptr_array_sort(lines, by_text);
    for (guint k = 0; k < lines->len; k++)
        (void)fprintf(to, "%s\n", json_string_value(lines->pdata[k]));
}
