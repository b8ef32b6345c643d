#include "server/alarm/baselines.h"

#include "config/json_text.h"
#include "config/model/alert.h"
#include "config/number.h"
#include "server/alarm/alerts.h"
#include "server/alarm/bisection.h"
#include "server/alarm/explanation.h"
#include "server/alarm/notes.h"
#include "server/alarm/series.h"
#include "server/ground/clock.h"
#include "server/store/projects.h"
#include "server/store/store_audit.h"
#include "server/store/store_sql.h"
#include "sql/baseline.h"

#include <string.h>

/* An alert as it is, or what a baseline in force says of it: held is the baseline that holds the
 * alert, was the night that it began with before. */
typedef struct {
    int64_t project, alert, series, from, to, held;
    char *state, *night, *old_state, *was;
} place;

static const model_member place_members[] = {
    MODEL_NULLS(place, project, alert, series, from, to, held, state, night, old_state, was)};
static const model_noun place_noun = MODEL_NOUN(place, place_members, "level");

static void place_clear(place *of) {
    model_clear(&place_noun, of);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(place, place_clear)

/* One that is being set. */
typedef struct {
    srv_store *store;
    const srv_baseline *said;
    int64_t project, now_ms;
    place alert;
    json_t *portions; /* owned; NULL: all */
} setting;

static bool words_check(const srv_baseline *b, GError **error) {
    GDate day;
    if (!b->night && b->alert == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "night: say with which night the level begins");
    if (b->night && !cfg_date_read(b->night, &day))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "night: must be a date, YYYY-MM-DD");
    if (b->portions && b->alert != 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "portions: an alert has its own; leave them out");
    if (b->portions && (!json_is_array(b->portions) || json_array_size(b->portions) == 0))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "portions: must be a list of names; leave it out for all");
    if (!srv__decision_text_check("reason", b->reason, error) ||
        !srv__decision_text_check("author", b->author, error))
        return false;
    if (strlen(b->reason) > SRV_BASELINE_BYTES || strpbrk(b->reason, "\r\n"))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "reason: must be one line of at most %d bytes", SRV_BASELINE_BYTES);
    return true;
}

static bool alert_check(setting *s, GError **error) {
    const srv_baseline *b = s->said;
    if (b->alert == 0)
        return true;
    bool there;
    if (!srv__one(s->store, ASK(baseline_alert, s->project, b->alert), &place_noun, &s->alert,
                  &there, error))
        return false;
    if (!there)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                         "the project has no alert %" G_GINT64_FORMAT, b->alert);
    if (s->alert.held != 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "alert %" G_GINT64_FORMAT
                         " was set by hand already: undo baseline %" G_GINT64_FORMAT " first",
                         b->alert, s->alert.held);
    if (g_strcmp0(s->alert.state, "withdrawn") == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "alert %" G_GINT64_FORMAT " was withdrawn: its level is gone already",
                         b->alert);
    if (g_strcmp0(s->alert.night, b->night) == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "the level of alert %" G_GINT64_FORMAT " begins with %s already", b->alert,
                         b->night);
    s->portions = srv__array(s->store, ASK(baseline_alert_portions, b->alert), error);
    /* The watch of another dimension would tell it again at once. */
    if (s->portions && json_array_size(s->portions) == 0)
        return SRV__FAIL(
            error, SRV_ERROR, SRV_ERROR_CONFLICT,
            "alert %" G_GINT64_FORMAT
            " is not of time, and only levels of time are set by hand: answer the alert "
            "itself (accepted, false)",
            b->alert);
    return s->portions != NULL;
}

static bool same(const json_t *name, const json_t *portion) {
    return json_equal(name, json_object_get(portion, "portion")) ||
           json_equal(name, json_object_get(portion, "configuration"));
}

