#include "server/result/result.h"

#include "config/json_text.h"
#include "config/number.h"
#include "server/ground/error.h"
#include "server/ground/fields.h"

#include <math.h>
#include <string.h>

#define NAME_LIMIT 100u
#define TIME_LIMIT_MS 32503680000000 /* the year 3000 */
#define BINS_LIMIT 100000u           /* calls_per_second: more than a day */
#define ENVIRONMENT_LIMIT 65536u     /* bytes of JSON: what names a series */
#define DETAIL_LIMIT 1048576u        /* what is told beside it */
#define READINGS_LIMIT 65536u        /* of each loop */
#define SPREAD_LOOPS 3               /* as many say how widely loops spread */

int srv__tree_find(const srv__tree *tree, const char *name) {
    for (size_t i = 0; i < tree->chain.count; i++)
        if (g_strcmp0(tree->name[i], name) == 0)
            return (int)i;
    return -1;
}

static size_t first_leaf(const det_chain *chain) {
    size_t leaf = 0;
    for (size_t i = 1; i < chain->count; i++)
        if (chain->parent[i] == (int)leaf)
            leaf = i;
    return leaf;
}

/* Of all threads of a process; 0: nobody knows. */
static int64_t calls_of(const json_t *benchmark, const json_t *configuration) {
    const int64_t own = cfg_json_integer(configuration, "threads");
    const int64_t all = cfg_json_integer(benchmark, "threads");
    const int64_t calls = cfg_json_integer(configuration, "total_calls");
    int64_t of_all;
    return calls < 0 || __builtin_mul_overflow(calls, own > 0 ? own : MAX(all, 1), &of_all)
               ? 0
               : of_all;
}

bool srv__tree_read(srv__tree *tree, const json_t *benchmark, GError **error) {
    memset(tree, 0, sizeof *tree);
    tree->loops = cfg_json_integer(benchmark, "loops");
    tree->loops_most = cfg_json_number(benchmark, "budget_minutes") > 0
                           ? (int64_t)SRV__LOOPS_LIMIT
                           : CLAMP(tree->loops, 1, (int64_t)SRV__LOOPS_LIMIT);
    size_t i;
    json_t *item;
    bool good = cfg_json_count(benchmark, "configurations") <= DET_CONFIGURATIONS_MAX;
    cfg_json_each (benchmark, "configurations", i, item) {
        const char *parent = cfg_json_word(item, "parent", NULL);
        if (!good)
            break;
        tree->name[i] = cfg_json_word(item, "name", NULL);
        tree->label[i] = cfg_json_word(item, "label", NULL);
        tree->portion[i] = cfg_json_word(item, "portion", NULL);
        tree->calls[i] = calls_of(benchmark, item);
        tree->unit[i] = cfg_json_word(item, "unit", NULL);
        tree->higher[i] = g_strcmp0(cfg_json_word(item, "better", NULL), "higher") == 0;
        const int above = parent ? srv__tree_find(tree, parent) : -1;
        good = good && tree->name[i] && tree->label[i] && tree->portion[i] &&
               (above >= 0 ? g_strcmp0(tree->unit[above], tree->unit[i]) == 0 : !parent) &&
               det_chain_add(&tree->chain, tree->portion[i], above) == DET_OK;
        if (good)
            det_name_copy(tree->chain.called[i], tree->label[i]);
    }
    /* A value by itself is what is watched, and no control. */
    if (tree->chain.control >= 0 && tree->unit[tree->chain.control])
        tree->chain.control = -1;
    if (good && det_chain_check(&tree->chain) == DET_OK) {
        tree->total = first_leaf(&tree->chain);
        return true;
    }
    return SRV__FAIL(
        error, SRV_ERROR, SRV_ERROR_INTERNAL,
        "the benchmark's configurations do not form a tree of at most %u with parents first, each "
        "of its parent's unit",
        DET_CONFIGURATIONS_MAX);
}

