#include "server/alarm/decision.h"

#include "server/ground/error.h"
#include "server/store/store_audit.h"

#include <string.h>

#define TEXT_LIMIT 4000u

bool srv__decision_text_check(const char *what, const char *text, GError **error) {
    if (text && *text != '\0' && strlen(text) <= TEXT_LIMIT && g_utf8_validate(text, -1, NULL))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "%s: must be 1 to %u bytes of UTF-8", what,
                TEXT_LIMIT);
    return false;
}

bool srv__decision_audit(srv_store *store, const srv__decision *d, GError **error) {
    g_autofree char *what = g_strdup_printf("%s %" G_GINT64_FORMAT " %s", d->kind, d->id, d->state);
    const srv_audit_row row = {d->now_ms, d->now_ms, d->kind, d->author, "", what, d->reason, 1};
    return srv__audit_change(store, &row, error);
}
