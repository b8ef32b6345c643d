#include "server/alarm/baselines.h"

#include "config/date.h"
#include "server/alarm/alert_fix.h"
#include "server/alarm/alert_rows.h"
#include "server/alarm/decision.h"
#include "server/alarm/explanation.h"
#include "server/alarm/series.h"
#include "server/store/projects.h"
#include "server/store/store_audit.h"
#include "server/store/store_sql.h"
#include "sql/baseline.h"

#include <string.h>

/* One that is being set; owned where it says so. */
typedef struct {
    srv_store *store;
    const srv_baseline *said;
    int64_t project, now_ms;
    json_t *alert;    /* owned; NULL: it is not an alert's */
    json_t *portions; /* owned; NULL: all */
} setting;

static void setting_clear(setting *s) {
    json_decref(s->alert);
    json_decref(s->portions);
}

static int64_t number(const json_t *row, const char *key) {
    return json_integer_value(json_object_get(row, key));
}

static const char *text(const json_t *row, const char *key) {
    return json_string_value(json_object_get(row, key));
}

G_GNUC_PRINTF(3, 4) static bool refuse(GError **error, srv_error code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    g_autofree char *said = g_strdup_vprintf(format, list);
    va_end(list);
    g_set_error_literal(error, SRV_ERROR, code, said);
    return false;
}

static bool words_check(const srv_baseline *b, GError **error) {
    GDate day;
    if (!b->night && b->alert == 0)
        return refuse(error, SRV_ERROR_INVALID, "night: say with which night the level begins");
    if (b->night && !cfg_date_read(b->night, &day))
        return refuse(error, SRV_ERROR_INVALID, "night: must be a date, YYYY-MM-DD");
    if (b->portions && b->alert != 0)
        return refuse(error, SRV_ERROR_INVALID, "portions: an alert has its own; leave them out");
    if (b->portions && (!json_is_array(b->portions) || json_array_size(b->portions) == 0))
        return refuse(error, SRV_ERROR_INVALID, "portions: must be a list of names; all: none");
    if (!srv__decision_text_check("reason", b->reason, error) ||
        !srv__decision_text_check("author", b->author, error))
        return false;
    if (strlen(b->reason) > SRV_BASELINE_BYTES || strpbrk(b->reason, "\r\n"))
        return refuse(error, SRV_ERROR_INVALID, "reason: must be one line of at most %d bytes",
                      SRV_BASELINE_BYTES);
    return true;
}

