/* The process that asks git: each line of a question has its line of an answer. This program is the
 * helper itself when it is started as moowatchd is. */
#include "tests/unit/test.h"

#include "server/git/fetch.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/repository.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <unistd.h>

enum { LONG_TEXT = 70000 };

/* The answers to these lines, one a line; the caller's. certificates: SSL_CERT_DIR. */
static char *said_with(const repository *at, const char *certificates, const char *lines) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    g_subprocess_launcher_setenv(launcher, "HOME", at->dir, TRUE);
    g_subprocess_launcher_setenv(launcher, "SSL_CERT_DIR", certificates, TRUE);
    g_autoptr(GSubprocess) helper =
        g_subprocess_launcher_spawn(launcher, &error, "/proc/self/exe", "--fetch-helper", NULL);
    assert_no_error(error);
    char *out = NULL;
    assert_true(g_subprocess_communicate_utf8(helper, lines, NULL, &out, NULL, &error));
    assert_int_equal(g_subprocess_get_exit_status(helper), 0);
    return out;
}

static char *said(const repository *at, const char *lines) {
    return said_with(at, "", lines);
}

/* Takes request. */
static json_t *answer_to(const repository *at, json_t *request) {
    g_autofree char *text = json_dumps(request, JSON_COMPACT);
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    g_autofree char *out = said(at, line);
    json_t *answer = json_loads(out, 0, NULL);
    json_decref(request);
    assert_non_null(answer);
    return answer;
}

/* Of a project whose nights end at midnight, asked at this time. */
static json_t *poll_at(const repository *at, int64_t now_s) {
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "op", "poll", "mirror", at->mirror, "url",
                     at->url, "branch", "main", "night_at", "00:00", "now_s", (json_int_t)now_s);
}

static const json_t *night_at(const json_t *answer, const char *list, size_t i) {
    return json_array_get(json_object_get(answer, list), i);
}

static void expect_night(const json_t *night, const char *date, const char *sha, int64_t place) {
    const json_t *commit = json_object_get(night, "commit");
    assert_string_equal(text_of(night, "date"), date);
    assert_string_equal(text_of(commit, "sha"), sha);
    assert_int_equal(number_of(commit, "place"), place);
}

static const int64_t day_s = 86400;

static int setup(void **state) {
    *state = repository_new();
    return 0;
}

static int teardown(void **state) {
    repository_free(*state);
    return 0;
}

static void a_poll_tells_head_nights_and_announcements(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, day_s + 10, "a");
    g_autofree char *b = repository_commit(at, day_s + 20, "b\n\nOverhead-Expected: I +5 %\n");
    g_autofree char *c = repository_commit(at, 2 * day_s + 10, "c");
    json_t *request = poll_at(at, 3 * day_s + 1);
    json_object_set_new(request, "since", json_string("1970-01-01"));
    json_t *answer = answer_to(at, request);
    assert_string_equal(text_of(answer, "head"), c);
    assert_string_equal(text_of(answer, "tags"), "");
    assert_true(json_is_false(json_object_get(answer, "unchanged")));
    assert_true(json_is_false(json_object_get(answer, "rewritten")));
    assert_int_equal(json_array_size(json_object_get(answer, "nights")), 2);
    expect_night(night_at(answer, "nights", 0), "1970-01-03", b, 2);
    expect_night(night_at(answer, "nights", 1), "1970-01-04", c, 3);
    const json_t *first = json_object_get(night_at(answer, "nights", 0), "commit");
    assert_string_equal(text_of(first, "parent"), a);
    assert_string_equal(text_of(first, "subject"), "b");
    assert_int_equal(number_of(first, "time_ms"), (day_s + 20) * 1000);
    const json_t *said_so = night_at(answer, "expectations", 0);
    assert_string_equal(text_of(said_so, "text"), "I +5 %");
    assert_int_equal(number_of(said_so, "place"), 2);
    assert_string_equal(text_of(json_object_get(said_so, "commit"), "sha"), b);
    json_decref(answer);
}

/* The remote comes after a mirror nearby that lacks the branch: the daemon takes a second
 * "connected" for the end. */
