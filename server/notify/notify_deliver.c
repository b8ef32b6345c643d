#include "server/notify/notify_deliver.h"

#include "config/json_text.h"

#include <string.h>

#define WEBHOOK_SCHEMA 1

/* "sha256=<hex>" HMAC-SHA256 of the body, as GitHub signs. */
static char *deliver_signature(const char *key, gsize key_size, const char *body) {
    g_autofree char *hex =
        g_compute_hmac_for_string(G_CHECKSUM_SHA256, (const guchar *)key, key_size, body, -1);
    return g_strconcat("sha256=", hex, NULL);
}

static char *url_of(const cfg_notify *rule, srv_sent *out) {
    g_autofree char *url =
        rule->url ? g_strdup(rule->url) : srv__message_secret(rule->url_file, out);
    if (url && !g_str_has_prefix(url, "https://") && !g_str_has_prefix(url, "http://")) {
        out->problem = g_strdup_printf("%s must hold an http or https URL", rule->url_file);
        return NULL;
    }
    return g_steal_pointer(&url);
}

static void slack(const srv_message *d, srv_sent *out) {
    const srv_words words = srv__message_words(d);
    g_autofree char *url = url_of(d->rule, out);
    if (!url)
        return;
    json_auto_t *json = srv_words_slack(&words);
    g_autofree char *body = cfg_json_text(json, 0);
    const srv_send_http request = {.stop = d->stop, .method = "POST", .url = url, .body = body};
    srv_send_over_http(&request, out);
}

static void webhook(const srv_message *d, srv_sent *out) {
    g_autofree char *url = url_of(d->rule, out);
    g_autofree char *key =
        url && d->rule->secret_file ? srv__message_secret(d->rule->secret_file, out) : NULL;
    if (out->problem)
        return;
    const bool incident = g_str_equal(d->event, "opened") || g_str_equal(d->event, "over");
    const bool night = g_str_equal(d->event, "counted") || g_str_equal(d->event, "limited");
    g_autofree char *event = g_strconcat(incident ? "incident."
                                         : night  ? "night."
                                                  : "alert.",
                                         d->event, NULL);
    json_auto_t *json =
        json_pack("{s:i,s:s,s:s,s:s,s:s,s:O}", "schema_version", WEBHOOK_SCHEMA, "event", event,
                  "delivery", d->delivery, "project", d->project, "url", d->server->public_url,
                  incident ? "incidents"
                  : night  ? "nights"
                           : "alerts",
                  d->items);
    g_autofree char *body = cfg_json_text(json, 0);
    g_autoptr(GPtrArray) headers = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(headers, g_strconcat("X-Moowatch-Event: ", event, NULL));
    g_ptr_array_add(headers, g_strconcat("X-Moowatch-Delivery: ", d->delivery, NULL));
    if (key) {
        g_autofree char *signature = deliver_signature(key, strlen(key), body);
        g_ptr_array_add(headers, g_strconcat("X-Moowatch-Signature-256: ", signature, NULL));
    }
    const srv_send_http request = {
        .stop = d->stop, .method = "POST", .url = url, .headers = headers, .body = body};
    srv_send_over_http(&request, out);
}

/* RFC 5322's names of days and months: those of the C locale, where LC_TIME stays. */
static char *mail_date(int64_t now_ms) {
    g_autoptr(GDateTime) t = g_date_time_new_from_unix_utc(now_ms / 1000);
    return g_date_time_format(t, "%a, %-d %b %Y %H:%M:%S +0000");
}

static void mail(const srv_message *d, srv_sent *out, char **reference) {
    const srv_words words = srv__message_words(d);
    const char *domain = d->server->mail.from ? strchr(d->server->mail.from, '@') : NULL;
    if (!domain) {
        out->problem = g_strdup("the server has no mail: in its configuration");
        return;
    }
    g_autofree char *subject = srv_words_subject(&words);
    g_autofree char *text = srv_words_text(&words);
    g_autofree char *html = srv_words_html(&words, d->chart ? "chart" : NULL);
    g_autofree char *date = mail_date(d->now_ms);
    g_autofree char *id = g_strdup_printf("<%s%s>", d->delivery, domain);
    g_autofree char *list = g_strdup_printf("<%s.moowatch.%s>", d->project, domain + 1);
    g_autofree char *thread = d->first ? g_strconcat("Re: ", subject, NULL) : g_strdup(subject);
    const srv_send_mail message = {.stop = d->stop,
                                   .mail = &d->server->mail,
                                   .to = d->rule->to,
                                   .subject = thread,
                                   .message_id = id,
                                   .in_reply_to = d->first,
                                   .list_id = list,
                                   .date = date,
                                   .text = text,
                                   .html = html,
                                   .image = d->chart};
    srv_send_over_smtp(&message, out);
    *reference = g_steal_pointer(&id);
}

void srv_deliver_to_operator(const cfg_mail *mail, const char *text, int64_t now_ms,
                             srv_send_stop stop, srv_sent *out) {
    char *to[] = {mail->operator, NULL };
    const char *domain = strchr(mail->from, '@');
    g_autofree char *date = mail_date(now_ms), *escaped = g_markup_escape_text(text, -1);
    g_autofree char *html = g_strdup_printf("<pre>%s</pre>", escaped);
    g_autofree char *id = g_strdup_printf("<operator-%" G_GINT64_FORMAT "%s>", now_ms, domain);
    g_autofree char *list = g_strdup_printf("<operator.moowatch.%s>", domain + 1);
    const srv_send_mail message = {.stop = stop,
                                   .mail = mail,
                                   .to = to,
                                   .subject = "[overhead] moowatchd needs its operator",
                                   .message_id = id,
                                   .list_id = list,
                                   .date = date,
                                   .text = text,
                                   .html = html};
    srv_send_over_smtp(&message, out);
}

void srv_deliver(const srv_message *d, srv_sent *out, char **reference) {
    *out = (srv_sent){0};
    *reference = NULL;
    switch (d->rule->via) {
    case CFG_NOTIFY_MAIL:
        mail(d, out, reference);
        break;
    case CFG_NOTIFY_SLACK:
        slack(d, out);
        break;
    case CFG_NOTIFY_WEBHOOK:
        webhook(d, out);
        break;
    default:
        srv__tell_forge(d, out, reference);
        break;
    }
}
