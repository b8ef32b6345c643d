#pragma once
/*
 * allocations - what each thread of a program in Python asks of the interpreter's allocator: how
 * often, and for how many bytes. The harness loads it where it counts, and never where it measures.
 *
 * Every request counts that was granted, malloc, calloc and realloc alike, each with the bytes that
 * it asked for; one that the interpreter makes to answer another is part of that one. What comes
 * from the interpreter's lists of free objects is no request. No Python header is needed: the two
 * functions and their struct are part of CPython's documented interface since 3.5.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its PyMemAllocatorEx. */
typedef struct {
    void *context;
    void *(*malloc)(void *context, size_t size);
    void *(*calloc)(void *context, size_t count, size_t size);
    void *(*realloc)(void *context, void *old, size_t size);
    void (*free)(void *context, void *old);
} moobench_allocator;

#define MOOBENCH_ALLOCATORS 3 /* its domains: raw, mem, obj */

/* Its PyMem_GetAllocator and PyMem_SetAllocator. */
typedef void (*moobench_allocator_get)(int domain, moobench_allocator *out);
typedef void (*moobench_allocator_set)(int domain, moobench_allocator *allocator);

typedef struct {
    uint64_t allocations, bytes;
} moobench_allocations;

/**
 * moobench_allocations_watch - count from now on, until the process ends. Once in a process, while
 * it has one thread.
 */
void moobench_allocations_watch(moobench_allocator_get get, moobench_allocator_set set);

/** moobench_allocations_read - of the calling thread, since watching began. Allocates nothing. */
void moobench_allocations_read(moobench_allocations *out);

/** moobench_allocations_watched - false: somebody has put another allocator before this one. */
bool moobench_allocations_watched(moobench_allocator_get get);
