#include "config/site.h"

#define TEXT(key)                                                                                  \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_site, key, 1,  \
                           CYAML_UNLIMITED)

const cyaml_schema_field_t cfg__site_fields[] = {TEXT(folder), TEXT(base), CYAML_FIELD_END};

bool cfg__site_fill(const cfg__yaml *yaml, const cfg__raw_site *raw, bool public_read,
                    cfg_site *site, GError **error) {
    if (!raw)
        return true;
    if (!raw->folder)
        return cfg__yaml_wrong(yaml, error, "site", "needs folder: where its files are written");
    if (!public_read)
        return cfg__yaml_wrong(yaml, error, "site",
                               "shows to everybody what public_read: false keeps back; leave one "
                               "of them out");
    if (raw->base && !g_str_has_prefix(raw->base, "http://") &&
        !g_str_has_prefix(raw->base, "https://"))
        return cfg__yaml_wrong(yaml, error, "site.base", "must begin with http:// or https://");
    site->folder = cfg__yaml_path(yaml, raw->folder);
    site->base = g_strdup(raw->base);
    return true;
}

void cfg__site_clear(cfg_site *site) {
    g_free(site->folder);
    g_free(site->base);
}
