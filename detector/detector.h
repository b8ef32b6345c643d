#pragma once
/*
 * detector - from raw response times to a verdict a maintainer believes.
 *
 *   raw file -> calls            raw.h
 *   calls -> summary             stats.h
 *   calls -> had they settled,
 *   and how many to drop         warmup.h
 *   loop means -> intervals      interval.h, dist.h
 *   loops that stand alone       stray.h
 *   enough loops? asked often    interval.h
 *   how many calls, processes,
 *   and more loops of which      plan.h
 *   configurations -> portions,
 *   and over a parameter         portion.h
 *   nights -> verdicts           watch.h
 *   measured again -> certainty  confirm.h
 *   before the merge -> answer   merge.h
 *   a change -> its sentence     change.h
 *   counts beside time           dimension.h, counts.h, counted.h
 *
 * Needs libc and libm. No I/O, no clock, no global state, no threads.
 */
#include "detector/profile/callgrind.h"
#include "detector/profile/contrast.h"
#include "detector/profile/sampled.h"
#include "detector/profile/stacks.h"
#include "detector/reader/raw.h"
#include "detector/statistics/dimension.h"
#include "detector/statistics/dist.h"
#include "detector/statistics/interval.h"
#include "detector/statistics/plan.h"
#include "detector/statistics/portion.h"
#include "detector/statistics/stats.h"
#include "detector/statistics/status.h"
#include "detector/statistics/stray.h"
#include "detector/statistics/warmup.h"
#include "detector/watch/confirm.h"
#include "detector/watch/counts.h"
#include "detector/watch/merge.h"
#include "detector/watch/watch.h"
#include "detector/words/change.h"
#include "detector/words/counted.h"
#include "detector/words/explanation.h"
