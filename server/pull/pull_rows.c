#include "server/pull/pull_rows.h"

#include "server/alarm/trial_rows.h"
#include "server/store/kinds.h"
#include "sql/pull.h"

#include <math.h>

bool srv__pull_portion_insert(srv_store *store, int64_t pull, const srv__tree *tree, size_t c,
                              GError **error) {
    const int parent = tree->chain.parent[c];
    return srv__run(store, SQL(pull_portion_insert),
                    SRV__ARGS(SRV__I(pull), SRV__I(c), SRV__T(tree->name[c]),
                              SRV__T(parent >= 0 ? tree->name[parent] : NULL),
                              SRV__T(tree->portion[c])),
                    NULL, error);
}

bool srv__pull_job_note(srv_store *store, int64_t job, int64_t pull, int64_t rounds,
                        GError **error) {
    return srv__run(store, SQL(pull_job_note), SRV__ARGS(SRV__I(job), SRV__I(pull), SRV__I(rounds)),
                    NULL, error) &&
           srv__run(store, SQL(pull_started), SRV__ARGS(SRV__I(pull)), NULL, error);
}

GArray *srv__pull_means(srv_store *store, int64_t pull, const char *name, const char *parent,
                        GError **error) {
    return srv__means_read(store, SQL(pull_means),
                           SRV__ARGS(SRV__I(pull), SRV__T(name), SRV__T(parent ? parent : "")),
                           error);
}

bool srv__pull_waits(srv_store *store, int64_t pull, const char *reason, bool *changed,
                     GError **error) {
    int64_t rows = 0;
    const bool good =
        srv__run(store, SQL(pull_waits), SRV__ARGS(SRV__I(pull), SRV__T(reason)), &rows, error);
    *changed = rows > 0;
    return good;
}
