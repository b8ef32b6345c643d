#include "config/model/interval.h"

#include <math.h>

static const model_member members[] = {MODEL(det_interval, mean, "mean", MODEL_NULL, NAN),
                                       MODEL(det_interval, low, "low", MODEL_NULL, NAN),
                                       MODEL(det_interval, high, "high", MODEL_NULL, NAN)};

const model_noun cfg_interval_model = MODEL_NOUN(det_interval, members, "interval");
