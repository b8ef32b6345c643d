#pragma once
/*
 * hook_batch - deliveries that wait to be written down, many in one transaction.
 *
 * A disk syncs a few hundred times a second, webhooks may come faster: those that arrive while one
 * transaction is being synced go into the next one together. A request is answered only after its
 * delivery is on disk.
 */
#include "server/hook/delivery.h"
#include "server/http/request.h"

typedef struct srv_hook_batch srv_hook_batch;
typedef struct srv_app srv_app;

srv_hook_batch *srv_hook_batch_new(srv_app *app);
void srv_hook_batch_free(srv_hook_batch *batch);

/**
 * srv_hook_batch_add - the request is answered (202, or 200 when all were known) once written.
 * deliveries  [srv_delivery*], stays with the request until it is answered (request->held)
 * Returns false when the writer's queue is full; then the request is still the caller's to answer.
 */
bool srv_hook_batch_add(srv_hook_batch *batch, srv_request *request,
                        GPtrArray *deliveries) G_GNUC_WARN_UNUSED_RESULT;
