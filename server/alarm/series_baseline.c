#include "server/alarm/series_walk.h"

#include "config/json_text.h"
#include "config/number.h"
#include "detector/words/change.h"
#include "server/alarm/series_rows.h"
#include "server/store/store_sql.h"
#include "sql/alert.h"
#include "sql/baseline.h"

#include <math.h>
#include <string.h>

/* "levels" of an alert's own in this dimension. People speak of times: of another dimension only
 * what such alerts tell as well is in force. */
static bool levels_add(srv__walk *w, GError **error) {
    for (size_t i = json_array_size(w->baselines); i-- > 0;) {
        json_t *row = json_array_get(w->baselines, i);
        json_auto_t *levels = srv__array(
            w->store, ASK(alert_levels, cfg_json_integer(row, "alert"), w->dimension), error);
        if (!levels)
            return false;
        json_object_set(row, "levels", levels);
        if (w->of)
            json_object_set(row, "portions", levels);
        if (w->of && json_array_size(levels) == 0)
            json_array_remove(w->baselines, i);
    }
    return true;
}

bool srv__walk_baselines_load(srv__walk *w, GError **error) {
    w->baselines = srv__array(w->store, ASK(baselines_of_series, w->id), error);
    return w->baselines && levels_add(w, error);
}

/* The portion in one of a row's lists; NULL: it is not there. */
static const json_t *part_of(const srv__walk *w, const json_t *row, const char *list,
                             size_t portion) {
    size_t i;
    const json_t *one;
    cfg_json_each (row, list, i, one)
        if (g_strcmp0(cfg_json_word(one, "configuration", NULL), w->tree.name[portion]) == 0)
            return one;
    return NULL;
}

static bool concerns(const srv__walk *w, const json_t *row, size_t portion) {
    return !json_is_array(json_object_get(row, "portions")) || part_of(w, row, "portions", portion);
}

/* The nights from where the alert was to where it was moved; false: it is not an alert's. */
static bool span_of(const json_t *row, const char **first, const char **last) {
    const char *was = cfg_json_word(row, "was", NULL), *night = cfg_json_word(row, "night", NULL);
    const bool later = was && night && strcmp(night, was) > 0;
    *first = later || !night ? was : night;
    *last = later ? night : was;
    return was != NULL;
}

/* A change is dated to one of the last nights, so long after nobody asks. */
#define ASKED_DAYS 60

static bool near(const json_t *row, const char *night) {
    const char *first, *last;
    GDate end, now;
    if (!span_of(row, &first, &last) || strcmp(night, first) < 0)
        return false;
    return cfg_date_read(last, &end) && cfg_date_read(night, &now) &&
           g_date_days_between(&end, &now) <= ASKED_DAYS;
}

void srv__walk_baselines_ask(srv__walk *w, const char *night) {
    size_t i;
    const json_t *row;
    bool asks = false;
    json_array_foreach (w->baselines, i, row)
        asks |= near(row, night);
    for (size_t p = 0; json_array_size(w->baselines) > 0 && p < w->tree.chain.count; p++) {
        det_policy policy = srv__walk_policy(w, p);
        policy.ask = asks;
        (void)det_watch_set_policy(w->watch, p, &policy);
    }
}

/* Who said that a level of the portion begins with this night; NULL: nobody. */
static const json_t *beginning(const srv__walk *w, const char *night, size_t portion) {
    size_t i;
    const json_t *row;
    json_array_foreach (w->baselines, i, row)
        if (g_strcmp0(cfg_json_word(row, "night", NULL), night) == 0 && concerns(w, row, portion))
            return row;
    return NULL;
}

/* Who said that none begins with it; NULL: nobody. */
static const json_t *denying(const srv__walk *w, const char *night) {
    size_t i;
    const json_t *row;
    const char *first, *last;
    json_array_foreach (w->baselines, i, row)
        if (span_of(row, &first, &last) && strcmp(night, first) >= 0 && strcmp(night, last) <= 0)
            return row;
    return NULL;
}

/* Who moved the alert of a portion's change away from this night, while the reference is still the
 * level before; NULL: nobody. */
static const json_t *moving(const srv__walk *w, const char *night, size_t portion,
                            const det_verdict *v) {
    size_t i;
    const json_t *row;
    json_array_foreach (w->baselines, i, row) {
        const json_t *level = part_of(w, row, "levels", portion);
        const double after = cfg_json_number(level, "after_ns");
        const double change = after - cfg_json_number(level, "before_ns");
        if (cfg_json_word(row, "night", NULL) &&
            g_strcmp0(cfg_json_word(row, "was", NULL), night) == 0 &&
            fabs(v->reference.mean - after) > fabs(change) / 2)
            return row;
    }
    return NULL;
}

