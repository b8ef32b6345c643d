#include "server/transfer/import_said.h"

#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/ground/fields.h"
#include "server/ingest/ingest_night.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/transfer.h"

#define TEXT_LIMIT 4000u

bool srv__import_note(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    int64_t there, id;
    const srv_note note = {.night = srv__field_text(&in, "night", 10, SRV__REQUIRED),
                           .text = srv__field_text(&in, "text", TEXT_LIMIT, SRV__REQUIRED),
                           .author = srv__field_text(&in, "author", TEXT_LIMIT, SRV__REQUIRED)};
    const int64_t at_ms = srv__field_int(&in, "at_ms", 0, SRV__IMPORT_LATEST_MS, SRV__REQUIRED, 0);
    if (in.failed || !srv__number(into->store, SQL(import_note_there),
                                  SRV__ARGS(SRV__I(into->project), SRV__T(note.night),
                                            SRV__T(note.text), SRV__T(note.author), SRV__I(at_ms)),
                                  0, &there, error))
        return false;
    if (there > 0)
        return true;
    into->counts.alerts++;
    return srv__note_put(into->store, into->name, &note, at_ms, &id, error);
}

/* It cannot be said here: then nothing has been written. */
static bool is_unfit(const GError *problem) {
    return g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND) ||
           g_error_matches(problem, SRV_ERROR, SRV_ERROR_CONFLICT) ||
           g_error_matches(problem, SRV_ERROR, SRV_ERROR_INVALID);
}

static bool baseline_put(srv__importing *into, const srv_baseline *said, int64_t at_ms,
                         GError **error) {
    GError *problem = NULL;
    int64_t id;
    const bool good = srv__baseline_put(into->store, into->name, said, at_ms, &id, &problem);
    into->counts.alerts += good;
    if (good)
        return true;
    if (!is_unfit(problem)) {
        g_propagate_error(error, problem);
        return false;
    }
    into->counts.unmatched++;
    g_error_free(problem);
    return true;
}

bool srv__import_baseline(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    int64_t there;
    srv_baseline said = {.night = srv__field_text(&in, "night", 10, SRV__OPTIONAL),
                         .portions = NULL,
                         .reason = srv__field_text(&in, "reason", TEXT_LIMIT, SRV__REQUIRED),
                         .author = srv__field_text(&in, "author", TEXT_LIMIT, SRV__REQUIRED)};
    const int64_t at_ms = srv__field_int(&in, "at_ms", 0, SRV__IMPORT_LATEST_MS, SRV__REQUIRED, 0);
    const json_t *alert = srv__field_json(&in, "alert", JSON_OBJECT, SRV__OPTIONAL);
    const json_t *portions = srv__field_json(&in, "portions", JSON_ARRAY, SRV__OPTIONAL);
    if (!in.failed && !alert && !said.night)
        srv__field_fail(&in, "night", "is missing: a level begins with one");
    if (in.failed ||
        !srv__number(into->store, SQL(import_baseline_there),
                     SRV__ARGS(SRV__I(into->project), SRV__T(said.author), SRV__T(said.reason),
                               SRV__I(at_ms), SRV__T(said.night ? said.night : "")),
                     0, &there, error))
        return false;
    if (there > 0)
        return true;
    if (alert && !srv__import_alert_of(into, alert, "alert", &said.alert, error))
        return false;
    if (alert && said.alert == 0) {
        into->counts.unmatched++;
        return true;
    }
    said.portions = alert ? NULL : portions;
    return baseline_put(into, &said, at_ms, error);
}
