#include "runner/node/machine.h"

#include "config/json_text.h"
#include "runner/ground/procfs.h"

#include <gnu/libc-version.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CPU "/sys/devices/system/cpu/"

static char *read_below(const char *root, const char *path) {
    g_autofree char *whole = g_strconcat(root, path, NULL);
    return run_procfs_read(whole);
}

char *run_machine_line(const char *root, const char *path) {
    g_autofree char *text = read_below(root, path);
    if (!text)
        return NULL;
    text[strcspn(text, "\n")] = '\0';
    g_strstrip(text);
    return text[0] != '\0' ? g_utf8_make_valid(text, -1) : NULL;
}

char *run_machine_choice(const char *text) {
    const char *open = strchr(text, '[');
    const char *close = open ? strchr(open, ']') : NULL;
    return close ? g_strndup(open + 1, (gsize)(close - open - 1)) : g_strdup(text);
}

static void set_text(json_t *record, const char *key, const char *text) {
    json_object_set_new(record, key, json_string(text ? text : "unknown"));
}

static void set_line(json_t *record, const char *key, const char *root, const char *path) {
    g_autofree char *text = run_machine_line(root, path);
    set_text(record, key, text);
}

/* The first value of one of the keys in /proc/cpuinfo, in the order of the keys. */
static char *cpuinfo_value(const char *cpuinfo, const char *const *keys) {
    for (size_t i = 0; keys[i]; i++) {
        for (const char *line = cpuinfo; line && *line != '\0';) {
            const char *end = strchrnul(line, '\n');
            const char *colon = memchr(line, ':', (size_t)(end - line));
            if (colon && g_str_has_prefix(line, keys[i]) &&
                strchr(" \t:", line[strlen(keys[i])]) != NULL) {
                g_autofree char *value = g_strndup(colon + 1, (gsize)(end - colon - 1));
                g_autofree char *text = g_utf8_make_valid(value, -1);
                return g_strdup(g_strstrip(text));
            }
            line = *end == '\n' ? end + 1 : NULL;
        }
    }
    return NULL;
}

/* Number of different values of a key in /proc/cpuinfo, at least 1. */
static unsigned cpuinfo_count(const char *cpuinfo, const char *key) {
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(GStrv) lines = g_strsplit(cpuinfo, "\n", -1);
    for (size_t i = 0; lines[i]; i++) {
        const char *colon = strchr(lines[i], ':');
        if (colon && g_str_has_prefix(lines[i], key))
            g_hash_table_add(seen, g_strdup(colon));
    }
    return MAX(1, g_hash_table_size(seen));
}

static void add_processors(json_t *record, const char *root) {
    static const char *const models[] = {"model name", "Model", "cpu model", "cpu", NULL};
    static const char *const microcodes[] = {"microcode", NULL};
    g_autofree char *cpuinfo = read_below(root, "/proc/cpuinfo");
    const char *text = cpuinfo ? cpuinfo : "";
    g_autofree char *model = cpuinfo_value(text, models);
    g_autofree char *microcode = cpuinfo_value(text, microcodes);
    set_text(record, "cpu", model);
    set_text(record, "microcode", microcode);
    json_object_set_new(record, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_set_new(record, "sockets", json_integer(cpuinfo_count(text, "physical id")));
    set_line(record, "cpu0_siblings", root, CPU "cpu0/topology/thread_siblings_list");
    set_line(record, "smt", root, CPU "smt/control");
    set_line(record, "governor", root, CPU "cpu0/cpufreq/scaling_governor");
}

static void add_turbo(json_t *record, const char *root) {
    g_autofree char *no_turbo = run_machine_line(root, CPU "intel_pstate/no_turbo");
    g_autofree char *boost = run_machine_line(root, CPU "cpufreq/boost");
    const char *state = "unknown";
    if (no_turbo)
        state = strcmp(no_turbo, "0") == 0 ? "on" : "off";
    else if (boost)
        state = strcmp(boost, "0") == 0 ? "off" : "on";
    set_text(record, "turbo", state);
}

/* "meltdown: Mitigation: PTI; …" for every vulnerability that affects this processor. */
static void add_mitigations(json_t *record, const char *root) {
    g_autofree char *path = g_strconcat(root, CPU "vulnerabilities", NULL);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *file = g_strconcat(CPU "vulnerabilities/", name, NULL);
        g_autofree char *state = run_machine_line(root, file);
        if (state && strcmp(state, "Not affected") != 0)
            g_ptr_array_add(lines, g_strdup_printf("%s: %s", name, state));
    }
    cfg_texts_sort(lines);
    g_ptr_array_add(lines, NULL);
    g_autofree char *text = g_strjoinv(" | ", (char **)lines->pdata);
    set_text(record, "mitigations", folder ? text : NULL);
}

static void add_memory(json_t *record, const char *root) {
    g_autofree char *meminfo = read_below(root, "/proc/meminfo");
    int64_t kb = meminfo ? run_procfs_field(meminfo, "MemTotal") : 0;
    /* Kernels of one machine differ by some pages: tenths are exact enough. */
    json_object_set_new(record, "memory_gb", json_real(round((double)kb / 1024 / 102.4) / 10));
    g_autofree char *thp = run_machine_line(root, "/sys/kernel/mm/transparent_hugepage/enabled");
    g_autofree char *chosen = thp ? run_machine_choice(thp) : NULL;
    set_text(record, "thp", chosen);
}

void run_machine_add(json_t *record, const char *root) {
    struct utsname kernel;
    uname(&kernel);
    add_processors(record, root);
    add_turbo(record, root);
    add_memory(record, root);
    add_mitigations(record, root);
    set_text(record, "kernel", kernel.release);
    set_line(record, "kernel_options", root, "/proc/cmdline");
    set_line(record, "aslr", root, "/proc/sys/kernel/randomize_va_space");
    g_autofree char *libc = g_strconcat("glibc ", gnu_get_libc_version(), NULL);
    set_text(record, "libc", libc);
}
