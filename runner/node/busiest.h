#pragma once
/*
 * busiest - who uses the processors: named when the node does not get idle.
 */
#include <glib.h>
#include <stdint.h>

/**
 * run_busiest_name - the processes outside ours that used most in the next `ms` milliseconds:
 * "cc1 (4711) 88 %, …", at most three, "no single process" when none stands out. g_free.
 */
char *run_busiest_name(int64_t ms);
