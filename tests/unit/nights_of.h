#pragma once
/* Nights from JSON as the API has them; alerts and incidents in it get their words. */
#include "web/words/words.h"

/* For model_list_clear. */
static inline model_list nights_of(const json_t *array) {
    model_list nights = {.noun = &cfg_night_model};
    for (size_t i = 0; i < json_array_size(array); i++)
        model_read_leniently(&cfg_night_model, json_array_get(array, i), model_list_add(&nights));
    return nights;
}

/* Alerts, or incidents, of an array: read for what takes structs. Of four at a time each is kept.
 */
static inline const model_list *alerts_of(const json_t *array) {
    static model_list kept[4];
    static unsigned next;
    model_list *alerts = &kept[next++ % G_N_ELEMENTS(kept)];
    model_list_clear(alerts);
    alerts->noun = &cfg_alert_model;
    for (size_t i = 0; i < json_array_size(array); i++)
        *(cfg_alert *)model_list_add(alerts) = cfg_alert_of(json_array_get(array, i));
    return alerts;
}

/* names: of all portions; NULL: those of the alert. */
static inline void alert_say(json_t *json, double level, const json_t *names) {
    g_auto(cfg_alert) alert = cfg_alert_of(json);
    alert.level = level;
    for (size_t i = 0; i < json_array_size(names); i++)
        model_read_leniently(model_noun_of(&cfg_alert_model, "names"), json_array_get(names, i),
                             model_add(&cfg_alert_model, &alert, "names"));
    web_alert_say(&alert);
    static const char *const words[] = {"reason",      "confirmation", "portions",
                                        "headline",    "sentence",     "repeat",
                                        "explanation", "before_doubt", "corrected"};
    json_t *said = cfg_alert_json(&alert);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        json_object_set(json, words[i], json_object_get(said, words[i]));
    json_decref(said);
}

static inline void incident_say(json_t *json) {
    g_auto(cfg_incident) incident = {0};
    model_read_leniently(&cfg_incident_model, json, &incident);
    web_incident_say(&incident);
    json_object_set_new(json, "headline", json_string(incident.headline));
}
