/* Any text as each of the three configuration files: refused with a reason, or whole. */
#include "config/config.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void told(GError *error) {
    if (!error || error->message[0] == '\0')
        abort();
    g_error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    GError *error = NULL;
    int fd = memfd_create("config", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    cfg_server *server = cfg_server_load(path, &error);
    if (!server)
        told(g_steal_pointer(&error));
    cfg_project *project = cfg_project_load(path, &error);
    if (!project)
        told(g_steal_pointer(&error));
    cfg_runner *runner = cfg_runner_load(path, &error);
    if (!runner)
        told(g_steal_pointer(&error));
    if ((server && !server->data_dir) || (project && !project->name) || (runner && !runner->server))
        abort();
    cfg_server_free(server);
    cfg_project_free(project);
    cfg_runner_free(runner);
    g_free(path);
    close(fd);
    return 0;
}
