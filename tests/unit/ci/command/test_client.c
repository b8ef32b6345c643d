/* The server's API as a client sees it: what is sent, what of the answer is believed. */
#include "tests/unit/ci/command/asked.h"

#include "ci/command/client.h"
#include "tests/unit/told.h"

/* A client of the receiver with the token "secret-7". */
static ci_client *client_of(asked *a) {
    g_autofree char *token = put(a->folder, "token", "secret-7\n");
    const ci_client_options options = {.server = a->url, .token_file = token};
    ci_client *client = ci_client_new(&options, NULL);
    assert_non_null(client);
    return client;
}

static void which_server(void **state) {
    (void)state;
    static struct {
        char address[20];
        const char *says;
    } wrong[] = {{"moowatch.example", "http://moowatch.example?"},
                 {"http:", "an address begins with http:// or https://"},
                 {"ftp://h", "Give --server"},
                 {"", "Give --server"},
                 {"file:///etc/passwd", "Give --server"}};
    g_unsetenv("MOOWATCH_SERVER");
    GError *error = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        const ci_client_options options = {.server = wrong[i].address};
        assert_null(ci_client_new(&options, &error));
        EXPECT_ERROR(error, CI_ERROR_USAGE, wrong[i].says);
    }
    const ci_client_options none = {0};
    assert_null(ci_client_new(&none, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "MOOWATCH_SERVER");
    g_setenv("MOOWATCH_SERVER", "https://h", TRUE);
    g_autoptr(ci_client) client = ci_client_new(&none, &error);
    assert_non_null(client);
    g_unsetenv("MOOWATCH_SERVER");
}

static void a_token_file_that_holds_none(void **state) {
    asked *a = *state;
    g_autofree char *huge = g_strnfill(4097, 'x');
    const char *const texts[] = {"", "\n", "two words", "a\tb", "line\nline", huge};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *path = put(a->folder, "token", texts[i]);
        const ci_client_options options = {.server = a->url, .token_file = path};
        GError *error = NULL;
        assert_null(ci_client_new(&options, &error));
        EXPECT_ERROR(error, CI_ERROR_USAGE, "holds no token");
    }
    char nothing[] = "/no/such/file";
    const ci_client_options options = {.server = a->url, .token_file = nothing};
    GError *error = NULL;
    assert_null(ci_client_new(&options, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "--token-file");
}

static const receiver_request *request_with(asked *a, const ci_client_options *options) {
    g_autoptr(ci_client) client = ci_client_new(options, NULL);
    assert_non_null(client);
    ANSWER(a, JSON("{}"));
    receiver_forget(a->server);
    json_decref(ci_client_get(client, "/api/v1/x", NULL));
    return receiver_get(a->server, 0);
}

/* The file's before the environment's; a line break pasted with it is no part of it. */
static void where_the_token_comes_from(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "token", " from-file\n");
    const ci_client_options by_file = {.server = a->url, .token_file = file},
                            by_variable = {.server = a->url};
    g_setenv("MOOWATCH_TOKEN", "\tfrom-variable\r\n", TRUE);
    assert_string_equal(request_with(a, &by_file)->authorization, "Bearer from-file");
    assert_string_equal(request_with(a, &by_variable)->authorization, "Bearer from-variable");
    g_setenv("MOOWATCH_TOKEN", " \n", TRUE);
    assert_null(request_with(a, &by_variable)->authorization);
    g_setenv("MOOWATCH_TOKEN", "not one", TRUE);
    GError *error = NULL;
    assert_null(ci_client_new(&by_variable, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, "MOOWATCH_TOKEN: holds no token");
    g_unsetenv("MOOWATCH_TOKEN");
    assert_null(request_with(a, &by_variable)->authorization);
}

static void a_slash_at_the_end_of_the_address(void **state) {
    asked *a = *state;
    g_autofree char *url = g_strconcat(a->url, "//", NULL);
    const ci_client_options options = {.server = url};
    assert_string_equal(request_with(a, &options)->line, "GET /api/v1/x");
}

