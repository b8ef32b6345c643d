#pragma once
/* memory_file - bytes as a file with a name, for readers that open files themselves. */
#include <stddef.h>
#include <stdint.h>

#define MEMORY_FILE_PATH_MAX 32

/** memory_file_new - path [MEMORY_FILE_PATH_MAX] leads to the bytes. Returns its descriptor, to be
    closed by the caller; -1: the system has none left. */
int memory_file_new(const uint8_t *bytes, size_t size, char *path);
