#include "config/sections.h"

#include <string.h>

/* The section site: a folder that the server keeps its pages in, as files. */
typedef struct {
    char *folder, *base;
} raw_site;

#define SITE_TEXT(key)                                                                             \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_site, key, 1,       \
                           CYAML_UNLIMITED)

static const cyaml_schema_field_t site_fields[] = {SITE_TEXT(folder), SITE_TEXT(base),
                                                   CYAML_FIELD_END};

/* Without a section: all NULL. What the site shows is read without a token, too. */
static bool site_fill(const cfg__yaml *yaml, const raw_site *raw, bool public_read, cfg_site *site,
                      GError **error) {
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

static void site_clear(cfg_site *site) {
    g_free(site->folder);
    g_free(site->base);
}

/* The section identities: jobs of forges that show a signed token. */
typedef struct {
    char *issuer, *audience, *repository, *branch, *scope, *node;
    char **projects;
    unsigned projects_count;
    uint64_t *minutes;
} raw_identity;

#define IDENTITY_TEXT(key, flags)                                                                  \
    CYAML_FIELD_STRING_PTR(#key, (flags) | CYAML_FLAG_POINTER, raw_identity, key, 1, 300)

static const cyaml_schema_field_t identity_fields[] = {
    IDENTITY_TEXT(issuer, 0),
    IDENTITY_TEXT(audience, 0),
    IDENTITY_TEXT(repository, 0),
    IDENTITY_TEXT(branch, 0),
    IDENTITY_TEXT(scope, 0),
    IDENTITY_TEXT(node, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_SEQUENCE("projects", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_identity,
                         projects, &cfg__string, 1, 20),
    CYAML_FIELD_UINT_PTR("minutes", CYAML_FLAG_OPTIONAL, raw_identity, minutes),
    CYAML_FIELD_END};

static const cyaml_schema_value_t identity_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, raw_identity, identity_fields)};

static bool identity_fill(const cfg__yaml *yaml, const raw_identity *raw, unsigned which,
                          cfg_identity *out, GError **error) {
    static const char *const scopes[] = {"runner", "run", "submit", "read", NULL};
    g_autofree char *key = g_strdup_printf("identities[%u]", which);
    g_autofree char *minutes = g_strconcat(key, ".minutes", NULL);
    const bool runner = strcmp(raw->scope, "runner") == 0;
    if (!g_str_has_prefix(raw->issuer, "https://") || g_str_has_suffix(raw->issuer, "/"))
        return cfg__yaml_wrong(yaml, error, key,
                               "issuer must be https://…, without a '/' at the end");
    if (!g_strv_contains(scopes, raw->scope))
        return cfg__yaml_wrong(yaml, error, key, "scope must be runner, run, submit or read");
    if (runner ? raw->projects != NULL : raw->node != NULL)
        return cfg__yaml_wrong(yaml, error, key,
                               "node is for the scope runner, projects for the other scopes");
    *out = (cfg_identity){.issuer = g_strdup(raw->issuer),
                          .audience = g_strdup(raw->audience),
                          .repository = g_strdup(raw->repository),
                          .branch = g_strdup(raw->branch),
                          .scope = g_strdup(raw->scope),
                          .node = g_strdup(raw->node),
                          .projects = cfg__strings_copy(raw->projects, raw->projects_count),
                          .projects_count = raw->projects_count};
    return cfg__yaml_unsigned(yaml, minutes, raw->minutes, (cfg__range){360, 1, 1440},
                              &out->minutes, error);
}

static bool identities_fill(const cfg__yaml *yaml, const raw_identity *raw, unsigned count,
                            cfg_server *server, GError **error) {
    bool good = true;
    server->identities = g_new0(cfg_identity, count);
    server->identities_count = count;
    for (unsigned i = 0; good && i < count; i++)
        good = identity_fill(yaml, &raw[i], i, &server->identities[i], error);
    return good;
}

static void identities_clear(cfg_server *server) {
    for (unsigned i = 0; i < server->identities_count; i++) {
        cfg_identity *one = &server->identities[i];
        char *const texts[] = {one->issuer, one->audience, one->repository,
                               one->branch, one->scope,    one->node};
        for (size_t k = 0; k < G_N_ELEMENTS(texts); k++)
            g_free(texts[k]);
        cfg__strings_free(one->projects, one->projects_count);
    }
    g_free(server->identities);
}

typedef struct {
    char *listen, *data_dir, *database, *shared_dir, *projects_dir, *public_url, *embed_ancestors,
        *webhook_secret_file, *webhook_old_secret_file, *tls_certificate_file, *tls_key_file;
    uint64_t *port, *poll_seconds, *fetch_timeout_seconds, *fetch_connect_seconds, *fetch_parallel;
    uint64_t *lease_seconds, *attempts, *off_job_days;
    uint64_t *import_limit_bytes, *artifact_limit_bytes, *artifact_quota_bytes, *artifact_keep_days;
    uint64_t *profile_keep_days;
    uint64_t *body_limit_bytes, *raw_limit_bytes, *connection_limit, *stream_limit,
        *client_stream_limit;
    uint64_t *answer_cache_bytes, *history_cache_bytes;
    uint64_t *body_buffer_bytes, *head_timeout_seconds, *body_timeout_seconds, *proxy_count;
    uint64_t *fetch_limit_bytes, *mirror_limit_bytes;
    uint64_t *disk_reserve_bytes, *client_connection_limit, *client_requests_per_second;
    cfg__flag *public_read, *public_details, *behind_proxy;
    cfg__raw_mail *mail;
    cfg__raw_bucket *bucket;
    raw_site *site;
    raw_identity *identities;
    unsigned identities_count;
    cfg__raw_storage *storage;
    cfg__raw_runner *runner;
} raw_server;

#define TEXT(key, flags)                                                                           \
    CYAML_FIELD_STRING_PTR(#key, (flags) | CYAML_FLAG_POINTER, raw_server, key, 1, CYAML_UNLIMITED)
#define NUMBER(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_OPTIONAL, raw_server, key)

static const cyaml_schema_field_t fields[] = {
    TEXT(listen, CYAML_FLAG_OPTIONAL),
    NUMBER(port),
    TEXT(data_dir, CYAML_FLAG_DEFAULT),
    TEXT(database, CYAML_FLAG_OPTIONAL),
    TEXT(shared_dir, CYAML_FLAG_OPTIONAL),
    TEXT(projects_dir, CYAML_FLAG_OPTIONAL),
    TEXT(public_url, CYAML_FLAG_OPTIONAL),
    TEXT(embed_ancestors, CYAML_FLAG_OPTIONAL),
    TEXT(webhook_secret_file, CYAML_FLAG_OPTIONAL),
    TEXT(webhook_old_secret_file, CYAML_FLAG_OPTIONAL),
    TEXT(tls_certificate_file, CYAML_FLAG_OPTIONAL),
    TEXT(tls_key_file, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_ENUM_PTR("behind_proxy", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_server,
                         behind_proxy, cfg__flags, 2),
    NUMBER(proxy_count),
    NUMBER(head_timeout_seconds),
    NUMBER(body_timeout_seconds),
    NUMBER(client_connection_limit),
    NUMBER(client_requests_per_second),
    CYAML_FIELD_ENUM_PTR("public_read", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_server,
                         public_read, cfg__flags, 2),
    CYAML_FIELD_ENUM_PTR("public_details", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_server,
                         public_details, cfg__flags, 2),
    NUMBER(poll_seconds),
    NUMBER(fetch_timeout_seconds),
    NUMBER(fetch_connect_seconds),
    NUMBER(fetch_parallel),
    NUMBER(lease_seconds),
    NUMBER(attempts),
    NUMBER(off_job_days),
    NUMBER(body_limit_bytes),
    NUMBER(body_buffer_bytes),
    NUMBER(raw_limit_bytes),
    NUMBER(import_limit_bytes),
    NUMBER(artifact_limit_bytes),
    NUMBER(artifact_quota_bytes),
    NUMBER(artifact_keep_days),
    NUMBER(profile_keep_days),
    NUMBER(connection_limit),
    NUMBER(stream_limit),
    NUMBER(client_stream_limit),
    NUMBER(answer_cache_bytes),
    NUMBER(history_cache_bytes),
    NUMBER(disk_reserve_bytes),
    NUMBER(fetch_limit_bytes),
    NUMBER(mirror_limit_bytes),
    CYAML_FIELD_MAPPING_PTR("mail", CYAML_FLAG_OPTIONAL, raw_server, mail, cfg__mail_fields),
    CYAML_FIELD_MAPPING_PTR("bucket", CYAML_FLAG_OPTIONAL, raw_server, bucket, cfg__bucket_fields),
    CYAML_FIELD_MAPPING_PTR("site", CYAML_FLAG_OPTIONAL, raw_server, site, site_fields),
    CYAML_FIELD_SEQUENCE("identities", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_server,
                         identities, &identity_schema, 0, 100),
    CYAML_FIELD_MAPPING_PTR("storage", CYAML_FLAG_OPTIONAL, raw_server, storage,
                            cfg__storage_fields),
    CYAML_FIELD_MAPPING_PTR("runner", CYAML_FLAG_OPTIONAL, raw_server, runner, CFG__HOSTED_FIELDS),
    CYAML_FIELD_END};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, raw_server, fields)};

/* What holds one client from taking all. */
static bool fill_edge(const cfg__yaml *yaml, const raw_server *raw, cfg_server *server,
                      GError **error) {
    const uint64_t mib = 1024 * 1024;
    if (!cfg__yaml_unsigned(yaml, "proxy_count", raw->proxy_count, (cfg__range){1, 1, 10},
                            &server->proxy_count, error) ||
        !cfg__yaml_unsigned(yaml, "head_timeout_seconds", raw->head_timeout_seconds,
                            (cfg__range){20, 1, 3600}, &server->head_timeout_s, error) ||
        !cfg__yaml_unsigned(yaml, "body_timeout_seconds", raw->body_timeout_seconds,
                            (cfg__range){120, 1, 3600}, &server->body_timeout_s, error) ||
        !cfg__yaml_unsigned(yaml, "client_stream_limit", raw->client_stream_limit,
                            (cfg__range){50, 1, 50000}, &server->client_stream_limit, error) ||
        !cfg__yaml_number(yaml, "body_buffer_bytes", raw->body_buffer_bytes,
                          (cfg__range){MAX(40 * mib, 4 * server->body_limit_bytes), 256 * 1024,
                                       1024 * 1024 * mib},
                          &server->body_buffer_bytes, error))
        return false;
    /* A stranger's body may take half, and its buffer is up to twice as large as the body. */
    if (server->body_buffer_bytes >= 4 * server->body_limit_bytes)
        return true;
    return cfg__yaml_wrong(yaml, error, "body_buffer_bytes",
                           "must be at least four times body_limit_bytes");
}

static bool fill_fetch(const cfg__yaml *yaml, const raw_server *raw, cfg_server *server,
                       GError **error) {
    const uint64_t mib = 1024 * 1024, tib = mib * mib;
    return cfg__yaml_unsigned(yaml, "fetch_timeout_seconds", raw->fetch_timeout_seconds,
                              (cfg__range){300, 1, 86400}, &server->fetch_timeout_s, error) &&
           cfg__yaml_unsigned(yaml, "fetch_connect_seconds", raw->fetch_connect_seconds,
                              (cfg__range){20, 1, 86400}, &server->fetch_connect_s, error) &&
           cfg__yaml_unsigned(yaml, "fetch_parallel", raw->fetch_parallel, (cfg__range){4, 1, 32},
                              &server->fetch_parallel, error) &&
           cfg__yaml_number(yaml, "fetch_limit_bytes", raw->fetch_limit_bytes,
                            (cfg__range){4096 * mib, 1024, tib}, &server->fetch_limit_bytes,
                            error) &&
           cfg__yaml_number(yaml, "mirror_limit_bytes", raw->mirror_limit_bytes,
                            (cfg__range){8192 * mib, 1024, tib}, &server->mirror_limit_bytes,
                            error);
}

static bool fill_numbers(const cfg__yaml *yaml, const raw_server *raw, cfg_server *server,
                         GError **error) {
    const uint64_t mib = 1024 * 1024, tib = mib * mib;
    unsigned port = 0;
    if (!cfg__yaml_unsigned(yaml, "port", raw->port, (cfg__range){8300, 0, 65535}, &port, error))
        return false;
    server->port = (uint16_t)port;
    return cfg__yaml_unsigned(yaml, "poll_seconds", raw->poll_seconds, (cfg__range){60, 1, 86400},
                              &server->poll_s, error) &&
           cfg__yaml_unsigned(yaml, "lease_seconds", raw->lease_seconds, (cfg__range){60, 5, 86400},
                              &server->lease_s, error) &&
           cfg__yaml_unsigned(yaml, "attempts", raw->attempts, (cfg__range){3, 1, 100},
                              &server->attempts, error) &&
           cfg__yaml_unsigned(yaml, "off_job_days", raw->off_job_days, (cfg__range){30, 1, 3650},
                              &server->off_job_days, error) &&
           cfg__yaml_number(yaml, "body_limit_bytes", raw->body_limit_bytes,
                            (cfg__range){8 * mib, 64 * 1024, 1024 * mib}, &server->body_limit_bytes,
                            error) &&
           cfg__yaml_number(yaml, "raw_limit_bytes", raw->raw_limit_bytes,
                            (cfg__range){1024 * mib, 64 * 1024, tib}, &server->raw_limit_bytes,
                            error) &&
           cfg__yaml_number(yaml, "import_limit_bytes", raw->import_limit_bytes,
                            (cfg__range){32 * mib, 1024, tib}, &server->import_limit_bytes,
                            error) &&
           cfg__yaml_number(yaml, "artifact_limit_bytes", raw->artifact_limit_bytes,
                            (cfg__range){1024 * mib, 1, tib}, &server->artifact_limit_bytes,
                            error) &&
           cfg__yaml_number(yaml, "artifact_quota_bytes", raw->artifact_quota_bytes,
                            (cfg__range){10240 * mib, 1, 1024 * tib}, &server->artifact_quota_bytes,
                            error) &&
           cfg__yaml_unsigned(yaml, "artifact_keep_days", raw->artifact_keep_days,
                              (cfg__range){90, 0, 36500}, &server->artifact_keep_days, error) &&
           cfg__yaml_unsigned(yaml, "profile_keep_days", raw->profile_keep_days,
                              (cfg__range){365, 0, 36500}, &server->profile_keep_days, error) &&
           cfg__yaml_unsigned(yaml, "client_connection_limit", raw->client_connection_limit,
                              (cfg__range){100, 0, 60000}, &server->client_connection_limit,
                              error) &&
           cfg__yaml_unsigned(yaml, "client_requests_per_second", raw->client_requests_per_second,
                              (cfg__range){100, 0, 1000000}, &server->client_requests_per_second,
                              error) &&
           cfg__yaml_unsigned(yaml, "connection_limit", raw->connection_limit,
                              (cfg__range){1000, 10, 60000}, &server->connection_limit, error) &&
           cfg__yaml_unsigned(yaml, "stream_limit", raw->stream_limit, (cfg__range){200, 1, 50000},
                              &server->stream_limit, error) &&
           cfg__yaml_number(yaml, "answer_cache_bytes", raw->answer_cache_bytes,
                            (cfg__range){16 * mib, 0, tib}, &server->answer_cache_bytes, error) &&
           cfg__yaml_number(yaml, "history_cache_bytes", raw->history_cache_bytes,
                            (cfg__range){8 * mib, 0, tib}, &server->history_cache_bytes, error) &&
           cfg__yaml_number(yaml, "disk_reserve_bytes", raw->disk_reserve_bytes,
                            (cfg__range){512 * mib, 0, tib}, &server->disk_reserve_bytes, error) &&
           fill_fetch(yaml, raw, server, error);
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
static bool fill_public_url(const cfg__yaml *yaml, const char *url, cfg_server *server,
                            GError **error) {
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

static bool check_database(const cfg__yaml *yaml, const raw_server *raw, GError **error) {
    const char *wrong = raw->database ? cfg_database_wrong(raw->database) : NULL;
    return !wrong || cfg__yaml_wrong(yaml, error, "database", "%s", wrong);
}

cfg_server *cfg_server_load(const char *path, GError **error) {
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &schema, error);
    if (!yaml)
        return NULL;
    const raw_server *raw = cfg__yaml_data(yaml);
    g_autoptr(cfg_server) server = g_new0(cfg_server, 1);
    server->listen = g_strdup(raw->listen ? raw->listen : "127.0.0.1");
    server->data_dir = cfg__yaml_path(yaml, raw->data_dir);
    server->database = g_strdup(raw->database);
    server->shared_dir =
        raw->shared_dir ? cfg__yaml_path(yaml, raw->shared_dir) : g_strdup(server->data_dir);
    server->projects_dir =
        cfg__yaml_path(yaml, raw->projects_dir ? raw->projects_dir : "projects.d");
    server->webhook_secret_file = cfg__yaml_path(yaml, raw->webhook_secret_file);
    server->webhook_old_secret_file = cfg__yaml_path(yaml, raw->webhook_old_secret_file);
    server->tls_certificate_file = cfg__yaml_path(yaml, raw->tls_certificate_file);
    server->tls_key_file = cfg__yaml_path(yaml, raw->tls_key_file);
    server->behind_proxy = cfg__flag_or(raw->behind_proxy, false);
    server->public_read = cfg__flag_or(raw->public_read, true);
    server->public_details = cfg__flag_or(raw->public_details, false);
    if (!check_database(yaml, raw, error) || !fill_numbers(yaml, raw, server, error) ||
        !fill_edge(yaml, raw, server, error) ||
        !cfg__mail_fill(yaml, raw->mail, &server->mail, error) ||
        !cfg__bucket_fill(yaml, raw->bucket, &server->bucket, error) ||
        !site_fill(yaml, raw->site, server->public_read, &server->site, error) ||
        !identities_fill(yaml, raw->identities, raw->identities_count, server, error) ||
        !cfg__storage_fill(yaml, raw->storage, &server->storage, error))
        return NULL;
    server->runner_lines = cfg__hosted_lines(yaml, raw->runner, error);
    if (!server->runner_lines)
        return NULL;
    if (!raw->tls_certificate_file != !raw->tls_key_file) {
        cfg__yaml_wrong(yaml, error, raw->tls_key_file ? "tls_key_file" : "tls_certificate_file",
                        "tls_certificate_file and tls_key_file must be given together");
        return NULL;
    }
    if (!fill_public_url(yaml, raw->public_url, server, error))
        return NULL;
    if (raw->embed_ancestors && strpbrk(raw->embed_ancestors, ";,\r\n")) {
        cfg__yaml_wrong(
            yaml, error, "embed_ancestors",
            "must be sources separated by spaces, as in \"'self' https://example.org\"");
        return NULL;
    }
    server->embed_ancestors = g_strdup(raw->embed_ancestors ? raw->embed_ancestors : "*");
    return g_steal_pointer(&server);
}

void cfg_server_free(cfg_server *server) {
    if (!server)
        return;
    g_free(server->listen);
    g_free(server->data_dir);
    g_free(server->database);
    g_free(server->shared_dir);
    g_free(server->projects_dir);
    g_free(server->embed_ancestors);
    g_free(server->public_url);
    g_free(server->webhook_secret_file);
    g_free(server->webhook_old_secret_file);
    g_free(server->tls_certificate_file);
    g_free(server->tls_key_file);
    cfg__mail_clear(&server->mail);
    cfg__bucket_clear(&server->bucket);
    site_clear(&server->site);
    identities_clear(server);
    g_free(server->runner_lines);
    g_free(server);
}