static void that_it_is_connected_is_said_once(void **state) {
    const repository *at = *state;
    g_autofree char *first = repository_commit(at, day_s, "a");
    g_autofree char *bare = g_strconcat(at->mirror, "-near", NULL);
    repository_do(at, "init", "-q", "--bare", bare, NULL);
    json_t *request = poll_at(at, 2 * day_s);
    json_object_set_new(request, "tells", json_true());
    json_object_set_new(request, "near", json_string(bare));
    g_autofree char *text = json_dumps(request, JSON_COMPACT);
    g_autofree char *lines = g_strconcat(text, "\n", NULL); /* its end lets go */
    g_autofree char *out = said(at, lines);
    g_auto(GStrv) answers = g_strsplit(out, "\n", -1);
    assert_int_equal(g_strv_length(answers), 3);
    assert_string_equal(answers[0], "{\"connected\":true}");
    json_auto_t *answer = json_loads(answers[1], 0, NULL);
    assert_string_equal(text_of(answer, "head"), first);
    json_decref(request);
}

static void what_is_known_already_is_not_told_again(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, day_s, "a\n\nOverhead-Expected: old\n");
    const struct {
        const char *known, *known_tags;
        bool force, unchanged;
    } cases[] = {
        {NULL, NULL, false, false}, {a, "", false, true},    {a, "", true, false},
        {a, "else", false, false},  {a, NULL, false, false}, {"0123", "", false, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *request = poll_at(at, 2 * day_s + 1);
        json_object_set_new(request, "force", json_boolean(cases[i].force));
        if (cases[i].known)
            json_object_set_new(request, "known", json_string(cases[i].known));
        if (cases[i].known_tags)
            json_object_set_new(request, "known_tags", json_string(cases[i].known_tags));
        json_t *answer = answer_to(at, request);
        if (json_is_true(json_object_get(answer, "unchanged")) != cases[i].unchanged)
            fail_msg("case %zu", i);
        assert_int_equal(json_object_get(answer, "nights") == NULL, cases[i].unchanged);
        if (cases[i].known == a && !cases[i].unchanged)
            assert_int_equal(json_array_size(json_object_get(answer, "expectations")), 0);
        json_decref(answer);
    }
}

/* Whatever its clock says: it is of the night after it was seen, and of no other one later. */
static void a_head_that_is_dated_ahead_has_its_night(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, day_s, "a");
    g_autofree char *ahead = repository_commit(at, 10000 * day_s, "ahead");
    for (int64_t now_s = 4 * day_s + 1; now_s < 7 * day_s; now_s += day_s) {
        json_t *request = poll_at(at, now_s);
        json_object_set_new(request, "force", json_true());
        json_object_set_new(request, "since", json_string("1970-01-01"));
        json_object_set_new(request, "known", json_string(ahead));
        json_object_set_new(request, "known_s", json_integer(3 * day_s + 5));
        json_t *answer = answer_to(at, request);
        assert_int_equal(json_array_size(json_object_get(answer, "nights")), 2);
        expect_night(night_at(answer, "nights", 0), "1970-01-03", a, 1);
        expect_night(night_at(answer, "nights", 1), "1970-01-05", ahead, 2);
        json_decref(answer);
    }
}

static void a_rewritten_branch_announces_everything_again(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, day_s, "a\n\nOverhead-Expected: from the start\n");
    g_autofree char *b = repository_commit(at, day_s + 1, "b");
    json_decref(answer_to(at, poll_at(at, 2 * day_s)));
    repository_do(at, "reset", "-q", "--hard", a, NULL);
    g_autofree char *other = repository_commit(at, day_s + 2, "another b");
    json_t *request = poll_at(at, 2 * day_s);
    json_object_set_new(request, "known", json_string(b));
    json_t *answer = answer_to(at, request);
    assert_true(json_is_true(json_object_get(answer, "rewritten")));
    assert_string_equal(text_of(answer, "head"), other);
    assert_int_equal(json_array_size(json_object_get(answer, "expectations")), 1);
    json_decref(answer);
}

/* Asked of the branch 1.15.x, into a mirror of its own. */
static json_t *branch_at(const repository *at, bool main_known) {
    g_autofree char *own = g_strconcat(at->mirror, "-1.15.x", NULL);
    g_autofree char *nowhere = g_strconcat(at->mirror, "-none", NULL);
    json_t *request = poll_at(at, 9 * day_s + 1);
    json_object_set_new(request, "mirror", json_string(own));
    json_object_set_new(request, "branch", json_string("1.15.x"));
    json_object_set_new(request, "since", json_string("1970-01-01"));
    json_object_set_new(request, "releases", json_string("v*"));
    json_object_set_new(request, "releases_since", json_string("1970-01-01"));
    json_object_set_new(request, "main_mirror", json_string(main_known ? at->mirror : nowhere));
    json_object_set_new(request, "main_branch", json_string("main"));
    return request;
}

