#pragma once
/* Counted arrays of strings, as the configuration's structs hold them. */

/* A deep copy, NULL-terminated beside its count. Free with cfg__strings_free. */
char **cfg__strings_copy(char *const *strings, unsigned count);
void cfg__strings_free(char **strings, unsigned count);
