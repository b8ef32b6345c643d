#include "server/app.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

#include <string.h>

/* The name a browser saves the file under; the parts come from our own database. */
static void name_download(srv_reply *reply, const srv_request *request) {
    g_autofree char *name = g_strdup_printf("alert-%s-%s-%s.collapsed", request->params[0],
                                            request->params[1], request->params[2]);
    for (char *c = name; *c != '\0'; c++)
        if (!g_ascii_isalnum(*c) && strchr("._-", *c) == NULL)
            *c = '_';
    g_autofree char *value = g_strdup_printf("attachment; filename=\"%s\"", name);
    srv_reply_header(reply, "Content-Disposition", value);
}

srv_reply *srv__get_profile(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    int64_t alert = 0;
    const bool before = strcmp(request->params[2], "before") == 0;
    if (!srv_request_id(request, 0, &alert, &error))
        return srv_reply_error(error);
    if (!before && strcmp(request->params[2], "after") != 0)
        return srv_reply_problem(400, "the profile's end must be before or after");
    char *text = srv_view_profile(store, alert, request->params[1], before, &error);
    if (!text)
        return srv_reply_error(error);
    srv_reply *reply =
        srv_reply_bytes("text/plain; charset=utf-8", g_bytes_new_take(text, strlen(text)), NULL);
    name_download(reply, request);
    return reply;
}
