#include "server/transfer/export.h"

#include "config/json_text.h"
#include "server/alarm/baselines.h"
#include "server/alarm/explanation.h"
#include "server/alarm/incidents.h"
#include "server/alarm/notes.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/trial.h"
#include "server/ground/clock.h"
#include "server/ground/fields.h"
#include "server/ingest/ingest.h"
#include "server/ingest/raw_store.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/incident.h"
#include "sql/transfer.h"

/* A copy in which the texts that strangers wrote are as the poller keeps them. */
static json_t *commit_tidy(const json_t *object) {
    static const struct {
        const char *key;
        glong chars;
    } texts[] = {{"author", SRV__AUTHOR_CHARS},
                 {"author_email", SRV__AUTHOR_CHARS},
                 {"subject", SRV__SUBJECT_CHARS}};
    json_t *tidy = json_deep_copy(object);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        const char *text = cfg_json_word(object, texts[i].key, NULL);
        g_autofree char *line = text ? srv__line_tidy(text, texts[i].chars) : NULL;
        if (line)
            json_object_set_new(tidy, texts[i].key, json_string(line));
    }
    return tidy;
}

static bool commit_read(const json_t *object, srv_commit *commit, GError **error) {
    srv__fields in = {.object = object, .where = "commit", .error = error};
    *commit = (srv_commit){
        .sha = srv__field_text(&in, "sha", 64, SRV__REQUIRED),
        .author = srv__field_text(&in, "author", SRV__TEXT_BYTES, SRV__REQUIRED),
        .author_email = srv__field_text(&in, "author_email", SRV__TEXT_BYTES, SRV__REQUIRED),
        .time_ms = srv__field_int(&in, "time_ms", INT64_MIN, INT64_MAX, SRV__REQUIRED, 0),
        .subject = srv__field_text(&in, "subject", SRV__TEXT_BYTES, SRV__REQUIRED),
        .parent = srv__field_text(&in, "parent", 64, SRV__OPTIONAL)};
    return !in.failed;
}

/* Until the repository says otherwise, where there is one. */
static bool release_keep(srv_store *store, int64_t revision, const json_t *commit, GError **error) {
    srv__fields in = {.object = commit, .where = "commit", .error = error};
    const char *release = srv__field_text(&in, "release", 255, SRV__OPTIONAL);
    return !in.failed &&
           (!release || srv__run(store, ASK(import_release, revision, release), error));
}

/* Where the night goes: project's settings, benchmark, commit. of: out, the benchmark as the file
 * has it; row: out, the body of what it is here. */
static bool place(srv__importing *into, const json_t *object, srv__night *night,
                  const srv__import_benchmark **of, int64_t *minimum_loops, json_t **row,
                  GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    srv_commit commit;
    night->night = srv__field_text(&in, "night", 10, SRV__REQUIRED);
    night->kind = srv__field_text(&in, "kind", 20, SRV__REQUIRED);
    const char *branch = srv__field_text(&in, "branch", SRV__TEXT_BYTES, SRV__OPTIONAL);
    const char *hash = srv__field_text(&in, "benchmark", 64, SRV__REQUIRED);
    const json_t *given = srv__field_json(&in, "commit", JSON_OBJECT, SRV__REQUIRED);
    json_auto_t *commit_object = given ? commit_tidy(given) : NULL;
    if (in.failed || !commit_read(commit_object, &commit, error) ||
        !srv__commit_check(&commit, night->night, error))
        return false;
    night->branch = branch ? branch : into->branch;
    night->project = into->project;
    srv__import_benchmark *benchmark = g_hash_table_lookup(into->benchmarks, hash);
    night->benchmark = benchmark ? benchmark->id : 0;
    *of = benchmark;
    if (!benchmark) {
        srv__field_fail(&in, "benchmark", "no line above defines this benchmark");
        return false;
    }
    if (!srv__revision_keep(into->store, into->project, &commit, &night->revision, error) ||
        !release_keep(into->store, night->revision, commit_object, error) ||
        !srv__object(into->store, ASK(import_settings, night->benchmark, into->project), row,
                     error))
        return false;
    const json_t *detection = json_object_get(*row, "detection");
    night->level = cfg_json_number(detection, "confidence");
    *minimum_loops = cfg_json_integer(detection, "minimum_loops");
    if (!benchmark->lineage)
        benchmark->lineage = srv__lineage(into->store, into->project, benchmark->id,
                                          json_object_get(*row, "body"), error);
    night->lineage = benchmark->lineage;
    return night->lineage != NULL;
}

