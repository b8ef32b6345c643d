#pragma once
/*
 * incident - the name of an incident, from its JSON (docs/api.md). Its sentence is the detector's;
 * every place shows what stands in the members `headline` and `sentence`.
 */
#include <jansson.h>

/* The name of one that nothing bridges: a chart has a line for it, and no name. */
#define WEB_INCIDENT_ENVIRONMENT "Another environment"

/** web_incident_say - puts `headline` into an incident: "Everything × 0.5", "T × 1.1", and
 * with a bridge to another environment "Levels before × 1.07 ± 0.01". */
void web_incident_say(json_t *incident);
