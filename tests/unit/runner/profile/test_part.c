/* A profiler that is fetched: checked, kept, and never believed because it is there. */
#include "tests/unit/runner/file.h"
#include "tests/unit/runner/served.h"

#include "runner/profile/profiler.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <zip.h>

#define LIBRARY "what a profiler is"
#define PATH "/maven/prof-1.0.jar"

typedef struct {
    served *s;
    cfg_runner config;
    run_node node;
    char *zip, *zip_sha256, *file_sha256;
    gsize zip_size;
    run_part part;
} place;

static char *sha256_of(const void *bytes, gsize size) {
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, size);
}

static void make_zip(place *at, const char *text) {
    g_autofree char *path = g_build_filename(at->s->folder, "a.zip", NULL);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    assert_true(zip_file_add(zip, "linux-x64/lib.so", zip_source_buffer(zip, text, strlen(text), 0),
                             ZIP_FL_ENC_UTF_8) >= 0);
    assert_int_equal(zip_close(zip), 0);
    g_free(at->zip);
    g_free(at->zip_sha256);
    assert_true(g_file_get_contents(path, &at->zip, &at->zip_size, NULL));
    at->part.sha256 = at->zip_sha256 = sha256_of(at->zip, at->zip_size);
}

static void begin(place *at, served *s) {
    *at = (place){.s = s, .config = {.work_dir = s->folder}};
    at->node = (run_node){.config = &at->config, .stop_fd = s->stop[0]};
    at->file_sha256 = sha256_of(LIBRARY, strlen(LIBRARY));
    at->part = (run_part){.name = "prof",
                          .version = "1.0",
                          .site = s->url,
                          .path = PATH,
                          .bytes_max = 4096,
                          .entry = "linux-x64/lib.so",
                          .file = "lib.so",
                          .file_sha256 = at->file_sha256};
    make_zip(at, LIBRARY);
}

static void end(place *at) {
    g_free(at->zip_sha256);
    g_free(at->file_sha256);
    g_free(at->zip);
}

static char *get(place *at, GError **error) {
    return run_part_get(&at->part, &at->node, NULL, NULL, error);
}

static void answer_zip(place *at) {
    receiver_script(at->s->server, NULL, 0);
    receiver_serve(at->s->server, at->zip, at->zip_size);
}

static void it_is_fetched_once(void **state) {
    place at;
    begin(&at, *state);
    answer_zip(&at);
    g_autofree char *path = get(&at, NULL);
    assert_non_null(path);
    g_autofree char *expected = run_part_path(&at.part, at.config.work_dir);
    assert_string_equal(path, expected);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, LIBRARY);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0755);
    for (int i = 0; i < 2; i++) {
        g_autofree char *again = get(&at, NULL);
        assert_string_equal(again, path);
    }
    EXPECT_LINES(at.s, "GET " PATH);
    /* no token of ours goes to a registry */
    assert_null(receiver_get(at.s->server, 0)->authorization);
    /* nothing else is left beside it */
    g_autofree char *folder = g_path_get_dirname(path);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    assert_string_equal(g_dir_read_name(dir), "lib.so");
    assert_null(g_dir_read_name(dir));
    end(&at);
}

static void what_was_changed_is_fetched_again(void **state) {
    place at;
    begin(&at, *state);
    answer_zip(&at);
    g_autofree char *path = get(&at, NULL);
    assert_true(g_file_set_contents(path, "what code under test has put there", -1, NULL));
    receiver_forget(at.s->server);
    answer_zip(&at);
    g_autofree char *again = get(&at, NULL);
    assert_non_null(again);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(again, &text, NULL, NULL));
    assert_string_equal(text, LIBRARY);
    EXPECT_LINES(at.s, "GET " PATH);
    end(&at);
}

static void one_put_there_by_hand_is_taken(void **state) {
    place at;
    begin(&at, *state);
    g_autofree char *path = run_part_path(&at.part, at.config.work_dir);
    g_autofree char *folder = g_path_get_dirname(path);
    assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
    assert_true(g_file_set_contents(path, LIBRARY, -1, NULL));
    g_autofree char *got = get(&at, NULL);
    assert_string_equal(got, path);
    assert_int_equal(receiver_count(at.s->server), 0);
    end(&at);
}

