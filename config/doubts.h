#pragma once
/*
 * doubts - what makes the figures of a night doubtful: a step that these loops cannot tell from
 * nothing, a value that nobody measures any more, records that did not come to the receiver, loops
 * that failed or were mostly disturbed, what could not be counted.
 */
#include "config/model/night.h"

/**
 * cfg_doubts - adds the doubts of a night with its portions, loops and counts to it: kind is
 * "silent", "stuck", "dropped", "failed", "disturbed" or "uncounted"; portion: of a silent step or
 * a stuck value, else NULL.
 */
void cfg_doubts(cfg_night *night);

/* cfg_doubt_silent - of a step that cannot be told from nothing, or takes less, in words: a probe
 * that silently did nothing has the time of its parent. NULL: it is no doubt. Owned. */
char *cfg_doubt_silent(const cfg_portion *portion);
