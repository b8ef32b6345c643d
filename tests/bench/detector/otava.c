#include "tests/bench/detector/otava.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH 64

static FILE *ask(const otava_program *otava, const char *mode, const char *what) {
    char command[8192];
    (void)snprintf(command, sizeof command, "'%s' '%s' %s %s", otava->python, otava->script, mode,
                   what);
    /* NOLINTNEXTLINE(cert-env33-c): a peer's own command, not the product */
    return popen(command, "r");
}

int otava_histories(const otava_program *otava, const char *mode, const history *h, size_t count,
                    alarm_at *all, size_t *found) {
    char directory[] = "/tmp/moowatch-bench-XXXXXX", path[PATH];
    int i, night, portion, direction, fine = mkdtemp(directory) != NULL;
    if (!fine)
        return -1;
    for (size_t k = 0; k < count; k++) {
        (void)snprintf(path, sizeof path, "%s/h%03zu.csv", directory, k);
        fine = fine && history_write(&h[k], path) == 0;
        found[k] = 0;
    }
    FILE *pipe = fine ? ask(otava, mode, directory) : NULL;
    while (pipe && fscanf(pipe, "%d %d %d %d", &i, &night, &portion, &direction) == 4)
        if (i >= 0 && (size_t)i < count && found[i] < OTAVA_ALARMS)
            all[(size_t)i * OTAVA_ALARMS + found[i]++] = (alarm_at){night, portion, direction};
    fine = pipe && pclose(pipe) == 0;
    for (size_t k = 0; k < count; k++) {
        (void)snprintf(path, sizeof path, "%s/h%03zu.csv", directory, k);
        (void)unlink(path);
    }
    (void)rmdir(directory);
    return fine ? 0 : -1;
}

int otava_series(const otava_program *otava, const real_series *s, alarm_at *out, size_t capacity,
                 size_t *count) {
    char path[] = "/tmp/moowatch-series-XXXXXX";
    int night, direction;
    const int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    for (size_t n = 0; file && n < s->n; n++)
        (void)fprintf(file, "%.17g\n", s->value[n]);
    int fine = file && fclose(file) == 0;
    FILE *pipe = fine ? ask(otava, "default-series", path) : NULL;
    *count = 0;
    while (pipe && fscanf(pipe, "%d %d", &night, &direction) == 2)
        if (*count < capacity)
            out[(*count)++] = (alarm_at){night, 0, direction};
    fine = pipe && pclose(pipe) == 0;
    (void)unlink(path);
    return fine ? 0 : -1;
}

double otava_seconds(const otava_program *otava, const char *mode, int nights) {
    char number[16];
    double result = NAN;
    if (!otava->python)
        return NAN;
    (void)snprintf(number, sizeof number, "%d", nights);
    FILE *pipe = ask(otava, mode, number);
    if (pipe && fscanf(pipe, "%lf", &result) != 1)
        result = NAN;
    return pipe && pclose(pipe) == 0 ? result : NAN;
}
