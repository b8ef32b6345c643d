#pragma once
/* span - a length of time as people write it: "90d", "12h", "30m", "2w". */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * srv_span_read - text in milliseconds: a whole number and m, h, d or w.
 * max_ms  the longest that is taken
 * Returns false with error (G_IO_ERROR_INVALID_ARGUMENT) that says what is.
 */
bool srv_span_read(const char *text, int64_t max_ms, int64_t *ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
