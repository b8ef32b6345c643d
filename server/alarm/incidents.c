#include "server/alarm/incidents.h"

#include "server/alarm/bridge.h"
#include "server/alarm/notes.h"
#include "server/alarm/series_walk.h"
#include "sql/incident.h"

#include <math.h>

bool srv_incident_set(srv_store *store, int64_t incident, const char *state, const char *author,
                      const char *reason, int64_t now_ms, GError **error) {
    if (g_strcmp0(state, "open") != 0 && g_strcmp0(state, "closed") != 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "state: must be open or closed");
    g_autofree char *was = NULL;
    const srv__decision decision = {"incident", incident, state, author, reason, now_ms};
    if (!srv__decision_check(&decision, error) || !srv__begin(store, error))
        return false;
    const bool good = srv__text(store, ASK(incident_state, incident), &was, error) &&
                      srv__decision_fits(&decision, was, error) &&
                      srv__incident_note(store, incident, state, author, reason, now_ms, error) &&
                      srv__decision_audit(store, &decision, error);
    return srv__end(store, good, error);
}

/* opened by the night seen; incident->before 0: none before it. */
static bool srv__incident_insert(srv_store *store, int64_t series, const det_incident *i,
                                 int64_t seen, int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store,
                       ASK(incident_insert, series, det_incident_text(i->kind), i->since,
                           srv__arg_key(i->before), seen, i->lasts, i->factor, i->low, i->high,
                           i->moved, i->seen, now_ms, i->who, i->reason),
                       id, error) &&
           srv__event(store, SRV_EVENT_INCIDENT, *id);
}

bool srv__incident_note(srv_store *store, int64_t id, const char *state, const char *author,
                        const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, ASK(incident_audit_add, id, now_ms, state, author, reason), error) &&
           srv__run(store, ASK(incident_state_set, id, state), error) &&
           srv__event(store, SRV_EVENT_INCIDENT, id);
}

/* Nights that do not take it back, after which it is how things are. */
#define SETTLED_NIGHTS 7
/* Two factors that undo each other, as a share. */
#define BACK_WITHIN 0.03

/* Of one environment to another: the detector knows that, the store what differs. */
static void environment_explain(const srv__walk_night *n, det_incident *incident) {
    g_autofree char *reason =
        g_strdup_printf("another environment since %s: %s", n->label, n->moved);
    srv__reason_put(incident->reason, reason);
}

/* The first night of a series is another environment where the project had one before. */
static det_incident environment_of(const srv__walk_night *n) {
    det_incident incident = {.kind = DET_INCIDENT_ENVIRONMENT,
                             .begins = 1,
                             .since = n->id,
                             .before = n->moved_from,
                             .factor = NAN,
                             .low = NAN,
                             .high = NAN};
    environment_explain(n, &incident);
    return incident;
}

/* fresh: out, its key where it is seen for the first time, else 0. */
static bool open_or_update(srv__walk *w, const det_incident *incident, int64_t seen, int64_t *fresh,
                           GError **error) {
    int64_t id;
    if (!srv__number(w->store,
                     ASK(incident_find, w->id, det_incident_text(incident->kind), incident->since),
                     0, &id, error))
        return false;
    const bool known = id != 0;
    const bool good =
        known ? srv__run(w->store,
                         ASK(incident_update, id, srv__arg_key(incident->before), seen,
                             incident->factor, incident->low, incident->high, incident->moved,
                             incident->seen, incident->who, incident->reason),
                         error)
              : srv__incident_insert(w->store, w->id, incident, seen, w->now_ms, &id, error);
    g_array_append_val(w->incidents, id);
    w->asked = false;
    *fresh = known ? 0 : id;
    return good;
}

/* Another environment is bridged when it is seen for the first time. */
static bool open_environment(srv__walk *w, const srv__walk_night *n, GError **error) {
    const det_incident incident = environment_of(n);
    int64_t fresh;
    return open_or_update(w, &incident, n->id, &fresh, error) &&
           (fresh == 0 || srv__bridge_begin(w, n, fresh, error));
}

