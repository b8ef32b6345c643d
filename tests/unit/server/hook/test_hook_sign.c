/*
 * Who sent a webhook. GitHub's own example of its signature (docs.github.com, "Validating webhook
 * deliveries"): secret "It's a Secret to Everybody", body "Hello, World!".
 */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"

#include "server/hook/hook.h"

#include <gio/gio.h>
#include <string.h>

#define SECRET "It's a Secret to Everybody"
#define BODY "Hello, World!"
#define HEX "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"

/* Headers as name, value, …, NULL. */
static const char *lookup(const void *user, const char *name) {
    const char *const *at = user;
    for (; *at; at += 2)
        if (strcmp(*at, name) == 0)
            return at[1];
    return NULL;
}

static const struct {
    const char *what;
    srv_hook_provider provider;
    const char *headers[5], *token;
    const char *refused; /* NULL: taken */
} cases[] = {
    {"GitHub", SRV_HOOK_GITHUB, {"x-hub-signature-256", "sha256=" HEX}, NULL, NULL},
    {"upper case",
     SRV_HOOK_GITHUB,
     {"x-hub-signature-256",
      "sha256=757107EA0EB2509FC211221CCE984B8A37570B6D7586C22C46F4379C8B043E17"},
     NULL,
     NULL},
    {"unsigned", SRV_HOOK_GITHUB, {NULL}, NULL, "signature is missing"},
    {"sha1 alone", SRV_HOOK_GITHUB, {"x-hub-signature", "sha1=ab"}, NULL, "sha1 is not accepted"},
    {"no prefix", SRV_HOOK_GITHUB, {"x-hub-signature-256", HEX}, NULL, "does not match"},
    {"another digit",
     SRV_HOOK_GITHUB,
     {"x-hub-signature-256",
      "sha256=857107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
     NULL,
     "does not match"},
    {"cut", SRV_HOOK_GITHUB, {"x-hub-signature-256", "sha256=757107ea"}, NULL, "does not match"},
    {"longer", SRV_HOOK_GITHUB, {"x-hub-signature-256", "sha256=" HEX "0"}, NULL, "does not match"},
    {"nothing behind it",
     SRV_HOOK_GITHUB,
     {"x-hub-signature-256", "sha256="},
     NULL,
     "does not match"},
    {"our header is not GitHub's",
     SRV_HOOK_GITHUB,
     {"x-moowatch-signature-256", "sha256=" HEX},
     NULL,
     "signature is missing"},
    {"a token is no signature", SRV_HOOK_GITHUB, {NULL}, SECRET, "signature is missing"},
    {"Gitea", SRV_HOOK_GITEA, {"x-gitea-signature", HEX}, NULL, NULL},
    {"Gitea as GitHub", SRV_HOOK_GITEA, {"x-hub-signature-256", "sha256=" HEX}, NULL, NULL},
    {"Gitea, a prefix",
     SRV_HOOK_GITEA,
     {"x-gitea-signature", "sha256=" HEX},
     NULL,
     "X-Gitea-Signature"},
    {"Gitea, its own header first",
     SRV_HOOK_GITEA,
     {"x-gitea-signature", "00", "x-hub-signature-256", "sha256=" HEX},
     NULL,
     "X-Gitea-Signature"},
    {"GitLab", SRV_HOOK_GITLAB, {"x-gitlab-token", SECRET}, NULL, NULL},
    {"GitLab, wrong", SRV_HOOK_GITLAB, {"x-gitlab-token", "It's"}, NULL, "X-Gitlab-Token is not"},
    {"GitLab, empty", SRV_HOOK_GITLAB, {"x-gitlab-token", ""}, NULL, "X-Gitlab-Token is not"},
    {"GitLab, none",
     SRV_HOOK_GITLAB,
     {"x-hub-signature-256", "sha256=" HEX},
     NULL,
     "X-Gitlab-Token is missing"},
    {"Jenkins", SRV_HOOK_JENKINS, {NULL}, SECRET, NULL},
    {"Jenkins, wrong", SRV_HOOK_JENKINS, {NULL}, SECRET "!", "?token="},
    {"Jenkins, signed", SRV_HOOK_JENKINS, {"x-hub-signature-256", "sha256=" HEX}, NULL, NULL},
    {"Jenkins, neither", SRV_HOOK_JENKINS, {NULL}, NULL, "add ?token="},
    {"Jenkins, a wrong token beside a signature",
     SRV_HOOK_JENKINS,
     {"x-hub-signature-256", "sha256=" HEX},
     "x",
     "?token="},
    {"generic", SRV_HOOK_GENERIC, {"x-moowatch-signature-256", "sha256=" HEX}, NULL, NULL},
    {"generic as GitHub", SRV_HOOK_GENERIC, {"x-hub-signature-256", "sha256=" HEX}, NULL, NULL},
    {"generic, our header counts",
     SRV_HOOK_GENERIC,
     {"x-moowatch-signature-256", "sha256=00", "x-hub-signature-256", "sha256=" HEX},
     NULL,
     "does not match"},
};

static void who_is_believed(void **state) {
    (void)state;
    g_autoptr(GBytes) body = g_bytes_new_static(BODY, strlen(BODY));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const bool taken = srv_hook_signed(cases[i].provider, SECRET, body, lookup,
                                           cases[i].headers, cases[i].token, &error);
        if (taken != !cases[i].refused)
            fail_msg("%s: %s", cases[i].what, error ? error->message : "taken");
        if (taken)
            continue;
        assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED));
        if (!strstr(error->message, cases[i].refused) || strstr(error->message, SECRET))
            fail_msg("%s: %s", cases[i].what, error->message);
    }
}

