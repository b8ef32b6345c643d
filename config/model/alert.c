#include "config/model/alert.h"

#include "config/model/detection.h"

#include <math.h>

/* The rows of a text, of a number that may be not known, of a level, and of a part of an alert. */
/* NOLINTBEGIN(bugprone-macro-parentheses): what offsetof takes has none */
#define TEXT(S, field, key) MODEL(S, field, key, MODEL_NULL)
#define NUMBER(S, field, key) MODEL(S, field, key, MODEL_NULL, -1)
#define REAL(S, field, key) MODEL(S, field, key, MODEL_NULL, NAN)
#define LEVEL(S, field, key) MODEL_A(S, field, cfg_interval_ns_model, MODEL_PART, key, MODEL_NULL)
#define COMMIT(S, field, key) MODEL_A(S, field, cfg_commit_model, MODEL_OWN, key, MODEL_NULL)
/* Columns that no answer shows. */
#define ROW .shown = CFG_ALERT_ROW
/* NOLINTEND(bugprone-macro-parentheses) */

static const model_member difference_members[] = {
    REAL(cfg_change, difference.mean, "mean_ns"), REAL(cfg_change, difference.low, "low_ns"),
    REAL(cfg_change, difference.high, "high_ns"), REAL(cfg_change, percent, "percent")};
static const model_noun difference = MODEL_NOUN(cfg_change, difference_members, "difference");

#define DIFFERENCE(at)                                                                             \
    {                                                                                              \
        .offset = (at), .noun = &difference, .type = MODEL_PART, .name = "difference",             \
        .need = MODEL_NULL                                                                         \
    }

static const model_member change_members[] = {TEXT(cfg_change, portion, "portion"),
                                              TEXT(cfg_change, configuration, "configuration"),
                                              TEXT(cfg_change, dimension, "dimension"),
                                              TEXT(cfg_change, direction, "direction"),
                                              MODEL(cfg_change, unit, "unit", MODEL_LEFT_OUT),
                                              MODEL(cfg_change, better, "better", MODEL_LEFT_OUT),
                                              LEVEL(cfg_change, before, "before"),
                                              LEVEL(cfg_change, after, "after"),
                                              DIFFERENCE(0),
                                              TEXT(cfg_change, reason, "reason"),
                                              MODEL(cfg_change, fixed_by, "fixed_by", MODEL_NULL),
                                              MODEL_A(cfg_change, confirmation,
                                                      cfg_confirmation_model, MODEL_OWN,
                                                      "confirmation", MODEL_NULL),
                                              TEXT(cfg_change, counted, "counted"),
                                              TEXT(cfg_change, headline, "headline"),
                                              TEXT(cfg_change, sentence, "sentence"),
                                              MODEL(cfg_change, thread, "thread", MODEL_LEFT_OUT),
                                              MODEL(cfg_change, lost, "lost", MODEL_NULL, ROW)};
static const model_noun change = MODEL_NOUN(cfg_change, change_members, "change");

static const model_member step_members[] = {
    MODEL_A(cfg_step, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL),
    NUMBER(cfg_step, place, "place"),
    TEXT(cfg_step, state, "state"),
    TEXT(cfg_step, saw, "saw"),
    NUMBER(cfg_step, trial, "trial"),
    NUMBER(cfg_step, loops, "loops"),
    LEVEL(cfg_step, before, "before"),
    LEVEL(cfg_step, after, "after"),
    LEVEL(cfg_step, difference, "difference"),
    TEXT(cfg_step, reason, "reason")};
static const model_noun step = MODEL_NOUN(cfg_step, step_members, "step");

static const model_member part_members[] = {
    TEXT(cfg_part, sha, "sha"), MODEL(cfg_part, percent, "percent", MODEL_LEFT_OUT, NAN)};
static const model_noun brought = MODEL_NOUN(cfg_part, part_members, "part of a change");