/* The portions of the night that are meant by these names. */
static bool portions_find(setting *s, GError **error) {
    size_t i, k;
    json_t *name, *portion;
    if (!s->said->portions)
        return true;
    json_auto_t *known =
        srv__array(s->store, ASK(baseline_night_portions, s->project, s->said->night), error);
    if (!known)
        return false;
    json_auto_t *meant = json_array();
    json_array_foreach (s->said->portions, i, name) {
        size_t found = 0;
        json_array_foreach (known, k, portion)
            found += same(name, portion);
        if (found == 0)
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                             "portions: %s has no portion \"%s\"", s->said->night,
                             json_is_string(name) ? json_string_value(name) : "(not a name)");
    }
    json_array_foreach (known, k, portion) {
        bool wanted = false;
        json_array_foreach (s->said->portions, i, name)
            wanted |= same(name, portion);
        if (wanted)
            json_array_append(meant, portion);
    }
    s->portions = json_incref(meant);
    return true;
}

/* NULL: all. */
static bool overlap(const json_t *a, const json_t *b) {
    size_t i, k;
    const json_t *one, *other;
    if (!json_is_array(a) || !json_is_array(b))
        return true;
    json_array_foreach (a, i, one)
        json_array_foreach (b, k, other)
            if (json_equal(one, other))
                return true;
    return false;
}

static bool night_free(setting *s, GError **error) {
    size_t i;
    const json_t *row;
    json_auto_t *others =
        srv__array(s->store, ASK(baselines_of_night, s->project, s->said->night), error);
    if (!others)
        return false;
    json_array_foreach (others, i, row)
        if (overlap(s->portions, json_object_get(row, "portions")))
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                             "baseline %" G_GINT64_FORMAT " begins with %s already: undo it first",
                             (int64_t)cfg_json_integer(row, "id"), s->said->night);
    int64_t alert = 0;
    if (!srv__number(s->store, ASK(baseline_alert_of, s->project, s->said->night, s->said->alert),
                     0, &alert, error))
        return false;
    if (alert != 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "a level begins with %s already, that of alert %" G_GINT64_FORMAT ": %s",
                         s->said->night, alert,
                         s->said->alert != 0 ? "move or remove that first"
                                             : "accept it, move it or remove it");
    return true;
}

static bool not_measured(const setting *s, GError **error) {
    char today[11];
    srv_day_text(s->now_ms / SRV_DAY_MS, today);
    if (strcmp(s->said->night, today) > 0)
        return SRV__FAIL(
            error, SRV_ERROR, SRV_ERROR_INVALID,
            "night: %s is in the future; a level begins with a night that was measured",
            s->said->night);
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "night: %s was not measured%s",
                     s->said->night, s->said->alert != 0 ? " in the series of the alert" : "");
}

/* The series that are meant: the alert's, or those that were measured that night. */
static GArray *series_of(const setting *s, GError **error) {
    GArray *list = srv__ids(s->store, ASK(baseline_series, s->project, s->said->night), error);
    if (!list || s->said->alert == 0)
        return list;
    const int64_t own = s->alert.series;
    const bool there = srv__ids_place(list, own) < list->len;
    g_array_set_size(list, 0);
    if (there)
        g_array_append_val(list, own);
    return list;
}

/* The first experiment of a series on or after a night is `to`, the one before it `from`; 0: there
 * is none. */
static bool first_of(srv_store *store, int64_t series, const char *night, place *first,
                     GError **error) {
    bool there;
    return srv__one(store, ASK(baseline_place, series, night), &place_noun, first, &there, error);
}

/* Is there a night before in any of them? before, id: out, those of the last that has. */
static bool night_check(setting *s, int64_t *before, int64_t *id, GError **error) {
    g_autoptr(GArray) list = series_of(s, error);
    if (!list)
        return false;
    if (list->len == 0)
        return not_measured(s, error);
    for (guint i = 0; i < list->len; i++) {
        place first;
        if (!first_of(s->store, g_array_index(list, int64_t, i), s->said->night, &first, error))
            return false;
        if (first.from != 0) {
            *before = first.from;
            *id = first.to;
        }
    }
    if (*before == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "night: %s is the first of its series: its level begins there anyway",
                         s->said->night);
    return portions_find(s, error) && night_free(s, error);
}

