#pragma once
/*
 * detection - the table of what a project's nights are judged by (cfg_detection), as the store and
 * exports carry it. What older versions left out has what they judged by.
 */
#include "config/config.h"
#include "config/model/model.h"

extern const model_noun cfg_detection_model;
