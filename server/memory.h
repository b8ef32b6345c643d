#pragma once
/*
 * memory - the heap given back. Thousands of nights become a hundred megabytes of small JSON values
 * for a moment; what the C library then keeps for the next time would stay for weeks.
 */

/** srv_memory_setup - once, before threads start. */
void srv_memory_setup(void);

/** srv_memory_tidy - a piece of work is done: when this thread has made much JSON since the last
 * time, what is free now goes back to the system. */
void srv_memory_tidy(void);
