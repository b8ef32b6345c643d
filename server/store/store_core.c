#include "server/store/store_core.h"

#include "server/ground/error.h"

void srv__store_fail(srv_store *store, const char *doing, GError **error) {
    const char *text;
    switch (srv_db_problem(store->db, &text)) {
    case SRV_DB_BUSY:
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY, "%s: the database is in use (%s); try again",
                    doing, text);
        break;
    case SRV_DB_FULL:
        g_set_error(error, SRV_ERROR, SRV_ERROR_FULL,
                    "%s: the disk is full (%s); free some space, nothing was changed", doing, text);
        break;
    case SRV_DB_UNWRITABLE:
        g_set_error(error, SRV_ERROR, SRV_ERROR_FULL,
                    "%s: the database cannot be written (%s); check the disk, nothing was changed",
                    doing, text);
        break;
    case SRV_DB_ABSENT:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s: %s; it must be a file in an existing folder, and the user that moowatchd "
                    "runs as must be able to write to both",
                    doing, text);
        break;
    case SRV_DB_DAMAGED:
        g_set_error(
            error, SRV_ERROR, SRV_ERROR_INTERNAL,
            "%s: %s; move the file away, then restore the last backup with moowatchd restore",
            doing, text);
        break;
    case SRV_DB_FOREIGN:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s; set data_dir to a folder of its own",
                    text);
        break;
    case SRV_DB_CONSTRAINT:
    case SRV_DB_OTHER:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", doing, text);
    }
}

void srv__store_wrote(srv_store *store, bool nights) {
    store->wrote = true;
    store->wrote_nights = store->wrote_nights || nights;
    if (!store->in_transaction) {
        srv_changes_note(store->changes, nights, (srv_changes_whose){.known = false});
        store->wrote = store->wrote_nights = false;
    }
}
