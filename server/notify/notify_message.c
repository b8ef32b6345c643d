#include "server/notify/notify_message.h"

#include <string.h>

#define SECRET_BYTES_MAX 65536

srv_words srv__message_words(const srv_message *d) {
    return (srv_words){.base = d->server->public_url,
                       .project = d->project,
                       .event = d->event,
                       .alerts = d->items,
                       .text = d->rule->text,
                       .title = d->configured ? d->configured->title : NULL,
                       .commit_url = d->configured ? d->configured->commit_url : NULL};
}

char *srv__message_secret(const char *path, srv_sent *out) {
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &text, &size, &error))
        out->problem = g_strdup(error->message);
    else if (size > SECRET_BYTES_MAX || *g_strstrip(text) == '\0' || strpbrk(text, "\r\n") != NULL)
        out->problem = g_strdup_printf("%s must hold one line", path);
    return out->problem ? NULL : g_steal_pointer(&text);
}
