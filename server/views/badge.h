#pragma once
/*
 * badge - a project's newest night in two words, as an SVG of our own and for shields.io. Pure.
 */
#include "config/model/night.h"

typedef struct {
    char *label, *message;
    const char *colour; /* "#rrggbb"; static */
} srv_badge;

/**
 * srv_badge_of - what the badge says; false: there is no such portion.
 * project  *project* of docs/api.md, with "told" (srv_open_changes)
 * night    the newest; NULL: there is none
 * portion  one of its portions; NULL: all together
 *
 * Red: an open alert says it rose; yellow: the newest night is suspect, in question, the first of
 * its series or failed, could not have shown a doubling, or a suspicion is open; grey: nothing
 * measured. Where that is of a portion that the number does not hold, the message says of which; a
 * portion's badge has its own colour.
 */
gboolean srv_badge_of(srv_badge *out, const json_t *project, const cfg_night *night,
                      const char *portion);
void srv_badge_clear(srv_badge *badge);

/** srv_badge_svg - the picture; title and text are escaped. Caller frees. */
char *srv_badge_svg(const srv_badge *badge);

/** srv_badge_shields - shields.io's endpoint object; owned by the caller. */
json_t *srv_badge_shields(const srv_badge *badge);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv_badge, srv_badge_clear)
