#include "config/sections.h"

#include <string.h>

#define NUMBER(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_OPTIONAL, cfg__raw_storage, key)

const cyaml_schema_field_t cfg__storage_fields[] = {
    NUMBER(keep_raw_days), NUMBER(raw_budget_bytes),
    CYAML_FIELD_SEQUENCE("keep_raw_of", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_storage,
                         keep_raw_of, &cfg__string, 0, CFG_KEEP_COUNT),
    CYAML_FIELD_END};

const char *const cfg_keep_words[CFG_KEEP_COUNT] = {"alerts", "releases", "first_of_month"};

static bool word_fill(const cfg__yaml *yaml, const char *word, cfg_storage *storage,
                      GError **error) {
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++)
        if (g_str_equal(word, cfg_keep_words[keep])) {
            storage->keeps[keep] = true;
            return true;
        }
    return cfg__yaml_wrong(yaml, error, "storage.keep_raw_of",
                           "\"%s\" is not one of alerts, releases and first_of_month", word);
}

bool cfg__storage_fill(const cfg__yaml *yaml, const cfg__raw_storage *raw, cfg_storage *storage,
                       GError **error) {
    static const cfg__raw_storage none = {.keep_raw_days = NULL};
    const uint64_t mib = 1024 * 1024;
    bool good = true;
    if (!raw)
        raw = &none;
    *storage = (cfg_storage){.keep_raw_days = 0};
    const bool told = cfg__yaml_has(yaml, "storage.keep_raw_of");
    for (unsigned keep = 0; !told && keep < CFG_KEEP_COUNT; keep++)
        storage->keeps[keep] = true;
    for (unsigned i = 0; good && i < raw->keep_raw_of_count; i++)
        good = word_fill(yaml, raw->keep_raw_of[i], storage, error);
    return good &&
           cfg__yaml_unsigned(yaml, "storage.keep_raw_days", raw->keep_raw_days,
                              (cfg__range){0, 0, 36500}, &storage->keep_raw_days, error) &&
           cfg__yaml_number(yaml, "storage.raw_budget_bytes", raw->raw_budget_bytes,
                            (cfg__range){0, 0, mib * mib * 1024}, &storage->raw_budget_bytes,
                            error);
}

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
