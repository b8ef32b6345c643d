#pragma once
/* verdict - a portion's verdict in a few words, and its mark. web/static/words.js has the same
 * table; a test holds the two equal. */

/** web_verdict_words - "rose", "fell", "as before", "suspected, being measured again", …; verdict
 * itself where it is not one of ours. rule: "pending" where an "ok" is in question; direction:
 * "up", "down"; both may be NULL. */
const char *web_verdict_words(const char *verdict, const char *rule, const char *direction);

/** web_verdict_mark - "▲", "▼", or "●" for neither. */
const char *web_verdict_mark(const char *direction);
