#include "runner/node/doctor.h"

#include "config/json_text.h"
#include "runner/node/gate.h"
#include "runner/node/machine.h"
#include "runner/node/tuning.h"
#include "runner/process/sandbox.h"
#include "runner/process/volume.h"

#include <string.h>
#include <unistd.h>

#define BUSIEST_MS 500

static char *knob_state(const char *root, const char *name, const char *housekeeping) {
    if (strcmp(name, "aslr") == 0)
        return g_strdup("can be set");
    if (strcmp(name, "cstates") == 0) {
        return g_strdup(access("/dev/cpu_dma_latency", W_OK) == 0   ? "can be set"
                        : access("/dev/cpu_dma_latency", F_OK) == 0 ? "needs root"
                                                                    : "absent");
    }
    g_autoptr(GPtrArray) files = run_knob_files(root, name, housekeeping);
    unsigned wanted = 0, writable = 0;
    for (guint i = 0; i < files->len; i++) {
        const run_knob_file *file = files->pdata[i];
        g_autofree char *path = g_strconcat(root, file->path, NULL);
        g_autofree char *line = run_machine_line(root, file->path);
        g_autofree char *value = line ? run_machine_choice(line) : g_strdup("");
        wanted += strcmp(value, file->value) == 0;
        writable += access(path, W_OK) == 0;
    }
    if (files->len == 0) {
        return g_strdup(strcmp(name, "irq") == 0 && !housekeeping ? "needs housekeeping_cpus"
                                                                  : "absent");
    }
    return g_strdup(wanted == files->len ? "already set"
                    : writable > 0       ? "can be set"
                                         : "needs root");
}

static void examine_knobs(run_doctor *doctor, const run_node *node, const char *root) {
    doctor->knobs = g_array_new(FALSE, TRUE, sizeof(run_doctor_knob));
    for (size_t i = 0; run_tuning_names[i]; i++) {
        run_doctor_knob knob = {
            .name = run_tuning_names[i],
            .explain = run_tuning_explain(run_tuning_names[i]),
            .state = knob_state(root, run_tuning_names[i], node->config->housekeeping_cpus)};
        g_array_append_val(doctor->knobs, knob);
    }
}

/* Does a version 1 hierarchy hold the processors' controller? "cpuset 3 1 1" in /proc/cgroups: in
 * hierarchy 3; 0 is version 2. */
static bool bound_to_v1(const char *root) {
    g_autofree char *path = g_strconcat(root, "/proc/cgroups", NULL);
    g_autofree char *text = run_procfs_read(path);
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
    for (size_t i = 0; lines[i]; i++)
        if (g_str_has_prefix(lines[i], "cpuset\t"))
            return g_ascii_strtoull(lines[i] + strlen("cpuset\t"), NULL, 10) > 0;
    return false;
}

/* What the node offers; whether the service gets it is in its log (`agent cgroup`). */
static char *cgroup_words(const char *root) {
    g_autofree char *offered = run_cgroup_offered(root);
    if (!offered)
        return g_strdup("no version 2 hierarchy: only per-process limits apply");
    if (offered[0] != '\0')
        return g_strdup_printf("version 2 offers %s, when delegated to the runner", offered);
    return g_strdup(
        bound_to_v1(root)
            ? "version 2 can only count and kill: cpuset, pids and memory are bound to version 1 "
              "here, which the runner does not use; per-process limits apply. The kernel option "
              "systemd.unified_cgroup_hierarchy=1 moves them to version 2"
            : "version 2 without cpuset, pids and memory: it can only count and kill");
}

static char *tmp_words(const run_node *node) {
    int refused = node->switch_user ? run_sandbox_places_refused() : 0;
    return !node->switch_user ? g_strdup("shared, without run_as_user")
           : refused == 0     ? g_strdup("its own, removed with each process")
                              : g_strdup_printf("shared: %s", g_strerror(refused));
}

/* Tried where there surely is a folder: work_dir is the service's to make. */
static char *disk_words(const run_node *node) {
    g_autofree char *refused =
        node->switch_user ? run_volume_refused(g_get_tmp_dir()) : g_strdup("without run_as_user");
    return !refused
               ? g_strdup("builds: enforced by the kernel; benchmarks: measured every few seconds")
               : g_strdup_printf("measured every few seconds, not enforced by the kernel: %s",
                                 refused);
}

static char *processors_words(const run_node *node) {
    g_autofree char *theirs = run_cpus_format(&node->benchmark_cpus);
    g_autofree char *ours = run_cpus_format(&node->housekeeping_cpus);
    return g_strdup_printf("%s; everything else of the runner on %s", theirs, ours);
}

