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
