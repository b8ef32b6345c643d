#include "server/command/check_doubts.h"

#include <errno.h>
#include <unistd.h>

static void file_check(GPtrArray *to, const char *project, const char *key, const char *path) {
    if (path && access(path, R_OK) != 0)
        g_ptr_array_add(
            to, g_strdup_printf("%s: notify: %s: %s: %s", project, key, path, g_strerror(errno)));
}

static void rule_check(GPtrArray *to, const cfg_server *server, const char *project,
                       const cfg_notify *rule) {
    file_check(to, project, "url_file", rule->url_file);
    file_check(to, project, "secret_file", rule->secret_file);
    if (rule->via == CFG_NOTIFY_MAIL && !server->mail.from)
        g_ptr_array_add(to, g_strdup_printf("%s: notify: via mail, but the server's file has no "
                                            "mail:",
                                            project));
}

GPtrArray *srv_check_doubts(const cfg_server *server, const GPtrArray *projects) {
    GPtrArray *to = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *own = g_strdup_printf("http://%s:%u", server->listen, server->port);
    bool tells = false;
    for (guint p = 0; p < projects->len; p++) {
        const cfg_project *project = projects->pdata[p];
        for (unsigned i = 0; i < project->notify_count; i++)
            rule_check(to, server, project->name, &project->notify[i]);
        tells = tells || project->notify_count > 0;
    }
    if (tells && g_str_equal(server->public_url, own))
        g_ptr_array_add(to, g_strdup_printf("public_url is not set: messages link to %s", own));
    return to;
}
