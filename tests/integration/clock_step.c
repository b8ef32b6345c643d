/* Preloaded into an agent: the wall clock is off by as many seconds as the file CLOCK_STEP says. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now);
int gettimeofday(struct timeval *restrict now, void *restrict zone);
time_t time(time_t *now);

static long step_s(void) {
    long seconds = 0;
    const char *path = getenv("CLOCK_STEP");
    FILE *file = path ? fopen(path, "re") : NULL;
    if (file) {
        if (fscanf(file, "%ld", &seconds) != 1)
            seconds = 0;
        (void)fclose(file);
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    union {
        void *object;
        int (*function)(clockid_t, struct timespec *);
    } real = {.object = dlsym(RTLD_NEXT, "clock_gettime")};
    int status = real.function(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += step_s();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec moment;
    (void)zone;
    int status = clock_gettime(CLOCK_REALTIME, &moment);
    now->tv_sec = moment.tv_sec;
    now->tv_usec = moment.tv_nsec / 1000;
    return status;
}

time_t time(time_t *now) {
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    if (now)
        *now = moment.tv_sec;
    return moment.tv_sec;
}