static void examine_isolation(run_doctor *doctor, const run_node *node, const char *root) {
    const char *user = node->config->run_as_user;
    int refused = run_network_refused();
    doctor->user = user ? g_strdup(user)
                   : geteuid() == 0
                       ? g_strdup("root, like the runner: it may do anything on this machine")
                       : g_strdup("the same as the runner: it can read the token file");
    doctor->processors = processors_words(node);
    doctor->cgroup = cgroup_words(root);
    doctor->disk = disk_words(node);
    doctor->tmp = tmp_words(node);
    doctor->sandbox = run_sandbox_words();
    doctor->network =
        refused == 0 ? g_strdup("possible") : g_strdup_printf("refused: %s", g_strerror(refused));
}

static void listen_to_noise(run_doctor *doctor, const run_node *node, int64_t ms) {
    unsigned count = (unsigned)CPU_COUNT(&node->benchmark_cpus);
    doctor->noise = g_new0(run_noise, count);
    doctor->speed = g_new0(run_speed, count);
    doctor->noise_cpu = g_new0(int, count);
    run_readings before, after;
    run_readings_span span;
    run_readings_take(&before, &node->benchmark_cpus);
    for (int cpu = 0; cpu < CPU_SETSIZE && doctor->noise_count < count; cpu++) {
        if (CPU_ISSET((size_t)cpu, &node->benchmark_cpus)) {
            doctor->noise_cpu[doctor->noise_count] = cpu;
            doctor->speed[doctor->noise_count] = run_speed_measure(cpu, ms);
            doctor->noise[doctor->noise_count++] = run_noise_measure(cpu, ms);
        }
    }
    run_readings_take(&after, &node->benchmark_cpus);
    run_readings_between(&before, &after, &span);
    doctor->others_cpu_percent = span.others_cpu_percent;
    doctor->steal_percent = span.steal_percent;
    if (span.others_cpu_percent > node->config->idle_cpu_percent)
        doctor->busiest = run_busiest_name(BUSIEST_MS);
}

static void add(GPtrArray *list, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add(GPtrArray *list, const char *format, ...) {
    va_list values;
    va_start(values, format);
    g_ptr_array_add(list, g_strdup_vprintf(format, values));
    va_end(values);
}

static void find_unfit(run_doctor *doctor, const cfg_runner *config) {
    doctor->unfit = g_ptr_array_new_with_free_func(g_free);
    if (doctor->others_cpu_percent > config->idle_cpu_percent) {
        add(doctor->unfit,
            "others use %.1f %% of a processor, %g %% are allowed (idle_cpu_percent)",
            doctor->others_cpu_percent, config->idle_cpu_percent);
    }
    if (doctor->steal_percent > config->disturbed_steal_percent) {
        add(doctor->unfit,
            "the hypervisor takes %.1f %%, %g %% are allowed (disturbed_steal_percent)",
            doctor->steal_percent, config->disturbed_steal_percent);
    }
    for (unsigned i = 0; i < doctor->noise_count; i++) {
        if (doctor->noise[i].lost_ppm >= RUN_NOISE_FAIR_PPM) {
            add(doctor->unfit, "processor %d is noisy: it loses %.1f %% of its time",
                doctor->noise_cpu[i], doctor->noise[i].lost_ppm / 1e4);
        }
        if (doctor->speed[i].slow_share > RUN_SPEED_SHARE_MOST) {
            add(doctor->unfit,
                "processor %d is slowed %.0f %% of the time: the same work then takes %.2f times "
                "as long",
                doctor->noise_cpu[i], 100 * doctor->speed[i].slow_share, doctor->speed[i].times);
        }
    }
}

/* Its host can stop it for milliseconds, and no counter here tells. */
static bool is_virtual(const char *root) {
    g_autofree char *path = g_strconcat(root, "/proc/cpuinfo", NULL);
    g_autofree char *text = run_procfs_read(path);
    const char *flags = text ? strstr(text, "\nflags") : NULL;
    g_autofree char *line = flags ? g_strndup(flags, strcspn(flags + 1, "\n") + 1) : NULL;
    return line && strstr(line, " hypervisor") != NULL;
}

static bool is_listed(const cfg_runner *config, const char *knob) {
    for (unsigned t = 0; t < config->tuning_count; t++)
        if (strcmp(config->tuning[t], knob) == 0)
            return true;
    return false;
}

/* One line to copy: what is listed already, and what could be. */
static void advise_knobs(run_doctor *doctor, const cfg_runner *config) {
    g_autoptr(GString) list = g_string_new(NULL);
    bool more = false;
    for (guint i = 0; i < doctor->knobs->len; i++) {
        const run_doctor_knob *knob = &g_array_index(doctor->knobs, run_doctor_knob, i);
        bool listed = is_listed(config, knob->name);
        bool useful = !listed && strcmp(knob->state, "can be set") == 0;
        more = more || useful;
        if (listed || useful)
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", knob->name);
    }
    if (more)
        add(doctor->advice, "tuning: [%s]   (what each does: above)", list->str);
}

/* The first processor for the agent and the rest of the node, the others for the benchmark. */
static void advise_cpus(run_doctor *doctor, const cfg_runner *config) {
    cpu_set_t rest, first;
    run_cpus_allowed(&rest);
    if (config->housekeeping_cpus || CPU_COUNT(&rest) < 2)
        return;
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &rest))
        cpu++;
    CPU_ZERO(&first);
    CPU_SET(cpu, &first);
    CPU_CLR(cpu, &rest);
    g_autofree char *ours = run_cpus_format(&first), *theirs = run_cpus_format(&rest);
    add(doctor->advice,
        "housekeeping_cpus: \"%s\" and benchmark_cpus: \"%s\" keep the agent off the "
        "benchmark's processors",
        ours, theirs);
}

