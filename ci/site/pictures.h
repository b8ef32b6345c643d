#pragma once
/* pictures - what a site's project has for other places: charts, badges, feeds, a page for frames.
 */
#include "ci/site/source.h"

/** ci_site_pictures - of a project. */
bool ci_site_pictures(const ci_source *source, const char *project,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_site_flames - the flame graphs of an alert's explanation, which may be NULL. */
bool ci_site_flames(const ci_source *source, json_int_t alert, const json_t *explanation,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_site_feed - the feed of all projects. */
bool ci_site_feed(const ci_source *source, GError **error) G_GNUC_WARN_UNUSED_RESULT;
