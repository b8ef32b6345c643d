#include "config/sections.h"

#include <string.h>

const char *const cfg_keep_words[CFG_KEEP_COUNT] = {"alerts", "releases", "first_of_month"};

static const model_member storage_members[] = {
    MODEL(cfg_storage, keep_raw_days, "keep_raw_days", MODEL_LEFT_OUT, 0, 0, 36500),
    MODEL(cfg_storage, raw_budget_bytes, "raw_budget_bytes", MODEL_LEFT_OUT, 0, 0, 1024 * TIB),
    MODEL_COUNTED(cfg_storage, keep_raw_of, "keep_raw_of", MODEL_LEFT_OUT,
                  .most_items = CFG_KEEP_COUNT)};
const model_noun cfg__storage_noun = MODEL_NOUN(cfg_storage, storage_members, "storage");

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

bool cfg__storage_fill(const cfg__yaml *yaml, cfg_storage *storage, GError **error) {
    bool good = true;
    const bool told = cfg__yaml_has(yaml, "storage.keep_raw_of");
    for (unsigned keep = 0; !told && keep < CFG_KEEP_COUNT; keep++)
        storage->keeps[keep] = true;
    for (unsigned i = 0; good && i < storage->keep_raw_of_count; i++)
        good = word_fill(yaml, storage->keep_raw_of[i], storage, error);
    return good;
}

static const model_member bucket_members[] = {
    MODEL(cfg_bucket, url, "url", MODEL_LEFT_OUT),
    MODEL(cfg_bucket, region, "region", MODEL_LEFT_OUT),
    MODEL(cfg_bucket, credentials_file, "credentials_file", MODEL_LEFT_OUT)};
const model_noun cfg__bucket_noun = MODEL_NOUN(cfg_bucket, bucket_members, "bucket");

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

bool cfg__bucket_fill(const cfg__yaml *yaml, cfg_bucket *bucket, GError **error) {
    if (!cfg__yaml_has(yaml, "bucket"))
        return true;
    if (!bucket->url || !url_ok(bucket->url))
        return cfg__yaml_wrong(yaml, error, "bucket",
                               "url: must be https://HOST/BUCKET, or a folder in it, without a '/' "
                               "at the end");
    if (!bucket->credentials_file)
        return cfg__yaml_wrong(yaml, error, "bucket",
                               "needs credentials_file: the key's id, and in the second line its "
                               "secret");
    cfg__yaml_otherwise(&bucket->region, "us-east-1");
    cfg__yaml_make_path(yaml, &bucket->credentials_file);
    return true;
}