static void a_further_branch_begins_where_it_parted(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, day_s + 10, "old"));
    repository_do(at, "tag", "v1.14", NULL);
    g_autofree char *parted = repository_commit(at, 2 * day_s + 10, "parted");
    repository_do(at, "checkout", "-q", "-b", "1.15.x", NULL);
    g_autofree char *fix = repository_commit(at, 4 * day_s + 10, "fix");
    repository_do(at, "tag", "v1.15.1", NULL);
    repository_do(at, "checkout", "-q", "main", NULL);
    g_free(repository_commit(at, 5 * day_s + 10, "new"));
    json_decref(answer_to(at, poll_at(at, 9 * day_s)));
    json_t *answer = answer_to(at, branch_at(at, true));
    assert_true(json_is_false(json_object_get(answer, "cut")));
    assert_int_equal(json_array_size(json_object_get(answer, "nights")), 2);
    expect_night(night_at(answer, "nights", 0), "1970-01-04", parted, 2);
    expect_night(night_at(answer, "nights", 1), "1970-01-06", fix, 3);
    assert_int_equal(json_array_size(json_object_get(answer, "release_nights")), 1);
    expect_night(night_at(answer, "release_nights", 0), "1970-01-06", fix, 3);
    json_decref(answer);
    /* merged into the main branch later, it still has its own nights */
    repository_do(at, "merge", "-q", "--no-ff", "-m", "merge", "1.15.x", NULL);
    json_decref(answer_to(at, poll_at(at, 9 * day_s)));
    answer = answer_to(at, branch_at(at, true));
    assert_int_equal(json_array_size(json_object_get(answer, "nights")), 2);
    json_decref(answer);
    /* where the main one cannot be read, nobody knows: the newest alone, and all at another poll */
    answer = answer_to(at, branch_at(at, false));
    assert_true(json_is_true(json_object_get(answer, "cut")));
    assert_int_equal(json_array_size(json_object_get(answer, "nights")), 1);
    expect_night(night_at(answer, "nights", 0), "1970-01-06", fix, 3);
    json_decref(answer);
}

/* Releases since a date have a night each; without one, since the latest night. */
static void releases_have_their_nights(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, day_s + 10, "a");
    repository_do(at, "tag", "v1", NULL);
    g_free(repository_commit(at, day_s + 20, "b"));
    g_autofree char *c = repository_commit(at, 2 * day_s + 10, "c");
    repository_do(at, "tag", "v2", NULL);
    repository_do(at, "checkout", "-q", "-b", "topic", NULL);
    g_autofree char *elsewhere = repository_commit(at, 2 * day_s + 20, "elsewhere");
    repository_do(at, "tag", "v3-topic", NULL);
    const struct {
        const char *since;
        size_t nights;
    } cases[] = {{NULL, 1}, {"1970-01-03", 2}, {"1970-01-04", 1}, {"1970-01-05", 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *request = poll_at(at, 3 * day_s + 1);
        json_object_set_new(request, "releases", json_string("v*"));
        if (cases[i].since)
            json_object_set_new(request, "releases_since", json_string(cases[i].since));
        json_t *answer = answer_to(at, request);
        const json_t *releases = json_object_get(answer, "releases");
        assert_string_equal(text_of(releases, a), "v1");
        assert_string_equal(text_of(releases, c), "v2");
        assert_string_equal(text_of(releases, elsewhere), "v3-topic");
        assert_int_equal(json_array_size(json_object_get(answer, "release_nights")),
                         cases[i].nights);
        if (cases[i].nights == 2)
            expect_night(night_at(answer, "release_nights", 0), "1970-01-03", a, 1);
        json_decref(answer);
    }
}

static void a_commit_is_described_with_its_place_on_the_branch(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, day_s, "a");
    repository_do(at, "checkout", "-q", "-b", "topic", NULL);
    g_autofree char *topic = repository_commit(at, day_s + 1, "topic");
    repository_do(at, "checkout", "-q", "main", NULL);
    repository_do(at, "merge", "-q", "--no-ff", "-m", "m", "topic", NULL);
    json_decref(answer_to(at, poll_at(at, 2 * day_s)));
    const struct {
        const char *commit, *branch;
        int64_t place;
    } cases[] = {{a, "main", 1}, {topic, "main", 0}, {a, NULL, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *answer =
            answer_to(at, json_pack("{s:s, s:s, s:s, s:s*}", "op", "describe", "mirror", at->mirror,
                                    "commit", cases[i].commit, "branch", cases[i].branch));
        const json_t *commit = json_object_get(answer, "commit");
        assert_string_equal(text_of(commit, "sha"), cases[i].commit);
        assert_int_equal(number_of(commit, "place"), cases[i].place);
        json_decref(answer);
    }
}

