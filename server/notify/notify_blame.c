#include "server/notify/notify_blame.h"

#include "config/model/alert.h"
#include "server/store/store_sql.h"
#include "server/views/views_parts.h"
#include "sql/outbox.h"

static void portion_blame(cfg_night *night, const cfg_change *changed, const cfg_alert *alert) {
    const cfg_commit *culprit = cfg_alert_culprit(alert);
    const int64_t commits = cfg_alert_commits(alert);
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        if (!cfg_is(portion->configuration, changed->configuration) ||
            !cfg_is(portion->direction, changed->direction))
            continue;
        if (!culprit && commits > 1)
            portion->among = commits;
        else if (culprit && !cfg_is(culprit->sha, night->commit.sha)) {
            g_free(portion->culprit);
            portion->culprit = g_strdup(culprit->shortened);
        }
    }
}

bool srv__blame_add(srv_store *store, cfg_night *night, GError **error) {
    g_autoptr(GArray) ids =
        srv__ids(store, SQL(night_alerts), SRV__ARGS(SRV__I(night->experiment)), error);
    json_auto_t *alerts = ids ? srv__alert_views(store, ids, error) : NULL;
    for (size_t i = 0; i < json_array_size(alerts); i++) {
        g_auto(cfg_alert) alert = cfg_alert_of(json_array_get(alerts, i));
        for (unsigned k = 0; k < alert.portions_count; k++)
            portion_blame(night, &alert.portions[k], &alert);
    }
    return alerts != NULL;
}
