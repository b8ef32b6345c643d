#include "web/words/words.h"

#include "detector/words/change.h"

#include <math.h>

static char *times(const char *what, const cfg_incident *incident) {
    char factor[DET_FACTOR_MAX];
    if (!isfinite(incident->factor.mean))
        return g_strdup_printf("%s moved", what);
    det_scale_text(factor, sizeof factor, incident->factor.mean);
    return g_strdup_printf("%s × %s", what, factor);
}

/* "file and tcp", or "T" */
static const char *who(const cfg_incident *incident, const char *otherwise) {
    return incident->who && *incident->who ? incident->who : otherwise;
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
    if (cfg_is(kind, "control"))
        return times(who(incident, "The control"), incident);
    if (cfg_is(kind, "broken"))
        return g_strdup("Values far outside");
    if (cfg_is(kind, "noise"))
        return g_strdup("Noisier nights");
    if (cfg_is(kind, "missing"))
        return g_strdup_printf("%s missing", who(incident, "A configuration"));
    char *bridge = bridged(incident);
    return bridge ? bridge : g_strdup(WEB_INCIDENT_ENVIRONMENT);
}

void web_incident_say(cfg_incident *incident) {
    g_free(incident->headline);
    incident->headline = headline(incident);
}
