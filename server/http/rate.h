#pragma once
/*
 * rate - how much one client may ask: a bucket of tokens for each address, filled steadily.
 * A fixed table: an address whose bucket is full again makes room for others. Thread-safe.
 */
#include <stdbool.h>
#include <stdint.h>

#define SRV_RATE_KEY_SIZE 64

/**
 * srv_rate_key - whom an address stands for: an IPv6 address for its /64 ("2001:db8::/64"), which
 * one client has whole; an IPv4 address, also as ::ffff:a.b.c.d, for itself, as ::1; all else as it
 * is, cut off.
 */
void srv_rate_key(const char *address, char out[SRV_RATE_KEY_SIZE]);

/** srv_rate_is_loopback - is it this machine's own? */
bool srv_rate_is_loopback(const char *address);

typedef struct srv_rate srv_rate;

/** srv_rate_new - per_s tokens a second, at most burst at once; per_s 0: everything is allowed. */
srv_rate *srv_rate_new(double per_s, double burst);
void srv_rate_free(srv_rate *rate);

/** srv_rate_take - takes a token if there is one. now_us: monotonic. */
bool srv_rate_take(srv_rate *rate, const char *client, int64_t now_us);

/** srv_rate_give - puts one back: what was asked for turned out to be free. */
void srv_rate_give(srv_rate *rate, const char *client, int64_t now_us);

/*
 * expensive - how many expensive requests are under way: waiting, being answered or being sent, in
 * all and of one client. What is beyond is refused at once, so that nobody fills the queue or, by
 * not reading, the memory. Thread-safe.
 */

enum {
    SRV__EXPENSIVE_MAX = 16, /* in all; they are answered one by one */
    SRV__EXPENSIVE_CLIENT = 4
};

typedef struct srv__expensive srv__expensive;

srv__expensive *srv__expensive_new(void);
void srv__expensive_free(srv__expensive *expensive);

/** srv__expensive_enter - client's address; this machine's own are bounded in all only. False:
 * full. */
bool srv__expensive_enter(srv__expensive *expensive, const char *client);

/** srv__expensive_leave - of one that was entered: its answer has been sent, or nobody wants it. */
void srv__expensive_leave(srv__expensive *expensive, const char *client);
