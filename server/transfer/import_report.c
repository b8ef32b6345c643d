/* What an import has brought, in words. */
#include "server/transfer/export.h"

static int64_t number(const json_t *report, const char *key) {
    return json_integer_value(json_object_get(report, key));
}

static void gaps_say(GString *text, const json_t *gaps) {
    size_t i;
    json_t *gap;
    json_array_foreach (gaps, i, gap)
        g_string_append_printf(
            text, "; configuration %s has no result in %" G_GINT64_FORMAT " of them",
            json_string_value(json_object_get(gap, "configuration")), number(gap, "nights"));
}

char *srv_import_words(const json_t *report) {
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
                           "nights imported: %" G_GINT64_FORMAT
                           ", already present: %" G_GINT64_FORMAT
                           "; decisions and notes imported: %" G_GINT64_FORMAT
                           ", skipped (they do not fit here): %" G_GINT64_FORMAT "\n",
                           number(report, "nights"), number(report, "known"),
                           number(report, "answers"), number(report, "unmatched"));
    if (number(report, "nights") == 0)
        return g_string_free(text, FALSE);
    g_string_append_printf(text,
                           "changes found: %" G_GINT64_FORMAT ", incidents: %" G_GINT64_FORMAT
                           "; nights that cannot be judged: %" G_GINT64_FORMAT,
                           number(report, "changes"), number(report, "incidents"),
                           number(report, "quarantined"));
    gaps_say(text, json_object_get(report, "gaps"));
    g_string_append_c(text, '\n');
    return g_string_free(text, FALSE);
}