/* Raw files stay where they are: those that are not here are not named. */
static bool raw_strip(srv_store *store, json_t *result, GError **error) {
    size_t i;
    json_t *loop;
    cfg_json_each (result, "loops", i, loop) {
        const char *sha = json_string_value(cfg_json_at(loop, "raw.sha256"));
        int64_t there = 0;
        if (sha && !srv__number(store, ASK(import_raw_there, sha), 0, &there, error))
            return false;
        if (there == 0)
            json_object_del(loop, "raw");
    }
    return true;
}

/* Throughputs of a project whose history has them as times. Of none there is no time. */
static void rates_turn(json_t *result, const json_t *turned) {
    size_t i;
    json_t *loop;
    cfg_json_each (result, "loops", i, loop) {
        json_t *summary = json_object_get(loop, "summary");
        const double ns = cfg_json_number(turned, cfg_json_word(loop, "configuration", ""));
        const double rate = cfg_json_number(summary, "mean_ns");
        if (ns > 0 && rate > 0)
            json_object_set_new(summary, "mean_ns", json_real(ns / rate));
        else if (ns > 0 && summary) {
            json_object_del(loop, "summary");
            json_object_set_new(loop, "failed", json_string("a rate of 0 is no time of a call"));
        }
    }
}

static bool has_loop(const json_t *loops, const char *configuration) {
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop)
        if (g_strcmp0(cfg_json_word(loop, "configuration", NULL), configuration) == 0)
            return true;
    return false;
}

static void failure_put(json_t *result, const char *name, size_t number, json_t *why) {
    json_t *loops = json_object_get(result, "loops");
    json_array_append_new(
        loops, json_pack("{s:s,s:i,s:i,s:O,s:f,s:O}", "configuration", name, "loop", (int)number,
                         "position", (int)json_array_size(loops), "started_ms",
                         json_object_get(result, "started_ms"), "seconds", 0.0, "failed", why));
}

/* What a file says of why it has no result of a configuration: a loop that failed, or as many as
 * there are reasons. Of what is no configuration here nobody waits for one. */
static void failures_put(json_t *result, json_t *left, const srv__tree *tree) {
    json_t *reasons, *why;
    const char *name;
    size_t i;
    json_object_foreach (left, name, reasons) {
        if (srv__tree_find(tree, name) < 0 || has_loop(json_object_get(result, "loops"), name))
            continue;
        json_array_foreach (reasons, i, why)
            failure_put(result, name, i + 1, why);
        if (!json_is_array(reasons))
            failure_put(result, name, 1, reasons);
    }
}

static bool has_result(const srv__result *result, size_t c) {
    for (guint i = 0; i < result->loops->len; i++)
        if (g_array_index(result->loops, srv__loop, i).configuration == c)
            return true;
    return false;
}

/* A file has the benchmarks of its whole history, and a project those of all its suites: for one
 * that comes later, or to another, and what is measured on top of it, a night does not wait. */
static bool to_come_find(srv__importing *into, srv__night *night, const srv__tree *tree,
                         const srv__result *result, GError **error) {
    for (size_t c = tree->chain.count; c-- > 0;) {
        int64_t has = night->flaw || has_result(result, c);
        for (size_t on = c + 1; on < tree->chain.count; on++)
            has |= tree->chain.parent[on] == (int)c && !night->to_come[on];
        if (!has && !srv__number(into->store,
                                 ASK(import_seen, into->project, tree->name[c], night->night,
                                     result->environment_hash),
                                 0, &has, error))
            return false;
        night->to_come[c] = has == 0;
    }
    return true;
}

static bool job_make(srv__importing *into, srv__night *night, const srv__result *result,
                     GError **error) {
    return srv__insert(into->store,
                       ASK(import_job_insert, into->project, night->revision, night->benchmark,
                           night->branch, night->kind, night->night, result->node, into->now_ms,
                           result->started_ms, result->finished_ms),
                       &night->job, error);
}

