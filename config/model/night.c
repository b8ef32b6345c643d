#include "config/model/night.h"

#include "config/model/interval.h"

#include <math.h>

enum {
    EVERYWHERE = 0,
    WHOLE = CFG_NIGHT_FULL | CFG_NIGHT_ALONE | CFG_NIGHT_EXPERIMENT,
    ALONE = CFG_NIGHT_ALONE | CFG_NIGHT_EXPERIMENT,
    LISTED = CFG_NIGHT_FULL | CFG_NIGHT_BRIEF | CFG_NIGHT_COLUMNS,
    WITH_PORTIONS = WHOLE | CFG_NIGHT_BRIEF
};

/* The rows of an interval; and of a number that may be not known. */
#define MEAN(S, field, key, forms)                                                                 \
    MODEL(S, field.mean, key "_ns", MODEL_NULL, NAN, .shown = (forms))
#define ENDS(S, field, before, forms)                                                              \
    MODEL(S, field.low, before "low_ns", MODEL_NULL, NAN, .shown = (forms)),                       \
        MODEL(S, field.high, before "high_ns", MODEL_NULL, NAN, .shown = (forms))
#define NUMBER(S, field, key, forms) MODEL(S, field, key, MODEL_NULL, -1, .shown = (forms))

static const model_member commit_members[] = {MODEL(cfg_commit, sha, "sha", MODEL_NULL),
                                              MODEL(cfg_commit, shortened, "short", MODEL_NULL),
                                              MODEL(cfg_commit, author, "author", MODEL_NULL),
                                              MODEL(cfg_commit, time_ms, "time_ms", MODEL_NULL),
                                              MODEL(cfg_commit, subject, "subject", MODEL_NULL)};
const model_noun cfg_commit_model = MODEL_NOUN(cfg_commit, commit_members, "commit");

static const model_member confirmation_members[] = {
    MODEL(cfg_confirmation, state, "state", MODEL_NULL),
    NUMBER(cfg_confirmation, trial, "trial", EVERYWHERE),
    NUMBER(cfg_confirmation, loops, "loops", EVERYWHERE),
    MODEL(cfg_confirmation, before_ns, "before_ns", MODEL_NULL, NAN),
    MODEL(cfg_confirmation, after_ns, "after_ns", MODEL_NULL, NAN),
    MEAN(cfg_confirmation, difference, "mean", EVERYWHERE),
    ENDS(cfg_confirmation, difference, "", EVERYWHERE),
    MODEL(cfg_confirmation, reason, "reason", MODEL_NULL)};
static const model_noun confirmation =
    MODEL_NOUN(cfg_confirmation, confirmation_members, "confirmation");

static const model_member judged_members[] = {MEAN(cfg_portion, judged, "mean", WHOLE),
                                              ENDS(cfg_portion, judged, "", EVERYWHERE)};
static const model_noun judged = MODEL_NOUN(cfg_portion, judged_members, "judged");

static const model_member reference_members[] = {
    MEAN(cfg_portion, reference, "mean", WHOLE), ENDS(cfg_portion, reference, "", EVERYWHERE),
    NUMBER(cfg_portion, reference_nights, "nights", WHOLE),
    NUMBER(cfg_portion, reference_from, "from_experiment", WHOLE),
    NUMBER(cfg_portion, reference_to, "to_experiment", WHOLE)};
static const model_noun reference = MODEL_NOUN(cfg_portion, reference_members, "reference");

static const model_member portion_members[] = {
    MODEL(cfg_portion, portion, "portion", MODEL_NULL),
    MODEL(cfg_portion, configuration, "configuration", MODEL_NULL),
    MODEL(cfg_portion, parent, "parent", MODEL_NULL),
    MEAN(cfg_portion, now, "mean", EVERYWHERE),
    ENDS(cfg_portion, now, "", EVERYWHERE),
    MEAN(cfg_portion, median, "median", WHOLE),
    ENDS(cfg_portion, median, "median_", WHOLE),
    MODEL(cfg_portion, method, "method", MODEL_NULL, .shown = WHOLE),
    MODEL_INSIDE(judged, "judged", MODEL_NULL),
    MODEL(cfg_portion, verdict, "verdict", MODEL_NULL),
    MODEL(cfg_portion, rule, "rule", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_portion, direction, "direction", MODEL_NULL),
    MODEL_INSIDE(reference, "reference", MODEL_NULL),
    MODEL_A(cfg_portion, difference, cfg_interval_ns_model, MODEL_PART, "difference", MODEL_NULL,
            .shown = WHOLE),
    MODEL(cfg_portion, reason, "reason", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_portion, reason, "reason", MODEL_LEFT_OUT, .shown = CFG_NIGHT_BRIEF,
          .only_written = true),
    MODEL_A(cfg_portion, confirmation, confirmation, MODEL_OWN, "confirmation", MODEL_NULL,
            .shown = WHOLE),
    MODEL(cfg_portion, since, "since", MODEL_LEFT_OUT),
    MODEL(cfg_portion, accepted_in_advance, "accepted_in_advance", MODEL_LEFT_OUT,
          .shown = CFG_NIGHT_FULL | CFG_NIGHT_BRIEF | CFG_NIGHT_ALONE),
    MODEL(cfg_portion, accepted_in_advance, "accepted_in_advance", MODEL_WRITTEN,
          .shown = CFG_NIGHT_EXPERIMENT, .only_written = true),
    MODEL(cfg_portion, joined, "joined", MODEL_NULL, .shown = CFG_NIGHT_EXPERIMENT),
    MODEL(cfg_portion, culprit, "culprit", MODEL_LEFT_OUT),
    MODEL(cfg_portion, among, "among", MODEL_LEFT_OUT)};
