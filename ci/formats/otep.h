#pragma once
/*
 * otep - releases in the form of OpenTelemetry's benchmarks repository (OTEP 5109): one point a
 * release, each an array of {name, unit, value, extra} as github-action-benchmark's
 * customSmallerIsBetter takes it.
 */
#include <glib.h>
#include <jansson.h>

/**
 * ci_otep_point - one experiment (docs/api.md) as {"release","commit","date","benches"}; owned.
 * A bench for each configuration with calls: its median, "ns"; beside it "<name> allocations",
 * "B/op", where the tool counted them. extra: the environment as key=value, one a line.
 */
json_t *ci_otep_point(const json_t *experiment);
