#pragma once
/*
 * store_audit - who was refused, and every change of tokens, alerts, incidents, nodes and jobs that
 * somebody made. Bounded: the newest SRV_AUDIT_CHANGES changes and SRV_AUDIT_REFUSALS rows of
 * refusals stay, so no flood of the one drives the other out.
 */
#include "server/store/store.h"

#define SRV_AUDIT_CHANGES 10000
#define SRV_AUDIT_REFUSALS 5000
#define SRV_AUDIT_REFUSED "refused"

/* Texts are never NULL; "" where there is nothing to say. */
typedef struct {
    int64_t at_ms, last_ms;
    const char *kind;   /* SRV_AUDIT_REFUSED, "token", "alert", "incident", "node", "job", "note",
                           "baseline", "project" */
    const char *who;    /* the token's name; of a command: the user of the machine */
    const char *client; /* address */
    const char *what;   /* a route, or what was changed */
    const char *why;    /* why refused; a person's reason */
    int64_t count;
} srv_audit_row;

/** srv__audit_change - one more change; in a transaction. */
bool srv__audit_change(srv_store *store, const srv_audit_row *row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_audit_change - likewise, in a transaction of its own. */
bool srv_audit_change(srv_store *store, const srv_audit_row *row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_audit_refusals - adds rows; those that are alike within an hour become one. */
bool srv_audit_refusals(srv_store *store, const srv_audit_row *rows, size_t n,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
