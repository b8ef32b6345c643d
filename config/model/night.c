#include "config/model/night.h"

#include "config/model/detection.h"

#include <math.h>

enum {
    EVERYWHERE = 0,
    WHOLE = CFG_NIGHT_FULL | CFG_NIGHT_ALONE | CFG_NIGHT_EXPERIMENT,
    ALONE = CFG_NIGHT_ALONE | CFG_NIGHT_EXPERIMENT,
    LISTED = CFG_NIGHT_FULL | CFG_NIGHT_BRIEF | CFG_NIGHT_COLUMNS,
    WITH_PORTIONS = WHOLE | CFG_NIGHT_BRIEF
};

/* The rows of an interval; and of a number that may be not known. */
/* NOLINTBEGIN(bugprone-macro-parentheses): what offsetof takes has none */
#define MEAN(S, field, key, forms)                                                                 \
    MODEL(S, field.mean, key "_ns", MODEL_NULL, NAN, .shown = (forms))
#define ENDS(S, field, before, forms)                                                              \
    MODEL(S, field.low, before "low_ns", MODEL_NULL, NAN, .shown = (forms)),                       \
        MODEL(S, field.high, before "high_ns", MODEL_NULL, NAN, .shown = (forms))
#define NUMBER(S, field, key, forms) MODEL(S, field, key, MODEL_NULL, -1, .shown = (forms))
/* NOLINTEND(bugprone-macro-parentheses) */

static const model_member commit_members[] = {MODEL(cfg_commit, sha, "sha", MODEL_NULL),
                                              MODEL(cfg_commit, shortened, "short", MODEL_NULL),
                                              MODEL_NULLS(cfg_commit, author, time_ms, subject)};
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
const model_noun cfg_confirmation_model =
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
    MODEL_NULLS(cfg_portion, portion, configuration, parent),
    MODEL(cfg_portion, unit, "unit", MODEL_LEFT_OUT),
    MODEL(cfg_portion, better, "better", MODEL_LEFT_OUT),
    MEAN(cfg_portion, now, "mean", EVERYWHERE),
    ENDS(cfg_portion, now, "", EVERYWHERE),
    MEAN(cfg_portion, median, "median", WHOLE),
    ENDS(cfg_portion, median, "median_", WHOLE),
    MODEL(cfg_portion, method, "method", MODEL_NULL, .shown = WHOLE),
    MODEL_INSIDE(judged, "judged", MODEL_NULL),
    MODEL(cfg_portion, verdict, "verdict", MODEL_NULL),
    MODEL(cfg_portion, rule, "rule", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_portion, rule, "rule", MODEL_LEFT_OUT, .shown = CFG_NIGHT_BRIEF,
          .only_written = true),
    MODEL(cfg_portion, direction, "direction", MODEL_NULL),
    MODEL_INSIDE(reference, "reference", MODEL_NULL),
    MODEL_A(cfg_portion, difference, cfg_interval_ns_model, MODEL_PART, "difference", MODEL_NULL,
            .shown = WHOLE),
    MODEL(cfg_portion, reason, "reason", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_portion, reason, "reason", MODEL_LEFT_OUT, .shown = CFG_NIGHT_BRIEF,
          .only_written = true),
    MODEL_A(cfg_portion, confirmation, cfg_confirmation_model, MODEL_OWN, "confirmation",
            MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_portion, since, "since", MODEL_LEFT_OUT),
    MODEL(cfg_portion, slow, "slow", MODEL_LEFT_OUT, .shown = WHOLE),
    MODEL(cfg_portion, later, "later", MODEL_LEFT_OUT),
    MODEL(cfg_portion, accepted_in_advance, "accepted_in_advance", MODEL_LEFT_OUT,
          .shown = CFG_NIGHT_FULL | CFG_NIGHT_BRIEF | CFG_NIGHT_ALONE),
    MODEL(cfg_portion, accepted_in_advance, "accepted_in_advance", MODEL_WRITTEN,
          .shown = CFG_NIGHT_EXPERIMENT, .only_written = true),
    MODEL(cfg_portion, joined, "joined", MODEL_NULL, .shown = CFG_NIGHT_EXPERIMENT),
    MODEL(cfg_portion, scaling, "scaling", MODEL_LEFT_OUT, .shown = CFG_NIGHT_EXPERIMENT),
    MODEL(cfg_portion, culprit, "culprit", MODEL_LEFT_OUT),
    MODEL(cfg_portion, among, "among", MODEL_LEFT_OUT),
    MODEL(cfg_portion, lost, "lost", MODEL_LEFT_OUT, .shown = WHOLE),
    MODEL(cfg_portion, standing, "standing", MODEL_LEFT_OUT),
    MODEL(cfg_portion, words, "words", MODEL_LEFT_OUT),
    MODEL(cfg_portion, dimension, "dimension", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT)};
