#include "web/words/words.h"

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
static char *factor_text(const cfg_incident *incident) {
    static const char mark[] = " × ";
    const char *said = incident->sentence ? strstr(incident->sentence, mark) : NULL;
    const double factor = incident->factor.mean;
    if (said)
        return g_strndup(said + strlen(mark), strcspn(said + strlen(mark), " "));
    return isfinite(factor) ? number(factor) : NULL;
}

static char *times(const char *what, const cfg_incident *incident) {
    g_autofree char *text = factor_text(incident);
    return text ? g_strdup_printf("%s × %s", what, text) : g_strdup_printf("%s moved", what);
}

/* "W-3 and W-4" of "W-3 and W-4 without a result since …" */
static char *before(const cfg_incident *incident, const char *word, const char *otherwise) {
    const char *end = incident->sentence ? strstr(incident->sentence, word) : NULL;
    return end ? g_strndup(incident->sentence, (gsize)(end - incident->sentence))
               : g_strdup(otherwise);
}

/* "Levels before × 1.07 ± 0.01": what joins two environments; NULL: nothing does. */
static char *bridged(const cfg_incident *incident) {
    const det_interval *factor = incident->bridge ? &incident->bridge->factor : NULL;
    if (!factor || !isfinite(factor->mean) || !isfinite(factor->low) || !isfinite(factor->high))
        return NULL;
    char text[DET_FACTOR_MAX];
    det_factor_text(text, sizeof text, factor);
    return g_strdup_printf("Levels before × %s", text);
}

static char *headline(const cfg_incident *incident) {
    const char *kind = incident->kind;
    if (cfg_is(kind, "scale")) {
        if (incident->moved < 0 || incident->moved >= incident->seen_of)
            return times("Everything", incident);
        g_autofree char *some =
            g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " configurations",
                            incident->moved, incident->seen_of);
        return times(some, incident);
    }
    if (cfg_is(kind, "control")) {
        g_autofree char *alone = before(incident, " alone", NULL);
        g_autofree char *with = before(incident, ", and what", "The control");
        return times(alone ? alone : with, incident);
    }
    if (cfg_is(kind, "broken"))
        return g_strdup("Values far outside");
    if (cfg_is(kind, "noise"))
        return g_strdup("Noisier nights");
    if (cfg_is(kind, "missing")) {
        g_autofree char *who = before(incident, " without a result", "A configuration");
        return g_strdup_printf("%s missing", who);
    }
    char *bridge = bridged(incident);
    return bridge ? bridge : g_strdup(WEB_INCIDENT_ENVIRONMENT);
}

void web_incident_say(cfg_incident *incident) {
    g_free(incident->headline);
    incident->headline = headline(incident);
}
