#pragma once
/* decision - what a person says of an alert or an incident. */
#include "server/store/store.h"

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

/** srv__decision_audit - into the audit log; in the transaction that makes the change. */
bool srv__decision_audit(srv_store *store, const srv__decision *decision,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
