#include "server/store/store_sql.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"

#include "detector/watch/watch.h"
#include "detector/words/change.h"
#include "detector/words/counted.h"
#include "web/words/words.h"

#include <math.h>

/* A row of changes_dated_back, of changes_slow, of changes_answered, of changes_announced, of
 * changes_of_machine (reason: a rule), of changes_lost, of changes_beside, of changes_counted, and
 * of nights_disturbed; words: of what is lost, where its night says it behind what it told beside
 * time. */
typedef struct {
    int64_t seen, began, between, alert, disturbed, loops;
    char *night, *configuration, *portion, *direction, *dimension, *author, *reason, *words;
    bool suspected, slow, later;
    det_interval before, after; /* lost of a hundred records, or what is counted */
} change;

static const model_member change_members[] = {
    MODEL_NULLS(change, seen, began, between, night, configuration, direction, dimension, suspected,
                slow, disturbed, loops, alert),
    MODEL_NULLS(change, later, author, reason, words, portion),
    MODEL(change, before.mean, "before_mean", MODEL_NULL, NAN),
    MODEL(change, before.low, "before_low", MODEL_NULL, NAN),
    MODEL(change, before.high, "before_high", MODEL_NULL, NAN),
    MODEL(change, after.mean, "after_mean", MODEL_NULL, NAN),
    MODEL(change, after.low, "after_low", MODEL_NULL, NAN),
    MODEL(change, after.high, "after_high", MODEL_NULL, NAN)};
static const model_noun change_noun = MODEL_NOUN(change, change_members, "change");

cfg_night *srv__night_among(cfg_night *nights, size_t count, int64_t experiment) {
    for (size_t i = 0; i < count; i++)
        if (nights[i].experiment == experiment)
            return &nights[i];
    return NULL;
}

/* To the night that told, unless somebody has moved the change away from it. */
static void since_put(cfg_night *night, const change *one) {
    cfg_portion *told = night && one->night ? cfg_night_portion(night, one->configuration) : NULL;
    if (told && !cfg_is(told->verdict, "ok")) {
        g_free(told->since);
        told->since = g_strdup(one->night);
    }
}

/* To the night that told. */
static void slow_put(cfg_night *night, const change *one) {
    cfg_portion *told = cfg_night_portion(night, one->configuration);
    if (told)
        told->slow = cfg_is(told->verdict, "anomaly");
}

/* Did its night take it for the machine's? */
static bool is_of_machine(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "environment") && !cfg_is(portion->rule, "new-environment") &&
           !cfg_is(portion->rule, "new-level");
}

/* Did its level, of this night and those before, tell what began with one of those, and the other
 * way? */
static bool is_of_before(const cfg_portion *portion, const change *one) {
    return cfg_is(portion->verdict, "anomaly") && portion->since &&
           !cfg_is(portion->direction, one->direction);
}

/* To a portion whose night could not say it. since: NULL: that night has it, whatever changed
 * before it, whatever it took for the machine's, and whatever it told of those before. What told an
 * earlier step of what goes on slowly is slow, too. */
static void later_put(const cfg_night *night, const change *one, const char *since) {
    for (unsigned i = 0; night && i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        const bool clear = cfg_is(portion->verdict, "ok") || cfg_is(portion->verdict, "cleared");
        const bool open =
            clear || (!since && (is_of_machine(portion) || is_of_before(portion, one)));
        if (!cfg_is(portion->configuration, one->configuration) ||
            (since && portion->later && !portion->since))
            continue;
        if (!open) {
            portion->slow = portion->slow || (one->slow && cfg_is(portion->verdict, "anomaly") &&
                                              cfg_is(portion->direction, one->direction));
            continue;
        }
        if (!clear) {
            g_free(portion->verdict);
            g_clear_pointer(&portion->rule, g_free);
            portion->verdict = g_strdup(det_verdict_text(DET_VERDICT_OK));
        }
        g_free(portion->later);
        g_free(portion->since);
        portion->later = g_strdup(one->direction);
        portion->slow = one->slow;
        portion->since = g_strdup(since);
    }
}