static const model_member search_members[] = {
    TEXT(cfg_search, state, "state"),
    TEXT(cfg_search, reason, "reason"),
    NUMBER(cfg_search, started_ms, "started_ms"),
    NUMBER(cfg_search, finished_ms, "finished_ms"),
    MODEL(cfg_search, low, "low", MODEL_NULL, -1, ROW),
    MODEL(cfg_search, high, "high", MODEL_NULL, -1, ROW),
    NUMBER(cfg_search, commits, "commits"),
    MODEL(cfg_search, left, "left", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_search, steps, step, MODEL_LIST, "steps", MODEL_WRITTEN),
    MODEL_SEVERAL(cfg_search, suspects, step, MODEL_LIST, "suspects", MODEL_WRITTEN, ROW),
    COMMIT(cfg_search, culprit, "culprit"),
    COMMIT(cfg_search, first, "first"),
    COMMIT(cfg_search, last, "last"),
    MODEL_A(cfg_search, before, cfg_commit_model, MODEL_OWN, "before", MODEL_NULL, ROW),
    MODEL(cfg_search, least, "least", MODEL_NULL, NAN, ROW),
    MODEL(cfg_search, partly, "partly", MODEL_LEFT_OUT),
    MODEL(cfg_search, rest, "rest", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_search, parts, brought, MODEL_LIST, "parts", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_search, acquitted, brought, MODEL_LIST, "acquitted", MODEL_LEFT_OUT),
    MODEL(cfg_search, configuration, "configuration", MODEL_LEFT_OUT),
    MODEL(cfg_search, dimension, "dimension", MODEL_LEFT_OUT),
    MODEL(cfg_search, of, "of", MODEL_LEFT_OUT),
    MODEL(cfg_search, alone, "alone", MODEL_LEFT_OUT),
    MODEL(cfg_search, told, "told", MODEL_LEFT_OUT)};
static const model_noun search = MODEL_NOUN(cfg_search, search_members, "search");

static const model_member found_members[] = {
    TEXT(cfg_found, portion, "portion"),         TEXT(cfg_found, configuration, "configuration"),
    TEXT(cfg_found, parent, "parent"),           TEXT(cfg_found, sentence, "sentence"),
    REAL(cfg_found, change_ns, "change_ns"),     REAL(cfg_found, before_units, "before_units"),
    REAL(cfg_found, after_units, "after_units"), TEXT(cfg_found, functions, "functions")};
static const model_noun found = MODEL_NOUN(cfg_found, found_members, "portion explained");

static const model_member profile_members[] = {
    TEXT(cfg_profile, configuration, "configuration"), TEXT(cfg_profile, end, "end"),
    NUMBER(cfg_profile, loops, "loops"), TEXT(cfg_profile, url, "url")};
static const model_noun profile = MODEL_NOUN(cfg_profile, profile_members, "profile");

static const model_member allocations_members[] = {
    TEXT(cfg_allocations, profiler, "profiler"), TEXT(cfg_allocations, unit, "unit"),
    TEXT(cfg_allocations, reason, "reason"),
    MODEL_SEVERAL(cfg_allocations, portions, found, MODEL_LIST, "portions", MODEL_WRITTEN),
    MODEL_SEVERAL(cfg_allocations, profiles, profile, MODEL_LIST, "profiles", MODEL_WRITTEN)};
static const model_noun allocations =
    MODEL_NOUN(cfg_allocations, allocations_members, "allocations");

static const model_member explanation_members[] = {
    TEXT(cfg_explanation, state, "state"),
    TEXT(cfg_explanation, reason, "reason"),
    TEXT(cfg_explanation, profiler, "profiler"),
    TEXT(cfg_explanation, unit, "unit"),
    NUMBER(cfg_explanation, job, "job"),
    NUMBER(cfg_explanation, finished_ms, "finished_ms"),
    NUMBER(cfg_explanation, removed_ms, "removed_ms"),
    TEXT(cfg_explanation, before, "before"),
    TEXT(cfg_explanation, after, "after"),
    MODEL_SEVERAL(cfg_explanation, portions, found, MODEL_LIST, "portions", MODEL_WRITTEN),
    MODEL_SEVERAL(cfg_explanation, profiles, profile, MODEL_LIST, "profiles", MODEL_WRITTEN),
    MODEL_A(cfg_explanation, allocations, allocations, MODEL_OWN, "allocations", MODEL_NULL)};
static const model_noun explanation =
    MODEL_NOUN(cfg_explanation, explanation_members, "explanation");

