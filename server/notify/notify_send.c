#include "server/notify/notify_send.h"

#include "config/http.h"
#include "config/json_text.h"
#include "server/notify/notify_deliver.h"
#include "web/layout/text.h"

#include <curl/curl.h>
#include <string.h>

#define SECRET_BYTES_MAX 65536

srv_words srv__message_words(const srv_message *d) {
    return (srv_words){.base = d->server->public_url,
                       .project = d->project,
                       .event = d->event,
                       .alerts = d->alerts,
                       .text = d->rule->text,
                       .title = d->configured ? d->configured->title : NULL,
                       .commit_url = d->configured ? d->configured->commit_url : NULL};
}

char *srv__message_secret(const char *path, srv_sent *out) {
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &text, &size, &error))
        out->problem = g_strdup(error->message);
    else if (size > SECRET_BYTES_MAX || *g_strstrip(text) == '\0' || strpbrk(text, "\r\n") != NULL)
        out->problem = g_strdup_printf("%s must hold one line", path);
    return out->problem ? NULL : g_steal_pointer(&text);
}

#define CONNECT_TIMEOUT_S 10L
#define HEADER_CHARS_MAX 200
#define REASON_CHARS_MAX 200
/* RFC 2047: 75 characters an encoded word; 45 bytes are 60 of base64, with "=?UTF-8?B?" and "?=" */
#define WORD_BYTES 45

void srv_sent_clear(srv_sent *sent) {
    g_free(sent->problem);
    g_free(sent->answer);
    *sent = (srv_sent){0};
}

void srv_sent_explain(srv_sent *sent) {
    json_auto_t *said =
        sent->answer ? json_loads(sent->answer, JSON_REJECT_DUPLICATES, NULL) : NULL;
    /* GitLab says {"error":"insufficient_scope","error_description":…} of a token's rights */
    const char *reason =
        cfg_json_word(said, "message", cfg_json_word(said, "error_description", NULL));
    if (sent->delivered || !sent->problem || !reason)
        return;
    g_autofree char *clean = web_text_clean(reason, REASON_CHARS_MAX), *problem = sent->problem;
    sent->problem = g_strdup_printf("%s: %s", problem, clean);
}

static struct curl_slist *add(struct curl_slist *list, const char *name, const char *value) {
    g_autofree char *line = g_strdup_printf("%s: %s", name, value);
    return curl_slist_append(list, line);
}

/* scheme://host:port alone: path, query and user of a hook's address may be secret. */
static char *host_of(const char *url) {
    g_autoptr(GUri) uri = g_uri_parse(url, G_URI_FLAGS_NONE, NULL);
    if (!uri)
        return g_strdup("an invalid address");
    const int port = g_uri_get_port(uri);
    g_autofree char *number = port > 0 ? g_strdup_printf(":%d", port) : NULL;
    return g_strconcat(g_uri_get_scheme(uri), "://", g_uri_get_host(uri) ? g_uri_get_host(uri) : "",
                       number, NULL);
}

static bool is_final(long status) {
    return status == 400 || status == 413 || status == 415 || status == 422;
}

static void judge(const cfg_http_answer *answer, const char *url, srv_sent *out) {
    g_autofree char *host = host_of(url);
    g_autofree char *other = answer->redirect ? host_of(answer->redirect) : NULL;
    out->status = answer->status;
    if (answer->problem) {
        out->problem = g_strdup_printf("%s: %s", host, answer->problem);
        return;
    }
    out->date_s = answer->date_s;
    out->retry_after_ms = answer->retry_after_ms;
    out->delivered = out->status >= 200 && out->status < 300;
    out->refused = is_final(out->status);
    if (other)
        out->problem = g_strdup_printf("%s answers %ld with a redirect to %s, which is not "
                                       "followed; configure the final address",
                                       host, out->status, other);
    else if (!out->delivered)
        out->problem = g_strdup_printf("%s answers %ld", host, out->status);
}

