#pragma once
/*
 * notify_words - alerts and incidents in words, for each place they are told. Pure.
 *
 * What changed is said by the alert itself: its `headline` and `sentence` (web/words/words.h).
 * Names and commit subjects are strangers' text: control characters are dropped and each format
 * escapes them its own way. What comes out is the caller's; a pull request is JSON (docs/api.md).
 */
#include "config/model/alert.h"
#include "config/model/night.h"
#include "detector/statistics/interval.h"

#include <glib.h>
#include <jansson.h>
#include <stddef.h>

/* alerts: one or more cfg_alert of the same project and event (of incidents where the event is
 * "opened" or "over", of nights as srv_view_counted has them where it is "counted", and
 * srv_view_limited where it is "limited"); base: public_url, without final '/' */
typedef struct {
    const char *base, *project, *event;
    const model_list *alerts;
    const char *text; /* of each alert, with {names} (docs/notify.md); NULL: our own words */
    const char *title, *commit_url; /* of the project; NULL: its name; none */
} srv_words;

/** srv_words_subject - "[overhead] Kieker for Java: Writing (W) rose by 4.10 %". */
char *srv_words_subject(const srv_words *words);

/** srv_words_text - plain text, some lines an alert. */
char *srv_words_text(const srv_words *words);

/** srv_words_html - a whole HTML page for a mail; image: cid of the chart, NULL: none. */
char *srv_words_html(const srv_words *words, const char *image);

/** srv_words_markdown - for GitHub; marker: hidden text by which it is found again, or NULL. */
char *srv_words_markdown(const srv_words *words, const char *marker);

/** srv_words_slack - {"text","blocks"}, at most 50 blocks. */
json_t *srv_words_slack(const srv_words *words);

/** srv_words_share_add - " +4.10 %" of before, as the change's sentence has it; nothing where that
 * is nothing to compare with, or may be. Both have one unit. */
void srv_words_share_add(GString *to, double change, const det_interval *before);

/** srv_words_row_add - a row of a Markdown table, all but its end: "| W | 44.6 [40.1, 49.1] | 46.4
 * [41.0, 51.8] | +4.10 % |". change: of the means; an interval without one leaves its cell empty */
void srv_words_row_add(GString *to, const char *name, const det_interval *before,
                       const det_interval *after, double change);

/** srv_words_head_add - what a comment begins with. marker: as srv_words_markdown has it */
void srv_words_head_add(GString *to, const char *marker, const char *project, const char *commit);

/* notify_words__ - what the formats of an alert are made of. All text is the caller's. */

#define SRV__WORDS_TEXT_MAX 1000 /* characters of one strange text */

/*
 * notify_words_night - a night in words. Pure; as notify_words.h.
 */

/** srv_words_night - a night in at most 140 characters, for a commit status. */
char *srv_words_night(const cfg_night *night);

/**
 * srv_words_night_markdown - a night as a table of its portions, for GitHub.
 * page    the night's; chart: address of a picture of the last nights, NULL: none
 * marker  hidden text at the very beginning; NULL: none
 */
char *srv_words_night_markdown(const cfg_night *night, const char *page, const char *chart,
                               const char *marker);

/**
 * srv_words_night_state - "success", "failure" (a portion rose, and no commit had said so),
 * "error" (not measured, or nobody can tell whether it changed).
 */
const char *srv_words_night_state(const cfg_night *night);

/** srv_words_night_title - the same in some words, for a check's head line. */
const char *srv_words_night_title(const cfg_night *night);

/*
 * notify_words_pull - a pull request in words. Pure; as notify_words.h. pull: as docs/api.md has
 * it.
 */

/* What GitHub takes of a comment and of a check's text is 65,535 characters; so many bytes are
 * never more, and leave room for the link. */
#define SRV_WORDS_PULL_BYTES 65000u

/** srv_words_pull_state - of a commit status: "pending", "success", "failure" (a portion is
 * slower), "error" (not measured). */
const char *srv_words_pull_state(const json_t *pull);

/** srv_words_pull - where it stands or what came of it, in at most 140 characters. */
char *srv_words_pull(const json_t *pull);

/**
 * srv_words_pull_markdown - a line of where it stands, then a table of its portions and a sentence
 * of each. page    its page marker  hidden text at the very beginning; NULL: none bytes   at most
 * so many; what is more is cut off after a line, and the page is named instead
 */
char *srv_words_pull_markdown(const json_t *pull, const char *page, const char *marker,
                              size_t bytes);
