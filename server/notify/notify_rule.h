#pragma once
/*
 * notify_rule - which changes a rule asks for, and when they may be told. Pure: no clock, no I/O.
 */
#include "config/config.h"
#include "config/model/alert.h"
#include "server/store/store.h"

#include <jansson.h>

/**
 * srv_notify_channel - a name for where a rule sends to, the same as long as that is the same.
 * Rules that differ only in what they want share it, so nobody is told twice. Caller frees.
 */
char *srv_notify_channel(const cfg_notify *rule);

/** srv_notify_shown - what people know it by: "mail nora@example.org"; nothing secret of an
 * address. Caller frees. */
char *srv_notify_shown(const cfg_notify *rule);

/** srv_notify_tells_nights - of every measured night, not of changes. */
bool srv_notify_tells_nights(const cfg_notify *rule);

/**
 * srv_notify_wants - is this alert (docs/api.md) for this rule?
 * Returns NULL when it is, else a static text that says why not.
 */
const char *srv_notify_wants(const cfg_notify *rule, const cfg_alert *alert, int64_t now_ms);

/* srv_notify_wants_incident - why a rule does not tell of an incident, NULL when it does. */
const char *srv_notify_wants_incident(const cfg_notify *rule, const cfg_alert *incident,
                                      int64_t now_ms);

/** srv_notify_recent - is a commit of that time news for the rule? */
bool srv_notify_recent(const cfg_notify *rule, int64_t commit_ms, int64_t now_ms);

/** srv_notify_when - the earliest time not in quiet hours, and at the digest's time. Unix ms. */
int64_t srv_notify_when(const cfg_notify *rule, int64_t now_ms);

/** srv_notify_backoff - ms until the next attempt after so many; 1 min, doubling, up to 1 h. */
int64_t srv_notify_backoff(unsigned attempts);

/** srv_notify_tells_pulls - does this rule tell of pull requests? */
bool srv_notify_tells_pulls(const cfg_notify *rule);

/** srv_notify_is_letter - is it a message to people or programs, which may hold several alerts and
 * tell of counts that moved while the time did not? */
bool srv_notify_is_letter(const cfg_notify *rule);

/** srv_notify_is_of_pull - is it an event of a pull request? */
bool srv_notify_is_of_pull(const char *event);

/*
 * notify_blame - whose the changes of a night are: its commit's, another one's, or one of several.
 */

/**
 * srv__blame_add - a portion of the night that changed gets "culprit" (short) where the change is
 * another commit's, or "among", of how many commits, where nobody knows yet; else neither.
 * False with error: the store failed.
 */
bool srv__blame_add(srv_store *store, cfg_night *night, GError **error) G_GNUC_WARN_UNUSED_RESULT;