const model_noun cfg_portion_model = MODEL_NOUN(cfg_portion, portion_members, "portion");

static const model_member raw_members[] = {
    MODEL(cfg_loop, raw_sha256, "sha256", MODEL_NULL),
    NUMBER(cfg_loop, raw_bytes, "bytes", EVERYWHERE),
    NUMBER(cfg_loop, raw_uncompressed_bytes, "uncompressed_bytes", EVERYWHERE),
    MODEL(cfg_loop, raw_url, "url", MODEL_NULL),
    MODEL(cfg_loop, calls_url, "calls_url", MODEL_NULL),
    MODEL(cfg_loop, raw_named, "named", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT)};
static const model_noun raw = MODEL_NOUN(cfg_loop, raw_members, "raw");

static const model_member loop_members[] = {
    NUMBER(cfg_loop, loop, "loop", EVERYWHERE),
    NUMBER(cfg_loop, position, "position", EVERYWHERE),
    NUMBER(cfg_loop, started_ms, "started_ms", EVERYWHERE),
    MODEL(cfg_loop, seconds, "seconds", MODEL_NULL, NAN),
    MODEL(cfg_loop, disturbed, "disturbed", MODEL_WRITTEN),
    MODEL(cfg_loop, failed, "failed", MODEL_NULL),
    MODEL(cfg_loop, used, "used", MODEL_WRITTEN, 1),
    NUMBER(cfg_loop, calls, "calls", EVERYWHERE),
    NUMBER(cfg_loop, warmup_calls, "warmup_calls", EVERYWHERE),
    MODEL_NULLS(cfg_loop, summary, calls_per_second, readings),
    MODEL_INSIDE(raw, "raw", MODEL_NULL)};
const model_noun cfg_loop_model = MODEL_NOUN(cfg_loop, loop_members, "loop");

static const model_member measured_members[] = {
    MODEL_NULLS(cfg_measured, name, label),
    NUMBER(cfg_measured, loops, "loops", EVERYWHERE),
    MEAN(cfg_measured, now, "mean", EVERYWHERE),
    ENDS(cfg_measured, now, "", EVERYWHERE),
    MEAN(cfg_measured, median, "median", EVERYWHERE),
    ENDS(cfg_measured, median, "median_", EVERYWHERE),
    MODEL(cfg_measured, statistics, "statistics", MODEL_NULL, .shown = CFG_NIGHT_EXPERIMENT),
    MODEL(cfg_measured, stored, "stored", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT),
    MODEL_SEVERAL(cfg_measured, loop_results, cfg_loop_model, MODEL_LIST, "loop_results",
                  MODEL_WRITTEN, .shown = CFG_NIGHT_EXPERIMENT)};
const model_noun cfg_measured_model = MODEL_NOUN(cfg_measured, measured_members, "configuration");

/* NOLINTBEGIN(bugprone-macro-parentheses): likewise */
#define INTERVAL(S, field)                                                                         \
    MODEL(S, field.mean, "mean", MODEL_NULL, NAN), MODEL(S, field.low, "low", MODEL_NULL, NAN),    \
        MODEL(S, field.high, "high", MODEL_NULL, NAN)
/* NOLINTEND(bugprone-macro-parentheses) */

static const model_member before_members[] = {
    INTERVAL(cfg_counted_before, now),
    NUMBER(cfg_counted_before, experiment, "experiment", EVERYWHERE)};
static const model_noun before = MODEL_NOUN(cfg_counted_before, before_members, "before");

static const model_member counted_members[] = {
    MODEL(cfg_counted, dimension, "dimension", MODEL_NULL, .shown = CFG_NIGHT_NOT),
    MODEL(cfg_counted, counter, "counter", MODEL_NULL, .shown = CFG_NIGHT_NOT),
    MODEL(cfg_counted, loops, "loops", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT),
    MODEL_NULLS(cfg_counted, portion, configuration, parent),
    INTERVAL(cfg_counted, now),
    MODEL(cfg_counted, total, "total", MODEL_NULL, NAN),
    MODEL(cfg_counted, verdict, "verdict", MODEL_NULL),
    MODEL(cfg_counted, rule, "rule", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT),
    MODEL(cfg_counted, direction, "direction", MODEL_NULL),
    MODEL(cfg_counted, later, "later", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT),
    MODEL(cfg_counted, slow, "slow", MODEL_WRITTEN),
    MODEL(cfg_counted, reason, "reason", MODEL_NULL),
    MODEL(cfg_counted, words, "words", MODEL_LEFT_OUT),
    MODEL_A(cfg_counted, before, before, MODEL_OWN, "before", MODEL_NULL)};
