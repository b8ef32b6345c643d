#pragma once
/*
 * baselines - what people say of levels, where they know better than the nights.
 *
 * A level begins with a night though no alert says so; an alert's level begins with another night;
 * or none begins there at all. The nights are judged again from there on, by the same detector.
 * Each is audited when it is made and when it is undone, and stays in the database.
 */
#include "server/store/store.h"

#include <jansson.h>

#define SRV_BASELINE_BYTES 300

/* What is said, and by whom; borrowed. */
typedef struct {
    const char *night;      /* a measured one, "YYYY-MM-DD"; NULL: the alert's level is none */
    const json_t *portions; /* list of names of portions or configurations; NULL: all */
    int64_t alert;          /* whose level begins with that night, or not at all; 0: a new one */
    const char *reason;     /* 1 to SRV_BASELINE_BYTES of UTF-8, one line */
    const char *author;
} srv_baseline;

/**
 * srv_baseline_set - Error: NOT_FOUND (project, alert), INVALID (what is missing or does not fit, a
 * night that was not measured or is the first of its series), CONFLICT (a level begins with that
 * night already, or the alert is held by hand, withdrawn, or not of time).
 */
bool srv_baseline_set(srv_store *store, const char *project, const srv_baseline *baseline,
                      int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__baseline_put - likewise, in a transaction: with one of these errors nothing has been
 * written. */
bool srv__baseline_put(srv_store *store, const char *project, const srv_baseline *baseline,
                       int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_baseline_undo - as if it had not been said. Error: NOT_FOUND (none, or undone already),
 * INVALID. */
bool srv_baseline_undo(srv_store *store, int64_t id, const char *author, const char *reason,
                       int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