/* Only at boot: interrupts of timers and callbacks stay away from the benchmark's processors. */
static void advise_kernel(run_doctor *doctor, const cfg_runner *config) {
    const char *options = cfg_json_word(doctor->machine, "kernel_options", NULL);
    bool quiet = true;
    for (unsigned i = 0; i < doctor->noise_count; i++)
        quiet = quiet && doctor->noise[i].lost_ppm < RUN_NOISE_SILENT_PPM;
    if (!quiet && config->benchmark_cpus && options && strstr(options, "isolcpus=") == NULL) {
        add(doctor->advice,
            "kernel options isolcpus=%s nohz_full=%s rcu_nocbs=%s keep the scheduler, its "
            "timer and the kernel's own work off the benchmark's processors",
            config->benchmark_cpus, config->benchmark_cpus, config->benchmark_cpus);
    }
}

static bool is_slowed(const run_doctor *doctor) {
    bool slowed = false;
    for (unsigned i = 0; i < doctor->noise_count; i++)
        slowed = slowed || doctor->speed[i].slow_share > RUN_SPEED_SHARE_MOST;
    return slowed;
}

static void find_advice(run_doctor *doctor, const run_node *node, const char *root) {
    const cfg_runner *config = node->config;
    doctor->advice = g_ptr_array_new_with_free_func(g_free);
    if (doctor->busiest)
        add(doctor->advice, "move other work to another machine; busiest now: %s", doctor->busiest);
    if (doctor->steal_percent > config->disturbed_steal_percent) {
        add(doctor->advice,
            "the hypervisor takes %.1f %%: no setting on this node helps; use another machine",
            doctor->steal_percent);
    }
    if (is_slowed(doctor) && !doctor->busiest) {
        add(doctor->advice,
            "nothing on this machine is slowing the processors. Another virtual machine on the "
            "same cores is the likely cause; no counter here can show it. Use a dedicated host or "
            "dedicated cores. If you cannot, measure more loops, and let the fastest of them count "
            "(detection.trim: slow in the project's file)");
    }
    if (config->gate_wait_s == 0)
        add(doctor->advice, "gate_wait_seconds: 600 makes the runner wait until the node is idle");
    if (config->disturbed_repeats == 0)
        add(doctor->advice, "disturbed_repeats: 3 repeats disturbed loops");
    advise_cpus(doctor, config);
    advise_knobs(doctor, config);
    advise_kernel(doctor, config);
    if (!config->run_as_user) {
        add(doctor->advice, "run_as_user: moowatch-bench (create this user) keeps the code under "
                            "test away from the token and the spool");
    }
    if (is_virtual(root)) {
        add(doctor->advice,
            "this is a virtual machine: its host can pause it, and no counter shows that. Loops "
            "far from the others are marked (stray_distance); a dedicated machine is quieter");
    }
}

void run_doctor_examine(run_doctor *doctor, const run_node *node, const char *root,
                        int64_t noise_ms) {
    *doctor = (run_doctor){.machine = json_object()};
    run_machine_add(doctor->machine, root);
    examine_knobs(doctor, node, root);
    examine_isolation(doctor, node, root);
    listen_to_noise(doctor, node, noise_ms);
    find_unfit(doctor, node->config);
    find_advice(doctor, node, root);
}

void run_doctor_clear(run_doctor *doctor) {
    for (guint i = 0; i < doctor->knobs->len; i++)
        g_free(g_array_index(doctor->knobs, run_doctor_knob, i).state);
    json_decref(doctor->machine);
    g_array_unref(doctor->knobs);
    g_free(doctor->busiest);
    g_free(doctor->server);
    g_free(doctor->user);
    g_free(doctor->processors);
    g_free(doctor->cgroup);
    g_free(doctor->disk);
    g_free(doctor->tmp);
    g_free(doctor->network);
    g_free(doctor->sandbox);
    g_free(doctor->profiles);
    g_free(doctor->counts);
    g_free(doctor->noise);
    g_free(doctor->speed);
    g_free(doctor->noise_cpu);
    g_ptr_array_unref(doctor->unfit);
    g_ptr_array_unref(doctor->advice);
}
