#include "server/alarm/series_alerts.h"

#include "server/alarm/bisection.h"
#include "server/alarm/expectations.h"
#include "server/alarm/explanation.h"
#include "server/alarm/series_rows.h"
#include "sql/alert.h"
#include "sql/series.h"

#include <math.h>

static const char *direction_text(const srv__anomaly *a) {
    return a->direction > 0 ? "up" : "down";
}

static double percent(const srv__anomaly *a) {
    return a->before.mean != 0 ? 100 * a->difference.mean / fabs(a->before.mean) : NAN;
}

/* Which alert tells of an anomaly; id 0: none. */
typedef struct {
    int64_t id;
    bool withdrawn, alike; /* alike: it is led by the same dimension */
    bool behind;           /* another portion or dimension leads it, and may be followed */
    double led_ns;         /* by how much what leads it changed, in its dimension's unit */
    char leader[32];       /* the dimension of that */
} alert_of;

/* The alert with this portion's change of that night, a live one first. */
static bool alert_find(srv_store *store, int64_t series, const srv__anomaly *a, alert_of *out,
                       GError **error) {
    static const model_member members[] = {MODELS(alert_of, id, withdrawn, alike, behind, led_ns),
                                           MODEL_CHARS_OF(alert_of, leader, "leader")};
    static const model_noun noun = MODEL_NOUN(alert_of, members, "alert");
    bool there;
    return srv__one(
        store,
        ASK(alert_find, series, a->configuration_name, a->to, direction_text(a), a->dimension),
        &noun, out, &there, error);
}

/* The withdrawn alert of this portion and direction that spanned the nights of this one, 0: none.
 */
static bool withdrawn_around(srv_store *store, int64_t series, const srv__anomaly *a, int64_t *id,
                             GError **error) {
    return srv__number(store,
                       ASK(alert_withdrawn_around, series, a->configuration_name, direction_text(a),
                           a->from, a->to, a->dimension),
                       0, id, error);
}

/* Nights and largest portion are those of this anomaly from now on. */
static bool lead_put(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(store,
                    ASK(alert_lead, id, a->from, a->to, a->seen, SRV__RANGE(a->before),
                        SRV__RANGE(a->after), SRV__RANGE(a->difference), percent(a), a->reason,
                        a->portion, a->configuration_name, direction_text(a), a->dimension),
                    error) &&
           srv__run(store, ASK(alert_begin, id), error);
}

/* The portion's figures, new or anew. */
static bool portion_put(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(store,
                    ASK(alert_portion_put, id, a->configuration_name, a->portion, direction_text(a),
                        a->seen, SRV__RANGE(a->before), SRV__RANGE(a->after),
                        SRV__RANGE(a->difference), percent(a), a->reason, a->dimension),
                    error);
}

/* A new alert with this portion as the largest one. */
static bool alert_insert(srv_store *store, int64_t series, const srv__anomaly *a, int64_t now_ms,
                         int64_t *id, GError **error) {
    return srv__insert(store,
                       ASK(alert_insert, series, a->portion, a->configuration_name,
                           direction_text(a), a->from, a->to, a->seen, now_ms, a->reason,
                           a->dimension),
                       id, error) &&
           lead_put(store, *id, a, error) && portion_put(store, *id, a, error);
}

/* Of a dimension, the most weighty change that begins with a night; NULL: none does. */
static const srv__anomaly *heaviest(const GArray *anomalies, const char *dimension, int64_t to) {
    const srv__anomaly *most = NULL;
    for (guint i = 0; dimension && i < anomalies->len; i++) {
        const srv__anomaly *a = &g_array_index(anomalies, srv__anomaly, i);
        if (a->to == to && g_str_equal(a->dimension, dimension) &&
            (!most || a->weight > most->weight))
            most = a;
    }
    return most;
}

/* What follows from the time of a call is told behind that. */
static double weight_of(const GArray *anomalies, const srv__anomaly *of) {
    const det_dimension *dimension = det_dimension_find(of->dimension);
    const srv__anomaly *own = heaviest(anomalies, of->dimension, of->to),
                       *time = heaviest(anomalies, SRV__TIME, of->to);
    return dimension && dimension->follows && time ? fmin(own->weight, 0.999 * time->weight)
                                                   : own->weight;
}

/* The worst dimension first, and in each the largest change. */
static bool is_before(const GArray *anomalies, guint one, guint other) {
    const srv__anomaly *a = &g_array_index(anomalies, srv__anomaly, one),
                       *b = &g_array_index(anomalies, srv__anomaly, other);
    if (!g_str_equal(a->dimension, b->dimension))
        return weight_of(anomalies, a) > weight_of(anomalies, b);
    return fabs(a->difference.mean) > fabs(b->difference.mean);
}