void srv_send_over_http(const srv_send_http *request, srv_sent *out) {
    g_autofree char *bearer =
        request->bearer ? g_strconcat("Authorization: Bearer ", request->bearer, NULL) : NULL;
    g_autoptr(GPtrArray) headers = g_ptr_array_new();
    char json[] = "Content-Type: application/json";
    if (request->body)
        g_ptr_array_add(headers, json);
    for (guint i = 0; request->headers && i < request->headers->len; i++)
        g_ptr_array_add(headers, request->headers->pdata[i]);
    g_ptr_array_add(headers, bearer);
    g_ptr_array_add(headers, NULL);
    const cfg_http_call call = {.url = request->url,
                                .method = request->method,
                                .agent = "moowatch",
                                .header = (const char *const *)headers->pdata,
                                .body = request->body,
                                .timeout_s = SRV_SEND_TIMEOUT_S,
                                .answer_bytes_max = SRV_SEND_ANSWER_BYTES_MAX,
                                .stop = request->stop.function,
                                .user = request->stop.user};
    g_auto(cfg_http_answer) answer = {0};
    *out = (srv_sent){0};
    (void)cfg_http_send(NULL, &call, &answer);
    judge(&answer, request->url, out);
    out->answer = g_utf8_make_valid(answer.body->str, (gssize)answer.body->len);
}

/* Text for a mail's header: one line, RFC 2047 where it is not ASCII. */
static char *send_header(const char *text) {
    g_autofree char *clean = web_text_clean(text, HEADER_CHARS_MAX);
    if (g_str_is_ascii(clean))
        return g_steal_pointer(&clean);
    GString *to = g_string_new(NULL);
    for (const char *part = clean; *part != '\0';) {
        const char *end = part;
        while (*end != '\0' && g_utf8_next_char(end) - part <= WORD_BYTES)
            end = g_utf8_next_char(end);
        g_autofree char *word = g_base64_encode((const guchar *)part, (gsize)(end - part));
        g_string_append_printf(to, "%s=?UTF-8?B?%s?=", to->len > 0 ? "\r\n " : "", word);
        part = end;
    }
    return g_string_free(to, FALSE);
}

static struct curl_slist *mail_headers(const srv_send_mail *m) {
    g_autoptr(GString) list = g_string_new(NULL);
    for (char *const *each = m->to; *each; each++)
        g_string_append_printf(list, "%s%s", list->len > 0 ? ",\r\n " : "", *each);
    g_autofree char *subject = send_header(m->subject);
    struct curl_slist *headers = add(NULL, "Date", m->date);
    headers = add(headers, "From", m->mail->from);
    headers = add(headers, "To", list->str);
    headers = add(headers, "Subject", subject);
    headers = add(headers, "Message-ID", m->message_id);
    if (m->in_reply_to) {
        headers = add(headers, "In-Reply-To", m->in_reply_to);
        headers = add(headers, "References", m->in_reply_to);
    }
    headers = add(headers, "List-Id", m->list_id);
    headers = add(headers, "Auto-Submitted", "auto-generated");
    /* of the whole body; libcurl adds the boundary */
    return add(headers, "Content-Type", "multipart/alternative");
}

/* A mail's lines end with CR and LF; a lone LF is no line end there, and is written as "=0A". */
static bool text_part(curl_mime *mime, const char *text, const char *type) {
    curl_mimepart *part = curl_mime_addpart(mime);
    g_autoptr(GString) lines = g_string_new(text);
    g_string_replace(lines, "\n", "\r\n", 0);
    return part && curl_mime_data(part, lines->str, CURL_ZERO_TERMINATED) == CURLE_OK &&
           curl_mime_type(part, type) == CURLE_OK &&
           curl_mime_encoder(part, "quoted-printable") == CURLE_OK;
}

