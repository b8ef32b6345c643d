#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* lgammal_r */
#endif

#include "detector/statistics/gamma__.h"

#include <math.h>

long double det__log_gamma(long double x) {
    int sign;
    return lgammal_r(x, &sign);
}
