/* An alert with all that is kept of it, read for many alerts at once: a page of a hundred takes
 * some thirty statements. With PostgreSQL each is a round trip. */
#include "sql/views_alert.h"
#include "server/alarm/series_alerts.h"
#include "server/ground/clock.h"
#include "server/store/projects.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "web/words/words.h"

/* What a part is a part of. */
typedef enum { OF_ALERT, OF_SEARCH, OF_EXPLANATION, OF_ALLOCATIONS } owner_kind;

/* Its rows are asked for of the alerts that have the owner, which stands before it. */
typedef struct {
    const srv_sql *sql;
    const char *name; /* of the member; NULL: the alert itself */
    owner_kind of;
} alert_part;

static const alert_part parts[] = {{SQL(alert_head), NULL, OF_ALERT},
                                   {SQL(alert_from), "from", OF_ALERT},
                                   {SQL(alert_to), "to", OF_ALERT},
                                   {SQL(alert_until), "until", OF_ALERT},
                                   {SQL(alert_audit), "audit", OF_ALERT},
                                   {SQL(alert_portions), "portions", OF_ALERT},
                                   {SQL(alert_branches), "branches", OF_ALERT},
                                   {SQL(alert_counted), "counts", OF_ALERT},
                                   {SQL(alert_names), "names", OF_ALERT},
                                   {SQL(alert_levels_before), "levels_before", OF_ALERT},
                                   {SQL(alert_counts_before), "levels_before", OF_ALERT},
                                   {SQL(alert_search), "bisection", OF_ALERT},
                                   {SQL(alert_steps), "steps", OF_SEARCH},
                                   {SQL(alert_suspects), "suspects", OF_SEARCH},
                                   {SQL(alert_acquitted), "acquitted", OF_SEARCH}};

/* Where its change is. */
static const alert_part why_parts[] = {{SQL(alert_why), "explanation", OF_ALERT},
                                       {SQL(alert_where), "portions", OF_EXPLANATION},
                                       {SQL(alert_profiles), "profiles", OF_EXPLANATION},
                                       {SQL(alert_bytes), "portions", OF_ALLOCATIONS},
                                       {SQL(alert_bytes_of), "profiles", OF_ALLOCATIONS}};

/* NULL: the alert has none. */
static void *owner_of(cfg_alert *alert, owner_kind of) {
    switch (of) {
    case OF_SEARCH:
        return alert->search;
    case OF_EXPLANATION:
        return alert->explanation;
    case OF_ALLOCATIONS:
        return alert->explanation ? alert->explanation->allocations : NULL;
    default:
        return alert;
    }
}

static const model_noun *noun_of(owner_kind of) {
    switch (of) {
    case OF_SEARCH:
        return model_noun_of(&cfg_alert_model, "bisection");
    case OF_EXPLANATION:
        return model_noun_of(&cfg_alert_model, "explanation");
    case OF_ALLOCATIONS:
        return model_noun_of(noun_of(OF_EXPLANATION), "allocations");
    default:
        return &cfg_alert_model;
    }
}

typedef struct {
    const alert_part *part;
    cfg_alert *alerts;
    const GArray *ids; /* [int64_t], of these alerts */
} part_reader;

/* Where a row goes; NULL: nobody asked for its alert. */
static void *place(void *user, int64_t owner) {
    const part_reader *reader = user;
    const alert_part *part = reader->part;
    const guint i = srv__ids_place(reader->ids, owner);
    if (i == reader->ids->len)
        return NULL;
    cfg_alert *alert = &reader->alerts[i];
    return part->name ? model_add(noun_of(part->of), owner_of(alert, part->of), part->name) : alert;
}

static bool part_read(srv_store *store, part_reader *reader, GError **error) {
    const alert_part *part = reader->part;
    const model_noun *of = noun_of(part->of);
    g_autoptr(GArray) some = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (guint i = 0; i < reader->ids->len; i++)
        if (owner_of(&reader->alerts[i], part->of))
            g_array_append_val(some, g_array_index(reader->ids, int64_t, i));
    return srv__each_of(store, part->sql, some, part->name ? model_noun_of(of, part->name) : of,
                        place, reader, error);
}

