#pragma once
/*
 * changes - how often the database has changed, to be asked without asking the database.
 *
 * Two counters in a file beside the database, mapped by every process that has it open, so that a
 * command beside the daemon (import) is noticed too. A counter moves after the commit: what was
 * read before it did is old once it has. Reading is one load from memory. Thread-safe.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    SRV_CHANGES_NIGHTS, /* what nights and charts show */
    SRV_CHANGES_ALL,    /* anything */
    SRV_CHANGES_NEVER,  /* what the program itself brings: always 0 */
    SRV_CHANGES_KINDS
} srv_changes_kind;

typedef struct srv_changes srv_changes;

/** srv_changes_open - database: its path. NULL with error. */
srv_changes *srv_changes_open(const char *database, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_changes_close(srv_changes *changes);

/** srv_changes_now - differs from what it was when something has been committed since. */
uint64_t srv_changes_now(const srv_changes *changes, srv_changes_kind kind);

/** srv_changes_read - of all kinds. */
void srv_changes_read(const srv_changes *changes, uint64_t now[SRV_CHANGES_KINDS]);

/** srv_changes_note - something was committed; nights: also what nights show. */
void srv_changes_note(srv_changes *changes, bool nights);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_changes, srv_changes_close)
