#include "server/store/gone.h"

#include "server/ground/clock.h"
#include "sql/raw.h"

bool srv__gone_add(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                   GError **error) {
    return srv__run(store, SQL(gone_add), SRV__ARGS(SRV__T(folder), SRV__T(sha256), SRV__I(now_ms)),
                    NULL, error);
}

static bool refuse(GError **error) {
    g_set_error_literal(error, SRV_ERROR, SRV_ERROR_BUSY,
                        "a file with the same bytes is just being removed; send this one again");
    return false;
}

/* Hardly ever is there anything to write. */
bool srv__gone_claim(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                     GError **error) {
    int64_t going, changed = 0;
    if (!srv__number(store, SQL(gone_waits), SRV__ARGS(SRV__T(folder), SRV__T(sha256)), 0, &going,
                     error))
        return false;
    return going == 0 ||
           (srv__run(store, SQL(gone_hold),
                     SRV__ARGS(SRV__T(folder), SRV__T(sha256), SRV__I(now_ms)), &changed, error) &&
            (changed > 0 || refuse(error)));
}

bool srv__gone_in_time(int64_t claimed_ms, GError **error) {
    const bool good = srv_monotonic_ms() - claimed_ms < SRV__GONE_AFTER_MS / 2;
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY,
                    "it took more than %" G_GINT64_FORMAT
                    " minutes to keep the file; send it again",
                    SRV__GONE_AFTER_MS / 2 / 60000);
    return good;
}

bool srv__gone_back(srv_store *store, const char *folder, const char *sha256, GError **error) {
    return srv__run(store, SQL(gone_back), SRV__ARGS(SRV__T(folder), SRV__T(sha256)), NULL, error);
}

static json_t *take(srv_store *store, const char *folder, int64_t now_ms, unsigned count,
                    GError **error) {
    return srv__run(store, SQL(gone_mark),
                    SRV__ARGS(SRV__T(folder), SRV__I(now_ms - SRV__GONE_AFTER_MS), SRV__I(count)),
                    NULL, error)
               ? srv__array(store, SQL(gone_marked), SRV__ARGS(SRV__T(folder), SRV__I(count)),
                            error)
               : NULL;
}

json_t *srv__gone_take(srv_store *store, const char *folder, int64_t now_ms, unsigned count,
                       GError **error) {
    if (!srv__begin(store, error))
        return NULL;
    json_t *rows = take(store, folder, now_ms, count, error);
    if (!srv__end(store, rows != NULL, error))
        g_clear_pointer(&rows, json_decref);
    return rows;
}

bool srv__gone_done(srv_store *store, const char *folder, const json_t *rows, size_t count,
                    GError **error) {
    bool good = true;
    if (count == 0)
        return true;
    if (!srv__begin(store, error))
        return false;
    for (size_t i = 0; good && i < count; i++) {
        const json_t *sha256 = json_object_get(json_array_get(rows, i), "sha256");
        good = srv__run(store, SQL(gone_done),
                        SRV__ARGS(SRV__T(folder), SRV__T(json_string_value(sha256))), NULL, error);
    }
    return srv__end(store, good, error);
}
