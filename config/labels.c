#include "config/labels.h"

#define LABEL_MAX 200

GHashTable *cfg_labels_parse(const char *text) {
    GHashTable *labels = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GRegex) line = g_regex_new(
        "^[ \\t]*TITLE\\[([0-9]{1,3})\\]=(?:\"([^\"\\n]*)\"|'([^'\\n]*)'|([^\\s#;\"']+))",
        G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(line, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *number = g_match_info_fetch(match, 1);
        g_autofree char *label = NULL;
        for (gint part = 2; part <= 4 && (!label || !*label); part++) {
            g_free(label);
            label = g_match_info_fetch(match, part);
        }
        if (label && *label)
            g_hash_table_replace(
                labels, GUINT_TO_POINTER(g_ascii_strtoull(number, NULL, 10)),
                g_utf8_substring(label, 0, MIN(g_utf8_strlen(label, -1), LABEL_MAX)));
    }
    return labels;
}
