/*
 * Who sent a webhook. GitHub's own example of its signature (docs.github.com, "Validating webhook
 * deliveries"): secret "It's a Secret to Everybody", body "Hello, World!".
 */
#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "server/hook/hook.h"
#include "server/store/store_sql.h"
#include "sql/hook.h"

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

/* Deliveries of webhooks: each is taken once, all of a call or none, and waits for its commit. */

/* Takes one in; whether it was fresh. */
static bool take(fixture *fix, const char *provider, const char *id, const char *project,
                 const char *sha) {
    g_autoptr(GError) error = NULL;
    srv_delivery delivery = {.provider = provider, .id = id, .project = project, .sha = sha};
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    g_ptr_array_add(list, &delivery);
    if (!srv_delivery_take(fix->store, list, &error))
        fail_msg("%s", error->message);
    return delivery.fresh;
}

/* "sha:attempts sha:attempts" of what waits. */
static char *waiting(fixture *fix, const char *project) {
    json_t *list = srv__array(fix->store, ASK(delivery_waiting, project, SRV_DELIVERY_PAGE), NULL),
           *item;
    GString *text = g_string_new(NULL);
    size_t i;
    assert_non_null(list);
    json_array_foreach (list, i, item)
        g_string_append_printf(text, "%s%s:%d", i == 0 ? "" : " ", text_of(item, "sha"),
                               (int)number_of(item, "attempts"));
    json_decref(list);
    return g_string_free(text, FALSE);
}

static void expect_waiting(fixture *fix, const char *project, const char *expected) {
    g_autofree char *text = waiting(fix, project);
    assert_string_equal(text, expected);
}

static void a_delivery_is_taken_once(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    assert_true(take(fix, "github", "1", "kieker", "a"));
    assert_false(take(fix, "github", "1", "kieker", "a"));
    assert_false(take(fix, "github", "1", "kieker", "b")); /* the id says which it is */
    assert_true(take(fix, "gitlab", "1", "kieker", "a"));
    assert_true(take(fix, "github", "1", "other", "a"));
    assert_true(take(fix, "github", "2", "kieker", "a"));
    expect_waiting(fix, "kieker", "a:0");
    expect_waiting(fix, "other", "a:0");
    expect_waiting(fix, "nobody", "");
}

static void it_is_known_also_when_it_is_done(void **state) {
    fixture *fix = *state;
    take(fix, "github", "1", "kieker", "a");
    assert_true(srv__run(fix->store, ASK(delivery_close, "kieker", "a"), NULL));
    assert_false(take(fix, "github", "1", "kieker", "a"));
    expect_waiting(fix, "kieker", "");
    fix_reopen(fix);
    assert_false(take(fix, "github", "1", "kieker", "a"));
}

static void the_least_tried_comes_first(void **state) {
    fixture *fix = *state;
    take(fix, "github", "1", "kieker", "a");
    take(fix, "github", "2", "kieker", "b");
    take(fix, "github", "3", "kieker", "c");
    take(fix, "github", "4", "kieker", "a"); /* again: its first one counts */
    expect_waiting(fix, "kieker", "a:0 b:0 c:0");
    assert_true(srv__run(fix->store, ASK(delivery_try, "kieker", "a"), NULL));
    assert_true(srv__run(fix->store, ASK(delivery_try, "kieker", "a"), NULL));
    assert_true(srv__run(fix->store, ASK(delivery_try, "kieker", "b"), NULL));
    expect_waiting(fix, "kieker", "c:0 b:1 a:2");
}

static void closing_one_commit_leaves_the_others(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    take(fix, "github", "1", "kieker", "a");
    take(fix, "github", "2", "kieker", "b");
    take(fix, "github", "1", "other", "a");
    take(fix, "gitea", "9", "kieker", "a");
    assert_true(srv__run(fix->store, ASK(delivery_close, "kieker", "a"), NULL));
    expect_waiting(fix, "kieker", "b:0");
    expect_waiting(fix, "other", "a:0");
}

static void of_many_all_are_taken_or_none(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_delivery list[] = {{.provider = "github", .id = "1", .project = "kieker", .sha = "a"},
                           {.provider = "github", .id = "1", .project = "nobody", .sha = "a"}};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(list); i++)
        g_ptr_array_add(all, &list[i]);
    assert_false(srv_delivery_take(fix->store, all, &error));
    assert_srv_error(error, NOT_FOUND, "nobody");
    expect_waiting(fix, "kieker", "");
    list[1].project = "kieker";
    list[1].id = "2";
    assert_true(srv_delivery_take(fix->store, all, NULL));
    assert_true(list[0].fresh && list[1].fresh);
}

static void a_page_of_those_that_wait_is_bounded(void **state) {
    fixture *fix = *state;
    enum { MORE = SRV_DELIVERY_PAGE + 3 };
    g_autofree srv_delivery *list = g_new0(srv_delivery, MORE);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) pointers = g_ptr_array_new();
    for (int i = 0; i < MORE; i++) {
        char *id = g_strdup_printf("%d", i);
        g_ptr_array_add(texts, id);
        list[i] = (srv_delivery){.provider = "generic", .id = id, .project = "kieker", .sha = id};
        g_ptr_array_add(pointers, &list[i]);
    }
    assert_true(srv_delivery_take(fix->store, pointers, NULL));
    json_t *page = srv__array(fix->store, ASK(delivery_waiting, "kieker", SRV_DELIVERY_PAGE), NULL);
    assert_int_equal(json_array_size(page), SRV_DELIVERY_PAGE);
    assert_string_equal(text_of(json_array_get(page, 0), "sha"), "0");
    json_decref(page);
}

/* Only those that are done, and only far behind the newest. */
static void old_ones_are_forgotten_when_they_are_done(void **state) {
    fixture *fix = *state;
    take(fix, "github", "done", "kieker", "a");
    assert_true(srv__run(fix->store, ASK(delivery_close, "kieker", "a"), NULL));
    take(fix, "github", "waits", "kieker", "b");
    assert_true(srv__run(fix->store,
                         sql_text("INSERT INTO delivery(id, provider, delivery, project_id, sha,"
                                  " state) SELECT max(id)+100001, 'x', 'far', 1, 'c',"
                                  " 'done' FROM delivery",
                                  ""),
                         SRV__NO_ARGS, NULL));
    take(fix, "github", "newest", "kieker", "d");
    json_t *rows = srv__array(fix->store, sql_text("SELECT delivery FROM delivery ORDER BY id", ""),
                              SRV__NO_ARGS, NULL);
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(text_of(json_array_get(rows, 0), "delivery"), "waits");
    json_decref(rows);
    assert_true(take(fix, "github", "done", "kieker", "a"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_counted_before_they_are_made),
        cmocka_unit_test(who_is_believed),
        cmocka_unit_test(another_body_another_signature),
        cmocka_unit_test(providers),
        cmocka_unit_test(a_delivery_has_one_name),
        cmocka_unit_test(bodies),

        FIX_TEST(a_delivery_is_taken_once),
        FIX_TEST(it_is_known_also_when_it_is_done),
        FIX_TEST(the_least_tried_comes_first),
        FIX_TEST(closing_one_commit_leaves_the_others),
        FIX_TEST(of_many_all_are_taken_or_none),
        FIX_TEST(a_page_of_those_that_wait_is_bounded),
        FIX_TEST(old_ones_are_forgotten_when_they_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
