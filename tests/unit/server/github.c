#include "tests/unit/test.h"

#include "tests/unit/server/github.h"

#include "server/notify/notify_deliver.h"
#include "tests/unit/server/folder.h"

#include <gnutls/x509.h>
#include <string.h>

static char *rsa_key(void) {
    gnutls_x509_privkey_t key = NULL;
    gnutls_datum_t pem;
    assert_int_equal(gnutls_x509_privkey_init(&key), 0);
    assert_int_equal(gnutls_x509_privkey_generate(key, GNUTLS_PK_RSA, 2048, 0), 0);
    assert_int_equal(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &pem), 0);
    char *text = g_strndup((const char *)pem.data, pem.size);
    gnutls_free(pem.data);
    gnutls_x509_privkey_deinit(key);
    return text;
}

int github_setup(void **state) {
    static char repository[] = "kieker/monitoring", url[] = "https://moo.example";
    github *at = g_new0(github, 1);
    at->receiver = receiver_new();
    at->dir = folder_new();
    at->api = g_strdup_printf("http://127.0.0.1:%u/api", receiver_port(at->receiver));
    at->token_file = folder_file(at->dir, "token", "ghp_secret\n");
    at->server.public_url = url;
    at->rule = (cfg_notify){.via = CFG_NOTIFY_GITHUB_COMMENT,
                            .url = at->api,
                            .repository = repository,
                            .secret_file = at->token_file};
    at->tokens = srv_github_tokens_new();
    model_begin(&cfg_night_model, &at->night);
    at->night.experiment = 5;
    at->night.night = g_strdup("2013-04-07");
    at->night.commit.sha = g_strdup(GITHUB_SHA);
    at->message = (srv_message){.server = &at->server,
                                .rule = &at->rule,
                                .project = "kieker",
                                .channel = "c",
                                .event = "measured",
                                .night = &at->night,
                                .delivery = "d-1",
                                .tokens = at->tokens,
                                .now_ms = 1366164000000};
    *state = at;
    return 0;
}

int github_teardown(void **state) {
    github *at = *state;
    receiver_free(at->receiver);
    srv_github_tokens_free(at->tokens);
    json_decref(at->items);
    cfg_night_clear(&at->night);
    folder_free(at->dir);
    g_free(at->api);
    g_free(at->token_file);
    g_free(at->key_file);
    g_free(at);
    return 0;
}

void github_be_app(github *at) {
    g_autofree char *pem = rsa_key();
    at->key_file = folder_file(at->dir, "key.pem", pem);
    at->rule.app_id = 7;
    at->rule.secret_file = at->key_file;
}

void github_expect(github *at, const char *const *lines, guint count) {
    g_autoptr(GString) all = g_string_new(NULL);
    bool same = receiver_count(at->receiver) == count;
    for (guint i = 0; i < receiver_count(at->receiver); i++) {
        const receiver_request *got = receiver_get(at->receiver, i);
        g_autofree char *line =
            g_strdup_printf("%s%s%s", got->line, *got->query ? "?" : "", got->query);
        g_string_append_printf(all, "%s\n", line);
        same = same && i < count && strcmp(line, lines[i]) == 0;
    }
    if (!same)
        fail_msg("what came: %s", all->str);
    receiver_forget(at->receiver);
}