static bool alert_check(setting *s, GError **error) {
    const srv_baseline *b = s->said;
    if (b->alert == 0)
        return true;
    if (!srv__object(s->store, SQL(baseline_alert), SRV__ARGS(SRV__I(s->project), SRV__I(b->alert)),
                     &s->alert, error))
        return false;
    if (!s->alert)
        return refuse(error, SRV_ERROR_NOT_FOUND, "the project has no alert %" G_GINT64_FORMAT,
                      b->alert);
    if (number(s->alert, "held") != 0)
        return refuse(error, SRV_ERROR_CONFLICT,
                      "alert %" G_GINT64_FORMAT
                      " was set by hand already: undo baseline %" G_GINT64_FORMAT " first",
                      b->alert, number(s->alert, "held"));
    if (g_strcmp0(text(s->alert, "state"), "withdrawn") == 0)
        return refuse(error, SRV_ERROR_CONFLICT,
                      "alert %" G_GINT64_FORMAT " was withdrawn: its level is gone already",
                      b->alert);
    if (g_strcmp0(text(s->alert, "night"), b->night) == 0)
        return refuse(error, SRV_ERROR_CONFLICT,
                      "the level of alert %" G_GINT64_FORMAT " begins with %s already", b->alert,
                      b->night);
    s->portions =
        srv__array(s->store, SQL(baseline_alert_portions), SRV__ARGS(SRV__I(b->alert)), error);
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
    json_auto_t *known = srv__array(s->store, SQL(baseline_night_portions),
                                    SRV__ARGS(SRV__I(s->project), SRV__T(s->said->night)), error);
    if (!known)
        return false;
    json_auto_t *meant = json_array();
    json_array_foreach (s->said->portions, i, name) {
        size_t found = 0;
        json_array_foreach (known, k, portion)
            found += same(name, portion);
        if (found == 0)
            return refuse(error, SRV_ERROR_INVALID, "portions: %s has no portion \"%s\"",
                          s->said->night,
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
    json_auto_t *others = srv__array(s->store, SQL(baselines_of_night),
                                     SRV__ARGS(SRV__I(s->project), SRV__T(s->said->night)), error);
    if (!others)
        return false;
    json_array_foreach (others, i, row)
        if (overlap(s->portions, json_object_get(row, "portions")))
            return refuse(error, SRV_ERROR_CONFLICT,
                          "baseline %" G_GINT64_FORMAT " begins with %s already: undo it first",
                          number(row, "id"), s->said->night);
    int64_t alert = 0;
    if (!srv__number(s->store, SQL(baseline_alert_of),
                     SRV__ARGS(SRV__I(s->project), SRV__T(s->said->night), SRV__I(s->said->alert)),
                     0, &alert, error))
        return false;
    if (alert != 0)
        return refuse(error, SRV_ERROR_CONFLICT,
                      "a level begins with %s already, that of alert %" G_GINT64_FORMAT ": %s",
                      s->said->night, alert,
                      s->alert ? "move or remove that first" : "accept it, move it or remove it");
    return true;
}

static bool not_measured(const setting *s, GError **error) {
    g_autoptr(GDateTime) now = g_date_time_new_from_unix_utc(s->now_ms / 1000);
    g_autofree char *today = g_date_time_format(now, "%Y-%m-%d");
    if (strcmp(s->said->night, today) > 0)
        return refuse(error, SRV_ERROR_INVALID,
                      "night: %s is to come: a level begins with a night that was measured",
                      s->said->night);
    return refuse(error, SRV_ERROR_INVALID, "night: %s was not measured%s", s->said->night,
                  s->alert ? " in the series of the alert" : "");
}

/* The series that are meant: the alert's, or those that were measured that night. */
static GArray *series_of(const setting *s, GError **error) {
    GArray *list = srv__ids(s->store, SQL(baseline_series),
                            SRV__ARGS(SRV__I(s->project), SRV__T(s->said->night)), error);
    if (!list || !s->alert)
        return list;
    const int64_t own = number(s->alert, "series");
    bool there = false;
    for (guint i = 0; i < list->len; i++)
        there |= g_array_index(list, int64_t, i) == own;
    g_array_set_size(list, 0);
    if (there)
        g_array_append_val(list, own);
    return list;
}

/* Is there a night before in any of them? before, id: out, those of the last that has. */
static bool night_check(setting *s, int64_t *before, int64_t *id, GError **error) {
    g_autoptr(GArray) list = series_of(s, error);
    if (!list)
        return false;
    if (list->len == 0)
        return not_measured(s, error);
    for (guint i = 0; i < list->len; i++) {
        json_t *place = NULL;
        if (!srv__object(s->store, SQL(baseline_place),
                         SRV__ARGS(SRV__I(g_array_index(list, int64_t, i)), SRV__T(s->said->night)),
                         &place, error))
            return false;
        if (number(place, "before") != 0) {
            *before = number(place, "before");
            *id = number(place, "id");
        }
        json_decref(place);
    }
    if (*before == 0)
        return refuse(error, SRV_ERROR_INVALID,
                      "night: %s is the first of its series: its level begins there anyway",
                      s->said->night);
    return portions_find(s, error) && night_free(s, error);
}

/* The alert says where it is now, and who says so. */
static bool alert_move(setting *s, int64_t before, int64_t id, GError **error) {
    const int64_t alert = s->said->alert;
    g_autofree char *why =
        s->said->night ? g_strdup_printf("moved by hand from %s to %s: %s", text(s->alert, "night"),
                                         s->said->night, s->said->reason)
                       : g_strdup_printf("removed by hand: %s", s->said->reason);
    if (!s->said->night)
        return srv__alert_note(s->store, alert, "withdrawn", s->said->author, why, s->now_ms,
                               error) &&
               srv__alert_unfix(s->store, alert, s->now_ms, error) &&
               srv__explanation_drop(s->store, alert, "the alert was withdrawn", s->now_ms, error);
    return srv__run(s->store, SQL(baseline_alert_move),
                    SRV__ARGS(SRV__I(alert), SRV__I(before), SRV__I(id)), NULL, error) &&
           srv__alert_note(s->store, alert, text(s->alert, "state"), s->said->author, why,
                           s->now_ms, error) &&
           srv__explanation_follow(s->store, alert, s->now_ms, error);
}

/* One series once more, from the first of its nights on or after this one. */
static bool series_again(srv_store *store, int64_t series, const char *night, int64_t now_ms,
                         GError **error) {
    json_t *place = NULL;
    if (!srv__object(store, SQL(baseline_place), SRV__ARGS(SRV__I(series), SRV__T(night)), &place,
                     error))
        return false;
    const int64_t id = number(place, "id");
    json_decref(place);
    return id == 0 || srv__series_again(store, series, id, now_ms, error);
}

/* was: the night of the alert, as it was; series: its own, 0: no alert's. */
static bool judge_again(srv_store *store, int64_t project, int64_t series, const char *night,
                        const char *was, int64_t now_ms, GError **error) {
    if (series != 0)
        return series_again(store, series, night && strcmp(night, was) < 0 ? night : was, now_ms,
                            error);
    g_autoptr(GArray) list =
        srv__ids(store, SQL(baseline_series), SRV__ARGS(SRV__I(project), SRV__T(night)), error);
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
    if (!s->alert)
        return g_strdup_printf("made: %s, from %s on", project, s->said->night);
    g_autofree char *alert = g_strdup_printf("alert %" G_GINT64_FORMAT, s->said->alert);
    return s->said->night ? g_strdup_printf("made: %s, %s moved from %s to %s", project, alert,
                                            text(s->alert, "night"), s->said->night)
                          : g_strdup_printf("made: %s, %s of %s removed", project, alert,
                                            text(s->alert, "night"));
}

/* A row to be; portions: JSON text, NULL: all. from, to, old_state: of the alert; 0, NULL: none. */
typedef struct {
    int64_t project;
    const srv_baseline *said;
    const char *portions, *old_state;
    int64_t from, to;
} srv__baseline_row;

static bool baseline_insert(srv_store *store, const srv__baseline_row *row, int64_t now_ms,
                            int64_t *id, GError **error) {
    const srv_baseline *said = row->said;
    return srv__insert(store, SQL(baseline_insert),
                       SRV__ARGS(SRV__I(row->project), SRV__T(said->night), SRV__T(row->portions),
                                 SRV__ID(said->alert), SRV__ID(row->from), SRV__ID(row->to),
                                 SRV__T(row->old_state), SRV__T(said->reason), SRV__T(said->author),
                                 SRV__I(now_ms)),
                       id, error);
}

static bool set_in(setting *s, const char *project, int64_t *id, GError **error) {
    const srv_baseline *b = s->said;
    int64_t before = 0, first = 0;
    if (!srv__project_id(s->store, project, &s->project, error) || !alert_check(s, error) ||
        (b->night && !night_check(s, &before, &first, error)))
        return false;
    g_autofree char *names = s->portions ? json_dumps(s->portions, JSON_COMPACT) : NULL;
    g_autofree char *what = told(s, project);
    const srv__baseline_row row = {.project = s->project,
                                   .said = b,
                                   .portions = names,
                                   .old_state = text(s->alert, "state"),
                                   .from = number(s->alert, "from"),
                                   .to = number(s->alert, "to")};
    return baseline_insert(s->store, &row, s->now_ms, id, error) &&
           (!s->alert || alert_move(s, before, first, error)) &&
           audit(s->store, *id, what, b, s->now_ms, error) &&
           judge_again(s->store, s->project, number(s->alert, "series"), b->night,
                       text(s->alert, "night"), s->now_ms, error);
}

bool srv__baseline_put(srv_store *store, const char *project, const srv_baseline *baseline,
                       int64_t now_ms, int64_t *id, GError **error) {
    setting s = {.store = store, .said = baseline, .now_ms = now_ms};
    const bool good = words_check(baseline, error) && set_in(&s, project, id, error);
    setting_clear(&s);
    return good;
}

bool srv_baseline_set(srv_store *store, const char *project, const srv_baseline *baseline,
                      int64_t now_ms, int64_t *id, GError **error) {
    return srv__begin(store, error) &&
           srv__end(store, srv__baseline_put(store, project, baseline, now_ms, id, error), error);
}

/* Where it was before somebody moved it. */
static bool alert_back(srv_store *store, const json_t *row, const srv_baseline *said,
                       int64_t now_ms, GError **error) {
    const int64_t alert = number(row, "alert");
    if (alert == 0 || !text(row, "night"))
        return true;
    json_t *now = NULL;
    g_autofree char *why = g_strdup_printf("moved back to %s: %s", text(row, "was"), said->reason);
    if (!srv__object(store, SQL(baseline_alert),
                     SRV__ARGS(SRV__I(number(row, "project")), SRV__I(alert)), &now, error))
        return false;
    const bool good =
        srv__run(store, SQL(baseline_alert_move),
                 SRV__ARGS(SRV__I(alert), SRV__I(number(row, "from")), SRV__I(number(row, "to"))),
                 NULL, error) &&
        srv__alert_note(store, alert, text(now, "state"), said->author, why, now_ms, error) &&
        srv__explanation_follow(store, alert, now_ms, error);
    json_decref(now);
    return good;
}

/* A removed one that the nights show again has the state that it had. */
static bool state_back(srv_store *store, const json_t *row, const srv_baseline *said,
                       int64_t now_ms, GError **error) {
    const char *old = text(row, "old_state");
    json_t *now = NULL;
    if (number(row, "alert") == 0 || text(row, "night") || !srv__alert_state_ok(old))
        return true;
    if (!srv__object(store, SQL(baseline_alert),
                     SRV__ARGS(SRV__I(number(row, "project")), SRV__I(number(row, "alert"))), &now,
                     error))
        return false;
    const char *state = text(now, "state");
    const bool good = g_strcmp0(state, "open") != 0 || strcmp(old, "open") == 0 ||
                      srv__alert_note(store, number(row, "alert"), old, said->author, said->reason,
                                      now_ms, error);
    json_decref(now);
    return good;
}

static bool undo_in(srv_store *store, int64_t id, const srv_baseline *said, int64_t now_ms,
                    GError **error) {
    json_auto_t *row = NULL;
    int64_t changed = 0;
    if (!srv__object(store, SQL(baseline_get), SRV__ARGS(SRV__I(id)), &row, error))
        return false;
    if (!row)
        return refuse(error, SRV_ERROR_NOT_FOUND, "there is no baseline %" G_GINT64_FORMAT, id);
    return srv__run(store, SQL(baseline_end),
                    SRV__ARGS(SRV__I(id), SRV__I(now_ms), SRV__T(said->author)), &changed, error) &&
           alert_back(store, row, said, now_ms, error) &&
           audit(store, id, "undone", said, now_ms, error) &&
           judge_again(store, number(row, "project"), number(row, "series"), text(row, "night"),
                       text(row, "was"), now_ms, error) &&
           state_back(store, row, said, now_ms, error);
}

bool srv_baseline_undo(srv_store *store, int64_t id, const char *author, const char *reason,
                       int64_t now_ms, GError **error) {
    const srv_baseline said = {.author = author, .reason = reason};
    if (!srv__decision_text_check("author", author, error) ||
        !srv__decision_text_check("reason", reason, error) || !srv__begin(store, error))
        return false;
    return srv__end(store, undo_in(store, id, &said, now_ms, error), error);
}
