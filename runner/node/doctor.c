#include "runner/node/doctor.h"

#include "runner/node/busiest.h"
#include "runner/node/knobs.h"
#include "runner/node/machine.h"
#include "runner/node/readings.h"
#include "runner/node/tuning.h"
#include "runner/process/network.h"

#include <string.h>
#include <unistd.h>

#define BUSIEST_MS 500

static char *knob_state(const char *root, const char *name, const char *housekeeping) {
    if (strcmp(name, "aslr") == 0) {
        return g_strdup("could be set");
    }
    if (strcmp(name, "cstates") == 0) {
        return g_strdup(access("/dev/cpu_dma_latency", W_OK) == 0   ? "could be set"
                        : access("/dev/cpu_dma_latency", F_OK) == 0 ? "needs root"
                                                                    : "absent");
    }
    g_autoptr(GPtrArray) files = run_knob_files(root, name, housekeeping);
    unsigned wanted = 0, writable = 0;
    for (guint i = 0; i < files->len; i++) {
        const run_knob_file *file = files->pdata[i];
        g_autofree char *path = g_strconcat(root, file->path, NULL);
        g_autofree char *line = run_machine_line(root, file->path);
        g_autofree char *value = line != NULL ? run_machine_choice(line) : g_strdup("");
        wanted += strcmp(value, file->value) == 0;
        writable += access(path, W_OK) == 0;
    }
    if (files->len == 0) {
        return g_strdup(strcmp(name, "irq") == 0 && housekeeping == NULL ? "needs housekeeping_cpus"
                                                                         : "absent");
    }
    return g_strdup(wanted == files->len ? "as wanted"
                    : writable > 0       ? "could be set"
                                         : "needs root");
}

static void examine_knobs(run_doctor *doctor, const run_node *node, const char *root) {
    doctor->knobs = g_array_new(FALSE, TRUE, sizeof(run_doctor_knob));
    for (size_t i = 0; run_tuning_names[i] != NULL; i++) {
        run_doctor_knob knob = {
            .name = run_tuning_names[i],
            .explain = run_tuning_explain(run_tuning_names[i]),
            .state = knob_state(root, run_tuning_names[i], node->config->housekeeping_cpus)};
        g_array_append_val(doctor->knobs, knob);
    }
}

/* What the node offers; whether the service gets it is in its log (`agent cgroup`). */
static void examine_isolation(run_doctor *doctor, const char *root) {
    g_autofree char *offered = run_cgroup_offered(root);
    int refused = run_network_refused();
    doctor->cgroup =
        offered == NULL ? g_strdup("no version 2 hierarchy: limits of each process only")
        : offered[0] == '\0'
            ? g_strdup("version 2 without cpuset, pids, memory: counts and kills only")
            : g_strdup_printf("version 2 offers %s, when delegated to the runner", offered);
    doctor->network =
        refused == 0 ? g_strdup("possible") : g_strdup_printf("refused: %s", g_strerror(refused));
}

static void listen_to_noise(run_doctor *doctor, const run_node *node, int64_t ms) {
    unsigned count = (unsigned)CPU_COUNT(&node->benchmark_cpus);
    doctor->noise = g_new0(run_noise, count);
    doctor->noise_cpu = g_new0(int, count);
    run_readings before, after;
    run_readings_span span;
    run_readings_take(&before, &node->benchmark_cpus);
    for (int cpu = 0; cpu < CPU_SETSIZE && doctor->noise_count < count; cpu++) {
        if (CPU_ISSET((size_t)cpu, &node->benchmark_cpus)) {
            doctor->noise_cpu[doctor->noise_count] = cpu;
            doctor->noise[doctor->noise_count++] = run_noise_measure(cpu, ms);
        }
    }
    run_readings_take(&after, &node->benchmark_cpus);
    run_readings_between(&before, &after, &span);
    doctor->others_cpu_percent = span.others_cpu_percent;
    doctor->steal_percent = span.steal_percent;
    doctor->fit = span.others_cpu_percent <= node->config->idle_cpu_percent;
    for (unsigned i = 0; i < doctor->noise_count; i++) {
        doctor->fit = doctor->fit && doctor->noise[i].lost_ppm < RUN_NOISE_FAIR_PPM;
    }
    if (span.others_cpu_percent > node->config->idle_cpu_percent) {
        doctor->busiest = run_busiest_name(BUSIEST_MS);
    }
}

