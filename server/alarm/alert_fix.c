#include "server/alarm/alert_fix.h"

#include "server/alarm/alert_rows.h"
#include "sql/alert.h"

/* A portion of an alert whose every portion that rose has been taken back. */
typedef struct {
    int64_t id; /* of the alert */
    char *portion, *night, *commit;
    double before_ns, after_ns;
} fixed;

static const model_member fixed_members[] = {MODEL(fixed, id, "id"),
                                             MODEL(fixed, portion, "portion"),
                                             MODEL(fixed, before_ns, "before_mean_ns", MODEL_NULL),
                                             MODEL(fixed, after_ns, "after_mean_ns", MODEL_NULL),
                                             MODEL(fixed, night, "night"),
                                             MODEL(fixed, commit, "commit_id")};
static const model_noun fixed_noun = MODEL_NOUN(fixed, fixed_members, "fixed portion");

static char *reason_of(const GString *fell, const fixed *item) {
    return g_strdup_printf("%s with %s in the night %s", fell->str, item->commit, item->night);
}

static bool set(srv_store *store, int64_t id, int64_t fixed_by, const char *state,
                const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, SQL(alert_fixed_by), SRV__ARGS(SRV__I(id), SRV__ID(fixed_by)), NULL,
                    error) &&
           srv__alert_note(store, id, state, SRV__DETECTOR, reason, now_ms, error);
}

/* "I fell from 12.0 ns to 10.0 ns" */
static void fell_add(GString *fell, const fixed *item) {
    g_string_append_printf(fell, "%s%s fell from %.1f ns to %.1f ns", fell->len > 0 ? ", " : "",
                           item->portion, item->before_ns, item->after_ns);
}

/* One alert a run of rows with its key. */
static bool fixed_tell(srv_store *store, const model_list *list, int64_t alert, int64_t now_ms,
                       GError **error) {
    const fixed *items = list->items;
    g_autoptr(GString) fell = g_string_new(NULL);
    bool good = true;
    for (unsigned i = 0; good && i < list->count; i++) {
        fell_add(fell, &items[i]);
        if (i + 1 < list->count && items[i].id == items[i + 1].id)
            continue;
        g_autofree char *reason = reason_of(fell, &items[i]);
        good = set(store, items[i].id, alert, "fixed", reason, now_ms, error);
        g_string_truncate(fell, 0);
    }
    return good;
}

bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    return srv__run(store, SQL(alert_portions_fix), SRV__ARGS(SRV__I(alert)), NULL, error) &&
           srv__many(store, SQL(alert_fixed_portions), SRV__ARGS(SRV__I(alert)), &fixed_noun, &list,
                     error) &&
           fixed_tell(store, &list, alert, now_ms, error);
}

bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    g_autoptr(GArray) list =
        srv__ids(store, SQL(alert_fixed_list), SRV__ARGS(SRV__I(alert)), error);
    bool good =
        list && srv__run(store, SQL(alert_portions_unfix), SRV__ARGS(SRV__I(alert)), NULL, error);
    for (guint i = 0; good && i < list->len; i++)
        good = set(store, g_array_index(list, int64_t, i), 0, "open",
                   "the nights no longer show what fixed it", now_ms, error);
    return good;
}
