#pragma once
/* interval - the tables of an interval, {"mean","low","high"} and {"mean_ns","low_ns","high_ns"};
 * what is not known is NAN and null. */
#include "config/model/model.h"
#include "detector/statistics/interval.h"

extern const model_noun cfg_interval_model, cfg_interval_ns_model;
