#include "web/words/verdict.h"

#include "detector/words/change.h"

#include <glib.h>
#include <string.h>

static int sign_of(const char *direction) {
    return g_strcmp0(direction, "up") == 0 ? 1 : g_strcmp0(direction, "down") == 0 ? -1 : 0;
}

const char *web_verdict_words(const char *verdict, const char *rule, const char *direction) {
    static const struct {
        const char *verdict, *words;
    } table[] = {
        {"ok", "as before"},
        {"first", "first of its series"},
        {"suspect", "suspected, being measured again"},
        {"cleared", "suspected and cleared"},
        {"environment", "the environment changed"},
        {"harness", "the measurement is suspect"},
    };
    if (g_strcmp0(verdict, "anomaly") == 0)
        return det_change_verb(sign_of(direction));
    if (g_strcmp0(verdict, "ok") == 0 && g_strcmp0(rule, "pending") == 0)
        return "may have changed";
    for (size_t i = 0; verdict && i < G_N_ELEMENTS(table); i++)
        if (strcmp(verdict, table[i].verdict) == 0)
            return table[i].words;
    return verdict ? verdict : "";
}

const char *web_verdict_mark(const char *direction) {
    static const char *const marks[] = {"▼", "●", "▲"};
    return marks[sign_of(direction) + 1];
}
