#include "server/notify/notify_rule.h"

#include "config/model/alert.h"
#include "config/number.h"
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"
#include "server/views/views_parts.h"
#include "sql/outbox.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

/* What a later night or a search showed is told as if this night had: for whoever is told of the
 * commit it is the same. */
static void portion_reveal(cfg_portion *portion, const cfg_change *changed) {
    const char *told = changed->sentence ? changed->sentence : changed->reason;
    g_free(portion->verdict);
    g_free(portion->rule);
    g_free(portion->direction);
    g_free(portion->reason);
    portion->verdict = g_strdup(det_verdict_text(DET_VERDICT_ANOMALY));
    portion->rule = g_strdup(det_rule_text(DET_RULE_WINDOW));
    portion->direction = g_strdup(changed->direction);
    portion->reason = portion->lost ? web_lost_reason(told, portion->lost) : g_strdup(told);
    portion->reference = changed->before;
    portion->difference = changed->difference;
}

/* Of its time alone: what another dimension did has other numbers. */
static const cfg_change *change_of(const cfg_alert *alert, const cfg_portion *portion) {
    for (unsigned k = 0; k < alert->portions_count; k++)
        if (cfg_is(alert->portions[k].configuration, portion->configuration) &&
            (!alert->portions[k].dimension || cfg_is(alert->portions[k].dimension, "time")))
            return &alert->portions[k];
    return NULL;
}

/* May what got worse be this commit's, though its own night did not show it? */
static bool may_be(const cfg_portion *portion, const cfg_change *changed) {
    return (cfg_is(portion->verdict, "ok") || cfg_is(portion->verdict, "cleared")) &&
           cfg_is_worse(changed->direction, portion->better);
}

/* Returns whether it is the night's own commit that is known to have done it, which no other alert
 * takes back. */
static bool portion_blame(const cfg_night *night, cfg_portion *portion, const cfg_alert *alert) {
    const cfg_change *changed = change_of(alert, portion);
    if (!changed || cfg_is(alert->state, "false"))
        return false;
    const bool asked = cfg_alert_is_searched(alert, changed);
    const int64_t commits = asked ? cfg_alert_left(alert) : cfg_alert_commits(alert);
    const cfg_commit *found = asked ? cfg_alert_culprit(alert) : NULL;
    const cfg_commit *culprit =
        found || commits > 1 || alert->slow || cfg_alert_of_one_commit(alert)
            ? found
            : &cfg_alert_end(alert)->commit;
    const char *sha = night->commit.sha;
    const bool own = (culprit && cfg_is(culprit->sha, sha)) ||
                     (asked && !alert->slow && cfg_alert_is_named(alert, sha));
    const bool part = alert->search && alert->search->partly; /* the rest is of others */
    const bool early = cfg_alert_order(night, &alert->to) < 0;
    const bool late = cfg_alert_order(night, cfg_alert_end(alert)) > 0; /* it was there */
    cfg_change alone = {0};
    const bool known = own && web_alert_brought(alert, changed, sha, &alone);
    if (cfg_is(portion->later, changed->direction) || (own && may_be(portion, changed)))
        portion_reveal(portion, known ? &alone : changed);
    g_free(known ? alone.sentence : NULL);
    const bool shows = (own || !early) && cfg_is(portion->direction, changed->direction);
    const bool acquitted = asked && cfg_alert_acquits(alert, sha);
    const bool unknown =
        !own && !late && !acquitted && (alert->slow || ((!culprit || part) && commits > 1));
    if (!shows && (!unknown || alert->moved || !may_be(portion, changed)))
        return false;
    g_clear_pointer(&portion->culprit, g_free);
    portion->slow = alert->slow;
    portion->among = unknown ? commits : 0;
    if (!own && !unknown)
        portion->culprit = g_strdup(culprit                            ? culprit->shortened
                                    : cfg_alert_was_before(alert, sha) ? "it was measured again"
                                    : late                             ? alert->to.night
                                                                       : "another commit");
    return own;
}

bool srv__blame_add(srv_store *store, cfg_night *night, GError **error) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        g_autoptr(GArray) ids =
            srv__ids(store, ASK(night_alerts, night->experiment, portion->configuration), error);
        g_auto(model_list) alerts = {0};
        if (!ids || !srv__alerts_read(store, ids, &alerts, error))
            return false;
        const cfg_alert *alert = alerts.items;
        for (unsigned k = 0; k < alerts.count && !portion_blame(night, portion, &alert[k]); k++)
            ;
    }
    return true;
}

#define MINUTE_MS INT64_C(60000)
#define DAY_MS (24 * 60 * MINUTE_MS)
#define BACKOFF_FIRST_MS MINUTE_MS
#define BACKOFF_MOST_MS (60 * MINUTE_MS)

static const char *via_text(cfg_notify_via via) {
    static const char *const texts[] = {CFG_VIAS(CFG_WORD)};
    return texts[via];
}