/* When an alert aged after this entry of its history, on which nobody decided: what the detector
 * noted is as old as its night. */
static int64_t aged_ms(const cfg_alert *alert, const cfg_decision *entry) {
    const bool detector = cfg_is(entry->author, SRV__DETECTOR);
    const int64_t since_ms =
        detector ? srv_night_over_ms(alert->seen_night, entry->at_ms) : entry->at_ms;
    return MAX(since_ms + alert->ageing_days * SRV_DAY_MS, entry->at_ms);
}

/* What was done, and where nothing was for so long that the alert aged. */
static void audit_complete(cfg_alert *alert) {
    cfg_decision *told = g_steal_pointer(&alert->audit);
    const unsigned count = alert->audit_count;
    alert->audit_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const int64_t at_ms = aged_ms(alert, &told[i]);
        const bool ended = i + 1 < count ? at_ms < told[i + 1].at_ms : alert->aged;
        const bool ages = alert->ageing_days > 0 && ended && cfg_is(told[i].to, "open");
        *(cfg_decision *)model_add(&cfg_alert_model, alert, "audit") = told[i];
        if (!ages)
            continue;
        cfg_decision *entry = model_add(&cfg_alert_model, alert, "audit");
        *entry =
            (cfg_decision){.at_ms = at_ms,
                           .from = g_strdup("open"),
                           .to = g_strdup("open"),
                           .author = g_strdup("ageing"),
                           .reason = g_strdup_printf("nothing was decided for %" G_GINT64_FORMAT
                                                     " days (detection.ageing_days)",
                                                     alert->ageing_days)};
    }
    g_free(told);
}

/* The commit at a place of the search; NULL: it is not among the suspects. Owned. */
static cfg_commit *commit_at(const cfg_search *search, int64_t place) {
    for (unsigned i = 0; i < search->suspects_count; i++) {
        const cfg_commit *commit = &search->suspects[i].commit;
        if (search->suspects[i].place != place)
            continue;
        cfg_commit *copy = g_new(cfg_commit, 1);
        *copy = (cfg_commit){.sha = g_strdup(commit->sha),
                             .shortened = g_strdup(commit->shortened),
                             .author = g_strdup(commit->author),
                             .subject = g_strdup(commit->subject),
                             .time_ms = commit->time_ms};
        return copy;
    }
    return NULL;
}

/* First and last commit that may have done it, the same one when it was found; and the one before.
 * Until it is found: how many may, where it has left some out. */
static void search_complete(cfg_search *search) {
    const int64_t left = search->high - search->low;
    search->left = left > 1 && left < search->commits ? left : 0;
    const bool found = cfg_is(search->state, "found"), range = cfg_is(search->state, "range");
    if (found)
        search->culprit = commit_at(search, search->high);
    if (found || range) {
        search->before = commit_at(search, search->low);
        search->first = commit_at(search, range ? search->low + 1 : search->high);
        search->last = commit_at(search, search->high);
    }
}

enum { SHORT = 9 /* digits of a commit, as everywhere */ };

/* Did it get better, and loses more? */
static bool loses(const cfg_alert *alert) {
    for (unsigned i = 0; i < alert->portions_count; i++)
        if (alert->portions[i].lost &&
            !cfg_is_worse(alert->portions[i].direction, alert->portions[i].better))
            return true;
    return false;
}

/* What the commit did: a fall that ended another alert is its fix. */
static const char *effect_of(const cfg_alert *alert, const cfg_branch *branch) {
    return branch->fix                                                    ? "fix"
           : loses(alert)                                                 ? "change"
           : !cfg_is_worse(alert->change.direction, alert->change.better) ? "improvement"
                                                                          : "slowdown";
}

