#pragma once
/*
 * jfr - the samples that Java's own recorder took, as `jfr print` tells them, as collapsed stacks.
 */
#include "detector/profile/stacks.h"

/**
 * det_jfr_collapse - a line for each jdk.ExecutionSample, each "frame;frame 1", outermost first,
 * named as async-profiler names them: "java/lang/String.valueOf".
 * text     [size] of `jfr print --events jdk.ExecutionSample`; what is not understood is passed
 *          over, and so is a sample without a stack
 * samples  out
 * Returns a text to free(), which ends in a zero and is shorter than [size]; NULL: no memory.
 */
char *det_jfr_collapse(const char *text, size_t size, size_t *samples);
