/* What CI hands in: by commit and name, with the hash of its bytes announced. */
#include "tests/unit/server/desk.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/test.h"

#include "server/transfer/export.h"

#define SHA "0123456789012345678901234567890123456789"
#define JAR "/api/v1/projects/kieker/artifacts/" SHA "/kieker.jar"

/* The headers of an upload of these bytes by ada. */
static char *headers_of(const desk *at, const char *bytes) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 digest[32];
    gsize size = sizeof digest;
    g_checksum_update(sum, (const guchar *)bytes, (gssize)strlen(bytes));
    g_checksum_get_digest(sum, digest, &size);
    g_autofree char *base64 = g_base64_encode(digest, size);
    return g_strdup_printf("%sContent-Digest: sha-256=:%s:\r\n", at->admin, base64);
}

static void an_artifact_comes_back_as_it_was(void **state) {
    desk *at = *state;
    g_autofree char *headers = headers_of(at, "the jar's bytes");
    json_decref(desk_json(at, "PUT", JAR, headers, "the jar's bytes", 201));
    json_decref(desk_json(at, "PUT", JAR, headers, "the jar's bytes", 200));
    g_autofree char *answer = desk_call(at, "GET", JAR, at->admin, NULL, 200);
    assert_string_equal(answer_body(answer), "the jar's bytes");
    g_autofree char *etag = answer_header(answer, "ETag");
    g_autofree char *known = g_strdup_printf("%sIf-None-Match: %s\r\n", at->admin, etag);
    g_free(desk_call(at, "GET", JAR, known, NULL, 304));
    json_t *list = desk_get(at, "/api/v1/projects/kieker/artifacts");
    const json_t *first = json_array_get(json_object_get(list, "items"), 0);
    assert_int_equal(json_array_size(json_object_get(list, "items")), 1);
    assert_string_equal(text_of(first, "name"), "kieker.jar");
    assert_int_equal(number_of(first, "bytes"), strlen("the jar's bytes"));
    json_decref(list);
    g_free(desk_call(at, "DELETE", JAR, at->admin, NULL, 204));
    json_decref(desk_json(at, "GET", JAR, at->admin, NULL, 404));
    json_decref(desk_json(at, "DELETE", JAR, at->admin, NULL, 404));
}

static void other_bytes_under_the_same_name_are_a_conflict(void **state) {
    desk *at = *state;
    g_autofree char *one = headers_of(at, "one"), *two = headers_of(at, "two");
    json_decref(desk_json(at, "PUT", JAR, one, "one", 201));
    json_decref(desk_json(at, "PUT", JAR, two, "two", 409));
    g_autofree char *answer = desk_call(at, "GET", JAR, at->admin, NULL, 200);
    assert_string_equal(answer_body(answer), "one");
}

static void what_is_not_as_announced_is_refused(void **state) {
    desk *at = *state;
    g_autofree char *headers = headers_of(at, "right");
    static const desk_refusal undigested[] = {
        {JAR, "bytes", 400, "send the header Content-Digest: sha-256=:BASE64:"},
        {JAR, "", 400, "the request has no body; the artifact's bytes were expected"},
        {"/api/v1/projects/nobody/artifacts/" SHA "/x", "b", 404, "no project of that name"},
    };
    static const desk_refusal digested[] = {
        {JAR, "wrong", 400, ""},
        {"/api/v1/projects/kieker/artifacts/HEAD/x", "right", 400, "commit"},
        {"/api/v1/projects/kieker/artifacts/" SHA "/.hidden", "right", 400, "name"},
    };
    static const desk_refusal lists[] = {
        {"/api/v1/projects/kieker/artifacts?limit=0", NULL, 400, "limit"},
        {"/api/v1/projects/kieker/artifacts?cursor=x", NULL, 400, "cursor"},
        {"/api/v1/projects/nobody/artifacts", NULL, 404, "nobody"},
    };
    desk_refuses(at, "PUT", at->admin, undigested, G_N_ELEMENTS(undigested));
    desk_refuses(at, "PUT", headers, digested, G_N_ELEMENTS(digested));
    desk_refuses(at, "GET", NULL, lists, G_N_ELEMENTS(lists));
    json_t *list = desk_get(at, "/api/v1/projects/kieker/artifacts");
    assert_int_equal(json_array_size(json_object_get(list, "items")), 0);
    json_decref(list);
}

