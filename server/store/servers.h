#pragma once
/*
 * servers - the servers on one database, and which configuration each has of every project.
 *
 * Each writes its row down while it lives (duty.h beats in the same rhythm). A row that stays the
 * same for SRV_DUTY_SILENT_MS of somebody else's time is removed by that one: so the servers'
 * clocks may say what they like. Where the database is a file there is one server, and no rows.
 */
#include "server/store/duty.h"

/* What one server knows of all. Begins with own, called and hashes, else zero. */
typedef struct {
    const char *own;    /* its name (srv_duty) */
    const char *called; /* what people know it by, such as "host:8300" */
    GHashTable *hashes; /* project → hash of its configuration, both char* */
    bool stale;         /* hashes are not written down yet */
    GHashTable *others; /* name → what was seen of it; owned */
    char differs[101];  /* the first project of which the configurations differ, "": none */
} srv_servers;

/**
 * srv_servers_beat - it lives, with this configuration; who has been silent for too long does not.
 * now_ms   monotonic time of this server
 * Sets differs.
 */
bool srv_servers_beat(srv_store *store, srv_servers *servers, int64_t now_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_servers_leave - it is going. */
bool srv_servers_leave(srv_store *store, const srv_servers *servers, GError **error);
void srv_servers_clear(srv_servers *servers);
