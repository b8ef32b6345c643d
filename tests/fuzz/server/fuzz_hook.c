/* Any bytes as a webhook of any provider: no crash, and what comes out is safe to hand on. */
#include "server/git/repo_name.h"
#include "server/hook/hook.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte picks provider, event and content type. */
static const char *header(const void *user, const char *name) {
    static const char *const events[] = {"push", "workflow_run", "ping", "issues"};
    uint8_t pick = *(const uint8_t *)user;
    if (strcmp(name, "x-github-event") == 0 || strcmp(name, "x-gitea-event") == 0)
        return events[pick >> 3 & 3];
    return NULL;
}

static void check(const srv_hook *hook) {
    if (hook->kind == SRV_HOOK_IGNORED && !hook->reason)
        abort();
    if (hook->kind != SRV_HOOK_COMMIT)
        return;
    size_t length = strlen(hook->sha);
    if ((length != 40 && length != 64) || strspn(hook->sha, "0123456789abcdef") != length)
        abort();
    if (hook->branch && !srv_repo_branch_check(hook->branch, NULL))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    srv_hook_provider provider = (srv_hook_provider)((data[0] & 7) % 5);
    const char *type = (data[0] & 0x40) != 0 ? "application/x-www-form-urlencoded" : NULL;
    GBytes *body = g_bytes_new(data + 1, size - 1);
    char *delivery = srv_hook_delivery(provider, body, header, data);
    if (srv_hook_signed(provider, "a secret", body, header, data, NULL, NULL))
        abort();
    json_t *json = srv_hook_body(body, type, NULL);
    srv_hook hook = {0};
    if (json && srv_hook_read(provider, json, header, data, &hook, NULL))
        check(&hook);
    for (guint i = 0; hook.urls && i < hook.urls->len; i++)
        (void)srv_hook_same_repository(g_ptr_array_index(hook.urls, i), "https://h/o/r");
    srv_hook_clear(&hook);
    json_decref(json);
    g_free(delivery);
    g_bytes_unref(body);
    return 0;
}
