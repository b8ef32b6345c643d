#pragma once
/* names - how the frames of sampling profilers are called here (sampled.h). Not installed. */
#include "detector/profile/sampled.h"

#define DET__NAME_ROOM DET_STACKS_NAME_MAX

/** det__name_write - a frame's name [length] as it is known here, without a zero.
 * to  [DET__NAME_ROOM]; returns how many bytes were written, 0: nothing is left of it */
size_t det__name_write(char *to, const char *name, size_t length, const det_sampled_wanted *wanted);

/** det__name_class - likewise of a class that is allocated. */
size_t det__name_class(char *to, const char *name, size_t length);
