#include "ci/command/received.h"

#include "config/doubts.h"

#include <glib.h>
#include <jansson.h>

/* The entry of a configuration, made where there is none yet; borrowed. */
static cfg_measured *entry_of(cfg_night *night, const char *name) {
    for (unsigned i = 0; i < night->configurations_count; i++)
        if (cfg_is(night->configurations[i].name, name))
            return &night->configurations[i];
    cfg_measured *made = model_add(&cfg_night_model, night, "configurations");
    made->name = g_strdup(name);
    return made;
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

/* With what makes the figures of its portions, NULL: of none, and of the folder's loops doubtful.
 */
static cfg_night doubtful(const char *folder, const json_t *portions) {
    json_auto_t *root = experiment_of(folder), *view = json_pack("{s:O*}", "portions", portions);
    cfg_night night = cfg_night_of(view);
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(root, "loops"), i, loop) {
        const char *name = json_string_value(json_object_get(loop, "configuration"));
        if (name)
            model_read_leniently(
                &cfg_loop_model, loop,
                model_add(&cfg_measured_model, entry_of(&night, name), "loop_results"));
    }
    cfg_doubts(&night);
    return night;
}

json_t *ci_received_doubts(const char *folder, json_t *night) {
    g_auto(cfg_night) read = doubtful(folder, json_object_get(night, "portions"));
    json_t *doubts = json_array();
    for (unsigned i = 0; i < read.doubts_count; i++)
        json_array_append_new(doubts, model_write(&cfg_doubt_model, &read.doubts[i]));
    return doubts;
}

static int by_text(gconstpointer a, gconstpointer b) {
    return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

void ci_received_print(const char *folder, FILE *to) {
    g_auto(cfg_night) read = doubtful(folder, NULL);
    g_autoptr(GPtrArray) lines = g_ptr_array_new();
    for (unsigned i = 0; i < read.doubts_count; i++)
        if (cfg_is(read.doubts[i].kind, "dropped"))
            g_ptr_array_add(lines, read.doubts[i].sentence);
    g_ptr_array_sort(lines, by_text);
    for (guint k = 0; k < lines->len; k++)
        (void)fprintf(to, "%s\n", (const char *)lines->pdata[k]);
}
