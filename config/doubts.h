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
