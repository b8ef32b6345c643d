/* An archive that CI handed in, unpacked as the runner's helper does: nothing leaves the folder,
 * nothing is larger than allowed. */
#include "runner/prepare/unpack.h"
#include "runner/process/scratch.h"

#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROOM "1000000"

static char *base, *file, *folder;
static FILE *nowhere; /* what it says of each input would slow it down */

static void leave(void) {
    if (chdir("/") != 0)
        abort();
    if (!run_scratch_remove(base, NULL))
        (void)fprintf(stderr, "left over: %s\n", base);
    (void)fclose(nowhere);
    g_free(base);
    g_free(file);
    g_free(folder);
}

static void begin(void) {
    base = g_dir_make_tmp("moowatch-fuzz-XXXXXX", NULL);
    file = base ? g_build_filename(base, "a.tar", NULL) : NULL;
    folder = base ? g_build_filename(base, "out", NULL) : NULL;
    nowhere = fopen("/dev/null", "w");
    if (!folder || !nowhere)
        abort();
    (void)atexit(leave);
}

/* Beside the two there is nothing: an entry that came out of its folder would be here. */
static void check(void) {
    g_autoptr(GDir) entries = g_dir_open(base, 0, NULL);
    const char *name;
    while (entries && (name = g_dir_read_name(entries)))
        if (strcmp(name, "a.tar") != 0 && strcmp(name, "out") != 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char command[] = "moowatch-runner", verb[] = RUN_UNPACK_COMMAND, room[] = ROOM;
    if (!base)
        begin();
    if (mkdir(folder, 0700) != 0 ||
        !g_file_set_contents_full(file, (const char *)data, (gssize)size, G_FILE_SET_CONTENTS_NONE,
                                  0600, NULL))
        abort();
    char *arguments[] = {command, verb, file, folder, room, NULL};
    FILE *own = stderr;
    stderr = nowhere;
    (void)run_unpack_main(5, arguments);
    stderr = own;
    if (chdir("/") != 0)
        abort();
    check();
    if (!run_scratch_remove(folder, NULL))
        abort();
    return 0;
}
