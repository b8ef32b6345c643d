#include "config/sections.h"

#include <string.h>

#define ADDRESSES_MAX 50
#define ADDRESS_BYTES_MAX 254 /* RFC 5321, 4.5.3.1.3 */

#define TEXT(type, key)                                                                            \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, type, key, 1,           \
                           CYAML_UNLIMITED)
#define TEXTS(key, most)                                                                           \
    CYAML_FIELD_SEQUENCE(#key, CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_notify, key,     \
                         &cfg__string, 1, most)

#define VIA(name, word) {word, CFG_NOTIFY_##name},
static const cyaml_strval_t vias[] = {CFG_VIAS(VIA)};

static const cyaml_schema_field_t notify_fields[] = {
    CYAML_FIELD_ENUM("via", CYAML_FLAG_STRICT, cfg__raw_notify, via, vias, CYAML_ARRAY_LEN(vias)),
    TEXTS(to, ADDRESSES_MAX),
    TEXTS(portions, 64),
    TEXT(cfg__raw_notify, url),
    TEXT(cfg__raw_notify, url_file),
    TEXT(cfg__raw_notify, secret_file),
    TEXT(cfg__raw_notify, repository),
    TEXT(cfg__raw_notify, direction),
    TEXT(cfg__raw_notify, quiet_hours),
    TEXT(cfg__raw_notify, digest_at),
    TEXT(cfg__raw_notify, text),
    CYAML_FIELD_FLOAT_PTR("minimum_percent", CYAML_FLAG_OPTIONAL, cfg__raw_notify, minimum_percent),
    CYAML_FIELD_BOOL_PTR("incidents", CYAML_FLAG_OPTIONAL, cfg__raw_notify, incidents),
    CYAML_FIELD_UINT_PTR("app_id", CYAML_FLAG_OPTIONAL, cfg__raw_notify, app_id),
    CYAML_FIELD_UINT_PTR("installation_id", CYAML_FLAG_OPTIONAL, cfg__raw_notify, installation_id),
    CYAML_FIELD_UINT_PTR("max_age_days", CYAML_FLAG_OPTIONAL, cfg__raw_notify, max_age_days),
    CYAML_FIELD_END};

const cyaml_schema_value_t cfg__notify_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, cfg__raw_notify, notify_fields)};

const cyaml_schema_field_t cfg__mail_fields[] = {TEXT(cfg__raw_mail, url),
                                                 TEXT(cfg__raw_mail, from),
                                                 TEXT(cfg__raw_mail, user),
                                                 TEXT(cfg__raw_mail, password_file),
                                                 TEXT(cfg__raw_mail, ca_file),
                                                 TEXT(cfg__raw_mail, operator),
                                                 CYAML_FIELD_END};

