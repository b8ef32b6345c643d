#pragma once
/*
 * The badge for a README: one look says whether something jumped.
 */
#include <glib.h>
#include <jansson.h>

/**
 * web_badge_svg - an SVG of a *project* object (docs/api.md), written without a drawing library.
 * web_badge_shields - the same for shields.io's endpoint badge: {"schemaVersion", "label", …}.
 * "quiet for 12 nights" in green; "C +41 ns" in red for the newest open alert upwards, in blue
 * downwards; "no data" in grey; "problem" in orange. Both never fail; the caller owns the result.
 */
GBytes *web_badge_svg(const json_t *project);
json_t *web_badge_shields(const json_t *project);
