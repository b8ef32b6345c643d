#include "runner/node/knobs.h"

#include <glob.h>
#include <stdbool.h>
#include <string.h>

const run_knob run_knobs[] = {
    {"aslr", "no address randomisation for the benchmark: the same layout in every process", NULL,
     NULL},
    {"cstates", "no deep sleep of the processors: no wake-up delays", NULL, NULL},
    {"governor", "processors at full frequency instead of following the load",
     "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", "performance"},
    {"irq", "interrupts to the housekeeping processors", "/proc/irq/*/smp_affinity_list", NULL},
    {"ksm", "no merging of equal memory pages in the background", "/sys/kernel/mm/ksm/run", "0"},
    {"numa", "no moving of memory between nodes", "/proc/sys/kernel/numa_balancing", "0"},
    {"smt", "one thread per core: no sharing with a neighbour",
     "/sys/devices/system/cpu/smt/control", "off"},
    {"thp", "no huge pages made in the background", "/sys/kernel/mm/transparent_hugepage/enabled",
     "never"},
    {"turbo", "no boost, which depends on heat and on the neighbours",
     "/sys/devices/system/cpu/intel_pstate/no_turbo", "1"},
    {"turbo", "no boost, which depends on heat and on the neighbours",
     "/sys/devices/system/cpu/cpufreq/boost", "0"},
    {"watchdog", "no lock-up watchdog's timer on every processor", "/proc/sys/kernel/watchdog",
     "0"},
    {NULL, NULL, NULL, NULL}};

static void free_file(gpointer data) {
    run_knob_file *file = data;
    g_free(file->path);
    g_free(file->value);
    g_free(file);
}

/* A processor without hardware threads has the file, and says so in it. */
static bool is_supported(const char *path) {
    g_autofree char *text = NULL;
    return !g_file_get_contents(path, &text, NULL, NULL) || !g_str_has_prefix(text, "not");
}

GPtrArray *run_knob_files(const char *root, const char *name, const char *housekeeping) {
    GPtrArray *files = g_ptr_array_new_with_free_func(free_file);
    for (const run_knob *knob = run_knobs; knob->name; knob++) {
        const char *value = knob->value ? knob->value : housekeeping;
        if (strcmp(knob->name, name) != 0 || !knob->pattern || !value)
            continue;
        g_autofree char *pattern = g_strconcat(root, knob->pattern, NULL);
        glob_t found;
        if (glob(pattern, 0, NULL, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc && is_supported(found.gl_pathv[i]); i++) {
                run_knob_file *file = g_new0(run_knob_file, 1);
                file->path = g_strdup(found.gl_pathv[i] + strlen(root));
                file->value = g_strdup(value);
                g_ptr_array_add(files, file);
            }
            globfree(&found);
        }
    }
    return files;
}
