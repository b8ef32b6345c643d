#include "config/bucket.h"

#include <string.h>

#define TEXT(key)                                                                                  \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_bucket, key,   \
                           1, CYAML_UNLIMITED)

const cyaml_schema_field_t cfg__bucket_fields[] = {TEXT(url), TEXT(region), TEXT(credentials_file),
                                                   CYAML_FIELD_END};

/* scheme://host[:port]/bucket[/folder…], of letters that need no escape. */
static bool url_ok(const char *url) {
    const char *host = g_str_has_prefix(url, "https://")  ? url + strlen("https://")
                       : g_str_has_prefix(url, "http://") ? url + strlen("http://")
                                                          : "";
    const char *path = strchr(host, '/');
    return path && path != host && path[1] != '\0' && path[1] != '/' &&
           path[strlen(path) - 1] != '/' &&
           host[strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "._-:[]/")] == '\0';
}

bool cfg__bucket_fill(const cfg__yaml *yaml, const cfg__raw_bucket *raw, cfg_bucket *bucket,
                      GError **error) {
    if (!raw)
        return true;
    if (!raw->url || !url_ok(raw->url))
        return cfg__yaml_wrong(yaml, error, "bucket",
                               "url: must be https://HOST/BUCKET, or a folder in it, without a '/' "
                               "at the end");
    if (!raw->credentials_file)
        return cfg__yaml_wrong(yaml, error, "bucket",
                               "needs credentials_file: the key's id, and in the second line its "
                               "secret");
    bucket->url = g_strdup(raw->url);
    bucket->region = g_strdup(raw->region ? raw->region : "us-east-1");
    bucket->credentials_file = cfg__yaml_path(yaml, raw->credentials_file);
    return true;
}

void cfg__bucket_clear(cfg_bucket *bucket) {
    g_free(bucket->url);
    g_free(bucket->region);
    g_free(bucket->credentials_file);
}