static void reading_everything_is_not_reading_artifacts(void **state) {
    desk *at = *state;
    g_autofree char *headers = headers_of(at, "one");
    json_decref(desk_json(at, "PUT", JAR, headers, "one", 201));
    json_decref(desk_json(at, "GET", JAR, NULL, NULL, 401));
    const desk_refusal unleased = {JAR, NULL, 403, "has not leased a job that measures commit"};
    desk_refuses(at, "GET", at->runner, &unleased, 1);
    json_decref(desk_json(at, "DELETE", JAR, at->runner, NULL, 403));
}

/* A history taken in over HTTP: all of it or nothing, and the line that was wrong. */

#define IMPORT "/api/v1/projects/copy/import"

static bool add_line(const char *line, void *user, GError **error) {
    (void)error;
    g_string_append_printf(user, "%s\n", line);
    return true;
}

/* What another server exports of seven nights. */
static char *exported(desk *at) {
    GString *text = g_string_new(NULL);
    desk_measure(at);
    assert_true(srv_export_project(at->fix->store, "kieker", 5, add_line, text, NULL));
    return g_string_free(text, FALSE);
}

/* A loop of the last night took a little longer. */
static char *with_other_values(const char *lines) {
    const char *last = g_strrstr(lines, "\"mean_ns\":");
    const size_t until = (size_t)(last - lines) + strlen("\"mean_ns\":");
    const char *rest = strpbrk(last, ",}");
    return g_strdup_printf("%.*s%.6f%s", (int)until, lines,
                           g_ascii_strtod(lines + until, NULL) * 1.00001, rest);
}

static void a_history_is_taken_in_under_its_name_here(void **state) {
    desk *at = *state;
    g_autofree char *text = exported(at);
    for (int round = 0; round < 2; round++) {
        json_t *counts = desk_json(at, "POST", IMPORT, at->admin, text, 200);
        assert_string_equal(text_of(counts, "project"), "copy");
        assert_int_equal(number_of(counts, "nights"), round == 0 ? 7 : 0);
        assert_int_equal(number_of(counts, "known"), round == 0 ? 0 : 7);
        json_decref(counts);
    }
    g_autofree char *heavy = with_other_values(text);
    for (int round = 0; round < 2; round++) {
        json_auto_t *told = desk_json(at, "POST", round == 0 ? IMPORT : IMPORT "?replace=true",
                                      at->admin, heavy, 200);
        assert_int_equal(number_of(told, "known"), 6);
        const json_t *one = json_array_get(json_object_get(told, "differing"), 0);
        assert_says(text_of(one, "reason"), "it stays as it is: a node measured it");
    }
    json_decref(desk_json(at, "POST", IMPORT "?replace=1", at->admin, heavy, 400));
    json_t *nights = desk_get(at, "/api/v1/projects/copy/nights");
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 7);
    json_decref(nights);
}

static void a_wrong_line_is_named_and_nothing_is_taken(void **state) {
    desk *at = *state;
    g_autofree char *text = exported(at);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_free(lines[4]);
    lines[4] = g_strdup("{\"type\":\"nonsense\"}");
    g_autofree char *broken = g_strjoinv("\n", lines);
    json_t *problem = desk_json(at, "POST", IMPORT, at->admin, broken, 400);
    assert_int_equal(number_of(problem, "line"), 5);
    assert_says(text_of(problem, "detail"), "line 5: type: must be");
    json_decref(problem);
    json_decref(desk_json(at, "GET", "/api/v1/projects/copy", NULL, NULL, 404));
}

static void what_is_no_import_is_refused(void **state) {
    desk *at = *state;
    g_autofree char *large = g_strnfill((1 << 20) + 1, 'x');
    const desk_refusal cases[] = {
        {IMPORT, "", 400, "the request has no body; the lines of an export were expected"},
        {IMPORT, large, 413, "import_limit_bytes"},
        {IMPORT, "no JSON\n", 400, "line 1: is not a JSON object"},
    };
    desk_refuses(at, "POST", at->admin, cases, G_N_ELEMENTS(cases));
    const desk_refusal runner = {IMPORT, "x", 403, "with the scope"};
    desk_refuses(at, "POST", at->runner, &runner, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(an_artifact_comes_back_as_it_was),
        DESK_TEST(other_bytes_under_the_same_name_are_a_conflict),
        DESK_TEST(what_is_not_as_announced_is_refused),
        DESK_TEST(reading_everything_is_not_reading_artifacts),

        DESK_TEST(a_history_is_taken_in_under_its_name_here),
        DESK_TEST(a_wrong_line_is_named_and_nothing_is_taken),
        DESK_TEST(what_is_no_import_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
