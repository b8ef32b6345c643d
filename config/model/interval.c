#include "config/model/interval.h"

#include <math.h>

static const model_member members[] = {MODEL(det_interval, mean, "mean", MODEL_NULL, NAN),
                                       MODEL(det_interval, low, "low", MODEL_NULL, NAN),
                                       MODEL(det_interval, high, "high", MODEL_NULL, NAN)};

static const model_member ns_members[] = {MODEL(det_interval, mean, "mean_ns", MODEL_NULL, NAN),
                                          MODEL(det_interval, low, "low_ns", MODEL_NULL, NAN),
                                          MODEL(det_interval, high, "high_ns", MODEL_NULL, NAN)};

const model_noun cfg_interval_ns_model = MODEL_NOUN(det_interval, ns_members, "interval");
const model_noun cfg_interval_model = MODEL_NOUN(det_interval, members, "interval");
