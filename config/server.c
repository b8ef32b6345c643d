#include "config/sections.h"

#include <arpa/inet.h>
#include <string.h>

/* The section site: a folder that the server keeps its pages in, as files. */
static const model_member site_members[] = {
    MODEL(cfg_site, folder, "folder", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_site, base, "base", MODEL_LEFT_OUT)};
static const model_noun site_noun = MODEL_NOUN(cfg_site, site_members, "site");

/* Without a section: all NULL. What the site shows is read without a token, too. */
static bool site_fill(const cfg__yaml *yaml, bool public_read, cfg_site *site, GError **error) {
    if (!cfg__yaml_has(yaml, "site"))
        return true;
    if (!site->folder)
        return cfg__yaml_wrong(yaml, error, "site", "needs folder: where its files are written");
    if (!public_read)
        return cfg__yaml_wrong(yaml, error, "site",
                               "shows to everybody what public_read: false keeps back; leave one "
                               "of them out");
    if (site->base && !g_str_has_prefix(site->base, "http://") &&
        !g_str_has_prefix(site->base, "https://"))
        return cfg__yaml_wrong(yaml, error, "site.base", "must begin with http:// or https://");
    return true;
}

/* The section identities: jobs of forges that show a signed token. */
enum { WORD_BYTES_MAX = 300 };

static const model_member identity_members[] = {
    MODEL(cfg_identity, issuer, "issuer", .most = WORD_BYTES_MAX),
    MODEL(cfg_identity, audience, "audience", .most = WORD_BYTES_MAX),
    MODEL(cfg_identity, repository, "repository", .most = WORD_BYTES_MAX),
    MODEL(cfg_identity, branch, "branch", .most = WORD_BYTES_MAX),
    MODEL(cfg_identity, scope, "scope", .most = WORD_BYTES_MAX),
    MODEL(cfg_identity, node, "node", MODEL_LEFT_OUT, .most = WORD_BYTES_MAX),
    MODEL_COUNTED(cfg_identity, projects, "projects", MODEL_LEFT_OUT, .low = 1, .most_items = 20),
    MODEL(cfg_identity, minutes, "minutes", MODEL_LEFT_OUT, 360, 1, 1440)};
static const model_noun identity_noun = MODEL_NOUN(cfg_identity, identity_members, "identity");

static bool identity_check(const cfg__yaml *yaml, const cfg_identity *one, unsigned which,
                           GError **error) {
    static const char *const scopes[] = {"runner", "run", "submit", "read", NULL};
    g_autofree char *key = g_strdup_printf("identities[%u]", which);
    const bool runner = strcmp(one->scope, "runner") == 0;
    if (!g_str_has_prefix(one->issuer, "https://") || g_str_has_suffix(one->issuer, "/"))
        return cfg__yaml_wrong(yaml, error, key,
                               "issuer must be https://…, without a '/' at the end");
    if (!g_strv_contains(scopes, one->scope))
        return cfg__yaml_wrong(yaml, error, key, "scope must be runner, run, submit or read");
    if (runner ? one->projects_count > 0 : one->node != NULL)
        return cfg__yaml_wrong(yaml, error, key,
                               "node is for the scope runner, projects for the other scopes");
    return true;
}

static bool identities_check(const cfg__yaml *yaml, const cfg_server *server, GError **error) {
    bool good = true;
    for (unsigned i = 0; good && i < server->identities_count; i++)
        good = identity_check(yaml, &server->identities[i], i, error);
    return good;
}

/* The section storage: how long raw data are kept, and what of them for ever. */
const char *const cfg_keep_words[CFG_KEEP_COUNT] = {"alerts", "releases", "first_of_month"};

static const model_member storage_members[] = {
    MODEL(cfg_storage, keep_raw_days, "keep_raw_days", MODEL_LEFT_OUT, 0, 0, 36500),
    MODEL(cfg_storage, raw_budget_bytes, "raw_budget_bytes", MODEL_LEFT_OUT, 0, 0, 1024 * TIB),
    MODEL_COUNTED(cfg_storage, keep_raw_of, "keep_raw_of", MODEL_LEFT_OUT,
                  .most_items = CFG_KEEP_COUNT)};
