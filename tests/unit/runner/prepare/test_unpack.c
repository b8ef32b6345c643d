/* An archive of somebody who is not trusted: what lands on the disk, and where it never does. */
#include "tests/unit/runner/file.h"
#include "tests/unit/runner/tar.h"

#include "runner/prepare/unpack.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLENTY "1000000"

/* Its exit status in a process of its own, as it is run, and what it complained of. */
static int unpack(const char *archive, const char *folder, const char *bytes, char **said) {
    FILE *errors = tmpfile();
    const pid_t child = fork();
    if (child == 0) {
        char *argv[] = {(char[]){"moowatch-runner"},
                        (char[]){"unpack"},
                        g_strdup(archive),
                        g_strdup(folder),
                        g_strdup(bytes),
                        NULL};
        dup2(fileno(errors), STDERR_FILENO);
        exit(run_unpack_main(bytes ? 5 : 4, argv));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    char text[1000] = "";
    rewind(errors);
    (void)!fread(text, 1, sizeof text - 1, errors);
    (void)fclose(errors);
    *said = g_strdup(text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The folder "in" of *state, new. */
static char *make_in(void **state) {
    char *in = g_build_filename(*state, "in", NULL);
    assert_true(run_scratch_remove(in, NULL));
    assert_int_equal(g_mkdir(in, 0700), 0);
    return in;
}

static void expect_text(const char *folder, const char *name, const char *wanted, mode_t mode) {
    g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
    struct stat status;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, wanted);
    assert_int_equal(lstat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, mode);
}

static void files_folders_and_links(void **state) {
    static const tar_entry entries[] = {
        {"bin/", '5', NULL, NULL, 0500},       {"bin/run", '0', "#!/bin/sh\n", NULL, 0755},
        {"./readme", '0', "read me", NULL, 0}, {"root", '0', "s", NULL, 06777},
        {"link", '2', NULL, "bin/run", 0777},  {"same", '1', NULL, "readme", 0644},
        {"deep/er/file", '0', "", NULL, 0644}};
    g_autofree char *in = make_in(state), *said = NULL;
    g_autofree char *tar = put_tar(*state, "a.tar", entries, G_N_ELEMENTS(entries));
    assert_int_equal(unpack(tar, in, PLENTY, &said), 0);
    assert_string_equal(said, "");
    expect_text(in, "bin/run", "#!/bin/sh\n", 0755);
    expect_text(in, "root", "s", 0755); /* neither set-user-id nor anybody's: umask 022 */
    expect_text(in, "same", "read me", 0600);
    expect_text(in, "deep/er/file", "", 0644);
    g_autofree char *link = g_build_filename(in, "link", NULL);
    g_autofree char *target = g_file_read_link(link, NULL);
    assert_string_equal(target, "bin/run");
}

/* Each of them alone would have written beside the folder, or made what is no file. */
static void what_is_refused(void **state) {
    static const struct {
        tar_entry entries[2];
        size_t count;
        const char *says;
    } cases[] = {
        {{{"../out", '0', "x", NULL, 0644}}, 1, "points outside the folder: ../out"},
        {{{"a/../../out", '0', "x", NULL, 0644}}, 1, "points outside the folder"},
        {{{"a/..", '5', NULL, NULL, 0755}}, 1, "points outside the folder"},
        {{{"/tmp/moowatch-out", '0', "x", NULL, 0644}}, 1, "points outside the folder"},
        {{{"same", '1', NULL, "../secret", 0644}}, 1, "points outside the folder: same"},
        {{{"same", '1', NULL, "/etc/passwd", 0644}}, 1, "points outside the folder: same"},
        {{{"link", '2', NULL, "..", 0777}, {"link/out", '0', "x", NULL, 0644}}, 2, "link"},
        {{{"link", '2', NULL, "/tmp", 0777}, {"link/moowatch-out", '0', "x", NULL, 0644}},
         2,
         "link"},
        {{{"pipe", '6', NULL, NULL, 0644}}, 1, "not a file, folder or link: pipe"},
        {{{"null", '3', NULL, NULL, 0666}}, 1, "not a file, folder or link: null"},
    };
    g_autofree char *out = g_build_filename(*state, "out", NULL);
    g_free(put_file(*state, "secret", "s", 0600));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *in = make_in(state), *said = NULL;
        g_autofree char *tar = put_tar(*state, "a.tar", cases[i].entries, cases[i].count);
        assert_int_equal(unpack(tar, in, PLENTY, &said), 1);
        if (!strstr(said, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", said, cases[i].says);
        assert_false(g_file_test(out, G_FILE_TEST_EXISTS));
        assert_false(g_file_test("/tmp/moowatch-out", G_FILE_TEST_EXISTS));
    }
}

/* The limit is of what is unpacked, over all files; up to it all is well. */
static void the_limit_in_bytes(void **state) {
    static const tar_entry entries[] = {{"a", '0', "12345", NULL, 0644},
                                        {"b", '0', "67890", NULL, 0644}};
    g_autofree char *tar = put_tar(*state, "a.tar", entries, G_N_ELEMENTS(entries));
    static const struct {
        const char *bytes;
        int exit;
    } cases[] = {{"10", 0}, {"9", 1}, {"5", 1}, {"0", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *in = make_in(state), *said = NULL;
        assert_int_equal(unpack(tar, in, cases[i].bytes, &said), cases[i].exit);
        assert_true(!strstr(said, "more than prepare_output_limit_bytes") == !cases[i].exit);
    }
}

static void what_is_no_archive(void **state) {
    static const tar_entry entries[] = {{"a", '0', "12345", NULL, 0644}};
    g_autofree char *tar = put_tar(*state, "a.tar", entries, 1), *bytes = NULL;
    g_autofree char *text = put_file(*state, "text.tar", "no archive at all", 0600);
    g_autofree char *cut = g_build_filename(*state, "cut.tar", NULL);
    assert_true(g_file_get_contents(tar, &bytes, NULL, NULL));
    assert_true(g_file_set_contents(cut, bytes, 514, NULL));
    const char *const paths[] = {text, cut, "/no/such.tar", *state};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *in = make_in(state), *said = NULL;
        assert_int_equal(unpack(paths[i], in, PLENTY, &said), 1);
        assert_true(g_str_has_prefix(said, "unpack: "));
    }
}

/* tar.gz and zip come from tools of every day. */
static void packed_archives(void **state) {
    g_autofree char *source = g_build_filename(*state, "source", NULL);
    assert_int_equal(g_mkdir(source, 0700), 0);
    g_free(put_file(source, "file", "hello", 0644));
    static const struct {
        const char *name, *option;
    } cases[] = {{"a.tar.gz", "-czf"}, {"a.tar.xz", "-cJf"}, {"a.tar.bz2", "-cjf"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *in = make_in(state), *said = NULL;
        g_autofree char *path = g_build_filename(*state, cases[i].name, NULL);
        g_autofree char *line =
            g_strdup_printf("tar %s %s -C %s file", cases[i].option, path, source);
        assert_true(g_spawn_command_line_sync(line, NULL, NULL, NULL, NULL));
        assert_int_equal(unpack(path, in, PLENTY, &said), 0);
        expect_text(in, "file", "hello", 0644);
    }
}

static void called_wrongly(void **state) {
    g_autofree char *in = make_in(state), *said = NULL, *more = NULL, *none = NULL;
    g_autofree char *text = put_file(*state, "a.tar", "", 0600);
    assert_int_equal(unpack(text, in, NULL, &said), 2);
    assert_non_null(strstr(said, "unpack ARCHIVE FOLDER BYTES"));
    assert_int_equal(unpack(text, in, "many", &more), 2);
    assert_int_equal(unpack(text, "/no/such/folder", PLENTY, &none), 1);
    assert_non_null(strstr(none, "/no/such/folder"));
}

static void names_of_archives(void **state) {
    (void)state;
    static const char *const archives[] = {"a.tar",      "a.tar.gz", "a.tgz",     "a.tar.bz2",
                                           "a.b.tar.xz", "a.txz",    "a.tar.zst", "agent.zip"};
    static const char *const others[] = {"a.jar",      "a.gz", "tar",    "a.tar.lz", "a.ZIP",
                                         "a.zip.part", "a.7z", "a.tar/", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(archives); i++)
        assert_true(run_unpack_is_archive(archives[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        assert_false(run_unpack_is_archive(others[i]));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(files_folders_and_links),  IN_FOLDER(what_is_refused),
        IN_FOLDER(the_limit_in_bytes),       IN_FOLDER(what_is_no_archive),
        IN_FOLDER(packed_archives),          IN_FOLDER(called_wrongly),
        cmocka_unit_test(names_of_archives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