/* To the night that it began with. */
static void began_put(cfg_night *night, const change *one) {
    if (!night)
        return;
    cfg_began *began = model_add(&cfg_night_model, night, "began");
    *began = (cfg_began){g_strdup(one->configuration), g_strdup(one->direction)};
    later_put(night, one, NULL);
}

/* To a portion that moved so, or of which its night could not say it yet. */
static void announced_put(cfg_night *night, const change *one) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        const char *moved = portion->later ? portion->later : portion->direction;
        if (cfg_is(portion->configuration, one->configuration) &&
            (!moved || cfg_is(moved, one->direction)))
            portion->accepted_in_advance = true;
    }
}

/* To a portion that changed so, or may have: somebody knows that it did not. */
static void answered_put(cfg_night *night, const change *one) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        const bool told = cfg_is(portion->verdict, "anomaly") || cfg_is(portion->rule, "pending");
        if (!told || !cfg_is(portion->configuration, one->configuration) ||
            !cfg_is(portion->direction, one->direction))
            continue;
        g_free(portion->verdict);
        g_free(portion->rule);
        g_free(portion->reason);
        g_clear_pointer(&portion->direction, g_free);
        portion->verdict = g_strdup(det_verdict_text(DET_VERDICT_OK));
        portion->rule = g_strdup("answered-false");
        portion->reason =
            g_strdup_printf("%s answered that nothing changed: %s", one->author, one->reason);
    }
}

/* To a portion whose night could not say yet that it was the machine. */
static void machine_put(cfg_night *night, const change *one) {
    cfg_portion *portion = cfg_night_portion(night, one->configuration);
    if (!portion || !cfg_is(portion->verdict, "ok") || portion->later)
        return;
    g_autofree char *told = portion->reason;
    g_free(portion->verdict);
    g_free(portion->rule);
    g_free(portion->direction);
    portion->verdict = g_strdup(det_verdict_text(DET_VERDICT_ENVIRONMENT));
    portion->rule = g_strdup(one->reason);
    portion->direction = g_strdup(one->direction);
    portion->reason = /* nights as columns have no reason of what is clear */
        g_strdup_printf("%s%s showed that %s", told ? told : "",
                        told ? ", until a later measurement" : "a later measurement",
                        cfg_is(one->reason, "common-scale")
                            ? "one factor for all portions explains it"
                            : "the control moved");
}

/* Each row to its night. */
static bool rows_hand_out(srv_store *store, const srv_sql *rows, const srv__arg *between,
                          cfg_night *nights, size_t count,
                          void (*put)(cfg_night *night, const change *one), GError **error) {
    g_auto(model_list) list = {0};
    if (!srv__many(store, rows, between, &change_noun, &list, error))
        return false;
    const change *changes = list.items;
    for (unsigned i = 0; i < list.count; i++) {
        cfg_night *night = srv__night_among(nights, count, changes[i].seen);
        if (night)
            put(night, &changes[i]);
    }
    return true;
}

/* "start rose, peak memory may have fallen"; text is consumed. */
static void join(char **to, char *text) {
    char *before = *to;
    *to = before ? g_strconcat(before, ", ", text, NULL) : g_strdup(text);
    g_free(before);
    g_free(text);
}

/* "Writing (W)", "writing" of what is not taken apart, or "2 portions" of several rows. Owned. */
static char *of_whom(const cfg_night *night, const change *first, unsigned rows) {
    const cfg_portion *portion = cfg_night_portion(night, first->configuration);
    const bool is_whole = g_strcmp0(first->portion, first->configuration) == 0;
    return rows > 1               ? g_strdup_printf("%u portions", rows)
           : portion && !is_whole ? web_night_name(night, portion)
                                  : g_strdup(first->configuration);
}

/* "start of Writing (W) rose", of a row, or of several that are alike. */
static void beside_put(cfg_night *night, const change *one, unsigned rows) {
    const det_dimension *dimension = det_dimension_find(one->dimension);
    g_autofree char *whom = of_whom(night, one, rows);
    g_autofree char *moved =
        one->suspected ? g_strdup(det_change_maybe(cfg_is(one->direction, "up") ? 1 : -1))
                       : web_moved_words(one->direction, one->slow, one->night, one->later);
    const char *noun = dimension ? dimension->noun : one->dimension;
    char *words = cfg_is(noun, "time") ? g_strdup_printf("%s %s", whom, moved)
                                       : g_strdup_printf("%s of %s %s", noun, whom, moved);
    if (one->suspected)
        join(&night->beside_asked, g_strdup(words));
    night->beside_doubtful = night->beside_asked;
    join(&night->beside, words);
}

