#include "web/words/words.h"

#include "config/json_text.h"
#include "detector/statistics/dimension.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* What a part of an alert is of; NULL: time. */
static const det_dimension *dimension_of(const json_t *part) {
    return det_dimension_find(json_string_value(json_object_get(part, "dimension")));
}

/* "peak memory of W", of time "W"; to g_free. */
static char *name_of(const json_t *part, const char *portion) {
    const det_dimension *of = dimension_of(part);
    return of ? g_strdup_printf("%s of %s", of->noun, portion) : g_strdup(portion);
}

static det_change change_of(const char *name, const json_t *part, double level) {
    const det_dimension *of = dimension_of(part);
    const json_t *difference = json_object_get(part, "difference");
    return (det_change){.name = name,
                        .unit = of ? of->unit : NULL,
                        .before = cfg_json_number(json_object_get(part, "before"), "mean_ns"),
                        .after = cfg_json_number(json_object_get(part, "after"), "mean_ns"),
                        .low = cfg_json_number(difference, "low_ns"),
                        .high = cfg_json_number(difference, "high_ns"),
                        .level = level};
}

/* "Measured again, W rose from … to … (…), 40 loops": where the sentence begins in it. */
static const char *sentence_in(const char *reason, const char *sentence, size_t *length) {
    const char *from = strstr(sentence, " from ");
    const char *found = strstr(reason, sentence);
    *length = strlen(sentence);
    if (found || !from)
        return found;
    /* A slow shift is told as one. */
    g_autofree char *slow =
        g_strdup_printf("%.*s slowly%s", (int)(from - sentence), sentence, from);
    *length = strlen(slow);
    return strstr(reason, slow);
}

/* A reason keeps what the sentence beside it does not say. */
static void reason_shorten(json_t *of, const char *sentence) {
    const char *reason = json_string_value(json_object_get(of, "reason"));
    size_t length = 0;
    const char *found = reason ? sentence_in(reason, sentence, &length) : NULL;
    if (!found)
        return;
    g_autoptr(GString) rest = g_string_new_len(reason, found - reason);
    const char *after = found + length;
    after += strspn(after, rest->len > 0 ? "" : ", ");
    g_string_truncate(rest, rest->len - (g_str_has_suffix(rest->str, ", ") ? 2 : 0));
    g_string_append(rest, after);
    if (rest->len > 0)
        rest->str[0] = g_ascii_toupper(rest->str[0]);
    json_object_set_new(of, "reason", json_string(rest->str));
}

/* Verdicts and trials call a portion by its own name alone. */
static void reasons_shorten(json_t *part, double level) {
    char text[DET_CHANGE_MAX];
    const char *portion = json_string_value(json_object_get(part, "portion"));
    g_autofree char *name = name_of(part, portion ? portion : "?");
    const det_change change = change_of(name, part, level);
    det_change_sentence(text, sizeof text, &change);
    reason_shorten(part, text);
    reason_shorten(json_object_get(part, "confirmation"), text);
}

static void say(json_t *part, double level, const json_t *portions) {
    char text[DET_CHANGE_MAX];
    g_autofree char *portion = web_portion_name(json_string_value(json_object_get(part, "portion")),
                                                web_portion_which(part, portions));
    g_autofree char *name = name_of(part, portion);
    const det_change change = change_of(name, part, level);
    det_change_headline(text, sizeof text, &change);
    json_object_set_new(part, "headline", json_string(text));
    det_change_sentence(text, sizeof text, &change);
    json_object_set_new(part, "sentence", json_string(text));
    reasons_shorten(part, level);
}

/* Does it say of another dimension what the time of its configuration says already? */
static bool says_time(const json_t *parts, const json_t *part) {
    const det_dimension *of = dimension_of(part);
    size_t i;
    const json_t *other;
    json_array_foreach (parts, i, other)
        if (of && of->follows && !dimension_of(other) &&
            json_equal(json_object_get(other, "configuration"),
                       json_object_get(part, "configuration")) &&
            json_equal(json_object_get(other, "direction"), json_object_get(part, "direction")))
            return true;
    return false;
}

/* briefly: without what the time of the same configuration says */
static void join(json_t *alert, const json_t *parts, const char *key, const char *between,
                 bool briefly) {
    g_autoptr(GString) all = g_string_new(NULL);
    size_t i;
    const json_t *part;
    json_array_foreach (parts, i, part)
        if (!(briefly && says_time(parts, part)))
            g_string_append_printf(all, "%s%s", all->len > 0 ? between : "",
                                   json_string_value(json_object_get(part, key)));
    json_object_set_new(alert, key, json_string(all->str));
}

/* Cheaper, while more is lost: one sentence says both, and nobody reads of an improvement. */
static void losses_say(json_t *alert, const json_t *parts) {
    size_t i;
    const json_t *part;
    json_array_foreach (parts, i, part) {
        const char *lost = json_string_value(json_object_get(part, "lost"));
        const char *direction = json_string_value(json_object_get(part, "direction"));
        const char *headline = json_string_value(json_object_get(alert, "headline"));
        const char *sentence = json_string_value(json_object_get(alert, "sentence"));
        if (!lost || g_strcmp0(direction, "down") != 0)
            continue;
        g_autofree char *title = g_strdup_printf("%s, but %s", headline, lost);
        g_autofree char *words =
            g_strdup_printf("%s, but %s: this is no improvement", sentence, lost);
        json_object_set_new(alert, "headline", json_string(title));
        json_object_set_new(alert, "sentence", json_string(words));
        return;
    }
}

/* The commit of one end, where its id is whole; NULL. Borrowed. */
static const char *whole_id(const json_t *alert, const char *end) {
    const json_t *commit = json_object_get(json_object_get(alert, end), "commit");
    const char *sha = json_string_value(json_object_get(commit, "sha"));
    const size_t length = sha ? strspn(sha, "0123456789abcdef") : 0;
    return sha && !sha[length] && (length == 40 || length == 64) ? sha : NULL;
}

void web_alert_repeat(json_t *alert, const char *file) {
    const char *before = whole_id(alert, "from"), *after = whole_id(alert, "until");
    json_t *command =
        file && before && after && !g_str_equal(before, after)
            ? json_sprintf("moowatch run %s.yaml --commit %s --compare %s", file, after, before)
            : json_null();
    json_object_set_new(alert, "repeat", command);
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
    reasons_shorten(alert, level);
    join(alert, parts, "headline", ", ", true);
    join(alert, parts, "sentence", "; ", false);
    losses_say(alert, parts);
    json_array_foreach (parts, i, part)
        json_object_del(part, "lost");
}
