#include "config/json_text.h"
#include "config/projects.h"
#include "server/ground/fields.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/transfer/export.h"
#include "sql/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As config/ has it. */
#define AGEING_DAYS_MOST 36500
#define AGEING_DAYS_USUAL 30

/* After 30 of them without a value a configuration was taken as removed
 * (detector/watch/incident.c), and no file has to have it. */
#define RESULTS_AWAITED 31

/* Of a project and one of its further branches. */
#define NAME_LIMIT 201u
#define KEY_BYTES 100u /* of a configuration */
#define LINE_LIMIT (64u * 1024u * 1024u)

struct srv_import {
    srv_store *store;
    char *name;
    int64_t now_ms;
    unsigned line;
    bool begun;
    json_t *header; /* until the first benchmark has made the project */
    srv__importing into;
};

srv__place *srv_imports_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                             GError **error) {
    const srv__place about = {.dir = g_strdup(dir),
                              .what = "import",
                              .limit_key = "import_limit_bytes",
                              .limit_bytes = limit_bytes,
                              .reserve_bytes = reserve_bytes};
    return srv__place_new(&about, error);
}

bool srv_imports_finish(srv__incoming *upload, srv_import *import, GError **error) {
    FILE *file = srv__incoming_reopen(upload, error);
    const bool good = file && srv_import_whole(import, file, error);
    if (file)
        (void)fclose(file);
    srv__incoming_free(upload);
    return good;
}

static void benchmark_free(void *pointer) {
    srv__import_benchmark *kept = pointer;
    g_free(kept->own);
    g_free(kept->lineage);
    json_decref(kept->turned);
    json_decref(kept->names);
    g_free(kept);
}

srv_import *srv_import_new(srv_store *store, const char *project, int64_t now_ms) {
    srv_import *import = g_new0(srv_import, 1);
    import->store = store;
    import->name = g_strdup(project);
    import->now_ms = now_ms;
    import->into.store = store;
    import->into.now_ms = now_ms;
    import->into.gaps = json_object();
    import->into.flaws = json_array();
    import->into.differing = json_array();
    import->into.apart = json_array();
    import->into.replaced = json_array();
    import->into.again = g_array_new(FALSE, FALSE, sizeof(srv__again));
    import->into.benchmarks =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, benchmark_free);
    return import;
}

void srv_import_free(srv_import *import) {
    if (!import)
        return;
    g_free(import->name);
    json_decref(import->header);
    g_hash_table_destroy(import->into.benchmarks);
    g_free(import->into.branch);
    json_decref(import->into.gaps);
    json_decref(import->into.flaws);
    json_decref(import->into.differing);
    json_decref(import->into.apart);
    json_decref(import->into.replaced);
    g_array_free(import->into.again, TRUE);
    g_free(import);
}

void srv_import_replace(srv_import *import) {
    import->into.replace = true;
}

/* As the configuration asks for: the name is part of addresses and of files' names. */
static bool is_name(const char *name) {
    g_autofree char *own = cfg_branch_main(name);
    const char *branch = name + strlen(own);
    if (!cfg_is_name(own))
        return false;
    g_autofree char *kept = *branch != '\0' ? cfg_branch_project(own, branch + 1) : g_strdup(own);
    return *branch == '\0' || (branch[1] != '\0' && strcmp(kept, name) == 0);
}

/* Nights of a project that is not configured here are judged by these. */
static bool detection_check(const json_t *detection, GError **error) {
    static const struct {
        const char *key;
        double low, high;
        bool whole;
    } numbers[] = {{"confidence", 0.5, 0.9999, false},
                   {"minimum_effect_percent", 0, 1000, false},
                   {"minimum_effect_ns", 0, 1e12, false},
                   {"baseline_nights", 1, 1000, true},
                   {"minimum_loops", 1, 1e6, true}};
    srv__fields in = {.object = detection, .where = "detection", .error = error};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        const json_t *value = json_object_get(detection, numbers[i].key);
        const double number = json_number_value(value);
        const bool kind = numbers[i].whole ? json_is_integer(value) : json_is_number(value);
        if (kind && number >= numbers[i].low && number <= numbers[i].high)
            continue;
        g_autofree char *what = g_strdup_printf(
            "%s; put a %snumber from %g to %g there, or configure the project here first",
            !value ? "is missing" : "cannot be used", numbers[i].whole ? "whole " : "",
            numbers[i].low, numbers[i].high);
        srv__field_fail(&in, numbers[i].key, what);
    }
    return !in.failed;
}