/* Did its night tell of this fall, without a doubt? */
static bool was_told(const model_list *told, const change *fall) {
    const change *one = told->items;
    for (unsigned i = 0; i < told->count; i++, one++)
        if (one->seen == fall->seen && !one->suspected && cfg_is(one->direction, "down") &&
            cfg_is(one->direction, fall->direction) && cfg_is(one->dimension, fall->dimension) &&
            cfg_is(one->configuration, fall->configuration))
            return true;
    return false;
}

/* Has the night said so, of a portion or of a row before this one? */
static bool was_said(const cfg_night *night, const model_list *lost, const change *now,
                     const char *words) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].lost, words))
            return true;
    for (const change *one = lost->items; one < now; one++)
        if (one->seen == now->seen && cfg_is(one->words, words))
            return true;
    return false;
}

/* To a portion that got better in this night, or by it as a later one told. */
static void lost_time_put(cfg_portion *portion, const change *one, const char *words) {
    const char *told = portion->later                        ? portion->later
                       : cfg_is(portion->verdict, "anomaly") ? portion->direction
                                                             : NULL;
    if (!told || !cfg_is(one->direction, told) || cfg_is_worse(told, portion->better))
        return;
    g_free(portion->lost);
    portion->lost = g_strdup(words);
}

/* To a portion, or behind what the night told beside time. */
static void lost_put(cfg_night *night, const model_list *told, const model_list *lost,
                     change *one) {
    char words[DET_COUNTED_MAX];
    const det_counted share = {det_dimension_find("lost_percent"), one->before, one->after, 0};
    cfg_portion *portion = night ? cfg_night_portion(night, one->configuration) : NULL;
    if (!portion || !det_counted_lost(words, sizeof words, portion->portion, &share))
        return;
    if (cfg_is(one->dimension, "time")) {
        lost_time_put(portion, one, words);
    } else if (was_told(told, one) && !was_said(night, lost, one, words)) {
        one->words = g_strdup(words);
        join(&night->beside, g_strconcat("but ", words, NULL));
    }
}

/* Several configurations are told once: how many rows from this one on are alike. */
static unsigned alike_from(const change *one, const change *end) {
    unsigned rows = 1;
    for (const change *next = one + 1;
         next < end && next->seen == one->seen && next->suspected == one->suspected &&
         next->later == one->later && g_strcmp0(next->night, one->night) == 0 &&
         cfg_is(next->dimension, one->dimension) && cfg_is(next->direction, one->direction);
         next++)
        rows++;
    return rows;
}

/* What nights told of beside time, and what is lost since. */
static bool beside_hand_out(srv_store *store, const srv__arg *between, cfg_night *nights,
                            size_t count, GError **error) {
    g_auto(model_list) told = {0}, lost = {0};
    if (!srv__many(store, SQL(changes_beside), between, &change_noun, &told, error) ||
        !srv__many(store, SQL(changes_lost), between, &change_noun, &lost, error))
        return false;
    change *fall = lost.items;
    const change *one = told.items, *end = one + told.count;
    for (unsigned rows; one < end; one += rows) {
        cfg_night *night = srv__night_among(nights, count, one->seen);
        rows = alike_from(one, end);
        if (night)
            beside_put(night, one, rows);
    }
    for (unsigned i = 0; i < lost.count; i++, fall++)
        lost_put(srv__night_among(nights, count, fall->seen), &told, &lost, fall);
    return true;
}

/* How many rows from this one on are of its night, or of one configuration of it. */
static unsigned rows_from(const change *one, const change *end, bool of_night) {
    unsigned rows = 1;
    while (one + rows < end && one[rows].seen == one->seen &&
           (of_night || cfg_is(one[rows].configuration, one->configuration)))
        rows++;
    return rows;
}

/* "I +410 instructions, +2 allocations a call": what one portion's rows say, as its night's page
 * has it. Owned. */
