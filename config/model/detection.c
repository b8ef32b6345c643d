#include "config/model/detection.h"

#include "config/json_text.h"

#include <math.h>

const char *const cfg_trim_words[] = {[DET_TRIM_ENDS] = "ends", [DET_TRIM_SLOW] = "slow", NULL};

static const model_member members[] = {
    MODEL(cfg_detection, confidence, "confidence", MODEL_WRITTEN),
    MODEL(cfg_detection, minimum_effect_percent, "minimum_effect_percent", MODEL_WRITTEN),
    MODEL(cfg_detection, minimum_effect_ns, "minimum_effect_ns", MODEL_WRITTEN),
    MODEL(cfg_detection, baseline_nights, "baseline_nights", MODEL_WRITTEN),
    MODEL(cfg_detection, minimum_loops, "minimum_loops", MODEL_WRITTEN),
    MODEL(cfg_detection, dimensions, "dimensions", MODEL_WRITTEN, 1),
    MODEL(cfg_detection, remeasure, "remeasure", MODEL_WRITTEN),
    MODEL(cfg_detection, remeasure_loops, "remeasure_loops", MODEL_WRITTEN),
    MODEL(cfg_detection, remeasure_minutes, "remeasure_minutes", MODEL_WRITTEN),
    MODEL(cfg_detection, explain_minutes, "explain_minutes", MODEL_WRITTEN, CFG_EXPLAIN_MINUTES,
          .whole = true), /* servers and runners of an older version know no other */
    MODEL(cfg_detection, ageing_days, "ageing_days", MODEL_WRITTEN),
    MODEL(cfg_detection, announced_percent, "announced_percent", MODEL_WRITTEN,
          CFG_ANNOUNCED_PERCENT),
    MODEL_COUNTED(cfg_detection, announcers, "announcers", MODEL_WRITTEN),
    MODEL(cfg_detection, trim, "trim", MODEL_LEFT_OUT, .words = cfg_trim_words),
    MODEL_COUNTED(cfg_detection, limits, "limits", MODEL_LEFT_OUT),
    MODEL_COUNTED(cfg_detection, profile_command, "profile_command", MODEL_LEFT_OUT),
    MODEL(cfg_detection, profile_root, "profile_root", MODEL_LEFT_OUT)};

const model_noun cfg_detection_model = MODEL_NOUN(cfg_detection, members, "detection");

static const model_member interval_members[] = {MODEL(det_interval, mean, "mean", MODEL_NULL, NAN),
                                                MODEL(det_interval, low, "low", MODEL_NULL, NAN),
                                                MODEL(det_interval, high, "high", MODEL_NULL, NAN)};

static const model_member interval_ns_members[] = {
    MODEL(det_interval, mean, "mean_ns", MODEL_NULL, NAN),
    MODEL(det_interval, low, "low_ns", MODEL_NULL, NAN),
    MODEL(det_interval, high, "high_ns", MODEL_NULL, NAN)};

const model_noun cfg_interval_ns_model = MODEL_NOUN(det_interval, interval_ns_members, "interval");
const model_noun cfg_interval_model = MODEL_NOUN(det_interval, interval_members, "interval");

json_t *cfg_summary_json(const det_summary *summary) {
    json_t *object = json_object();
    json_object_set_new(object, "n", json_integer((json_int_t)summary->n));
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const double value = det_summary_get(summary, &det_summary_members[i]);
        if (isfinite(value))
            json_object_set_new(object, det_summary_members[i].key, json_real(value));
    }
    return object;
}

static size_t values_of(const json_t *summary) {
    const json_int_t n = cfg_json_integer(summary, "n");
    return n > 0 ? (size_t)n : 0;
}

void cfg_summary_keep_known(json_t *object) {
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++)
        if (!det_summary_knows(&det_summary_members[i], values_of(object)))
            json_object_del(object, det_summary_members[i].key);
}

bool cfg_summary_read(const json_t *object, det_summary *out) {
    *out = det_summary_unknown();
    out->n = values_of(object);
    bool whole = out->n > 0;
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const double value = cfg_json_number(object, det_summary_members[i].key);
        const bool known = det_summary_knows(&det_summary_members[i], out->n);
        if (known)
            det_summary_set(out, &det_summary_members[i], value);
        whole = whole && (!isnan(value) || !known || det_summary_members[i].optional);
    }
    return whole;
}