const model_noun cfg_counted_model = MODEL_NOUN(cfg_counted, counted_members, "count");

static const model_member dimension_members[] = {
    MODEL_NULLS(cfg_dimension, dimension, label, per, counter),
    MODEL(cfg_dimension, note, "note", MODEL_LEFT_OUT),
    MODEL(cfg_dimension, threads, "threads", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_dimension, portions, cfg_counted_model, MODEL_LIST, "portions",
                  MODEL_WRITTEN)};
const model_noun cfg_dimension_model = MODEL_NOUN(cfg_dimension, dimension_members, "dimension");

static const model_member doubt_members[] = {
    MODEL_NULLS(cfg_doubt, kind, configuration, portion, sentence)};
const model_noun cfg_doubt_model = MODEL_NOUN(cfg_doubt, doubt_members, "doubt");

static const model_member limited_members[] = {
    MODEL_NULLS(cfg_limited, limit, state, sentence, dimension, portion, configuration),
    INTERVAL(cfg_limited, now)};
static const model_noun limited = MODEL_NOUN(cfg_limited, limited_members, "limit");

static const model_member removed_members[] = {NUMBER(cfg_removed, at_ms, "at_ms", EVERYWHERE),
                                               MODEL_NULLS(cfg_removed, rule, sentence)};
static const model_noun removed = MODEL_NOUN(cfg_removed, removed_members, "removed");

static const model_member began_members[] = {MODEL_NULLS(cfg_began, configuration, direction)};
static const model_noun began = MODEL_NOUN(cfg_began, began_members, "change");

static const model_member end_members[] = {
    MODEL_A(cfg_end, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL),
    MODEL_NULLS(cfg_end, night, experiment), MODEL(cfg_end, undated, "undated", MODEL_LEFT_OUT)};
const model_noun cfg_end_model = MODEL_NOUN(cfg_end, end_members, "night");

static const model_member decision_members[] = {
    MODEL(cfg_decision, at_ms, "at_ms", MODEL_WRITTEN),
    MODEL_NULLS(cfg_decision, from, to, author, reason)};
const model_noun cfg_decision_model = MODEL_NOUN(cfg_decision, decision_members, "decision");

#define FACTOR(S, field, key, forms)                                                               \
    MODEL_A(S, field, cfg_interval_model, MODEL_PART, key, MODEL_NULL, .shown = (forms))

static const model_member bridged_members[] = {MODEL(cfg_bridged, portion, "portion", MODEL_NULL),
                                               MODEL(cfg_bridged, unit, "unit", MODEL_LEFT_OUT),
                                               FACTOR(cfg_bridged, factor, "factor", EVERYWHERE),
                                               FACTOR(cfg_bridged, change, "change", EVERYWHERE),
                                               MODEL(cfg_bridged, changed, "changed", MODEL_NULL)};
static const model_noun bridged = MODEL_NOUN(cfg_bridged, bridged_members, "portion");

static const model_member bridge_members[] = {
    MODEL_NULLS(cfg_bridge, state, sentence), FACTOR(cfg_bridge, factor, "factor", EVERYWHERE),
    MODEL_SEVERAL(cfg_bridge, portions, bridged, MODEL_LIST, "portions", MODEL_WRITTEN)};
const model_noun cfg_bridge_model = MODEL_NOUN(cfg_bridge, bridge_members, "bridge");

static const model_member moved_members[] = {NUMBER(cfg_incident, moved, "moved", EVERYWHERE),
                                             NUMBER(cfg_incident, seen_of, "seen", EVERYWHERE)};
static const model_noun moved = MODEL_NOUN(cfg_incident, moved_members, "configurations");

