#include "server/store/commits.h"

#include "server/ground/fields.h"
#include "server/store/store_sql.h"

#include <string.h>

static unsigned digits_at(const char *text, size_t at, size_t count) {
    unsigned number = 0;
    for (size_t i = at; i < at + count; i++)
        number = number * 10 + (unsigned)(text[i] - '0');
    return number;
}

/* YYYY-MM-DD, and there is such a day. */
static bool is_date(const char *text) {
    if (strlen(text) != 10 || strspn(text, "0123456789-") != 10 || text[4] != '-' ||
        text[7] != '-' || strspn(text, "0123456789") != 4 || strspn(text + 5, "0123456789") != 2 ||
        strspn(text + 8, "0123456789") != 2)
        return false;
    return g_date_valid_dmy((GDateDay)digits_at(text, 8, 2), (GDateMonth)digits_at(text, 5, 2),
                            (GDateYear)digits_at(text, 0, 4));
}

bool srv__commit_check(const srv_commit *commit, const char *night, GError **error) {
    if (!srv__is_commit(commit->sha)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "'%.80s' is not a full commit id of 40 or 64 hex digits", commit->sha);
        return false;
    }
    if (is_date(night))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                "'%.20s' is not a night; give its date as YYYY-MM-DD", night);
    return false;
}

bool srv__revision_keep(srv_store *store, int64_t project, const srv_commit *commit, int64_t *id,
                        GError **error) {
    return srv__run(store,
                    "INSERT INTO revision(project_id, sha, author, author_email, time_ms, subject,"
                    " parent, place) VALUES($1,$2,$3,$4,$5,$6,$7,$8) ON CONFLICT(project_id, sha)"
                    " DO UPDATE SET place=excluded.place WHERE excluded.place IS NOT NULL"
                    " AND revision.place IS DISTINCT FROM excluded.place",
                    SRV__ARGS(SRV__I(project), SRV__T(commit->sha), SRV__T(commit->author),
                              SRV__T(commit->author_email), SRV__I(commit->time_ms),
                              SRV__T(commit->subject), SRV__T(commit->parent),
                              SRV__ID(commit->place)),
                    NULL, error) &&
           srv__number(store, "SELECT id FROM revision WHERE project_id=$1 AND sha=$2",
                       SRV__ARGS(SRV__I(project), SRV__T(commit->sha)), 0, id, error);
}