static bool image_part(curl_mime *mime, GBytes *image) {
    gsize size;
    const char *bytes = g_bytes_get_data(image, &size);
    curl_mimepart *part = curl_mime_addpart(mime);
    return part && curl_mime_data(part, bytes, size) == CURLE_OK &&
           curl_mime_type(part, "image/png") == CURLE_OK &&
           curl_mime_encoder(part, "base64") == CURLE_OK &&
           curl_mime_headers(part,
                             add(curl_slist_append(NULL, "Content-ID: <chart>"),
                                 "Content-Disposition", "inline; filename=\"chart.png\""),
                             1) == CURLE_OK;
}

/* alternative(text, html), or alternative(text, related(html, image)). */
static curl_mime *mail_body(CURL *c, const srv_send_mail *m) {
    curl_mime *whole = curl_mime_init(c);
    if (!whole || !text_part(whole, m->text, "text/plain; charset=utf-8"))
        return whole;
    if (!m->image) {
        (void)text_part(whole, m->html, "text/html; charset=utf-8");
        return whole;
    }
    curl_mime *related = curl_mime_init(c);
    curl_mimepart *part = curl_mime_addpart(whole);
    if (related && part && text_part(related, m->html, "text/html; charset=utf-8") &&
        image_part(related, m->image)) {
        (void)curl_mime_subparts(part, related);
        (void)curl_mime_type(part, "multipart/related");
    }
    return whole;
}

static bool mail_login(CURL *c, const cfg_mail *mail, char **problem) {
    /* a password goes over TLS or not at all */
    bool good =
        curl_easy_setopt(c, CURLOPT_USE_SSL,
                         mail->user ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_TRY) == CURLE_OK;
    if (mail->ca_file)
        good = good && curl_easy_setopt(c, CURLOPT_CAINFO, mail->ca_file) == CURLE_OK;
    if (!mail->user)
        return good;
    g_autofree char *password = NULL;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(mail->password_file, &password, NULL, &error)) {
        *problem = g_strdup(error->message);
        return false;
    }
    g_strchomp(password);
    return good && curl_easy_setopt(c, CURLOPT_USERNAME, mail->user) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PASSWORD, password) == CURLE_OK;
}

static int may_go_on(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const srv_send_stop *stop = user;
    (void)a, (void)b, (void)c, (void)d;
    return stop->function && stop->function(stop->user);
}

static bool mail_set_up(CURL *c, const srv_send_mail *m, struct curl_slist *headers,
                        struct curl_slist *to, curl_mime *body) {
    return curl_easy_setopt(c, CURLOPT_URL, m->mail->url) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "smtp,smtps") == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)SRV_SEND_TIMEOUT_S) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, may_go_on) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_XFERINFODATA, &m->stop) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_MAIL_FROM, m->mail->from) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_MAIL_RCPT, to) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1L) == CURLE_OK &&
           curl_easy_setopt(c, CURLOPT_MIMEPOST, body) == CURLE_OK;
}

void srv_send_over_smtp(const srv_send_mail *message, srv_sent *out) {
    *out = (srv_sent){0};
    if (!message->mail->url) {
        out->problem = g_strdup("the server has no mail: in its configuration");
        return;
    }
    cfg_http_init();
    CURL *c = curl_easy_init();
    struct curl_slist *headers = mail_headers(message), *to = NULL;
    for (char *const *each = message->to; *each; each++)
        to = curl_slist_append(to, *each);
    curl_mime *body = c ? mail_body(c, message) : NULL;
    if (body && mail_set_up(c, message, headers, to, body) &&
        mail_login(c, message->mail, &out->problem)) {
        const CURLcode code = curl_easy_perform(c);
        g_autofree char *host = host_of(message->mail->url);
        (void)curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &out->status);
        out->delivered = code == CURLE_OK;
        if (!out->delivered)
            out->problem = g_strdup_printf("%s: %s", host, curl_easy_strerror(code));
    } else if (!out->problem) {
        out->problem = g_strdup("the mail could not be built");
    }
    curl_mime_free(body);
    curl_slist_free_all(to);
    curl_slist_free_all(headers);
    curl_easy_cleanup(c);
}
