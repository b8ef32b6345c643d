#include "runner/ground/procfs.h"

#include "runner/ground/error.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

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
        if (first < 0 || last < first || (*next != ',' && *next != '\0'))
            return run_wrong(error, "processors \"%s\": a list such as \"2,4-7\" is needed", text);
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

char *run_procfs_read(const char *path) {
    char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

/* The line after this one, NULL at the end. */
static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end && end[1] != '\0' ? end + 1 : NULL;
}

/* Up to `capacity` numbers from a line; stops at the first word that is not a number. */
static size_t take_numbers(const char *text, uint64_t *out, size_t capacity) {
    size_t count = 0;
    while (count < capacity) {
        while (*text == ' ' || *text == '\t')
            text++;
        if (!g_ascii_isdigit(*text))
            break;
        char *end = NULL;
        out[count] = strtoull(text, &end, 10);
        if (*end != ' ' && *end != '\t' && *end != '\n' && *end != '\0')
            break;
        count++;
        text = end;
    }
    return count;
}

int64_t run_procfs_field(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line; line = next_line(line)) {
        uint64_t value;
        if (strncmp(line, name, length) == 0 && strchr(": \t", line[length]) != NULL &&
            line[length] != '\0' && take_numbers(line + length + 1, &value, 1) == 1)
            return (int64_t)value;
    }
    return 0;
}

bool run_procfs_parse_stat(const char *text, run_procfs_stat *out) {
    uint64_t v[8] = {0};
    memset(out, 0, sizeof *out);
    /* 3 and 4 are idle and waiting for a disk; guest time is part of user time. */
    if (!text || !g_str_has_prefix(text, "cpu ") || take_numbers(text + 4, v, 8) < 4)
        return false;
    out->busy_ticks = v[0] + v[1] + v[2] + v[5] + v[6] + v[7];
    out->steal_ticks = v[7];
    out->switches = (uint64_t)run_procfs_field(text, "ctxt");
    out->interrupts = (uint64_t)run_procfs_field(text, "intr");
    out->running = (uint64_t)run_procfs_field(text, "procs_running");
    return true;
}

uint64_t run_procfs_interrupts(const char *text, const cpu_set_t *cpus) {
    size_t column_cpu[CPU_SETSIZE] = {0};
    size_t columns = 0;
    uint64_t counts[CPU_SETSIZE];
    uint64_t sum = 0;
    /* The first line names the processors of the columns: offline ones have none. */
    for (const char *at = text; *at != '\0' && *at != '\n' && columns < CPU_SETSIZE; at++)
        if (g_str_has_prefix(at, "CPU"))
            column_cpu[columns++] = (size_t)strtoul(at + 3, NULL, 10);
    for (const char *line = next_line(text); line; line = next_line(line)) {
        const char *colon = strpbrk(line, ":\n");
        size_t got = colon && *colon == ':' ? take_numbers(colon + 1, counts, columns) : 0;
        for (size_t i = 0; i < got; i++)
            sum += column_cpu[i] < CPU_SETSIZE && CPU_ISSET(column_cpu[i], cpus) ? counts[i] : 0;
    }
    return sum;
}

/* Partitions, loops and mapped devices would count the same bytes again. */
static bool is_whole_disk(const char *name, size_t length) {
    if (length == 0 || strncmp(name, "loop", 4) == 0 || strncmp(name, "ram", 3) == 0 ||
        strncmp(name, "dm-", 3) == 0 || strncmp(name, "md", 2) == 0)
        return false;
    bool ends_in_digit = g_ascii_isdigit(name[length - 1]);
    if (strncmp(name, "nvme", 4) == 0 || strncmp(name, "mmcblk", 6) == 0)
        return !memchr(name + 4, 'p', length - 4);
    return !ends_in_digit;
}

uint64_t run_procfs_disk_sectors(const char *text) {
    uint64_t sum = 0;
    for (const char *line = text; line; line = next_line(line)) {
        /* major minor name reads merged sectors ms writes merged sectors … */
        const char *name = line;
        for (int i = 0; i < 2; i++) {
            name += strspn(name, " ");
            name += strspn(name, "0123456789");
        }
        name += strspn(name, " ");
        size_t length = strcspn(name, " \n");
        uint64_t v[7];
        if (is_whole_disk(name, length) && take_numbers(name + length, v, 7) == 7)
            sum += v[2] + v[6];
    }
    return sum;
}

uint64_t run_procfs_network_bytes(const char *text) {
    uint64_t sum = 0;
    for (const char *line = text; line; line = next_line(line)) {
        const char *name = line + strspn(line, " ");
        const char *colon = strpbrk(name, ":\n");
        uint64_t v[9];
        if (colon && *colon == ':' && strncmp(name, "lo:", 3) != 0 &&
            take_numbers(colon + 1, v, 9) == 9)
            sum += v[0] + v[8];
    }
    return sum;
}

bool run_procfs_write(const char *path, const char *text) {
    g_auto(run_fd) fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const ssize_t length = (ssize_t)strlen(text);
    return fd >= 0 && write(fd, text, (size_t)length) == length;
}
