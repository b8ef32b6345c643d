#include "ci/formats/code_order.h"

#include "ci/formats/night.h"

#include <math.h>
#include <string.h>

#define DAY_MS                                                                                     \
    86400e3 /* commits of branches that are merged lie so far apart without a meaning              \
             */

static char *day_of(double time_ms) {
    g_autoptr(GDateTime) moment = g_date_time_new_from_unix_utc((gint64)(time_ms / 1000));
    return moment ? g_date_time_format(moment, "%Y-%m-%d") : NULL;
}

/* A copy at its commit's date. */
static json_t *moved(json_t *night, double commit_ms, GPtrArray *told) {
    g_autofree char *day = day_of(commit_ms);
    const json_t *commit = json_object_get(night, "commit");
    json_t *copy = json_copy(night);
    g_ptr_array_add(told, g_strdup_printf("run of %s: its commit %s is of %s, older than one that "
                                          "was measured before; it is put there",
                                          ci_json_text(night, "night", "?"),
                                          ci_json_text(commit, "sha", ""), day ? day : "?"));
    if (day)
        json_object_set_new(copy, "night", json_string(day));
    return copy;
}

static gint by_day(gconstpointer a, gconstpointer b) {
    return strcmp(ci_json_text(*(json_t *const *)a, "night", ""),
                  ci_json_text(*(json_t *const *)b, "night", ""));
}

json_t *ci_code_order(const json_t *nights, GPtrArray *told) {
    g_autoptr(GHashTable) measured = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) order = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
    const char *last = NULL, *before = NULL; /* of a row that stays in its place, of any row */
    double newest_ms = -INFINITY;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const json_t *commit = json_object_get(night, "commit");
        const char *sha = ci_json_text(commit, "sha", NULL);
        const double commit_ms = ci_json_real(commit, "time_ms");
        const bool again = sha && g_strcmp0(sha, last) != 0 && g_strcmp0(sha, before) != 0 &&
                           g_hash_table_contains(measured, sha);
        if (again) {
            g_ptr_array_add(told,
                            g_strdup_printf("run of %s: commit %s was measured before, with others "
                                            "in between; a later run of old code is set aside",
                                            ci_json_text(night, "night", "?"), sha));
            continue;
        }
        before = sha;
        if (sha)
            g_hash_table_add(measured, g_strdup(sha));
        if (sha && commit_ms < newest_ms - DAY_MS) {
            g_ptr_array_add(order, moved(night, commit_ms, told));
            continue;
        }
        last = sha;
        newest_ms = isfinite(commit_ms) ? fmax(newest_ms, commit_ms) : newest_ms;
        g_ptr_array_add(order, json_incref(night));
    }
    g_ptr_array_sort(order, by_day); /* stable */
    json_t *out = json_array();
    for (guint k = 0; k < order->len; k++)
        json_array_append(out, order->pdata[k]);
    return out;
}