/* Plain addr-spec only: a display name, a second address or a line break has no way in. */
static bool is_address(const char *text) {
    return strlen(text) <= ADDRESS_BYTES_MAX &&
           g_regex_match_simple("^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9]([A-Za-z0-9.-]*"
                                "[A-Za-z0-9])?$",
                                text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static bool is_clock(const char *text) {
    return g_regex_match_simple("^([01][0-9]|2[0-3]):[0-5][0-9]$", text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static bool is_span(const char *text) {
    return g_regex_match_simple("^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$",
                                text, G_REGEX_DOLLAR_ENDONLY, 0) &&
           strncmp(text, text + 6, 5) != 0;
}

static bool is_url(const char *text) {
    if (!g_str_has_prefix(text, "https://") && !g_str_has_prefix(text, "http://"))
        return false;
    g_autoptr(GUri) uri = g_uri_parse(text, G_URI_FLAGS_NONE, NULL);
    const char *host = uri ? g_uri_get_host(uri) : NULL;
    return host && *host;
}

static bool is_github(cfg_notify_via via) {
    return via >= CFG_NOTIFY_GITHUB_STATUS;
}

static bool is_gitlab(cfg_notify_via via) {
    return via == CFG_NOTIFY_GITLAB_STATUS || via == CFG_NOTIFY_GITLAB_COMMENT;
}

static const char *api_of(cfg_notify_via via) {
    return is_gitlab(via) ? "https://gitlab.com/api/v4" : "https://api.github.com";
}

/* GitLab has groups in groups. */
static bool is_repository_of(cfg_notify_via via, const char *text) {
    const char *pattern = is_gitlab(via) ? "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}"
                                           "(/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){1,20}$"
                                         : "^[A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}$";
    return g_regex_match_simple(pattern, text, G_REGEX_DOLLAR_ENDONLY, 0);
}

/* What this way of telling needs, and what it cannot use. */
/* What a rule about incidents cannot have; NULL: it is fine. */
static const char *incidents_wrong(const cfg__raw_notify *raw) {
    if (!raw->incidents || !*raw->incidents)
        return NULL;
    if (is_github(raw->via))
        return "incidents are reported only by mail, slack and webhook";
    return raw->portions_count || raw->minimum_percent || raw->direction
               ? "portions, minimum_percent and direction are about changes; this rule reports "
                 "incidents: make it two rules"
               : NULL;
}

static const char *missing(const cfg__raw_notify *raw) {
    if (raw->via == CFG_NOTIFY_MAIL)
        return !raw->to_count ? "mail needs to: a list of addresses"
               : raw->url || raw->url_file || raw->secret_file || raw->repository || raw->app_id
                   ? "mail takes no url, secret or repository; set the mail server under mail: in "
                     "moowatchd.yaml"
                   : NULL;
    if (raw->to_count)
        return "to is for mail";
    if (raw->url && raw->url_file)
        return "url and url_file exclude each other";
    if (is_github(raw->via))
        return !raw->repository    ? "needs repository: owner/name"
               : !raw->secret_file ? "needs secret_file with the GitHub or GitLab token"
               : raw->url_file     ? "takes url, not url_file"
               : is_gitlab(raw->via) && raw->app_id
                   ? "app_id is of a GitHub App; GitLab takes a token"
               : raw->installation_id && !raw->app_id
                   ? "installation_id goes with the app_id of a GitHub App"
                   : NULL;
    if (raw->repository || raw->app_id)
        return "repository and app_id are for GitHub";
    if (raw->via == CFG_NOTIFY_SLACK && raw->secret_file)
        return "slack takes no secret_file: its URL is the secret; keep it in url_file";
    return !raw->url && !raw->url_file ? "needs url or url_file" : NULL;
}

const char *const cfg_notify_names[] = {"project", "change", "sentence", "range", "commit",
                                        "reason",  "where",  "event",    "link",  NULL};

static bool check_text(const cfg__yaml *yaml, const char *key, const cfg__raw_notify *raw,
                       GError **error) {
    if (raw->text && raw->via != CFG_NOTIFY_MAIL && raw->via != CFG_NOTIFY_SLACK &&
        raw->via != CFG_NOTIFY_GITHUB_ISSUE)
        return cfg__yaml_wrong(yaml, error, key, "text is for mail, slack and github-issue");
    for (const char *at = raw->text; at && (at = strpbrk(at, "{}")); at++) {
        const size_t length = strcspn(at + 1, "{}");
        g_autofree char *name = g_strndup(at + 1, length);
        if (*at == '{' && at[1 + length] == '}' && g_strv_contains(cfg_notify_names, name)) {
            at += 1 + length;
            continue;
        }
        g_autoptr(GString) known = g_string_new(NULL);
        for (size_t i = 0; cfg_notify_names[i]; i++)
            g_string_append_printf(known, "%s{%s}", i ? ", " : "", cfg_notify_names[i]);
        g_autofree char *place = g_strconcat(key, ".text", NULL);
        if (*at == '}' || at[1 + length] != '}')
            return cfg__yaml_wrong(yaml, error, place,
                                   "a brace without its partner: \"%.40s\"; placeholders are %s",
                                   at, known->str);
        return cfg__yaml_wrong(yaml, error, place, "unknown placeholder {%s}; known are %s", name,
                               known->str);
    }
    return true;
}

static bool check(const cfg__yaml *yaml, const char *key, const cfg__raw_notify *raw,
                  GError **error) {
    const char *wrong = missing(raw);
    if (!wrong)
        wrong = incidents_wrong(raw);
    if (wrong)
        return cfg__yaml_wrong(yaml, error, key, "%s", wrong);
    for (unsigned i = 0; i < raw->to_count; i++)
        if (!is_address(raw->to[i])) {
            g_autofree char *place = g_strdup_printf("%s.to[%u]", key, i);
            g_autofree char *shown = g_strescape(raw->to[i], NULL);
            return cfg__yaml_wrong(yaml, error, place,
                                   "\"%s\" is not a plain address such as n@example.org", shown);
        }
    if (raw->url && !is_url(raw->url))
        return cfg__yaml_wrong(yaml, error, key, "url must be an http or https URL");
    if (raw->repository && !is_repository_of(raw->via, raw->repository))
        return cfg__yaml_wrong(yaml, error, key, "repository must read owner/name");
    if (raw->direction && !g_str_equal(raw->direction, "up") &&
        !g_str_equal(raw->direction, "down") && !g_str_equal(raw->direction, "both"))
        return cfg__yaml_wrong(yaml, error, key, "direction must be up, down or both");
    if (raw->quiet_hours && !is_span(raw->quiet_hours))
        return cfg__yaml_wrong(yaml, error, key, "quiet_hours must read HH:MM-HH:MM, in UTC");
    if (raw->digest_at && !is_clock(raw->digest_at))
        return cfg__yaml_wrong(yaml, error, key, "digest_at must read HH:MM, in UTC");
    return true;
}

static bool fill_one(const cfg__yaml *yaml, const char *key, const cfg__raw_notify *raw,
                     cfg_notify *out, GError **error) {
    g_autofree char *percent = g_strconcat(key, ".minimum_percent", NULL);
    g_autofree char *days = g_strconcat(key, ".max_age_days", NULL);
    g_autofree char *app = g_strconcat(key, ".app_id", NULL);
    g_autofree char *installation = g_strconcat(key, ".installation_id", NULL);
    out->via = raw->via;
    out->to = cfg__strings_copy(raw->to, raw->to_count);
    out->to_count = raw->to_count;
    out->portions = cfg__strings_copy(raw->portions, raw->portions_count);
    out->portions_count = raw->portions_count;
    out->url = g_strdup(raw->url || !is_github(raw->via) ? raw->url : api_of(raw->via));
    out->url_file = cfg__yaml_path(yaml, raw->url_file);
    out->secret_file = cfg__yaml_path(yaml, raw->secret_file);
    out->repository = g_strdup(raw->repository);
    out->direction = !raw->direction || g_str_equal(raw->direction, "both") ? 0
                     : g_str_equal(raw->direction, "up")                    ? 1
                                                                            : -1;
    out->quiet_hours = g_strdup(raw->quiet_hours);
    out->digest_at = g_strdup(raw->digest_at);
    out->text = g_strdup(raw->text);
    out->incidents = raw->incidents && *raw->incidents;
    return check(yaml, key, raw, error) && check_text(yaml, key, raw, error) &&
           cfg__yaml_real(yaml, percent, raw->minimum_percent, (cfg__real_range){0, 0, 1000000},
                          &out->minimum_percent, error) &&
           cfg__yaml_number(yaml, app, raw->app_id, (cfg__range){0, 1, G_MAXINT64}, &out->app_id,
                            error) &&
           cfg__yaml_number(yaml, installation, raw->installation_id,
                            (cfg__range){0, 1, G_MAXINT64}, &out->installation_id, error) &&
           cfg__yaml_unsigned(yaml, days, raw->max_age_days, (cfg__range){14, 1, 100000},
                              &out->max_age_days, error);
}

bool cfg__notify_fill(const cfg__yaml *yaml, const cfg__raw_notify *raw, unsigned count,
                      cfg_project *project, GError **error) {
    project->notify = g_new0(cfg_notify, count);
    for (unsigned i = 0; i < count; i++) {
        g_autofree char *key = g_strdup_printf("notify[%u]", i);
        project->notify_count = i + 1;
        if (!fill_one(yaml, key, &raw[i], &project->notify[i], error))
            return false;
    }
    return true;
}

void cfg__notify_clear(cfg_project *project) {
    for (unsigned i = 0; i < project->notify_count; i++) {
        cfg_notify *rule = &project->notify[i];
        cfg__strings_free(rule->to, rule->to_count);
        cfg__strings_free(rule->portions, rule->portions_count);
        g_free(rule->url);
        g_free(rule->url_file);
        g_free(rule->secret_file);
        g_free(rule->text);
        g_free(rule->repository);
        g_free(rule->quiet_hours);
        g_free(rule->digest_at);
    }
    g_free(project->notify);
}

bool cfg__mail_fill(const cfg__yaml *yaml, const cfg__raw_mail *raw, cfg_mail *mail,
                    GError **error) {
    if (!raw)
        return true;
    mail->url = g_strdup(raw->url);
    mail->from = g_strdup(raw->from);
    mail->user = g_strdup(raw->user);
    mail->password_file = cfg__yaml_path(yaml, raw->password_file);
    mail->ca_file = cfg__yaml_path(yaml, raw->ca_file);
    mail->operator= g_strdup(raw->operator);
    if (!raw->url ||
        !(g_str_has_prefix(raw->url, "smtp://") || g_str_has_prefix(raw->url, "smtps://")))
        return cfg__yaml_wrong(yaml, error, "mail",
                               "needs url: smtp://host:port or smtps://host:port");
    if (!raw->from || !is_address(raw->from))
        return cfg__yaml_wrong(yaml, error, "mail", "needs from: with a plain address");
    if (raw->operator&& !is_address(raw->operator))
        return cfg__yaml_wrong(yaml, error, "mail", "operator: must be a plain address");
    if (!raw->user != !raw->password_file)
        return cfg__yaml_wrong(yaml, error, "mail", "user and password_file belong together");
    return true;
}

void cfg__mail_clear(cfg_mail *mail) {
    g_free(mail->url);
    g_free(mail->from);
    g_free(mail->user);
    g_free(mail->password_file);
    g_free(mail->ca_file);
    g_free(mail->operator);
}
