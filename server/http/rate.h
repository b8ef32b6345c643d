#pragma once
/*
 * rate - how much one client may ask: a bucket of tokens for each address, filled steadily.
 * A fixed table: an address whose bucket is full again makes room for others. Thread-safe.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define SRV_RATE_KEY_SIZE 64

/**
 * srv_rate_key - whom an address stands for: an IPv6 address for its /64, which one client has
 * whole; an IPv4 address, also as ::ffff:a.b.c.d, for itself; all else as it is, cut off.
 */
void srv_rate_key(const char *address, char out[SRV_RATE_KEY_SIZE]);

/** srv_rate_is_loopback - is it this machine's own? */
bool srv_rate_is_loopback(const char *address);

typedef struct srv_rate srv_rate;

/** srv_rate_new - per_s tokens a second, at most burst at once; per_s 0: everything is allowed. */
srv_rate *srv_rate_new(double per_s, double burst);
void srv_rate_free(srv_rate *rate);

/** srv_rate_allows - is there a token? Takes none. now_us: monotonic. */
bool srv_rate_allows(srv_rate *rate, const char *client, int64_t now_us);

/** srv_rate_take - takes one if there is one. */
bool srv_rate_take(srv_rate *rate, const char *client, int64_t now_us);

/** srv_rate_give - puts one back: what was asked for turned out to be free. */
void srv_rate_give(srv_rate *rate, const char *client, int64_t now_us);
