/* The reader's tests as a program of their own, which is built for a processor without AVX2 and
 * with few counters. */
#include "test_reader.c" // NOLINT(bugprone-suspicious-include)