/* The alert says where it is now, and who says so. */
static bool alert_move(setting *s, int64_t before, int64_t id, GError **error) {
    const int64_t alert = s->said->alert;
    g_autofree char *why = s->said->night
                               ? g_strdup_printf(CFG_ALERT_MOVED "%s to %s: %s", s->alert.night,
                                                 s->said->night, s->said->reason)
                               : g_strdup_printf("removed by hand: %s", s->said->reason);
    if (!s->said->night)
        return srv__alert_note(s->store, alert, "withdrawn", s->said->author, why, s->now_ms,
                               error) &&
               srv__alert_unfix(s->store, alert, s->now_ms, error) &&
               srv__explanation_drop(s->store, alert, "the alert was withdrawn", s->now_ms, error);
    return srv__run(s->store, ASK(baseline_alert_move, alert, before, id), error) &&
           srv__alert_note(s->store, alert, s->alert.state, s->said->author, why, s->now_ms,
                           error) &&
           srv__bisection_follow(s->store, alert, true, s->now_ms, error) &&
           srv__explanation_follow(s->store, alert, s->now_ms, error);
}

/* One series once more, from the first of its nights on or after this one. */
static bool series_again(srv_store *store, int64_t series, const char *night, int64_t now_ms,
                         GError **error) {
    place first;
    return first_of(store, series, night, &first, error) &&
           (first.to == 0 || srv__series_again(store, series, first.to, now_ms, error));
}

/* was: the night of the alert, as it was; series: its own, 0: no alert's. */
static bool judge_again(srv_store *store, int64_t project, int64_t series, const char *night,
                        const char *was, int64_t now_ms, GError **error) {
    if (series != 0)
        return series_again(store, series, night && strcmp(night, was) < 0 ? night : was, now_ms,
                            error);
    g_autoptr(GArray) list = srv__ids(store, ASK(baseline_series, project, night), error);
    bool good = list != NULL;
    for (guint i = 0; good && i < list->len; i++)
        good = series_again(store, g_array_index(list, int64_t, i), night, now_ms, error);
    return good;
}

static bool audit(srv_store *store, int64_t id, const char *what, const srv_baseline *said,
                  int64_t now_ms, GError **error) {
    g_autofree char *line = g_strdup_printf("baseline %" G_GINT64_FORMAT " %s", id, what);
    const srv_audit_row row = {now_ms, now_ms, "baseline", said->author, "", line, said->reason, 1};
    return srv__audit_change(store, &row, error);
}

static char *told(const setting *s, const char *project) {
    if (s->said->alert == 0)
        return g_strdup_printf("made: %s, from %s on", project, s->said->night);
    g_autofree char *alert = g_strdup_printf("alert %" G_GINT64_FORMAT, s->said->alert);
    return s->said->night
               ? g_strdup_printf("made: %s, %s moved from %s to %s", project, alert, s->alert.night,
                                 s->said->night)
               : g_strdup_printf("made: %s, %s of %s removed", project, alert, s->alert.night);
}

static bool set_in(setting *s, const char *project, int64_t *id, GError **error) {
    const srv_baseline *b = s->said;
    int64_t before = 0, first = 0;
    if (!srv__project_id(s->store, project, &s->project, error) || !alert_check(s, error) ||
        (b->night && !night_check(s, &before, &first, error)))
        return false;
    g_autofree char *names = s->portions ? json_dumps(s->portions, JSON_COMPACT) : NULL;
    g_autofree char *what = told(s, project);
    return srv__insert(s->store,
                       ASK(baseline_insert, s->project, b->night, names, srv__arg_key(b->alert),
                           srv__arg_key(s->alert.from), srv__arg_key(s->alert.to), s->alert.state,
                           b->reason, b->author, s->now_ms),
                       id, error) &&
           (b->alert == 0 || alert_move(s, before, first, error)) &&
           audit(s->store, *id, what, b, s->now_ms, error) &&
           judge_again(s->store, s->project, s->alert.series, b->night, s->alert.night, s->now_ms,
                       error);
}

