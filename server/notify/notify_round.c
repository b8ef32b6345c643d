#include "server/notify/notify_round.h"

#include "config/log.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_rule.h"
#include "server/store/store_sql.h"
#include "server/views/histories.h"
#include "server/views/views_parts.h"
#include "sql/outbox.h"
#include "web/chart/chart.h"

#define CHART_NIGHTS 30u
#define GROUP_MAX 20u /* alerts in one message; more are further messages */

/* Not even a receiver that is away over a long weekend loses a message. */
#define KEEP_MS (INT64_C(4) * 24 * 3600 * 1000)
/* Quiet hours and what a receiver asks for are shorter: what waits for longer was put off by a
 * clock that has been set back since, and is due. */
#define WAIT_MOST_MS (INT64_C(25) * 3600 * 1000)

typedef struct {
    srv_store *store;
    const srv_notify_means *means;
    int64_t now_ms;
} round_;

typedef struct {
    int64_t id, subject_id;
    char *project, *channel;
    char *subject, *event; /* as in srv_notify_events */
    unsigned attempts;
} outbox_line;

static const model_member line_members[] = {
    MODELS(outbox_line, id, project, channel, subject, subject_id, event, attempts),
};
static const model_noun line_noun = MODEL_NOUN(outbox_line, line_members, "outbox line");

static const model_member reference_members[] = {MODEL_IT(char *, "reference")};
static const model_noun reference_noun = {
    .size = sizeof(char *), .members = reference_members, .count = 1, .name = "message"};

/* What the rules of a project make of an event; borrowed. */
typedef struct {
    const cfg_notify *rule; /* the one that wants it, or the last that did not */
    const char *why_not;    /* NULL: it is wanted */
} answer;

/* Another rule of the project with the same channel may want what this one does not. */
static bool wanted(const round_ *r, const cfg_project *project, const char *channel,
                   const char *event, int64_t id, answer *out, GError **error) {
    for (unsigned i = 0; i < project->notify_count; i++) {
        g_autofree char *other = srv_notify_channel(&project->notify[i]);
        if (!g_str_equal(other, channel))
            continue;
        out->rule = &project->notify[i];
        if (!srv_notify_judge(r->store, out->rule, event, id, r->now_ms, &out->why_not, error))
            return false;
        if (!out->why_not)
            return true;
    }
    return true;
}

static bool enroll_event(const round_ *r, const cfg_project *project, const char *channel,
                         const srv_notify_event *what, GError **error) {
    g_autoptr(GArray) ids =
        srv__ids(r->store, what->fresh, SRV__ARGS(project->name, channel, what->event), error);
    for (guint i = 0; ids && i < ids->len; i++) {
        answer rules = {.why_not = NULL};
        const int64_t id = g_array_index(ids, int64_t, i);
        if (!wanted(r, project, channel, what->event, id, &rules, error))
            return false;
        if (!srv__run(r->store,
                      ASK(outbox_add, project->name, channel, what->subject, id, what->event,
                          rules.why_not ? "skipped" : "waiting", r->now_ms,
                          srv_notify_when(rules.rule, r->now_ms), rules.why_not),
                      error))
            return false;
    }
    return ids != NULL;
}

static bool enroll_rule(const round_ *r, const cfg_project *project, const cfg_notify *rule,
                        GError **error) {
    g_autofree char *channel = srv_notify_channel(rule);
    bool good = srv__run(r->store, ASK(outbox_open, project->name, channel, r->now_ms), error);
    for (const srv_notify_event *what = srv_notify_events; good && what->event; what++)
        good = !what->fresh || !srv_notify_tells(project, rule, what) ||
               enroll_event(r, project, channel, what, error);
    return good;
}

/* What ended before it was told becomes "over", and what was told of a night waits again where that
 * is no longer so. */
