#pragma once
/* A project's `notify:` and the server's `mail:`: who is told, of what, and where. */
#include "config/config.h"
#include "config/yaml.h"

typedef struct {
    cfg_notify_via via;
    char **to, **portions;
    unsigned to_count, portions_count;
    char *url, *url_file, *secret_file, *repository, *direction, *quiet_hours, *digest_at, *text;
    double *minimum_percent;
    bool *incidents;
    uint64_t *max_age_days, *app_id, *installation_id;
} cfg__raw_notify;

typedef struct {
    char *url, *from, *user, *password_file, *ca_file, *operator;
} cfg__raw_mail;

extern const cyaml_schema_value_t cfg__notify_schema;
extern const cyaml_schema_field_t cfg__mail_fields[];

/* Fill project->notify from the raw rules; false with error "FILE:LINE: …". */
bool cfg__notify_fill(const cfg__yaml *yaml, const cfg__raw_notify *raw, unsigned count,
                      cfg_project *project, GError **error);
void cfg__notify_clear(cfg_project *project);

bool cfg__mail_fill(const cfg__yaml *yaml, const cfg__raw_mail *raw, cfg_mail *mail,
                    GError **error);
void cfg__mail_clear(cfg_mail *mail);