static void another_body_another_signature(void **state) {
    (void)state;
    static const char *const headers[] = {"x-hub-signature-256", "sha256=" HEX, NULL};
    static const char *const bodies[] = {"Hello, World", "Hello, World!\n", "", "hello, World!"};
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autoptr(GBytes) body = g_bytes_new_static(bodies[i], strlen(bodies[i]));
        assert_false(srv_hook_signed(SRV_HOOK_GITHUB, SECRET, body, lookup, headers, NULL, NULL));
    }
}

static void providers(void **state) {
    (void)state;
    static const char *const names[] = {"github", "gitea", "gitlab", "jenkins", "generic"};
    srv_hook_provider provider = SRV_HOOK_GITHUB;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        assert_true(srv_hook_provider_of(names[i], &provider));
        assert_int_equal(provider, i);
    }
    assert_false(srv_hook_provider_of("GitHub", &provider));
    assert_false(srv_hook_provider_of("", &provider));
}

/* The same delivery sent again must be known again; who names none is known by the body. */
static void a_delivery_has_one_name(void **state) {
    (void)state;
    static const char body_hash[] =
        "dffd6021bb2bd5b0af676290809ec3a53191dd81c7f70a4b28688a362182986f";
    g_autofree char *hundred = g_strnfill(100, 'x'), *more = g_strnfill(101, 'x');
    const struct {
        srv_hook_provider provider;
        const char *headers[3], *id;
    } rows[] = {
        {SRV_HOOK_GITHUB, {"x-github-delivery", "72d3162e"}, "72d3162e"},
        {SRV_HOOK_GITEA, {"x-gitea-delivery", "g"}, "g"},
        {SRV_HOOK_GITLAB, {"x-gitlab-event-uuid", "u"}, "u"},
        {SRV_HOOK_JENKINS, {"x-moowatch-delivery", "j"}, "j"},
        {SRV_HOOK_GENERIC, {"x-moowatch-delivery", hundred}, hundred},
        {SRV_HOOK_GENERIC, {"x-moowatch-delivery", more}, body_hash},
        {SRV_HOOK_GENERIC, {"x-moowatch-delivery", ""}, body_hash},
        {SRV_HOOK_GENERIC, {NULL}, body_hash},
        {SRV_HOOK_GITHUB, {"x-gitea-delivery", "g"}, body_hash},
    };
    g_autoptr(GBytes) body = g_bytes_new_static(BODY, strlen(BODY));
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *id = srv_hook_delivery(rows[i].provider, body, lookup, rows[i].headers);
        assert_string_equal(id, rows[i].id);
    }
}

static void bodies(void **state) {
    (void)state;
    static const char form[] = "application/x-www-form-urlencoded";
    static const struct {
        const char *type, *body, *a; /* member a of the object; NULL: refused */
    } rows[] = {
        {"application/json", "{\"a\":\"1 2\"}", "1 2"},
        {NULL, "{\"a\":\"x\"}", "x"},
        {form, "payload=%7B%22a%22%3A%221+2%22%7D", "1 2"},
        {form, "x=1&payload=%7B%22a%22%3A%22b%22%7D&y=2", "b"},
        {"application/x-www-form-urlencoded; charset=utf-8", "payload={\"a\":\"b\"}", "b"},
        {form, "{\"a\":\"b\"}", NULL},
        {form, "payload=%zz", NULL},
        {form, "", NULL},
        {"application/json", "", NULL},
        {"application/json", "[]", NULL},
        {"application/json", "{\"a\":", NULL},
        {"application/json", "{\"a\":\"b\"} x", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GBytes) body = g_bytes_new_static(rows[i].body, strlen(rows[i].body));
        g_autoptr(GError) error = NULL;
        json_t *json = srv_hook_body(body, rows[i].type, &error);
        if (!json != !rows[i].a)
            fail_msg("%s: %s", rows[i].body, error ? error->message : "read");
        if (json)
            assert_string_equal(json_string_value(json_object_get(json, "a")), rows[i].a);
        else
            assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT));
        json_decref(json);
    }
}

/* 1 MiB of them are 80 MiB of memory. */
static void values_are_counted_before_they_are_made(void **state) {
    (void)state;
    GString *text = g_string_new("{\"a\":[{}");
    for (unsigned i = 0; i < 350000; i++)
        g_string_append(text, ",{}");
    g_string_append(text, "]}");
    g_autoptr(GBytes) body = g_string_free_to_bytes(text);
    GError *error = NULL;
    assert_null(srv_hook_body(body, "application/json", &error));
    assert_srv_error(error, TOO_LARGE, "its JSON values would take");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_counted_before_they_are_made),
        cmocka_unit_test(who_is_believed),
        cmocka_unit_test(another_body_another_signature),
        cmocka_unit_test(providers),
        cmocka_unit_test(a_delivery_has_one_name),
        cmocka_unit_test(bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
