#pragma once
/*
 * order - in which order the configurations of one round run: shuffled, repeatable by seed.
 */
#include <stddef.h>
#include <stdint.h>

/**
 * run_order_shuffle - order of round `round` (from 1) of a job.
 * order  [n] filled with a permutation of 0 … n-1
 * The same seed, round and n give the same order on every machine: a resumed job goes on as
 * planned. SplitMix64 (Steele, Lea, Flood 2014) feeds a Fisher-Yates shuffle without modulo bias.
 */
void run_order_shuffle(uint64_t seed, unsigned round, size_t n, unsigned *order);
