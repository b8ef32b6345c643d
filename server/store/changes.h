#pragma once
/*
 * changes - one number that moves with every commit, to be asked without asking the database.
 *
 * It stands in a file beside the database, mapped by every process that has it open, so that a
 * command beside the daemon (import) is noticed too. It moves after the commit: what was read
 * before it did is old once it has. Reading it is one load from memory. Thread-safe. Where the
 * database is a server it is this process's, and what others commit moves it as soon as it is
 * heard.
 */
#include "server/store/store.h"

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

/*
 * peers - what a server has committed, as the other servers on its database are told of it.
 *
 * A commit tells in a line or several (srv_db_tell) who committed, and which jobs, nights, alerts
 * and incidents have changed. A thread of every server listens: it moves the number of changes.h
 * and tells the events of the others as if they were its own. When its connection breaks,
 * everything counts as changed until it is back.
 */

/* Something that has changed. */
typedef struct {
    srv_event what;
    int64_t id;
} srv__pending;

/* srv__notice_texts - [char*] of at most SRV_DB_TELL_BYTES each; owned. events: [srv__pending] */
GPtrArray *srv__notice_texts(const GArray *events) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    bool ours;      /* told by this process */
    GArray *events; /* [srv__pending]; owned */
    char *asked;    /* the project that is to be polled, "" all, NULL: nothing is asked; owned */
} srv__notice;

/** srv_peers_ask - the server that polls repositories is to ask this one now; "": all. */
bool srv_peers_ask(srv_store *store, const char *project, GError **error);

/* Who is told, of what other servers did: tell of each event, with a store of its own; ask with the
 * project of srv_peers_ask. */
typedef struct {
    srv_event_fn tell;
    void (*ask)(const char *project, void *user);
    void *user;
} srv_peers_calls;

typedef struct srv_peers srv_peers;

/**
 * srv_peers_start - listen from now on.
 * url       of a database that is a server (srv_db_is_server)
 * changes   moved by what others commit; borrowed
 * told      called in a thread of its own
 * NULL with error.
 */
srv_peers *srv_peers_start(const char *url, srv_changes *changes, const srv_peers_calls *told,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_peers_stop(srv_peers *peers);
