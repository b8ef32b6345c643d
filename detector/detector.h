#pragma once
/*
 * detector - from raw response times to a verdict a maintainer believes.
 *
 *   raw file -> calls            raw.h
 *   calls -> summary             stats.h, effect.h
 *   calls -> had they settled    steady.h
 *   loop means -> intervals      interval.h, dist.h
 *   loops that stand alone       stray.h
 *   enough loops? asked often    sequence.h
 *   configurations -> portions   portion.h
 *   nights -> verdicts           watch.h
 *   measured again -> certainty  confirm.h
 *
 * Needs libc and libm. No I/O, no clock, no global state, no threads.
 */
#include "detector/confirm.h"
#include "detector/dist.h"
#include "detector/effect.h"
#include "detector/groups.h"
#include "detector/interval.h"
#include "detector/portion.h"
#include "detector/raw.h"
#include "detector/sequence.h"
#include "detector/stats.h"
#include "detector/status.h"
#include "detector/steady.h"
#include "detector/stray.h"
#include "detector/watch.h"
