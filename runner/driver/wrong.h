#pragma once
/* wrong - what a benchmark left cannot be used. */
#include <glib.h>
#include <stdbool.h>

/** run__wrong - sets RUN_ERROR_JOB; what it quotes may be cut anywhere. Returns false. */
bool run__wrong(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
