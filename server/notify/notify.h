#pragma once
/*
 * notify - the daemon's messenger: one thread that tells people what changed.
 *
 * It sleeps until it is woken or until the next message is due; with nothing to tell it never
 * wakes.
 */
#include "server/catalog.h"

typedef struct srv_notify srv_notify;

/** srv_notify_start - context outlives it. NULL with error. */
srv_notify *srv_notify_start(srv_context *context, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_notify_wake - something may have changed. Thread-safe; NULL is fine. */
void srv_notify_wake(srv_notify *notify);

/** srv_notify_stop - after the message under way; joins. NULL is fine. */
void srv_notify_stop(srv_notify *notify);
