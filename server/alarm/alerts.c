#include "server/alarm/alerts.h"

#include "detector/statistics/dimension.h"
#include "detector/words/change.h"
#include "server/alarm/notes.h"
#include "server/ground/clock.h"
#include "sql/alert.h"

#include <math.h>

bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, ASK(alert_audit_add, alert, now_ms, state, author, reason), error) &&
           srv__run(store, ASK(alert_state_set, alert, state), error) &&
           srv__run(store, ASK(alert_issue_again, alert, state, now_ms), error) &&
           srv__run(store, ASK(alert_end_untold, alert, state), error) &&
           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv__alert_keep(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__run(store, ASK(alert_keep, alert, now_ms, SRV__DETECTOR, reason), error) &&
           srv__run(store, ASK(alert_kept, alert), error) &&
           srv__event(store, SRV_EVENT_ALERT, alert);
}

bool srv__alert_state_ok(const char *state) {
    static const char *const states[] = {"open", "acknowledged", "accepted", "fixed", "false"};
    for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
        if (g_strcmp0(state, states[i]) == 0)
            return true;
    return false;
}

static bool state_check(const char *state, GError **error) {
    if (srv__alert_state_ok(state))
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "state: must be open, acknowledged, accepted, fixed or false");
}

bool srv_alert_set(srv_store *store, int64_t alert, const char *state, const char *author,
                   const char *reason, int64_t now_ms, GError **error) {
    g_autofree char *was = NULL;
    const srv__decision decision = {"alert", alert, state, author, reason, now_ms};
    if (!state_check(state, error) || !srv__decision_check(&decision, error) ||
        !srv__begin(store, error))
        return false;
    bool good = srv__text(store, ASK(alert_state, alert), &was, error) &&
                srv__decision_fits(&decision, was, error) &&
                srv__alert_note(store, alert, state, author, reason, now_ms, error) &&
                srv__decision_audit(store, &decision, error);
    return srv__end(store, good, error);
}

typedef struct {
    int64_t id, raised_ms, days;
    int64_t decided_ms; /* -1: by nobody */
    bool aged;
    char *night; /* that showed it last */
} ageing;

static const model_member ageing_members[] = {
    MODELS(ageing, id, aged, raised_ms), MODEL(ageing, days, "ageing_days"),
    MODEL(ageing, night, "night", MODEL_NULL),
    MODEL(ageing, decided_ms, "decided_ms", MODEL_NULL, -1)};
static const model_noun ageing_noun = MODEL_NOUN(ageing, ageing_members, "alert");

/* When an open alert ages that nobody decides on: its last decision counts, or else the night that
 * showed it, since a night that was measured late is no news. INT64_MAX: never. */
static int64_t ages_ms(const ageing *alert) {
    if (alert->days == 0)
        return INT64_MAX;
    return alert->days * SRV_DAY_MS + (alert->decided_ms >= 0
                                           ? alert->decided_ms
                                           : srv_night_over_ms(alert->night, alert->raised_ms));
}

bool srv_alerts_age(srv_store *store, int64_t now_ms, int64_t *next_ms, GError **error) {
    if (!srv__begin(store, error))
        return false;
    g_auto(model_list) open = {0};
    bool good = srv__many(store, ASK(alerts_ageing, SRV__DETECTOR), &ageing_noun, &open, error);
    const ageing *alert = open.items;
    *next_ms = INT64_MAX;
    for (unsigned i = 0; i < open.count; i++, alert++) {
        const int64_t at_ms = ages_ms(alert);
        const bool aged = at_ms <= now_ms;
        if (good && aged != alert->aged)
            good = srv__run(store, ASK(alert_set_aged, alert->id, aged), error);
        if (!aged)
            *next_ms = MIN(*next_ms, at_ms);
    }
    return srv__end(store, good, error);
}

/* A portion of an alert whose every portion that rose has been taken back. */
typedef struct {
    int64_t id, by; /* of the alert, and of the one that took it back */
    char *portion, *dimension, *unit, *night, *commit, *until;
    double before, after; /* in the unit of the dimension */
} fixed;

static const model_member fixed_members[] = {MODELS(fixed, id, by, portion, dimension),
                                             MODEL(fixed, unit, "unit", MODEL_NULL),
                                             MODEL(fixed, before, "before_mean_ns", MODEL_NULL),
                                             MODEL(fixed, after, "after_mean_ns", MODEL_NULL),
                                             MODEL(fixed, night, "night"),
                                             MODEL(fixed, commit, "commit_id"),
                                             MODELS(fixed, until)};
static const model_noun fixed_noun = MODEL_NOUN(fixed, fixed_members, "fixed portion");

/* Several commits may have come in with that night, or none. */
static char *reason_of(const GString *fell, const fixed *item) {
    if (g_str_equal(item->night, item->until))
        return g_strdup_printf("%s, as the night %s of %s shows", fell->str, item->night,
                               item->commit);
    return g_strdup_printf("%s, as the nights from %s of %s to %s show", fell->str, item->night,
                           item->commit, item->until);
}

static bool set(srv_store *store, int64_t id, int64_t fixed_by, const char *state,
                const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store, ASK(alert_fixed_by, id, srv__arg_key(fixed_by)), error) &&
           srv__alert_note(store, id, state, SRV__DETECTOR, reason, now_ms, error);
}

/* "I fell from 12.0 ns to 10.0 ns (-2.00 ns, -16.7 %)", "peak memory of W fell from …" */
static void fell_add(GString *fell, const fixed *item) {
    char text[DET_CHANGE_MAX];
    const det_dimension *of = det_dimension_find(item->dimension);
    g_autofree char *name =
        of ? g_strdup_printf("%s of %s", of->noun, item->portion) : g_strdup(item->portion);
    const det_change change = {.name = name,
                               .unit = of ? of->unit : item->unit,
                               .before = item->before,
                               .after = item->after,
                               .low = NAN,
                               .high = NAN,
                               .known = DET_KNOWN_JUDGED};
    det_change_sentence(text, sizeof text, &change);
    g_string_append_printf(fell, "%s%s", fell->len > 0 ? ", " : "", text);
}

/* One alert a run of rows with its key. */
static bool fixed_tell(srv_store *store, const model_list *list, int64_t now_ms, GError **error) {
    const fixed *items = list->items;
    g_autoptr(GString) fell = g_string_new(NULL);
    bool good = true;
    for (unsigned i = 0; good && i < list->count; i++) {
        fell_add(fell, &items[i]);
        if (i + 1 < list->count && items[i].id == items[i + 1].id)
            continue;
        g_autofree char *reason = reason_of(fell, &items[i]);
        good = set(store, items[i].id, items[i].by, "fixed", reason, now_ms, error);
        g_string_truncate(fell, 0);
    }
    return good;
}

bool srv__alert_fixes(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    return srv__run(store, ASK(alert_portions_fix, alert), error) &&
           srv__many(store, ASK(alert_fixed_portions, alert), &fixed_noun, &list, error) &&
           fixed_tell(store, &list, now_ms, error);
}

bool srv__alert_unfix(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    g_autoptr(GArray) list = srv__ids(store, ASK(alert_fixed_list, alert), error);
    bool good = list && srv__run(store, ASK(alert_portions_unfix, alert), error);
    for (guint i = 0; good && i < list->len; i++)
        good = set(store, g_array_index(list, int64_t, i), 0, "open",
                   "the nights no longer show what fixed it", now_ms, error);
    return good;
}