void srv__tree_of(srv__tree *tree, const det_dimension *dimension) {
    for (size_t i = 0; dimension && dimension->grows && i < tree->chain.count; i++) {
        const int parent = tree->chain.parent[i];
        if (parent < 0 || tree->calls[i] == tree->calls[parent])
            continue;
        tree->chain.parent[i] = tree->chain.control = -1;
        tree->portion[i] = tree->name[i];
    }
}

/* Bare: of an import, which may know the mean alone. Older runners told more than few values know.
 */
static void statistics_read(srv__fields *s, bool bare, det_summary *out) {
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const det_summary_member *member = &det_summary_members[i];
        const bool mean = member->offset == offsetof(det_summary, mean);
        const bool optional = member->optional || (bare && !mean);
        if (det_summary_knows(member, out->n))
            det_summary_set(
                out, member,
                srv__field_real(s, member->key, 0, optional ? SRV__OPTIONAL : SRV__REQUIRED));
    }
}

/* As far as they are known. */
static bool in_order(const det_summary *s) {
    double before = -INFINITY;
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const det_summary_member *member = &det_summary_members[i];
        const double value = det_summary_get(s, member);
        if (isnan(member->probability) || isnan(value))
            continue;
        if (!(before <= value))
            return false;
        before = value;
    }
    /* A mean is rounded once more than the extremes it lies between. */
    const double slack = 1e-9 * s->max;
    return !(s->mean < s->min - slack) && !(s->mean > s->max + slack);
}

/* Kept by the result. */
static const char *text_of(srv__result *result, const json_t *json) {
    g_autofree char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    return text ? g_string_chunk_insert(result->texts, text) : NULL;
}

/* What is only kept and shown, whatever it holds. */
static void sized(srv__fields *in, const char *key, const json_t *value, size_t most) {
    const size_t size = value ? json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY) : 0;
    if (size <= most)
        return;
    g_autofree char *what =
        g_strdup_printf("has %zu bytes of JSON; at most %zu are kept", size, most);
    srv__field_fail(in, key, what);
}

static void summary_read(srv__fields *in, bool bare, srv__result *result, srv__loop *loop) {
    const json_t *summary = srv__field_json(in, "summary", JSON_OBJECT, SRV__REQUIRED);
    g_autofree char *where = g_strdup_printf("%s.summary", in->where);
    srv__fields s = {.object = summary, .where = where, .error = in->error, .failed = in->failed};
    if (in->failed)
        return;
    loop->summary = det_summary_unknown();
    loop->summary.n =
        (size_t)srv__field_int(&s, "n", 1, INT64_MAX, bare ? SRV__OPTIONAL : SRV__REQUIRED, 0);
    statistics_read(&s, bare, &loop->summary);
    if (!s.failed && !in_order(&loop->summary))
        srv__field_fail(&s, "min_ns", "min, quartiles, mean and max are not in order");
    loop->summary_text = text_of(result, summary);
    in->failed = s.failed;
}

static void raw_read(srv__fields *in, srv__loop *loop) {
    const json_t *raw = srv__field_json(in, "raw", JSON_OBJECT, SRV__OPTIONAL);
    if (!raw || in->failed)
        return;
    g_autofree char *where = g_strdup_printf("%s.raw", in->where);
    srv__fields r = {.object = raw, .where = where, .error = in->error};
    loop->raw_sha256 = srv__field_text(&r, "sha256", NAME_LIMIT, SRV__REQUIRED);
    loop->raw_bytes = srv__field_int(&r, "bytes", 1, INT64_MAX, SRV__REQUIRED, 0);
    loop->raw_uncompressed_bytes =
        srv__field_int(&r, "uncompressed_bytes", 1, INT64_MAX, SRV__REQUIRED, 0);
    if (!r.failed && !cfg_is_sha256(loop->raw_sha256))
        srv__field_fail(&r, "sha256", "must be 64 lower-case hex digits");
    in->failed = r.failed;
}

