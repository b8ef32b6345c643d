#include "runner/process/leftovers.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 100 /* new ones may be forked meanwhile */

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool works_in(const char *pid, const char *folder) {
    g_autofree char *link = g_strdup_printf("/proc/%s/cwd", pid);
    g_autofree char *cwd = g_file_read_link(link, NULL);
    return cwd && is_below(cwd, folder);
}

static bool was_given(const char *pid, const char *folder) {
    g_autofree char *path = g_strdup_printf("/proc/%s/environ", pid);
    g_autofree char *text = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &text, &length, NULL))
        return false;
    for (gsize at = 0; at < length; at += strlen(text + at) + 1)
        if (g_str_has_prefix(text + at, "TMPDIR=") && is_below(text + at + 7, folder))
            return true;
    return false;
}

unsigned run_leftovers_kill(const char *work_dir) {
    g_autofree char *real = realpath(work_dir, NULL);
    const char *folders[] = {"scratch", "checkout"};
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    bool any = real != NULL;
    for (int round = 0; any && round < ROUNDS; round++) {
        any = false;
        g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
        const char *pid;
        while (proc && (pid = g_dir_read_name(proc))) {
            pid_t number = (pid_t)strtol(pid, NULL, 10);
            for (size_t i = 0; number > 1 && number != getpid() && i < 2; i++) {
                g_autofree char *folder = g_build_filename(real, folders[i], NULL);
                if (works_in(pid, folder) || was_given(pid, folder)) {
                    any = kill(number, SIGKILL) == 0 || any;
                    g_hash_table_add(seen, GINT_TO_POINTER(number));
                }
            }
        }
        if (any)
            poll(NULL, 0, 10);
    }
    return g_hash_table_size(seen);
}
