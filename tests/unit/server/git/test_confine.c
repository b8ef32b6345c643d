/* What a confined process may still do: tried in a child, since nothing takes it back. */
#include "server/git/fetch_helper.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/folder.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REFUSED_TO_CONFINE = 200 };

typedef struct {
    char *dir, *own, *other, *key;
} place;

static int setup(void **state) {
    place *at = g_new0(place, 1);
    at->dir = folder_new();
    at->own = g_build_filename(at->dir, "own", NULL);
    assert_int_equal(g_mkdir(at->own, 0700), 0);
    at->other = folder_file(at->dir, "other", "the database\n");
    at->key = folder_file(at->dir, "key", "a key\n");
    *state = at;
    return 0;
}

static int teardown(void **state) {
    place *at = *state;
    folder_free(at->dir);
    g_free(at->own);
    g_free(at->other);
    g_free(at->key);
    g_free(at);
    return 0;
}

/* errno of what a confined child tried, 0 when it could. */
static int tried(const srv_confinement *to, int (*act)(const char *path), const char *path) {
    const pid_t child = fork();
    if (child == 0)
        exit(srv_confine(to, NULL) ? act(path) : REFUSED_TO_CONFINE);
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int reads(const char *path) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const int code = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return code;
}

static int writes(const char *path) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int code = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return code;
}

static int makes_and_renames(const char *path) {
    g_autofree char *made = g_build_filename(path, "NAME.new", NULL);
    g_autofree char *mirror = g_build_filename(path, "NAME", NULL);
    return g_mkdir(made, 0700) == 0 && g_rename(made, mirror) == 0 && g_rmdir(mirror) == 0 ? 0
                                                                                           : errno;
}

static int removes(const char *path) {
    return g_unlink(path) == 0 ? 0 : errno;
}

static int runs(const char *path) {
    (void)execl(path, path, (char *)NULL);
    return errno;
}

static int with_port(int (*act)(int, const struct sockaddr *, socklen_t), uint16_t port) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int code = act(fd, (const struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    close(fd);
    return code;
}

static int listens(const char *path) {
    (void)path;
    return with_port(bind, 0);
}

/* Nobody listens at port 1. */
static int connects(const char *path) {
    (void)path;
    return with_port(connect, 1);
}

/* Skips where the kernel cannot. */
static void needs(int version) {
    if (srv_confine_version() < version)
        skip();
}

static void it_has_one_folder(void **state) {
    const place *at = *state;
    needs(1);
    const srv_confinement to = {.folder = at->own};
    g_autofree char *inside = g_build_filename(at->own, "pack", NULL);
    assert_int_equal(tried(&to, writes, inside), 0);
    assert_int_equal(tried(&to, reads, inside), 0);
    assert_int_equal(tried(&to, makes_and_renames, at->own), 0);
    assert_int_equal(tried(&to, writes, at->other), EACCES);
    assert_int_equal(tried(&to, removes, at->other), EACCES);
    assert_int_equal(tried(&to, reads, at->other), EACCES);
    assert_int_equal(tried(&to, reads, "/etc/passwd"), 0);
    assert_int_equal(tried(&to, runs, "/bin/true"), EACCES);
}

static void what_is_named_is_read_and_not_written(void **state) {
    const place *at = *state;
    needs(1);
    const char *const named[] = {"/nonexistent/key", at->key, NULL};
    const srv_confinement to = {.folder = at->own, .reads = named};
    assert_int_equal(tried(&to, reads, at->key), 0);
    assert_int_equal(tried(&to, writes, at->key), EACCES);
    assert_int_equal(tried(&to, reads, at->other), EACCES);
}

static void a_repository_here_is_read_wherever_it_lies(void **state) {
    const place *at = *state;
    needs(1);
    const srv_confinement to = {.folder = at->own, .reads_all = true};
    assert_int_equal(tried(&to, reads, at->other), 0);
    assert_int_equal(tried(&to, writes, at->other), EACCES);
}

static void the_network_is_for_those_who_need_it(void **state) {
    const place *at = *state;
    needs(NET_SINCE);
    const srv_confinement alone = {.folder = at->own}, far = {.folder = at->own, .connects = true};
    assert_int_equal(tried(&alone, connects, NULL), EACCES);
    assert_int_equal(tried(&far, connects, NULL), ECONNREFUSED);
    assert_int_equal(tried(&alone, listens, NULL), EACCES);
    assert_int_equal(tried(&far, listens, NULL), EACCES);
}

/* The service's filter of system calls ends a process at what it does not list. */
static void the_service_may_confine(void **state) {
    (void)state;
    g_autofree char *unit = NULL;
    assert_true(g_file_get_contents(TEST_SOURCE_DIR "/config/systemd/moowatchd.service", &unit,
                                    NULL, NULL));
    assert_non_null(strstr(unit, "\nSystemCallFilter=landlock_create_ruleset landlock_add_rule "
                                 "landlock_restrict_self\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_service_may_confine),
        cmocka_unit_test_setup_teardown(it_has_one_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_named_is_read_and_not_written, setup, teardown),
        cmocka_unit_test_setup_teardown(a_repository_here_is_read_wherever_it_lies, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_network_is_for_those_who_need_it, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
