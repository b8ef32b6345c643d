#include "web/words/words.h"

#include "detector/words/change.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool has(const cfg_night *night, const char *verdict) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].verdict, verdict))
            return true;
    return false;
}

/* How sentences call it: by its configuration where another one has the same letter. */
static char *name_of(const cfg_night *night, const cfg_portion *portion) {
    const char *which = NULL;
    for (unsigned i = 0; i < night->portions_count; i++)
        if (g_strcmp0(night->portions[i].portion, portion->portion) == 0 &&
            g_strcmp0(night->portions[i].configuration, portion->configuration) != 0)
            which = portion->configuration;
    return web_portion_name(portion->portion, which);
}

static void append(GString *to, const char *text) {
    g_string_append_printf(to, "%s%s", to->len > 0 ? ", " : "", text);
}

/* "Writing (W) rose by 4.10 %": the level that was judged against its reference. */
static void append_change(GString *to, const cfg_night *night, const cfg_portion *portion) {
    char text[DET_CHANGE_MAX];
    const double before = portion->reference.mean;
    g_autofree char *name = name_of(night, portion);
    const det_change change = {.name = name,
                               .before = before,
                               .after = before + portion->difference.mean,
                               .low = NAN,
                               .high = NAN};
    if (isfinite(change.after)) {
        det_change_headline(text, sizeof text, &change);
        append(to, text);
        return;
    }
    g_autofree char *plain = g_strdup_printf(
        "%s %s", name,
        web_verdict_words("anomaly", NULL, portion->direction ? portion->direction : ""));
    append(to, plain);
}

static void append_state(GString *to, const cfg_night *night, const cfg_portion *portion,
                         const char *words) {
    g_autofree char *name = name_of(night, portion);
    g_autofree char *text = g_strdup_printf("%s %s", name, words);
    append(to, text);
}

/* "Writing (W) has no result", or how many have none. */
static void append_missing(GString *to, const cfg_night *night) {
    unsigned missing = 0;
    const cfg_portion *last = NULL;
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_portion_is_missing(&night->portions[i])) {
            missing++;
            last = &night->portions[i];
        }
    const char *name = missing == 1 && last->portion ? last->portion : "";
    if (strchr(name, ' ')) { /* "I+C+W Sampling" says which by itself */
        g_autofree char *text = g_strdup_printf("%s has no result", name);
        append(to, text);
    } else if (missing == 1)
        append_state(to, night, last, "has no result");
    else if (missing > 1) {
        g_autofree char *text = g_strdup_printf("%u portions have no result", missing);
        append(to, text);
    }
}

/* What befell all portions alike is told once. */
static void append_common(GString *to, const cfg_night *night) {
    bool suspect = false;
    if (has(night, "environment"))
        append(to, web_verdict_words("environment", NULL, NULL));
    for (unsigned i = 0; i < night->portions_count; i++)
        suspect = suspect || (cfg_is(night->portions[i].verdict, "harness") &&
                              !cfg_portion_is_missing(&night->portions[i]));
    if (suspect)
        append(to, web_verdict_words("harness", NULL, NULL));
    append_missing(to, night);
}

/* What is in question: said where nothing else stood out, or else it would be "nothing changed". */
static void append_pending(GString *to, const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].verdict, "ok") && cfg_is(night->portions[i].rule, "pending"))
            append_state(to, night, &night->portions[i], "may have changed");
}

char *web_night_headline(const cfg_night *night) {
    g_autoptr(GString) to = g_string_new(NULL);
    if (night->state && *night->state && !cfg_is(night->state, "measured"))
        return g_strdup_printf("%s: %s", night->state,
                               night->reason && *night->reason ? night->reason : "no reason given");
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        if (cfg_is(portion->verdict, "anomaly"))
            append_change(to, night, portion);
        else if (cfg_is(portion->verdict, "suspect"))
            append_state(to, night, portion, "is suspected and being measured again");
        else if (cfg_is(portion->verdict, "cleared"))
            append_state(to, night, portion, "was suspected and cleared");
    }
    append_common(to, night);
    if (to->len == 0)
        append_pending(to, night);
    if (to->len == 0)
        append(to,
               has(night, "first") ? web_verdict_words("first", NULL, NULL) : "nothing changed");
    return g_string_free(g_steal_pointer(&to), FALSE);
}
