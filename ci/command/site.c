/* moowatch site DIR - a server's pages as files, for a host that only serves files. */
#include "web/site/site.h"
#include "ci/command/client.h"

#include <stdio.h>
#include <string.h>

static const ci_usage usage = {
    .synopsis = "site DIR",
    .description =
        "Writes what a server shows as files that any web server can serve: pages, charts,\n"
        "JSON, feeds, badges. Again into the same folder: writes only what changed, and\n"
        "removes only what it wrote itself. With --export FILE, what moowatchd export wrote, or\n"
        "--config FILE, a server's database, it needs moowatchd instead of a server.",
    .least = 1,
    .most = 1};

/* Without the last '/'; NULL with error: no address of a site. */
static char *url_of(const char *given, GError **error) {
    char *url = g_strdup(given);
    if (!(g_str_has_prefix(url, "https://") || g_str_has_prefix(url, "http://"))) {
        ci_misused(error, "--url %s: must begin with https:// or http://", given);
        g_clear_pointer(&url, g_free);
    }
    while (url && g_str_has_suffix(url, "/"))
        url[strlen(url) - 1] = '\0';
    return url;
}

/* What the server refuses is not there: a project without a night has no chart. */
static GBytes *ask(void *client, const char *address, char **etag, GError **error) {
    GError *wrong = NULL;
    GBytes *answer = ci_client_fetch(client, address, etag, &wrong);
    if (wrong && ci_client_refused(client))
        g_set_error_literal(error, WEB_SITE_ERROR, WEB_SITE_ERROR_ABSENT, wrong->message);
    else if (wrong)
        g_propagate_error(error, g_steal_pointer(&wrong));
    g_clear_error(&wrong);
    return answer;
}

static void write_site(ci_client *client, const web_site_options *options, GError **error) {
    g_autofree char *who = ci_client_identity(client);
    web_site_options how = *options;
    web_files_count count = {0};
    how.asks = who;
    how.ask = ask;
    how.user = client;
    if (web_site_write(&how, &count, error))
        (void)printf("%s: %u written, %u unchanged, %u removed; %.1f MB\n", how.folder,
                     count.written, count.same, count.removed, (double)count.bytes / 1e6);
}

/* Is it not of a server that answers over HTTP? Then moowatchd makes the answers. */
static bool is_local(char **argv) {
    for (; *argv; argv++)
        if (g_str_has_prefix(*argv, "--export") || g_str_has_prefix(*argv, "--config"))
            return true;
    return false;
}

static ci_exit site(int argc, char **argv, GError **error) {
    if (is_local(argv))
        return ci_daemon(argc, argv, error);
    char *given = NULL, **projects = NULL;
    gboolean again = FALSE;
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        {"url", 'u', 0, G_OPTION_ARG_STRING, &given,
         "Where the site will be served; feeds link there (default: to the server)", "URL"},
        {"project", 'p', 0, G_OPTION_ARG_STRING_ARRAY, &projects,
         "Only this project; may be given again", "NAME"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &again,
         "Ask for everything again, not only what changed", NULL},
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    g_autofree char *url = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error) && (!given || (url = url_of(given, error))))
        client = ci_client_new(&options, error);
    const web_site_options how = {.folder = client ? argv[1] : NULL,
                                  .base = url,
                                  .wanted = (const char *const *)projects,
                                  .again = again,
                                  .now_ms = g_get_real_time() / 1000};
    if (client)
        write_site(client, &how, error);
    return CI_OK;
}

const ci_command ci_command_site = {"site", "write a server's pages as files for a static host",
                                    site};
