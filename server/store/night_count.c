#include "server/store/night_count.h"
#include "sql/nights.h"

bool srv__night_count_add(srv_store *store, int64_t experiment, GError **error) {
    return srv__run(store, SQL(night_count_add), SRV__ARGS(SRV__I(experiment)), NULL, error);
}

bool srv__nights_hide(srv_store *store, int64_t revision, GError **error) {
    return srv__run(store, SQL(night_count_hide), SRV__ARGS(SRV__I(revision)), NULL, error) &&
           srv__run(store, SQL(experiments_hide), SRV__ARGS(SRV__I(revision)), NULL, error);
}

/* Whole years by their rows, and the rest of the moment's year night by night. */
bool srv__night_count_since(srv_store *store, int64_t project, const srv__moment *moment,
                            int64_t *nights, GError **error) {
    return srv__number(store, SQL(night_count_since),
                       SRV__ARGS(SRV__I(project), SRV__T(moment->night), SRV__I(moment->time_ms),
                                 SRV__I(moment->experiment)),
                       0, nights, error);
}
