#pragma once
/*
 * network - a process without one: a network namespace of its own, in which only loopback is up.
 */
#include <stdbool.h>

/**
 * run_network_leave - the calling process gets a network of its own, with 127.0.0.1 and ::1 only.
 * Root needs CAP_SYS_ADMIN and CAP_NET_ADMIN for it; everybody else gets a user namespace too, in
 * which they stay who they are.
 * Async-signal-safe, no allocation; for a process with one thread, between fork and exec.
 * Returns false with errno when the kernel refuses; it has the network it had.
 */
bool run_network_leave(void);

/* run_network_refused - errno of a try in a child that ends at once; 0: it can be done here. */
int run_network_refused(void);
