#pragma once
/* level - the level of an interval in words: it is a setting (detection.confidence), so nothing
 * that people see says 95 % by itself. */

/** web_level_interval - "95 % interval", "99.9 % interval"; "interval" for what is not a level.
 * Free with g_free. */
char *web_level_interval(double level);
