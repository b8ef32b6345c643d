#pragma once
/* pull_judge - what the loops of a pull request say of each portion. */
#include "server/store/store_sql.h"

/* srv__pull_judge - each portion is judged anew, with all loops so far; in a transaction.
 * last   no more is measured
 * open   out: portions that need more loops */
bool srv__pull_judge(srv_store *store, int64_t pull, bool last, size_t *open,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