/* Of every measured night, not of changes. */
static bool tells_nights(const cfg_notify *rule) {
    return rule->via == CFG_NOTIFY_GITHUB_STATUS || rule->via == CFG_NOTIFY_GITHUB_CHECK ||
           rule->via == CFG_NOTIFY_GITHUB_COMMENT;
}

bool srv_notify_tells_pulls(const cfg_notify *rule) {
    return tells_nights(rule) || rule->via == CFG_NOTIFY_GITLAB_STATUS ||
           rule->via == CFG_NOTIFY_GITLAB_COMMENT;
}

bool srv_notify_is_letter(const cfg_notify *rule) {
    return rule->via == CFG_NOTIFY_MAIL || rule->via == CFG_NOTIFY_SLACK ||
           rule->via == CFG_NOTIFY_WEBHOOK;
}

const srv_notify_event srv_notify_events[] = {
    {"held", "pull_request", SRV_TOLD_PULL, .fresh = SQL(fresh_held)},
    {"asked", "pull_request", SRV_TOLD_PULL, .fresh = SQL(fresh_asked)},
    {"begun", "pull_request", SRV_TOLD_PULL, .fresh = SQL(fresh_begun)},
    {"answered", "pull_request", SRV_TOLD_PULL, .fresh = SQL(fresh_answered)},
    {"measured", "night", SRV_TOLD_NIGHT, .fresh = SQL(fresh_measured)},
    {"searched", "night", SRV_TOLD_NIGHT, .fresh = SQL(fresh_searched)},
    {"counted", "night", SRV_TOLD_ALERT, .fresh = SQL(fresh_counted)},
    {"opened", "incident", SRV_TOLD_INCIDENT, .fresh = SQL(fresh_opened)},
    {"over", "incident", SRV_TOLD_INCIDENT, SQL(fresh_over), .answers = true},
    {"raised", "alert", SRV_TOLD_ALERT, .fresh = SQL(fresh_raised)},
    {"found", "alert", SRV_TOLD_ALERT, SQL(fresh_found), .answers = true, .of_search = true},
    {"explained", "alert", SRV_TOLD_ALERT, SQL(fresh_explained), .answers = true,
     .of_search = true},
    {"ended", "alert", SRV_TOLD_ALERT, SQL(fresh_ended), .answers = true},
    {"limited", "night", SRV_TOLD_ALERT, .fresh = SQL(fresh_limited)},
    {"corrected", "alert", .answers = true, .of_search = true},
    {"reopened", "alert", .answers = true}, /* an issue that was closed */
    {0}};

const srv_notify_event *srv_notify_event_of(const char *event) {
    const srv_notify_event *row = srv_notify_events;
    while (row->event && !g_str_equal(row->event, event))
        row++;
    return row;
}

bool srv_notify_has_room(const cfg_notify *rule, const char *event) {
    return !rule->text || (!g_str_equal(event, "explained") && !g_str_equal(event, "found")) ||
           strstr(rule->text, g_str_equal(event, "found") ? "{commit}" : "{where}");
}

bool srv_notify_tells(const cfg_project *project, const cfg_notify *rule,
                      const srv_notify_event *what) {
    const bool of_pulls = srv_notify_tells_pulls(rule);
    if (what->as == SRV_TOLD_PULL)
        return of_pulls;
    if (g_str_equal(what->event, "counted"))
        return project->detection.tell_counts && !rule->incidents && srv_notify_is_letter(rule);
    if (g_str_equal(what->event, "limited"))
        return project->detection.limits_count > 0 && !rule->incidents &&
               srv_notify_is_letter(rule);
    if (what->as == SRV_TOLD_NIGHT)
        return tells_nights(rule);
    return !of_pulls && rule->incidents == (what->as == SRV_TOLD_INCIDENT);
}

char *srv_notify_channel(const cfg_notify *rule) {
    g_autoptr(GString) where = g_string_new(via_text(rule->via));
    const char *const parts[] = {rule->url, rule->url_file, rule->repository};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        g_string_append_printf(where, "\n%s", parts[i] ? parts[i] : "");
    for (unsigned i = 0; i < rule->to_count; i++)
        g_string_append_printf(where, "\n%s", rule->to[i]);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, where->str, -1);
    return g_strdup_printf("%s-%.16s", via_text(rule->via), hash);
}

char *srv_notify_shown(const cfg_notify *rule) {
    g_autofree char *to = rule->to ? g_strjoinv(", ", rule->to) : NULL;
    g_autoptr(GUri) uri = rule->url ? g_uri_parse(rule->url, G_URI_FLAGS_NONE, NULL) : NULL;
    const char *where = to               ? to
                        : rule->url_file ? rule->url_file
                        : uri            ? g_uri_get_host(uri)
                                         : rule->repository;
    return g_strdup_printf("%s %s%s", via_text(rule->via), where ? where : "",
                           rule->incidents ? " (incidents)" : "");
}

static bool is_recent(const cfg_notify *rule, int64_t commit_ms, int64_t now_ms) {
    return commit_ms >= now_ms - (int64_t)rule->max_age_days * DAY_MS;
}

