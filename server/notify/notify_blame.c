#include "server/notify/notify_blame.h"

#include "config/model/alert.h"
#include "server/store/store_sql.h"
#include "server/views/views_parts.h"
#include "sql/outbox.h"

static bool alike(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "configuration"), json_object_get(b, "configuration")) &&
           json_equal(json_object_get(a, "direction"), json_object_get(b, "direction"));
}

/* changed: a portion of the alert. */
static void portion_blame(json_t *night, const json_t *changed, const cfg_alert *alert) {
    const cfg_commit *culprit = cfg_alert_culprit(alert);
    const int64_t commits = cfg_alert_commits(alert);
    const char *own = json_string_value(json_object_get(json_object_get(night, "commit"), "sha"));
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        if (!alike(portion, changed))
            continue;
        if (!culprit && commits > 1)
            json_object_set_new(portion, "among", json_integer(commits));
        else if (culprit && !cfg_is(culprit->sha, own))
            json_object_set_new(portion, "culprit", json_string(culprit->shortened));
    }
}

bool srv__blame_add(srv_store *store, json_t *night, GError **error) {
    const json_int_t experiment = json_integer_value(json_object_get(night, "experiment"));
    g_autoptr(GArray) ids =
        srv__ids(store, SQL(night_alerts), SRV__ARGS(SRV__I(experiment)), error);
    json_auto_t *alerts = ids ? srv__alert_views(store, ids, error) : NULL;
    size_t i, k;
    json_t *one, *changed;
    json_array_foreach (alerts, i, one) {
        g_auto(cfg_alert) alert = cfg_alert_of(one);
        json_array_foreach (json_object_get(one, "portions"), k, changed)
            portion_blame(night, changed, &alert);
    }
    return alerts != NULL;
}
