#include "server/notify/notify_rule.h"

#include "config/model/alert.h"
#include "server/store/store_sql.h"
#include "server/views/views_parts.h"
#include "sql/outbox.h"

#include <math.h>
#include <string.h>

static void portion_blame(cfg_night *night, const cfg_change *changed, const cfg_alert *alert) {
    const cfg_commit *culprit = cfg_alert_culprit(alert);
    const int64_t commits = cfg_alert_commits(alert);
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        if (!cfg_is(portion->configuration, changed->configuration) ||
            !cfg_is(portion->direction, changed->direction))
            continue;
        if (!culprit && commits > 1)
            portion->among = commits;
        else if (culprit && !cfg_is(culprit->sha, night->commit.sha)) {
            g_free(portion->culprit);
            portion->culprit = g_strdup(culprit->shortened);
        }
    }
}

bool srv__blame_add(srv_store *store, cfg_night *night, GError **error) {
    g_autoptr(GArray) ids = srv__ids(store, ASK(night_alerts, night->experiment), error);
    g_auto(model_list) alerts = {0};
    const bool good = ids && srv__alerts_read(store, ids, &alerts, error);
    const cfg_alert *alert = alerts.items;
    for (unsigned i = 0; i < alerts.count; i++, alert++)
        for (unsigned k = 0; k < alert->portions_count; k++)
            portion_blame(night, &alert->portions[k], alert);
    return good;
}

#define MINUTE_MS INT64_C(60000)
#define DAY_MS (24 * 60 * MINUTE_MS)
#define BACKOFF_FIRST_MS MINUTE_MS
#define BACKOFF_MOST_MS (60 * MINUTE_MS)

static const char *via_text(cfg_notify_via via) {
    static const char *const texts[] = {CFG_VIAS(CFG_WORD)};
    return texts[via];
}

bool srv_notify_tells_nights(const cfg_notify *rule) {
    return rule->via == CFG_NOTIFY_GITHUB_STATUS || rule->via == CFG_NOTIFY_GITHUB_CHECK ||
           rule->via == CFG_NOTIFY_GITHUB_COMMENT;
}

bool srv_notify_tells_pulls(const cfg_notify *rule) {
    return srv_notify_tells_nights(rule) || rule->via == CFG_NOTIFY_GITLAB_STATUS ||
           rule->via == CFG_NOTIFY_GITLAB_COMMENT;
}

bool srv_notify_is_letter(const cfg_notify *rule) {
    return rule->via == CFG_NOTIFY_MAIL || rule->via == CFG_NOTIFY_SLACK ||
           rule->via == CFG_NOTIFY_WEBHOOK;
}

bool srv_notify_is_of_pull(const char *event) {
    return g_str_equal(event, "held") || g_str_equal(event, "asked") ||
           g_str_equal(event, "begun") || g_str_equal(event, "answered");
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

bool srv_notify_recent(const cfg_notify *rule, int64_t commit_ms, int64_t now_ms) {
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

const char *srv_notify_wants_incident(const cfg_notify *rule, const cfg_alert *incident,
                                      int64_t now_ms) {
    if (!rule->incidents)
        return "the rule reports changes, not incidents";
    return srv_notify_recent(rule, incident->to.commit.time_ms, now_ms)
               ? NULL
               : "the commit is older than the rule's max_age_days";
}

const char *srv_notify_wants(const cfg_notify *rule, const cfg_alert *alert, int64_t now_ms) {
    const char *why_not = portion_refused(rule, &alert->change);
    /* One portion that is asked for is enough. */
    for (unsigned i = 0; why_not && i < alert->portions_count; i++)
        if (!portion_refused(rule, &alert->portions[i]))
            why_not = NULL;
    if (rule->incidents)
        return "the rule reports incidents, not changes";
    if (!why_not && !srv_notify_recent(rule, alert->to.commit.time_ms, now_ms))
        return "the commit is older than the rule's max_age_days";
    return why_not;
}

/* "HH:MM" to ms of the day. */
static int64_t clock_ms(const char *text) {
    return ((text[0] - '0') * 10 + (text[1] - '0')) * 60 * MINUTE_MS +
           ((text[3] - '0') * 10 + (text[4] - '0')) * MINUTE_MS;
}

/* The next moment of the day at or after a time. */
static int64_t next_at(int64_t time_ms, int64_t of_day_ms) {
    const int64_t day = time_ms - time_ms % DAY_MS;
    return day + of_day_ms + (day + of_day_ms < time_ms ? DAY_MS : 0);
}

int64_t srv_notify_when(const cfg_notify *rule, int64_t now_ms) {
    int64_t when = rule->digest_at ? next_at(now_ms, clock_ms(rule->digest_at)) : now_ms;
    if (!rule->quiet_hours)
        return when;
    const int64_t from = clock_ms(rule->quiet_hours), to = clock_ms(rule->quiet_hours + 6);
    const int64_t at = when % DAY_MS;
    const bool quiet = from < to ? at >= from && at < to : at >= from || at < to;
    return quiet ? next_at(when, to) : when;
}

int64_t srv_notify_backoff(unsigned attempts) {
    return attempts >= 7 ? BACKOFF_MOST_MS : BACKOFF_FIRST_MS << (attempts > 0 ? attempts - 1 : 0);
}
