#include "web/chart/describe.h"

#include "detector/words/change.h"
#include "web/layout/axis.h"

enum { ANOMALIES_TOLD = 10 };

static void append_newest(GString *out, const web_history *h, web_chart_of of) {
    for (guint i = h->nights->len; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        if (night->state != WEB_NIGHT_MEASURED)
            continue;
        g_string_append_printf(out, " Newest measured: %s, commit %s%s:", night->date,
                               *night->commit ? night->commit : "unknown",
                               of == WEB_OF_MEDIAN ? ", medians" : "");
        for (guint s = 0; s < h->portions->len; s++) {
            web_value v = web_night_value(night, of, s);
            if (!v.present)
                continue;
            g_autofree char *value = web_format_value(v.mean_ns);
            g_string_append_printf(out, " %s %s;", g_array_index(h->portions, web_portion, s).name,
                                   value);
        }
        out->str[out->len - 1] = '.';
        return;
    }
}

static void append_anomalies(GString *out, const web_history *h) {
    guint told = 0, more = 0;
    for (guint i = 0; i < h->nights->len; i++) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        for (guint s = 0; s < night->count; s++) {
            if (night->values[WEB_OF_MEAN][s].verdict != WEB_VERDICT_ANOMALY)
                continue;
            web_value v = night->values[WEB_OF_MEAN][s];
            if (!v.present)
                continue;
            if (told == ANOMALIES_TOLD) {
                more++;
                continue;
            }
            told++;
            g_string_append_printf(out, " Anomaly on %s, commit %s: %s %s.", night->date,
                                   night->commit, g_array_index(h->portions, web_portion, s).name,
                                   det_change_verb(v.direction));
        }
    }
    if (told == 0)
        g_string_append(out, " No anomaly.");
    if (more > 0)
        g_string_append_printf(out, " %u more anomalies.", more);
}

char *web__describe(const web_history *h, web_chart_of of) {
    if (h->nights->len == 0)
        return g_strdup("No night has been measured yet.");
    GString *out = g_string_new(NULL);
    guint failed = 0;
    for (guint i = 0; i < h->nights->len; i++)
        failed += g_array_index(h->nights, web_night, i).state != WEB_NIGHT_MEASURED;
    g_string_append_printf(out, "%u nights from %s to %s", h->nights->len,
                           g_array_index(h->nights, web_night, 0).date,
                           g_array_index(h->nights, web_night, h->nights->len - 1).date);
    if (failed > 0)
        g_string_append_printf(out, ", %u of them without result", failed);
    g_string_append_c(out, '.');
    append_newest(out, h, of);
    append_anomalies(out, h);
    return g_string_free(out, FALSE);
}