/* One that is open; nights: measured ones after the one that opened it. */
typedef struct {
    int64_t id, nights;
    char *kind;
    double factor;
    bool lasts;
} open_incident;

static const model_member open_members[] = {MODELS(open_incident, id, kind),
                                            MODEL(open_incident, factor, "factor", MODEL_NULL),
                                            MODELS(open_incident, lasts, nights)};
static const model_noun open_noun = MODEL_NOUN(open_incident, open_members, "incident");

static bool end(srv__walk *w, int64_t id, int64_t night, const char *why, GError **error) {
    w->asked = false;
    return srv__run(w->store, ASK(incident_over, id, night), error) &&
           srv__incident_note(w->store, id, "closed", SRV__DETECTOR, why, w->now_ms, error);
}

static bool is_kind(const open_incident *row, det_incident_kind kind) {
    return g_strcmp0(row->kind, det_incident_text(kind)) == 0;
}

/* Open ones that last and do so no more in this night. */
static bool end_lasting(srv__walk *w, const srv__walk_night *n, const model_list *open,
                        const bool *lasts, GError **error) {
    const open_incident *row = open->items;
    for (unsigned i = 0; i < open->count; i++, row++)
        for (int kind = DET_INCIDENT_SCALE; kind < DET_INCIDENT_KINDS; kind++) {
            if (!is_kind(row, (det_incident_kind)kind) || lasts[kind] || !row->lasts)
                continue;
            det_incident last;
            const bool stays =
                det_watch_incident(w->watch, (det_incident_kind)kind, &last) == DET_OK &&
                last.stays;
            g_autofree char *why = g_strdup_printf(
                stays ? "still without a result on %s: taken as removed" : "over since %s",
                n->label);
            if (!end(w, row->id, n->id, why, error))
                return false;
        }
    return true;
}

/* A later factor that takes an earlier one back. */
static bool goes_back(const open_incident *row, const det_incident *incident) {
    const double factor = row->factor;
    return is_kind(row, incident->kind) && factor > 0 && isfinite(incident->factor) &&
           fabs(factor * incident->factor - 1) <= BACK_WITHIN;
}

/* The night of the return, not the one that made it sure. Owned; NULL: error. */
static char *back_words(srv__walk *w, const det_incident *begun, GError **error) {
    char first[DET_LABEL_MAX];
    bool remeasure;
    return srv__night_about(w->store, begun->since, first, sizeof first, &remeasure, error)
               ? g_strdup_printf("back since %s", first)
               : NULL;
}

/* Those that are over when they begin: closed once the level has gone back, or has not for some
 * nights, whatever portions did in these. */
static bool settle(srv__walk *w, const srv__walk_night *n, const model_list *open,
                   const det_incident *begun, GError **error) {
    const open_incident *row = open->items;
    for (unsigned i = 0; i < open->count; i++, row++) {
        g_autofree char *why = NULL;
        if (row->lasts)
            continue;
        const bool back = begun && goes_back(row, begun);
        if (back && !(why = back_words(w, begun, error)))
            return false;
        if (!back && row->nights >= SETTLED_NIGHTS)
            why = g_strdup_printf("not taken back in the %d nights since then", SETTLED_NIGHTS);
        if (why && !end(w, row->id, n->id, why, error))
            return false;
    }
    return true;
}

/* Does it take back one that is open, or that was closed so when this night was judged before? That
 * is no incident of its own. */
