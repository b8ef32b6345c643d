#include "server/store/night_count.h"

bool srv__night_count_add(srv_store *store, int64_t experiment, GError **error) {
    return srv__run(store,
                    "INSERT INTO night_count(project_id, year, nights, measured)"
                    " SELECT project_id, substr(night, 1, 4), 1,"
                    " CASE WHEN state='measured' THEN 1 ELSE 0 END"
                    " FROM experiment WHERE id=$1 AND hidden=0"
                    " ON CONFLICT(project_id, year) DO UPDATE SET"
                    " nights=night_count.nights+excluded.nights,"
                    " measured=night_count.measured+excluded.measured",
                    SRV__ARGS(SRV__I(experiment)), NULL, error);
}

bool srv__nights_hide(srv_store *store, int64_t revision, GError **error) {
#define OF_COMMIT "FROM experiment e WHERE e.revision_id=$1 AND e.state<>'measured' AND e.hidden=0"
    return srv__run(store,
                    "UPDATE night_count SET nights=nights-(SELECT count(*) " OF_COMMIT
                    " AND substr(e.night, 1, 4)=night_count.year)"
                    " WHERE project_id=(SELECT project_id FROM revision WHERE id=$1)"
                    " AND year IN (SELECT substr(e.night, 1, 4) " OF_COMMIT ")",
                    SRV__ARGS(SRV__I(revision)), NULL, error) &&
           srv__run(store,
                    "UPDATE experiment SET hidden=1 WHERE revision_id=$1 AND state<>'measured'",
                    SRV__ARGS(SRV__I(revision)), NULL, error);
#undef OF_COMMIT
}

/* Whole years by their rows, and the rest of the moment's year night by night. */
bool srv__night_count_since(srv_store *store, int64_t project, const srv__moment *moment,
                            int64_t *nights, GError **error) {
    return srv__number(
        store,
        "SELECT (SELECT coalesce(CAST(sum(c.measured) AS BIGINT), 0) FROM night_count c"
        "  WHERE c.project_id=$1 AND c.year>substr($2, 1, 4))"
        " + (SELECT count(*) FROM experiment e WHERE e.project_id=$1 AND e.hidden=0"
        "  AND e.state='measured' AND (e.night, e.time_ms, e.id)>($2, $3, $4)"
        "  AND e.night<=substr($2, 1, 4) || '-12-31')",
        SRV__ARGS(SRV__I(project), SRV__T(moment->night), SRV__I(moment->time_ms),
                  SRV__I(moment->experiment)),
        0, nights, error);
}