static bool portion_wanted(const cfg_notify *rule, const char *portion) {
    for (unsigned i = 0; i < rule->portions_count; i++)
        if (g_strcmp0(rule->portions[i], portion) == 0)
            return true;
    return rule->portions_count == 0;
}

static const char *portion_refused(const cfg_notify *rule, const cfg_change *change) {
    const bool up = cfg_is_worse(change->direction, change->better);
    if (!portion_wanted(rule, change->portion))
        return "the rule does not cover this portion";
    if (rule->direction != 0 && up != (rule->direction > 0))
        return "the rule does not cover this direction";
    if (fabs(change->percent) < rule->minimum_percent)
        return "the change is smaller than the rule's minimum_percent";
    return NULL;
}

/* Why a rule does not tell of an incident, NULL when it does. */
static const char *wants_incident(const cfg_notify *rule, const cfg_alert *incident,
                                  int64_t now_ms) {
    if (!rule->incidents)
        return "the rule reports changes, not incidents";
    return is_recent(rule, incident->to.commit.time_ms, now_ms)
               ? NULL
               : "the commit is older than the rule's max_age_days";
}

/* Likewise of an alert. */
static const char *wants(const cfg_notify *rule, const cfg_alert *alert, int64_t now_ms) {
    const char *why_not = portion_refused(rule, &alert->change);
    /* One portion that is asked for is enough. */
    for (unsigned i = 0; why_not && i < alert->portions_count; i++)
        if (!portion_refused(rule, &alert->portions[i]))
            why_not = NULL;
    if (rule->incidents)
        return "the rule reports incidents, not changes";
    if (!why_not && !is_recent(rule, alert->to.commit.time_ms, now_ms))
        return "the commit is older than the rule's max_age_days";
    return why_not;
}

json_t *srv_notify_alert_of(srv_store *store, const char *event, int64_t id, cfg_alert *out,
                            GError **error) {
    const bool counted = g_str_equal(event, "counted"), limited = g_str_equal(event, "limited");
    if (srv_notify_event_of(event)->as != SRV_TOLD_INCIDENT && !counted && !limited)
        return srv__alert_read(store, id, out, error) ? cfg_alert_json(out) : NULL;
    json_t *json = limited   ? srv_view_limited(store, id, error)
                   : counted ? srv_view_counted(store, id, error)
                             : srv_view_incident(store, id, error);
    if (json)
        *out = cfg_alert_of(json);
    return json;
}

bool srv_notify_judge(srv_store *store, const cfg_notify *rule, const char *event, int64_t id,
                      int64_t now_ms, const char **why_not, GError **error) {
    const srv_notify_event *what = srv_notify_event_of(event);
    *why_not = NULL;
    if (what->answers) { /* whoever was told of the beginning is told of the rest */
        if (!srv_notify_has_room(rule, event))
            *why_not = "the rule's text has no {where} or {commit} for it";
        return true;
    }
    if (what->as == SRV_TOLD_PULL)
        return true; /* somebody waits for it */
    if (what->as == SRV_TOLD_NIGHT) {
        g_auto(cfg_night) night = {0};
        if (!srv__night_read(store, id, &night, error))
            return false;
        if (!is_recent(rule, night.commit.time_ms, now_ms))
            *why_not = "the commit is older than the rule's max_age_days";
        return true;
    }
    g_auto(cfg_alert) alert = {0};
    json_auto_t *json = srv_notify_alert_of(store, event, id, &alert, error);
    if (json && g_str_equal(event, "limited") && alert.portions_count == 0)
        *why_not = "no limit changed its state since the night before";
    else if (json)
        *why_not = g_str_equal(event, "opened") ? wants_incident(rule, &alert, now_ms)
                                                : wants(rule, &alert, now_ms);
    return json != NULL;
}

/* The next moment of the day at or after a time. */
static int64_t next_at(int64_t time_ms, int64_t of_day_ms) {
    const int64_t day = time_ms - time_ms % DAY_MS;
    return day + of_day_ms + (day + of_day_ms < time_ms ? DAY_MS : 0);
}

int64_t srv_notify_when(const cfg_notify *rule, int64_t now_ms) {
    int64_t when = rule->digest_at
                       ? next_at(now_ms, MINUTE_MS * cfg_clock_read(rule->digest_at, '\0'))
                       : now_ms;
    if (!rule->quiet_hours)
        return when;
    const int64_t from = MINUTE_MS * cfg_clock_read(rule->quiet_hours, '-'),
                  to = MINUTE_MS * cfg_clock_read(rule->quiet_hours + 6, '\0');
    const int64_t at = when % DAY_MS;
    const bool quiet = from < to ? at >= from && at < to : at >= from || at < to;
    return quiet ? next_at(when, to) : when;
}

int64_t srv_notify_backoff(unsigned attempts) {
    return attempts >= 7 ? BACKOFF_MOST_MS : BACKOFF_FIRST_MS << (attempts > 0 ? attempts - 1 : 0);
}
