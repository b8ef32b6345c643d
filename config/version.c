#include "config/version.h"

#include "version_commit.h"

#include <stdio.h>

const char *cfg_version_commit(void) {
    return MOOWATCH_COMMIT;
}

void cfg_version_print(const char *program) {
    const char *commit = cfg_version_commit();
    if (*commit)
        printf("%s %s (%s)\n", program, MOOWATCH_VERSION, commit);
    else
        printf("%s %s\n", program, MOOWATCH_VERSION);
}
