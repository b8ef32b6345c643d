#include "server/alarm/expectations.h"

#include "config/config.h"
#include "server/alarm/alert_rows.h"
#include "server/alarm/expect.h"
#include "server/alarm/series_rows.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "sql/series.h"

#include <math.h>
#include <string.h>

/* Short names of the project's portions; the JSON they are borrowed from is row. */
static bool portions_of(srv_store *store, int64_t project, srv__tree *tree, json_t **row,
                        GError **error) {
    return srv__object(store, SQL(project_benchmark), SRV__ARGS(SRV__I(project)), row, error) &&
           srv__tree_read(tree, json_object_get(*row, "body"), error);
}

static char *list_text(char **names) {
    json_t *list = json_array();
    for (char **name = names; name && *name; name++)
        json_array_append_new(list, json_string(*name));
    char *text = json_dumps(list, JSON_COMPACT);
    char *copy = g_strdup(text);
    free(text);
    json_decref(list);
    return copy;
}

/* Why this commit's author may not announce; NULL: they may, or nobody said who may. */
static char *stranger(const json_t *detection, const json_t *item) {
    const json_t *all = json_object_get(detection, "announcers");
    const char *mail =
        json_string_value(json_object_get(json_object_get(item, "commit"), "author_email"));
    size_t i;
    const json_t *one;
    json_array_foreach (all, i, one)
        if (mail && g_ascii_strcasecmp(mail, json_string_value(one)) == 0)
            return NULL;
    return json_array_size(all) == 0
               ? NULL
               : g_strdup_printf("%s is not among detection.announcers", mail ? mail : "nobody");
}

static bool take_one(srv_store *store, int64_t project, const srv__tree *tree,
                     const json_t *detection, const json_t *item, GError **error) {
    const char *text = json_string_value(json_object_get(item, "text"));
    g_autofree char *problem = NULL;
    g_auto(srv_expect) expect = {0};
    if (!text)
        return true;
    if (!srv_expect_parse(text, tree->portion, tree->chain.count, &expect, &problem))
        expect.percent = expect.ns = NAN;
    if (!problem)
        problem = stranger(detection, item);
    g_autofree char *portions = list_text(expect.portions);
    const char *subject =
        json_string_value(json_object_get(json_object_get(item, "commit"), "subject"));
    const srv__expectation_row row = {.item = item,
                                      .portions = portions,
                                      .direction = expect.direction,
                                      .percent = expect.percent,
                                      .ns = expect.ns,
                                      .reason = expect.reason ? expect.reason : subject,
                                      .problem = problem};
    return srv__expectation_insert(store, project, &row, error);
}

static bool take(srv_store *store, int64_t project, const json_t *list, bool anew, GError **error) {
    srv__tree tree;
    json_t *row = NULL;
    size_t i;
    json_t *item;
    bool good =
        portions_of(store, project, &tree, &row, error) &&
        (!anew || srv__run(store, SQL(expectations_drop), SRV__ARGS(SRV__I(project)), NULL, error));
    json_array_foreach (list, i, item)
        good =
            good && take_one(store, project, &tree, json_object_get(row, "detection"), item, error);
    json_decref(row);
    return good;
}

bool srv_expectations_take(srv_store *store, const char *project, const json_t *list, bool anew,
                           GError **error) {
    int64_t id;
    if (json_array_size(list) == 0 && !anew)
        return true;
    return srv__project_id(store, project, &id, error) && srv__begin(store, error) &&
           srv__end(store, take(store, id, list, anew, error), error);
}

/* As stored; portions are borrowed from row. */
static srv_expect expect_of(const json_t *row) {
    const json_t *names = json_object_get(row, "portions");
    const json_t *percent = json_object_get(row, "percent"), *ns = json_object_get(row, "ns");
    srv_expect expect = {.portions = g_new0(char *, json_array_size(names) + 1),
                         .direction = (int)json_integer_value(json_object_get(row, "direction")),
                         .percent =
                             json_is_number(percent) ? json_number_value(percent) : (double)NAN,
                         .ns = json_is_number(ns) ? json_number_value(ns) : (double)NAN};
    for (size_t i = 0; i < json_array_size(names); i++)
        expect.portions[i] = g_strdup(json_string_value(json_array_get(names, i)));
    return expect;
}

