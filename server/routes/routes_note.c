#include "config/log.h"
#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/ground/clock.h"
#include "server/ground/fields.h"
#include "server/routes/routes.h"

static json_t *post_note(srv_call *call, GError **error) {
    int64_t id = 0;
    const srv_request *request = call->request;
    const srv_note note = {cfg_json_word(call->body, "night", NULL),
                           cfg_json_word(call->body, "text", NULL), request->token};
    if (!srv_note_add(call->store, request->params[0], &note, srv_now_ms(), &id, error))
        return NULL;
    cfg_log("info", "api", "note", "project=%s night=%s by=%s", request->params[0], note.night,
            request->token);
    call->status = 201;
    return json_pack("{s:I}", "note", (json_int_t)id);
}

typedef bool withdraw(srv_store *store, int64_t id, const char *author, const char *reason,
                      int64_t now_ms, GError **error);

/* What somebody said is taken back for the body's "reason"; {noun: number}. */
static json_t *withdrawn(const srv_call *call, const char *noun, withdraw *act, GError **error) {
    return act(call->store, call->id, call->request->token, call->reason, srv_now_ms(), error)
               ? json_pack("{s:I}", noun, (json_int_t)call->id)
               : NULL;
}

static json_t *post_note_remove(srv_call *call, GError **error) {
    return withdrawn(call, "note", srv_note_remove, error);
}

/* Borrowed from the body; alert: 0 when it is not there. */
static bool baseline_read(const json_t *body, const srv_request *request, srv_baseline *out,
                          GError **error) {
    srv__fields in = {.object = body, .where = "", .error = error};
    *out = (srv_baseline){.night = srv__field_text(&in, "night", SRV__TEXT_BYTES, SRV__OPTIONAL),
                          .portions = srv__field_json(&in, "portions", JSON_ARRAY, SRV__OPTIONAL),
                          .alert = srv__field_int(&in, "alert", 1, INT64_MAX, SRV__OPTIONAL, 0),
                          .reason = cfg_json_word(body, "reason", NULL),
                          .author = request->token};
    return !in.failed;
}

static json_t *post_baseline(srv_call *call, GError **error) {
    int64_t id = 0;
    srv_baseline asked;
    const srv_request *request = call->request;
    if (!baseline_read(call->body, request, &asked, error) ||
        !srv_baseline_set(call->store, request->params[0], &asked, srv_now_ms(), &id, error))
        return NULL;
    cfg_log("info", "api", "baseline", "project=%s night=%s by=%s", request->params[0],
            asked.night ? asked.night : "none", request->token);
    call->status = 201;
    return json_pack("{s:I}", "baseline", (json_int_t)id);
}

static json_t *post_baseline_undo(srv_call *call, GError **error) {
    return withdrawn(call, "baseline", srv_baseline_undo, error);
}

const srv_route srv__routes_note[] = {
    {"GET", SRV_API "projects/{}/notes", SRV__KEEPS, .list = &srv_list_notes,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/notes", SRV__CHANGES(SRV_SCOPE_RUN), .act = post_note,
     .query = "branch"},
    {"POST", SRV_API "notes/{}/remove", SRV__CHANGES(SRV_SCOPE_RUN), .act = post_note_remove,
     .numbered = true},
    {"GET", SRV_API "projects/{}/baselines", SRV__KEEPS, .list = &srv_list_baselines,
     .query = "branch limit>500 cursor"},
    {"POST", SRV_API "projects/{}/baselines", SRV__CHANGES(SRV_SCOPE_RUN), .act = post_baseline,
     .query = "branch"},
    {"POST", SRV_API "baselines/{}/undo", SRV__CHANGES(SRV_SCOPE_RUN), .act = post_baseline_undo,
     .numbered = true},
    {0}};
