#include "runner/moobench/c/moobench.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, LINE_BYTES = 48 }; /* two 64 bit numbers, ';' and a newline */

static int write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return 0;
}

static char *put_number(char *to, uint64_t number) {
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        *to++ = digits[--count];
    return to;
}

static int write_lines(int fd, const moobench_calls *calls, char *buffer) {
    char *to = buffer;
    const int64_t *duration = calls->durations;
    for (int thread = 1; thread <= calls->threads; thread++) {
        for (int64_t i = 0; i < calls->calls; i++) {
            to = put_number(to, (uint64_t)thread);
            *to++ = ';';
            to = put_number(to, (uint64_t)*duration++);
            *to++ = '\n';
            if (to - buffer > BUFFER_BYTES - LINE_BYTES) {
                int error = write_all(fd, buffer, (size_t)(to - buffer));
                if (error)
                    return error;
                to = buffer;
            }
        }
    }
    return write_all(fd, buffer, (size_t)(to - buffer));
}

/* Without this a power cut may take back the rename. */
static int sync_folder(const char *name) {
    char *copy = strdup(name);
    if (!copy)
        return ENOMEM;
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (fd < 0)
        return errno;
    int error = fsync(fd) ? errno : 0;
    close(fd);
    return error;
}

int moobench_raw_open(moobench_raw *raw, const char *name) {
    if (asprintf(&raw->part_name, "%s.part", name) < 0)
        return ENOMEM;
    raw->name = name;
    raw->fd = open(raw->part_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (raw->fd >= 0)
        return 0;
    int error = errno;
    free(raw->part_name);
    return error;
}

/* The number behind a name such as "VmHWM:"; -1: there is none. */
static long long proc_number(const char *path, const char *name) {
    FILE *file = fopen(path, "re");
    char line[128];
    long long number = -1;
    while (file && number < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            number = strtoll(line + strlen(name), NULL, 10);
    if (file)
        fclose(file);
    return number;
}

void moobench_raw_tell(const moobench_raw *raw, const moobench_calls *calls) {
    const long long own_bytes = calls->threads * calls->calls * (long long)sizeof *calls->durations;
    const long long peak_kb = proc_number("/proc/self/status", "VmHWM:");
    const long long written = proc_number("/proc/self/io", "wchar:");
    char *name = NULL;
    FILE *file = asprintf(&name, "%s.told", raw->name) < 0 ? NULL : fopen(name, "we");
    if (file) {
        fprintf(file, "{\"ready_ns\":%lld,\"cpu_before_ns\":%lld", (long long)calls->ready_ns,
                (long long)calls->cpu_before_ns);
        if (peak_kb >= 0)
            fprintf(file, ",\"peak_bytes\":%lld", peak_kb * 1024 - own_bytes);
        if (written >= 0)
            fprintf(file, ",\"written_bytes\":%lld", written);
        fputs("}\n", file);
        fclose(file);
    }
    free(name);
}

int moobench_raw_write(moobench_raw *raw, const moobench_calls *calls) {
    char *buffer = malloc(BUFFER_BYTES);
    int error = buffer ? write_lines(raw->fd, calls, buffer) : ENOMEM;
    free(buffer);
    if (!error && fsync(raw->fd))
        error = errno;
    if (!error && rename(raw->part_name, raw->name))
        error = errno;
    if (!error)
        error = sync_folder(raw->name);
    if (error) {
        moobench_raw_discard(raw);
        return error;
    }
    close(raw->fd);
    free(raw->part_name);
    return 0;
}

void moobench_raw_discard(moobench_raw *raw) {
    close(raw->fd);
    unlink(raw->part_name);
    free(raw->part_name);
}
