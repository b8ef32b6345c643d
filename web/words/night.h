#pragma once
#include "config/model/night.h"

/**
 * web_night_headline - what stood out: "Writing (W) rose by 4.10 %", "nothing changed", "failed:
 * why". Free with g_free.
 */
char *web_night_headline(const cfg_night *night);
