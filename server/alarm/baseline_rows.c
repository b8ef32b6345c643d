#include "server/alarm/baseline_rows.h"

#include "server/alarm/alert_rows.h"
#include "sql/baseline.h"

bool srv__baseline_insert(srv_store *store, const srv__baseline_row *row, int64_t now_ms,
                          int64_t *id, GError **error) {
    const srv_baseline *said = row->said;
    return srv__insert(store, SQL(baseline_insert),
                       SRV__ARGS(SRV__I(row->project), SRV__T(said->night), SRV__T(row->portions),
                                 SRV__ID(said->alert), SRV__ID(row->from), SRV__ID(row->to),
                                 SRV__T(row->old_state), SRV__T(said->reason), SRV__T(said->author),
                                 SRV__I(now_ms)),
                       id, error);
}