/* The subjects, oldest first, as "a b c", or the reason. */
static char *between(const repository *at, const char *from, const char *to, int limit, bool cut) {
    json_t *answer = answer_to(at, json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b}", "op", "between",
                                             "mirror", at->mirror, "branch", "main", "from", from,
                                             "to", to, "limit", limit, "cut", cut));
    GString *text = g_string_new(text_of(answer, "reason"));
    size_t i;
    json_t *commit;
    json_array_foreach (json_object_get(answer, "commits"), i, commit)
        g_string_append_printf(text, "%s ", text_of(commit, "subject"));
    if (!json_object_get(answer, "reason"))
        g_string_append_printf(text, "of %d", (int)number_of(answer, "total"));
    json_decref(answer);
    return g_string_free(text, FALSE);
}

static void the_commits_between_two_are_told_or_why_not(void **state) {
    const repository *at = *state;
    static const char *const subjects[] = {"a", "b", "c", "d", "e"};
    char *ids[5];
    for (int i = 0; i < 5; i++)
        ids[i] = repository_commit(at, day_s + i, subjects[i]);
    json_decref(answer_to(at, poll_at(at, 2 * day_s)));
    const struct {
        const char *from, *to;
        int limit;
        bool cut;
        const char *text;
    } cases[] = {
        {ids[0], ids[3], 10, false, "b c d of 3"},
        {ids[0], ids[3], 3, false, "b c d of 3"},
        {ids[0], ids[3], 2, false, "there are too many commits between the two"},
        {ids[0], ids[3], 2, true, "c d of 3"},
        {ids[3], ids[4], 1, false, "e of 1"},
        {ids[3], ids[0], 10, false,
         "the later commit does not come after the earlier one on the branch"},
        {ids[2], ids[2], 10, false,
         "the later commit does not come after the earlier one on the branch"},
        {"0123456789012345678901234567890123456789", ids[2], 10, false,
         "the branch no longer has both commits on its first-parent line"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            between(at, cases[i].from, cases[i].to, cases[i].limit, cases[i].cut);
        assert_string_equal(text, cases[i].text);
    }
    for (int i = 0; i < 5; i++)
        g_free(ids[i]);
}

/* Clocks that were behind, on the line and on what was merged, change nothing. */
static void the_commits_between_two_hang_on_no_date(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, 5 * day_s, "a");
    repository_do(at, "branch", "topic", NULL);
    for (int i = 0; i < 10; i++)
        g_free(repository_commit(at, i + 1, "slow"));
    repository_do(at, "checkout", "-q", "topic", NULL);
    for (int i = 0; i < 10; i++)
        g_free(repository_commit(at, i + 1, "topic"));
    repository_do(at, "checkout", "-q", "main", NULL);
    repository_do(at, "merge", "-q", "--no-ff", "-m", "merge", "topic", NULL);
    g_autofree char *b = repository_commit(at, 6 * day_s, "b");
    json_decref(answer_to(at, poll_at(at, 7 * day_s)));
    g_autofree char *text = between(at, a, b, 20, false);
    assert_string_equal(text, "slow slow slow slow slow slow slow slow slow slow merge b of 12");
}

/* A link to the mirror, which is up to date, in a folder that is no mirrors' own; to g_free. */
static char *linked_from_elsewhere(const repository *at) {
    g_autofree char *mirrors = g_build_filename(at->dir, "elsewhere", NULL);
    char *link = g_build_filename(mirrors, "kieker", NULL);
    json_decref(answer_to(at, poll_at(at, 2 * day_s)));
    assert_int_equal(g_mkdir(mirrors, 0700), 0);
    assert_int_equal(symlink(at->mirror, link), 0);
    return link;
}

/* Whoever got a repository to write beside its mirror would find nothing to write to. */
static void what_lies_beside_the_mirrors_is_out_of_reach(void **state) {
    const repository *at = *state;
    if (srv_confine_version() == 0)
        skip();
    g_autofree char *sha = repository_commit(at, day_s, "a"), *link = linked_from_elsewhere(at);
    json_t *answer = answer_to(
        at, json_pack("{s:s, s:s, s:s}", "op", "describe", "mirror", link, "commit", sha));
    assert_non_null(text_of(answer, "error"));
    assert_null(json_object_get(answer, "commit"));
    json_decref(answer);
    answer = answer_to(
        at, json_pack("{s:s, s:s, s:s}", "op", "describe", "mirror", at->mirror, "commit", sha));
    assert_string_equal(text_of(json_object_get(answer, "commit"), "sha"), sha);
    json_decref(answer);
}

