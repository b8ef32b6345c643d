#include "server/environment.h"

#include "server/benchmark.h"

#include <string.h>

#define VALUE_LIMIT 60 /* characters of a value that are shown */

static char *brief(const json_t *value) {
    if (value == NULL)
        return g_strdup("none");
    g_autofree char *text =
        json_is_string(value) ? g_strdup(json_string_value(value)) : srv_json_canonical(value);
    return g_utf8_substring(text, 0, MIN(g_utf8_strlen(text, -1), VALUE_LIMIT));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of either object's members, in order. */
static GPtrArray *names_of(const json_t *old_one, const json_t *new_one) {
    json_t *all = json_deep_copy(old_one), *more = json_deep_copy(new_one);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *key;
    json_t *value;
    json_object_update(all, more);
    json_object_foreach(all, key, value) g_ptr_array_add(names, g_strdup(key));
    json_decref(all);
    json_decref(more);
    g_ptr_array_sort(names, by_text);
    return names;
}

static void compare(GString *text, const char *path, const json_t *old_one, const json_t *new_one) {
    g_autoptr(GPtrArray) names = names_of(old_one, new_one);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        const json_t *was = json_object_get(old_one, name), *is = json_object_get(new_one, name);
        g_autofree char *below = g_strdup_printf("%s%s", path, name);
        if (was != NULL && is != NULL && json_equal(was, is))
            continue;
        if (json_is_object(was) && json_is_object(is)) {
            g_autofree char *deeper = g_strdup_printf("%s.", below);
            compare(text, deeper, was, is);
            continue;
        }
        g_autofree char *before = brief(was);
        g_autofree char *after = brief(is);
        g_string_append_printf(text, "%s%s: %s -> %s", text->len > 0 ? "; " : "", below, before,
                               after);
    }
}

char *srv__environment_difference(const json_t *old_one, const json_t *new_one) {
    GString *text = g_string_new(NULL);
    compare(text, "", old_one, new_one);
    return g_string_free(text, FALSE);
}
