/* A finished loop as a spool's file has it, after a crash too: what is read is written the same. */
#include "runner/loop/loop.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *object = json_loadb((const char *)data, size, 0, NULL);
    g_autoptr(run_loop) loop = object ? run_loop_read(object) : NULL;
    if (loop) {
        json_t *written = run_loop_json(loop);
        g_autoptr(run_loop) again = run_loop_read(written);
        if (!again)
            abort();
        json_t *same = run_loop_json(again);
        if (!json_equal(written, same))
            abort();
        json_decref(same);
        json_decref(written);
    }
    json_decref(object);
    return 0;
}
