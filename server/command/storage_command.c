#include "config/number.h"
#include "server/catalog.h"
#include "server/command/command.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/retention/retention.h"

#include <stdio.h>

typedef struct {
    char *config, *keep_raw_days, *raw_budget_bytes;
    gboolean compact;
} options;

enum { PAUSE_US = 50000 }; /* between two steps, in which a server has its turn to write */

static bool number(const char *option, const char *text, uint64_t high, uint64_t *value,
                   GError **error) {
    guint64 read = 0;
    const bool good = !text || cfg_number_unsigned(text, 0, high, &read);
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "--%s needs a number from 0 to %" G_GUINT64_FORMAT ", not %s", option, high,
                    text);
    else if (text)
        *value = read;
    return good;
}

/* The server's own, but for what the command line says. */
static bool policy_of(const options *o, cfg_storage *policy, GError **error) {
    uint64_t days = policy->keep_raw_days;
    const bool good = number("keep-raw-days", o->keep_raw_days, 36500, &days, error) &&
                      number("raw-budget-bytes", o->raw_budget_bytes, INT64_MAX,
                             &policy->raw_budget_bytes, error);
    policy->keep_raw_days = (unsigned)days;
    return good;
}

/* What the policy says of raw data, then the database's own space. */
static bool tell(srv_store *store, const cfg_storage *policy, GError **error) {
    int64_t bytes, free_bytes;
    g_autofree char *text = srv_retention_report(store, policy, srv_now_ms(), error);
    if (!text || !srv_store_space(store, &bytes, &free_bytes, error))
        return false;
    return printf("%s\nThe database takes %" G_GINT64_FORMAT " bytes", text, bytes) >= 0 &&
           (free_bytes == 0 ||
            printf("; %" G_GINT64_FORMAT " of them are free: storage --compact gives them back",
                   free_bytes) >= 0) &&
           puts(".") >= 0;
}

/* While a server goes on. */
static bool compact(srv_store *store, GError **error) {
    int64_t before, after, free_bytes;
    bool more = true, good = srv_store_space(store, &before, &free_bytes, error);
    while (good && more) {
        good = srv_store_compact(store, &more, error);
        if (more)
            g_usleep(PAUSE_US);
    }
    if (!good || !srv_store_space(store, &after, &free_bytes, error))
        return false;
    return printf("The database takes %" G_GINT64_FORMAT " bytes, before it took %" G_GINT64_FORMAT
                  ".\n",
                  after, before) >= 0;
}

static bool run(const options *o, GError **error) {
    g_autoptr(cfg_server) config = srv_command_config(o->config, error);
    if (!config || !srv_command_database(config, error))
        return false;
    cfg_storage policy = config->storage;
    if (!policy_of(o, &policy, error))
        return false;
    g_autofree char *database = srv_context_database(config);
    g_autoptr(srv_store) store = srv_store_open(database, error);
    return store && (o->compact ? compact(store, error) : tell(store, &policy, error));
}

int srv_storage_command(int argc, char **argv) {
    options o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"keep-raw-days", 0, 0, G_OPTION_ARG_STRING, &o.keep_raw_days,
         "Assume this storage.keep_raw_days; 0: for ever", "DAYS"},
        {"raw-budget-bytes", 0, 0, G_OPTION_ARG_STRING, &o.raw_budget_bytes,
         "Assume this storage.raw_budget_bytes; 0: none", "BYTES"},
        {"compact", 0, 0, G_OPTION_ARG_NONE, &o.compact,
         "Give the free space in a SQLite file back to the disk; the daemon may be running", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GError) error = NULL;
    int status = 2;
    if (srv_command_parse(
            "storage", NULL,
            "Lists the raw data of each project: what is kept and why, and what the policy would "
            "remove; then the size\nof the database. It removes nothing: the server does, once its "
            "file has that policy.",
            entries, &argc, &argv, &error)) {
        if (!o.config || argc > 1)
            g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "needs --config FILE");
        else
            status = run(&o, &error) ? 0 : 1;
    }
    return srv_command_end(status, error);
}
