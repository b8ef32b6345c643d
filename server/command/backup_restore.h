#pragma once
/* backup_restore - an empty server from a backup; and the proof that one could be restored. */
#include "config/config.h"

/**
 * srv__backup_restore - only where no database is, and no tokens but the backup's: nothing is
 * overwritten. What fails leaves nothing behind, unless the database may have been filled; what was
 * killed can be done again.
 * from  a folder of backups, of which the newest is taken, or one of them
 * lost  out, raw files that are missing or damaged; each was named on standard error
 */
bool srv__backup_restore(const cfg_server *config, const char *from, unsigned *lost,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backup_check - could each backup of the folder be restored? Prints a line of each; the first
 * one that could not is the error, all are named on standard error. lost: as above. */
bool srv__backup_check(const char *folder, unsigned *lost,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
