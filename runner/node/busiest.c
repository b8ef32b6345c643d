#include "runner/node/busiest.h"

#include "runner/ground/procfs.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMED 3

typedef struct {
    int pid;
    uint64_t ticks;
    char name[32];
} user;

/* Processor time and name of one process from its /proc/<pid>/stat. */
static bool read_user(const char *pid, user *out) {
    g_autofree char *path = g_strdup_printf("/proc/%s/stat", pid);
    g_autofree char *text = run_procfs_read(path);
    const char *open = text ? strchr(text, '(') : NULL;
    const char *close = text ? strrchr(text, ')') : NULL;
    if (!open || !close)
        return false;
    g_autofree char *name = g_strndup(open + 1, (gsize)(close - open - 1));
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    g_strlcpy(out->name, valid, sizeof out->name);
    out->pid = (int)strtol(pid, NULL, 10);
    g_auto(GStrv) fields = g_strsplit(close + 2, " ", 14); /* from the state on */
    if (g_strv_length(fields) < 14)
        return false;
    out->ticks = strtoull(fields[11], NULL, 10) + strtoull(fields[12], NULL, 10);
    return true;
}

static GHashTable *read_users(void) {
    GHashTable *users = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *name;
    while (proc && (name = g_dir_read_name(proc))) {
        user one;
        if (g_ascii_isdigit(name[0]) && read_user(name, &one) && one.pid != getpid())
            g_hash_table_insert(users, GINT_TO_POINTER(one.pid), g_memdup2(&one, sizeof one));
    }
    return users;
}

static gint compare_users(gconstpointer a, gconstpointer b) {
    const user *left = a, *right = b;
    return (right->ticks > left->ticks) - (right->ticks < left->ticks);
}

char *run_busiest_name(int64_t ms) {
    g_autoptr(GHashTable) before = read_users();
    poll(NULL, 0, (int)ms);
    g_autoptr(GHashTable) after = read_users();
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(user));
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, after);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        user one = *(user *)value;
        const user *old = g_hash_table_lookup(before, GINT_TO_POINTER(one.pid));
        one.ticks -= old && old->ticks <= one.ticks ? old->ticks : 0;
        g_array_append_val(all, one);
    }
    g_array_sort(all, compare_users);
    GString *text = g_string_new(NULL);
    double tick_percent = 1e5 / ((double)sysconf(_SC_CLK_TCK) * (double)MAX(ms, 1));
    for (guint i = 0; i < MIN(all->len, NAMED); i++) {
        const user *one = &g_array_index(all, user, i);
        double percent = (double)one->ticks * tick_percent;
        if (percent >= 2) {
            g_string_append_printf(text, "%s%s (%d) %.0f %%", text->len > 0 ? ", " : "", one->name,
                                   one->pid, percent);
        }
    }
    return text->len > 0 ? g_string_free(text, FALSE)
                         : (g_string_free(text, TRUE), g_strdup("no single process"));
}