/* OpenSSL takes them with colons between them; a missing one or none hides no other. */
static void each_folder_of_certificates_can_be_read(void **state) {
    const repository *at = *state;
    if (srv_confine_version() == 0)
        skip();
    g_autofree char *sha = repository_commit(at, day_s, "a"), *link = linked_from_elsewhere(at);
    g_autofree char *line =
        g_strdup_printf("{\"op\":\"describe\",\"mirror\":\"%s\",\"commit\":\"%s\"}\n", link, sha);
    const struct {
        const char *before, *after;
        bool named;
    } cases[] = {{"", "", true},
                 {"/nonexistent:", "", true},
                 {"/nonexistent::", ":/etc/ssl/certs", true},
                 {"/nonexistent:", ".old", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *folders = g_strconcat(cases[i].before, at->mirror, cases[i].after, NULL);
        g_autofree char *out = said_with(at, folders, line);
        json_t *answer = json_loads(out, 0, NULL);
        if ((json_object_get(answer, "commit") != NULL) != cases[i].named)
            fail_msg("%s: %s", folders, out);
        json_decref(answer);
    }
}

static void what_is_no_request_is_told_and_the_next_is_answered(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, day_s, "a"));
    g_autofree char *long_text = g_strnfill(LONG_TEXT, 'x');
#define POLL(members) "{\"op\":\"poll\",\"mirror\":\"m\",\"now_s\":1," members "}"
    const struct {
        const char *line, *says;
    } cases[] = {
        {"no JSON", "not a request: "},
        {"[]", "not a request: unknown op"},
        {"{\"op\":\"push\"}", "not a request: unknown op"},
        {"{\"op\":7}", "not a request: unknown op"},
        {"{\"op\":\"poll\"}", "poll request: "},
        {"{\"op\":\"describe\",\"mirror\":\"m\"}", "describe request: \"commit\" must be a text"},
        {"{\"op\":\"between\",\"mirror\":\"m\"}", "between request: \"branch\" must be a text"},
        {POLL("\"url\":\"ext::sh\",\"branch\":\"main\",\"night_at\":\"00:00\""),
         "the repository's address is not valid; give an https,"},
        {POLL("\"url\":\"/r\",\"branch\":\"-x\",\"night_at\":\"00:00\""),
         "git does not accept the branch name"},
        {POLL("\"url\":\"/r\",\"branch\":\"main\",\"night_at\":\"25:00\""), "25:00"},
        {POLL("\"url\":\"/r\",\"branch\":\"main\",\"schedule\":\"0 0 30 2 *\""), "it never fires"},
        {POLL("\"url\":\"/nonexistent/r\",\"branch\":\"main\",\"night_at\":\"00:00\""),
         "the repository cannot be reached: /nonexistent/r"},
        {"{\"op\":\"between\",\"mirror\":\"m\",\"branch\":\"a..b\",\"from\":\"x\",\"to\":\"y\","
         "\"limit\":1}",
         "git does not accept the branch name"},
        {long_text, "the request is too long"},
    };
    g_autoptr(GString) lines = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        g_string_append_printf(lines, "%s\n", cases[i].line);
    g_autofree char *out = said(at, lines->str);
    g_auto(GStrv) answers = g_strsplit(out, "\n", -1);
    assert_int_equal(g_strv_length(answers), G_N_ELEMENTS(cases) + 1);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *answer = json_loads(answers[i], 0, NULL);
        assert_says(text_of(answer, "error"), cases[i].says);
        json_decref(answer);
    }
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--fetch-helper") == 0)
        return srv_fetch_helper_main();
#define ON_REPOSITORY(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        ON_REPOSITORY(a_poll_tells_head_nights_and_announcements),
        ON_REPOSITORY(that_it_is_connected_is_said_once),
        ON_REPOSITORY(what_is_known_already_is_not_told_again),
        ON_REPOSITORY(a_head_that_is_dated_ahead_has_its_night),
        ON_REPOSITORY(a_rewritten_branch_announces_everything_again),
        ON_REPOSITORY(a_further_branch_begins_where_it_parted),
        ON_REPOSITORY(releases_have_their_nights),
        ON_REPOSITORY(a_commit_is_described_with_its_place_on_the_branch),
        ON_REPOSITORY(the_commits_between_two_are_told_or_why_not),
        ON_REPOSITORY(the_commits_between_two_hang_on_no_date),
        ON_REPOSITORY(what_lies_beside_the_mirrors_is_out_of_reach),
        ON_REPOSITORY(each_folder_of_certificates_can_be_read),
        ON_REPOSITORY(what_is_no_request_is_told_and_the_next_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
