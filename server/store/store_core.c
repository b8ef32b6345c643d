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
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s; %s", doing, text,
                    store->db->driver->absent);
        break;
    case SRV_DB_DAMAGED:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s; %s", doing, text,
                    store->db->driver->damaged);
        break;
    case SRV_DB_FOREIGN:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s; %s", text,
                    store->db->driver->foreign);
        break;
    case SRV_DB_REFUSED:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s: %s; moowatchd needs a database that its user owns and may write to", doing,
                    text);
        break;
    case SRV_DB_LOST:
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY,
                    "%s: the database does not answer (%s); nothing was changed, try again", doing,
                    text);
        break;
    case SRV_DB_UNKNOWN:
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY,
                    "%s: %s; check whether it was done before you try again", doing, text);
        break;
    case SRV_DB_NEWER:
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY,
                    "%s: the database is of a newer version than this server (%s); nothing was "
                    "changed; ask another server, and upgrade this one",
                    doing, text);
        break;
    case SRV_DB_CONSTRAINT:
    case SRV_DB_OTHER:
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", doing, text);
    }
}

void srv__store_wrote(srv_store *store) {
    store->wrote = store->in_transaction;
    if (!store->in_transaction)
        srv_changes_note(store->changes);
}
