#include "web/words/alert.h"

#include "web/words/portion.h"

#include <math.h>

double web_words_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static det_change change_of(const char *name, const json_t *part, double level) {
    const json_t *difference = json_object_get(part, "difference");
    return (det_change){.name = name,
                        .before = web_words_number(json_object_get(part, "before"), "mean_ns"),
                        .after = web_words_number(json_object_get(part, "after"), "mean_ns"),
                        .low = web_words_number(difference, "low_ns"),
                        .high = web_words_number(difference, "high_ns"),
                        .level = level};
}

static void say(json_t *part, double level, const json_t *portions) {
    char text[DET_CHANGE_MAX];
    g_autofree char *name = web_portion_name(json_string_value(json_object_get(part, "portion")),
                                             web_portion_which(part, portions));
    const det_change change = change_of(name, part, level);
    det_change_headline(text, sizeof text, &change);
    json_object_set_new(part, "headline", json_string(text));
    det_change_sentence(text, sizeof text, &change);
    json_object_set_new(part, "sentence", json_string(text));
}

static void join(json_t *alert, const json_t *parts, const char *key, const char *between) {
    g_autoptr(GString) all = g_string_new(NULL);
    size_t i;
    const json_t *part;
    json_array_foreach (parts, i, part)
        g_string_append_printf(all, "%s%s", i > 0 ? between : "",
                               json_string_value(json_object_get(part, key)));
    json_object_set_new(alert, key, json_string(all->str));
}

void web_alert_say(json_t *alert, double level, const json_t *portions) {
    json_t *parts = json_object_get(alert, "portions");
    size_t i;
    json_t *part;
    if (json_array_size(parts) == 0) {
        say(alert, level, portions);
        return;
    }
    json_array_foreach (parts, i, part)
        say(part, level, portions ? portions : parts);
    join(alert, parts, "headline", ", ");
    join(alert, parts, "sentence", "; ");
}