/* "1.15.x lacks this fix"; owned. */
static char *sentence_of(const cfg_branch *branch, const char *effect) {
    const char *has = branch->over ? "had" : "has",
               *end = branch->over ? "; it is fixed there" : "";
    if (cfg_is(branch->state, "picked") && branch->commit)
        return g_strdup_printf("%s %s this %s as %.*s%s", branch->branch, has, effect, SHORT,
                               branch->commit, end);
    if (cfg_is(branch->state, "has"))
        return g_strdup_printf("%s %s this %s, too%s", branch->branch, has, effect, end);
    if (cfg_is(branch->state, "lacks"))
        return g_strdup_printf(cfg_is(effect, "slowdown") ? "%s does not have this %s"
                                                          : "%s lacks this %s",
                               branch->branch, effect);
    return g_strdup_printf(
        "Whether %s has this %s is not known: the commit is on no branch any more", branch->branch,
        effect);
}

static bool alert_complete(cfg_alert *alert, int64_t id, GError **error) {
    if (alert->id == 0)
        return SRV__NONE(error, "alert", id);
    audit_complete(alert);
    if (alert->search)
        search_complete(alert->search);
    srv__alert_counted(alert);
    for (unsigned i = 0; i < alert->branches_count; i++)
        alert->branches[i].sentence =
            sentence_of(&alert->branches[i], effect_of(alert, &alert->branches[i]));
    web_alert_say(alert);
    return true;
}

static bool parts_read(srv_store *store, part_reader reader, size_t count, GError **error) {
    bool good = true;
    for (; good && count > 0; reader.part++, count--)
        good = part_read(store, &reader, error);
    return good;
}

/* As many alerts as there are ids. */
static bool alerts_fill(srv_store *store, const GArray *ids, cfg_alert *alerts, GError **error) {
    for (guint i = 0; i < ids->len; i++)
        model_begin(&cfg_alert_model, &alerts[i]);
    bool good =
        parts_read(store, (part_reader){parts, alerts, ids}, G_N_ELEMENTS(parts), error) &&
        parts_read(store, (part_reader){why_parts, alerts, ids}, G_N_ELEMENTS(why_parts), error);
    for (guint i = 0; good && i < ids->len; i++)
        good = srv__alert_threads(store, &alerts[i], error) &&
               alert_complete(&alerts[i], g_array_index(ids, int64_t, i), error);
    return good;
}

bool srv__alerts_read(srv_store *store, const GArray *ids, model_list *alerts, GError **error) {
    *alerts = (model_list){.noun = &cfg_alert_model};
    for (guint i = 0; i < ids->len; i++)
        model_list_add(alerts);
    const bool good = alerts_fill(store, ids, alerts->items, error);
    if (!good)
        model_list_clear(alerts);
    return good;
}

bool srv__alert_read(srv_store *store, int64_t id, cfg_alert *alert, GError **error) {
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof id);
    g_array_append_val(ids, id);
    const bool good = alerts_fill(store, ids, alert, error);
    if (!good)
        cfg_alert_clear(alert);
    return good;
}

bool srv__alert_explained(srv_store *store, int64_t id, cfg_alert *alert, GError **error) {
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof id);
    g_array_append_val(ids, id);
    model_begin(&cfg_alert_model, alert);
    return parts_read(store, (part_reader){why_parts, alert, ids}, G_N_ELEMENTS(why_parts), error);
}

json_t *srv_view_alert(srv_store *store, int64_t id, GError **error) {
    g_auto(cfg_alert) alert = {0};
    return srv__alert_read(store, id, &alert, error) ? cfg_alert_json(&alert) : NULL;
}

json_t *srv_open_changes(srv_store *store, const char *project, GError **error) {
    int64_t id;
    return srv__project_id(store, project, &id, error)
               ? srv__array(store, ASK(open_changes, id), error)
               : NULL;
}

json_t *srv_alerts_across(srv_store *store, int64_t a, int64_t b, GError **error) {
    return srv__array(store, ASK(alerts_across, a, b), error);
}