static void gaps_count(srv__importing *into, const srv__tree *tree, const srv__result *result) {
    for (size_t c = 0; c < tree->chain.count; c++) {
        bool there = false;
        for (guint i = 0; i < result->loops->len && !there; i++) {
            const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
            there = loop->configuration == c && loop->used;
        }
        const json_int_t before = cfg_json_integer(into->gaps, tree->name[c]);
        if (!there)
            json_object_set_new(into->gaps, tree->name[c], json_integer(before + 1));
    }
}

/* Its job is there. */
static bool result_store(srv__importing *into, srv__night *night, const srv__tree *tree,
                         const srv__result *result, int64_t *experiment, GError **error) {
    return srv__night_store(into->store, night, tree, result,
                            srv_night_over_ms(night->night, into->now_ms), experiment, error) &&
           srv__raw_share(into->store, *experiment, night->job, into->now_ms, error) &&
           srv__run(into->store, ASK(import_job_close, night->job, *experiment), error);
}

/* One that is not here yet. */
static bool night_put(srv__importing *into, srv__night *night, const srv__tree *tree,
                      const srv__result *result, GError **error) {
    int64_t experiment;
    into->counts.nights++;
    if (night->flaw)
        json_array_append_new(into->flaws,
                              json_pack("{s:s,s:s}", "night", night->night, "reason", night->flaw));
    gaps_count(into, tree, result);
    return srv__raw_check_rows(into->store, result, error) &&
           job_make(into, night, result, error) &&
           result_store(into, night, tree, result, &experiment, error) &&
           srv__event(into->store, SRV_EVENT_NIGHT, experiment);
}

static bool night_take(srv__importing *into, srv__night *night, const srv__import_benchmark *of,
                       const srv__tree *tree, const srv__result *result, GError **error) {
    bool there;
    return srv__import_again(into, night, of, tree, result, &there, error) &&
           (there || night_put(into, night, tree, result, error));
}

static bool import_night(srv__importing *into, const json_t *object, GError **error) {
    srv__night night = {.remeasure = false, .tried = true};
    srv__fields in = {.object = object, .where = "", .error = error};
    srv__tree tree;
    int64_t minimum_loops;
    const srv__import_benchmark *of = NULL;
    json_auto_t *row = NULL;
    const json_t *result_object = srv__field_json(&in, "result", JSON_OBJECT, SRV__REQUIRED);
    (void)srv__field_json(&in, "left", JSON_OBJECT, SRV__OPTIONAL);
    bool good = !in.failed && place(into, object, &night, &of, &minimum_loops, &row, error) &&
                srv__tree_read(&tree, json_object_get(row, "body"), error);
    if (good) {
        json_auto_t *body = json_deep_copy(result_object);
        const srv__commits none = {NULL, NULL, true};
        g_autoptr(srv__result) result = NULL;
        json_auto_t *left =
            srv__import_names_turn(of->names, body, json_object_get(object, "left"));
        rates_turn(body, of->turned);
        failures_put(body, left, &tree);
        g_autofree char *hash = srv_json_hash(body);
        good = raw_strip(into->store, body, error) &&
               (result = srv__result_read(body, &tree, none, error));
        if (good)
            srv__result_leave_out(result, &tree, minimum_loops);
        g_autofree char *flaw = good ? srv__result_flaw(result, &tree, minimum_loops) : NULL;
        night.flaw = flaw;
        night.result_hash = hash;
        if (good && of->imported)
            good = to_come_find(into, &night, &tree, result, error);
        good = good && night_take(into, &night, of, &tree, result, error);
    }
    return good;
}

/* The alert that follows here from the same commit, 0 when none does. */
static bool import_alert_of(srv__importing *into, const json_t *object, const char *where,
                            int64_t *alert, GError **error) {
    srv__fields in = {.object = object, .where = where, .error = error};
    const char *configuration = srv__field_text(&in, "configuration", 100, SRV__REQUIRED);
    const char *direction = srv__field_text(&in, "direction", 10, SRV__REQUIRED);
    const char *commit = srv__field_text(&in, "commit", 64, SRV__REQUIRED);
    const char *dimension = srv__field_text(&in, "dimension", 100, SRV__OPTIONAL);
    return !in.failed && srv__number(into->store,
                                     ASK(import_alert_find, into->project, configuration, direction,
                                         commit, dimension ? dimension : SRV__TIME),
                                     0, alert, error);
}

