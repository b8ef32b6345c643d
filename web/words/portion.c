#include "web/words/portion.h"

#include "web/layout/text.h"

#include <glib.h>
#include <string.h>

enum { NAME_CHARS = 60 };

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static const struct {
    char letter;
    const char *label;
} STANDARD[] = {
    {'T', "method time"}, {'I', "instrumentation"}, {'C', "collection"}, {'W', "writing"}};

static const char *label_of(char letter) {
    for (size_t i = 0; i < G_N_ELEMENTS(STANDARD); i++)
        if (STANDARD[i].letter == letter)
            return STANDARD[i].label;
    return NULL;
}

const char *web_portion_label(const char *portion) {
    return portion && *portion && portion[1] == '\0' ? label_of(*portion) : NULL;
}

size_t web_portion_letters(const char *portion) {
    for (size_t count = 1; portion && label_of(*portion); count++, portion += 2)
        if (portion[1] != '+')
            return portion[1] == '\0' || portion[1] == ' ' || portion[1] == '-' ? count : 0;
    return 0;
}

char *web_portion_spelled(const char *portion) {
    const size_t count = web_portion_letters(portion);
    GString *text = count > 0 ? g_string_new(NULL) : NULL;
    for (size_t i = 0; i < count; i++)
        g_string_append_printf(text, "%s%s",
                               i == 0           ? ""
                               : i + 1 == count ? " and "
                                                : ", ",
                               label_of(portion[2 * i]));
    return text ? g_string_free(text, FALSE) : NULL;
}

char *web_portion_joined(const char *portion, const char *own, const char *parent) {
    if (web_portion_letters(portion) < 2)
        return NULL;
    g_autofree char *what = web_portion_spelled(portion);
    g_autofree char *to = web_text_clean(own, NAME_CHARS);
    g_autofree char *from = parent ? web_text_clean(parent, NAME_CHARS) : NULL;
    *what = g_ascii_toupper(*what);
    return from ? g_strdup_printf("%s cannot be told apart: nothing was measured between \"%s\" "
                                  "and \"%s\", so this is what all of it adds.",
                                  what, from, to)
                : g_strdup_printf("%s cannot be told apart: nothing was measured below \"%s\".",
                                  what, to);
}

char *web_portion_name(const char *portion, const char *which) {
    g_autofree char *letter = web_text_clean(portion && *portion ? portion : "?", NAME_CHARS);
    g_autofree char *configuration = which ? web_text_clean(which, NAME_CHARS) : NULL;
    g_autofree char *label = web_portion_spelled(letter);
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
