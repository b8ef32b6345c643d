#include "server/ground/clock.h"

#include <glib.h>

int64_t srv_now_ms(void) {
    return g_get_real_time() / 1000;
}

int64_t srv_monotonic_ms(void) {
    return g_get_monotonic_time() / 1000;
}
