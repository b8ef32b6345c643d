#pragma once
/* text__ - numbers as people read them, whatever the locale says. Not installed. */
#include <stddef.h>

#define DET__TEXT 32u /* room that any of these texts fits in */

/** det__number - three significant digits. */
void det__number(char out[DET__TEXT], double value);

/** det__duration - "203 ns", "1.45 µs"; det__signed_duration: with + or -. */
void det__duration(char out[DET__TEXT], double ns);
void det__signed_duration(char out[DET__TEXT], double ns);
