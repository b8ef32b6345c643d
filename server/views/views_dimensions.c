#include "config/json_text.h"
#include "config/limits.h"
#include "config/model/detection.h"
#include "detector/words/counted.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"
#include "web/words/words.h"

#include <math.h>

det_counted srv__counted_words(const cfg_counted *row) {
    static const det_interval unknown = {.mean = NAN, .low = NAN, .high = NAN};
    return (det_counted){.dimension = det_dimension_find(row->dimension),
                         .before = row->before ? row->before->now : unknown,
                         .after = row->now,
                         .slow = row->slow};
}

static const char *moved(const det_dimension *dimension, const det_counted *one) {
    const int way = det_dimension_moved(dimension, &one->before, &one->after);
    return way == 0 ? NULL : way > 0 ? "up" : "down";
}

/* What is known of it where it has not changed, as far as its night knew, or where a person says
 * so; NULL: it is as before, or nothing to compare with is there. Owned. */
static char *standing_words(const cfg_counted *row) {
    const cfg_portion like = {
        .verdict = row->verdict, .rule = row->rule, .direction = row->direction};
    const char *standing = row->direction ? cfg_portion_standing(&like) : NULL;
    const bool said = cfg_is(row->rule, "answered-false") || cfg_is(row->rule, "set-by-hand");
    if (row->later)
        return web_moved_words(row->later, false, NULL, true);
    return g_strdup(said ? web_portion_words(&like)
                    : cfg_is(standing, "doubtful")
                        ? det_change_maybe(cfg_is(row->direction, "up") ? 1 : -1)
                    : cfg_is(standing, "incomparable") ? web_portion_words(&like)
                                                       : NULL);
}

/* One dimension with those of the rows that are its own, which it takes over, if any is. */
static void dimension_put(cfg_night *night, const det_dimension *dimension, cfg_counted *rows,
                          unsigned count) {
    cfg_dimension *to = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (g_strcmp0(rows[i].dimension, dimension->name) != 0)
            continue;
        to = to ? to : model_add(&cfg_night_model, night, "dimensions");
        cfg_counted *row = model_add(&cfg_dimension_model, to, "portions");
        *row = rows[i];
        rows[i] = (cfg_counted){0};
        if (!cfg_is(row->verdict, "ok"))
            g_clear_pointer(&row->later, g_free);
        row->words = standing_words(row);
        if (row->later && row->reason)
            web_reason_end(&row->reason, row->later, false, NULL);
        const det_counted one = srv__counted_words(row);
        if (!row->verdict) { /* only shown */
            g_free(row->direction);
            row->direction = g_strdup(moved(dimension, &one));
        }
    }
    if (!to)
        return;
    to->dimension = g_strdup(dimension->name);
    to->label = g_strdup(dimension->label);
    to->per = g_strdup(dimension->per);
    to->counter = g_strdup(to->portions[to->portions_count - 1].counter);
}

/* What is counted of one portion, in the order of the dimensions; returns how many. */
static size_t counted_list(const cfg_counted *rows, unsigned rows_count, const char *configuration,
                           det_counted *list) {
    size_t count = 0;
    for (size_t d = 0; d < DET_DIMENSIONS; d++)
        for (unsigned i = 0; i < rows_count && count < DET_DIMENSIONS; i++)
            if (g_strcmp0(rows[i].dimension, det_dimensions[d].name) == 0 &&
                g_strcmp0(rows[i].configuration, configuration) == 0)
                list[count++] = srv__counted_words(&rows[i]);
    return count;
}

static void also(GString *all, const char *text) {
    if (text[0] != '\0')
        g_string_append_printf(all, "%s%s", all->len > 0 ? "; " : "", text);
}

/* "I +2 allocations a call; C +410 instructions a call" of the portions that moved; NULL when none
 * did. Owned. */
static char *counted_sentence(const cfg_night *night, const cfg_counted *rows, unsigned count) {
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned i = 0; i < night->portions_count; i++) {
        det_counted list[DET_DIMENSIONS];
        char text[DET_COUNTED_MAX];
        const cfg_portion *portion = &night->portions[i];
        const size_t found = counted_list(rows, count, portion->configuration, list);
        det_counted_change(text, sizeof text, portion->portion, list, found);
        also(all, text);
    }
    return all->len > 0 ? g_strdup(all->str) : NULL;
}

