/* Which other branches have the commit behind an alert. */
#include "server/views/views_parts.h"

#include <string.h>

enum { SHORT = 9 /* digits of a commit, as everywhere */ };

/* What the commit did: a fall that ended another alert is its fix. */
static const char *noun_of(const json_t *alert, const json_t *row) {
    const char *direction = json_string_value(json_object_get(alert, "direction"));
    if (json_is_true(json_object_get(row, "fix")))
        return "fix";
    return g_strcmp0(direction, "down") == 0 ? "improvement" : "slowdown";
}

/* "1.15.x lacks this fix"; owned. */
static char *sentence_of(const json_t *row, const char *noun) {
    const char *branch = json_string_value(json_object_get(row, "branch"));
    const char *state = json_string_value(json_object_get(row, "state"));
    const char *as = json_string_value(json_object_get(row, "commit"));
    if (strcmp(state, "picked") == 0 && as)
        return g_strdup_printf("%s has this %s as %.*s", branch, noun, SHORT, as);
    if (strcmp(state, "has") == 0)
        return g_strdup_printf("%s has this %s, too", branch, noun);
    if (strcmp(state, "lacks") == 0)
        return g_strdup_printf(strcmp(noun, "slowdown") == 0 ? "%s does not have this %s"
                                                             : "%s lacks this %s",
                               branch, noun);
    return g_strdup_printf(
        "Whether %s has this %s is not known: the commit is on no branch any more", branch, noun);
}

json_t *srv__alert_branches(const srv__alert_parts *parts, int64_t id, const json_t *alert) {
    json_t *rows = srv__alert_rows(parts, SRV__ALERT_BRANCHES, id);
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        g_autofree char *sentence = sentence_of(row, noun_of(alert, row));
        json_object_set_new(row, "sentence", json_string(sentence));
        json_object_del(row, "fix");
    }
    return rows;
}
