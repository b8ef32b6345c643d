#pragma once
/* change__ - the pieces of a change's sentence, for reasons that say more. Not installed. */
#include "detector/words/change.h"
#include "detector/words/text__.h"

/** det__put_change - the whole sentence; slowly: it took many nights. */
void det__put_change(det__line *line, const det_change *change, int slowly);
/** det__same_in_print - are both alike with three significant digits? */
int det__same_in_print(double a, double b);
