#include "server/store/commits.h"

#include "config/number.h"
#include "server/ground/fields.h"
#include "server/store/store_sql.h"
#include "sql/projects.h"

#include <string.h>

bool srv__commit_check(const srv_commit *commit, const char *night, GError **error) {
    if (!srv__is_commit(commit->sha)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "'%.80s' is not a full commit id of 40 or 64 hex digits", commit->sha);
        return false;
    }
    GDate day;
    if (cfg_date_read(night, &day))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                "'%.20s' is not a night; give its date as YYYY-MM-DD", night);
    return false;
}

bool srv__revision_keep(srv_store *store, int64_t project, const srv_commit *commit, int64_t *id,
                        GError **error) {
    return srv__run(store, SQL(revision_keep),
                    SRV__ARGS(SRV__I(project), SRV__T(commit->sha), SRV__T(commit->author),
                              SRV__T(commit->author_email), SRV__I(commit->time_ms),
                              SRV__T(commit->subject), SRV__T(commit->parent),
                              SRV__ID(commit->place)),
                    NULL, error) &&
           srv__number(store, SQL(revision_id), SRV__ARGS(SRV__I(project), SRV__T(commit->sha)), 0,
                       id, error);
}
