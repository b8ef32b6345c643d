#include "web/chart/settings.h"

#include <glib.h>
#include <stdbool.h>

static void add_differences(json_t *out, const char *prefix, json_t *a, json_t *b, int depth);

/* Found while measuring, not set before: what differs in these is no setting. */
static bool is_found(const char *name) {
    static const char *const found[] = {"detail.budget", "detail.strays", "detail.warmup", NULL};
    return g_strv_contains(found, name);
}

static void add_one(json_t *out, const char *prefix, const char *key, json_t *a, json_t *b,
                    int depth) {
    g_autofree char *name = *prefix ? g_strconcat(prefix, ".", key, NULL) : g_strdup(key);
    if (json_equal(a, b) || is_found(name))
        return;
    if (depth > 0 && (json_is_object(a) || json_is_object(b))) {
        add_differences(out, name, json_is_object(a) ? a : NULL, json_is_object(b) ? b : NULL,
                        depth - 1);
        return;
    }
    json_array_append_new(out, json_pack("{s:s, s:O?, s:O?}", "key", name, "a", a, "b", b));
}

/* What differs between two objects, as a flat list of dotted names. */
static void add_differences(json_t *out, const char *prefix, json_t *a, json_t *b, int depth) {
    const char *key;
    json_t *value;
    json_object_foreach (a, key, value)
        add_one(out, prefix, key, value, json_object_get(b, key), depth);
    json_object_foreach (b, key, value)
        if (!json_object_get(a, key))
            add_one(out, prefix, key, NULL, value, depth);
}

json_t *web_settings_differ(json_t *a, json_t *b) {
    enum { DEPTH = 4 };
    json_t *out = json_array();
    add_differences(out, "", a, b, DEPTH);
    return out;
}
