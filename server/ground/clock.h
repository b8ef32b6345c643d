#pragma once
/* clock - the wall clock, for those who start things; what can be given a time takes it. */
#include <stdint.h>

/** srv_now_ms - Unix milliseconds. */
int64_t srv_now_ms(void);
