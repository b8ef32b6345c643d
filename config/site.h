#pragma once
/* The server's `site:`: a folder that it keeps its pages in, as files. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    char *folder, *base;
} cfg__raw_site;

extern const cyaml_schema_field_t cfg__site_fields[];

/* What the rest of the server's file says: what the site shows is read without a token; the server
 * has a certificate, and a name. */
typedef struct {
    bool public_read, tls, public_url;
} cfg__site_needs;

/* cfg__site_fill - raw NULL: none; site is then as it was, all NULL. */
bool cfg__site_fill(const cfg__yaml *yaml, const cfg__raw_site *raw, cfg__site_needs needs,
                    cfg_site *site, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg__site_clear(cfg_site *site);
