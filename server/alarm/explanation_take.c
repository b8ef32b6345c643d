/* Profiles as a runner sends them: checked, kept, and what they say of each portion
 * (explanation.h). */
#include "config/json_text.h"
#include "detector/detector.h"
#include "runner/protocol.h"
#include "server/alarm/explanation.h"
#include "server/ground/fields.h"
#include "server/result/result.h"
#include "sql/explanation.h"

#include <math.h>
#include <string.h>

#define NAME_LIMIT 100u
#define PROFILES_MAX 2000
#define CALLS_MAX INT64_C(1000000000000)
#define FUNCTIONS_TOLD 20u

/* One profile of the body; borrowed. */
typedef struct {
    const char *configuration, *stacks;
    bool before;
    int64_t loop, calls;
} profile;

/* What is taken of which dimension. */
typedef struct {
    const char *name;           /* that it is kept under: SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *where, *prefix; /* in the body, and before what is wrong there */
    const char *unit;           /* that it must have; NULL: the profiler's own */
} dimension;

static const dimension of_time = {.name = SRV_PROFILE_TIME, .where = "", .prefix = ""};
static const dimension of_bytes = {
    .name = SRV_PROFILE_BYTES, .where = "allocations", .prefix = "allocations.", .unit = "bytes"};

typedef struct {
    srv_store *store;
    int64_t alert;
    const dimension *dimension;
    const char *before, *after; /* the commits */
    const char *unit;
    double level;
    const srv__tree *tree;
    GArray *profiles; /* profile */
    int64_t loops;
} taking;

static bool is_which(const taking *t, const char *commit, bool *before) {
    *before = g_strcmp0(commit, t->before) == 0;
    return *before || g_strcmp0(commit, t->after) == 0;
}

static const profile *profile_of(const taking *t, const char *name, bool before, int64_t loop) {
    for (guint i = 0; i < t->profiles->len; i++) {
        const profile *one = &g_array_index(t->profiles, profile, i);
        if (one->before == before && one->loop == loop && g_str_equal(one->configuration, name))
            return one;
    }
    return NULL;
}

static bool profile_read(const taking *t, const json_t *item, const char *where, profile *out,
                         GError **error) {
    srv__fields in = {.object = item, .where = where, .error = error};
    const char *commit = srv__field_text(&in, "commit", NAME_LIMIT, SRV__REQUIRED);
    out->configuration = srv__field_text(&in, "configuration", NAME_LIMIT, SRV__REQUIRED);
    out->loop = srv__field_int(&in, "loop", 1, RUN_PROFILE_LOOPS_MAX, SRV__REQUIRED, 0);
    out->calls = srv__field_int(&in, "calls", 1, CALLS_MAX, SRV__REQUIRED, 0);
    out->stacks = srv__field_text(&in, "stacks", RUN_PROFILE_BYTES_MAX, SRV__REQUIRED);
    if (!in.failed && !is_which(t, commit, &out->before))
        srv__field_fail(&in, "commit", "must be one of the job's two commits");
    if (!in.failed && srv__tree_find(t->tree, out->configuration) < 0)
        srv__field_fail(&in, "configuration", "must be one of the job's");
    if (!in.failed && profile_of(t, out->configuration, out->before, out->loop))
        srv__field_fail(&in, "loop", "is there already, of this configuration and commit");
    return !in.failed;
}

/* object: the body, or its member of what is allocated. */
static bool profiles_read(taking *t, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = t->dimension->where, .error = error};
    srv__field_text(&in, "profiler", NAME_LIMIT, SRV__REQUIRED);
    t->unit = srv__field_text(&in, "unit", NAME_LIMIT, SRV__REQUIRED);
    srv__field_text(&in, "note", RUN_REASON_BYTES, SRV__OPTIONAL);
    const json_t *list = srv__field_json(&in, "profiles", JSON_ARRAY, SRV__REQUIRED);
    if (!in.failed && t->dimension->unit && strcmp(t->unit, t->dimension->unit) != 0)
        srv__field_fail(&in, "unit", "must be bytes");
    if (!in.failed && json_array_size(list) > PROFILES_MAX)
        srv__field_fail(&in, "profiles", "has too many");
    if (!in.failed && json_array_size(list) == 0)
        srv__field_fail(&in, "profiles", "must not be empty");
    size_t i;
    const json_t *item;
    bool good = !in.failed;
    for (i = 0; good && (item = json_array_get(list, i)) != NULL; i++) {
        profile one;
        g_autofree char *where = g_strdup_printf("%sprofiles[%zu]", t->dimension->prefix, i);
        good = profile_read(t, item, where, &one, error);
        if (good)
            g_array_append_val(t->profiles, one);
        t->loops = good ? MAX(t->loops, one.loop) : t->loops;
    }
    return good;
}

static bool profiles_keep(const taking *t, GError **error) {
    for (guint i = 0; i < t->profiles->len; i++) {
        const profile *one = &g_array_index(t->profiles, profile, i);
        if (!srv__run(t->store,
                      ASK(profile_insert, t->alert, t->dimension->name, one->configuration,
                          one->before, one->loop, one->calls, one->stacks),
                      error))
            return false;
    }
    return true;
}