/* 0 of those that were not seen. */
static double percent_of(const json_t *threads, const char *name) {
    const double percent = cfg_json_number(threads, name);
    return isnan(percent) ? 0 : percent;
}

/* Of a night's loops that count, per cent of a processor: {configuration: {name of threads: mean}}.
 * Owned; NULL with error. */
static json_t *threads_read(srv_store *store, int64_t experiment, GError **error) {
    json_auto_t *rows = srv__array(store, ASK(loop_readings, experiment), error);
    json_t *all = rows ? json_object() : NULL, *row, *percent;
    const char *name;
    size_t i;
    json_array_foreach (rows, i, row) {
        const char *configuration = cfg_json_word(row, "configuration", "");
        json_t *threads = cfg_json_at(row, "readings.course.threads");
        json_t *own = cfg_json_member(all, configuration, json_object());
        json_object_foreach (threads, name, percent) {
            const double part = json_number_value(percent) * cfg_json_number(row, "share");
            json_object_set_new(own, name, json_real(percent_of(own, name) + part));
        }
    }
    return all;
}

/* "writing: main 97 %, kieker-writer 4.1 %" of each configuration. */
bool srv__night_threads(srv_store *store, cfg_night *night, GError **error) {
    cfg_dimension *cpu = NULL;
    for (unsigned d = 0; d < night->dimensions_count; d++)
        if (cfg_is(night->dimensions[d].dimension, "cpu_ms"))
            cpu = &night->dimensions[d];
    json_auto_t *all = cpu ? threads_read(store, night->experiment, error) : json_object();
    g_autoptr(GString) text = g_string_new(NULL);
    const char *configuration, *name;
    json_t *threads, *percent;
    json_object_foreach (all, configuration, threads) {
        bool more = false;
        if (json_object_size(threads) > 0)
            g_string_append_printf(text, "%s%s: ", text->len > 0 ? "; " : "", configuration);
        json_object_foreach (threads, name, percent) {
            g_string_append_printf(text, "%s%s %.3g %%", more ? ", " : "", name,
                                   json_number_value(percent));
            more = true;
        }
    }
    if (cpu && text->len > 0)
        cpu->threads = g_strdup(text->str);
    return all != NULL;
}

bool srv__dimensions_read(srv_store *store, cfg_night *night, GError **error) {
    g_auto(model_list) rows = {0};
    if (!srv__many(store, ASK(dimension_rows, night->experiment), &cfg_counted_model, &rows, error))
        return false;
    night->counted = counted_sentence(night, rows.items, rows.count);
    for (size_t i = 0; i < DET_DIMENSIONS; i++)
        dimension_put(night, &det_dimensions[i], rows.items, rows.count);
    return true;
}

static void note_put(cfg_dimension *of, const srv__tree *whole) {
    srv__tree tree = *whole;
    g_autoptr(GString) note = g_string_new(NULL);
    srv__tree_of(&tree, det_dimension_find(of->dimension));
    for (size_t c = 0; c < tree.chain.count; c++) {
        const int parent = whole->chain.parent[c];
        if (tree.chain.parent[c] == parent)
            continue;
        g_string_append_printf(
            note, "%s%s (%" G_GINT64_FORMAT " calls, %s %" G_GINT64_FORMAT ")",
            note->len > 0 ? ", " : "processes of other numbers of calls are not taken apart: ",
            tree.name[c], tree.calls[c], tree.name[parent], tree.calls[parent]);
    }
    of->note = note->len > 0 ? g_strdup(note->str) : NULL;
}

void srv__dimensions_note(cfg_night *night) {
    srv__tree tree;
    if (!night->benchmark || !srv__tree_read(&tree, night->benchmark, NULL))
        return;
    for (unsigned d = 0; d < night->dimensions_count; d++)
        note_put(&night->dimensions[d], &tree);
}

typedef struct {
    int64_t series;
    cfg_detection detection;
} settings;

