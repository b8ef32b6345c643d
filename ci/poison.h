#pragma once
/*
 * poison - names that nobody may use: they keep their answer in memory that all threads share, or
 * change what all threads read. Included before every file by ci/build.cmake.
 * Instead: strtok_r or g_strsplit; GDateTime; g_strerror, strerror_r; GRand with a seed; an
 * environment that is handed to the child.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strtok localtime gmtime strerror rand srand setenv putenv unsetenv
