#include "server/notify/gitlab_call.h"

#include <string.h>

json_t *srv__gitlab_call(const srv_message *d, const char *method, const char *path, json_t *body,
                         srv_sent *out) {
    const char *api = d->rule->url;
    g_autofree char *project = g_uri_escape_string(d->rule->repository, NULL, FALSE);
    g_autofree char *url = g_strdup_printf("%s%sprojects/%s/%s", api,
                                           g_str_has_suffix(api, "/") ? "" : "/", project, path);
    json_t *answer = NULL;
    srv_sent_clear(out);
    char *bearer = srv__message_secret(d->rule->secret_file, out);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    if (bearer) {
        const srv_send_http request = {
            .stop = d->stop, .method = method, .url = url, .bearer = bearer, .body = text};
        srv_send_over_http(&request, out);
        explicit_bzero(bearer, strlen(bearer));
    }
    if (out->delivered && out->answer)
        answer = json_loads(out->answer, JSON_REJECT_DUPLICATES, NULL);
    g_free(bearer);
    free(text);
    json_decref(body);
    return answer;
}