static char *counted_words(const cfg_night *night, const change *one, unsigned rows) {
    const cfg_portion *portion = cfg_night_portion(night, one->configuration);
    det_counted list[DET_DIMENSIONS];
    char text[DET_COUNTED_MAX];
    size_t count = 0;
    for (size_t k = 0; k < DET_DIMENSIONS; k++)
        for (unsigned i = 0; i < rows && count < DET_DIMENSIONS; i++)
            if (cfg_is(one[i].dimension, det_dimensions[k].name))
                list[count++] =
                    (det_counted){&det_dimensions[k], one[i].before, one[i].after, one[i].slow};
    det_counted_change(text, sizeof text, portion ? portion->portion : one->configuration, list,
                       count);
    return g_strdup(text);
}

/* What is lost now is told whatever else is, where no fall of the same configuration says it. */
static void other_lost_put(cfg_night *night, const change *one) {
    char words[DET_COUNTED_MAX];
    const det_counted share = {det_dimension_find(one->dimension), one->before, one->after,
                               one->slow};
    const cfg_portion *portion = cfg_night_portion(night, one->configuration);
    if (!cfg_is(one->dimension, "lost_percent") || !(one->after.mean > one->before.mean) ||
        !portion || portion->lost)
        return;
    g_autofree char *said = g_strdup_printf("but %s +", portion->portion);
    det_counted_change(words, sizeof words, portion->portion, &share, 1);
    if (*words && !(night->beside && strstr(night->beside, said)))
        join(&night->lost, g_strdup(words));
}

/* All rows of a night. */
static void counted_put(cfg_night *night, const change *one, unsigned rows) {
    unsigned portions = 0;
    const unsigned first = rows_from(one, one + rows, false);
    for (unsigned i = 0; i < rows; i += rows_from(one + i, one + rows, false))
        portions++;
    for (unsigned i = 0; i < rows; i++)
        other_lost_put(night, one + i);
    night->counts_moved =
        portions == 1 ? counted_words(night, one, first)
                      : g_strdup_printf("counts of %u portions moved%s%s", portions,
                                        night->lost ? ", " : "", night->lost ? night->lost : "");
}

static bool counted_hand_out(srv_store *store, const srv__arg *between, cfg_night *nights,
                             size_t count, GError **error) {
    g_auto(model_list) moved = {0};
    if (!srv__many(store, SQL(changes_counted), between, &change_noun, &moved, error))
        return false;
    const change *one = moved.items, *end = one + moved.count;
    for (unsigned rows; one < end; one += rows) {
        cfg_night *night = srv__night_among(nights, count, one->seen);
        rows = rows_from(one, end, true);
        if (night)
            counted_put(night, one, rows);
    }
    return true;
}

static void disturbed_put(cfg_night *night, const change *one) {
    join(&night->disturbed, g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                                            " loops of %s were disturbed or stood apart",
                                            one->disturbed, one->loops, one->configuration));
}

bool srv__changes_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                           GError **error) {
    const char *first = nights[count - 1].night, *last = nights[0].night;
    const srv__arg *between = SRV__ARGS(project, first, last);
    g_auto(model_list) dated = {0};
    if (!srv__many(store, SQL(changes_dated_back), between, &change_noun, &dated, error))
        return false;
    const change *changes = dated.items;
    for (unsigned i = 0; i < dated.count; i++) {
        since_put(srv__night_among(nights, count, changes[i].seen), &changes[i]);
        began_put(srv__night_among(nights, count, changes[i].began), &changes[i]);
        later_put(srv__night_among(nights, count, changes[i].between), &changes[i],
                  changes[i].night);
    }
    return rows_hand_out(store, SQL(changes_slow), between, nights, count, slow_put, error) &&
           rows_hand_out(store, SQL(changes_announced), between, nights, count, announced_put,
                         error) &&
           rows_hand_out(store, SQL(changes_answered), between, nights, count, answered_put,
                         error) &&
           rows_hand_out(store, SQL(changes_of_machine), between, nights, count, machine_put,
                         error) &&
           rows_hand_out(store, SQL(nights_disturbed), between, nights, count, disturbed_put,
                         error) &&
           beside_hand_out(store, between, nights, count, error) &&
           counted_hand_out(store, between, nights, count, error);
}