/* Where an answer goes: to an alert or an incident. */
typedef struct {
    int64_t id;
    bool (*state_ok)(const char *state);
    const srv_sql *there; /* how often this answer is here, by id, time and author */
    bool (*note)(srv_store *, int64_t, const char *, const char *, const char *, int64_t,
                 GError **);
} answered;

static bool answer_take(srv__importing *into, const answered *to, const json_t *answer,
                        GError **error) {
    srv__fields in = {.object = answer, .where = "audit", .error = error};
    int64_t there;
    const char *state = srv__field_text(&in, "state", 20, SRV__REQUIRED);
    const char *author = srv__field_text(&in, "author", SRV__TEXT_BYTES, SRV__REQUIRED);
    const char *reason = srv__field_text(&in, "reason", SRV__TEXT_BYTES, SRV__REQUIRED);
    int64_t at_ms = srv__field_int(&in, "at_ms", 0, SRV__IMPORT_LATEST_MS, SRV__REQUIRED, 0);
    if (!in.failed && !to->state_ok(state))
        srv__field_fail(&in, "state", "is not a state of an alert or incident");
    if (in.failed)
        return false;
    /* What the detector did, it does again here. */
    if (g_str_equal(author, SRV__DETECTOR))
        return true;
    if (!srv__number(into->store, to->there, SRV__ARGS(to->id, at_ms, author), 0, &there, error))
        return false;
    if (there > 0)
        return true;
    into->counts.alerts++;
    return to->note(into->store, to->id, state, author, reason, at_ms, error);
}

/* id 0: it does not follow here, and its answers are counted and left. */
static bool answers_take(srv__importing *into, const answered *to, const json_t *audit,
                         GError **error) {
    into->counts.unmatched += to->id == 0;
    for (size_t i = 0; to->id != 0 && i < json_array_size(audit); i++)
        if (!answer_take(into, to, json_array_get(audit, i), error))
            return false;
    return true;
}

static bool import_alert(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    answered to = {0, srv__alert_state_ok, SQL(import_audit_there), srv__alert_note};
    const json_t *audit = srv__field_json(&in, "audit", JSON_ARRAY, SRV__REQUIRED);
    return !in.failed && import_alert_of(into, object, "", &to.id, error) &&
           answers_take(into, &to, audit, error);
}

static bool commit_keep(srv__importing *into, const json_t *object, const char *key, int64_t *id,
                        GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    srv_commit commit;
    const json_t *given = srv__field_json(&in, key, JSON_OBJECT, SRV__REQUIRED);
    json_auto_t *tidy = given ? commit_tidy(given) : NULL;
    return tidy && commit_read(tidy, &commit, error) &&
           srv__commit_check(&commit, "2000-01-01", error) &&
           srv__revision_keep(into->store, into->project, &commit, id, error);
}

static bool import_explanation(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    int64_t alert = 0, commits[2];
    const json_t *result = srv__field_json(&in, "result", JSON_OBJECT, SRV__REQUIRED);
    const int64_t at_ms = srv__field_int(&in, "at_ms", 0, SRV__IMPORT_LATEST_MS, SRV__REQUIRED, 0);
    if (in.failed || !import_alert_of(into, object, "", &alert, error))
        return false;
    into->counts.unmatched += alert == 0;
    return alert == 0 ||
           (commit_keep(into, object, "before", &commits[0], error) &&
            commit_keep(into, object, "after", &commits[1], error) &&
            srv__explanation_bring(into->store, alert, commits, result, at_ms, error));
}

static bool incident_state_ok(const char *state) {
    return g_strcmp0(state, "open") == 0 || g_strcmp0(state, "closed") == 0;
}

static bool import_incident(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    answered to = {0, incident_state_ok, SQL(incident_answered), srv__incident_note};
    const char *kind = srv__field_text(&in, "kind", 20, SRV__REQUIRED);
    const char *commit = srv__field_text(&in, "commit", 64, SRV__REQUIRED);
    const json_t *audit = srv__field_json(&in, "audit", JSON_ARRAY, SRV__REQUIRED);
    return !in.failed &&
           srv__number(into->store, ASK(incident_match, into->project, kind, commit), 0, &to.id,
                       error) &&
           answers_take(into, &to, audit, error);
}

