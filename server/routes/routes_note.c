#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/ground/log.h"
#include "server/routes/routes.h"
#include "server/views/views.h"

static srv_reply *get_notes(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_page(store, request, srv_view_notes);
}

static srv_reply *post_note(srv_app *app, srv_store *store, srv_request *request) {
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

static srv_reply *post_note_remove(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_withdrawn(store, request, "note", srv_note_remove);
}

static srv_reply *get_baselines(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_page(store, request, srv_view_baselines);
}

/* Borrowed from the body; alert: 0 when it is not there. */
static bool baseline_read(const json_t *body, const srv_request *request, srv_baseline *out,
                          GError **error) {
    const json_t *alert = json_object_get(body, "alert"), *night = json_object_get(body, "night");
    const json_t *portions = json_object_get(body, "portions");
    *out = (srv_baseline){.night = json_string_value(night),
                          .portions = json_is_null(portions) ? NULL : portions,
                          .alert = json_integer_value(alert),
                          .reason = json_string_value(json_object_get(body, "reason")),
                          .author = request->token};
    if (alert && !json_is_null(alert) && out->alert < 1)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "alert: must be the number of an alert");
    else if (night && !json_is_null(night) && !out->night)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "night: must be a date, YYYY-MM-DD");
    else
        return true;
    return false;
}

static srv_reply *post_baseline(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    int64_t id = 0;
    srv_baseline said;
    json_auto_t *body = srv_request_json(request, &error);
    if (!body || !baseline_read(body, request, &said, &error) ||
        !srv_baseline_set(store, request->params[0], &said, srv_now_ms(), &id, &error))
        return srv_reply_error(error);
    srv_log_info("api", "baseline", "project", request->params[0], "night",
                 said.night ? said.night : "none", "by", request->token, NULL);
    return srv_reply_json(201, json_pack("{s:I}", "baseline", (json_int_t)id));
}

static srv_reply *post_baseline_undo(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    return srv__reply_withdrawn(store, request, "baseline", srv_baseline_undo);
}

const srv_route srv__routes_note[] = {
    {"GET", SRV_API "projects/{}/notes", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_notes,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/notes", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_note, .query = "branch"},
    {"POST", SRV_API "notes/{}/remove", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_note_remove},
    {"GET", SRV_API "projects/{}/baselines", SRV_SCOPE_READ, SRV_RUN_KEPT, .handler = get_baselines,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/baselines", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_baseline, .query = "branch"},
    {"POST", SRV_API "baselines/{}/undo", SRV_SCOPE_RUN, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_baseline_undo},
    {0}};
