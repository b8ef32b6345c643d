#pragma once
/*
 * raw_path - where a raw file of this hash is, in a store's folder or in a backup's: two levels, as
 * ab/cdef….csv.zst; what a runner of 0.1 packed its own way is ab/cdef….calls.
 */
#include <stdbool.h>

#define SRV_RAW_CALLS ".calls"
#define SRV_RAW_LINES ".csv.zst"

/* srv_raw_path - suffix: one of the above. Caller frees. */
char *srv_raw_path(const char *folder, const char *sha256, const char *suffix);

/* srv_raw_suffix - the suffix of the file that is there; NULL: neither is. Static. */
const char *srv_raw_suffix(const char *folder, const char *sha256);
