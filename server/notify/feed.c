#include "server/notify/feed.h"

#include "server/notify/notify_words.h"
#include "web/layout/text.h"

#include <stdint.h>

#define TEXT_MAX 4000

static void element(GString *to, const char *name, const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_MAX);
    g_autofree char *safe = g_markup_escape_text(clean, -1);
    g_string_append_printf(to, "<%s>%s</%s>\n", name, safe, name);
}

static void link_element(GString *to, const char *relation, const char *address) {
    g_autofree char *safe = g_markup_escape_text(address, -1);
    g_string_append_printf(to, "<link rel=\"%s\" href=\"%s\"/>\n", relation, safe);
}

static void time_element(GString *to, const char *name, int64_t ms) {
    g_autoptr(GDateTime) moment = g_date_time_new_from_unix_utc(ms / 1000);
    g_autofree char *text = moment ? g_date_time_format(moment, "%Y-%m-%dT%H:%M:%SZ") : NULL;
    g_string_append_printf(to, "<%s>%s</%s>\n", name, text ? text : "1970-01-01T00:00:00Z", name);
}

/* When it was raised, or last changed. */
static int64_t updated_ms(const cfg_alert *alert) {
    int64_t latest = alert->raised_ms;
    for (unsigned i = 0; i < alert->audit_count; i++)
        latest = MAX(latest, alert->audit[i].at_ms);
    return latest;
}

static void entry(GString *to, const char *base, cfg_alert *alert) {
    const model_list alone = {&cfg_alert_model, alert, 1};
    const char *state = alert->state ? alert->state : "";
    const gboolean over = !g_str_equal(state, "open") && !g_str_equal(state, "acknowledged");
    const srv_words words = {.base = base,
                             .project = alert->project ? alert->project : "",
                             .event = over ? "ended" : "raised",
                             .alerts = &alone};
    g_autofree char *subject = srv_words_subject(&words);
    g_autofree char *text = srv_words_text(&words);
    g_autofree char *safe = g_markup_escape_text(text, -1);
    g_autofree char *address =
        g_strdup_printf("%s/alerts/%" JSON_INTEGER_FORMAT, base, (json_int_t)alert->id);
    g_string_append(to, "<entry>\n");
    element(to, "id", address);
    element(to, "title", subject);
    time_element(to, "published", alert->raised_ms);
    time_element(to, "updated", updated_ms(alert));
    link_element(to, "alternate", address);
    g_autofree char *term = g_markup_escape_text(state, -1);
    g_string_append_printf(to,
                           "<category term=\"%s\"/>\n<content type=\"text\">%s</content>\n"
                           "</entry>\n",
                           term, safe);
}

char *srv_feed(const char *base, const char *path, const char *title, const model_list *alerts) {
    GString *to = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
    g_autofree char *self = g_strconcat(base, path, NULL);
    g_autofree char *home = g_strconcat(base, "/", NULL);
    int64_t latest = 0;
    cfg_alert *all = alerts->items;
    for (unsigned i = 0; i < alerts->count; i++)
        latest = MAX(latest, updated_ms(&all[i]));
    element(to, "id", self);
    element(to, "title", title);
    g_string_append(to, "<author><name>moowatch</name></author>\n");
    time_element(to, "updated", latest);
    link_element(to, "self", self);
    link_element(to, "alternate", home);
    for (unsigned i = 0; i < alerts->count; i++)
        entry(to, base, &all[i]);
    g_string_append(to, "</feed>\n");
    return g_string_free(to, FALSE);
}