static const model_member settings_members[] = {
    MODEL(settings, series, "series", MODEL_NULL),
    MODEL_A(settings, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun settings_noun = MODEL_NOUN(settings, settings_members, "settings");

/* A limit that somebody set too low closes the gate for good: that is said beside it. */
static bool tell_never_met(srv_store *store, int64_t series, const cfg_limit *limit,
                           cfg_limited *one, GError **error) {
    const char *portion = limit->portion ? limit->portion : "";
    int64_t nights = 0;
    const bool good =
        limit->dimension
            ? srv__number(store,
                          ASK(limit_met, series, limit->dimension->name, portion, limit->bound), 0,
                          &nights, error)
            : srv__number(
                  store,
                  ASK(limit_met_time, series, portion, limit->least ? -1.0 : 1.0, limit->bound), 0,
                  &nights, error);
    if (!good || nights > 0)
        return good;
    g_autofree char *words = g_steal_pointer(&one->sentence);
    one->sentence = g_strconcat(words, "; no night of this series has met it", NULL);
    return true;
}

bool srv__limits_read(srv_store *store, cfg_night *night, GError **error) {
    settings row;
    bool there, good = srv__one(store, ASK(limits_of, night->experiment), &settings_noun, &row,
                                &there, error);
    if (!good)
        return false;
    for (unsigned i = 0; good && there && i < row.detection.limits_count; i++) {
        g_auto(cfg_limit) limit = {0};
        if (!cfg_is(night->state, "measured") ||
            !cfg_limit_read(row.detection.limits[i], &limit, NULL))
            continue; /* set by a server that knew more dimensions */
        cfg_limit_settle(&limit, night, row.detection.limits[i]);
        cfg_limited *one = cfg_limit_judge(night, row.detection.limits[i], &limit);
        good = (!cfg_limit_broken(one) && !cfg_is(one->state, "unsure")) ||
               tell_never_met(store, row.series, &limit, one, error);
    }
    model_clear(&settings_noun, &row);
    return good;
}

/* What a portion's change did to what is counted; all: what no sentence of the alert says, as it
 * does what is lost. Beside time no more than that. */
static void portion_counted(cfg_alert *alert, cfg_change *portion, GString *all) {
    det_counted list[DET_DIMENSIONS];
    char text[DET_COUNTED_MAX];
    const bool beside = det_dimension_find(portion->dimension) != NULL;
    const int way = cfg_is(portion->direction, "down") ? -1 : 1;
    const size_t count =
        counted_list(alert->counts, alert->counts_count, portion->configuration, list);
    det_counted_verdict(text, sizeof text, portion->portion, way, list, count);
    portion->counted = text[0] != '\0' && !beside ? g_strdup(text) : NULL;
    size_t others = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].dimension->kind == DET_DIMENSION_SHARE &&
            det_counted_lost(text, sizeof text, portion->portion, &list[i])) {
            g_free(portion->lost);
            portion->lost = g_strdup(text);
        } else
            list[others++] = list[i];
    det_counted_verdict(text, sizeof text, portion->portion, way, list, others);
    if (!beside)
        also(all, text);
}

/* What a configuration loses now, where no portion of it that got better says it. */
static void other_lost(const cfg_alert *alert, const cfg_counted *row, GString *all) {
    char text[DET_COUNTED_MAX];
    const det_counted one = srv__counted_words(row);
    const cfg_change *part = alert->portions;
    for (unsigned i = 0; i < alert->portions_count; i++, part++)
        if (part->lost && cfg_is(part->configuration, row->configuration) &&
            !cfg_is_worse(part->direction, part->better))
            return;
    if (!cfg_is(row->dimension, "lost_percent") || !(one.after.mean > one.before.mean))
        return;
    det_counted_change(text, sizeof text, row->portion, &one, 1);
    if (text[0] != '\0')
        g_string_append_printf(all, "%s%s", all->len > 0 ? ", " : "", text);
}

void srv__alert_counted(cfg_alert *alert) {
    g_autoptr(GString) all = g_string_new(NULL), lost = g_string_new(NULL);
    for (unsigned i = 0; i < alert->portions_count; i++)
        portion_counted(alert, &alert->portions[i], all);
    for (unsigned i = 0; i < alert->counts_count; i++)
        other_lost(alert, &alert->counts[i], lost);
    alert->change.lost = lost->len > 0 ? g_strdup(lost->str) : NULL;
    alert->change.counted = all->len > 0 ? g_strdup(all->str) : NULL;
}