bool srv__baseline_put(srv_store *store, const char *project, const srv_baseline *baseline,
                       int64_t now_ms, int64_t *id, GError **error) {
    setting s = {.store = store, .said = baseline, .now_ms = now_ms};
    const bool good = words_check(baseline, error) && set_in(&s, project, id, error);
    place_clear(&s.alert);
    json_decref(s.portions);
    return good;
}

bool srv_baseline_set(srv_store *store, const char *project, const srv_baseline *baseline,
                      int64_t now_ms, int64_t *id, GError **error) {
    return srv__begin(store, error) &&
           srv__end(store, srv__baseline_put(store, project, baseline, now_ms, id, error), error);
}

static bool alert_now(srv_store *store, const place *row, place *now, GError **error) {
    bool there;
    return srv__one(store, ASK(baseline_alert, row->project, row->alert), &place_noun, now, &there,
                    error);
}

/* Where it was before somebody moved it. */
static bool alert_back(srv_store *store, const place *row, const srv_baseline *said, int64_t now_ms,
                       GError **error) {
    g_auto(place) now = {0};
    if (row->alert == 0 || !row->night)
        return true;
    if (!srv__run(store, ASK(baseline_alert_move, row->alert, row->from, row->to), error) ||
        !srv__bisection_follow(store, row->alert, true, now_ms, error) ||
        !alert_now(store, row, &now, error))
        return false;
    g_autofree char *why = g_strdup_printf(CFG_ALERT_MOVED_BACK "%s: %s", now.night, said->reason);
    return srv__alert_note(store, row->alert, now.state, said->author, why, now_ms, error) &&
           srv__explanation_follow(store, row->alert, now_ms, error);
}

/* A removed one that the nights show again has the state that it had. */
static bool state_back(srv_store *store, const place *row, const srv_baseline *said, int64_t now_ms,
                       GError **error) {
    g_auto(place) now = {0};
    if (row->alert == 0 || row->night || !srv__alert_state_ok(row->old_state))
        return true;
    return alert_now(store, row, &now, error) &&
           (g_strcmp0(now.state, "open") != 0 || strcmp(row->old_state, "open") == 0 ||
            srv__alert_note(store, row->alert, row->old_state, said->author, said->reason, now_ms,
                            error));
}

static bool undo_in(srv_store *store, int64_t id, const srv_baseline *said, int64_t now_ms,
                    GError **error) {
    g_auto(place) row = {0};
    bool there;
    int64_t changed = 0;
    if (!srv__one(store, ASK(baseline_get, id), &place_noun, &row, &there, error))
        return false;
    if (!there)
        return SRV__NONE(error, "baseline", id);
    return srv__change(store, ASK(baseline_end, id, now_ms), &changed, error) &&
           alert_back(store, &row, said, now_ms, error) &&
           audit(store, id, "undone", said, now_ms, error) &&
           judge_again(store, row.project, row.series, row.night, row.was, now_ms, error) &&
           state_back(store, &row, said, now_ms, error);
}

bool srv_baseline_undo(srv_store *store, int64_t id, const char *author, const char *reason,
                       int64_t now_ms, GError **error) {
    const srv_baseline said = {.author = author, .reason = reason};
    if (!srv__decision_text_check("author", author, error) ||
        !srv__decision_text_check("reason", reason, error) || !srv__begin(store, error))
        return false;
    return srv__end(store, undo_in(store, id, &said, now_ms, error), error);
}