/* figures: what the night shows, which nobody denies; "" where nothing is compared. */
static void reason_put(det_verdict *v, const char *figures, const char *what, const json_t *row) {
    const char *end;
    g_autofree char *whole =
        g_strdup_printf("%s%s%s, set by hand (%s): %s", figures, *figures ? ": " : "", what,
                        cfg_json_word(row, "author", NULL), cfg_json_word(row, "reason", NULL));
    g_strlcpy(v->reason, whole, sizeof v->reason);
    if (!g_utf8_validate(v->reason, -1, &end)) /* cut within a letter */
        v->reason[end - v->reason] = '\0';
}

/* The watch knows no night before the first of a series: nothing is to be done there. */
static void begin(srv__walk *w, int64_t id, size_t portion, const json_t *row, det_verdict *v) {
    if (det_watch_resolve(w->watch, portion, id, DET_CONFIRMED) != DET_OK ||
        v->verdict == DET_VERDICT_HARNESS)
        return;
    v->verdict = DET_VERDICT_FIRST;
    v->rule = DET_RULE_NEW_LEVEL;
    v->direction = 0;
    v->to = id;
    reason_put(v, "", "a new level begins here", row);
}

/* What belongs to a change that was moved is followed in silence; anything else is not. */
static void denied(srv__walk *w, size_t portion, const json_t *row, det_verdict *v) {
    const bool moved = cfg_json_word(row, "night", NULL) != NULL;
    const det_policy policy = srv__walk_policy(w, portion);
    char figures[DET_CHANGE_MAX];
    det_change change = det_change_of(w->tree.chain.name[portion], &v->reference, &v->night,
                                      &v->difference, policy.confidence);
    change.unit = policy.unit;
    change.known = DET_KNOWN_CLEARED;
    det_change_sentence(figures, sizeof figures, &change);
    (void)det_watch_resolve(w->watch, portion, v->to, moved ? DET_CONFIRMED : DET_CLEARED);
    v->verdict = DET_VERDICT_OK;
    v->rule = DET_RULE_BY_HAND;
    v->direction = 0;
    reason_put(v, figures,
               moved ? "belongs to a level that begins on another night" : "no level begins here",
               row);
}

/* What is known to have changed is followed at once: few nights stand behind a level that began by
 * hand, and the reference would come to lie between the two for as long as the rise is not seen. */
static void follow(srv__walk *w, int64_t id, size_t portion, const json_t *row, det_verdict *v) {
    v->to = id;
    if (v->verdict != DET_VERDICT_HARNESS)
        denied(w, portion, row, v);
}

/* Is the change of a portion denied? What is no portion of the alert was not seen while the alert
 * was believed, unless another alert tells of it. row: out, who denies it; NULL: nobody. */
static bool deny(srv__walk *w, size_t portion, const det_verdict *v, const json_t **row,
                 GError **error) {
    char night[DET_LABEL_MAX];
    int64_t alert = 0;
    bool remeasure;
    if (!srv__night_about(w->store, v->to, night, sizeof night, &remeasure, error))
        return false;
    *row = denying(w, night);
    if (!*row || concerns(w, *row, portion))
        return true;
    if (!srv__number(w->store,
                     ASK(alert_still_told, w->id, w->tree.name[portion], v->to, w->dimension), 0,
                     &alert, error))
        return false;
    *row = alert == 0 ? *row : NULL;
    return true;
}

/* The changes that the detector asks about: denied, left to be measured again, or believed; one
 * that is believed explains the night. */
static bool answers(srv__walk *w, det_verdict *verdicts, GError **error) {
    size_t ranked[DET_CONFIGURATIONS_MAX];
    bool believed = false;
    srv__walk_by_evidence(verdicts, w->tree.chain.count, ranked);
    for (size_t k = 0; k < w->tree.chain.count; k++) {
        det_verdict *v = &verdicts[ranked[k]];
        const json_t *row;
        if (v->verdict != DET_VERDICT_SUSPECT)
            continue;
        if (!deny(w, ranked[k], v, &row, error))
            return false;
        if (row) {
            denied(w, ranked[k], row, v);
        } else if (!w->policy.remeasure) {
            if (!believed)
                (void)det_watch_resolve(w->watch, ranked[k], v->to, DET_CONFIRMED);
            if (believed)
                det_verdict_pend(v, "the night tells of a stronger change");
            else
                det_verdict_believe(v);
            believed = true;
        }
    }
    return true;
}

bool srv__walk_baselines(srv__walk *w, const srv__walk_night *n, det_verdict *verdicts,
                         GError **error) {
    if (json_array_size(w->baselines) == 0)
        return true;
    for (size_t p = 0; p < w->tree.chain.count; p++) {
        const json_t *row = beginning(w, n->label, p);
        const json_t *moved = row ? NULL : moving(w, n->label, p, &verdicts[p]);
        if (row)
            begin(w, n->id, p, row, &verdicts[p]);
        else if (moved)
            follow(w, n->id, p, moved, &verdicts[p]);
    }
    return answers(w, verdicts, error);
}