static const model_noun storage_noun = MODEL_NOUN(cfg_storage, storage_members, "storage");

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

static bool storage_fill(const cfg__yaml *yaml, cfg_storage *storage, GError **error) {
    bool good = true;
    const bool told = cfg__yaml_has(yaml, "storage.keep_raw_of");
    for (unsigned keep = 0; !told && keep < CFG_KEEP_COUNT; keep++)
        storage->keeps[keep] = true;
    for (unsigned i = 0; good && i < storage->keep_raw_of_count; i++)
        good = word_fill(yaml, storage->keep_raw_of[i], storage, error);
    return good;
}

/* The section bucket: where raw files and artifacts are kept instead of in a folder. */
static const model_member bucket_members[] = {
    MODEL(cfg_bucket, url, "url", MODEL_LEFT_OUT),
    MODEL(cfg_bucket, region, "region", MODEL_LEFT_OUT, .otherwise = "us-east-1"),
    MODEL(cfg_bucket, credentials_file, "credentials_file", MODEL_LEFT_OUT, .path = true)};
static const model_noun bucket_noun = MODEL_NOUN(cfg_bucket, bucket_members, "bucket");

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

static bool bucket_fill(const cfg__yaml *yaml, cfg_bucket *bucket, GError **error) {
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
    return true;
}

static bool is_numeric(const char *address) {
    struct in6_addr out; /* has room for both */
    return inet_pton(AF_INET, address, &out) == 1 || inet_pton(AF_INET6, address, &out) == 1;
}