static void answers(void **state) {
    asked *a = *state;
    static const struct {
        receiver_answer answer;
        const char *says; /* NULL: it is good */
        bool refused;     /* asking again will not help */
    } cases[] = {
        {{200, NULL, NULL, "{\"ok\": 1}"}, NULL, true},
        {{201, NULL, NULL, "[]"}, NULL, true},
        {{200, NULL, NULL, "<html>"}, "is this a moowatch server?", true},
        {{200, NULL, NULL, ""}, "is this a moowatch server?", true},
        {{200, NULL, NULL, "{\"cut\": "}, "is this a moowatch server?", true},
        {{302, "Location", "http://elsewhere/", "{}"}, "redirect, which is not followed", true},
        {{404, NULL, NULL, "{\"title\": \"Not Found\", \"detail\": \"no project p\"}"},
         ": 404 no project p",
         true},
        {{401, NULL, NULL, "{\"title\": \"Unauthorized\"}"}, ": 401 Unauthorized", true},
        {{403, NULL, NULL, "plain text"}, ": 403 ", true},
        {{408, NULL, NULL, "{}"}, ": 408 ", false},
        {{429, NULL, NULL, "{\"detail\": \"slow down\"}"}, ": 429 slow down", false},
        {{500, NULL, NULL, "{\"detail\": 7}"}, ": 500 ", false},
        {{503, NULL, NULL, ""}, ": 503 ", false},
    };
    g_autoptr(ci_client) client = client_of(a);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        receiver_script(a->server, &cases[i].answer, 1);
        json_t *json = ci_client_get(client, "/api/v1/x", &error);
        assert_true((json != NULL) == !cases[i].says);
        if (cases[i].says) {
            assert_null(strstr(error->message, "secret-7"));
            EXPECT_ERROR(error, CI_ERROR_SERVER, cases[i].says);
        }
        assert_true(ci_client_refused(client) == cases[i].refused);
        json_decref(json);
    }
}

