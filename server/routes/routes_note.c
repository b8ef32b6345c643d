#include "server/alarm/notes.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/routes/listing.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

srv_reply *srv__get_notes(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_page(store, request, srv_view_notes);
}

srv_reply *srv__post_note(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    int64_t id = 0;
    json_auto_t *body = srv_request_json(request, &error);
    if (!body)
        return srv_reply_error(error);
    const srv_note note = {json_string_value(json_object_get(body, "night")),
                           json_string_value(json_object_get(body, "text")), request->token};
    if (!srv_note_add(store, request->params[0], &note, srv_now_ms(), &id, &error))
        return srv_reply_error(error);
    srv_log_info("api", "note", "project", request->params[0], "night", note.night, "by",
                 request->token, NULL);
    return srv_reply_json(201, json_pack("{s:I}", "note", (json_int_t)id));
}

srv_reply *srv__post_note_remove(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_withdrawn(store, request, "note", srv_note_remove);
}
