#pragma once
/*
 * duty - what one of several servers on a database does for all of them, whichever lives.
 *
 * The holder's beat is written down every few seconds. Another server takes the duty over when it
 * has seen the same beat for SRV_DUTY_SILENT_MS of its own time; the holder stops to act
 * SRV_DUTY_HELD_MS after its last beat, which is sooner. So the servers' clocks may say what they
 * like, and two never act at once unless one hangs in the middle of what it does.
 */
#include "server/ground/auth_random.h"
#include "server/store/store.h"

enum { SRV_DUTY_BEAT_MS = 2000, SRV_DUTY_HELD_MS = 8000, SRV_DUTY_SILENT_MS = 12000 };

/* What one server knows of a duty. Begins with its name and own, else zero. */
typedef struct {
    const char *name;
    char own[SRV_AUTH_UUID_SIZE];
    char holder[SRV_AUTH_UUID_SIZE]; /* when it was last looked at */
    int64_t beat, seen_ms;           /* likewise; since when it is the same one */
    int64_t held_ms;                 /* it is ours until then */
} srv_duty;

/**
 * srv_duty_beat - keep it, or take it over when nobody has it.
 * now_ms   monotonic time of this server before the call
 * Sets duty->held_ms; false with error: it stays as it was, and ends when its time is over.
 */
bool srv_duty_beat(srv_store *store, srv_duty *duty, int64_t now_ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_duty_held - is it ours? now_ms: monotonic. */
bool srv_duty_held(const srv_duty *duty, int64_t now_ms);

/** srv_duty_leave - whoever comes next may have it at once. */
bool srv_duty_leave(srv_store *store, srv_duty *duty, GError **error);