/* Nobody there is no refusal: it may be starting. */
static void nobody_listens(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    json_decref(ci_client_get(client, "/x", NULL));
    receiver *other = receiver_new();
    char *gone = g_strdup_printf("http://127.0.0.1:%u", receiver_port(other));
    receiver_free(other);
    const ci_client_options options = {.server = gone};
    g_autoptr(ci_client) alone = ci_client_new(&options, NULL);
    GError *error = NULL;
    assert_null(ci_client_get(alone, "/x", &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, gone);
    assert_false(ci_client_refused(alone));
    g_free(gone);
}

static void a_post_is_json(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    json_t *body = json_of("{'commit': 'main', 'night': null}");
    ANSWER(a, JSON("{\"job\": 9}"), JSON("{}"));
    json_t *answer = ci_client_post(client, "/api/v1/jobs", body, "COMMIT", NULL);
    expect_real(answer, "job", 9);
    json_decref(answer);
    const receiver_request *one = receiver_get(a->server, 0);
    assert_string_equal(one->line, "POST /api/v1/jobs");
    assert_string_equal(one->body, "{\"commit\":\"main\",\"night\":null}");
    assert_string_equal(one->type, "application/json");
    assert_string_equal(one->authorization, "Bearer secret-7");
    json_decref(ci_client_get(client, "/x", NULL)); /* nothing of the call before stays */
    assert_string_equal(receiver_get(a->server, 1)->line, "GET /x");
    assert_string_equal(receiver_get(a->server, 1)->body, "");
    json_decref(body);
}

static void paths_are_escaped(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *third, *path;
    } cases[] = {{"jobs", NULL, NULL, "/api/v1/jobs"},
                 {"projects", "kieker-java", "nights", "/api/v1/projects/kieker-java/nights"},
                 {"projects", "a/../b?c#d e", NULL, "/api/v1/projects/a%2F..%2Fb%3Fc%23d%20e"},
                 {"projects", "größe", "x", "/api/v1/projects/gr%C3%B6%C3%9Fe/x"},
                 {"a", NULL, "not reached", "/api/v1/a"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = ci_client_path(cases[i].first, cases[i].second, cases[i].third);
        assert_string_equal(path, cases[i].path);
    }
}

/* printf 'built from the commit' | openssl dgst -sha256 -binary | base64 */
static void an_upload_has_its_digest(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    g_autofree char *file = put(a->folder, "agent.jar", "built from the commit");
    ANSWER(a, {201, NULL, NULL, "{\"bytes\": 21}"});
    json_t *answer = ci_client_put_file(client, "/api/v1/artifacts/a", file, NULL);
    expect_real(answer, "bytes", 21);
    const receiver_request *one = receiver_get(a->server, 0);
    assert_string_equal(one->line, "PUT /api/v1/artifacts/a");
    assert_string_equal(one->body, "built from the commit");
    assert_string_equal(one->type, "application/octet-stream");
    assert_string_equal(one->authorization, "Bearer secret-7");
    assert_string_equal(one->digest, "sha-256=:ljdnod4OVYib0PGARa97ayoFyzhZ8RydpqFzBfRudwg=:");
    json_decref(answer);
}

static void what_cannot_be_uploaded(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    g_autofree char *empty = put(a->folder, "empty", "");
    const struct {
        const char *path, *says;
    } cases[] = {{empty, "empty, or not a file"}, {a->folder, a->folder}, {"/no/such", "/no/such"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_null(ci_client_put_file(client, "/x", cases[i].path, &error));
        EXPECT_ERROR(error, CI_ERROR_INPUT, cases[i].says);
    }
    EXPECT_NO_REQUEST(a);
}

static void a_refused_upload_says_why(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    g_autofree char *large = g_strnfill(300000, 'x');
    g_autofree char *file = put(a->folder, "agent.jar", large);
    GError *error = NULL;
    ANSWER(a, {413, NULL, NULL, "{\"detail\": \"larger than artifact_limit\"}"});
    assert_null(ci_client_put_file(client, "/x", file, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, "413 larger than artifact_limit");
}

/* From its beginning, wherever it was read to. */
static void an_open_file_is_posted_whole(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    g_autofree char *path = put(a->folder, "lines", "{\"a\":1}\n{\"b\":2}\n");
    FILE *file = fopen(path, "re");
    char some[5];
    assert_int_equal(fread(some, 1, sizeof some, file), sizeof some);
    ANSWER(a, JSON("{}"));
    json_t *answer = ci_client_post_file(client, "/import", file, NULL);
    (void)fclose(file);
    assert_non_null(answer);
    assert_string_equal(receiver_get(a->server, 0)->line, "POST /import");
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"a\":1}\n{\"b\":2}\n");
    assert_string_equal(receiver_get(a->server, 0)->type, "application/x-ndjson");
    json_decref(answer);
}

static void expect_nights(const json_t *nights, const char *const *names) {
    size_t i = 0;
    for (; names[i]; i++)
        expect_text(json_array_get(nights, i), "night", names[i]);
    assert_int_equal(json_array_size(nights), i);
}

#define PAGE_1                                                                                     \
    "{\"items\": [{\"night\": \"4\", \"commit\": {\"sha\": \"aaaa\"}}, "                           \
    "{\"night\": \"3\", \"commit\": null}], \"next\": \"a&b=c d\"}"
#define PAGE_2                                                                                     \
    "{\"items\": [{\"night\": \"2\", \"commit\": {\"sha\": \"abcd\"}}, "                           \
    "{\"night\": \"1\", \"commit\": {\"sha\": \"abce\"}}], \"next\": null}"

static void nights_page_by_page(void **state) {
    asked *a = *state;
    static const struct {
        unsigned limit;
        const char *commit;
        const char *names[5];
        const char *queries[3];
    } cases[] = {
        {0, NULL, {"4", "3", "2", "1"}, {"limit=500", "limit=500&cursor=a&b=c d"}},
        {3, NULL, {"4", "3", "2"}, {"limit=3", "limit=3&cursor=a&b=c d"}},
        {2, NULL, {"4", "3"}, {"limit=2"}},
        {9999, NULL, {"4", "3", "2", "1"}, {"limit=500", "limit=500&cursor=a&b=c d"}},
        {0, "ab", {"2"}, {"limit=500", "limit=500&cursor=a&b=c d"}},
        {0, "aaaa", {"4"}, {"limit=500", "limit=500&cursor=a&b=c d"}},
        {0, "ffff", {NULL}, {"limit=500", "limit=500&cursor=a&b=c d"}},
    };
    g_autoptr(ci_client) client = client_of(a);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(PAGE_1), JSON(PAGE_2));
        receiver_forget(a->server);
        json_t *nights = ci_client_nights(client, "p", cases[i].limit, cases[i].commit, NULL);
        expect_nights(nights, cases[i].names);
        guint n = 0;
        for (; cases[i].queries[n]; n++)
            assert_string_equal(receiver_get(a->server, n)->query, cases[i].queries[n]);
        assert_int_equal(receiver_count(a->server), n);
        json_decref(nights);
    }
}

