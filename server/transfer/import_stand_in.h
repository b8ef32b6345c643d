#pragma once
/* import_stand_in - for whom another node measured an imported night, and by which factors. */
#include "server/ingest/ingest_night.h"
#include "server/transfer/import_line.h"

/* srv__import_stand_in - object: the night's "stand_in", NULL: it stood in for nobody; out: borrows
 * from it but for the sentence, which is to be freed; its series, made where it is new. In a
 * transaction. Error: INVALID, naming the member.
 */
bool srv__import_stand_in(srv__importing *into, const srv__night *night, const srv__tree *tree,
                          const json_t *object, srv__stand_in *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
