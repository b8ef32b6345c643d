#pragma once
/*
 * raw_path - where a raw file of this hash is, in a store's folder, in a backup's, or below a key:
 * two levels, as ab/cdef….csv.zst.
 */

/* srv_raw_path - caller frees. */
char *srv_raw_path(const char *folder, const char *sha256);