/* Places of the anomalies, what is told first at the front. */
static guint *ranked_of(const GArray *anomalies) {
    guint *ranked = g_new(guint, MAX(anomalies->len, 1));
    for (guint i = 0; i < anomalies->len; i++) {
        guint at = i;
        for (; at > 0 && is_before(anomalies, i, ranked[at - 1]); at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = i;
    }
    return ranked;
}

/* A portion that nobody was told of; id: the alert it joins, 0: none; fresh: alerts of this call,
 * told of when they are complete. */
static bool portion_add(srv_store *store, int64_t series, const srv__anomaly *a, int64_t id,
                        GArray *fresh, int64_t now_ms, GError **error) {
    if (id == 0) {
        bool good = alert_insert(store, series, a, now_ms, &id, error);
        g_array_append_val(fresh, id);
        return good;
    }
    if (!portion_put(store, id, a, error))
        return false;
    if (srv__ids_place(fresh, id) < fresh->len)
        return true;
    g_autofree char *reason = g_strdup_printf("%s changed with it: %s", a->portion, a->reason);
    return srv__alert_keep(store, id, reason, now_ms, error) &&
           srv__alert_fixes(store, id, now_ms, error) &&
           srv__explanation_follow(store, id, now_ms, error);
}

/* It is told again under the number that people know. */
static bool revive(srv_store *store, int64_t id, const srv__anomaly *a, int64_t now_ms,
                   GError **error) {
    return lead_put(store, id, a, error) && portion_put(store, id, a, error) &&
           srv__bisection_follow(store, id, true, now_ms, error) &&
           srv__alert_note(store, id, "open", SRV__DETECTOR, "the nights show it again", now_ms,
                           error) &&
           srv__explanation_start(store, id, now_ms, error);
}

/* The change of an alert that was withdrawn, within fewer nights than it spanned: its other
 * portions were of those nights, and join again where they still are. */
static bool revive_narrowed(srv_store *store, int64_t id, const srv__anomaly *a, int64_t now_ms,
                            GError **error) {
    return srv__run(store, ASK(alert_portions_drop, id), error) &&
           revive(store, id, a, now_ms, error);
}

static bool anomaly_add(srv_store *store, int64_t series, const srv__anomaly *a, GArray *fresh,
                        int64_t now_ms, GError **error) {
    alert_of told;
    int64_t wider, joins;
    if (!alert_find(store, series, a, &told, error))
        return false;
    if (told.id != 0)
        return !told.withdrawn ||
               (told.alike ? revive : revive_narrowed)(store, told.id, a, now_ms, error);
    if (!srv__number(store,
                     ASK(alert_joins, series, a->to, a->configuration_name, a->dimension, a->seen),
                     0, &joins, error) ||
        !withdrawn_around(store, series, a, &wider, error))
        return false;
    return joins == 0 && wider != 0 ? revive_narrowed(store, wider, a, now_ms, error)
                                    : portion_add(store, series, a, joins, fresh, now_ms, error);
}

static bool tell(srv_store *store, int64_t id, int64_t now_ms, GError **error) {
    g_autofree char *reason = NULL;
    return srv__text(store, ASK(alert_reason, id), &reason, error) &&
           srv__alert_note(store, id, "open", SRV__DETECTOR, reason, now_ms, error) &&
           srv__alert_fixes(store, id, now_ms, error) &&
           srv__expectations_answer(store, id, now_ms, error) &&
           srv__explanation_start(store, id, now_ms, error);
}

/* An explanation that was asked for before is of what led then. */
static bool lead_take(srv_store *store, const alert_of *told, const srv__anomaly *a, int64_t now_ms,
                      GError **error) {
    return lead_put(store, told->id, a, error) &&
           srv__bisection_follow(store, told->id, false, now_ms, error) &&
           (told->alike ? srv__explanation_drop : srv__explanation_forget)(
               store, told->id, "another change leads the alert now", now_ms, error) &&
           srv__explanation_start(store, told->id, now_ms, error);
}

/* Is it worse than what leads its alert? That is not among the anomalies where an earlier call
 * found it. */
static bool is_worse(const GArray *anomalies, const srv__anomaly *a, const alert_of *told) {
    const det_dimension *leader = det_dimension_find(told->leader);
    if (told->alike)
        return fabs(a->difference.mean) > fabs(told->led_ns);
    return heaviest(anomalies, told->leader, a->to) ||
           (leader && leader->follows && g_str_equal(a->dimension, SRV__TIME));
}

/* The worst portion leads its alert, whichever was found first. */
static bool leads_put(srv_store *store, int64_t series, const GArray *anomalies,
                      const guint *ranked, int64_t now_ms, GError **error) {
    g_autoptr(GArray) led = g_array_new(FALSE, FALSE, sizeof(int64_t));
    bool good = true;
    for (guint i = 0; good && i < anomalies->len; i++) {
        const srv__anomaly *a = &g_array_index(anomalies, srv__anomaly, ranked[i]);
        alert_of told;
        good = alert_find(store, series, a, &told, error);
        if (!good || srv__ids_place(led, told.id) < led->len)
            continue;
        g_array_append_val(led, told.id);
        good = !told.behind || !is_worse(anomalies, a, &told) ||
               lead_take(store, &told, a, now_ms, error);
    }
    return good;
}

bool srv__alerts_add(srv_store *store, int64_t series, const GArray *anomalies, int64_t now_ms,
                     GError **error) {
    g_autofree guint *ranked = ranked_of(anomalies);
    g_autoptr(GArray) fresh = g_array_new(FALSE, FALSE, sizeof(int64_t));
    bool good = true;
    for (guint i = 0; good && i < anomalies->len; i++)
        good = anomaly_add(store, series, &g_array_index(anomalies, srv__anomaly, ranked[i]), fresh,
                           now_ms, error);
    good = good && leads_put(store, series, anomalies, ranked, now_ms, error);
    for (guint i = 0; good && i < fresh->len; i++)
        good = tell(store, g_array_index(fresh, int64_t, i), now_ms, error);
    return good;
}

/* A portion of an alert as it was raised, with the places its nights have now. */
typedef struct {
    int64_t id, from, to, seen;
    char *configuration, *dimension;
    bool largest, up;
    guint from_place, to_place;
    const srv__anomaly *now; /* what has become of it; NULL: it does not follow any more */
} raised;

static const model_member raised_members[] = {MODEL(raised, id, "id"),
                                              MODEL(raised, to, "dated_experiment"),
                                              MODELS(raised, configuration, dimension, up),
                                              MODEL(raised, from, "from_experiment"),
                                              MODEL(raised, largest, "largest"),
                                              MODEL(raised, seen, "seen_experiment")};
static const model_noun raised_noun = MODEL_NOUN(raised, raised_members, "portion of an alert");

/* A change that is being measured again. */
typedef struct {
    char *configuration, *dimension;
    bool up;
    int64_t to;
} waiting;

static const model_member waiting_members[] = {MODELS(waiting, configuration, dimension, up),
                                               MODEL(waiting, to, "to_experiment")};
static const model_noun waiting_noun = MODEL_NOUN(waiting, waiting_members, "suspicion");

/* The portions of a dimension seen at or after a place, an alert's largest one first; without
 * withdrawn alerts. */
static bool raised_load(srv_store *store, int64_t series, const char *dimension, const GArray *ids,
                        guint seen_from, model_list *list, GError **error) {
    if (!srv__many(store, ASK(alert_portions_of_series, series), &raised_noun, list, error))
        return false;
    raised *all = list->items;
    unsigned kept = 0;
    for (unsigned i = 0; i < list->count; i++) {
        if (srv__ids_place(ids, all[i].seen) < seen_from ||
            !g_str_equal(all[i].dimension, dimension)) {
            model_clear(&raised_noun, &all[i]);
            continue;
        }
        all[i].from_place = srv__ids_place(ids, all[i].from);
        all[i].to_place = srv__ids_place(ids, all[i].to);
        all[kept++] = all[i];
    }
    list->count = kept;
    return true;
}

static int direction_of(bool up) {
    return up ? 1 : -1;
}

static bool same_kind(const raised *portion, const srv__anomaly *anomaly) {
    return direction_of(portion->up) == anomaly->direction &&
           g_str_equal(portion->configuration, anomaly->configuration_name) &&
           g_str_equal(portion->dimension, anomaly->dimension);
}

/* The anomaly that is this portion's, exactly or within the nights it spanned. */
static const srv__anomaly *successor(const raised *portion, const GArray *anomalies) {
    const srv__anomaly *inside = NULL;
    for (guint i = 0; i < anomalies->len; i++) {
        const srv__anomaly *anomaly = &g_array_index(anomalies, srv__anomaly, i);
        if (!same_kind(portion, anomaly))
            continue;
        if (anomaly->to == portion->to)
            return anomaly;
        if (!inside && anomaly->from_place >= portion->from_place &&
            anomaly->to_place <= portion->to_place)
            inside = anomaly;
    }
    return inside;
}

static bool withdraw(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__alert_note(store, alert, "withdrawn", SRV__DETECTOR, reason, now_ms, error) &&
           srv__alert_unfix(store, alert, now_ms, error) &&
           srv__explanation_drop(store, alert, "the alert was withdrawn", now_ms, error);
}

/* Portions that still follow with the largest one stay, the others go their own way. largest NULL:
 * they were found later than their largest one, which still stands as it was, and so must they. */
static bool portions_sort(srv_store *store, const raised *portions, guint count,
                          const srv__anomaly *largest, int64_t now_ms, GError **error) {
    bool good = true;
    for (guint i = 0; good && i < count; i++) {
        const raised *p = &portions[i];
        good = p->now && p->now->to == (largest ? largest->to : p->to)
                   ? portion_put(store, p->id, p->now, error)
                   : srv__run(store, ASK(alert_portion_drop, p->id, p->configuration, p->dimension),
                              error);
    }
    return good && srv__run(store, ASK(alert_portions_unlike, portions[0].id), error) &&
           srv__alert_fixes(store, portions[0].id, now_ms, error);
}

/* Is the change of one of these portions being measured again within the nights it spanned? Until
 * that has its answer the alert stands as it was told. */
static bool asked_again(const raised *portions, guint count, const model_list *asked,
                        const GArray *ids) {
    const waiting *row = asked->items;
    for (unsigned k = 0; k < asked->count; k++, row++) {
        const guint to = srv__ids_place(ids, row->to);
        for (guint i = 0; i < count; i++)
            if (row->up == portions[i].up && to > portions[i].from_place &&
                to <= portions[i].to_place &&
                g_str_equal(portions[i].configuration, row->configuration) &&
                g_str_equal(portions[i].dimension, row->dimension))
                return true;
    }
    return false;
}

static bool moves(const raised *portions, guint count) {
    for (guint i = 0; i < count; i++)
        if (portions[i].now && portions[i].now->to != portions[i].to)
            return true;
    return false;
}

/* One alert against what is seen now; portions [count], count >= 1, are its own. */
static bool reconcile(srv_store *store, int64_t series, const raised *portions, guint count,
                      int64_t now_ms, GError **error) {
    int64_t id = portions[0].id;
    const srv__anomaly *largest = NULL;
    for (guint i = 0; i < count && !largest; i++)
        largest = portions[i].now;
    if (!portions[0].largest)
        return portions_sort(store, portions, count, NULL, now_ms, error) &&
               srv__event(store, SRV_EVENT_ALERT, id);
    if (!largest)
        return withdraw(store, id, "nights were judged again, and the change is no longer seen",
                        now_ms, error);
    alert_of other;
    if (!alert_find(store, series, largest, &other, error))
        return false;
    if (other.id != 0 && other.id != id)
        return withdraw(store, id, "another alert reports the same change", now_ms, error);
    const bool moved = largest->from != portions[0].from || largest->to != portions[0].to;
    return lead_put(store, id, largest, error) &&
           portions_sort(store, portions, count, largest, now_ms, error) &&
           srv__bisection_follow(store, id, moved, now_ms, error) &&
           srv__explanation_follow(store, id, now_ms, error) &&
           (largest->to == portions[0].to ||
            srv__alert_keep(store, id, "nights were judged again: the range is smaller now", now_ms,
                            error));
}

bool srv__alerts_reconcile(srv_store *store, srv__watched of, const GArray *anomalies,
                           const GArray *ids, guint seen_from, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    g_auto(model_list) asked = {0};
    bool good = raised_load(store, of.series, of.dimension, ids, seen_from, &list, error) &&
                srv__many(store, ASK(suspicions_asked, of.series), &waiting_noun, &asked, error);
    raised *portions = list.items;
    for (guint i = 0; good && i < list.count; i++)
        portions[i].now = successor(&portions[i], anomalies);
    for (guint i = 0, end; good && i < list.count; i = end) {
        for (end = i + 1; end < list.count && portions[end].id == portions[i].id;)
            end++;
        bool stands =
            asked_again(&portions[i], end - i, &asked, ids) && !moves(&portions[i], end - i);
        good = stands || reconcile(store, of.series, &portions[i], end - i, now_ms, error);
    }
    return good;
}