static void what_is_wrong_is_named(void **state) {
    place at;
    begin(&at, *state);
    static const struct {
        receiver_answer answer;
        const char *says;
    } cases[] = {
        {{404, NULL, NULL, "no"}, "status 404"},
        {{200, NULL, NULL, "<html>a proxy's page</html>"}, "SHA-256"},
        {{302, "Location", "http://127.0.0.1:1/", NULL}, "status 302"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        receiver_script(at.s->server, &cases[i].answer, 1);
        receiver_serve(at.s->server, NULL, 0);
        assert_null(get(&at, &error));
        assert_error(error, RUN_ERROR_JOB, cases[i].says);
    }
    GError *error = NULL;
    at.part.bytes_max = 10;
    answer_zip(&at);
    assert_null(get(&at, &error));
    assert_error(error, RUN_ERROR_JOB, "prof 1.0 cannot be fetched: ");
    at.part.bytes_max = 4096;
    error = NULL;
    make_zip(&at, "another library");
    answer_zip(&at);
    assert_null(get(&at, &error));
    assert_error(error, RUN_ERROR_JOB, "linux-x64/lib.so in it is not the expected file");
    error = NULL;
    at.part.entry = "linux-z80/lib.so";
    answer_zip(&at);
    assert_null(get(&at, &error));
    assert_error(error, RUN_ERROR_JOB, PATH);
    end(&at);
}

static void without_a_way_out_it_is_said_where_to_put_it(void **state) {
    place at;
    begin(&at, *state);
    g_autofree char *nobody = nobody_there();
    at.part.site = nobody;
    GError *error = NULL;
    assert_null(get(&at, &error));
    assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
    assert_non_null(strstr(error->message, "no answer from"));
    assert_non_null(strstr(error->message, "/profilers/prof-1.0/lib.so by hand)"));
    g_error_free(error);
    end(&at);
}

static void who_is_told_to_stop_does_not_go_on(void **state) {
    place at;
    begin(&at, *state);
    GError *error = NULL;
    served_stop(at.s);
    answer_zip(&at);
    assert_null(get(&at, &error));
    assert_error(error, RUN_ERROR_STOPPED, "told to stop");
    end(&at);
}

static void a_folder_of_somebody_elses_is_not_used(void **state) {
    place at;
    begin(&at, *state);
    g_autofree char *folder = g_build_filename(at.s->folder, "profilers", NULL);
    g_autofree char *elsewhere = g_build_filename(at.s->folder, "elsewhere", NULL);
    assert_int_equal(g_mkdir(elsewhere, 0755), 0);
    assert_int_equal(symlink(elsewhere, folder), 0);
    GError *error = NULL;
    assert_null(get(&at, &error));
    assert_error(error, RUN_ERROR_JOB, "is not a folder owned by the agent's user");
    end(&at);
}

static void the_real_ones_are_whole(void **state) {
    (void)state;
    const run_part *const parts[] = {run_part_async_profiler(), run_part_py_spy()};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (!parts[i])
            continue; /* another kind of processor */
        assert_true(g_str_has_prefix(parts[i]->site, "https://"));
        assert_non_null(strstr(parts[i]->path, parts[i]->version));
        assert_int_equal(strspn(parts[i]->sha256, "0123456789abcdef"), 64);
        assert_int_equal(strspn(parts[i]->file_sha256, "0123456789abcdef"), 64);
        assert_true(g_str_has_suffix(parts[i]->entry, parts[i]->file));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(it_is_fetched_once),
        SERVED(what_was_changed_is_fetched_again),
        SERVED(one_put_there_by_hand_is_taken),
        SERVED(what_is_wrong_is_named),
        SERVED(without_a_way_out_it_is_said_where_to_put_it),
        SERVED(who_is_told_to_stop_does_not_go_on),
        SERVED(a_folder_of_somebody_elses_is_not_used),
        cmocka_unit_test(the_real_ones_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
