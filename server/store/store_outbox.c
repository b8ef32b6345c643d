#include "server/store/store_outbox.h"

#include "server/ground/error.h"
#include "server/store/store_sql.h"
#include "sql/outbox.h"

void srv_outbox_line_free(srv_outbox_line *line) {
    if (!line)
        return;
    g_free(line->project);
    g_free(line->channel);
    g_free(line->subject);
    g_free(line->event);
    g_free(line->reference);
    g_free(line);
}

bool srv_outbox_open(srv_store *store, const char *project, const char *channel, int64_t now_ms,
                     GError **error) {
    return srv__run(store, SQL(outbox_open),
                    SRV__ARGS(SRV__T(project), SRV__T(channel), SRV__I(now_ms)), NULL, error);
}

GArray *srv_outbox_fresh(srv_store *store, const char *project, const char *channel,
                         const char *subject, const char *event, GError **error) {
    static const struct {
        const char *event;
        const srv_sql *sql;
    } table[] = {{"raised", SQL(fresh_raised)},     {"ended", SQL(fresh_ended)},
                 {"found", SQL(fresh_found)},       {"explained", SQL(fresh_explained)},
                 {"opened", SQL(fresh_opened)},     {"over", SQL(fresh_over)},
                 {"measured", SQL(fresh_measured)}, {"counted", SQL(fresh_counted)},
                 {"held", SQL(fresh_held)},         {"asked", SQL(fresh_asked)},
                 {"begun", SQL(fresh_begun)},       {"answered", SQL(fresh_answered)},
                 {"searched", SQL(fresh_searched)}};
    (void)subject;
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (g_str_equal(table[i].event, event))
            return srv__ids(store, table[i].sql,
                            SRV__ARGS(SRV__T(project), SRV__T(channel), SRV__T(event)), error);
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "there is no event %s", event);
    return NULL;
}

bool srv_outbox_add(srv_store *store, const srv_outbox_line *line, const char *state,
                    int64_t not_before_ms, const char *note, GError **error) {
    return srv__run(store, SQL(outbox_add),
                    SRV__ARGS(SRV__T(line->project), SRV__T(line->channel), SRV__T(line->subject),
                              SRV__I(line->subject_id), SRV__T(line->event), SRV__T(state),
                              SRV__I(line->made_ms), SRV__I(not_before_ms), SRV__T(note)),
                    NULL, error);
}

bool srv_outbox_settle(srv_store *store, int64_t now_ms, GError **error) {
    return srv__run(store, SQL(outbox_alerts_over), SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store, SQL(outbox_incidents_over), SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store, SQL(outbox_counted_over), SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store, SQL(outbox_pulls_over), SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store, SQL(outbox_dead),
                    SRV__ARGS(SRV__I(now_ms), SRV__I(now_ms - SRV_OUTBOX_KEEP_MS)), NULL, error);
}

static srv_outbox_line *line_read(srv__query *query) {
    srv_outbox_line *line = g_new0(srv_outbox_line, 1);
    line->id = srv__query_int(query, 0);
    line->project = g_strdup(srv__query_text(query, 1));
    line->channel = g_strdup(srv__query_text(query, 2));
    line->subject = g_strdup(srv__query_text(query, 3));
    line->subject_id = srv__query_int(query, 4);
    line->event = g_strdup(srv__query_text(query, 5));
    line->attempts = (unsigned)srv__query_int(query, 6);
    line->made_ms = srv__query_int(query, 7);
    return line;
}

GPtrArray *srv_outbox_due(srv_store *store, int64_t now_ms, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, SQL(outbox_due),
                       SRV__ARGS(SRV__I(now_ms), SRV__I(now_ms + SRV_OUTBOX_WAIT_MOST_MS)), error);
    if (!query)
        return NULL;
    g_autoptr(GPtrArray) lines =
        g_ptr_array_new_with_free_func((GDestroyNotify)srv_outbox_line_free);
    srv_db_step step;
    while ((step = srv__query_next(query, error)) == SRV_DB_ROW)
        g_ptr_array_add(lines, line_read(query));
    return step == SRV_DB_END ? g_steal_pointer(&lines) : NULL;
}

json_t *srv_outbox_failing(srv_store *store, GError **error) {
    return srv__array(store, SQL(outbox_failing), SRV__NO_ARGS, error);
}

bool srv_outbox_next(srv_store *store, int64_t *due_ms, GError **error) {
    return srv__number(store, SQL(outbox_next), SRV__NO_ARGS, INT64_MAX, due_ms, error);
}

bool srv_outbox_try(srv_store *store, int64_t id, int64_t again_ms, GError **error) {
    return srv__run(store, SQL(outbox_try), SRV__ARGS(SRV__I(id), SRV__I(again_ms)), NULL, error);
}

bool srv_outbox_close(srv_store *store, int64_t id, const char *state, const char *reference,
                      const char *note, int64_t now_ms, GError **error) {
    return srv__run(
        store, SQL(outbox_close),
        SRV__ARGS(SRV__I(id), SRV__T(state), SRV__T(reference), SRV__T(note), SRV__I(now_ms)), NULL,
        error);
}

bool srv_outbox_note(srv_store *store, int64_t id, const char *note, int64_t again_ms,
                     GError **error) {
    return srv__run(store, SQL(outbox_note), SRV__ARGS(SRV__I(id), SRV__T(note), SRV__I(again_ms)),
                    NULL, error);
}

char *srv_outbox_reference(srv_store *store, const char *project, const char *channel,
                           const char *subject, int64_t id, GError **error) {
    char *reference = NULL;
    return srv__text(store, SQL(outbox_reference),
                     SRV__ARGS(SRV__T(project), SRV__T(channel), SRV__T(subject), SRV__I(id)),
                     &reference, error)
               ? reference
               : NULL;
}

char *srv_outbox_pull_reference(srv_store *store, const srv_outbox_line *line, bool of_number,
                                unsigned *made, GError **error) {
    *made = 0;
    json_auto_t *rows = srv__array(store, SQL(outbox_pull_reference),
                                   SRV__ARGS(SRV__T(line->project), SRV__T(line->channel),
                                             SRV__I(line->subject_id), SRV__I(of_number)),
                                   error);
    *made = (unsigned)json_array_size(rows);
    return g_strdup(json_string_value(json_object_get(json_array_get(rows, 0), "reference")));
}