static bool lines_end(const round_ *r, GError **error) {
    return srv__run(r->store, ASK(outbox_alerts_over, r->now_ms), error) &&
           srv__run(r->store, ASK(outbox_incidents_over, r->now_ms), error) &&
           srv__run(r->store, ASK(outbox_counted_over, r->now_ms), error) &&
           srv__run(r->store, ASK(outbox_pulls_over, r->now_ms), error) &&
           srv__run(r->store, ASK(outbox_nights_again, r->now_ms, r->now_ms - KEEP_MS), error) &&
           srv__run(r->store, ASK(outbox_dead, r->now_ms, r->now_ms - KEEP_MS), error);
}

static bool enroll(const round_ *r, GError **error) {
    for (guint p = 0; p < r->means->projects->len; p++) {
        const cfg_project *project = r->means->projects->pdata[p];
        for (unsigned i = 0; i < project->notify_count; i++)
            if (!enroll_rule(r, project, &project->notify[i], error))
                return false;
    }
    return lines_end(r, error);
}

static const cfg_project *project_of(const round_ *r, const outbox_line *line) {
    for (guint p = 0; p < r->means->projects->len; p++) {
        const cfg_project *project = r->means->projects->pdata[p];
        if (g_str_equal(project->name, line->project))
            return project;
    }
    return NULL;
}

static const cfg_notify *rule_of(const round_ *r, const outbox_line *line) {
    const cfg_project *project = project_of(r, line);
    for (unsigned i = 0; project && i < project->notify_count; i++) {
        g_autofree char *channel = srv_notify_channel(&project->notify[i]);
        if (g_str_equal(channel, line->channel) &&
            project->notify[i].incidents ==
                (srv_notify_event_of(line->event)->as == SRV_TOLD_INCIDENT))
            return &project->notify[i];
    }
    return NULL;
}

static GBytes *chart_of(const round_ *r, const srv_message *d) {
    const cfg_alert *alert = d->alerts->items;
    const web_chart_options options = {.nights = CHART_NIGHTS, .title = d->project};
    g_autoptr(web_history) nights = srv_history_read(
        r->store, d->project, alert ? cfg_alert_end(alert)->night : NULL, NULL, CHART_NIGHTS, NULL);
    return nights ? web_chart_render_history(nights, &options, WEB_CHART_PNG, NULL) : NULL;
}

/* What came of a message; borrowed. */
typedef struct {
    const srv_sent *sent;
    const char *reference;
} outcome;

/* reference: what the receiver called it; note: why it ended so. Both may be NULL. */
static bool close_line(const round_ *r, const outbox_line *line, const char *state,
                       const char *reference, const char *note, GError **error) {
    return srv__run(r->store, ASK(outbox_close, line->id, state, reference, note, r->now_ms),
                    error);
}

/* A first message that said it needs no second one for that. */
static bool note_told(const round_ *r, const outbox_line *line, const cfg_notify *rule,
                      const char *event, bool known, GError **error) {
    if (!g_str_equal(line->event, "raised") || !known || !srv_notify_has_room(rule, event))
        return true;
    return srv__run(r->store,
                    ASK(outbox_add, line->project, line->channel, line->subject, line->subject_id,
                        event, "sent", r->now_ms, r->now_ms, "the first message contained it"),
                    error);
}

/* What becomes of the lines of one message. */
static bool record_lines(const round_ *r, const GPtrArray *group, const srv_message *d,
                         const outcome *out, GError **error) {
    const srv_sent *sent = out->sent;
    for (guint i = 0; i < group->len; i++) {
        const outbox_line *line = group->pdata[i];
        const cfg_alert *alert = i < d->alerts->count ? (cfg_alert *)d->alerts->items + i : NULL;
        const cfg_explanation *why = alert ? alert->explanation : NULL;
        const cfg_search *search = alert ? alert->search : NULL;
        const int64_t again =
            r->now_ms + MAX(srv_notify_backoff(line->attempts + 1), sent->retry_after_ms);
        const bool good =
            sent->delivered ? close_line(r, line, "sent", out->reference, NULL, error) &&
                                  note_told(r, line, d->rule, "explained",
                                            why && cfg_is(why->state, "done"), error) &&
                                  note_told(r, line, d->rule, "found",
                                            search && cfg_is(search->state, "found"), error)
            : sent->refused
                ? close_line(r, line, "dead", NULL, sent->problem, error)
                : srv__run(r->store, ASK(outbox_note, line->id, sent->problem, again), error);
        if (!good)
            return false;
    }
    return true;
}

