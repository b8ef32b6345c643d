#pragma once
/*
 * hook_queries - what is asked of the deliveries of webhooks; with those of delivery.h that ask
 * one thing each.
 */
#include "server/hook/delivery.h"
#include "server/store/store_sql.h"

/* srv__delivery_insert - a delivery that waits; changed: out, 0 when it is known already. */
bool srv__delivery_insert(srv_store *store, const srv_delivery *delivery, int64_t project,
                          int64_t now_ms, int64_t *changed,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__deliveries_forget - drop those that are done and older than the newest so many. */
bool srv__deliveries_forget(srv_store *store, int64_t keep,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