static const model_member members[] = {
    MODEL(cfg_server, listen, "listen", MODEL_LEFT_OUT, .otherwise = "127.0.0.1",
          .good = is_numeric, .expected = "a numeric address such as 127.0.0.1, without a port"),
    MODEL(cfg_server, port, "port", MODEL_LEFT_OUT, 8300, 0, 65535),
    MODEL(cfg_server, data_dir, "data_dir", .path = true),
    MODEL(cfg_server, database, "database", MODEL_LEFT_OUT),
    MODEL(cfg_server, shared_dir, "shared_dir", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_server, projects_dir, "projects_dir", MODEL_LEFT_OUT, .path = true,
          .otherwise = "projects.d"),
    MODEL(cfg_server, public_url, "public_url", MODEL_LEFT_OUT),
    MODEL(cfg_server, embed_ancestors, "embed_ancestors", MODEL_LEFT_OUT, .otherwise = "*"),
    MODEL(cfg_server, webhook_secret_file, "webhook_secret_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_server, webhook_old_secret_file, "webhook_old_secret_file", MODEL_LEFT_OUT,
          .path = true),
    MODEL(cfg_server, tls_certificate_file, "tls_certificate_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_server, tls_key_file, "tls_key_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_server, behind_proxy, "behind_proxy", MODEL_LEFT_OUT),
    MODEL(cfg_server, proxy_count, "proxy_count", MODEL_LEFT_OUT, 1, 1, 10),
    MODEL(cfg_server, head_timeout_s, "head_timeout_seconds", MODEL_LEFT_OUT, 20, 1, 3600),
    MODEL(cfg_server, body_timeout_s, "body_timeout_seconds", MODEL_LEFT_OUT, 120, 1, 3600),
    MODEL(cfg_server, client_connection_limit, "client_connection_limit", MODEL_LEFT_OUT, 100, 0,
          60000),
    MODEL(cfg_server, client_requests_per_second, "client_requests_per_second", MODEL_LEFT_OUT, 100,
          0, 1000000),
    MODEL(cfg_server, public_read, "public_read", MODEL_LEFT_OUT, true),
    MODEL(cfg_server, public_details, "public_details", MODEL_LEFT_OUT),
    MODEL(cfg_server, poll_s, "poll_seconds", MODEL_LEFT_OUT, 60, 1, 86400),
    MODEL(cfg_server, fetch_timeout_s, "fetch_timeout_seconds", MODEL_LEFT_OUT, 300, 1, 86400),
    MODEL(cfg_server, fetch_connect_s, "fetch_connect_seconds", MODEL_LEFT_OUT, 20, 1, 86400),
    MODEL(cfg_server, fetch_parallel, "fetch_parallel", MODEL_LEFT_OUT, 4, 1, 32),
    MODEL(cfg_server, lease_s, "lease_seconds", MODEL_LEFT_OUT, 60, 5, 86400),
    MODEL(cfg_server, attempts, "attempts", MODEL_LEFT_OUT, 3, 1, 100),
    MODEL(cfg_server, off_job_days, "off_job_days", MODEL_LEFT_OUT, 30, 1, 3650),
    MODEL(cfg_server, body_limit_bytes, "body_limit_bytes", MODEL_LEFT_OUT, 8 * MIB, 64 * 1024,
          1024 * MIB),
    /* Its default is four times body_limit_bytes, where that is more. */
    MODEL(cfg_server, body_buffer_bytes, "body_buffer_bytes", MODEL_LEFT_OUT, 40 * MIB, 256 * 1024,
          TIB),
    MODEL(cfg_server, raw_limit_bytes, "raw_limit_bytes", MODEL_LEFT_OUT, 1024 * MIB, 64 * 1024,
          TIB),
    MODEL(cfg_server, import_limit_bytes, "import_limit_bytes", MODEL_LEFT_OUT, 32 * MIB, 1024,
          TIB),
    MODEL(cfg_server, artifact_limit_bytes, "artifact_limit_bytes", MODEL_LEFT_OUT, 1024 * MIB, 1,
          TIB),
    MODEL(cfg_server, artifact_quota_bytes, "artifact_quota_bytes", MODEL_LEFT_OUT, 10240 * MIB, 1,
          1024 * TIB),
    MODEL(cfg_server, artifact_keep_days, "artifact_keep_days", MODEL_LEFT_OUT, 90, 0, 36500),
    MODEL(cfg_server, profile_keep_days, "profile_keep_days", MODEL_LEFT_OUT, 365, 0, 36500),
    MODEL(cfg_server, connection_limit, "connection_limit", MODEL_LEFT_OUT, 1000, 10, 60000),
    MODEL(cfg_server, stream_limit, "stream_limit", MODEL_LEFT_OUT, 200, 1, 50000),
    MODEL(cfg_server, client_stream_limit, "client_stream_limit", MODEL_LEFT_OUT, 50, 1, 50000),
    MODEL(cfg_server, answer_cache_bytes, "answer_cache_bytes", MODEL_LEFT_OUT, 16 * MIB, 0, TIB),
    MODEL(cfg_server, history_cache_bytes, "history_cache_bytes", MODEL_LEFT_OUT, 8 * MIB, 0, TIB),
    MODEL(cfg_server, disk_reserve_bytes, "disk_reserve_bytes", MODEL_LEFT_OUT, 512 * MIB, 0, TIB),
    MODEL(cfg_server, fetch_limit_bytes, "fetch_limit_bytes", MODEL_LEFT_OUT, 4096 * MIB, 1024,
          TIB),
    MODEL(cfg_server, mirror_limit_bytes, "mirror_limit_bytes", MODEL_LEFT_OUT, 8192 * MIB, 1024,
          TIB),
    MODEL_A(cfg_server, mail, cfg__mail_noun, MODEL_PART, "mail", MODEL_LEFT_OUT),
    MODEL_A(cfg_server, bucket, bucket_noun, MODEL_PART, "bucket", MODEL_LEFT_OUT),
    MODEL_A(cfg_server, site, site_noun, MODEL_PART, "site", MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_server, identities, identity_noun, MODEL_LIST, "identities", MODEL_LEFT_OUT,
                  .most_items = 100),
    MODEL_A(cfg_server, storage, storage_noun, MODEL_PART, "storage", MODEL_LEFT_OUT),
    MODEL(cfg_server, runner, "runner", MODEL_LEFT_OUT, .noun = &cfg__hosted_noun)};
static const model_noun noun = MODEL_NOUN(cfg_server, members, "server");