static void extras_read(srv__fields *in, srv__result *result, srv__loop *loop) {
    const json_t *bins = srv__field_json(in, "calls_per_second", JSON_ARRAY, SRV__OPTIONAL);
    loop->readings = srv__field_json(in, "readings", JSON_OBJECT, SRV__OPTIONAL);
    sized(in, "readings", loop->readings, READINGS_LIMIT);
    size_t i;
    json_t *bin;
    if (json_array_size(bins) > BINS_LIMIT)
        srv__field_fail(in, "calls_per_second", "is too long");
    json_array_foreach (bins, i, bin)
        if (!json_is_number(bin) || json_number_value(bin) < 0)
            srv__field_fail(in, "calls_per_second", "must hold counts");
    loop->calls_per_second_text = text_of(result, bins);
    loop->readings_text = in->failed ? NULL : text_of(result, loop->readings);
    loop->duet = json_is_object(json_object_get(loop->readings, "duet"));
}

static void configuration_read(srv__fields *in, const srv__tree *tree, srv__loop *loop) {
    const char *name = srv__field_text(in, "configuration", NAME_LIMIT, SRV__REQUIRED);
    int index = name ? srv__tree_find(tree, name) : 0;
    if (index < 0) {
        g_autofree char *what = g_strdup_printf("'%s' is not in the job's benchmark", name);
        srv__field_fail(in, "configuration", what);
    }
    loop->configuration = (size_t)MAX(index, 0);
}

static void commit_read(srv__fields *in, srv__commits commits, srv__loop *loop) {
    if (!commits.before)
        return;
    const char *commit = srv__field_text(in, "commit", NAME_LIMIT, SRV__REQUIRED);
    loop->before = g_strcmp0(commit, commits.before) == 0;
    if (!in->failed && !loop->before && !g_str_equal(commit, commits.after))
        srv__field_fail(in, "commit", "is neither of the two commits of this job");
}

static bool loop_read(srv__fields *in, const srv__tree *tree, srv__commits commits,
                      srv__result *result, srv__loop *loop) {
    memset(loop, 0, sizeof *loop);
    configuration_read(in, tree, loop);
    commit_read(in, commits, loop);
    loop->loop = srv__field_int(in, "loop", 1, tree->loops_most, SRV__REQUIRED, 1);
    loop->position = srv__field_int(in, "position", 0, INT32_MAX, SRV__REQUIRED, 0);
    loop->started_ms = srv__field_int(in, "started_ms", 0, TIME_LIMIT_MS, SRV__REQUIRED, 0);
    loop->seconds = srv__field_real(in, "seconds", 0, SRV__REQUIRED);
    loop->disturbed = srv__field_bool(in, "disturbed", false);
    loop->failed = srv__field_text(in, "failed", SRV__TEXT_BYTES, SRV__OPTIONAL);
    extras_read(in, result, loop);
    if (in->failed || loop->failed)
        return !in->failed;
    const bool optional = commits.bare ? SRV__OPTIONAL : SRV__REQUIRED;
    loop->calls = srv__field_int(in, "calls", 1, INT64_MAX, optional, 0);
    loop->warmup_calls = srv__field_int(in, "warmup_calls", 0, INT64_MAX, optional, 0);
    summary_read(in, commits.bare, result, loop);
    raw_read(in, loop);
    const bool uncounted = commits.bare && loop->calls == 0;
    if (!in->failed && !uncounted &&
        (loop->warmup_calls >= loop->calls ||
         loop->summary.n != (size_t)(loop->calls - loop->warmup_calls)))
        srv__field_fail(in, "calls", "minus warmup_calls differs from summary.n");
    return !in->failed;
}