/* The threads of one name that took at least half of what all took more, or less. */
static void thread_find(cfg_change *part, json_t *before, json_t *after) {
    const double way = cfg_is(part->direction, "down") ? -1 : 1;
    double all = 0, most = 0;
    const char *name, *found = NULL;
    json_auto_t *both = json_copy(before);
    json_t *unused;
    json_object_update(both, after);
    json_object_foreach (both, name, unused) {
        const double gap = way * (percent_of(after, name) - percent_of(before, name));
        all += gap;
        found = gap > most ? name : found;
        most = fmax(gap, most);
    }
    if (found && all > 0 && most >= all / 2)
        part->thread = g_strdup(found);
}

bool srv__alert_threads(srv_store *store, cfg_alert *alert, GError **error) {
    bool good = true;
    for (unsigned i = 0; good && alert->from && i < alert->portions_count; i++) {
        cfg_change *part = &alert->portions[i];
        if (!cfg_is(part->dimension, "cpu_ms"))
            continue;
        json_auto_t *before = threads_read(store, alert->from->experiment, error);
        json_auto_t *after =
            before ? threads_read(store, cfg_alert_end(alert)->experiment, error) : NULL;
        json_t *own[] = {json_object_get(before, part->configuration),
                         json_object_get(after, part->configuration)};
        good = after != NULL;
        if (own[0] && own[1])
            thread_find(part, own[0], own[1]);
    }
    return good;
}

/* Each portion goes to its night; both come in the same order. */
static void hand_out(json_t *nights, size_t count, json_t *rows) {
    size_t at = 0;
    for (size_t n = 0; n < count; n++) {
        json_t *night = json_array_get(nights, n), *portions = json_array(), *row;
        while (
            (row = json_array_get(rows, at)) &&
            json_equal(json_object_get(row, "experiment"), json_object_get(night, "experiment"))) {
            json_object_del(row, "experiment");
            json_array_append(portions, row);
            at++;
        }
        json_object_set_new(night, "portions", portions);
    }
}

/* Where a night stands among its project's; id: the experiment. Its date is borrowed. */
typedef struct {
    const char *night;
    int64_t time_ms, id;
} night_key;

/* Of a night as views show it. */
static night_key night_key_of(const json_t *night) {
    const json_t *commit = json_object_get(night, "commit");
    return (night_key){.night = cfg_json_word(night, "night", NULL),
                       .time_ms = cfg_json_integer(commit, "time_ms"),
                       .id = cfg_json_integer(night, "experiment")};
}

/* Its cursor, owned. */
static char *page_by_night(const json_t *item) {
    const night_key key = night_key_of(item);
    return g_strdup_printf("%s~%" G_GINT64_FORMAT "~%" G_GINT64_FORMAT, key.night, key.time_ms,
                           key.id);
}

static bool portions_add(srv_store *store, int64_t project, const char *dimension, json_t *nights,
                         size_t count, GError **error) {
    if (count == 0)
        return true;
    const night_key newest = night_key_of(json_array_get(nights, 0));
    const night_key oldest = night_key_of(json_array_get(nights, count - 1));
    json_auto_t *rows =
        srv__array(store,
                   ASK(counted_portions, project, dimension, oldest.night, oldest.time_ms,
                       oldest.id, newest.night, newest.time_ms, newest.id),
                   error);
    if (rows)
        hand_out(nights, count, rows);
    return rows != NULL;
}

json_t *srv_view_dimension(srv_store *store, const char *project, const char *dimension,
                           srv_page page, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!det_dimension_find(dimension)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "dimension: there is no dimension of this name");
        return NULL;
    }
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, true, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items = srv__array(store,
                               ASK(counted_nights, id, cursor.night, cursor.time_ms, cursor.id,
                                   "9999-99-99", "", dimension, limit + 1),
                               error);
    if (items &&
        portions_add(store, id, dimension, items, MIN(json_array_size(items), limit), error))
        return srv__page_of(items, limit, page_by_night);
    json_decref(items);
    return NULL;
}
