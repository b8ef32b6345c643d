#pragma once
/* The chart in words, for those who do not see it. */
#include "web/chart/chart.h"
#include "web/chart/history.h"

/** web__describe - the chart in words, from its history; free with g_free. */
char *web__describe(const web_history *history, web_chart_of of);