static bool import_note(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    int64_t there, id;
    const srv_note note = {.night = srv__field_text(&in, "night", 10, SRV__REQUIRED),
                           .text = srv__field_text(&in, "text", SRV__TEXT_BYTES, SRV__REQUIRED),
                           .author =
                               srv__field_text(&in, "author", SRV__TEXT_BYTES, SRV__REQUIRED)};
    const int64_t at_ms = srv__field_int(&in, "at_ms", 0, SRV__IMPORT_LATEST_MS, SRV__REQUIRED, 0);
    if (in.failed || !srv__number(into->store,
                                  ASK(import_note_there, into->project, note.night, note.text,
                                      note.author, at_ms),
                                  0, &there, error))
        return false;
    if (there > 0)
        return true;
    into->counts.alerts++;
    return srv__note_put(into->store, into->name, &note, at_ms, &id, error);
}

/* It cannot be said here: then nothing has been written. */
static bool is_unfit(const GError *problem) {
    return g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND) ||
           g_error_matches(problem, SRV_ERROR, SRV_ERROR_CONFLICT) ||
           g_error_matches(problem, SRV_ERROR, SRV_ERROR_INVALID);
}

static bool baseline_put(srv__importing *into, const srv_baseline *said, int64_t at_ms,
                         GError **error) {
    GError *problem = NULL;
    int64_t id;
    const bool good = srv__baseline_put(into->store, into->name, said, at_ms, &id, &problem);
    into->counts.alerts += good;
    if (good)
        return true;
    if (!is_unfit(problem)) {
        g_propagate_error(error, problem);
        return false;
    }
    into->counts.unmatched++;
    g_error_free(problem);
    return true;
}

static bool import_baseline(srv__importing *into, const json_t *object, GError **error) {
    srv__fields in = {.object = object, .where = "", .error = error};
    int64_t there;
    srv_baseline said = {.night = srv__field_text(&in, "night", 10, SRV__OPTIONAL),
                         .portions = NULL,
                         .reason = srv__field_text(&in, "reason", SRV__TEXT_BYTES, SRV__REQUIRED),
                         .author = srv__field_text(&in, "author", SRV__TEXT_BYTES, SRV__REQUIRED)};
    const int64_t at_ms = srv__field_int(&in, "at_ms", 0, SRV__IMPORT_LATEST_MS, SRV__REQUIRED, 0);
    const json_t *alert = srv__field_json(&in, "alert", JSON_OBJECT, SRV__OPTIONAL);
    const json_t *portions = srv__field_json(&in, "portions", JSON_ARRAY, SRV__OPTIONAL);
    if (!in.failed && !alert && !said.night)
        srv__field_fail(&in, "night", "is missing: a level begins with one");
    if (in.failed || !srv__number(into->store,
                                  ASK(import_baseline_there, into->project, said.author,
                                      said.reason, at_ms, said.night ? said.night : ""),
                                  0, &there, error))
        return false;
    if (there > 0)
        return true;
    if (alert && !import_alert_of(into, alert, "alert", &said.alert, error))
        return false;
    if (alert && said.alert == 0) {
        into->counts.unmatched++;
        return true;
    }
    said.portions = alert ? NULL : portions;
    return baseline_put(into, &said, at_ms, error);
}

/* A run of a commit that nodes measured in turn: servers of 0.1 had factors from these. */
static bool run_leave(srv__importing *into, const json_t *object, GError **error) {
    (void)object;
    (void)error;
    into->counts.unmatched++;
    return true;
}

static const struct {
    const char *type;
    bool (*read)(srv__importing *, const json_t *, GError **);
} readers[] = {{"night", import_night},
               {"calibration", run_leave},
               {"note", import_note},
               {"baseline", import_baseline},
               {"alert", import_alert},
               {"incident", import_incident},
               {"explanation", import_explanation}};

bool srv__import_taken(srv__importing *into, const char *type, const json_t *object,
                       GError **error) {
    for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
        if (g_str_equal(type, readers[i].type))
            return readers[i].read(into, object, error);
    srv__fields in = {.object = object, .where = "", .error = error};
    srv__field_fail(&in, "type",
                    "must be benchmark, night, note, baseline, alert, explanation or incident");
    return false;
}
