#include "sql/views_pull.h"
#include "config/json_text.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"

#include <math.h>
#include <string.h>

/* What may still be measured of it; while a job runs, no more than its runner says. */
static void left_set(json_t *pull) {
    const char *state = cfg_json_word(pull, "state", NULL);
    const double spent_s = (double)cfg_json_integer(pull, "spent_ms") / 1000;
    const double left_s =
        fmax(0, 60 * json_number_value(json_object_get(pull, "minutes")) - spent_s);
    const bool open = g_strcmp0(state, "waiting") == 0 || g_strcmp0(state, "measuring") == 0;
    json_object_set_new(pull, "left_seconds",
                        open ? json_integer((json_int_t)ceil(left_s)) : json_null());
    json_object_del(pull, "progress");
}

static const char *headline_of(const json_t *pull) {
    static const char *const table[][2] = {
        {"held", "From a fork: waits for a maintainer"},
        {"waiting", "Waits for its commits"},
        {"tomorrow", "Waits for tomorrow"},
        {"failed", "Not measured"},
        {"dropped", "No longer measured"},
        {"slower", "A portion is slower than at its merge base"},
        {"faster", "A portion is faster than at its merge base"},
        {"same", "No portion of the monitoring differs by more than is ignored"},
        {"untouched", "Nothing to measure"},
        {"unsure", "Unsure of a portion"}};
    const char *state = cfg_json_word(pull, "state", NULL);
    /* While it waits for its commits there is a reason only when today has no room for it. */
    const bool tomorrow = g_strcmp0(state, "waiting") == 0 && cfg_json_word(pull, "reason", NULL);
    const char *word = tomorrow                        ? "tomorrow"
                       : g_strcmp0(state, "done") == 0 ? cfg_json_word(pull, "answer", NULL)
                                                       : state;
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (g_strcmp0(word, table[i][0]) == 0)
            return table[i][1];
    return cfg_json_number(pull, "place") > 0 ? "Waits for its turn" : "Being measured";
}

/* What is ignored may be known to be there. */
static const char *words_of(const json_t *portion) {
    const char *answer = cfg_json_word(portion, "answer", "");
    const json_t *difference = json_object_get(portion, "difference");
    if (strcmp(answer, "same") == 0)
        return cfg_json_number(difference, "low_ns") > 0 ||
                       cfg_json_number(difference, "high_ns") < 0
                   ? "differs little"
                   : "as before";
    return strcmp(answer, "more") == 0 ? "no answer yet" : answer;
}

/* T is the control, and not judged; alone it is what somebody asks of. */
static bool is_apart(const json_t *portion, size_t of) {
    static const char *const moved[] = {"slower", "faster", "unsure", NULL};
    return of > 1 && strcmp(cfg_json_word(portion, "portion", ""), "T") == 0 &&
           g_strv_contains(moved, cfg_json_word(portion, "answer", ""));
}

static void finish(json_t *pull) {
    json_t *level = cfg_json_at(pull, "level.confidence");
    json_object_set(pull, "level", level ? level : json_null());
    json_object_set_new(pull, "headline", json_string(headline_of(pull)));
    left_set(pull);
}

const srv_list srv_list_pulls = {.rows = SQL(pull_rows), .finish = finish};

json_t *srv_view_pull(srv_store *store, int64_t id, GError **error) {
    json_auto_t *pull = srv__only_row(store, SQL(pull_row), id, "pull request", error);
    json_t *portions = pull ? srv__array(store, ASK(pull_portion_rows, id), error) : NULL;
    if (!portions)
        return NULL;
    finish(pull);
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion)
        json_object_set_new(
            portion, "words",
            json_sprintf("%s%s", words_of(portion),
                         is_apart(portion, json_array_size(portions)) ? " (not judged)" : ""));
    json_object_set_new(pull, "portions", portions);
    return json_incref(pull);
}