/* A stranger's body may take half, and its buffer is up to twice as large as the body. */
static bool buffer_fill(const cfg__yaml *yaml, cfg_server *server, GError **error) {
    const uint64_t least = 4 * server->body_limit_bytes;
    if (!cfg__yaml_has(yaml, "body_buffer_bytes"))
        server->body_buffer_bytes = MAX(server->body_buffer_bytes, least);
    return server->body_buffer_bytes >= least ||
           cfg__yaml_wrong(yaml, error, "body_buffer_bytes",
                           "must be at least four times body_limit_bytes");
}

/* As libpq reads it: who connects stands before the first '@', unless a '/' comes earlier. */
static bool has_password(const char *url) {
    const char *user = strstr(url, "://");
    const size_t length = user ? strcspn(user + 3, "@/") : 0;
    const bool by_user = user && user[3 + length] == '@' && memchr(user + 3, ':', length);
    /* passfile=/etc/db-password is not a password */
    return by_user || g_regex_match_simple("password\\s*=", url, G_REGEX_CASELESS, 0);
}

const char *cfg_database_wrong(const char *url) {
    if (!g_str_has_prefix(url, "postgresql:") && !g_str_has_prefix(url, "postgres:"))
        return "must begin with postgresql: (leave it out for an SQLite file in data_dir)";
    if (has_password(url))
        return "must not hold a password: put it in a file, and name that with passfile=";
    return NULL;
}

/* Pages ask for their files and the API at the root of the host. */
static bool public_url_fill(const cfg__yaml *yaml, cfg_server *server, GError **error) {
    g_autofree char *url = g_steal_pointer(&server->public_url);
    if (!url) {
        server->public_url = g_strdup_printf("http://%s:%u", server->listen, server->port);
        return true;
    }
    const char *host = strstr(url, "://");
    if (!g_str_has_prefix(url, "http://") && !g_str_has_prefix(url, "https://"))
        return cfg__yaml_wrong(yaml, error, "public_url", "must begin with http:// or https://");
    host += strlen("://");
    const size_t size = strcspn(host, "/?#@");
    if (size == 0 || (host[size] != '\0' && strcmp(host + size, "/") != 0))
        return cfg__yaml_wrong(yaml, error, "public_url",
                               "must be a host alone, such as https://moowatch.example.org; "
                               "moowatchd cannot be served below a path");
    server->public_url = g_strndup(url, (gsize)(host - url) + size);
    return true;
}

static bool check(const cfg__yaml *yaml, const cfg_server *server, GError **error) {
    const char *database = server->database ? cfg_database_wrong(server->database) : NULL;
    if (database)
        return cfg__yaml_wrong(yaml, error, "database", "%s", database);
    if (!server->tls_certificate_file != !server->tls_key_file)
        return cfg__yaml_wrong(yaml, error,
                               server->tls_key_file ? "tls_key_file" : "tls_certificate_file",
                               "tls_certificate_file and tls_key_file must be given together");
    return !strpbrk(server->embed_ancestors, ";,\r\n") ||
           cfg__yaml_wrong(
               yaml, error, "embed_ancestors",
               "must be sources separated by spaces, as in \"'self' https://example.org\"");
}

cfg_server *cfg_server_load(const char *path, GError **error) {
    g_autoptr(cfg_server) server = g_new0(cfg_server, 1);
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &noun, server, error);
    if (!yaml)
        return NULL;
    cfg__yaml_otherwise(&server->shared_dir, server->data_dir);
    if (!check(yaml, server, error) || !buffer_fill(yaml, server, error) ||
        !cfg__mail_fill(yaml, &server->mail, error) || !bucket_fill(yaml, &server->bucket, error) ||
        !site_fill(yaml, server->public_read, &server->site, error) ||
        !identities_check(yaml, server, error) || !storage_fill(yaml, &server->storage, error) ||
        !public_url_fill(yaml, server, error))
        return NULL;
    server->runner_lines = cfg__hosted_lines(yaml, server->runner, error);
    return server->runner_lines ? g_steal_pointer(&server) : NULL;
}

void cfg_server_free(cfg_server *server) {
    if (!server)
        return;
    g_free(server->runner_lines);
    model_clear(&noun, server);
    g_free(server);
}
