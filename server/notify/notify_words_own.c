/* The words of a rule of its own: text with {names}. */
#include "server/notify/notify_words__.h"

#include "web/layout/text.h"

#include <string.h>

/* One of cfg_notify_names; config/ has refused every other. */
static char *named(const srv_words *words, const cfg_alert *alert, const char *name) {
    if (g_str_equal(name, "project"))
        return g_strdup(words->project);
    if (g_str_equal(name, "change"))
        return srv__words_headline(words, alert);
    if (g_str_equal(name, "sentence"))
        return web_text_clean(alert->sentence, SRV__WORDS_TEXT_MAX);
    if (g_str_equal(name, "reason"))
        return web_text_clean(alert->reason, SRV__WORDS_TEXT_MAX);
    if (g_str_equal(name, "range"))
        return srv__words_range(alert);
    if (g_str_equal(name, "commit"))
        return srv__words_commit(alert);
    if (g_str_equal(name, "where"))
        return srv__words_where(alert);
    return g_str_equal(name, "event") ? g_strdup(words->event) : srv__words_link(words, alert);
}

char *srv__words_own(const srv_words *words, const cfg_alert *alert) {
    GString *to = g_string_new(NULL);
    for (const char *at = words->text; *at != '\0';) {
        const size_t plain = strcspn(at, "{");
        g_string_append_len(to, at, (gssize)plain);
        at += plain;
        const char *end = strchr(at, '}');
        if (*at == '{' && end) {
            /* what is put in is not looked at for names again */
            g_autofree char *name = g_strndup(at + 1, (gsize)(end - at - 1));
            g_autofree char *text = named(words, alert, name);
            g_string_append(to, text);
            at = end + 1;
        }
    }
    g_string_append_c(to, '\n');
    return g_string_free(to, FALSE);
}