/* One loop counts for each configuration and round: the last undisturbed, else the last. */
static void choose(srv__result *result, size_t count) {
    g_autofree srv__loop **best = g_new0(srv__loop *, 2 * count * result->rounds);
    for (guint i = 0; i < result->loops->len; i++) {
        srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        size_t row = loop->configuration + (loop->before ? count : 0);
        size_t at = row * result->rounds + (size_t)loop->loop - 1;
        srv__loop *other = best[at];
        if (loop->failed)
            continue;
        if (!other || (other->disturbed && !loop->disturbed) ||
            (other->disturbed == loop->disturbed && loop->position >= other->position))
            best[at] = loop;
    }
    for (size_t at = 0; at < 2 * count * result->rounds; at++)
        if (best[at])
            best[at]->used = true;
}

static bool loops_unique(const GArray *loops, GError **error) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < loops->len; i++) {
        const srv__loop *loop = &g_array_index(loops, srv__loop, i);
        if (!g_hash_table_add(seen, g_strdup_printf("%zu %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                                                    loop->configuration, loop->before, loop->loop,
                                                    loop->position)))
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                             "loops[%u]: this configuration, loop and position is given twice", i);
    }
    return true;
}

static bool loops_read(srv__result *result, const json_t *loops, const srv__tree *tree,
                       srv__commits commits, GError **error) {
    /* A disturbed loop may be repeated; many times the plan is not a result of ours. */
    size_t limit = 10 * tree->chain.count * SRV__LOOPS_LIMIT;
    if (json_array_size(loops) == 0 || json_array_size(loops) > limit)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "loops: must hold 1 to %zu loops",
                         limit);
    for (size_t i = 0; i < json_array_size(loops); i++) {
        g_autofree char *where = g_strdup_printf("loops[%zu]", i);
        srv__fields in = {.object = json_array_get(loops, i), .where = where, .error = error};
        srv__loop loop;
        if (!loop_read(&in, tree, commits, result, &loop))
            return false;
        result->rounds = MAX(result->rounds, (size_t)loop.loop);
        g_array_append_val(result->loops, loop);
    }
    choose(result, tree->chain.count);
    return loops_unique(result->loops, error);
}

srv__result *srv__result_read(const json_t *body, const srv__tree *tree, srv__commits commits,
                              GError **error) {
    srv__fields in = {.object = body, .where = "", .error = error};
    srv__result *result = g_new0(srv__result, 1);
    result->loops = g_array_new(FALSE, FALSE, sizeof(srv__loop));
    result->texts = g_string_chunk_new(4096);
    result->rounds = 1;
    result->node = srv__field_text(&in, "node", NAME_LIMIT, SRV__REQUIRED);
    result->started_ms = srv__field_int(&in, "started_ms", 0, TIME_LIMIT_MS, SRV__REQUIRED, 0);
    result->finished_ms =
        srv__field_int(&in, "finished_ms", result->started_ms, TIME_LIMIT_MS, SRV__REQUIRED, 0);
    const json_t *environment = srv__field_json(&in, "environment", JSON_OBJECT, SRV__REQUIRED);
    const json_t *loops = srv__field_json(&in, "loops", JSON_ARRAY, SRV__REQUIRED);
    sized(&in, "environment.detail", json_object_get(environment, "detail"), DETAIL_LIMIT);
    if (!in.failed) {
        result->environment = json_deep_copy(environment);
        json_object_del(result->environment, "detail");
        result->detail = json_object_get(environment, "detail");
        result->environment_hash = srv_json_hash(result->environment);
        sized(&in, "environment", result->environment, ENVIRONMENT_LIMIT);
        if (!in.failed && loops_read(result, loops, tree, commits, error))
            return result;
    }
    srv__result_free(result);
    return NULL;
}

void srv__result_free(srv__result *result) {
    if (!result)
        return;
    json_decref(result->environment);
    g_free(result->environment_hash);
    g_array_free(result->loops, TRUE);
    g_string_chunk_free(result->texts);
    g_free(result);
}

