#pragma once
/* proposal - the keys of a project's file that a plan changes. */
#include "ci/command/pilot.h"

/**
 * ci_proposal_evidence - what the warm-up rests on, one line; owned.
 * commit  of the pilot; day: "2026-11-22"
 */
char *ci_proposal_evidence(const ci_pilot *pilot, const char *commit, const char *day);

/** ci_proposal_text - the keys as YAML, to look at; owned. minutes: of a night. */
char *ci_proposal_text(const ci_pilot *pilot, double minutes, const char *evidence);

/**
 * ci_proposal_write - into the file, at once or not at all. What is written was read again before
 * and means what it should. Error: as above, or the file cannot be written.
 */
bool ci_proposal_write(const char *file, const ci_pilot *pilot, double minutes,
                       const char *evidence, GError **error) G_GNUC_WARN_UNUSED_RESULT;
