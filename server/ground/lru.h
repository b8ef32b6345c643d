#pragma once
/*
 * lru - things that were dear to make, the least recently used go first.
 * A thing is good for one generation, a number of the caller's that moves when what it was made
 * from has changed. Thread-safe. Memory: at most the bytes given, with keys and places; at most
 * 4096 things.
 */
#include <glib.h>
#include <stdint.h>

typedef struct srv_lru srv_lru;

/** srv_lru_new - ref and unref: of the things, thread-safe; max_bytes 0: nothing is kept. */
srv_lru *srv_lru_new(gsize max_bytes, gpointer (*ref)(gpointer), void (*unref)(gpointer));
void srv_lru_free(srv_lru *lru);

/**
 * srv_lru_get - a reference for the caller; NULL: not there, or of another generation.
 */
gpointer srv_lru_get(srv_lru *lru, const char *key, uint64_t generation);

/**
 * srv_lru_put - keeps a reference of its own, instead of what has that key.
 * bytes  what the thing costs, to which key and place (200) are added; more than half of all is
 *        not kept
 */
void srv_lru_put(srv_lru *lru, const char *key, uint64_t generation, gpointer thing, gsize bytes);