#define OF_INCIDENT .shown = CFG_INCIDENT_ALONE
#define END_OF_INCIDENT(field)                                                                     \
    MODEL_A(cfg_incident, field, cfg_end_model, MODEL_OWN, #field, MODEL_NULL, OF_INCIDENT)
#define KEY_OF_INCIDENT(field, key)                                                                \
    MODEL(cfg_incident, field, key, MODEL_NULL, .shown = CFG_NIGHT_NOT)

static const model_member incident_members[] = {
    MODEL(cfg_incident, id, "id", MODEL_WRITTEN),
    MODEL(cfg_incident, project, "project", MODEL_NULL, OF_INCIDENT),
    MODEL_NULLS(cfg_incident, kind, state),
    MODEL(cfg_incident, lasts, "lasts", MODEL_WRITTEN, OF_INCIDENT),
    MODEL(cfg_incident, opened_ms, "opened_ms", MODEL_NULL, OF_INCIDENT),
    MODEL(cfg_incident, imported, "imported", MODEL_LEFT_OUT, OF_INCIDENT),
    FACTOR(cfg_incident, factor, "factor", CFG_INCIDENT_ALONE),
    MODEL_INSIDE(moved, "configurations", MODEL_NULL, OF_INCIDENT),
    MODEL(cfg_incident, headline, "headline", MODEL_NULL, .shown = LISTED | ALONE),
    MODEL(cfg_incident, sentence, "sentence", MODEL_NULL),
    MODEL_A(cfg_incident, bridge, cfg_bridge_model, MODEL_OWN, "bridge", MODEL_NULL, OF_INCIDENT),
    END_OF_INCIDENT(from),
    END_OF_INCIDENT(to),
    END_OF_INCIDENT(seen),
    END_OF_INCIDENT(over),
    MODEL(cfg_incident, headline, "headline", MODEL_NULL, OF_INCIDENT, .only_written = true),
    MODEL_SEVERAL(cfg_incident, audit, cfg_decision_model, MODEL_LIST, "audit", MODEL_WRITTEN,
                  OF_INCIDENT),
    KEY_OF_INCIDENT(who, "who"),
    KEY_OF_INCIDENT(experiment, "experiment"),
    KEY_OF_INCIDENT(before, "from_experiment"),
    KEY_OF_INCIDENT(shown, "seen_experiment"),
    KEY_OF_INCIDENT(after, "over_experiment")};
const model_noun cfg_incident_model = MODEL_NOUN(cfg_incident, incident_members, "incident");

static const model_member total_members[] = {MEAN(cfg_night, total, "mean", EVERYWHERE),
                                             ENDS(cfg_night, total, "", EVERYWHERE),
                                             MEAN(cfg_night, total_median, "median", WHOLE),
                                             ENDS(cfg_night, total_median, "median_", WHOLE)};
static const model_noun total = MODEL_NOUN(cfg_night, total_members, "total");

#define OF_EXPERIMENT(field, key)                                                                  \
    MODEL(cfg_night, field, key, MODEL_NULL, .shown = CFG_NIGHT_EXPERIMENT)

/* In the order of released answers, which differs: what is by itself has its incident last. */
static const model_member night_members[] = {
    MODEL(cfg_night, experiment, "experiment", MODEL_WRITTEN),
    MODEL(cfg_night, job, "job", MODEL_WRITTEN),
    MODEL(cfg_night, project, "project", MODEL_NULL, .shown = WHOLE),
    MODEL_NULLS(cfg_night, night, state, reason),
    MODEL_A(cfg_night, commit, cfg_commit_model, MODEL_PART, "commit", MODEL_NULL),
    MODEL(cfg_night, environment, "environment", MODEL_NULL, .shown = WHOLE),
    MODEL(cfg_night, environment_changed, "environment_changed", MODEL_WRITTEN),
    MODEL(cfg_night, environment_unknown, "environment_unknown", MODEL_LEFT_OUT),
    MODEL(cfg_night, accepted, "accepted", MODEL_WRITTEN),
    NUMBER(cfg_night, finished_ms, "finished_ms", WHOLE),
    NUMBER(cfg_night, loops, "loops", WHOLE),
    MODEL_INSIDE(total, "total", MODEL_NULL, .shown = WITH_PORTIONS),
    MODEL_NULLS(cfg_night, release, note, baseline),
    MODEL(cfg_night, level, "level", MODEL_NULL, NAN),
    MODEL_A(cfg_night, incident, cfg_incident_model, MODEL_OWN, "incident", MODEL_NULL,
            .shown = LISTED),
    MODEL_SEVERAL(cfg_night, portions, cfg_portion_model, MODEL_LIST, "portions", MODEL_WRITTEN,
                  .shown = WITH_PORTIONS),
    MODEL(cfg_night, headline, "headline", MODEL_NULL),
    MODEL(cfg_night, beside, "beside", MODEL_LEFT_OUT),
    MODEL(cfg_night, beside_doubtful, "beside_doubtful", MODEL_LEFT_OUT),
    MODEL(cfg_night, counts_moved, "counts_moved", MODEL_LEFT_OUT),
    MODEL(cfg_night, lost, "lost", MODEL_LEFT_OUT),
    MODEL(cfg_night, disturbed, "disturbed", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_night, began, began, MODEL_LIST, "began", MODEL_LEFT_OUT),
    MODEL_A(cfg_night, incident, cfg_incident_model, MODEL_OWN, "incident", MODEL_NULL,
            .shown = ALONE, .only_written = true),
    MODEL(cfg_night, minimum_effect_ns, "minimum_effect_ns", MODEL_NULL, NAN, .shown = ALONE),
    MODEL(cfg_night, beside_asked, "beside_asked", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT),
    MODEL(cfg_night, minimum_effect_percent, "minimum_effect_percent", MODEL_NULL, NAN,
          .shown = ALONE),
    OF_EXPERIMENT(expectations, "expectations"),
    MODEL_SEVERAL(cfg_night, dimensions, cfg_dimension_model, MODEL_LIST, "dimensions",
                  MODEL_WRITTEN, .shown = CFG_NIGHT_EXPERIMENT),
    OF_EXPERIMENT(counted, "counted"),
    OF_EXPERIMENT(node, "node"),
    NUMBER(cfg_night, started_ms, "started_ms", CFG_NIGHT_EXPERIMENT),
    OF_EXPERIMENT(benchmark, "benchmark"),
    OF_EXPERIMENT(environment_detail, "environment_detail"),
    MODEL(cfg_night, detail, "detail", MODEL_LEFT_OUT, .shown = CFG_NIGHT_NOT),
    OF_EXPERIMENT(ended_early, "ended_early"),
    MODEL_A(cfg_night, raw_removed, removed, MODEL_OWN, "raw_removed", MODEL_NULL,
            .shown = CFG_NIGHT_EXPERIMENT),
    OF_EXPERIMENT(log, "log"),
    NUMBER(cfg_night, previous, "previous", CFG_NIGHT_EXPERIMENT),
    NUMBER(cfg_night, next, "next", CFG_NIGHT_EXPERIMENT),
    OF_EXPERIMENT(preparation, "preparation"),
    OF_EXPERIMENT(counts, "counts"),
    OF_EXPERIMENT(environment_change, "environment_change"),
    MODEL_SEVERAL(cfg_night, configurations, cfg_measured_model, MODEL_LIST, "configurations",
                  MODEL_WRITTEN, .shown = CFG_NIGHT_FULL | CFG_NIGHT_EXPERIMENT),
    MODEL(cfg_night, minimum_effect_ns, "minimum_effect_ns", MODEL_NULL, NAN,
          .shown = CFG_NIGHT_FULL, .only_written = true),
    MODEL(cfg_night, minimum_effect_percent, "minimum_effect_percent", MODEL_NULL, NAN,
          .shown = CFG_NIGHT_FULL, .only_written = true),
    MODEL_SEVERAL(cfg_night, limits, limited, MODEL_LIST, "limits", MODEL_LEFT_OUT,
                  .shown = CFG_NIGHT_EXPERIMENT),
    MODEL_SEVERAL(cfg_night, doubts, cfg_doubt_model, MODEL_LIST, "doubts", MODEL_WRITTEN,
                  .shown = CFG_NIGHT_EXPERIMENT)};
const model_noun cfg_night_model = MODEL_NOUN(cfg_night, night_members, "night");

cfg_night cfg_night_of(const json_t *json) {
    cfg_night night;
    model_read_leniently(&cfg_night_model, json, &night);
    return night;
}

bool cfg_is_worse(const char *direction, const char *better) {
    return cfg_is(direction, cfg_is(better, "higher") ? "down" : "up");
}

const char *cfg_portion_unit(const cfg_portion *portion) {
    return portion->unit ? portion->unit : "ns";
}

/* Have its portions more than one unit? */
static bool is_mixed(const cfg_night *night) {
    for (unsigned i = 1; i < night->portions_count; i++)
        if (g_strcmp0(night->portions[i].unit, night->portions[0].unit) != 0)
            return true;
    return false;
}

const char *cfg_night_unit(const cfg_night *night) {
    const char *first = night->portions_count > 0 ? night->portions[0].unit : NULL;
    return is_mixed(night) ? "each in its unit" : first ? first : "ns a call";
}

const char *cfg_portion_which(const cfg_night *night, const cfg_portion *portion) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (g_strcmp0(night->portions[i].portion, portion->portion) == 0 &&
            g_strcmp0(night->portions[i].configuration, portion->configuration) != 0)
            return portion->configuration;
    return NULL;
}

