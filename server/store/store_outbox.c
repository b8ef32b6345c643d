#include "server/store/store_outbox.h"

#include "server/ground/error.h"
#include "server/store/store_sql.h"

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
    return srv__run(
        store,
        "INSERT INTO channel(project_id, name, opened_ms, after_alert, after_experiment,"
        " after_incident) SELECT p.id, $2, $3, coalesce((SELECT max(id) FROM alert), 0),"
        " coalesce((SELECT max(id) FROM experiment), 0),"
        " coalesce((SELECT max(id) FROM incident), 0) FROM project p"
        " WHERE p.name=$1 ON CONFLICT DO NOTHING",
        SRV__ARGS(SRV__T(project), SRV__T(channel), SRV__I(now_ms)), NULL, error);
}

#define NO_LINE(subject)                                                                           \
    " AND NOT EXISTS(SELECT 1 FROM outbox o WHERE o.channel_id=c.id AND o.subject='" subject       \
    "' AND o.subject_id=s.id AND o.event=$3) ORDER BY s.id LIMIT 1000"
#define TOLD(subject, event)                                                                       \
    " AND EXISTS(SELECT 1 FROM outbox r WHERE r.channel_id=c.id AND r.subject='" subject           \
    "' AND r.subject_id=s.id AND r.event='" event "' AND r.state='sent')"
#define OF_CHANNEL                                                                                 \
    " JOIN project p ON p.id=s.project_id JOIN channel c ON c.project_id=p.id"                     \
    " WHERE p.name=$1 AND c.name=$2"

/* Counts of a night moved in a portion of which neither its verdict nor an alert tells. */
#define COUNTED_ALONE(night)                                                                       \
    "EXISTS(SELECT 1 FROM dimension d WHERE d.experiment_id=" night " AND d.verdict='anomaly'"     \
    " AND NOT EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=" night                         \
    "  AND q.configuration=d.configuration AND q.verdict='anomaly') AND NOT EXISTS(SELECT 1"       \
    "  FROM alert a JOIN alert_portion m ON m.alert_id=a.id WHERE a.to_experiment=" night          \
    "  AND a.state<>'withdrawn' AND m.configuration=d.configuration))"

/* Only where it came from, and not what was pushed over: that is told with what was pushed. */
#define OF_PROVIDER                                                                                \
    " AND s.number IS NOT NULL AND s.asked_ms>=c.opened_ms AND (c.name LIKE 'gitlab-%')"           \
    "=(s.provider='gitlab') AND NOT EXISTS(SELECT 1 FROM pull l WHERE l.project_id=s.project_id"   \
    " AND l.provider=s.provider AND l.number=s.number AND l.id>s.id)"

GArray *srv_outbox_fresh(srv_store *store, const char *project, const char *channel,
                         const char *subject, const char *event, GError **error) {
    static const struct {
        const char *event, *sql;
    } table[] = {
        {"raised", "SELECT s.id FROM alert s" OF_CHANNEL
                   " AND s.id>c.after_alert AND s.state='open'" NO_LINE("alert")},
        {"ended", "SELECT s.id FROM alert s" OF_CHANNEL
                  " AND s.state IN ('fixed','accepted','false','withdrawn')" TOLD("alert", "raised")
                      NO_LINE("alert")},
        {"explained", "SELECT s.id FROM alert s" OF_CHANNEL
                      " AND s.state IN ('open','acknowledged') AND EXISTS(SELECT 1"
                      " FROM explanation x WHERE x.alert_id=s.id AND x.state='done')" TOLD(
                          "alert", "raised") NO_LINE("alert")},
        {"opened", "SELECT s.id FROM incident s" OF_CHANNEL
                   " AND s.id>c.after_incident AND s.state='open'" NO_LINE("incident")},
        {"over", "SELECT s.id FROM incident s" OF_CHANNEL
                 " AND s.state<>'open'" TOLD("incident", "opened") NO_LINE("incident")},
        {"measured",
         "SELECT s.id FROM experiment s" OF_CHANNEL " AND s.id>c.after_experiment AND s.hidden=0"
         /* while it is measured again nobody knows */
         " AND NOT EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=s.id"
         " AND q.verdict='suspect')" NO_LINE("night")},
        {"counted",
         "SELECT s.id FROM experiment s" OF_CHANNEL " AND s.id>c.after_experiment AND s.hidden=0"
         " AND s.state='measured' AND " COUNTED_ALONE(
             "s.id") " AND NOT EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=s.id"
                     " AND q.verdict='suspect')" NO_LINE("night")},
        {"held", "SELECT s.id FROM pull s" OF_CHANNEL OF_PROVIDER
                 " AND s.state='held'" NO_LINE("pull_request")},
        {"asked", "SELECT s.id FROM pull s" OF_CHANNEL OF_PROVIDER
                  " AND s.state='waiting'" NO_LINE("pull_request")},
        {"begun", "SELECT s.id FROM pull s" OF_CHANNEL OF_PROVIDER
                  " AND s.state='measuring'" NO_LINE("pull_request")},
        {"answered", "SELECT s.id FROM pull s" OF_CHANNEL OF_PROVIDER
                     " AND s.state IN ('done','failed','dropped')" NO_LINE("pull_request")},
    };
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
    return srv__run(store,
                    "INSERT INTO outbox(channel_id, subject, subject_id, event, state, made_ms,"
                    " not_before_ms, note) SELECT c.id, $3, $4, $5, $6, $7, $8, $9 FROM channel c"
                    " JOIN project p ON p.id=c.project_id WHERE p.name=$1 AND c.name=$2"
                    " ON CONFLICT DO NOTHING",
                    SRV__ARGS(SRV__T(line->project), SRV__T(line->channel), SRV__T(line->subject),
                              SRV__I(line->subject_id), SRV__T(line->event), SRV__T(state),
                              SRV__I(line->made_ms), SRV__I(not_before_ms), SRV__T(note)),
                    NULL, error);
}

