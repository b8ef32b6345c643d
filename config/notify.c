#include "config/number.h"
#include "config/sections.h"

#include <string.h>

#define ADDRESSES_MAX 50
#define ADDRESS_BYTES_MAX 254 /* RFC 5321, 4.5.3.1.3 */

/* Plain addr-spec only: a display name, a second address or a line break has no way in. */
static bool is_address(const char *text) {
    return strlen(text) <= ADDRESS_BYTES_MAX &&
           g_regex_match_simple("^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9]([A-Za-z0-9.-]*"
                                "[A-Za-z0-9])?$",
                                text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static bool is_span(const char *text) {
    return cfg_clock_read(text, '-') >= 0 && cfg_is_clock(text + 6) &&
           strncmp(text, text + 6, 5) != 0;
}

static const char *const vias[] = {CFG_VIAS(CFG_WORD) NULL};
static const char *const directions[] = {"both", "up", "down", NULL};

static const model_member notify_members[] = {
    MODEL(cfg_notify, via, "via", .words = vias),
    MODEL_COUNTED(cfg_notify, to, "to", MODEL_LEFT_OUT, .low = 1, .most_items = ADDRESSES_MAX,
                  .good = is_address, .expected = "a plain address such as n@example.org"),
    MODEL_COUNTED(cfg_notify, portions, "portions", MODEL_LEFT_OUT, .low = 1, .most_items = 64),
    MODEL(cfg_notify, url, "url", MODEL_LEFT_OUT),
    MODEL(cfg_notify, url_file, "url_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_notify, secret_file, "secret_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_notify, repository, "repository", MODEL_LEFT_OUT),
    MODEL(cfg_notify, direction, "direction", MODEL_LEFT_OUT, .words = directions),
    MODEL(cfg_notify, quiet_hours, "quiet_hours", MODEL_LEFT_OUT, .good = is_span,
          .expected = "HH:MM-HH:MM, in UTC"),
    MODEL(cfg_notify, digest_at, "digest_at", MODEL_LEFT_OUT, .good = cfg_is_clock,
          .expected = "HH:MM, in UTC"),
    MODEL(cfg_notify, text, "text", MODEL_LEFT_OUT),
    MODEL(cfg_notify, minimum_percent, "minimum_percent", MODEL_LEFT_OUT, 0, 0, 1000000),
    MODEL(cfg_notify, incidents, "incidents", MODEL_LEFT_OUT),
    MODEL(cfg_notify, app_id, "app_id", MODEL_LEFT_OUT, 0, 1, (double)G_MAXINT64),
    MODEL(cfg_notify, installation_id, "installation_id", MODEL_LEFT_OUT, 0, 1, (double)G_MAXINT64),
    MODEL(cfg_notify, max_age_days, "max_age_days", MODEL_LEFT_OUT, 14, 1, 100000)};
const model_noun cfg__notify_noun = MODEL_NOUN(cfg_notify, notify_members, "rule");

static const model_member mail_members[] = {
    MODEL(cfg_mail, url, "url", MODEL_LEFT_OUT),
    MODEL(cfg_mail, from, "from", MODEL_LEFT_OUT),
    MODEL(cfg_mail, user, "user", MODEL_LEFT_OUT),
    MODEL(cfg_mail, password_file, "password_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_mail, ca_file, "ca_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_mail, operator, "operator", MODEL_LEFT_OUT)};
const model_noun cfg__mail_noun = MODEL_NOUN(cfg_mail, mail_members, "mail");

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

/* What a rule about incidents cannot have; NULL: it is fine. */
static const char *incidents_wrong(const cfg_notify *rule) {
    if (!rule->incidents)
        return NULL;
    if (is_github(rule->via))
        return "incidents are reported only by mail, slack and webhook";
    return rule->portions_count || rule->minimum_percent > 0 || rule->direction
               ? "portions, minimum_percent and direction are about changes; this rule reports "
                 "incidents: make it two rules"
               : NULL;
}

/* What this way of telling needs, and what it cannot use. */
static const char *missing(const cfg_notify *rule) {
    if (rule->via == CFG_NOTIFY_MAIL)
        return !rule->to_count ? "mail needs addresses: a list under \"to\""
               : rule->url || rule->url_file || rule->secret_file || rule->repository ||
                       rule->app_id
                   ? "mail takes no url, secret or repository; set the mail server under mail: in "
                     "moowatchd.yaml"
                   : NULL;
    if (rule->to_count)
        return "to is for mail";
    if (rule->url && rule->url_file)
        return "url and url_file exclude each other";
    if (is_github(rule->via))
        return !rule->repository    ? "needs repository: owner/name"
               : !rule->secret_file ? "needs secret_file with the GitHub or GitLab token"
               : rule->url_file     ? "takes url, not url_file"
               : is_gitlab(rule->via) && rule->app_id
                   ? "app_id is of a GitHub App; GitLab takes a token"
               : rule->installation_id && !rule->app_id
                   ? "installation_id goes with the app_id of a GitHub App"
                   : NULL;
    if (rule->repository || rule->app_id)
        return "repository and app_id are for GitHub";
    if (rule->via == CFG_NOTIFY_SLACK && rule->secret_file)
        return "slack takes no secret_file: its URL is the secret; keep it in url_file";
    return !rule->url && !rule->url_file ? "needs url or url_file" : NULL;
}

const char *const cfg_notify_names[] = {"project", "change", "sentence", "range", "commit",
                                        "reason",  "where",  "event",    "link",  NULL};

static bool text_check(const cfg__yaml *yaml, const char *key, const cfg_notify *rule,
                       GError **error) {
    if (rule->text && rule->via != CFG_NOTIFY_MAIL && rule->via != CFG_NOTIFY_SLACK &&
        rule->via != CFG_NOTIFY_GITHUB_ISSUE)
        return cfg__yaml_wrong(yaml, error, key, "text is for mail, slack and github-issue");
    for (const char *at = rule->text; at && (at = strpbrk(at, "{}")); at++) {
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

static bool rule_fill(const cfg__yaml *yaml, const char *key, cfg_notify *rule, GError **error) {
    const char *wrong = missing(rule);
    if (!wrong)
        wrong = incidents_wrong(rule);
    if (wrong)
        return cfg__yaml_wrong(yaml, error, key, "%s", wrong);
    if (rule->url && !is_url(rule->url))
        return cfg__yaml_wrong(yaml, error, key, "url must be an http or https URL");
    if (rule->repository && !is_repository_of(rule->via, rule->repository))
        return cfg__yaml_wrong(yaml, error, key, "repository must read owner/name");
    if (is_github(rule->via))
        cfg__yaml_otherwise(&rule->url, api_of(rule->via));
    rule->direction = rule->direction == 2 ? -1 : rule->direction; /* of the words, down */
    return text_check(yaml, key, rule, error);
}

bool cfg__notify_fill(const cfg__yaml *yaml, cfg_project *project, GError **error) {
    bool good = true;
    for (unsigned i = 0; good && i < project->notify_count; i++) {
        g_autofree char *key = g_strdup_printf("notify[%u]", i);
        good = rule_fill(yaml, key, &project->notify[i], error);
    }
    return good;
}

bool cfg__mail_fill(const cfg__yaml *yaml, cfg_mail *mail, GError **error) {
    if (!cfg__yaml_has(yaml, "mail"))
        return true;
    if (!mail->url ||
        !(g_str_has_prefix(mail->url, "smtp://") || g_str_has_prefix(mail->url, "smtps://")))
        return cfg__yaml_wrong(yaml, error, "mail",
                               "needs url: smtp://host:port or smtps://host:port");
    if (!mail->from || !is_address(mail->from))
        return cfg__yaml_wrong(yaml, error, "mail", "needs from: with a plain address");
    if (mail->operator&& !is_address(mail->operator))
        return cfg__yaml_wrong(yaml, error, "mail", "operator: must be a plain address");
    if (!mail->user != !mail->password_file)
        return cfg__yaml_wrong(yaml, error, "mail", "user and password_file belong together");
    return true;
}
