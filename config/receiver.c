#include "config/receiver.h"

#include "config/strings.h"

#include <string.h>

#define READY_TIMEOUT_S 30

static const cyaml_strval_t records[] = {
    {"all", CFG_RECORDS_ALL}, {"some", CFG_RECORDS_SOME}, {"unchecked", CFG_RECORDS_UNCHECKED}};

const cyaml_schema_field_t cfg__receiver_fields[] = {
    CYAML_FIELD_SEQUENCE("command", CYAML_FLAG_POINTER, cfg__raw_receiver, command, &cfg__string, 1,
                         200),
    CYAML_FIELD_UINT_PTR("port", CYAML_FLAG_OPTIONAL, cfg__raw_receiver, port),
    CYAML_FIELD_STRING_PTR("ready", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_receiver,
                           ready, 1, 200),
    CYAML_FIELD_UINT_PTR("ready_timeout_seconds", CYAML_FLAG_OPTIONAL, cfg__raw_receiver,
                         ready_timeout_seconds),
    CYAML_FIELD_ENUM_PTR("records", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, cfg__raw_receiver,
                         records, records, CYAML_ARRAY_LEN(records)),
    CYAML_FIELD_END};

bool cfg__receiver_fill(const cfg__yaml *yaml, const char *key, const cfg__raw_receiver *raw,
                        cfg_receiver *out, GError **error) {
    g_autofree char *port = g_strconcat(key, ".receiver.port", NULL);
    g_autofree char *timeout = g_strconcat(key, ".receiver.ready_timeout_seconds", NULL);
    out->command = cfg__strings_copy(raw->command, raw->command_count);
    out->command_count = raw->command_count;
    out->ready = g_strdup(raw->ready);
    out->records = raw->records ? *raw->records : CFG_RECORDS_SOME;
    unsigned number = 0;
    if (!cfg__yaml_unsigned(yaml, port, raw->port, (cfg__range){0, 0, 65535}, &number, error) ||
        !cfg__yaml_unsigned(yaml, timeout, raw->ready_timeout_seconds,
                            (cfg__range){READY_TIMEOUT_S, 1, 600}, &out->ready_timeout_s, error))
        return false;
    out->port = (uint16_t)number;
    return true;
}

void cfg__receiver_free(cfg_receiver *receiver) {
    if (!receiver)
        return;
    cfg__strings_free(receiver->command, receiver->command_count);
    g_free(receiver->ready);
    g_free(receiver);
}
