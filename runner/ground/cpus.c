#include "runner/ground/cpus.h"

#include "runner/ground/error.h"

#include <stdlib.h>

/* One processor number at *text, which is moved behind it. -1 when there is none. */
static int take_number(const char **text) {
    if (!g_ascii_isdigit(**text))
        return -1;
    char *end = NULL;
    unsigned long number = strtoul(*text, &end, 10);
    *text = end;
    return number < CPU_SETSIZE ? (int)number : -1;
}

bool run_cpus_parse(const char *text, cpu_set_t *set, GError **error) {
    CPU_ZERO(set);
    const char *next = text;
    for (;;) {
        int first = take_number(&next);
        int last = first;
        if (first >= 0 && *next == '-') {
            next++;
            last = take_number(&next);
        }
        if (first < 0 || last < first || (*next != ',' && *next != '\0')) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                        "processors \"%s\": a list such as \"2,4-7\" is needed", text);
            return false;
        }
        for (int cpu = first; cpu <= last; cpu++)
            CPU_SET((size_t)cpu, set);
        if (*next++ == '\0')
            return true;
    }
}

char *run_cpus_format(const cpu_set_t *set) {
    GString *text = g_string_new(NULL);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, set))
            continue;
        size_t last = cpu;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        g_string_append_printf(text, "%s%zu", text->len > 0 ? "," : "", cpu);
        if (last > cpu)
            g_string_append_printf(text, "-%zu", last);
        cpu = last;
    }
    return g_string_free(text, FALSE);
}

void run_cpus_allowed(cpu_set_t *set) {
    if (sched_getaffinity(0, sizeof *set, set) != 0)
        for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
            CPU_SET(cpu, set);
}

void run_cpus_pin(int cpu, cpu_set_t *before) {
    cpu_set_t one;
    run_cpus_allowed(before);
    if (cpu < 0)
        return;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}
