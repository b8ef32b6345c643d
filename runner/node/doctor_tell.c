#include "runner/node/doctor.h"

#include <string.h>

#define WIDTH 100 /* of a line; the kernel's options alone can be five times that */
#define INDENT 18

/* Broken between words; the lines after the first stand below the value. */
static void add_wrapped(GString *text, const char *value) {
    g_auto(GStrv) words = g_strsplit(value, " ", -1);
    size_t column = INDENT;
    for (size_t i = 0; words[i]; i++) {
        size_t length = strlen(words[i]);
        if (i > 0 && column + 1 + length > WIDTH) {
            g_string_append_printf(text, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (i > 0) {
            g_string_append_c(text, ' ');
            column++;
        }
        g_string_append(text, words[i]);
        column += length;
    }
    g_string_append_c(text, '\n');
}

static void tell_value(GString *text, const char *name, const char *value) {
    g_string_append_printf(text, "  %-15s ", name);
    add_wrapped(text, value);
}

static void tell_machine(const run_doctor *doctor, GString *text) {
    const char *key;
    json_t *value;
    g_string_append(text, "The node\n");
    json_object_foreach (doctor->machine, key, value) {
        if (json_is_string(value)) {
            g_auto(GStrv) parts = g_strsplit(json_string_value(value), " | ", -1);
            for (size_t i = 0; parts[i]; i++)
                tell_value(text, i == 0 ? key : "", parts[i]);
        } else {
            g_string_append_printf(text, "  %-15s %g\n", key, json_number_value(value));
        }
    }
    if (doctor->server)
        tell_value(text, "server", doctor->server);
}

static void tell_knobs(const run_doctor *doctor, GString *text) {
    g_string_append(text, "\nKnobs (tuning)\n");
    for (guint i = 0; i < doctor->knobs->len; i++) {
        const run_doctor_knob *knob = &g_array_index(doctor->knobs, run_doctor_knob, i);
        g_string_append_printf(text, "  %-10s %-24s %s\n", knob->name, knob->state, knob->explain);
    }
}

/* A line of it below the other. */
static void tell_lines(GString *text, const char *name, const char *value) {
    g_auto(GStrv) lines = g_strsplit(value, "\n", -1);
    for (size_t i = 0; lines[i]; i++)
        tell_value(text, i == 0 ? name : "", lines[i]);
}

static void tell_isolation(const run_doctor *doctor, GString *text) {
    g_string_append(text, "\nCode under test\n");
    tell_value(text, "user", doctor->user);
    tell_value(text, "processors", doctor->processors);
    tell_value(text, "control group", doctor->cgroup);
    tell_value(text, "disk limit", doctor->disk);
    tell_value(text, "/tmp", doctor->tmp);
    tell_value(text, "network: off", doctor->network);
    tell_value(text, "sandbox", doctor->sandbox);
    if (doctor->profiles)
        tell_lines(text, "profiles", doctor->profiles);
    if (doctor->counts)
        tell_value(text, "counts", doctor->counts);
}

static void tell_noise(const run_doctor *doctor, GString *text) {
    g_string_append(text, "\nNoise: time a busy thread loses on a benchmark processor\n");
    for (unsigned i = 0; i < doctor->noise_count; i++) {
        const run_noise *noise = &doctor->noise[i];
        g_string_append_printf(
            text, "  processor %-5d %.4f %% lost: %s; %.0f gaps a second, the longest of %.0f us\n",
            doctor->noise_cpu[i], noise->lost_ppm / 1e4, run_noise_word(noise->lost_ppm),
            (double)noise->gaps / (noise->seconds > 0 ? noise->seconds : 1),
            (double)noise->longest_ns / 1e3);
    }
    for (unsigned i = 0; i < doctor->noise_count; i++) {
        const run_speed *speed = &doctor->speed[i];
        g_string_append_printf(
            text, "  processor %-5d %.0f %% of the time slowed, to %.2f times as long\n",
            doctor->noise_cpu[i], 100 * speed->slow_share, speed->times);
    }
    g_string_append_printf(
        text,
        "  others used     %.1f %% of a processor meanwhile, the hypervisor took %.1f %%\n"
        "  silent          below 0.01 %%: as good as it gets\n"
        "  quiet           below 0.1 %%: far below any change that is reported\n"
        "  fair            below 1 %%: below the changes that are reported; loops average it out\n"
        "  noisy           above: as large as small regressions, so it hides them\n"
        "  slowed          a fixed piece of work takes a tenth longer than it can, or more:\n"
        "                  another thread on the same core, of this machine or another one's\n",
        doctor->others_cpu_percent, doctor->steal_percent);
}

static void tell_verdict(const run_doctor *doctor, GString *text) {
    if (doctor->unfit->len == 0) {
        g_string_append(text, "\nVerdict: this node is ready to measure\n");
        return;
    }
    g_string_append(text, "\nVerdict: this node is not ready to measure\n");
    for (guint i = 0; i < doctor->unfit->len; i++)
        g_string_append_printf(text, "  - %s\n", (char *)doctor->unfit->pdata[i]);
}

char *run_doctor_tell(const run_doctor *doctor) {
    GString *text = g_string_new(NULL);
    tell_machine(doctor, text);
    tell_knobs(doctor, text);
    tell_isolation(doctor, text);
    tell_noise(doctor, text);
    tell_verdict(doctor, text);
    g_string_append(text, "\nWhat would help (lines of the configuration unless said otherwise)\n");
    for (guint i = 0; i < doctor->advice->len; i++)
        g_string_append_printf(text, "  - %s\n", (char *)doctor->advice->pdata[i]);
    if (doctor->advice->len == 0)
        g_string_append(text, "  nothing known\n");
    return g_string_free(text, FALSE);
}