/* A portion: the configuration at c less its parent. */
typedef struct {
    const taking *of;
    size_t c;
    det_contrast_plan plan;
    double *calls;
    det_stacks *stacks;
} portion;

static bool missing(const portion *p, const char *name, bool before, int64_t loop, GError **error) {
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "%sprofiles: no profile of %s, %s, loop %" G_GINT64_FORMAT,
                     p->of->dimension->prefix, name, before ? "before" : "after", loop);
}

static bool column_read(const portion *p, const char *name, bool before, bool of_parent,
                        int64_t loop, GError **error) {
    det_stacks_error wrong;
    const size_t column = det_contrast_column(&p->plan, !before, of_parent, (size_t)loop - 1);
    const profile *one = profile_of(p->of, name, before, loop);
    if (!one)
        return missing(p, name, before, loop, error);
    p->calls[column] = (double)one->calls;
    if (det_stacks_read(p->stacks, column, one->stacks, strlen(one->stacks), &wrong) == DET_OK)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "%sprofiles: stacks of %s, line %zu: %s",
                     p->of->dimension->prefix, name, wrong.line, wrong.text);
}

static bool columns_read(const portion *p, GError **error) {
    const srv__tree *tree = p->of->tree;
    for (int64_t loop = 1; loop <= p->of->loops; loop++)
        for (int before = 0; before < 2; before++) {
            if (!column_read(p, tree->name[p->c], before, false, loop, error))
                return false;
            if (p->plan.has_parent &&
                !column_read(p, tree->name[tree->chain.parent[p->c]], before, true, loop, error))
                return false;
        }
    return true;
}

/* {"name","caller","state","change":{"mean_ns",…},"before_units","after_units"}; of an amount,
 * which is not scaled, "mean_units", … */
static json_t *function_json(const det_contrast_function *f, double scale, bool is_amount) {
    json_t *change = json_object();
    json_object_set_new(change, is_amount ? "mean_units" : "mean_ns",
                        cfg_json_real(f->change.mean * scale));
    json_object_set_new(change, is_amount ? "low_units" : "low_ns",
                        cfg_json_real((scale < 0 ? f->change.high : f->change.low) * scale));
    json_object_set_new(change, is_amount ? "high_units" : "high_ns",
                        cfg_json_real((scale < 0 ? f->change.low : f->change.high) * scale));
    return json_pack("{s:s, s:s?, s:s?, s:o, s:f, s:f}", "name", f->name, "caller", f->caller,
                     "state",
                     f->is_new    ? "new"
                     : f->is_gone ? "gone"
                                  : NULL,
                     "change", change, "before_units", f->before, "after_units", f->after);
}

static char *functions_text(const det_contrast *contrast, double scale, bool is_amount) {
    json_auto_t *list = json_array();
    for (size_t i = 0; i < contrast->count && i < FUNCTIONS_TOLD; i++)
        json_array_append_new(list, function_json(&contrast->functions[i], scale, is_amount));
    return json_dumps(list, JSON_COMPACT);
}

/* What is said of a portion, and its functions; owned. Amounts are not scaled: they are what they
 * are. */
static char *portion_said(const portion *p, const det_contrast *contrast,
                          const srv__explained *of_alert,
                          char sentence[static DET_EXPLANATION_MAX]) {
    const char *name = p->of->tree->portion[p->c];
    const det_explanation said = {name, of_alert->change_ns, contrast, p->of->unit,
                                  of_alert->judged};
    if (!det_explanation_is_amount(p->of->unit)) {
        det_explanation_sentence(sentence, DET_EXPLANATION_MAX, &said);
        return functions_text(contrast, det_explanation_scale(&said), false);
    }
    det_explanation_amount(sentence, DET_EXPLANATION_MAX, name, p->of->unit, contrast);
    return functions_text(contrast, 1, true);
}

static bool portion_keep(const portion *p, const srv__explained *of_alert, GError **error) {
    const srv__tree *tree = p->of->tree;
    const int parent = tree->chain.parent[p->c];
    char sentence[DET_EXPLANATION_MAX];
    det_contrast contrast;
    if (det_contrast_make(&contrast, p->stacks, &p->plan) != DET_OK)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "no memory to compare profiles");
    g_autofree char *functions = portion_said(p, &contrast, of_alert, sentence);
    const bool good = srv__run(
        p->of->store,
        ASK(explanation_portion_insert, p->of->alert, p->of->dimension->name, tree->name[p->c],
            parent >= 0 ? tree->name[parent] : NULL, tree->portion[p->c], sentence,
            det_explanation_is_amount(p->of->unit) ? (double)NAN : of_alert->change_ns,
            contrast.before, contrast.after, functions),
        error);
    det_contrast_clear(&contrast);
    return good;
}

