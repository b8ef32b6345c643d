#include "callmon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool active;

bool controller_active(void) {
    return active;
}

__attribute__((constructor)) static void controller_start(void) {
    const char *mode = getenv("CALLMON_MODE");
    if (!mode || strcmp(mode, "deactivated") == 0)
        return;
    if (strcmp(mode, "collecting") != 0 && strcmp(mode, "writing") != 0) {
        fprintf(stderr, "callmon: CALLMON_MODE=%s is not deactivated, collecting or writing\n",
                mode);
        exit(1);
    }
    const char *path = getenv("CALLMON_FILE");
    if (strcmp(mode, "writing") == 0 && (!path || !writer_open(path))) {
        perror("callmon: cannot write to CALLMON_FILE");
        exit(1);
    }
    active = true;
}

__attribute__((destructor)) static void controller_stop(void) {
    active = false;
    writer_close();
}
