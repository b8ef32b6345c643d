#include "server/alarm/notes.h"

#include "config/number.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/ground/fields.h"
#include "server/store/projects.h"
#include "server/store/store_audit.h"
#include "server/store/store_sql.h"
#include "sql/baseline.h"

#include <string.h>

bool srv__decision_text_check(const char *what, const char *text, GError **error) {
    if (text && *text != '\0' && strlen(text) <= SRV__TEXT_BYTES && g_utf8_validate(text, -1, NULL))
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "%s: must be 1 to %u bytes of UTF-8",
                     what, SRV__TEXT_BYTES);
}

bool srv__decision_check(const srv__decision *d, GError **error) {
    return srv__decision_text_check("author", d->author, error) &&
           srv__decision_text_check("reason", d->reason, error);
}

bool srv__decision_fits(const srv__decision *d, const char *state, GError **error) {
    if (!state)
        return SRV__NONE(error, d->kind, d->id);
    return strcmp(state, "withdrawn") != 0 ||
           SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "%s %" G_GINT64_FORMAT " was withdrawn and cannot be changed any more",
                     d->kind, d->id);
}

bool srv__decision_audit(srv_store *store, const srv__decision *d, GError **error) {
    g_autofree char *what = g_strdup_printf("%s %" G_GINT64_FORMAT " %s", d->kind, d->id, d->state);
    const srv_audit_row row = {d->now_ms, d->now_ms, d->kind, d->author, "", what, d->reason, 1};
    return srv__audit_change(store, &row, error);
}

static bool note_check(const srv_note *note, GError **error) {
    GDate day;
    if (!note->night || !cfg_date_read(note->night, &day))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "night: must be a date, YYYY-MM-DD");
    if (!srv__decision_text_check("text", note->text, error))
        return false;
    if (strlen(note->text) <= SRV_NOTE_BYTES && !strpbrk(note->text, "\r\n"))
        return srv__decision_text_check("author", note->author, error);
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "text: must be one line of at most %d bytes", SRV_NOTE_BYTES);
}

bool srv__note_put(srv_store *store, const char *project, const srv_note *note, int64_t now_ms,
                   int64_t *id, GError **error) {
    int64_t key;
    if (!note_check(note, error) || !srv__project_id(store, project, &key, error) ||
        !srv__insert(store, ASK(note_insert, key, note->night, note->text, note->author, now_ms),
                     id, error))
        return false;
    g_autofree char *what =
        g_strdup_printf("note %" G_GINT64_FORMAT " made: %s, %s", *id, project, note->night);
    const srv_audit_row row = {now_ms, now_ms, "note", note->author, "", what, note->text, 1};
    return srv__audit_change(store, &row, error);
}

/* Of tonight, wherever on earth, and of before: what is noted of a night to come is a slip. */
static bool is_past(const srv_note *note, int64_t now_ms, GError **error) {
    char latest[11];
    srv_day_text(now_ms / SRV_DAY_MS + 1, latest);
    if (!note->night || strcmp(note->night, latest) <= 0)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "night: %s is in the future",
                     note->night);
}

bool srv_note_add(srv_store *store, const char *project, const srv_note *note, int64_t now_ms,
                  int64_t *id, GError **error) {
    return is_past(note, now_ms, error) && srv__begin(store, error) &&
           srv__end(store, srv__note_put(store, project, note, now_ms, id, error), error);
}

bool srv_note_remove(srv_store *store, int64_t id, const char *author, const char *reason,
                     int64_t now_ms, GError **error) {
    int64_t changed = 0;
    const srv__decision decision = {"note", id, "removed", author, reason, now_ms};
    if (!srv__decision_check(&decision, error) || !srv__begin(store, error))
        return false;
    bool good = srv__change(store, ASK(note_end, id, now_ms), &changed, error);
    good = good && (changed > 0 || SRV__NONE(error, "note", id));
    return srv__end(store, good && srv__decision_audit(store, &decision, error), error);
}