static bool portion_judge(const taking *t, size_t c, const srv__explained *of_alert,
                          GError **error) {
    const size_t columns = 4 * (size_t)t->loops;
    portion p = {.of = t, .c = c, .calls = g_new(double, columns)};
    for (size_t i = 0; i < columns; i++)
        p.calls[i] = 1; /* those of no parent stay so */
    p.plan =
        (det_contrast_plan){(size_t)t->loops, t->tree->chain.parent[c] >= 0, p.calls, t->level};
    p.stacks = det_stacks_new(columns);
    if (!p.stacks)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "no memory to compare profiles");
    bool good = p.stacks && columns_read(&p, error) && portion_keep(&p, of_alert, error);
    det_stacks_free(p.stacks);
    g_free(p.calls);
    return good;
}

static bool portions_judge(const taking *t, GError **error) {
    g_auto(model_list) portions = {0};
    bool good = srv__many(t->store, ASK(explanation_portions, t->alert), &srv__explained_model,
                          &portions, error);
    const srv__explained *one = portions.items;
    for (unsigned i = 0; good && i < portions.count; i++, one++) {
        const int c = srv__tree_find(t->tree, one->configuration);
        /* one that the alert got since, as it was judged anew, has no profiles */
        const bool has = c >= 0 && (profile_of(t, one->configuration, true, 1) ||
                                    profile_of(t, one->configuration, false, 1));
        good = !has || portion_judge(t, (size_t)c, one, error);
    }
    return good;
}

/* The profiles of an object, and what they say. */
static bool profiles_take(taking *t, const json_t *object, GError **error) {
    t->loops = 0;
    g_array_set_size(t->profiles, 0);
    return profiles_read(t, object, error) && profiles_keep(t, error) && portions_judge(t, error);
}

/* What is allocated beside the time, or why nobody knows: a JVM's alone. */
static bool allocations_take(taking *t, const json_t *body, GError **error) {
    srv__fields in = {.object = body, .where = "", .error = error};
    const json_t *object = srv__field_json(&in, "allocations", JSON_OBJECT, SRV__OPTIONAL);
    srv__fields own = {.object = object, .where = "allocations", .error = error};
    if (in.failed || !object)
        return !in.failed;
    if (srv__field_text(&own, "reason", RUN_REASON_BYTES, SRV__OPTIONAL) || own.failed)
        return !own.failed;
    t->dimension = &of_bytes;
    return profiles_take(t, object, error);
}

/* Its profiles are there, as the runner's body says. */
static bool done(const taking *t, const srv__explanation_result *result, int64_t now_ms,
                 GError **error) {
    const json_t *body = result->body;
    const json_t *allocations = json_object_get(body, "allocations");
    return srv__run(t->store,
                    ASK(explanation_done, t->alert, cfg_json_word(body, "profiler", NULL),
                        cfg_json_word(body, "unit", NULL), result->hash, now_ms,
                        cfg_json_word(body, "note", NULL),
                        cfg_json_word(allocations, "profiler", NULL),
                        cfg_json_word(allocations, "reason", NULL)),
                    error);
}

static bool take(taking *t, const srv__explanation_result *result, int64_t now_ms, GError **error) {
    t->dimension = &of_time;
    return profiles_take(t, result->body, error) && allocations_take(t, result->body, error) &&
           done(t, result, now_ms, error) && srv__event(t->store, SRV_EVENT_ALERT, t->alert);
}

/* Takes what the profiles of an alert say. */
static bool explain(srv_store *store, const srv__explaining *row,
                    const srv__explanation_result *result, int64_t now_ms, GError **error) {
    srv__tree tree;
    if (!srv__tree_read(&tree, row->body, error))
        return false;
    g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(profile));
    taking t = {.store = store,
                .alert = row->alert,
                .before = row->before,
                .after = row->after,
                .level = row->level > 0 && row->level < 1 ? row->level : 0.95,
                .tree = &tree,
                .profiles = profiles};
    return take(&t, result, now_ms, error);
}

bool srv__explanation_take(srv_store *store, const srv__explanation_result *result, int64_t now_ms,
                           int64_t *experiment, GError **error) {
    MODEL_HELD(srv__explaining, row, srv__explaining_model);
    bool there;
    if (!srv__explaining_get(store, result->job, &row, &there, error))
        return false;
    *experiment = row.experiment;
    if (!there)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                         "job %" G_GINT64_FORMAT " explains no alert", result->job);
    return explain(store, &row, result, now_ms, error);
}

bool srv__explanation_bring(srv_store *store, int64_t alert, const int64_t commits[static 2],
                            const json_t *body, int64_t at_ms, GError **error) {
    MODEL_HELD(srv__explaining, row, srv__explaining_model);
    bool there;
    g_autofree char *hash = srv_json_hash(body);
    const srv__explanation_result result = {.body = body, .hash = hash};
    if (!srv__one(store, ASK(explanation_of, 0, alert), &srv__explaining_model, &row, &there,
                  error))
        return false;
    return there ||
           (srv__run(store, ASK(explanation_insert, alert, srv__arg_key(0), commits[0], commits[1]),
                     error) &&
            srv__one(store, ASK(explanation_of, 0, alert), &srv__explaining_model, &row, &there,
                     error) &&
            explain(store, &row, &result, at_ms, error));
}