bool srv_outbox_settle(srv_store *store, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "UPDATE outbox SET state='over', closed_ms=$1,"
                    " note='it ended before it was told' WHERE state='waiting' AND event IN "
                    "('raised','explained')"
                    " AND (SELECT state FROM alert WHERE id=subject_id) NOT IN ('open',"
                    "'acknowledged')",
                    SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store,
                    "UPDATE outbox SET state='over', closed_ms=$1,"
                    " note='it ended before it was told' WHERE state='waiting' AND event='opened'"
                    " AND (SELECT state FROM incident WHERE id=subject_id)<>'open'",
                    SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store,
                    "UPDATE outbox SET state='over', closed_ms=$1,"
                    " note='it is told otherwise by now' WHERE state='waiting'"
                    " AND event='counted' AND NOT " COUNTED_ALONE("outbox.subject_id"),
                    SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store,
                    "UPDATE outbox SET state='over', closed_ms=$1,"
                    " note='it went on before it was told' WHERE state='waiting'"
                    " AND subject='pull_request' AND event IN ('held','asked','begun')"
                    " AND (SELECT state FROM pull WHERE id=subject_id)<>"
                    "CASE event WHEN 'held' THEN 'held' WHEN 'asked' THEN 'waiting'"
                    " ELSE 'measuring' END",
                    SRV__ARGS(SRV__I(now_ms)), NULL, error) &&
           srv__run(store,
                    "UPDATE outbox SET state='dead', closed_ms=$1 WHERE state='waiting'"
                    " AND attempts>0 AND made_ms<$2",
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
    g_autoptr(srv__query) query = srv__query_new(
        store,
        "SELECT o.id, p.name, c.name, o.subject, o.subject_id, o.event, o.attempts, o.made_ms"
        " FROM outbox o JOIN channel c ON c.id=o.channel_id JOIN project p ON p.id=c.project_id"
        " WHERE o.state='waiting' AND (o.not_before_ms<=$1 OR o.not_before_ms>$2)"
        " ORDER BY p.name, c.name, o.event, o.id LIMIT 1000",
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

bool srv_outbox_next(srv_store *store, int64_t *due_ms, GError **error) {
    return srv__number(store, "SELECT min(not_before_ms) FROM outbox WHERE state='waiting'",
                       SRV__NO_ARGS, INT64_MAX, due_ms, error);
}

bool srv_outbox_try(srv_store *store, int64_t id, int64_t again_ms, GError **error) {
    return srv__run(store, "UPDATE outbox SET attempts=attempts+1, not_before_ms=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__I(again_ms)), NULL, error);
}

bool srv_outbox_close(srv_store *store, int64_t id, const char *state, const char *reference,
                      const char *note, int64_t now_ms, GError **error) {
    return srv__run(
        store, "UPDATE outbox SET state=$2, reference=$3, note=$4, closed_ms=$5 WHERE id=$1",
        SRV__ARGS(SRV__I(id), SRV__T(state), SRV__T(reference), SRV__T(note), SRV__I(now_ms)), NULL,
        error);
}

bool srv_outbox_note(srv_store *store, int64_t id, const char *note, int64_t again_ms,
                     GError **error) {
    return srv__run(store, "UPDATE outbox SET note=$2, not_before_ms=$3 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__T(note), SRV__I(again_ms)), NULL, error);
}

char *srv_outbox_reference(srv_store *store, const char *project, const char *channel,
                           const char *subject, int64_t id, GError **error) {
    json_t *row = NULL;
    if (!srv__object(store,
                     "SELECT o.reference FROM outbox o JOIN channel c ON c.id=o.channel_id"
                     " JOIN project p ON p.id=c.project_id WHERE p.name=$1 AND c.name=$2"
                     " AND o.subject=$3 AND o.subject_id=$4 AND o.event IN ('raised','opened')",
                     SRV__ARGS(SRV__T(project), SRV__T(channel), SRV__T(subject), SRV__I(id)), &row,
                     error))
        return NULL;
    char *reference = g_strdup(json_string_value(json_object_get(row, "reference")));
    json_decref(row);
    return reference;
}

char *srv_outbox_pull_reference(srv_store *store, const srv_outbox_line *line, bool of_number,
                                unsigned *made, GError **error) {
    *made = 0;
    json_auto_t *rows = srv__array(
        store,
        "SELECT o.reference FROM outbox o JOIN channel c ON c.id=o.channel_id"
        " JOIN project p ON p.id=c.project_id JOIN pull u ON u.id=o.subject_id"
        " JOIN pull v ON v.id=$3 WHERE p.name=$1 AND c.name=$2 AND o.subject='pull_request'"
        " AND o.reference IS NOT NULL AND (u.id=v.id OR ($4=1 AND u.project_id=v.project_id"
        " AND u.provider=v.provider AND u.number=v.number))"
        " GROUP BY o.reference ORDER BY max(o.id) DESC",
        SRV__ARGS(SRV__T(line->project), SRV__T(line->channel), SRV__I(line->subject_id),
                  SRV__I(of_number)),
        error);
    *made = (unsigned)json_array_size(rows);
    return g_strdup(json_string_value(json_object_get(json_array_get(rows, 0), "reference")));
}
