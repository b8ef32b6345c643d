#pragma once
/*
 * histories - nights ready for drawing, kept until something is committed. Reading them from the
 * store is most of a chart's time. Thread-safe. Memory: at most the bytes given.
 */
#include "server/store/changes.h"
#include "server/store/store.h"
#include "web/chart/history.h"

typedef struct srv_histories srv_histories;

typedef struct {
    web_history *nights;
    char *title; /* the project's */
    gsize bytes;
} srv_history;

/** srv_histories_new - changes outlives them. */
srv_histories *srv_histories_new(gsize max_bytes, const srv_changes *changes);
void srv_histories_free(srv_histories *histories);

/**
 * srv_histories_get - the newest `limit` nights of a project up to `until` (NULL: all), the chain
 * of `leaf` (NULL: the first) stacked. Returns a shared, constant history for srv_history_done, or
 * NULL with error (as srv_nights_page).
 */
srv_history *srv_histories_get(srv_histories *histories, srv_store *store, const char *project,
                               const char *until, const char *leaf, unsigned limit,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

void srv_history_done(srv_history *history);

/** srv_history_read - such nights, not kept; owned, NULL with error. */
web_history *srv_history_read(srv_store *store, const char *project, const char *until,
                              const char *leaf, unsigned limit,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_history, srv_history_done)