static double number_of(const json_t *row, const char *key, double otherwise) {
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* So large a change needs a person, whoever announced it. */
static bool within_bound(const json_t *row, const json_t *portion) {
    const double mean = number_of(portion, "mean", 0);
    const double percent =
        number_of(json_object_get(row, "detection"), "announced_percent", CFG_ANNOUNCED_PERCENT);
    char all[] = "*";
    char *portions[] = {all, NULL};
    const srv_expect bound = {.portions = portions, .percent = percent, .ns = NAN};
    return srv_expect_covers(&bound, all, number_of(portion, "before", 0),
                             number_of(portion, "low", mean), number_of(portion, "high", mean));
}

/* The announcement that covers a portion's change; NULL: none. */
static const json_t *covering(const json_t *announced, const json_t *portion) {
    double mean = number_of(portion, "mean", 0);
    size_t i;
    json_t *row;
    json_array_foreach (announced, i, row) {
        g_auto(srv_expect) expect = expect_of(row);
        if (within_bound(row, portion) &&
            srv_expect_covers(&expect, json_string_value(json_object_get(portion, "portion")),
                              number_of(portion, "before", 0), number_of(portion, "low", mean),
                              number_of(portion, "high", mean)))
            return row;
    }
    return NULL;
}

/* What is said of an alert: who announced it, or what of it nobody did. */
typedef struct {
    const json_t *first; /* announcement that covers a portion; NULL: none does */
    GString *reasons, *others;
    bool whole;
} answer;

static void answer_add(answer *a, const json_t *portion, const json_t *by) {
    const char *name = json_string_value(json_object_get(portion, "portion"));
    a->whole = a->whole && by;
    if (!by) {
        g_string_append_printf(a->others, "%s%s", a->others->len > 0 ? ", " : "", name);
        return;
    }
    a->first = a->first ? a->first : by;
    g_autofree char *told = g_strdup_printf("%s (announced in %.9s: %s)",
                                            json_string_value(json_object_get(by, "reason")),
                                            json_string_value(json_object_get(by, "sha")),
                                            json_string_value(json_object_get(by, "text")));
    if (!strstr(a->reasons->str, told))
        g_string_append_printf(a->reasons, "%s%s", a->reasons->len > 0 ? "; " : "", told);
}

static bool answer_give(srv_store *store, int64_t alert, const answer *a, int64_t now_ms,
                        GError **error) {
    if (a->whole)
        return srv__alert_note(store, alert, "accepted",
                               json_string_value(json_object_get(a->first, "author")),
                               a->reasons->str, now_ms, error);
    g_autofree char *reason = g_strdup_printf(
        "%s%sannounced another change: %s was not announced, or is larger (than announced, or than "
        "detection.announced_percent)",
        a->reasons->str, a->reasons->len > 0 ? "; but the change " : "the change ", a->others->str);
    return srv__alert_keep(store, alert, reason, now_ms, error);
}

bool srv__expectations_answer(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    json_t *announced =
        srv__array(store, SQL(expectations_of_alert), SRV__ARGS(SRV__I(alert)), error);
    json_t *portions =
        !announced ? NULL : srv__array(store, SQL(alert_changes), SRV__ARGS(SRV__I(alert)), error);
    answer a = {NULL, g_string_new(NULL), g_string_new(NULL), true};
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion)
        answer_add(&a, portion, covering(announced, portion));
    bool good = portions &&
                (json_array_size(announced) == 0 || answer_give(store, alert, &a, now_ms, error));
    g_string_free(a.reasons, TRUE);
    g_string_free(a.others, TRUE);
    json_decref(announced);
    json_decref(portions);
    return good;
}
