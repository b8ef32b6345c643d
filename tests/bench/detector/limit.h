#pragma once
/*
 * limit - how often a change could be found at all, looking only.
 *
 * A matched filter that knows the true noise, the true levels' direction and a reference of 30
 * nights, and tests once, at the night of the change. No detector that must find noise, level, date
 * and portion for itself can do better at the same false-alarm rate.
 */
#include "tests/bench/detector/history.h"

/** limit_power - chance to see the change within `nights` nights at the given z threshold. */
double limit_power(const history *h, const history_change *change, double nights, double z);
