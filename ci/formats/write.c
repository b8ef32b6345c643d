#include "ci/formats/write.h"

#include "ci/formats/night.h"

#include <math.h>

gboolean ci_portion_changed(const json_t *portion, const char *direction) {
    return g_str_equal(ci_json_text(portion, "verdict", ""), "anomaly") &&
           (!direction || g_str_equal(ci_json_text(portion, "direction", ""), direction));
}

static double percent_of(const json_t *portion) {
    const json_t *difference = json_object_get(portion, "difference");
    const double said = ci_json_real(difference, "percent");
    const double reference = ci_json_real(json_object_get(portion, "reference"), "mean_ns");
    return isfinite(said) ? said : 100 * ci_json_real(difference, "mean_ns") / fabs(reference);
}

static void suspect(GString *text, const json_t *portions, const char *verdict, const char *what) {
    size_t i;
    json_t *p;
    json_array_foreach (portions, i, p) {
        if (g_str_equal(ci_json_text(p, "verdict", ""), verdict)) {
            g_string_assign(text, what);
            return;
        }
    }
}

char *ci_headline(const json_t *night) {
    const char *state = ci_json_text(night, "state", "measured");
    if (!g_str_equal(state, "measured"))
        return g_strdup_printf("%s: %s", state, ci_json_text(night, "reason", "no reason given"));
    const json_t *portions = json_object_get(night, "portions");
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    json_t *p;
    json_array_foreach (portions, i, p) {
        if (!ci_portion_changed(p, NULL))
            continue;
        const double percent = percent_of(p);
        g_string_append_printf(text, "%s%s went %s", text->len ? ", " : "",
                               ci_json_text(p, "portion", "?"),
                               ci_json_text(p, "direction", "another way"));
        if (isfinite(percent))
            g_string_append_printf(text, " by %.1f %%", fabs(percent));
    }
    if (!text->len)
        suspect(text, portions, "suspect", "a change is being confirmed by measuring again");
    if (!text->len)
        suspect(text, portions, "environment", "the machine changed, not the code");
    if (!text->len)
        suspect(text, portions, "harness", "the measurement itself is suspect");
    if (!text->len)
        suspect(text, portions, "first", "measured; nothing to compare with yet");
    if (!text->len)
        g_string_assign(text, "nothing changed");
    return g_string_free(g_steal_pointer(&text), FALSE);
}