static void advise(run_doctor *doctor, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void advise(run_doctor *doctor, const char *format, ...) {
    va_list values;
    va_start(values, format);
    g_ptr_array_add(doctor->advice, g_strdup_vprintf(format, values));
    va_end(values);
}

static bool is_listed(const cfg_runner *config, const char *knob) {
    for (unsigned t = 0; t < config->tuning_count; t++) {
        if (strcmp(config->tuning[t], knob) == 0) {
            return true;
        }
    }
    return false;
}

/* One line to copy: what is listed already, and what could be. */
static void advise_knobs(run_doctor *doctor, const cfg_runner *config) {
    g_autoptr(GString) list = g_string_new(NULL);
    bool more = false;
    for (guint i = 0; i < doctor->knobs->len; i++) {
        const run_doctor_knob *knob = &g_array_index(doctor->knobs, run_doctor_knob, i);
        bool listed = is_listed(config, knob->name);
        bool useful = !listed && strcmp(knob->state, "could be set") == 0;
        more = more || useful;
        if (listed || useful) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", knob->name);
        }
    }
    if (more) {
        advise(doctor, "tuning: [%s]   (what each does: above)", list->str);
    }
}

/* The first processor for the agent and the rest of the node, the others for the benchmark. */
static void advise_cpus(run_doctor *doctor, const cfg_runner *config) {
    cpu_set_t rest, first;
    run_cpus_allowed(&rest);
    if (config->housekeeping_cpus != NULL || CPU_COUNT(&rest) < 2) {
        return;
    }
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &rest)) {
        cpu++;
    }
    CPU_ZERO(&first);
    CPU_SET(cpu, &first);
    CPU_CLR(cpu, &rest);
    g_autofree char *ours = run_cpus_format(&first), *theirs = run_cpus_format(&rest);
    advise(doctor,
           "housekeeping_cpus: \"%s\" and benchmark_cpus: \"%s\" keep the agent off the "
           "benchmark's processors",
           ours, theirs);
}

/* Only at boot: interrupts of timers and callbacks stay away from the benchmark's processors. */
static void advise_kernel(run_doctor *doctor, const cfg_runner *config) {
    const char *options = json_string_value(json_object_get(doctor->machine, "kernel_options"));
    bool quiet = true;
    for (unsigned i = 0; i < doctor->noise_count; i++) {
        quiet = quiet && doctor->noise[i].lost_ppm < RUN_NOISE_SILENT_PPM;
    }
    if (!quiet && config->benchmark_cpus != NULL && options != NULL &&
        strstr(options, "isolcpus=") == NULL) {
        advise(doctor,
               "kernel options isolcpus=%s nohz_full=%s rcu_nocbs=%s keep the scheduler, its "
               "timer and the kernel's own work off the benchmark's processors",
               config->benchmark_cpus, config->benchmark_cpus, config->benchmark_cpus);
    }
}

static void find_advice(run_doctor *doctor, const run_node *node) {
    const cfg_runner *config = node->config;
    doctor->advice = g_ptr_array_new_with_free_func(g_free);
    if (doctor->busiest != NULL) {
        advise(doctor, "others use %.1f %% of a processor: move them elsewhere; busiest now: %s",
               doctor->others_cpu_percent, doctor->busiest);
    }
    if (doctor->steal_percent > config->disturbed_steal_percent) {
        advise(doctor, "the hypervisor takes %.1f %%: no setting here helps, another machine does",
               doctor->steal_percent);
    }
    if (config->gate_wait_s == 0) {
        advise(doctor, "gate_wait_seconds: 600 makes the runner wait until the node is idle");
    }
    if (config->disturbed_repeats == 0) {
        advise(doctor, "disturbed_repeats: 3 measures disturbed loops again");
    }
    advise_cpus(doctor, config);
    advise_knobs(doctor, config);
    advise_kernel(doctor, config);
    if (config->run_as_user == NULL) {
        advise(doctor, "run_as_user: code under test gets a user of its own");
    }
}