char *cfg_portion_name(const cfg_night *night, const cfg_portion *portion) {
    const char *which = cfg_portion_which(night, portion);
    return g_strconcat(portion->portion ? portion->portion : "?", which ? ", " : NULL, which, NULL);
}

char *cfg_portion_title(const cfg_night *night, const cfg_portion *portion) {
    g_autofree char *name = cfg_portion_name(night, portion);
    return portion->unit || is_mixed(night)
               ? g_strdup_printf("%s (%s)", name, cfg_portion_unit(portion))
               : g_steal_pointer(&name);
}

const char *cfg_portion_standing(const cfg_portion *portion) {
    const bool harness = cfg_is(portion->verdict, "harness");
    return harness && isnan(portion->now.mean) ? "missing"
           : harness || cfg_is(portion->verdict, "suspect") || cfg_is(portion->rule, "pending")
               ? "doubtful"
           : cfg_is(portion->verdict, "environment") ? "incomparable"
           : cfg_is(portion->verdict, "anomaly")     ? "changed"
                                                     : NULL;
}

const char *cfg_portion_known(const cfg_portion *portion) {
    return portion->later ? NULL : cfg_portion_standing(portion);
}

bool cfg_portion_is_unclear(const cfg_portion *portion) {
    const char *standing = cfg_portion_standing(portion);
    return standing ? !cfg_is(standing, "changed") : cfg_is(portion->verdict, "first");
}

