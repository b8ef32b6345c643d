#pragma once
/* import_said - what people said of nights and levels, from one line of an export. */
#include "server/transfer/import_line.h"

/* In a transaction. What is here already changes nothing; what does not fit here (the night was not
 * measured, no such alert follows) is counted and left. Error: INVALID, naming the member. */
bool srv__import_note(srv__importing *into, const json_t *object,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__import_baseline(srv__importing *into, const json_t *object,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