/* All of them or none: of lines that were told together, the rest would be told again by themselves
 * and under another name. */
static bool record(const round_ *r, const GPtrArray *group, const srv_message *d,
                   const outcome *out, GError **error) {
    return srv__begin(r->store, error) &&
           srv__end(r->store, record_lines(r, group, d, out, error), error);
}

static void tell_log(const srv_message *d, const srv_sent *sent) {
    if (sent->delivered)
        cfg_log("info", "notify", "sent", "project=%s channel=%s event=%s delivery=%s", d->project,
                d->channel, d->event, d->delivery);
    else
        cfg_log("warning", "notify", sent->refused ? "given_up" : "failed",
                "project=%s channel=%s delivery=%s problem=%s", d->project, d->channel, d->delivery,
                sent->problem);
}

/* What the receiver called what this answers or changes; owned, NULL: nothing. Of a pull request
 * that is what was written last about it, or about any commit of the same number where the receiver
 * has a place for each number; made: out, how many different ones there were; of a night how many
 * other results of its commit were told that could be compared. */
static char *told_before(const round_ *r, const cfg_notify *rule, const outbox_line *line,
                         unsigned *made) {
    char *reference = NULL;
    const bool of_number = rule->via != CFG_NOTIFY_GITHUB_CHECK;
    const srv_notify_event *what = srv_notify_event_of(line->event);
    *made = 0;
    if (what->as == SRV_TOLD_NIGHT) {
        int64_t told;
        if (srv__number(r->store, ASK(outbox_commit_told, line->id), 0, &told, NULL))
            *made = (unsigned)told;
        return NULL;
    }
    if (what->as != SRV_TOLD_PULL)
        return what->answers && srv__text(r->store,
                                          ASK(outbox_reference, line->project, line->channel,
                                              line->subject, line->subject_id),
                                          &reference, NULL)
                   ? reference
                   : NULL;
    g_auto(model_list) references = {0};
    if (!srv__many(
            r->store,
            ASK(outbox_pull_reference, line->project, line->channel, line->subject_id, of_number),
            &reference_noun, &references, NULL) ||
        references.count == 0)
        return NULL;
    *made = references.count;
    return g_strdup(*(char **)references.items);
}

/* A night is told alone, with whose its changes are; of several results of its commit that is the
 * one that counts. */
static bool item_read(const round_ *r, const outbox_line *line, json_t *items, model_list *alerts,
                      cfg_night *night, GError **error) {
    const srv_notify_told as = srv_notify_event_of(line->event)->as;
    int64_t result;
    if (as == SRV_TOLD_NIGHT)
        return srv__number(r->store, ASK(night_result, line->subject_id), line->subject_id, &result,
                           error) &&
               srv_experiment_read(r->store, result, night, error) &&
               srv__blame_add(r->store, night, error);
    json_t *item = as == SRV_TOLD_PULL
                       ? srv_view_pull(r->store, line->subject_id, error)
                       : srv_notify_alert_of(r->store, line->event, line->subject_id,
                                             model_list_add(alerts), error);
    return item && json_array_append_new(items, item) == 0;
}

/* The same for every attempt. What a search says may be said again by the next one, and an alert
 * may end again: those are other messages. Owned. */
static char *delivery_of(const outbox_line *line) {
    g_autofree char *number = srv_notify_event_of(line->event)->answers
                                  ? g_strdup_printf(".%" G_GINT64_FORMAT, line->id)
                                  : g_strdup("");
    return g_strdup_printf("%s.%s.%s.%" G_GINT64_FORMAT ".%s%s", line->project, line->channel,
                           line->subject, line->subject_id, line->event, number);
}