void run_doctor_examine(run_doctor *doctor, const run_node *node, const char *root,
                        int64_t noise_ms) {
    *doctor = (run_doctor){.machine = json_object()};
    run_machine_add(doctor->machine, root);
    examine_knobs(doctor, node, root);
    examine_isolation(doctor, root);
    listen_to_noise(doctor, node, noise_ms);
    find_advice(doctor, node);
}

void run_doctor_clear(run_doctor *doctor) {
    for (guint i = 0; i < doctor->knobs->len; i++) {
        g_free(g_array_index(doctor->knobs, run_doctor_knob, i).state);
    }
    json_decref(doctor->machine);
    g_array_unref(doctor->knobs);
    g_free(doctor->busiest);
    g_free(doctor->cgroup);
    g_free(doctor->network);
    g_free(doctor->noise);
    g_free(doctor->noise_cpu);
    g_ptr_array_unref(doctor->advice);
}

static void tell_machine(const run_doctor *doctor, GString *text) {
    const char *key;
    json_t *value;
    g_string_append(text, "The node\n");
    json_object_foreach(doctor->machine, key, value) {
        if (json_is_string(value)) {
            g_auto(GStrv) parts = g_strsplit(json_string_value(value), " | ", -1);
            g_autofree char *lines = g_strjoinv("\n                  ", parts);
            g_string_append_printf(text, "  %-15s %s\n", key, lines);
        } else {
            g_string_append_printf(text, "  %-15s %g\n", key, json_number_value(value));
        }
    }
}

static void tell_noise(const run_doctor *doctor, GString *text) {
    g_string_append(text,
                    "\nNoise: time that a busy thread loses on a processor of the benchmark\n");
    for (unsigned i = 0; i < doctor->noise_count; i++) {
        const run_noise *noise = &doctor->noise[i];
        g_string_append_printf(
            text, "  processor %-5d %.0f ppm lost: %s; %.0f gaps a second, longest %.0f us\n",
            doctor->noise_cpu[i], noise->lost_ppm, run_noise_word(noise->lost_ppm),
            (double)noise->gaps / (noise->seconds > 0 ? noise->seconds : 1),
            (double)noise->longest_ns / 1e3);
    }
    g_string_append_printf(
        text,
        "  others used     %.1f %% of a processor meanwhile, the hypervisor took %.1f %%\n"
        "  silent          below 100 ppm: as good as it gets\n"
        "  quiet           below 1000 ppm (0.1 %%): far below any change that is told\n"
        "  fair            below 10000 ppm (1 %%): below the changes that are told; loops average "
        "it\n"
        "  noisy           above: as large as small regressions, which it hides\n",
        doctor->others_cpu_percent, doctor->steal_percent);
}

char *run_doctor_tell(const run_doctor *doctor) {
    GString *text = g_string_new(NULL);
    tell_machine(doctor, text);
    g_string_append(text, "\nKnobs (tuning)\n");
    for (guint i = 0; i < doctor->knobs->len; i++) {
        const run_doctor_knob *knob = &g_array_index(doctor->knobs, run_doctor_knob, i);
        g_string_append_printf(text, "  %-10s %-24s %s\n", knob->name, knob->state, knob->explain);
    }
    g_string_append_printf(text, "\nCode under test\n  control group   %s\n  network: off    %s\n",
                           doctor->cgroup, doctor->network);
    tell_noise(doctor, text);
    g_string_append_printf(text, "\nVerdict: this node is %s\n",
                           doctor->fit ? "fit to measure, as it is now"
                                       : "not fit to measure now: others work there, or a "
                                         "processor is noisy");
    g_string_append(text, "\nWhat would help\n");
    for (guint i = 0; i < doctor->advice->len; i++) {
        g_string_append_printf(text, "  - %s\n", (char *)doctor->advice->pdata[i]);
    }
    if (doctor->advice->len == 0) {
        g_string_append(text, "  nothing more that we know of\n");
    }
    return g_string_free(text, FALSE);
}
