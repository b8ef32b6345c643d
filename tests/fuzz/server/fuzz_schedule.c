/* Any text as a cron expression: refused, or its moments go forward. */
#include "config/schedule.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const zones[] = {NULL, "Europe/Berlin", "Asia/Kolkata", "Nowhere"};
    if (size < 1 || size > 300)
        return 0;
    char *cron = g_strndup((const char *)data + 1, size - 1);
    cfg_schedule *schedule = cfg_schedule_new(NULL, cron, zones[data[0] & 3], NULL);
    int64_t moment = 1364000000;
    for (int i = 0; schedule && i < 3; i++) {
        char date[11];
        int64_t next = cfg_schedule_next(schedule, moment);
        if (next <= moment)
            abort();
        cfg_schedule_date(schedule, next, date);
        moment = next;
    }
    cfg_schedule_free(schedule);
    g_free(cron);
    return 0;
}