static bool header_read(srv_import *import, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    srv__field_int(&in, "moowatch_export", 1, 2, SRV__REQUIRED, 0);
    const char *name = srv__field_text(&in, "project", NAME_LIMIT, SRV__REQUIRED);
    srv__field_text(&in, "title", SRV__TEXT_BYTES, SRV__REQUIRED);
    srv__field_text(&in, "repository", SRV__TEXT_BYTES, SRV__REQUIRED);
    const char *branch = srv__field_text(&in, "branch", SRV__TEXT_BYTES, SRV__REQUIRED);
    const json_t *detection = srv__field_json(&in, "detection", JSON_OBJECT, SRV__REQUIRED);
    if (!in.failed && !is_name(import->name ? import->name : name))
        srv__field_fail(&in, "project",
                        "is not a name of lower-case letters, digits, '.', '_' and '-'");
    if (in.failed)
        return false;
    if (!import->name)
        import->name = g_strdup(name);
    import->into.name = import->name;
    import->into.branch = g_strdup(branch);
    import->header = json_deep_copy(object);
    import->begun = true;
    return srv__number(import->store, ASK(alert_last), 0, &import->into.alert_before, error) &&
           srv__number(import->store, ASK(incident_last), 0, &import->into.incident_before,
                       error) &&
           srv__number(import->store, ASK(import_project, import->name), 0, &import->into.project,
                       error) &&
           (import->into.project != 0 || detection_check(detection, error));
}

/* A project that is not configured here, disabled, with a header's
 * title, repository and detection. */
static bool import_project_insert(srv_store *store, const char *name, const json_t *header,
                                  const char *branch, int64_t benchmark, int64_t *id,
                                  GError **error) {
    const json_t *detection = json_object_get(header, "detection");
    g_autofree char *limits = srv_json_canonical(detection);
    g_autofree char *whole = cfg_branch_main(name);
    const json_t *said = json_object_get(detection, "ageing_days");
    const json_int_t ageing_days = said ? json_integer_value(said) : AGEING_DAYS_USUAL;
    return srv__insert(store,
                       ASK(import_project_insert, name, cfg_json_word(header, "title", NULL),
                           cfg_json_word(header, "repository", NULL), branch, benchmark, limits,
                           CLAMP(ageing_days, 0, AGEING_DAYS_MOST),
                           g_strcmp0(whole, name) == 0 ? NULL : whole),
                       id, error);
}

/* A project that is not configured here is made from the header, disabled. */
static bool project_make(srv_import *import, int64_t benchmark, GError **error) {
    return import_project_insert(import->store, import->name, import->header, import->into.branch,
                                 benchmark, &import->into.project, error);
}

/* The configurations that had a result in so many of the newest nights, as an object of names;
 * owned. */
static json_t *names_lately(const srv_import *import, int results, GError **error) {
    json_auto_t *rows =
        srv__array(import->store, ASK(import_names_lately, import->into.project, results), error);
    json_t *names = json_object(), *row;
    size_t i;
    json_array_foreach (rows, i, row)
        json_object_set_new(names, cfg_json_word(row, "name", ""), json_true());
    if (!rows)
        g_clear_pointer(&names, json_decref);
    return names;
}

/* A file says what one night has: it goes on as the nights here have it. Another guess of a newer
 * release would make a second history beside them, and what has failed would not be missing.
 * guessed  what is compared with what is no one's word; else its units alone are kept
 * turned   out: srv_benchmark_in_its_units */
static bool as_before(const srv_import *import, const json_t *body, bool guessed, json_t *turned,
                      json_t **out, GError **error) {
    json_auto_t *newest = NULL, *names = NULL, *rows = NULL;
    *out = NULL;
    if (!srv__object(import->store, ASK(import_newest_benchmark, import->into.project), &newest,
                     error))
        return false;
    if (newest &&
        (!(names = names_lately(import, RESULTS_AWAITED, error)) ||
         !(rows = srv__array(import->store, ASK(import_benchmarks, import->into.project), error))))
        return false;
    if (!newest)
        return true;
    const json_t *earlier = json_object_get(newest, "body");
    json_auto_t *own = srv_benchmark_in_its_units(body, rows, turned);
    *out = guessed ? srv_benchmark_as_before(own, earlier, names) : json_incref(own);
    return true;
}

