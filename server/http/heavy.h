#pragma once
/*
 * heavy - how many expensive requests are under way: waiting, being answered or being sent, in all
 * and of one client. What is beyond is refused at once, so that nobody fills the queue or, by not
 * reading, the memory. Thread-safe.
 */
#include <stdbool.h>

enum {
    SRV__HEAVY_MAX = 16, /* in all; they are answered one by one */
    SRV__HEAVY_CLIENT = 4
};

typedef struct srv__heavy srv__heavy;

srv__heavy *srv__heavy_new(void);
void srv__heavy_free(srv__heavy *heavy);

/** srv__heavy_enter - client's address; this machine's own are bounded in all only. False: full. */
bool srv__heavy_enter(srv__heavy *heavy, const char *client);

/** srv__heavy_leave - of one that was entered: its answer has been sent, or nobody wants it. */
void srv__heavy_leave(srv__heavy *heavy, const char *client);
