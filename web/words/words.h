#pragma once
/* words - what portions, verdicts, levels, nights and alerts are called, for people. */
#include "config/model/night.h"
#include "detector/words/change.h"

#include <glib.h>
#include <jansson.h>

/** web_portion_label - "instrumentation" of "I"; NULL: the project's own, told by its name. Static.
 */
const char *web_portion_label(const char *portion);

/**
 * web_portion_letters - how many of T, I, C, W a name holds: 2 of "I+C", 1 of "W Zipkin", 0 of "R".
 */
size_t web_portion_letters(const char *portion);

/** web_portion_spelled - "instrumentation and collection" of "I+C", "writing" of "W Zipkin"; NULL:
 * a name of its own. Free with g_free. */
char *web_portion_spelled(const char *portion);

/**
 * web_portion_joined - why a portion of several letters is one; NULL: it is not of several.
 * own, parent  labels of its configuration and of the one it is compared with; parent NULL: none
 * Free with g_free.
 */
char *web_portion_joined(const char *portion, const char *own, const char *parent);

/**
 * web_portion_name - "Instrumentation (I)", "Writing (W Zipkin)", "Instrumentation and collection
 * (I+C)", "Writing (W, binary)", "R": how sentences call it.
 * which  its configuration, where several portions have this letter; else NULL
 * Both may be strangers' text: what comes out is one clean line. Free with g_free.
 */
char *web_portion_name(const char *portion, const char *which);

/** web_portion_which - the configuration of a portion (with "portion" and "configuration"), if
 * another of the array has the same letter; else NULL. Borrowed. */
const char *web_portion_which(const json_t *portion, const json_t *portions);

/* verdict - a portion's verdict in a few words, and its mark. web/static/words.js has the same
 * table; a test holds the two equal. */

/** web_verdict_words - "rose", "fell", "as before", "suspected, being measured again", …; verdict
 * itself where it is not one of ours. rule: "pending" where an "ok" is in question; direction:
 * "up", "down"; both may be NULL. */
const char *web_verdict_words(const char *verdict, const char *rule, const char *direction);

/** web_verdict_mark - "▲", "▼", or "●" for neither. */
const char *web_verdict_mark(const char *direction);

/* level - the level of an interval in words: it is a setting (detection.confidence), so nothing
 * that people see says 95 % by itself. */

/** web_level_interval - "95 % interval", "99.9 % interval"; "interval" for what is not a level.
 * Free with g_free. */
char *web_level_interval(double level);

/**
 * web_night_headline - what stood out: "Writing (W) rose by 4.10 %", "nothing changed", "failed:
 * why". Free with g_free.
 */
char *web_night_headline(const cfg_night *night);

/*
 * alert - what an alert says, from its JSON (docs/api.md). The sentences
 * themselves are made in detector/words/change.h. Every place shows what stands in the members
 * `headline` and `sentence` that are put in here; `reason` is left what the sentence does not say.
 */

/**
 * web_alert_say - puts `headline` and `sentence` into an alert and into each of its portions; takes
 * the sentence out of their `reason` and that of their `confirmation`.
 * level     of the intervals of the differences; NaN: not said
 * portions  all of the project, with "portion" and "configuration", so that one of two writers is
 *           named; may be NULL: those of the alert
 */
void web_alert_say(json_t *alert, double level, const json_t *portions);

/**
 * web_alert_repeat - puts `repeat` into an alert: the command that measures the commits of both of
 * its nights in turn on the reader's machine; null where that cannot be told: one commit, or ids
 * that are not whole.
 * file  name of the project's file without its ending; NULL: it has none, as an imported project
 */
void web_alert_repeat(json_t *alert, const char *file);
