#pragma once
/* interval - the table of an interval, {"mean","low","high"}; what is not known is NAN and null. */
#include "config/model/model.h"
#include "detector/statistics/interval.h"

extern const model_noun cfg_interval_model;