static int64_t needed(const srv__tree *tree, int64_t minimum_loops) {
    return MAX(MIN(minimum_loops, tree->loops), 1);
}

static bool disturbed_by_others(const srv__loop *loop) {
    return loop->disturbed && !cfg_json_true(loop->readings, "stray");
}

void srv__result_leave_out(srv__result *result, const srv__tree *tree, int64_t minimum_loops) {
    const int64_t least = MAX(needed(tree, minimum_loops), SPREAD_LOOPS);
    for (size_t c = 0; c < tree->chain.count; c++) {
        int64_t all = 0, quiet = 0;
        for (guint i = 0; i < result->loops->len; i++) {
            const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
            all += loop->configuration == c && loop->used;
            quiet += loop->configuration == c && loop->used && !disturbed_by_others(loop);
        }
        if (quiet < MAX(least, (all + 1) / 2))
            continue;
        for (guint i = 0; i < result->loops->len; i++) {
            srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
            if (loop->configuration == c && disturbed_by_others(loop))
                loop->used = false;
        }
    }
}

void srv__result_values(const srv__result *result, size_t count, bool medians, double *values) {
    for (size_t i = 0; i < count * result->rounds; i++)
        values[i] = NAN;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        size_t at = loop->configuration * result->rounds + (size_t)loop->loop - 1;
        if (loop->used)
            values[at] = medians ? loop->summary.median : loop->summary.mean;
    }
}

/* Loops of a configuration that count; why: out, the last failure, NULL: none. */
static int64_t usable_loops(const srv__result *result, size_t c, const char **why) {
    int64_t usable = 0;
    *why = NULL;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration != c)
            continue;
        usable += loop->used;
        *why = loop->failed ? loop->failed : *why;
    }
    return usable;
}

/* Why a configuration cannot be judged, owned; NULL: it can. */
static char *shortage(const srv__result *result, const srv__tree *tree, size_t c,
                      int64_t minimum_loops) {
    const int64_t least = needed(tree, minimum_loops);
    const char *why;
    const int64_t usable = usable_loops(result, c, &why);
    if (usable >= least)
        return NULL;
    if (usable == 0)
        return g_strdup_printf("configuration %s has no result%s%s", tree->name[c],
                               why ? "; the last failure: " : "", why ? why : "");
    return g_strdup_printf("configuration %s has %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                           " loops, at least %" G_GINT64_FORMAT " are needed%s%s",
                           tree->name[c], usable, tree->loops, least,
                           why ? "; the last failure: " : "", why ? why : "");
}

char *srv__result_flaw(const srv__result *result, const srv__tree *tree, int64_t minimum_loops) {
    const det_chain *chain = &tree->chain;
    g_autofree char *first = NULL;
    bool short_of[DET_CONFIGURATIONS_MAX], judged = false;
    for (size_t c = 0; c < chain->count; c++) {
        const int parent = chain->parent[c];
        const bool control = chain->control == (int)c && chain->count > 1;
        g_autofree char *wrong = shortage(result, tree, c, minimum_loops);
        short_of[c] = wrong;
        if (wrong && control)
            return g_steal_pointer(&wrong);
        judged = judged || (!wrong && !control && (parent < 0 || !short_of[parent]));
        if (wrong && !first)
            first = g_steal_pointer(&wrong);
    }
    return judged ? NULL : g_steal_pointer(&first);
}

char *srv__result_gap(const srv__result *result, const srv__tree *tree, int64_t minimum_loops) {
    g_autoptr(GString) gap = g_string_new(NULL);
    for (size_t c = 0; c < tree->chain.count; c++) {
        g_autofree char *wrong = shortage(result, tree, c, minimum_loops);
        if (wrong)
            g_string_append_printf(gap, "%s%s", gap->len ? "; " : "", wrong);
    }
    return gap->len ? g_string_free(g_steal_pointer(&gap), FALSE) : NULL;
}
