#include "server/retention/tidy.h"

bool srv_tidy_step(const srv_tidy *tidy, srv_store *store, int64_t now_ms, bool *more,
                   GError **error) {
    *more = false;
    if (!atomic_load(tidy->sweeping)) {
        if (!srv_retention_step(tidy->retention, store, tidy->raw, now_ms, more, error))
            return false;
        if (*more)
            return true;
    }
    const bool good = srv_artifacts_sweep(tidy->artifacts, store, now_ms, more, error);
    /* Files that are left begin no second pass over the raw data. */
    atomic_store(tidy->sweeping, good && *more);
    return good;
}