static void a_page_that_fails_is_no_shorter_list(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    GError *error = NULL;
    ANSWER(a, JSON(PAGE_1), {500, NULL, NULL, "{}"});
    assert_null(ci_client_nights(client, "p", 0, NULL, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, "500");
}

/* As in tests/unit/runner/link/test_client.c; the address sanitizer sees it. */
static void a_header_that_goes_on_from_the_last_answer(void **state) {
    (void)state;
    told_peer *peer = told_begin(TOLD_FOLDED);
    const ci_client_options options = {.server = peer->url};
    ci_client *client = ci_client_new(&options, NULL);
    GError *error = NULL;
    json_t *answer = ci_client_get(client, "/x", NULL);
    assert_true(json_is_object(answer));
    json_decref(answer);
    assert_null(ci_client_get(client, "/x", &error)); /* of nothing */
    EXPECT_ERROR(error, CI_ERROR_SERVER, "/x: ");
    ci_client_free(client);
    assert_int_equal(told_end(peer), 1); /* the connection is used again */
}

static void expect_bytes(GBytes *bytes, const char *wanted) {
    assert_non_null(bytes);
    gsize size = 0;
    const char *got = g_bytes_get_data(bytes, &size);
    assert_int_equal(size, strlen(wanted));
    assert_memory_equal(got, wanted, size);
    g_bytes_unref(bytes);
}

/* A page as it is, and its name: asked with it, the server may say that it is still the same. */
static void what_is_known_is_not_fetched_again(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    g_autofree char *etag = NULL;
    GError *error = NULL;
    ANSWER(a, {200, "ETag", "\"one\"", "<p>no JSON</p>"}, {304, NULL, NULL, NULL},
           {200, NULL, NULL, "new"});
    expect_bytes(ci_client_fetch(client, "/p", &etag, &error), "<p>no JSON</p>");
    assert_string_equal(etag, "\"one\"");
    assert_null(ci_client_fetch(client, "/p", &etag, &error));
    assert_null(error);
    expect_bytes(ci_client_fetch(client, "/p", &etag, &error), "new");
    assert_null(etag); /* the last had none */
    EXPECT_REQUESTS(a, "GET /p", "GET /p", "GET /p");
    assert_string_equal(receiver_get(a->server, 0)->authorization, "Bearer secret-7");
}

static void what_cannot_be_fetched(void **state) {
    asked *a = *state;
    g_autoptr(ci_client) client = client_of(a);
    g_autofree char *etag = g_strdup("\"one\"");
    GError *error = NULL;
    ANSWER(a, {404, NULL, NULL, "{\"detail\": \"no such page\"}"}, {302, NULL, NULL, NULL});
    assert_null(ci_client_fetch(client, "/p", &etag, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, "/p: 404 no such page");
    assert_true(ci_client_refused(client));
    assert_null(etag);
    assert_null(ci_client_fetch(client, "/p", &etag, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, "/p: 302 it answers with a redirect");
    receiver_free(a->server);
    assert_null(ci_client_fetch(client, "/p", &etag, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, a->url);
    assert_false(ci_client_refused(client));
    a->server = receiver_new();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_that_goes_on_from_the_last_answer),
        cmocka_unit_test(which_server),
        ASKED(a_token_file_that_holds_none),
        ASKED(where_the_token_comes_from),
        ASKED(a_slash_at_the_end_of_the_address),
        ASKED(answers),
        ASKED(nobody_listens),
        ASKED(a_post_is_json),
        cmocka_unit_test(paths_are_escaped),
        ASKED(an_upload_has_its_digest),
        ASKED(what_cannot_be_uploaded),
        ASKED(a_refused_upload_says_why),
        ASKED(an_open_file_is_posted_whole),
        ASKED(nights_page_by_page),
        ASKED(a_page_that_fails_is_no_shorter_list),
        ASKED(what_is_known_is_not_fetched_again),
        ASKED(what_cannot_be_fetched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
