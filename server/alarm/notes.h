#pragma once
/*
 * notes - what people say of a night: "JDK updated". Shown as a boundary in charts; it changes no
 * verdict. Each is audited when it is made and when it is removed, and stays in the database.
 */
#include "server/store/store.h"

#define SRV_NOTE_BYTES 300

/* What is said, and by whom; borrowed. */
typedef struct {
    const char *night; /* "YYYY-MM-DD"; it need not be measured (yet) */
    const char *text;  /* 1 to SRV_NOTE_BYTES of UTF-8, one line */
    const char *author;
} srv_note;

/** srv_note_add - Error: NOT_FOUND (project), INVALID (date, text, author). */
bool srv_note_add(srv_store *store, const char *project, const srv_note *note, int64_t now_ms,
                  int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__note_put - likewise, in a transaction; with an error nothing has been written. */
bool srv__note_put(srv_store *store, const char *project, const srv_note *note, int64_t now_ms,
                   int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_note_remove - it is shown no more. Error: NOT_FOUND (none, or removed already), INVALID. */
bool srv_note_remove(srv_store *store, int64_t id, const char *author, const char *reason,
                     int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* decision - what a person says of an alert or an incident. */

/**
 * srv__decision_text_check - an author or a reason: 1 to 4000 bytes of UTF-8.
 * what  its name in the error
 * Returns false with error INVALID.
 */
bool srv__decision_text_check(const char *what, const char *text,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Somebody has set the state of a thing. */
typedef struct {
    const char *kind; /* "alert", "incident" */
    int64_t id;
    const char *state, *author, *reason;
    int64_t now_ms;
} srv__decision;

/** srv__decision_check - author and reason are texts. Error: INVALID. */
bool srv__decision_check(const srv__decision *decision, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__decision_fits - may what is in this state, NULL: it is not there, be decided on? Error:
 * NOT_FOUND, CONFLICT (withdrawn). */
bool srv__decision_fits(const srv__decision *decision, const char *state,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__decision_audit - into the audit log; in the transaction that makes the change. */
bool srv__decision_audit(srv_store *store, const srv__decision *decision,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
