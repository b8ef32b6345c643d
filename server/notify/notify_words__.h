#pragma once
/* notify_words__ - what the formats of an alert are made of. All text is the caller's. */
#include "config/model/alert.h"
#include "server/notify/notify_words.h"

#define SRV__WORDS_TEXT_MAX 1000 /* characters of one strange text */

/* srv__words_headline - "Writing (W) rose by 4.10 %", with how it ended when it has. */
char *srv__words_headline(const srv_words *words, const cfg_alert *alert);
/* srv__words_link - the alert's page. */
char *srv__words_link(const srv_words *words, const cfg_alert *alert);
/* srv__words_commit - "5158397b1 subject (author)"; of several commits of which none is known to
 * have done it "5158397b1 or an earlier commit". */
char *srv__words_commit(const cfg_alert *alert);
/* srv__words_range - "after 0a1b2c3 of 2026-01-03, with", or "…, at the latest with". */
char *srv__words_range(const cfg_alert *alert);

/* srv__words_where - what profiles say of each portion, "; " between, or that it is
 * not known. */
char *srv__words_where(const cfg_alert *alert);

/* srv__words_lines - what is told below the headline and above the link, a string a line:
 * NULL-terminated, g_strfreev. */
char **srv__words_lines(const srv_words *words, const cfg_alert *alert);

/* srv__words_own - the rule's own text (words->text) with its {names} filled in, and a line feed.
 */
char *srv__words_own(const srv_words *words, const cfg_alert *alert);
