/* Alerts as Slack's blocks. */
#include "server/notify/notify_words__.h"
#include "web/layout/text.h"

#define ALERTS_MAX 20

/* Slack's three: & < >, and nobody is called by name. */
static char *escaped(const char *text) {
    g_autofree char *unpinged = web_text_unpinged(text);
    g_autoptr(GString) to = g_string_new(unpinged);
    g_string_replace(to, "&", "&amp;", 0);
    g_string_replace(to, "<", "&lt;", 0);
    g_string_replace(to, ">", "&gt;", 0);
    return g_string_free(g_steal_pointer(&to), FALSE);
}

static json_t *section(const char *text) {
    return json_pack("{s:s,s:{s:s,s:s}}", "type", "section", "text", "type", "mrkdwn", "text",
                     text);
}

static json_t *block(const srv_words *words, const cfg_alert *alert) {
    if (words->text) {
        g_autofree char *own = srv__words_own(words, alert);
        g_autofree char *safe = escaped(g_strchomp(own));
        return section(safe);
    }
    g_autofree char *headline = srv__words_headline(words, alert);
    g_autofree char *address = srv__words_link(words, alert);
    g_auto(GStrv) lines = srv__words_lines(words, alert);
    g_autofree char *body = g_strjoinv("\n", lines);
    g_autofree char *safe_headline = escaped(headline);
    g_autofree char *safe_body = escaped(body);
    g_autofree char *safe_project = escaped(words->project);
    g_autofree char *all =
        g_strdup_printf("*<%s|%s: %s>*\n%s", address, safe_project, safe_headline, safe_body);
    return section(all);
}

json_t *srv_words_slack(const srv_words *words) {
    g_autofree char *subject = srv_words_subject(words);
    g_autofree char *fallback = escaped(subject);
    json_t *blocks = json_array();
    size_t i;
    json_t *json;
    json_array_foreach (words->alerts, i, json) {
        g_auto(cfg_alert) alert = cfg_alert_of(json);
        if (i < ALERTS_MAX)
            json_array_append_new(blocks, block(words, &alert));
    }
    if (json_array_size(words->alerts) > ALERTS_MAX)
        json_array_append_new(blocks, section("… and more; see the link above"));
    return json_pack("{s:s,s:o}", "text", fallback, "blocks", blocks);
}
