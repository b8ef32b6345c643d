#pragma once
/* pages - the files of a site that are not data: pages, modules, style sheet. */
#include "ci/site/source.h"

/** ci_site_page - a page ("alert.html") at path, "alerts/3/index.html". */
bool ci_site_page(const ci_source *source, const char *page, const char *path,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_site_pages_digest - of all pages and modules that this program has; 32 characters, owned. */
char *ci_site_pages_digest(void);

/** ci_site_pages - what every site has, whatever its data: static/, and the pages of no thing. */
bool ci_site_pages(const ci_source *source, GError **error) G_GNUC_WARN_UNUSED_RESULT;
