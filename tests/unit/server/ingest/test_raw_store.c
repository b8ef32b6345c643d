#include "server/ingest/raw_store.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/retention/kept.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/store/files.h"
#include "server/store/store_sql.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

static const char good[] = "0;12;0;0\n0;13;0;0\n";

typedef struct {
    char bytes[1024];
    size_t size;
    char *sha;
} packed;

static packed pack(const char *text) {
    packed p;
    p.size = ZSTD_compress(p.bytes, sizeof p.bytes, text, strlen(text), 1);
    p.sha = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)p.bytes, p.size);
    return p;
}

static json_t *leased_job(fixture *fix) {
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    return fix_lease(fix);
}

/* What is sent, and the hash that is said of it; borrowed. */
typedef struct {
    const char *bytes;
    size_t size;
    const char *sha;
} parcel;

static bool send(fixture *fix, srv__place *raw, const json_t *leased, parcel sent, bool *created,
                 GError **error) {
    srv__incoming *upload = srv_raw_begin(raw, sent.sha, -1, error);
    if (!upload)
        return false;
    /* In small pieces, as they come from a network. */
    for (size_t at = 0; at < sent.size; at += 7) {
        if (!srv__incoming_write(upload, sent.bytes + at, MIN(7, sent.size - at), error)) {
            srv__incoming_free(upload);
            return false;
        }
    }
    const srv__raw_sent by = {1, json_string_value(json_object_get(leased, "lease"))};
    return srv_raw_finish(raw, upload, fix->store, &by, 1, created, error);
}

static unsigned files_in(const fixture *fix, const char *folder) {
    g_autofree char *path = g_build_filename(fix->dir, "raw", folder, NULL);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    unsigned count = 0;
    while (dir && g_dir_read_name(dir))
        count++;
    return count;
}

static bool is_known(fixture *fix, const char *sha) {
    int64_t count = 0;
    assert_true(srv__number(fix->store, sql_text("SELECT count(*) FROM raw WHERE sha256=$1", "t"),
                            SRV__ARGS(sha), 0, &count, NULL));
    return count > 0;
}

static void a_file_comes_back_as_sent(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    packed p = pack(good);
    bool created;
    char read_back[1024];
    uint64_t bytes;
    assert_false(is_known(fix, p.sha));
    assert_true(send(fix, fix->raw, leased, (parcel){p.bytes, p.size, p.sha}, &created, &error));
    assert_true(created);
    assert_true(send(fix, fix->raw, leased, (parcel){p.bytes, p.size, p.sha}, &created, &error));
    assert_false(created);
    assert_true(is_known(fix, p.sha));
    int64_t unpacked;
    assert_true(srv__number(fix->store,
                            sql_text("SELECT uncompressed_bytes FROM raw WHERE sha256=$1", "t"),
                            SRV__ARGS(p.sha), 0, &unpacked, NULL));
    assert_int_equal(unpacked, strlen(good));
    int fd = srv__place_read(fix->raw, p.sha, &bytes, &error);
    assert_true(fd >= 0);
    assert_int_equal(bytes, p.size);
    assert_int_equal(read(fd, read_back, sizeof read_back), p.size);
    assert_memory_equal(read_back, p.bytes, p.size);
    close(fd);
    assert_int_equal(files_in(fix, "incoming"), 0);
    g_free(p.sha);
    json_decref(leased);
}

