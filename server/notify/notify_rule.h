#pragma once
/*
 * notify_rule - which changes a rule asks for, and when they may be told. No clock.
 */
#include "config/config.h"
#include "config/model/alert.h"
#include "server/store/sql.h"
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

/** srv_notify_tells_pulls - of pull requests, not of changes. */
bool srv_notify_tells_pulls(const cfg_notify *rule);

/** srv_notify_when - the earliest time not in quiet hours, and at the digest's time. Unix ms. */
int64_t srv_notify_when(const cfg_notify *rule, int64_t now_ms);

/** srv_notify_backoff - ms until the next attempt after so many; 1 min, doubling, up to 1 h. */
int64_t srv_notify_backoff(unsigned attempts);

/** srv_notify_is_letter - is it a message to people or programs, which may hold several alerts and
 * tell of counts that moved while the time did not? */
bool srv_notify_is_letter(const cfg_notify *rule);

/* How an event is told: as what it is of, a counted night as an alert. */
typedef enum { SRV_TOLD_ALERT, SRV_TOLD_INCIDENT, SRV_TOLD_NIGHT, SRV_TOLD_PULL } srv_notify_told;

/* What may be told. */
typedef struct {
    const char *event;
    const char *subject; /* of a "night" its number is the experiment's */
    srv_notify_told as;
    const srv_sql *fresh; /* asks a channel of a project which subjects have no line for the event
                             yet; NULL: another way puts it into the outbox */
    bool answers;         /* it goes where the first message of its alert or incident went */
    bool of_search;       /* what the search for an alert's commit says: the commit, that it was not
                             that one, and where the change is */
} srv_notify_event;

extern const srv_notify_event srv_notify_events[]; /* the last one has no name */

/** srv_notify_event_of - the row of this name, or the last. */
const srv_notify_event *srv_notify_event_of(const char *event);

/** srv_notify_has_room - does the rule's own text tell of it? One that does not would be the first
 * message once more. */
bool srv_notify_has_room(const cfg_notify *rule, const char *event);

/** srv_notify_tells - may this rule of the project tell of such an event? */
bool srv_notify_tells(const cfg_project *project, const cfg_notify *rule,
                      const srv_notify_event *what);

/** srv_notify_alert_of - what an event is about that is no night and no pull request. out: for
 * cfg_alert_clear. Returns it as the API has it; owned, NULL with error. */
json_t *srv_notify_alert_of(srv_store *store, const char *event, int64_t id, cfg_alert *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_notify_judge - does this rule tell of the event of this night, alert or incident? why_not:
 * out, static, NULL when it does. Returns false with error: the store failed. */
bool srv_notify_judge(srv_store *store, const cfg_notify *rule, const char *event, int64_t id,
                      int64_t now_ms, const char **why_not,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * notify_blame - whose the changes of a night are: its commit's, another one's, or one of several.
 */

/**
 * srv__blame_add - a portion of the night that changed gets "culprit" (short) where the change is
 * another commit's, or "among", of how many commits, where nobody knows yet; else neither.
 * False with error: the store failed.
 */
bool srv__blame_add(srv_store *store, cfg_night *night, GError **error) G_GNUC_WARN_UNUSED_RESULT;
