#pragma once
/*
 * alert - what an alert says, from its JSON (docs/api.md). The sentences
 * themselves are made in detector/words/change.h. Every place shows what stands in the members
 * `headline` and `sentence` that are put in here; `reason` is left what the sentence does not say.
 */
#include <glib.h>
#include <jansson.h>

#include "detector/words/change.h"

/**
 * web_alert_say - puts `headline` and `sentence` into an alert and into each of its portions; takes
 * the sentence out of their `reason` and that of their `confirmation`.
 * level     of the intervals of the differences; NaN: not said
 * portions  all of the project, with "portion" and "configuration", so that one of two writers is
 *           named; may be NULL: those of the alert
 */
void web_alert_say(json_t *alert, double level, const json_t *portions);

/** web_words_number - a member of an object; NaN when it is missing or not a number. */
double web_words_number(const json_t *object, const char *key);
