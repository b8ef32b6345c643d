#pragma once
/*
 * changes - one number that moves with every commit, to be asked without asking the database.
 *
 * It stands in a file beside the database, mapped by every process that has it open, so that a
 * command beside the daemon (import) is noticed too. It moves after the commit: what was read
 * before it did is old once it has. Reading it is one load from memory. Thread-safe. Where the
 * database is a server it is this process's, and what others commit moves it as soon as it is heard
 * (news.h).
 */
#include <glib.h>
#include <stdint.h>

typedef struct srv_changes srv_changes;

/** srv_changes_open - url: as srv_db_open takes it. NULL with error. */
srv_changes *srv_changes_open(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_changes_close(srv_changes *changes);

/** srv_changes_now - differs from what it was when something was committed since. */
uint64_t srv_changes_now(const srv_changes *changes);

/** srv_changes_note - something was committed. */
void srv_changes_note(srv_changes *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_changes, srv_changes_close)