/* With what it lacks there may be more than a project has. */
static bool fits(srv__fields *in, const json_t *body, const json_t *whole) {
    const size_t own = cfg_json_count(body, "configurations");
    const size_t all = cfg_json_count(whole, "configurations");
    if (all <= DET_CONFIGURATIONS_MAX)
        return true;
    g_autofree char *what = g_strdup_printf(
        "lacks %zu configurations that had a result in the last %d nights here: with them there "
        "are %zu, and a project has at most %u; import it into another project, or give what was "
        "renamed its "
        "former name in the file",
        all - own, RESULTS_AWAITED, all, DET_CONFIGURATIONS_MAX);
    srv__field_fail(in, "body", what);
    return false;
}

/* What each is called alone, and told apart. Labels are of any length, as a body's. */
static void names_check(srv__fields *in, json_t *names) {
    static const char *const which[][2] = {{"alone", "names.alone"}, {"full", "names.full"}};
    const char *key;
    json_t *own;
    json_object_foreach (names, key, own)
        for (size_t i = 0; i < G_N_ELEMENTS(which); i++) {
            srv__fields one = {json_object_get(own, which[i][0]), which[i][1], in->error,
                               in->failed};
            (void)srv__field_text(&one, "name", KEY_BYTES, SRV__REQUIRED);
            if (!cfg_json_word(one.object, "label", NULL))
                srv__field_fail(&one, "label", "must be a text");
            in->failed = one.failed;
        }
}

/* The body of a benchmark, with the names that its configurations have here; owned. turned: out,
 * srv__import_names */
static json_t *body_read(srv_import *import, srv__fields *in, json_t *turned, GError **error) {
    (void)srv__field_json(in, "names", JSON_OBJECT, SRV__OPTIONAL);
    json_t *names = json_object_get(in->object, "names");
    json_auto_t *body = json_deep_copy(srv__field_json(in, "body", JSON_OBJECT, SRV__REQUIRED));
    names_check(in, names);
    if (in->failed || !json_is_object(names))
        return json_incref(body);
    json_auto_t *newest = names_lately(import, 1, error);
    const bool good =
        newest && srv__import_names(&import->into, names, newest, body, turned, error);
    return good ? json_incref(body) : NULL;
}

static bool benchmark_read(srv_import *import, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    const char *hash = srv__field_text(&in, "hash", 64, SRV__REQUIRED);
    json_auto_t *names = json_object(), *turned = json_object();
    json_auto_t *body = body_read(import, &in, names, error);
    srv__tree tree;
    int64_t id;
    if (in.failed || !body)
        return false;
    if (!srv__tree_read(&tree, body, NULL)) {
        srv__field_fail(
            &in, "body",
            "its configurations do not form a tree with parents first, each of its parent's unit");
        return false;
    }
    const bool guessed = cfg_json_true(object, "guessed");
    json_auto_t *whole = NULL;
    if (!as_before(import, body, guessed, turned, &whole, error) || !fits(&in, body, whole))
        return false;
    /* a parent may have been let go: then it stays as it was guessed */
    if (whole && !srv__tree_read(&tree, whole, NULL))
        g_clear_pointer(&whole, json_decref);
    if (!srv__benchmark_keep(import->store, whole ? whole : body, &id, error) ||
        (import->into.project == 0 && !project_make(import, id, error)))
        return false;
    srv__import_benchmark *kept = g_new(srv__import_benchmark, 1);
    *kept = (srv__import_benchmark){.id = id,
                                    .own = srv_json_hash(body),
                                    .turned = json_incref(turned),
                                    .names = json_incref(names),
                                    .imported =
                                        g_str_equal(cfg_json_word(body, "driver", ""), "imported")};
    g_hash_table_insert(import->into.benchmarks, g_strdup(hash), kept);
    return true;
}

static bool object_read(srv_import *import, const json_t *object, GError **error) {
    if (!import->begun)
        return header_read(import, object, error);
    srv__fields in = {.object = object, .where = "", .error = error};
    const char *type = srv__field_text(&in, "type", 20, SRV__REQUIRED);
    if (in.failed)
        return false;
    if (g_str_equal(type, "benchmark"))
        return benchmark_read(import, object, error);
    if (import->into.project == 0) {
        srv__field_fail(&in, "type", "a benchmark must come before nights and alerts");
        return false;
    }
    return srv__import_taken(&import->into, type, object, error);
}