/* One message for a group of lines of one channel and event. */
static bool send_group(const round_ *r, const cfg_notify *rule, const GPtrArray *group,
                       bool *delivered, GError **error) {
    const outbox_line *first = group->pdata[0];
    g_auto(cfg_night) night = {0};
    json_auto_t *items = json_array();
    g_auto(model_list) alerts = {.noun = &cfg_alert_model};
    for (guint i = 0; i < group->len; i++) {
        const outbox_line *line = group->pdata[i];
        if (!item_read(r, line, items, &alerts, &night, error) ||
            !srv__run(r->store,
                      ASK(outbox_try, line->id, r->now_ms + srv_notify_backoff(line->attempts + 1)),
                      error))
            return false;
    }
    g_autofree char *delivery = delivery_of(first);
    unsigned made = 0;
    g_autofree char *before = told_before(r, rule, first, &made);
    srv_message d = {.stop = {r->means->stop, r->means->user},
                     .server = r->means->server,
                     .rule = rule,
                     .configured = project_of(r, first),
                     .project = first->project,
                     .channel = first->channel,
                     .event = first->event,
                     .alerts = &alerts,
                     .items = items,
                     .night = &night,
                     .delivery = delivery,
                     .first = before,
                     .made = made,
                     .attempts = first->attempts,
                     .tokens = r->means->tokens,
                     .now_ms = r->now_ms};
    if (rule->via == CFG_NOTIFY_MAIL)
        d.chart = chart_of(r, &d);
    g_auto(srv_sent) sent = {0};
    g_autofree char *reference = NULL;
    srv_deliver(&d, &sent, &reference);
    tell_log(&d, &sent);
    *delivered = sent.delivered || sent.refused;
    const outcome came = {&sent, reference};
    const bool good = record(r, group, &d, &came, error);
    g_clear_pointer(&d.chart, g_bytes_unref);
    return good;
}

/* May this line go into the message begun with first? */
static bool joins(const cfg_notify *rule, const outbox_line *first, const outbox_line *line) {
    return srv_notify_is_letter(rule) && g_str_equal(first->project, line->project) &&
           g_str_equal(first->channel, line->channel) && g_str_equal(first->event, line->event) &&
           /* an answer belongs into the thread of its own alert */
           (g_str_equal(first->event, "raised") || g_str_equal(first->event, "opened")) &&
           first->attempts == line->attempts;
}

/* It failed a moment ago: what else waits for it waits a minute more. */
static bool put_off(const round_ *r, const GPtrArray *group, GError **error) {
    bool good = true;
    for (guint i = 0; good && i < group->len; i++)
        good = srv__run(r->store,
                        ASK(outbox_note, ((const outbox_line *)group->pdata[i])->id,
                            "its channel just failed", r->now_ms + srv_notify_backoff(1)),
                        error);
    return good;
}

static bool send_due(const round_ *r, GError **error) {
    g_auto(model_list) due = {0};
    if (!srv__many(r->store, ASK(outbox_due, r->now_ms, r->now_ms + WAIT_MOST_MS), &line_noun, &due,
                   error))
        return false;
    outbox_line *lines = due.items;
    g_autoptr(GHashTable) silent = g_hash_table_new(g_str_hash, g_str_equal);
    for (unsigned i = 0; i < due.count;) {
        const outbox_line *first = &lines[i];
        const cfg_notify *rule = rule_of(r, first);
        g_autoptr(GPtrArray) group = g_ptr_array_new();
        g_ptr_array_add(group, &lines[i++]);
        while (rule && i < due.count && group->len < GROUP_MAX && joins(rule, first, &lines[i]))
            g_ptr_array_add(group, &lines[i++]);
        if (r->means->stop && r->means->stop(r->means->user))
            return true;
        bool delivered = true, good;
        if (!rule)
            good = close_line(r, first, "over", NULL, "the project no longer has this rule", error);
        else if (g_hash_table_contains(silent, first->channel))
            good = put_off(r, group, error);
        else
            good = send_group(r, rule, group, &delivered, error);
        if (!good)
            return false;
        if (!delivered)
            g_hash_table_add(silent, first->channel);
    }
    return true;
}

bool srv_notify_round(srv_store *store, const srv_notify_means *means, int64_t now_ms,
                      int64_t *next_ms, GError **error) {
    const round_ r = {store, means, now_ms};
    return enroll(&r, error) && send_due(&r, error) &&
           srv__number(store, ASK(outbox_next), INT64_MAX, next_ms, error);
}
