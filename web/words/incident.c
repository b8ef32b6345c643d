#include "web/words/incident.h"

#include "config/json_text.h"
#include "web/words/words.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* Three digits, whatever the locale: "0.5", "1.12", "1000". */
static char *number(double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, value >= 100 ? "%.0f" : "%.3g", value);
    return g_strdup(text);
}

/* The factor as the sentence has it, "0.50" of "… × 0.50 (0.48 to 0.52) since …"; else its number.
 */
static char *factor_text(const json_t *incident) {
    static const char mark[] = " × ";
    const char *sentence = json_string_value(json_object_get(incident, "sentence"));
    const char *said = sentence ? strstr(sentence, mark) : NULL;
    const double factor = cfg_json_number(json_object_get(incident, "factor"), "mean");
    if (said)
        return g_strndup(said + strlen(mark), strcspn(said + strlen(mark), " "));
    return isfinite(factor) ? number(factor) : NULL;
}

static char *times(const char *what, const json_t *incident) {
    g_autofree char *text = factor_text(incident);
    return text ? g_strdup_printf("%s × %s", what, text) : g_strdup_printf("%s moved", what);
}

/* "W-3 and W-4" of "W-3 and W-4 without a result since …" */
static char *before(const json_t *incident, const char *word, const char *otherwise) {
    const char *sentence = json_string_value(json_object_get(incident, "sentence"));
    const char *end = sentence ? strstr(sentence, word) : NULL;
    return end ? g_strndup(sentence, (gsize)(end - sentence)) : g_strdup(otherwise);
}

/* "Levels before × 1.07 ± 0.01": what joins two environments; NULL: nothing does. */
static char *bridged(const json_t *incident) {
    const json_t *factor = json_object_get(json_object_get(incident, "bridge"), "factor");
    const double mean = cfg_json_number(factor, "mean"), low = cfg_json_number(factor, "low"),
                 high = cfg_json_number(factor, "high");
    if (!isfinite(mean) || !isfinite(low) || !isfinite(high))
        return NULL;
    char value[G_ASCII_DTOSTR_BUF_SIZE], half[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(value, sizeof value, "%.2f", mean);
    g_ascii_formatd(half, sizeof half, "%.2f", (high - low) / 2);
    return g_strdup_printf("Levels before × %s ± %s", value, half);
}

static char *headline(const json_t *incident) {
    const char *kind = json_string_value(json_object_get(incident, "kind"));
    if (g_strcmp0(kind, "scale") == 0)
        return times("Everything", incident);
    if (g_strcmp0(kind, "control") == 0) {
        g_autofree char *alone = before(incident, " alone", NULL);
        g_autofree char *with = before(incident, ", and what", "The control");
        return times(alone ? alone : with, incident);
    }
    if (g_strcmp0(kind, "broken") == 0)
        return g_strdup("Broken nights");
    if (g_strcmp0(kind, "noise") == 0)
        return g_strdup("Noisier node");
    if (g_strcmp0(kind, "missing") == 0) {
        g_autofree char *who = before(incident, " without a result", "A configuration");
        return g_strdup_printf("%s missing", who);
    }
    char *bridge = bridged(incident);
    return bridge ? bridge : g_strdup(WEB_INCIDENT_ENVIRONMENT);
}

void web_incident_say(json_t *incident) {
    g_autofree char *text = headline(incident);
    json_object_set_new(incident, "headline", json_string(text));
}
