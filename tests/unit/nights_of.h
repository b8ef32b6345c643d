#pragma once
/* Nights from JSON as the API has them. */
#include "config/model/night.h"

/* For model_list_clear. */
static inline model_list nights_of(const json_t *array) {
    model_list nights = {.noun = &cfg_night_model};
    for (size_t i = 0; i < json_array_size(array); i++)
        model_read_leniently(&cfg_night_model, json_array_get(array, i), model_list_add(&nights));
    return nights;
}
