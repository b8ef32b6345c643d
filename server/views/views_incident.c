#include <math.h>

#include "server/alarm/bridge.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/incident.h"
#include "web/words/words.h"

/* The night of this key, 0: none; end: out, owned by its incident. */
static bool end_read(srv_store *store, int64_t experiment, cfg_end **end, GError **error) {
    cfg_end read;
    bool there;
    if (experiment == 0)
        return true;
    if (!srv__one(store, ASK(incident_end, experiment), &cfg_end_model, &read, &there, error))
        return false;
    *end = there ? g_memdup2(&read, sizeof read) : NULL;
    return true;
}

static bool audit_read(srv_store *store, cfg_incident *incident, GError **error) {
    model_list audit;
    if (!srv__many(store, ASK(incident_audit, incident->id), &cfg_decision_model, &audit, error))
        return false;
    incident->audit = audit.items;
    incident->audit_count = audit.count;
    return true;
}

/* NOT_FOUND. */
static bool incident_read(srv_store *store, int64_t id, cfg_incident *incident, GError **error) {
    bool there;
    if (!srv__one(store, ASK(incident_row, id), &cfg_incident_model, incident, &there, error))
        return false;
    if ((there || SRV__NONE(error, "incident", id)) && audit_read(store, incident, error) &&
        srv__bridge_read(store, id, &incident->bridge, error) &&
        end_read(store, incident->before, &incident->from, error) &&
        end_read(store, incident->experiment, &incident->to, error) &&
        end_read(store, incident->shown, &incident->seen, error) &&
        end_read(store, incident->after, &incident->over, error)) {
        web_incident_say(incident);
        return true;
    }
    cfg_incident_clear(incident);
    return false;
}

json_t *srv_view_incident(srv_store *store, int64_t id, GError **error) {
    g_auto(cfg_incident) incident = {0};
    return incident_read(store, id, &incident, error)
               ? model_write_as(&cfg_incident_model, &incident, CFG_INCIDENT_ALONE)
               : NULL;
}

/* The control's own says nothing of the others. has: the second of the two has it. */
static void factor_add(det_interval *sum, const cfg_incident *incident, bool has) {
    const det_interval *f = &incident->factor;
    const double low = isfinite(f->low) ? f->low : f->mean,
                 high = isfinite(f->high) ? f->high : f->mean;
    const double known = cfg_is(incident->kind, "scale") ? 1 : NAN;
    sum->low *= known * (has ? low : 1 / high);
    sum->high *= known * (has ? high : 1 / low);
}

bool srv_incidents_across(srv_store *store, int64_t a, int64_t b, web_moved *moved,
                          GError **error) {
    g_auto(model_list) rows = {0};
    if (!srv__many(store, ASK(incidents_across, a, b), &cfg_incident_model, &rows, error))
        return false;
    GString *all = g_string_new(NULL);
    cfg_incident *incident = rows.items;
    moved->factor = (det_interval){.low = 1, .high = 1};
    for (unsigned i = 0; i < rows.count; i++, incident++) {
        web_incident_say(incident);
        factor_add(&moved->factor, incident, incident->shown == b);
        g_string_append_printf(all, "%s%s%s since %s", i == 0 ? "" : ", ",
                               incident->lasts ? "" : "back from ", incident->headline,
                               incident->sentence);
    }
    moved->words = g_string_free(all, rows.count == 0);
    return true;
}

/* In a table of nights there is one sentence for both. */
static void bridge_say(cfg_incident *incident) {
    const char *bridge = incident->bridge ? incident->bridge->sentence : NULL;
    char *both = bridge ? g_strdup_printf("%s; %s", incident->sentence, bridge) : NULL;
    if (both) {
        g_free(incident->sentence);
        incident->sentence = both;
    }
}

/* The night takes it over; of several it has the last. */
static void incident_put(cfg_night *night, cfg_incident *incident) {
    web_incident_say(incident);
    bridge_say(incident);
    if (night->incident)
        cfg_incident_clear(night->incident);
    night->incident = g_renew(cfg_incident, night->incident, 1);
    *night->incident = *incident;
    *incident = (cfg_incident){0};
}

bool srv__incidents_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                             GError **error) {
    g_auto(model_list) rows = {0};
    bool good =
        srv__many(store, ASK(incidents_between, project, nights[count - 1].night, nights[0].night),
                  &cfg_incident_model, &rows, error);
    cfg_incident *incident = rows.items;
    for (unsigned i = 0; good && i < rows.count; i++, incident++) {
        cfg_night *night = srv__night_among(nights, count, incident->experiment);
        good = !night || srv__bridge_read(store, incident->id, &incident->bridge, error);
        if (good && night)
            incident_put(night, incident);
    }
    return good;
}
