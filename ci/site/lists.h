#pragma once
/*
 * lists - what a site has beside nights: projects, alerts, incidents, sweeps, jobs.
 */
#include "ci/site/source.h"

/**
 * ci_site_project - a project's own answer, its alerts, incidents, sweeps and the commits of its
 * alerts, and its pictures.
 * ids     {"alerts": [], "incidents": [], "sweeps": []}: gets the numbers of what is there
 * places  gets {id, project, month: null} of the experiments of sweeps
 */
bool ci_site_project(const ci_source *source, json_t *project, json_t *ids, json_t *places,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_site_project_kept - nothing of a project but its own answer has changed: writes that, and says
 * the same as ci_site_project of what is there.
 * paths  of the project's files
 */
bool ci_site_project_kept(const ci_source *source, json_t *project, const GPtrArray *paths,
                          json_t *ids, json_t *places, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_site_lists - what is of no project alone: the lists of all of them, of jobs, and the state.
 */
bool ci_site_lists(const ci_source *source, GError **error) G_GNUC_WARN_UNUSED_RESULT;
