#include "config/model/alert.h"

#include <math.h>

static const model_member end_members[] = {
    MODEL(cfg_end, night, "night", MODEL_NULL),
    MODEL_A(cfg_end, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL)};
static const model_noun end = MODEL_NOUN(cfg_end, end_members, "night");

static const model_member difference_members[] = {
    MODEL(cfg_change, percent, "percent", MODEL_NULL, NAN)};
static const model_noun difference = MODEL_NOUN(cfg_change, difference_members, "difference");

static const model_member change_members[] = {
    MODEL(cfg_change, portion, "portion", MODEL_NULL),
    MODEL(cfg_change, configuration, "configuration", MODEL_NULL),
    MODEL(cfg_change, direction, "direction", MODEL_NULL),
    MODEL(cfg_change, sentence, "sentence", MODEL_NULL),
    MODEL_INSIDE(difference, "difference", MODEL_NULL)};
static const model_noun change = MODEL_NOUN(cfg_change, change_members, "change");

static const model_member decision_members[] = {MODEL(cfg_decision, at_ms, "at_ms", MODEL_NULL),
                                                MODEL(cfg_decision, author, "author", MODEL_NULL),
                                                MODEL(cfg_decision, reason, "reason", MODEL_NULL)};
static const model_noun decision = MODEL_NOUN(cfg_decision, decision_members, "decision");

static const model_member search_members[] = {
    MODEL_A(cfg_alert, culprit, cfg_commit_model, MODEL_OWN, "culprit", MODEL_NULL),
    MODEL(cfg_alert, search_state, "state", MODEL_NULL),
    MODEL(cfg_alert, searched, "commits", MODEL_NULL, -1)};
static const model_noun search = MODEL_NOUN(cfg_alert, search_members, "search");

static const model_member explanation_members[] = {
    MODEL(cfg_alert, explained, "state", MODEL_NULL),
    MODEL_SEVERAL(cfg_alert, where, change, MODEL_LIST, "portions", MODEL_NULL)};
static const model_noun explanation = MODEL_NOUN(cfg_alert, explanation_members, "explanation");

static const model_member alert_members[] = {
    MODEL(cfg_alert, id, "id", MODEL_NULL),
    MODEL(cfg_alert, raised_ms, "raised_ms", MODEL_NULL),
    MODEL(cfg_alert, project, "project", MODEL_NULL),
    MODEL(cfg_alert, state, "state", MODEL_NULL),
    MODEL(cfg_alert, headline, "headline", MODEL_NULL),
    MODEL(cfg_alert, sentence, "sentence", MODEL_NULL),
    MODEL(cfg_alert, reason, "reason", MODEL_NULL),
    MODEL(cfg_alert, counted, "counted", MODEL_NULL),
    MODEL(cfg_alert, repeat, "repeat", MODEL_NULL),
    MODEL(cfg_alert, change.portion, "portion", MODEL_NULL),
    MODEL(cfg_alert, change.direction, "direction", MODEL_NULL),
    {.offset = offsetof(cfg_alert, change),
     .noun = &difference,
     .type = MODEL_PART,
     .name = "difference",
     .need = MODEL_NULL},
    MODEL_A(cfg_alert, from, end, MODEL_OWN, "from", MODEL_NULL),
    MODEL_A(cfg_alert, to, end, MODEL_PART, "to", MODEL_NULL),
    MODEL_A(cfg_alert, until, end, MODEL_OWN, "until", MODEL_NULL),
    MODEL_INSIDE(search, "bisection", MODEL_NULL),
    MODEL(cfg_alert, commits, "commits", MODEL_NULL),
    MODEL_SEVERAL(cfg_alert, portions, change, MODEL_LIST, "portions", MODEL_NULL),
    MODEL_SEVERAL(cfg_alert, audit, decision, MODEL_LIST, "audit", MODEL_NULL),
    MODEL_INSIDE(explanation, "explanation", MODEL_NULL)};
const model_noun cfg_alert_model = MODEL_NOUN(cfg_alert, alert_members, "alert");

cfg_alert cfg_alert_of(const json_t *json) {
    cfg_alert alert;
    model_read_leniently(&cfg_alert_model, json, &alert);
    return alert;
}

const cfg_end *cfg_alert_end(const cfg_alert *alert) {
    return alert->until ? alert->until : &alert->to; /* a test's alert has no until */
}

int64_t cfg_alert_commits(const cfg_alert *alert) {
    return !alert->from ? 1 : alert->searched >= 0 ? alert->searched : alert->commits;
}

const cfg_commit *cfg_alert_culprit(const cfg_alert *alert) {
    return alert->culprit                  ? alert->culprit
           : cfg_alert_commits(alert) == 1 ? &cfg_alert_end(alert)->commit
                                           : NULL;
}
