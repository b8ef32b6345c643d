#include "config/model/night.h"

#include "config/model/interval.h"

#include <math.h>

static const model_member commit_members[] = {MODEL(cfg_commit, sha, "sha", MODEL_NULL),
                                              MODEL(cfg_commit, shortened, "short", MODEL_NULL),
                                              MODEL(cfg_commit, author, "author", MODEL_NULL),
                                              MODEL(cfg_commit, subject, "subject", MODEL_NULL),
                                              MODEL(cfg_commit, time_ms, "time_ms", MODEL_NULL)};
const model_noun cfg_commit_model = MODEL_NOUN(cfg_commit, commit_members, "commit");

static const model_member portion_members[] = {
    MODEL(cfg_portion, portion, "portion", MODEL_NULL),
    MODEL(cfg_portion, configuration, "configuration", MODEL_NULL),
    MODEL(cfg_portion, parent, "parent", MODEL_NULL),
    MODEL(cfg_portion, now.mean, "mean_ns", MODEL_NULL, NAN),
    MODEL(cfg_portion, now.low, "low_ns", MODEL_NULL, NAN),
    MODEL(cfg_portion, now.high, "high_ns", MODEL_NULL, NAN),
    MODEL(cfg_portion, verdict, "verdict", MODEL_NULL),
    MODEL(cfg_portion, rule, "rule", MODEL_NULL),
    MODEL(cfg_portion, direction, "direction", MODEL_NULL),
    MODEL_A(cfg_portion, judged, cfg_interval_ns_model, MODEL_PART, "judged", MODEL_NULL),
    MODEL_A(cfg_portion, reference, cfg_interval_ns_model, MODEL_PART, "reference", MODEL_NULL),
    MODEL_A(cfg_portion, difference, cfg_interval_ns_model, MODEL_PART, "difference", MODEL_NULL),
    MODEL(cfg_portion, reason, "reason", MODEL_NULL),
    MODEL(cfg_portion, accepted_in_advance, "accepted_in_advance", MODEL_LEFT_OUT),
    MODEL(cfg_portion, culprit, "culprit", MODEL_LEFT_OUT),
    MODEL(cfg_portion, among, "among", MODEL_LEFT_OUT)};
static const model_noun portion_noun = MODEL_NOUN(cfg_portion, portion_members, "portion");

static const model_member night_members[] = {
    MODEL(cfg_night, experiment, "experiment", MODEL_LEFT_OUT),
    MODEL(cfg_night, project, "project", MODEL_NULL),
    MODEL(cfg_night, night, "night", MODEL_NULL),
    MODEL(cfg_night, state, "state", MODEL_NULL),
    MODEL(cfg_night, reason, "reason", MODEL_NULL),
    MODEL_A(cfg_night, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL),
    MODEL_A(cfg_night, total, cfg_interval_ns_model, MODEL_PART, "total", MODEL_NULL),
    MODEL(cfg_night, level, "level", MODEL_NULL, NAN),
    MODEL(cfg_night, counted, "counted", MODEL_NULL),
    MODEL(cfg_night, headline, "headline", MODEL_NULL),
    MODEL_SEVERAL(cfg_night, portions, portion_noun, MODEL_LIST, "portions", MODEL_LEFT_OUT)};
const model_noun cfg_night_model = MODEL_NOUN(cfg_night, night_members, "night");

cfg_night cfg_night_of(const json_t *json) {
    cfg_night night;
    if (!model_read(&cfg_night_model, json, &night, NULL))
        model_begin(&cfg_night_model, &night);
    return night;
}

bool cfg_portion_is_doubtful(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "suspect") || cfg_is(portion->verdict, "harness") ||
           cfg_is(portion->rule, "pending");
}

bool cfg_is(const char *text, const char *word) {
    return g_strcmp0(text ? text : "", word) == 0;
}
