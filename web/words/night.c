#include "web/words/night.h"

#include "web/words/alert.h"
#include "web/words/portion.h"
#include "web/words/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const json_t *first_with(const json_t *portions, const char *verdict) {
    size_t i;
    const json_t *portion;
    json_array_foreach (portions, i, portion)
        if (strcmp(text_of(portion, "verdict"), verdict) == 0)
            return portion;
    return NULL;
}

static void append(GString *to, const char *text) {
    g_string_append_printf(to, "%s%s", to->len > 0 ? ", " : "", text);
}

/* "Writing (W) rose by 4.10 %": the level that was judged against its reference. */
static void append_change(GString *to, const json_t *portion, const json_t *portions) {
    char text[DET_CHANGE_MAX];
    const json_t *difference = json_object_get(portion, "difference");
    const double before = web_words_number(json_object_get(portion, "reference"), "mean_ns");
    const double gap = web_words_number(difference, "mean_ns");
    g_autofree char *name =
        web_portion_name(text_of(portion, "portion"), web_portion_which(portion, portions));
    const det_change change = {
        .name = name, .before = before, .after = before + gap, .low = NAN, .high = NAN};
    if (isfinite(change.after)) {
        det_change_headline(text, sizeof text, &change);
        append(to, text);
        return;
    }
    g_autofree char *plain = g_strdup_printf(
        "%s %s", name, web_verdict_words("anomaly", NULL, text_of(portion, "direction")));
    append(to, plain);
}

static void append_state(GString *to, const json_t *portion, const json_t *portions,
                         const char *words) {
    g_autofree char *name =
        web_portion_name(text_of(portion, "portion"), web_portion_which(portion, portions));
    g_autofree char *text = g_strdup_printf("%s %s", name, words);
    append(to, text);
}

/* Was its configuration not measured? Failed or taken away, that makes none of the others suspect.
 */
static bool is_missing(const json_t *portion) {
    return strcmp(text_of(portion, "verdict"), "harness") == 0 &&
           json_is_null(json_object_get(portion, "mean_ns"));
}

/* "Writing (W) has no result", or how many have none. */
static void append_missing(GString *to, const json_t *portions) {
    unsigned missing = 0;
    size_t i;
    const json_t *portion, *last = NULL;
    json_array_foreach (portions, i, portion)
        if (is_missing(portion)) {
            missing++;
            last = portion;
        }
    const char *name = missing == 1 ? text_of(last, "portion") : "";
    if (strchr(name, ' ')) { /* "I+C+W Sampling" says which by itself */
        g_autofree char *text = g_strdup_printf("%s has no result", name);
        append(to, text);
    } else if (missing == 1)
        append_state(to, last, portions, "has no result");
    else if (missing > 1) {
        g_autofree char *text = g_strdup_printf("%u portions have no result", missing);
        append(to, text);
    }
}

/* What befell all portions alike is told once. */
static void append_common(GString *to, const json_t *portions) {
    bool suspect = false;
    size_t i;
    const json_t *portion;
    if (first_with(portions, "environment"))
        append(to, web_verdict_words("environment", NULL, NULL));
    json_array_foreach (portions, i, portion)
        suspect = suspect ||
                  (strcmp(text_of(portion, "verdict"), "harness") == 0 && !is_missing(portion));
    if (suspect)
        append(to, web_verdict_words("harness", NULL, NULL));
    append_missing(to, portions);
}

/* What is in question: said where nothing else stood out, or else it would be "nothing changed". */
static void append_pending(GString *to, const json_t *portions) {
    size_t i;
    const json_t *portion;
    json_array_foreach (portions, i, portion)
        if (strcmp(text_of(portion, "verdict"), "ok") == 0 &&
            strcmp(text_of(portion, "rule"), "pending") == 0)
            append_state(to, portion, portions, "may have changed");
}

char *web_night_headline(const json_t *night) {
    const char *state = text_of(night, "state"), *reason = text_of(night, "reason");
    const json_t *portions = json_object_get(night, "portions");
    g_autoptr(GString) to = g_string_new(NULL);
    size_t i;
    const json_t *portion;
    if (*state && strcmp(state, "measured") != 0)
        return g_strdup_printf("%s: %s", state, *reason ? reason : "no reason given");
    json_array_foreach (portions, i, portion) {
        const char *verdict = text_of(portion, "verdict");
        if (strcmp(verdict, "anomaly") == 0)
            append_change(to, portion, portions);
        else if (strcmp(verdict, "suspect") == 0)
            append_state(to, portion, portions, "is suspected and being measured again");
        else if (strcmp(verdict, "cleared") == 0)
            append_state(to, portion, portions, "was suspected and cleared");
    }
    append_common(to, portions);
    if (to->len == 0)
        append_pending(to, portions);
    if (to->len == 0)
        append(to, first_with(portions, "first") ? web_verdict_words("first", NULL, NULL)
                                                 : "nothing changed");
    return g_string_free(g_steal_pointer(&to), FALSE);
}