static double width_of(const det_interval *interval) {
    return interval->high - interval->low;
}

bool cfg_portion_is_begun(const cfg_portion *portion) {
    return cfg_is(portion->verdict, "first") && cfg_is(portion->rule, "new-level");
}

bool cfg_portion_is_denied(const cfg_portion *portion) {
    return cfg_is(portion->rule, "set-by-hand") || cfg_is(portion->rule, "answered-false");
}

bool cfg_portion_is_small(const cfg_portion *portion) {
    return cfg_is(portion->rule, "below-minimum-effect") && !portion->later;
}

double cfg_portion_visible(const cfg_portion *portion) {
    const bool cleared = cfg_is(portion->verdict, "cleared") && portion->confirmation;
    const det_interval *again = cleared ? &portion->confirmation->difference : NULL;
    /* no change is as small as 0, or as what rounding leaves of it */
    if (again && again->high - again->low > 1e-9 * fabs(portion->reference.mean))
        return fmax(fabs(again->low), fabs(again->high));
    const double width = width_of(&portion->judged) + width_of(&portion->reference);
    return width > 0 ? width / 2 : NAN;
}

/* What nobody has to see of a portion that has next to no size of its own, in ns: a change smaller
 * than the method, and than the largest portion, for beside a slow method all of the overhead is
 * small. 0: it is not known which portion is the control, or its level. */
static double floor_ns(const cfg_night *night) {
    double control = NAN, largest = 0;
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *portion = &night->portions[i];
        const double level = fabs(portion->reference.mean);
        if (portion->parent)
            largest = fmax(largest, level); /* fmax: not NaN */
        else if (isfinite(control))
            return 0;
        else
            control = isfinite(level) ? level : 0;
    }
    return fmin(control, largest);
}

bool cfg_portion_is_blind(const cfg_night *night, const cfg_portion *portion) {
    const double least = portion->unit ? 0 : fmax(floor_ns(night), night->minimum_effect_ns);
    const double doubling = fmax(fabs(portion->reference.mean), least);
    return isfinite(portion->reference.mean) && doubling > 0 &&
           cfg_portion_visible(portion) > doubling;
}

cfg_portion *cfg_night_portion(const cfg_night *night, const char *configuration) {
    for (unsigned i = 0; configuration && i < night->portions_count; i++)
        if (cfg_is(night->portions[i].configuration, configuration))
            return &night->portions[i];
    return NULL;
}

cfg_measured *cfg_night_configuration(const cfg_night *night, const char *name) {
    for (unsigned i = 0; name && i < night->configurations_count; i++)
        if (cfg_is(night->configurations[i].name, name))
            return &night->configurations[i];
    return NULL;
}

bool cfg_is(const char *text, const char *word) {
    return g_strcmp0(text ? text : "", word) == 0;
}
