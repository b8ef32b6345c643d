#include "web/words/portion.h"

#include "web/layout/text.h"

#include <glib.h>
#include <string.h>

enum { NAME_CHARS = 60 };

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

const char *web_portion_label(const char *portion) {
    static const struct {
        const char *portion, *label;
    } standard[] = {
        {"T", "method time"}, {"I", "instrumentation"}, {"C", "collection"}, {"W", "writing"}};
    for (size_t i = 0; portion && i < G_N_ELEMENTS(standard); i++)
        if (strcmp(portion, standard[i].portion) == 0)
            return standard[i].label;
    return NULL;
}

char *web_portion_name(const char *portion, const char *which) {
    g_autofree char *letter = web_text_clean(portion && *portion ? portion : "?", NAME_CHARS);
    g_autofree char *configuration = which ? web_text_clean(which, NAME_CHARS) : NULL;
    const char *label = web_portion_label(letter);
    if (!label)
        return configuration ? g_strdup_printf("%s (%s)", letter, configuration)
                             : g_steal_pointer(&letter);
    char *name = g_strdup_printf("%s (%s%s%s)", label, letter, configuration ? ", " : "",
                                 configuration ? configuration : "");
    *name = g_ascii_toupper(*name);
    return name;
}

const char *web_portion_which(const json_t *portion, const json_t *portions) {
    const char *letter = text_of(portion, "portion"), *own = text_of(portion, "configuration");
    size_t i;
    const json_t *other;
    json_array_foreach (portions, i, other)
        if (g_strcmp0(text_of(other, "portion"), letter) == 0 &&
            g_strcmp0(text_of(other, "configuration"), own) != 0)
            return own;
    return NULL;
}
