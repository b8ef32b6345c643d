#pragma once
/*
 * store_outbox - what is to be told to whom, kept until it has been told.
 *
 * A line is (channel, subject, event): "alert 7 was raised" for one channel of one project. It is
 * written once, ever, so nobody is told twice and nothing is forgotten over a crash. What is older
 * than a channel's first sight is never told there.
 *
 * States: waiting, sent, skipped (the rule did not want it), over (it ended before it was told),
 * dead (given up).
 */
#include "server/store/store.h"

/* Not even a receiver that is away over a long weekend loses a message. */
#define SRV_OUTBOX_KEEP_MS (INT64_C(4) * 24 * 3600 * 1000)
/* Quiet hours and what a receiver asks for are shorter: what waits for longer was put off by a
 * clock that has been set back since, and is due. */
#define SRV_OUTBOX_WAIT_MOST_MS (INT64_C(25) * 3600 * 1000)

typedef struct {
    int64_t id, subject_id, made_ms;
    char *project, *channel;
    char *subject; /* "alert", "incident" or "night" (then subject_id is the experiment) */
    char *event; /* "raised", "found", "explained", "ended", "opened", "over", "measured", "counted"
                  */
    unsigned attempts;
    char *reference; /* what the receiver called the first message: an issue's number */
} srv_outbox_line;

void srv_outbox_line_free(srv_outbox_line *line);

/**
 * srv_outbox_open - note when a channel of a project was first seen.
 * What was there before that moment is history for it. Idempotent.
 */
bool srv_outbox_open(srv_store *store, const char *project, const char *channel, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_outbox_fresh - subjects that have no line for this event yet, oldest first.
 * subject, event  "alert","raised": open alerts; "alert","ended": alerts that are over and were
 *                 told as raised; "alert","explained": alerts that are not over, were told as
 *                 raised and have profiles; "incident","opened" and "incident","over" likewise;
 *                 "night","measured": nights with a verdict, or failed; "night","counted": nights
 *                 whose counts moved in a portion of which no alert tells, and none will soon;
 *                 "pull_request","held", "begun" and "answered": pull requests of a provider that
 *                 wait for a maintainer, that wait or are measured, that are over
 * Returns [int64_t], or NULL with error. At most 1000.
 */
GArray *srv_outbox_fresh(srv_store *store, const char *project, const char *channel,
                         const char *subject, const char *event,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_outbox_add - write a line, if it is not there.
 * state  "waiting" or "skipped"; note: why it is skipped, or NULL
 */
bool srv_outbox_add(srv_store *store, const srv_outbox_line *line, const char *state,
                    int64_t not_before_ms, const char *note,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_settle - what ended before it was told becomes "over". */
bool srv_outbox_settle(srv_store *store, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_due - [srv_outbox_line*] that wait and may go now, by project, channel, event. */
GPtrArray *srv_outbox_due(srv_store *store, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_next - when the next line is due; INT64_MAX: none waits. */
bool srv_outbox_next(srv_store *store, int64_t *due_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV_OUTBOX_FAILING 100u

/** srv_outbox_failing - messages that were tried in vain and wait, the newest first, at most 100:
 * [{"project","channel","note"}]; owned, NULL with error. */
json_t *srv_outbox_failing(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_try - count an attempt; it is not tried again before again_ms, crash or not. */
bool srv_outbox_try(srv_store *store, int64_t id, int64_t again_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_close - state "sent", "dead" or "over"; reference, note may be NULL. */
bool srv_outbox_close(srv_store *store, int64_t id, const char *state, const char *reference,
                      const char *note, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_note - why the last attempt failed, and when it is tried again. */
bool srv_outbox_note(srv_store *store, int64_t id, const char *note, int64_t again_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_outbox_reference - of the first line of an alert or incident in a channel; NULL: none;
 * caller frees. */
char *srv_outbox_reference(srv_store *store, const char *project, const char *channel,
                           const char *subject, int64_t id,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_outbox_pull_reference - what the receiver called what was written last about the pull request
 * of a line; NULL: nothing was; caller frees. of_number  about any commit of the same number, not
 * only this one's made       out: how many different ones there were
 */
char *srv_outbox_pull_reference(srv_store *store, const srv_outbox_line *line, bool of_number,
                                unsigned *made, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_outbox_line, srv_outbox_line_free)
