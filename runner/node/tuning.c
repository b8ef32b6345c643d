#include "runner/node/tuning.h"

#include "config/json_text.h"
#include "config/log.h"
#include "runner/ground/durable.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/node/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glob.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    const char *explain;
    const char *pattern; /* glob of files; NULL: not a file */
    const char *value;   /* NULL: the housekeeping processors */
} run_knob;

/* All knobs; name NULL at the end. One name may have several lines: all that exist are set. */
static const run_knob knobs[] = {
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
    for (const run_knob *knob = knobs; knob->name; knob++) {
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

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define LATENCY "/dev/cpu_dma_latency" /* held open: the kernel takes it back when we are gone */

const char *const run_tuning_names[] = {"aslr", "cstates", "governor", "irq",      "ksm", "numa",
                                        "smt",  "thp",     "turbo",    "watchdog", NULL};

struct run_tuning {
    char *root, *restore_path;
    json_t *values; /* [{"path", "value"}]: what is written back */
    json_t *outcome;
    int latency_fd;
    bool fixed_addresses;
};

const char *run_tuning_explain(const char *name) {
    for (const run_knob *knob = knobs; knob->name; knob++)
        if (strcmp(knob->name, name) == 0)
            return knob->explain;
    return NULL;
}

/* NULL when it was written, else why not. The kernel takes or refuses such a file in one write. */
static const char *write_value(const char *root, const char *path, const char *value) {
    g_autofree char *whole = g_strconcat(root, path, NULL);
    return run_procfs_write(whole, value) ? NULL : g_strerror(errno);
}

/* What to write back: for a choice the chosen word. */
static char *read_value(const char *root, const char *path) {
    g_autofree char *line = run_machine_line(root, path);
    return line ? run_machine_choice(line) : NULL;
}

static char *join_names(void) {
    GString *all = g_string_new(run_tuning_names[0]);
    for (size_t i = 1; run_tuning_names[i]; i++)
        g_string_append_printf(all, ", %s", run_tuning_names[i]);
    return g_string_free(all, FALSE);
}

static bool is_known(const char *name) {
    return run_tuning_explain(name) != NULL;
}

/* Everything that is going to be touched and is not as wanted goes to disk first. */
static bool save(run_tuning *tuning, const run_tuning_place *place, char *const *names,
                 unsigned count, GError **error) {
    g_autofree char *boot_id = run_machine_line(place->root, BOOT_ID);
    tuning->values = json_array();
    for (unsigned i = 0; i < count; i++) {
        g_autoptr(GPtrArray) files = run_knob_files(place->root, names[i], place->housekeeping);
        for (guint f = 0; f < files->len; f++) {
            const run_knob_file *file = files->pdata[f];
            g_autofree char *before = read_value(place->root, file->path);
            if (before && strcmp(before, file->value) != 0) {
                json_array_append_new(tuning->values,
                                      json_pack("{s:s, s:s}", "path", file->path, "value", before));
            }
        }
    }
    json_auto_t *restore =
        json_pack("{s:s, s:O}", "boot_id", boot_id ? boot_id : "unknown", "values", tuning->values);
    return json_array_size(tuning->values) == 0 ||
           run_durable_json(place->restore_path, restore, error);
}

static char *set_files(const char *root, const char *name, const char *housekeeping) {
    g_autoptr(GPtrArray) files = run_knob_files(root, name, housekeeping);
    unsigned set = 0, as_wanted = 0;
    const char *refused = NULL;
    for (guint f = 0; f < files->len; f++) {
        const run_knob_file *file = files->pdata[f];
        g_autofree char *before = read_value(root, file->path);
        if (before && strcmp(before, file->value) == 0) {
            as_wanted++;
            continue;
        }
        const char *problem = write_value(root, file->path, file->value);
        set += !problem;
        refused = problem ? problem : refused;
    }
    if (set > 0)
        return g_strdup("set"); /* some interrupts cannot be moved: the others were */
    if (refused)
        return g_strconcat("refused: ", refused, NULL);
    return g_strdup(as_wanted > 0 ? "already set" : "absent");
}

static char *set_latency(run_tuning *tuning) {
    int32_t microseconds = 0;
    g_autofree char *path = g_strconcat(tuning->root, LATENCY, NULL);
    tuning->latency_fd = open(path, O_WRONLY | O_CLOEXEC);
    if (tuning->latency_fd < 0) {
        return errno == ENOENT ? g_strdup("absent")
                               : g_strconcat("refused: ", g_strerror(errno), NULL);
    }
    if (write(tuning->latency_fd, &microseconds, sizeof microseconds) != sizeof microseconds)
        return g_strconcat("refused: ", g_strerror(errno), NULL);
    return g_strdup("set");
}

static void set_knob(run_tuning *tuning, const run_tuning_place *place, const char *name) {
    g_autofree char *outcome = NULL;
    if (strcmp(name, "aslr") == 0) {
        tuning->fixed_addresses = true;
        outcome = g_strdup("set");
    } else if (strcmp(name, "cstates") == 0) {
        outcome = set_latency(tuning);
    } else if (strcmp(name, "irq") == 0 && !place->housekeeping) {
        outcome = g_strdup("refused: housekeeping_cpus is not configured");
    } else {
        outcome = set_files(place->root, name, place->housekeeping);
    }
    cfg_log("info", "tuning", "knob", "name=%s outcome=\"%s\"", name, outcome);
    json_object_set_new(tuning->outcome, name, json_string(outcome));
}

bool run_tuning_check(char *const *names, unsigned count, GError **error) {
    for (unsigned i = 0; i < count; i++) {
        g_autofree char *all = is_known(names[i]) ? NULL : join_names();
        if (all)
            return run_wrong(error, "tuning: unknown knob \"%s\"; known are %s", names[i], all);
    }
    return true;
}

run_tuning *run_tuning_apply(const run_tuning_place *place, char *const *names, unsigned count,
                             GError **error) {
    run_tuning *tuning = g_new0(run_tuning, 1);
    tuning->root = g_strdup(place->root);
    tuning->restore_path = g_strdup(place->restore_path);
    tuning->outcome = json_object();
    tuning->latency_fd = -1;
    if (!save(tuning, place, names, count, error)) {
        json_array_clear(tuning->values);
        run_tuning_end(tuning);
        return NULL;
    }
    for (unsigned i = 0; i < count; i++)
        set_knob(tuning, place, names[i]);
    return tuning;
}

json_t *run_tuning_outcome(const run_tuning *tuning) {
    return tuning->outcome;
}

bool run_tuning_fixed_addresses(const run_tuning *tuning) {
    return tuning->fixed_addresses;
}

char *run_tuning_effective(const run_tuning *tuning) {
    GString *text = g_string_new(NULL);
    for (size_t i = 0; run_tuning_names[i]; i++) {
        const char *outcome = cfg_json_word(tuning->outcome, run_tuning_names[i], NULL);
        if (g_strcmp0(outcome, "set") == 0 || g_strcmp0(outcome, "already set") == 0)
            g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "", run_tuning_names[i]);
    }
    return g_string_free(text, FALSE);
}

/* Last touched, first restored. Only what looks like a kernel setting is written. */
static unsigned put_back(const char *root, json_t *values) {
    unsigned restored = 0;
    for (size_t i = json_array_size(values); i-- > 0;) {
        const char *path = cfg_json_word(json_array_get(values, i), "path", NULL);
        const char *value = cfg_json_word(json_array_get(values, i), "value", NULL);
        if (!path || !value || strstr(path, "..") != NULL ||
            (!g_str_has_prefix(path, "/sys/") && !g_str_has_prefix(path, "/proc/")))
            continue;
        g_autofree char *now = read_value(root, path);
        const char *problem = g_strcmp0(now, value) == 0 ? NULL : write_value(root, path, value);
        restored += !problem && g_strcmp0(now, value) != 0;
        if (problem) {
            cfg_log("warning", "tuning", "not_restored", "path=\"%s\" value=\"%s\" reason=\"%s\"",
                    path, value, problem);
        }
    }
    return restored;
}

static void forget(const char *restore_path) {
    g_autoptr(GError) problem = NULL;
    if (!run_durable_remove(restore_path, &problem))
        cfg_log("warning", "tuning", "restore_file", "reason=\"%s\"", problem->message);
}

void run_tuning_end(run_tuning *tuning) {
    if (!tuning)
        return;
    if (json_array_size(tuning->values) > 0) {
        unsigned restored = put_back(tuning->root, tuning->values);
        cfg_log("info", "tuning", "restored", "settings=%u", restored);
        forget(tuning->restore_path);
    }
    if (tuning->latency_fd >= 0)
        close(tuning->latency_fd);
    json_decref(tuning->values);
    json_decref(tuning->outcome);
    g_free(tuning->root);
    g_free(tuning->restore_path);
    g_free(tuning);
}

unsigned run_tuning_recover(const run_tuning_place *place) {
    if (access(place->restore_path, F_OK) != 0)
        return 0;
    json_auto_t *restore = json_load_file(place->restore_path, JSON_REJECT_DUPLICATES, NULL);
    g_autofree char *boot_id = run_machine_line(place->root, BOOT_ID);
    unsigned restored = 0;
    if (g_strcmp0(cfg_json_word(restore, "boot_id", NULL), boot_id) == 0) {
        restored = put_back(place->root, json_object_get(restore, "values"));
        cfg_log("info", "tuning", "recovered", "settings=%u", restored);
    }
    forget(place->restore_path);
    return restored;
}
