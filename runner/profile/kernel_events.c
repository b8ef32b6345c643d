#include "runner/profile/kernel_events.h"

#include "runner/node/machine.h"
#include "runner/process/process.h"

#include <stdbool.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* As the kernel's documentation has it; 3 and 4 are those of distributions. */
static const char *allowed(int paranoid) {
    return paranoid <= 1   ? "everybody may profile, kernel included"
           : paranoid == 2 ? "ordinary users may profile all but the kernel"
                           : "ordinary users may not profile: async-profiler uses timers, perf "
                             "as a profile_command fails; `sysctl kernel.perf_event_paranoid=1` "
                             "allows it";
}

static bool is_there(const char *program, char *const *environment) {
    g_autofree char *path = run_program_find(program, "/", environment);
    return path != NULL;
}

char *run_kernel_events_words(char *const *environment, const char *root) {
    g_autofree char *value = run_machine_line(root, PARANOID);
    GString *words = g_string_new(NULL);
    if (value)
        g_string_append_printf(words, "perf_event_paranoid %s: %s", value,
                               allowed((int)g_ascii_strtoll(value, NULL, 10)));
    else
        g_string_append(words, "no performance events in this kernel: async-profiler uses timers");
    g_string_append(words, is_there("perf", environment)
                               ? "\nperf: can be a profile_command"
                               : "\nno perf: only a profile_command would need it; install the "
                                 "package linux-perf");
    if (!is_there("addr2line", environment))
        g_string_append(words, "\nno addr2line: inlined functions count as their caller's; "
                               "install the package binutils");
    return g_string_free(words, FALSE);
}
