#include "config/model/detection.h"

static const char *const trims[] = {[DET_TRIM_ENDS] = "ends", [DET_TRIM_SLOW] = "slow", NULL};

#define TEXTS(S, list, key, need)                                                                  \
    MODEL(S, list, key, need, .count_offset = offsetof(S, list##_count))

static const model_member members[] = {
    MODEL(cfg_detection, confidence, "confidence", MODEL_WRITTEN),
    MODEL(cfg_detection, minimum_effect_percent, "minimum_effect_percent", MODEL_WRITTEN),
    MODEL(cfg_detection, minimum_effect_ns, "minimum_effect_ns", MODEL_WRITTEN),
    MODEL(cfg_detection, baseline_nights, "baseline_nights", MODEL_WRITTEN),
    MODEL(cfg_detection, minimum_loops, "minimum_loops", MODEL_WRITTEN),
    MODEL(cfg_detection, remeasure, "remeasure", MODEL_WRITTEN),
    MODEL(cfg_detection, remeasure_loops, "remeasure_loops", MODEL_WRITTEN),
    MODEL(cfg_detection, remeasure_minutes, "remeasure_minutes", MODEL_WRITTEN),
    MODEL(cfg_detection, explain_minutes, "explain_minutes", MODEL_WRITTEN, CFG_EXPLAIN_MINUTES,
          .whole = true), /* servers and runners of an older version know no other */
    MODEL(cfg_detection, ageing_days, "ageing_days", MODEL_WRITTEN),
    MODEL(cfg_detection, announced_percent, "announced_percent", MODEL_WRITTEN,
          CFG_ANNOUNCED_PERCENT),
    TEXTS(cfg_detection, announcers, "announcers", MODEL_WRITTEN),
    MODEL(cfg_detection, trim, "trim", MODEL_LEFT_OUT, .words = trims),
    TEXTS(cfg_detection, profile_command, "profile_command", MODEL_LEFT_OUT),
    MODEL(cfg_detection, profile_root, "profile_root", MODEL_LEFT_OUT)};

const model_noun cfg_detection_model = MODEL_NOUN(cfg_detection, members, "detection");
