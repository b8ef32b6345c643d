#pragma once
/* profile_name - which of an alert's profiles is meant. */
#include <stdbool.h>
#include <stdint.h>

/* What profiles are of. */
#define SRV_PROFILE_TIME "time"
#define SRV_PROFILE_BYTES "bytes" /* that are allocated */

typedef struct {
    int64_t alert;
    const char *dimension; /* SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *configuration;
    bool before; /* of the older commit? */
} srv_profile_name;