/* In a transaction. */
static bool line_take(srv_import *import, const char *line, size_t length, GError **error) {
    json_error_t problem;
    if (length > LINE_LIMIT)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_TOO_LARGE, "longer than %u bytes", LINE_LIMIT);
    json_auto_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &problem);
    bool good = json_is_object(object);
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "is not a JSON object: %s",
                    !object ? problem.text : "it is something else");
    good = good && object_read(import, object, error);
    return good;
}

static bool line_durable(srv_import *import, const char *line, size_t length, GError **error) {
    return srv__begin(import->store, error) &&
           srv__end(import->store, line_take(import, line, length, error), error);
}

/* Has take see every line; an error says which it was. */
static bool lines_take(srv_import *import, FILE *file,
                       bool (*take)(srv_import *, const char *, size_t, GError **),
                       GError **error) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    bool good = true;
    while (good && (length = getline(&line, &size, file)) > 0) {
        import->line++;
        length -= line[length - 1] == '\n';
        const char *text = import->line == 1 ? cfg_after_mark(line) : line;
        good = take(import, text, (size_t)(line + length - text), error);
        if (!good)
            g_prefix_error(error, "line %u: ", import->line);
    }
    free(line);
    if (good && ferror(file))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot be read after line %u: %s",
                         import->line, g_strerror(errno));
    return good;
}

/* In a transaction: judges what was replaced, counts what was found, and remembers it where nights
 * have come, or others in their place; of each of those that were here the answer alone tells. */
static bool conclude(srv_import *import, GError **error) {
    srv__importing *into = &import->into;
    const size_t brought = into->counts.nights + json_array_size(into->replaced);
    int64_t alerts, incidents;
    if (brought == 0)
        return true;
    if (!srv__import_judge_again(into, error) ||
        !srv__number(import->store, ASK(imports_alerts, into->project, into->alert_before), 0,
                     &alerts, error) ||
        !srv__number(import->store, ASK(imports_incidents, into->project, into->incident_before), 0,
                     &incidents, error))
        return false;
    into->counts.changes = (unsigned)alerts;
    into->counts.incidents = (unsigned)incidents;
    json_auto_t *report = srv_import_report(import);
    json_object_set_new(report, "nights", json_integer((json_int_t)brought));
    json_object_del(report, "differing");
    json_object_del(report, "replaced");
    json_object_del(report, "apart");
    g_autofree char *text = json_dumps(report, JSON_COMPACT);
    return srv__run(import->store, ASK(imports_note, into->project, import->now_ms, text), error);
}

bool srv_import_file(srv_import *import, FILE *file, GError **error) {
    const bool good = lines_take(import, file, line_durable, error);
    GError **late = good ? error : NULL; /* what came before a wrong line is here, and counts */
    return srv__begin(import->store, late) &&
           srv__end(import->store, conclude(import, late), late) && good;
}

bool srv_import_whole(srv_import *import, FILE *file, GError **error) {
    return srv__begin(import->store, error) &&
           srv__end(import->store,
                    lines_take(import, file, line_take, error) && conclude(import, error), error);
}

unsigned srv_import_lines(const srv_import *import) {
    return import->line;
}

json_t *srv_import_report(const srv_import *import) {
    const srv_import_counts *c = &import->into.counts;
    json_t *gaps = json_array();
    const char *configuration;
    json_t *nights;
    json_object_foreach (import->into.gaps, configuration, nights)
        json_array_append_new(
            gaps, json_pack("{s:s,s:O}", "configuration", configuration, "nights", nights));
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:O,s:O,s:O,s:O}", "nights",
                     (json_int_t)c->nights, "known", (json_int_t)c->known, "answers",
                     (json_int_t)c->alerts, "unmatched", (json_int_t)c->unmatched, "quarantined",
                     (json_int_t)json_array_size(import->into.flaws), "changes",
                     (json_int_t)c->changes, "incidents", (json_int_t)c->incidents, "gaps", gaps,
                     "flaws", import->into.flaws, "differing", import->into.differing, "replaced",
                     import->into.replaced, "apart", import->into.apart);
}
