#include "server/result/result.h"

#include "config/json_text.h"

#include <string.h>

#define VALUE_LIMIT 60 /* characters of a value that are shown */

/* What people call it; the others by their own name, with spaces. */
static const struct {
    const char *name, *words;
} labels[] = {{"cpu", "CPU"},
              {"memory_gb", "memory in GB"},
              {"libc", "C library"},
              {"thp", "transparent huge pages"},
              {"smt", "hardware threads"},
              {"aslr", "address randomisation"},
              {"cpu0_siblings", "hardware threads of core 0"},
              {"tuning", "knobs set"}};

static char *label_of(const char *name, const json_t *is) {
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        if (g_str_equal(name, labels[i].name))
            return g_strdup(labels[i].words);
    const char *text = json_string_value(is);
    if (g_str_equal(name, "runtime") && text && strcasestr(text, "jdk") != NULL)
        return g_strdup("JVM");
    return g_strdelimit(g_strdup(name), "_", ' ');
}

static char *text_of(const json_t *value) {
    if (!value)
        return g_strdup("none");
    return json_is_string(value) ? g_strdup(json_string_value(value)) : srv_json_canonical(value);
}

/* From the first word that differs to the last; all of it when nothing would be left of either. */
static char *words_between(GStrv words, guint head, guint tail) {
    guint count = g_strv_length(words);
    GString *text = g_string_new(NULL);
    for (guint i = head; i + tail < count; i++)
        g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "", words[i]);
    if (tail > 0 && g_str_has_suffix(text->str, ",")) /* of a list that goes on */
        g_string_truncate(text, text->len - 1);
    glong length = g_utf8_strlen(text->str, -1);
    if (length > VALUE_LIMIT) {
        g_autofree char *cut = g_utf8_substring(text->str, 0, VALUE_LIMIT);
        g_string_assign(text, cut);
        g_string_append(text, "…");
    }
    return g_string_free(text, FALSE);
}

/* "A → B", without the words that both begin or end with. */
static char *move_of(const char *was, const char *is) {
    g_auto(GStrv) old_words = g_strsplit(was, " ", -1), new_words = g_strsplit(is, " ", -1);
    guint olds = g_strv_length(old_words), news = g_strv_length(new_words), least = MIN(olds, news);
    guint head = 0, tail = 0;
    while (head < least && g_str_equal(old_words[head], new_words[head]))
        head++;
    while (head + tail < least &&
           g_str_equal(old_words[olds - 1 - tail], new_words[news - 1 - tail]))
        tail++;
    if (head + tail == least) /* a word was added or taken away: its neighbours say where */
        head = tail = 0;
    g_autofree char *before = words_between(old_words, head, tail);
    g_autofree char *after = words_between(new_words, head, tail);
    return g_strdup_printf("%s → %s", before, after);
}

/* What a JVM says of itself, 'openjdk version "17.0.14" 2025-01-21; …', by its version alone. */
static char *version_of(const char *text) {
    const char *open = strchr(text, '"');
    const char *close = open ? strchr(open + 1, '"') : NULL;
    return close ? g_strndup(open + 1, (gsize)(close - open - 1)) : NULL;
}

static char *change_of(const char *name, const json_t *was, const json_t *is) {
    g_autofree char *before = text_of(was), *after = text_of(is);
    if (g_str_equal(name, "runtime")) {
        g_autofree char *old_version = version_of(before), *new_version = version_of(after);
        if (old_version && new_version && !g_str_equal(old_version, new_version))
            return g_strdup_printf("%s → %s", old_version, new_version);
    }
    return move_of(before, after);
}

/* The names of either object's members, in order. */
static GPtrArray *names_of(const json_t *old_one, const json_t *new_one) {
    json_auto_t *all = json_deep_copy(old_one), *more = json_deep_copy(new_one);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *key;
    json_t *value;
    json_object_update(all, more);
    json_object_foreach (all, key, value)
        g_ptr_array_add(names, g_strdup(key));
    cfg_texts_sort(names);
    return names;
}

static void compare(GString *text, const char *path, const json_t *old_one, const json_t *new_one) {
    g_autoptr(GPtrArray) names = names_of(old_one, new_one);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        const json_t *was = json_object_get(old_one, name), *is = json_object_get(new_one, name);
        g_autofree char *below = g_strdup_printf("%s%s", path, name);
        if (was && is && json_equal(was, is))
            continue;
        if (json_is_object(was) && json_is_object(is)) {
            g_autofree char *deeper = g_strdup_printf("%s.", below);
            compare(text, deeper, was, is);
            continue;
        }
        g_autofree char *label = label_of(below, is ? is : was);
        g_autofree char *change = change_of(below, was, is);
        g_string_append_printf(text, "%s%s %s", text->len > 0 ? "; " : "", label, change);
    }
}

char *srv__environment_difference(const json_t *old_one, const json_t *new_one) {
    GString *text = g_string_new(NULL);
    compare(text, "", old_one, new_one);
    return g_string_free(text, FALSE);
}
