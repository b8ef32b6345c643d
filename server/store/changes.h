#pragma once
/*
 * changes - how often the database has changed, to be asked without asking the database.
 *
 * Counters in a file beside the database, mapped by every process that has it open, so that a
 * command beside the daemon (import) is noticed too. A counter moves after the commit: what was
 * read before it did is old once it has. Reading is one load from memory, or two. Thread-safe.
 * Where the database is a server they are this process's, and what others commit moves them as soon
 * as it is heard (news.h).
 *
 * Who writes often and for one project alone (polls, leases, progress) says so; then what another
 * project shows stays as it was. Whoever says nothing changes everybody's. Projects share
 * SRV_CHANGES_SLOTS counters by a hash of their name: two that share one are old together.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SRV_CHANGES_SLOTS = 64 };

typedef enum {
    SRV_CHANGES_NIGHTS, /* what nights and charts of any project show */
    SRV_CHANGES_ALL,    /* anything */
    SRV_CHANGES_NEVER,  /* what the program itself brings: always 0 */
    SRV_CHANGES_OWN,    /* and the following: anything of one project, srv_changes_own */
    SRV_CHANGES_OWN_NIGHTS = SRV_CHANGES_OWN + SRV_CHANGES_SLOTS /* likewise, srv_changes_nights */
} srv_changes_kind;

typedef struct srv_changes srv_changes;

/** srv_changes_open - url: as srv_db_open takes it. NULL with error. */
srv_changes *srv_changes_open(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_changes_close(srv_changes *changes);

/** srv_changes_own - the kind of what one project alone shows; project: its name. */
unsigned srv_changes_own(const char *project);

/** srv_changes_nights - the kind of what nights and charts of one project show. length: of its name
 */
unsigned srv_changes_nights(const char *project, gsize length);

/** srv_changes_now - differs from what it was when something of that kind was committed since. */
uint64_t srv_changes_now(const srv_changes *changes, unsigned kind);

/* Whose answers hang on what was committed, beside those of several projects. */
typedef struct {
    bool known;     /* false: everybody's */
    uint64_t slots; /* a bit for each */
} srv_changes_whose;

/** srv_changes_add - this project's, too; those of nobody before the first one is added. */
void srv_changes_add(srv_changes_whose *whose, const char *project);

/** srv_changes_note - something was committed; nights: also what nights show. */
void srv_changes_note(srv_changes *changes, bool nights, srv_changes_whose whose);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_changes, srv_changes_close)