const model_noun cfg_portion_model = MODEL_NOUN(cfg_portion, portion_members, "portion");

static const model_member measured_members[] = {MODEL(cfg_measured, name, "name", MODEL_NULL),
                                                MODEL(cfg_measured, label, "label", MODEL_NULL),
                                                MODEL(cfg_measured, loops, "loops", MODEL_NULL, -1),
                                                MEAN(cfg_measured, now, "mean", EVERYWHERE),
                                                ENDS(cfg_measured, now, "", EVERYWHERE),
                                                MEAN(cfg_measured, median, "median", EVERYWHERE),
                                                ENDS(cfg_measured, median, "median_", EVERYWHERE)};
const model_noun cfg_measured_model = MODEL_NOUN(cfg_measured, measured_members, "configuration");

static const model_member began_members[] = {
    MODEL(cfg_began, configuration, "configuration", MODEL_NULL),
    MODEL(cfg_began, direction, "direction", MODEL_NULL)};
static const model_noun began = MODEL_NOUN(cfg_began, began_members, "change");

static const model_member incident_members[] = {
    MODEL(cfg_incident, id, "id", MODEL_WRITTEN), MODEL(cfg_incident, kind, "kind", MODEL_NULL),
    MODEL(cfg_incident, state, "state", MODEL_NULL),
    MODEL(cfg_incident, headline, "headline", MODEL_NULL),
    MODEL(cfg_incident, sentence, "sentence", MODEL_NULL)};
const model_noun cfg_incident_model = MODEL_NOUN(cfg_incident, incident_members, "incident");

static const model_member total_members[] = {MEAN(cfg_night, total, "mean", EVERYWHERE),
                                             ENDS(cfg_night, total, "", EVERYWHERE),
                                             MEAN(cfg_night, total_median, "median", WHOLE),
                                             ENDS(cfg_night, total_median, "median_", WHOLE)};
static const model_noun total = MODEL_NOUN(cfg_night, total_members, "total");

/* In the order of released answers, which differs: what is by itself has its incident last. */
static const model_member night_members[] = {
    MODEL(cfg_night, experiment, "experiment", MODEL_WRITTEN),
    MODEL(cfg_night, job, "job", MODEL_WRITTEN),
    MODEL(cfg_night, project, "project", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_night, night, "night", MODEL_NULL),
    MODEL(cfg_night, state, "state", MODEL_NULL),
    MODEL(cfg_night, reason, "reason", MODEL_NULL),
    MODEL_A(cfg_night, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL),
    MODEL(cfg_night, environment, "environment", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_night, environment_changed, "environment_changed", MODEL_WRITTEN),
    MODEL(cfg_night, accepted, "accepted", MODEL_WRITTEN),
    NUMBER(cfg_night, finished_ms, "finished_ms", WHOLE),
    MODEL(cfg_night, loops, "loops", MODEL_WRITTEN, .shown = WHOLE),
    MODEL_INSIDE(total, "total", MODEL_NULL, .shown = WITH_PORTIONS),
    MODEL(cfg_night, release, "release", MODEL_NULL),
    MODEL(cfg_night, note, "note", MODEL_NULL),
    MODEL(cfg_night, baseline, "baseline", MODEL_NULL),
    MODEL(cfg_night, level, "level", MODEL_NULL, NAN),
    MODEL_A(cfg_night, incident, cfg_incident_model, MODEL_OWN, "incident", MODEL_NULL,
            .shown = LISTED),
    MODEL_SEVERAL(cfg_night, portions, cfg_portion_model, MODEL_LIST, "portions", MODEL_WRITTEN,
                  .shown = WITH_PORTIONS),
    MODEL(cfg_night, headline, "headline", MODEL_NULL),
    MODEL_SEVERAL(cfg_night, began, began, MODEL_LIST, "began", MODEL_LEFT_OUT),
    MODEL_A(cfg_night, incident, cfg_incident_model, MODEL_OWN, "incident", MODEL_NULL,
            .shown = ALONE, .only_written = true),
    MODEL_SEVERAL(cfg_night, configurations, cfg_measured_model, MODEL_LIST, "configurations",
                  MODEL_WRITTEN, .shown = CFG_NIGHT_FULL),
    MODEL(cfg_night, counted, "counted", MODEL_LEFT_OUT),
    MODEL(cfg_night, minimum_effect_ns, "minimum_effect_ns", MODEL_NULL, NAN, .shown = WHOLE)};
const model_noun cfg_night_model = MODEL_NOUN(cfg_night, night_members, "night");

cfg_night cfg_night_of(const json_t *json) {
    cfg_night night;
    model_read_leniently(&cfg_night_model, json, &night);
    return night;
}

bool cfg_portion_is_missing(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "harness") && isnan(portion->now.mean);
}

bool cfg_portion_is_doubtful(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "suspect") || cfg_is(portion->rule, "pending") ||
           (cfg_is(portion->verdict, "harness") && !cfg_portion_is_missing(portion));
}

bool cfg_is(const char *text, const char *word) {
    return g_strcmp0(text ? text : "", word) == 0;
}
