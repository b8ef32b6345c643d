#pragma once
/*
 * daemon - starts the parts of app.h in the order of its members, and ends them in the reverse one.
 */
#include "server/app.h"

typedef struct {
    const char *program; /* path of moowatchd itself, for its helpers */
    const char *commit;  /* that it was built from; "": not known */
    bool with_runner;
} srv_daemon_options;

/** srv_daemon_start - config and what options name outlive the app. NULL with error; everything
 * begun is ended again. */
srv_app *srv_daemon_start(const cfg_server *config, const srv_daemon_options *options,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_daemon_stop - ends everything: new requests refused, streams ended, workers joined. */
void srv_daemon_stop(srv_app *app);

/** srv_daemon_reload - reads the projects and the certificate again; on error the old ones stay.
 * is_whole: the server's own file is as it was read at the start. */
bool srv_daemon_reload(srv_app *app, bool is_whole, GError **error) G_GNUC_WARN_UNUSED_RESULT;