/* What the head says is all that is looked at. */
static void bad_files_are_refused(void **state) {
    static const char endless[] = {0x28, (char)0xb5, 0x2f, (char)0xfd, 0x00,
                                   0x58, 0x01,       0x00, 0x00};
    fixture *fix = *state;
    json_t *leased = leased_job(fix);
    const packed empty = pack(""), file = pack(good);
    const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } cases[] = {
        {empty.bytes, empty.size, "the raw file is empty"},
        {file.bytes, file.size - 3, "truncated"},
        {file.bytes, file.size + 1, "bytes after its end"},
        {file.bytes, 4, "not a zstd frame that declares the length of its lines"},
        {endless, sizeof endless, "not a zstd frame that declares the length of its lines"},
        {"\x89MWCALS\x01", 8, "is the node's agent older than this server?"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        bool created;
        g_autofree char *sha = g_compute_checksum_for_data(
            G_CHECKSUM_SHA256, (const guchar *)cases[i].bytes, cases[i].size);
        assert_false(send(fix, fix->raw, leased, (parcel){cases[i].bytes, cases[i].size, sha},
                          &created, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        if (!strstr(error->message, cases[i].says))
            fail_msg("'%s' does not say '%s'", error->message, cases[i].says);
        g_error_free(error);
    }
    assert_int_equal(files_in(fix, "incoming"), 0);
    g_free(empty.sha);
    g_free(file.sha);
    json_decref(leased);
}

static void text_instead_of_zstd_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    bool created;
    g_autofree char *sha = g_compute_checksum_for_string(G_CHECKSUM_SHA256, good, -1);
    assert_false(send(fix, fix->raw, leased, (parcel){good, strlen(good), sha}, &created, &error));
    assert_non_null(strstr(error->message, "not a zstd frame"));
    g_error_free(error);
    json_decref(leased);
}

static void another_hash_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    packed p = pack(good), q = pack("1;1\n");
    bool created;
    assert_false(send(fix, fix->raw, leased, (parcel){p.bytes, p.size, q.sha}, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_non_null(strstr(error->message, "damaged in transit"));
    g_clear_error(&error);
    assert_false(is_known(fix, q.sha));
    g_free(p.sha);
    g_free(q.sha);
    json_decref(leased);
}

static void names_that_are_no_hash_are_refused(void **state) {
    static const char upper[] = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789";
    static const char *const names[] = {"", "../../../../etc/passwd", "ABCDEF", upper};
    fixture *fix = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        GError *error = NULL;
        uint64_t bytes;
        assert_null(srv_raw_begin(fix->raw, names[i], -1, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        g_clear_error(&error);
        assert_int_equal(srv__place_read(fix->raw, names[i], &bytes, &error), -1);
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
        g_clear_error(&error);
    }
}

static void a_lost_lease_stores_nothing(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    packed p = pack(good);
    bool created;
    json_t *other = json_pack("{s:s}", "lease", "somebody-else");
    assert_false(send(fix, fix->raw, other, (parcel){p.bytes, p.size, p.sha}, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    assert_false(is_known(fix, p.sha));
    json_decref(other);
    json_decref(leased);
    g_free(p.sha);
}

static void too_large_is_said_early_and_late(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    packed p = pack(good);
    bool created;
    g_autofree char *dir = g_build_filename(fix->dir, "raw", NULL);
    g_autoptr(srv__place) small = srv_raw_open(dir, 10, 0, &error);
    assert_null(srv_raw_begin(small, p.sha, 11, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_TOO_LARGE));
    g_clear_error(&error);
    assert_false(send(fix, small, leased, (parcel){p.bytes, p.size, p.sha}, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_TOO_LARGE));
    g_clear_error(&error);
    g_free(p.sha);
    json_decref(leased);
}

static void a_bomb_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    bool created;
    g_autofree char *dir = g_build_filename(fix->dir, "raw", NULL);
    g_autoptr(srv__place) small = srv_raw_open(dir, 10000, 0, &error);
    g_autofree char *zeros = g_malloc(10 << 20);
    char bytes[4096];
    memset(zeros, '0', 10 << 20);
    size_t size = ZSTD_compress(bytes, sizeof bytes, zeros, 10 << 20, 1);
    g_autofree char *sha =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, size);
    assert_false(send(fix, small, leased, (parcel){bytes, size, sha}, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_TOO_LARGE));
    g_error_free(error);
    json_decref(leased);
}

static void below_the_reserve_nothing_is_taken(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autofree char *dir = g_build_filename(fix->dir, "raw", NULL);
    g_autoptr(srv__place) full = srv_raw_open(dir, 1 << 20, UINT64_MAX / 2, &error);
    packed p = pack(good);
    assert_null(srv_raw_begin(full, p.sha, 100, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
    assert_non_null(strstr(error->message, "free some space"));
    g_error_free(error);
    g_free(p.sha);
}

/* A write that fails half way, as on a full disk: the file-size limit gives EFBIG. */
static void a_full_disk_while_writing_leaves_nothing(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *leased = leased_job(fix);
    bool created;
    g_autoptr(GString) text = g_string_new(NULL);
    GRand *random = g_rand_new_with_seed(7);
    while (text->len < 40000)
        g_string_append_printf(text, "0;%u\n", g_rand_int(random));
    g_rand_free(random);
    g_autofree char *bytes = g_malloc(text->len + 1000);
    size_t size = ZSTD_compress(bytes, text->len + 1000, text->str, text->len, 1);
    g_autofree char *sha =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, size);
    struct rlimit before, limit = {4096, 0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    bool good_answer = send(fix, fix->raw, leased, (parcel){bytes, size, sha}, &created, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(good_answer);
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
    g_clear_error(&error);
    assert_int_equal(files_in(fix, "incoming"), 0);
    assert_true(send(fix, fix->raw, leased, (parcel){bytes, size, sha}, &created, &error));
    json_decref(leased);
}

static void left_overs_go_at_the_start(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_autofree char *dir = g_build_filename(fix->dir, "raw", NULL);
    g_autofree char *path = g_build_filename(dir, "incoming", "half.XX", NULL);
    assert_true(g_file_set_contents(path, "x", 1, NULL));
    srv__place *again = srv_raw_open(dir, 100, 0, &error);
    assert_non_null(again);
    assert_int_equal(files_in(fix, "incoming"), 0);
    srv__place_free(again);
}

/* Another server is taking it in: its file is there, and held. */
static void what_another_server_takes_in_stays(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    char sha[65] = "";
    memset(sha, 'a', 64);
    g_autofree char *dir = g_build_filename(fix->dir, "raw", NULL);
    srv__incoming *upload = srv_raw_begin(fix->raw, sha, 1, &error);
    assert_int_equal(files_in(fix, "incoming"), 1);
    srv__place *again = srv_raw_open(dir, 100, 0, &error);
    assert_non_null(again);
    assert_int_equal(files_in(fix, "incoming"), 1);
    srv__place_free(again);
    srv__incoming_free(upload);
    assert_int_equal(files_in(fix, "incoming"), 0);
}

/* Whose the raw files are: those that jobs have in common, those that go, and those that come back.
 */

static const char *const same = "aa00000000000000000000000000000000000000000000000000000000000001";

static void insert(fixture *fix, int64_t job, const char *sha, bool is_new) {
    bool created = !is_new;
    const srv__raw_row row = {.sha256 = sha, .bytes = 100, .job = job};
    assert_true(srv__begin(fix->store, NULL));
    assert_true(
        srv__end(fix->store, srv__raw_insert(fix->store, &row, fix->now_ms, &created, NULL), NULL));
    assert_int_equal(created, is_new);
}

static int64_t drop(fixture *fix, int64_t job) {
    int64_t files = -1;
    assert_true(srv__begin(fix->store, NULL));
    assert_true(srv__end(fix->store,
                         srv__raw_drop(fix->store, job, "age", fix->now_ms, &files, NULL), NULL));
    return files;
}

/* Three jobs of different nights. */
static void jobs(fixture *fix, int64_t job[3]) {
    static const char *const nights[] = {"2013-04-01", "2013-04-02", "2013-04-03"};
    for (int i = 0; i < 3; i++)
        job[i] = fix_add(fix, "kieker", i + 1, nights[i], SRV_KIND_NIGHTLY);
}

static int64_t owner(fixture *fix) {
    return counted(fix, "SELECT job_id FROM raw");
}

/* It goes with the last of the jobs that have it. */
static void a_file_in_common_stays_until_the_last(void **state) {
    fixture *fix = *state;
    int64_t job[3];
    jobs(fix, job);
    insert(fix, job[0], same, true);
    insert(fix, job[0], same, false); /* sent again: nothing is in common */
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_share"), 0);
    insert(fix, job[2], same, false);
    insert(fix, job[1], same, false);
    assert_int_equal(drop(fix, job[0]), 0);
    assert_int_equal(owner(fix), job[1]);
    there(fix, 1, 0, 1);
    assert_int_equal(drop(fix, job[2]), 0); /* it has nothing of its own */
    there(fix, 1, 0, 2);
    assert_int_equal(drop(fix, job[1]), 1);
    there(fix, 0, 1, 3);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_share"), 0);
}

/* As an imported night does, whose files are those of the one that was exported. */
static void a_night_that_names_others_files_has_them_too(void **state) {
    static const double means[4] = {70, 470, 1600, 3200};
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 2, means);
    const int64_t second = counted(fix, "SELECT job_id FROM experiment WHERE id=2");
    assert_true(
        srv__run(fix->store,
                 sql_text("UPDATE loop SET raw_sha256=(SELECT o.raw_sha256 FROM loop o"
                          " WHERE o.experiment_id=1 AND o.ordinal=loop.ordinal AND o.loop=loop.loop"
                          " AND o.position=loop.position) WHERE experiment_id=2",
                          ""),
                 SRV__NO_ARGS, NULL));
    for (int i = 0; i < 2; i++) { /* again changes nothing */
        assert_true(srv__begin(fix->store, NULL));
        assert_true(srv__end(fix->store, srv__raw_share(fix->store, 2, second, 1, NULL), NULL));
    }
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw_share"), JOB_FILES);
    assert_int_equal(drop(fix, counted(fix, "SELECT job_id FROM experiment WHERE id=1")), 0);
    there(fix, 2 * JOB_FILES, 0, 1);
    assert_int_equal(drop(fix, second), 2 * JOB_FILES);
    there(fix, 0, 2 * JOB_FILES, 2);
}

/* Before it is gone. */
static void a_file_that_comes_back_stays(void **state) {
    fixture *fix = *state;
    int64_t job[3];
    jobs(fix, job);
    insert(fix, job[0], same, true);
    assert_int_equal(drop(fix, job[0]), 1);
    there(fix, 0, 1, 1);
    insert(fix, job[1], same, true);
    there(fix, 1, 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_file_comes_back_as_sent),
        FIX_TEST(bad_files_are_refused),
        FIX_TEST(text_instead_of_zstd_is_refused),
        FIX_TEST(another_hash_is_refused),
        FIX_TEST(names_that_are_no_hash_are_refused),
        FIX_TEST(a_lost_lease_stores_nothing),
        FIX_TEST(too_large_is_said_early_and_late),
        FIX_TEST(a_bomb_is_refused),
        FIX_TEST(below_the_reserve_nothing_is_taken),
        FIX_TEST(a_full_disk_while_writing_leaves_nothing),
        FIX_TEST(left_overs_go_at_the_start),
        FIX_TEST(what_another_server_takes_in_stays),

        FIX_TEST(a_file_in_common_stays_until_the_last),
        FIX_TEST(a_night_that_names_others_files_has_them_too),
        FIX_TEST(a_file_that_comes_back_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
