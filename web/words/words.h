#pragma once
/* words - what portions, verdicts, levels, nights and alerts are called, for people. */
#include "config/model/alert.h"
#include "detector/words/change.h"

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

/* verdict - a portion's verdict in a few words, and its mark. */

/** web_portion_words - "rose", "fell", "as before", "suspected, to be measured again", "may have
 * risen", "no result", …; the verdict itself where it is not one of ours. Borrowed. */
const char *web_portion_words(const cfg_portion *portion);

/** web_verdict_mark - "▲", "▼", or "●" for neither. */
const char *web_verdict_mark(const char *direction);

/* level - the level of an interval in words: it is a setting (detection.confidence), so nothing
 * that people see says 95 % by itself. */

/** web_level_interval - "95 % interval", "99.9 % interval"; "interval" for what is not a level.
 * Free with g_free. */
char *web_level_interval(double level);

/**
 * web_night_headline - what stood out: "Writing (W) rose by 4.10 %", "nothing changed", "nothing
 * shown to have changed", "failed: why". Free with g_free.
 */
char *web_night_headline(const cfg_night *night);

/** web_night_name - how sentences call a portion: "Writing (W)", by its configuration where another
 * one of the night has the same letter. Free with g_free. */
char *web_night_name(const cfg_night *night, const cfg_portion *portion);

/** web_night_say - puts its headline into a night, and into each portion that is not as before its
 * standing (cfg_portion_standing) and words. */
void web_night_say(cfg_night *night);

/**
 * web_blind_words - "W: only a change of 600.0 ns or more could have been seen, which is more than
 * a doubling"; NULL: less would have been seen, or it is not known. Free with g_free.
 */
char *web_blind_words(const cfg_night *night, const cfg_portion *portion);

/** web_judged_words - why before, now and change of a table need not add up; NULL: nothing was
 * judged. Static. */
const char *web_judged_words(const cfg_night *night);

/* web_moved_words - "rose"; slow: "rose slowly"; since, not "": "rose on 2013-03-07", "rose slowly
 * from 2013-03-07 on"; later: ", as a later measurement showed". direction: "up", "down". Owned. */
char *web_moved_words(const char *direction, bool slow, const char *since, bool later);

/* web_reason_end - the reason ends with what was not known that night; *reason is owned. */
void web_reason_end(char **reason, const char *direction, bool slow, const char *since);

/* web_lost_reason - why no fall is told without what is lost now: the reason, "but W +0.80 % of
 * records lost: this is no improvement"; owned. */
char *web_lost_reason(const char *reason, const char *lost);

/**
 * web_unclear_words - why nobody can say whether a portion rose, in a few words: "may have
 * changed", "could have doubled unseen" (of the control that is no overhead), "loses more records"
 * (it fell, and nobody had announced it); NULL: it can be said.
 * Whoever shows a mark, or decides, asks here. Borrowed.
 * web_unclear_reason - the same in a sentence; owned.
 */
const char *web_unclear_words(const cfg_night *night, const cfg_portion *portion);
char *web_unclear_reason(const cfg_night *night, const cfg_portion *portion);

/* web_limits_words - which of its limits a night is surely beyond, or may be: "beyond peak <= 18
 * MiB, I <= 85 ns"; NULL: none. Owned. */
char *web_limits_words(const cfg_night *night, bool surely);

/* What is known of the nights before the newest one. */
typedef struct {
    int64_t nights;      /* that were judged and clear since the one that last told of a change */
    const char *until;   /* the last of them, where it is not the newest night; NULL. Borrowed */
    const char *small;   /* likewise, that has a portion below the minimum effect */
    const char *counted; /* likewise, of which something counted moved: it is reported, no alert */
    bool at_least;       /* so many were looked at, and there are more */
    bool changed;        /* is there such a change? */
    bool told;        /* did the newest night tell of it, be it that it was measured again since? */
    const char *here; /* " in this environment", where some of those before were in another one, or
                         " with this benchmark": they do not count. NULL, "": all do. Static */
    int64_t
        unmeasured; /* nights that were not measured since the last that was; 0: none ever was */
    bool again;     /* the newest one was measured, and what was tried again of it was not */
    int64_t suspicions;    /* that are open, of any night */
    const char *unsettled; /* "“Everything × 0.5” is open, since 2026-01-02"; NULL: no incident of
                              the machine is. Borrowed */
} web_quiet;

/**
 * web_quiet_words - for how many nights nothing is new, and what keeps that from being clear:
 * "Nothing new for 6 nights; Writing (W) has no result", "? Writing (W) may have changed", "? 1
 * suspicion is open; newest night: nothing changed", "Nothing is known of the last 12 nights;
 * failed: why".
 * latest   the newest night, whole; NULL: there is none
 * clear    out: is no suspicion open, was the newest night measured, is each of its portions clear
 *          and not the first, would a doubling of it have been seen, were most of its loops
 *          undisturbed, and is no incident of the machine open?
 * Free with g_free.
 */
char *web_quiet_words(const cfg_night *latest, const web_quiet *quiet, bool *clear);

/* web_import_words - what an import has brought (docs/api.md, as the server answers it), in a line
 * or two; owned. */
char *web_import_words(const json_t *report);

/* alert - what an alert says. The sentences themselves are made in detector/words/change.h. */

/**
 * web_alert_say - gives an alert and each of its portions its headline and sentence, and takes the
 * sentence out of their reason and that of their confirmation. An alert of both of whose nights the
 * commits are known whole gets the command that measures them in turn, for its project's file.
 * Where the commit that was found brought a part of the change alone, its search says so as rest.
 * Where the night before is in question, its sentence says so, and before_doubt.
 * Where no names of portions are there, those of the alert say which one of two writers is named.
 */
void web_alert_say(cfg_alert *alert);

/** web_alert_brought - a part of an alert as a commit that its search names brought it by itself,
 * where steps measured that, and it is not the whole: that has the alert's own numbers everywhere.
 * own: out, borrowed from the part but its sentence. */
bool web_alert_brought(const cfg_alert *alert, const cfg_change *part, const char *sha,
                       cfg_change *own);

/** web_which_words - what is known of which of several commits did it: "which one is being
 * searched". Static. */
const char *web_which_words(const cfg_alert *alert);

/* incident - the name of an incident. Its sentence is the detector's. */

/* The name of one that nothing bridges: a chart has a line for it, and no name. */
#define WEB_INCIDENT_ENVIRONMENT "Another environment"

/** web_incident_say - its headline: "Everything × 0.5", "T × 1.1", and with a bridge to another
 * environment "Levels before × 1.07 ± 0.01". */
void web_incident_say(cfg_incident *incident);