static bool is_return(srv__walk *w, const srv__walk_night *n, const det_incident *incident,
                      bool *out, GError **error) {
    const open_incident *row = w->open.items;
    int64_t closed = 0;
    *out = false;
    for (unsigned i = 0; i < w->open.count; i++, row++)
        *out = *out || (!row->lasts && goes_back(row, incident));
    if (*out || !isfinite(incident->factor))
        return true;
    if (!srv__number(w->store,
                     ASK(incidents_taken_back, w->id, det_incident_text(incident->kind), n->id,
                         incident->factor, BACK_WITHIN),
                     0, &closed, error))
        return false;
    *out = closed > 0;
    return true;
}

/* What the detector saw in this night; begun: out, the change of level among it, kind NONE: none.
 */
static bool take(srv__walk *w, const srv__walk_night *n, bool *lasts, det_incident *begun,
                 GError **error) {
    *begun = (det_incident){.kind = DET_INCIDENT_NONE};
    for (int kind = DET_INCIDENT_SCALE; kind < DET_INCIDENT_KINDS; kind++) {
        det_incident incident;
        lasts[kind] = false;
        if (kind == DET_INCIDENT_ENVIRONMENT ||
            det_watch_incident(w->watch, (det_incident_kind)kind, &incident) != DET_OK)
            continue;
        lasts[kind] = incident.lasts != 0;
        if (!incident.begins)
            continue;
        bool back;
        int64_t fresh;
        if (!is_return(w, n, &incident, &back, error) ||
            (!back && !open_or_update(w, &incident, n->id, &fresh, error)))
            return false;
        if (isfinite(incident.factor) && !incident.lasts)
            *begun = incident;
    }
    return true;
}

bool srv__walk_incidents(srv__walk *w, const srv__walk_night *n, GError **error) {
    bool lasts[DET_INCIDENT_KINDS];
    det_incident begun;
    /* Asked for anew only when one of them was changed: few nights do so. */
    if (!w->asked) {
        model_list_clear(&w->open);
        w->asked = srv__many(w->store, ASK(incidents_open, w->id), &open_noun, &w->open, error);
        if (!w->asked)
            return false;
    }
    bool good = take(w, n, lasts, &begun, error) && end_lasting(w, n, &w->open, lasts, error) &&
                settle(w, n, &w->open, begun.kind == DET_INCIDENT_NONE ? NULL : &begun, error);
    return good && (!n->moved || open_environment(w, n, error));
}

typedef struct {
    int64_t id, over;
    char *night;
} left_incident;

static const model_member left_members[] = {MODEL(left_incident, over, "over_experiment"),
                                            MODELS(left_incident, id, night)};
static const model_noun left_noun = MODEL_NOUN(left_incident, left_members, "incident");

bool srv__incidents_end_left(srv__walk *w, GError **error) {
    g_auto(model_list) all = {0};
    bool good = srv__many(w->store, ASK(incidents_left, w->project), &left_noun, &all, error);
    const left_incident *row = all.items;
    for (unsigned i = 0; good && i < all.count; i++, row++) {
        g_autofree char *why = g_strdup_printf("back since %s", row->night);
        good = end(w, row->id, row->over, why, error);
    }
    return good;
}

typedef struct {
    int64_t id, seen;
} seen_incident;

static const model_member seen_members[] = {MODEL(seen_incident, id, "id"),
                                            MODEL(seen_incident, seen, "seen_experiment")};
static const model_noun seen_noun = MODEL_NOUN(seen_incident, seen_members, "incident");

bool srv__incidents_reconcile(srv__walk *w, guint from, GError **error) {
    g_auto(model_list) all = {0};
    bool good = srv__many(w->store, ASK(incidents_of_series, w->id), &seen_noun, &all, error);
    const seen_incident *row = all.items;
    for (unsigned i = 0; good && i < all.count; i++, row++) {
        if (srv__walk_place(w, row->seen) >= from &&
            srv__ids_place(w->incidents, row->id) == w->incidents->len)
            good = srv__incident_note(w->store, row->id, "withdrawn", SRV__DETECTOR,
                                      "nights that came in later do not show it", w->now_ms, error);
    }
    return good;
}