static const model_member branch_members[] = {TEXT(cfg_branch, branch, "branch"),
                                              TEXT(cfg_branch, project, "project"),
                                              TEXT(cfg_branch, state, "state"),
                                              TEXT(cfg_branch, commit, "commit"),
                                              TEXT(cfg_branch, sentence, "sentence"),
                                              MODEL(cfg_branch, fix, "fix", MODEL_WRITTEN, ROW),
                                              MODEL(cfg_branch, over, "over", MODEL_WRITTEN, ROW)};
static const model_noun branch = MODEL_NOUN(cfg_branch, branch_members, "branch");

/* In the order of released answers. */
static const model_member alert_members[] = {
    MODEL(cfg_alert, id, "id", MODEL_WRITTEN),
    TEXT(cfg_alert, project, "project"),
    TEXT(cfg_alert, branch, "branch"),
    TEXT(cfg_alert, change.portion, "portion"),
    TEXT(cfg_alert, change.configuration, "configuration"),
    TEXT(cfg_alert, change.dimension, "dimension"),
    TEXT(cfg_alert, change.direction, "direction"),
    MODEL(cfg_alert, change.unit, "unit", MODEL_LEFT_OUT),
    MODEL(cfg_alert, change.better, "better", MODEL_LEFT_OUT),
    TEXT(cfg_alert, state, "state"),
    MODEL(cfg_alert, raised_ms, "raised_ms", MODEL_WRITTEN),
    MODEL(cfg_alert, imported, "imported", MODEL_LEFT_OUT),
    MODEL(cfg_alert, ageing_days, "ageing_days", MODEL_WRITTEN, ROW),
    MODEL(cfg_alert, seen_night, "seen_night", MODEL_NULL, ROW),
    MODEL(cfg_alert, file, "file", MODEL_NULL, ROW),
    REAL(cfg_alert, level, "level"),
    MODEL(cfg_alert, aged, "aged", MODEL_WRITTEN),
    MODEL(cfg_alert, searchable, "searchable", MODEL_WRITTEN, ROW),
    LEVEL(cfg_alert, change.before, "before"),
    LEVEL(cfg_alert, change.after, "after"),
    DIFFERENCE(offsetof(cfg_alert, change)),
    TEXT(cfg_alert, change.reason, "reason"),
    MODEL(cfg_alert, change.fixed_by, "fixed_by", MODEL_NULL),
    MODEL(cfg_alert, commits, "commits", MODEL_NULL),
    MODEL(cfg_alert, nights, "nights", MODEL_LEFT_OUT),
    MODEL(cfg_alert, slow, "slow", MODEL_LEFT_OUT),
    MODEL_A(cfg_alert, change.confirmation, cfg_confirmation_model, MODEL_OWN, "confirmation",
            MODEL_NULL),
    MODEL_A(cfg_alert, from, cfg_end_model, MODEL_OWN, "from", MODEL_NULL),
    MODEL_A(cfg_alert, to, cfg_end_model, MODEL_PART, "to", MODEL_NULL),
    MODEL_A(cfg_alert, until, cfg_end_model, MODEL_OWN, "until", MODEL_NULL),
    MODEL_SEVERAL(cfg_alert, audit, cfg_decision_model, MODEL_LIST, "audit", MODEL_WRITTEN),
    MODEL_A(cfg_alert, search, search, MODEL_OWN, "bisection", MODEL_NULL),
    MODEL_A(cfg_alert, explanation, explanation, MODEL_OWN, "explanation", MODEL_NULL),
    MODEL_SEVERAL(cfg_alert, portions, change, MODEL_LIST, "portions", MODEL_WRITTEN),
    MODEL_SEVERAL(cfg_alert, branches, branch, MODEL_LIST, "branches", MODEL_WRITTEN),
    MODEL_SEVERAL(cfg_alert, names, change, MODEL_LIST, "names", MODEL_WRITTEN, ROW),
    MODEL_SEVERAL(cfg_alert, levels_before, cfg_portion_model, MODEL_LIST, "levels_before",
                  MODEL_WRITTEN, ROW),
    MODEL_SEVERAL(cfg_alert, counts, cfg_counted_model, MODEL_LIST, "counts", MODEL_WRITTEN, ROW),
    MODEL(cfg_alert, change.lost, "lost", MODEL_NULL, ROW),
    TEXT(cfg_alert, change.counted, "counted"),
    TEXT(cfg_alert, change.headline, "headline"),
    TEXT(cfg_alert, change.sentence, "sentence"),
    TEXT(cfg_alert, repeat, "repeat"),
    MODEL(cfg_alert, before_doubt, "before_doubt", MODEL_LEFT_OUT),
    MODEL(cfg_alert, corrected, "corrected", MODEL_LEFT_OUT),
    MODEL(cfg_alert, moved, "moved", MODEL_LEFT_OUT)};
