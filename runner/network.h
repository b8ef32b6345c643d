#pragma once
/*
 * network - a process without one: a network namespace of its own, in which only loopback is up.
 */
#include <stdbool.h>

/**
 * run_network_leave - the calling process gets a network of its own, with 127.0.0.1 and ::1 only.
 * Where that takes privileges it lacks, it gets a user namespace too, in which it stays who it is.
 * Async-signal-safe, no allocation; for a process with one thread, between fork and exec.
 * Returns false with errno when the kernel refuses; nothing has changed then, or little.
 */
bool run_network_leave(void);

/* run_network_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_network_refused(void);
