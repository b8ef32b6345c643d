#pragma once
/* decision - what a person says of an alert or an incident. */
#include <glib.h>
#include <stdbool.h>

/**
 * srv__decision_text_check - an author or a reason: 1 to 4000 bytes of UTF-8.
 * what  its name in the error
 * Returns false with error INVALID.
 */
bool srv__decision_text_check(const char *what, const char *text,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
