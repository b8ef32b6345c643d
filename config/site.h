#pragma once
/* The server's `site:`: a folder that it keeps its pages in, as files. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    char *folder, *base;
} cfg__raw_site;

extern const cyaml_schema_field_t cfg__site_fields[];

/* cfg__site_fill - raw NULL: none; site is then as it was, all NULL. public_read: what the site
 * shows is read without a token, too. */
bool cfg__site_fill(const cfg__yaml *yaml, const cfg__raw_site *raw, bool public_read,
                    cfg_site *site, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg__site_clear(cfg_site *site);
