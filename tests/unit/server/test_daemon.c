/* The whole daemon, begun and ended in one process. */
#include "tests/unit/test.h"

#include "tests/unit/server/folder.h"

#include "server/daemon.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char *configured(const char *folder) {
    g_autofree char *text = g_strdup_printf("listen: 127.0.0.1\nport: 0\ndata_dir: %s/data\n"
                                            "projects_dir: %s\n",
                                            folder, folder);
    return folder_file(folder, "moowatchd.yaml", text);
}

/* As after a kill of the daemon: a child of it that has not become its program yet is still there.
 */
static void a_child_of_the_one_before_does_not_hold_the_folder(void **state) {
    (void)state;
    char *folder = folder_new();
    g_autofree char *file = configured(folder);
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) config = cfg_server_load(file, &error);
    assert_non_null(config);
    const srv_daemon_options options = {.program = "/proc/self/exe", .commit = ""};
    srv_app *app = srv_daemon_start(config, &options, &error);
    assert_non_null(app);
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    srv_daemon_stop(app);
    app = srv_daemon_start(config, &options, &error);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_null(error);
    assert_non_null(app);
    srv_daemon_stop(app);
    folder_free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_of_the_one_before_does_not_hold_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
