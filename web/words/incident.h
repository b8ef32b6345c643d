#pragma once
/*
 * incident - the name of an incident, from its JSON (docs/api.md). Its sentence is the detector's;
 * every place shows what stands in the members `headline` and `sentence`.
 */
#include <jansson.h>

/** web_incident_say - puts `headline` into an incident: "Everything × 0.5", "T × 1.1". */
void web_incident_say(json_t *incident);
