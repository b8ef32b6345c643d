#pragma once
/* What every unit test begins with: cmocka, which wants these headers before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef assert_uint_in_range /* cmocka 2, to which the old name is deprecated */
#undef assert_in_range
#define assert_in_range(value, least, most) assert_uint_in_range(value, least, most)
#endif