const model_noun cfg_alert_model = MODEL_NOUN(cfg_alert, alert_members, "alert");

cfg_alert cfg_alert_of(const json_t *json) {
    cfg_alert alert;
    model_read_leniently(&cfg_alert_model, json, &alert);
    return alert;
}

json_t *cfg_alert_json(const cfg_alert *alert) {
    return model_write_as(&cfg_alert_model, alert, CFG_ALERT_TOLD);
}

const cfg_end *cfg_alert_end(const cfg_alert *alert) {
    return alert->until ? alert->until : &alert->to; /* a test's alert has no until */
}

const cfg_commit *cfg_alert_latest(const cfg_alert *alert) {
    const cfg_search *asked = alert->moved ? NULL : alert->search;
    return asked && asked->last && !asked->rest ? asked->last : &cfg_alert_end(alert)->commit;
}

int cfg_alert_order(const cfg_night *night, const cfg_end *end) {
    const int date = g_strcmp0(night->night, end->night);
    const int64_t time_ms = night->commit.time_ms - end->commit.time_ms;
    const int64_t number = time_ms != 0 ? time_ms : night->experiment - end->experiment;
    return date != 0 ? date : (number > 0) - (number < 0);
}

int64_t cfg_alert_commits(const cfg_alert *alert) {
    return !alert->from                                   ? 1
           : alert->search && alert->search->commits >= 0 ? alert->search->commits
                                                          : alert->commits;
}

int64_t cfg_alert_left(const cfg_alert *alert) {
    const cfg_search *asked = alert->search;
    return asked && asked->left > 0 && !asked->rest ? asked->left : cfg_alert_commits(alert);
}

bool cfg_alert_was_before(const cfg_alert *alert, const char *sha) {
    return alert->from && sha && cfg_is(alert->from->commit.sha, sha);
}

bool cfg_alert_of_one_commit(const cfg_alert *alert) {
    return cfg_alert_was_before(alert, cfg_alert_end(alert)->commit.sha);
}

const cfg_commit *cfg_alert_culprit(const cfg_alert *alert) {
    if (alert->moved && (!alert->search || alert->search->steps_count == 0))
        return NULL;
    return alert->search && alert->search->culprit         ? alert->search->culprit
           : !alert->slow && cfg_alert_commits(alert) == 1 ? &cfg_alert_end(alert)->commit
                                                           : NULL;
}

bool cfg_alert_acquits(const cfg_alert *alert, const char *sha) {
    const cfg_search *asked = alert->search;
    bool acquitted = cfg_alert_was_before(alert, sha);
    for (unsigned i = 0; asked && i < asked->acquitted_count; i++)
        acquitted = acquitted || cfg_is(asked->acquitted[i].sha, sha);
    return acquitted;
}

bool cfg_commit_is(const cfg_commit *of, const char *sha) {
    return of && of->sha && g_str_has_prefix(of->sha, sha);
}

bool cfg_alert_is_named(const cfg_alert *alert, const char *sha) {
    const cfg_search *asked = alert->search;
    bool named = asked && cfg_commit_is(asked->culprit, sha);
    for (unsigned i = 0; asked && i < asked->parts_count; i++)
        named = named || (asked->parts[i].sha && g_str_has_prefix(asked->parts[i].sha, sha));
    return named;
}

bool cfg_alert_is_searched(const cfg_alert *alert, const cfg_change *part) {
    const cfg_search *asked = alert->search;
    return !asked || !asked->configuration ||
           (cfg_is(part->configuration, asked->configuration) &&
            g_str_equal(part->dimension ? part->dimension : "time",
                        asked->dimension ? asked->dimension : "time"));
}
