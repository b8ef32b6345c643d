/* The server's `bucket:`: what is taken, and what is told with file and line. */
#include "tests/unit/test.h"

#include "config/config.h"

#include <glib/gstdio.h>
#include <string.h>

static char *path;

static cfg_server *load(const char *bucket, GError **error) {
    g_autofree char *text = g_strconcat("data_dir: data\n", bucket, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    return cfg_server_load(path, error);
}

static void a_bucket_is_read(void **state) {
    (void)state;
    g_autoptr(cfg_server) server =
        load("bucket:\n  url: https://s3.example.org:9000/moowatch/raw-1\n  region: eu-1\n"
             "  credentials_file: key\n",
             NULL);
    assert_non_null(server);
    assert_string_equal(server->bucket.url, "https://s3.example.org:9000/moowatch/raw-1");
    assert_string_equal(server->bucket.region, "eu-1");
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *key = g_build_filename(folder, "key", NULL);
    assert_string_equal(server->bucket.credentials_file, key);
}

static void without_one_there_is_none(void **state) {
    (void)state;
    g_autoptr(cfg_server) server = load("", NULL);
    assert_null(server->bucket.url);
    g_autoptr(cfg_server) other =
        load("bucket:\n  url: http://127.0.0.1:9000/b\n  credentials_file: key\n", NULL);
    assert_string_equal(other->bucket.region, "us-east-1");
}

static void what_is_wrong_is_told(void **state) {
    static const char *const urls[] = {"s3://bucket",          "https://host",
                                       "https://host/",        "https://host/bucket/",
                                       "https:///bucket",      "https://user:pw@host/bucket",
                                       "https://host/b?x=1",   "https://host/b ucket",
                                       "https://host//bucket", "ftp://host/bucket"};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text =
            g_strdup_printf("bucket:\n  url: \"%s\"\n  credentials_file: key\n", urls[i]);
        assert_null(load(text, &error));
        if (!strstr(error->message, "must be https://HOST/BUCKET"))
            fail_msg("%s: %s", urls[i], error->message);
    }
    g_autoptr(GError) error = NULL;
    assert_null(load("bucket:\n  url: https://host/bucket\n", &error));
    assert_non_null(strstr(error->message, "needs credentials_file"));
    g_clear_error(&error);
    assert_null(load("bucket:\n  credentials_file: key\n", &error));
    assert_non_null(strstr(error->message, "must be https://HOST/BUCKET"));
}

static int setup(void **state) {
    (void)state;
    g_autofree char *dir = g_dir_make_tmp("moowatch-bucket-XXXXXX", NULL);
    path = g_build_filename(dir, "moowatchd.yaml", NULL);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    g_autofree char *dir = g_path_get_dirname(path);
    g_unlink(path);
    g_rmdir(dir);
    g_free(path);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_is_read),
        cmocka_unit_test(without_one_there_is_none),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
