#include "config/hosted.h"

#include <cyaml/cyaml.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "runner"

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, cfg__raw_runner, CFG__HOSTED_FIELDS)};

/* Between "---" and "...". */
static char *without_marks(const char *text, size_t size) {
    g_autofree char *copy = g_strndup(text, size);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    GString *kept = g_string_new(NULL);
    for (size_t i = 0; lines[i]; i++)
        if (*lines[i] != '\0' && strcmp(lines[i], "---") != 0 && strcmp(lines[i], "...") != 0)
            g_string_append_printf(kept, "%s\n", lines[i]);
    return g_string_free(kept, FALSE);
}

char *cfg__hosted_lines(cfg__yaml *yaml, const cfg__raw_runner *raw, GError **error) {
    const cyaml_config_t config = {.mem_fn = cyaml_mem, .flags = CYAML_CFG_STYLE_BLOCK};
    char *text = NULL;
    size_t size = 0;
    if (!raw)
        return g_strdup("");
    cfg__yaml_within(yaml, SECTION);
    g_autoptr(cfg_runner) runner = cfg__hosted_check(yaml, raw, error);
    cfg__yaml_within(yaml, NULL);
    if (!runner)
        return NULL;
    /* Its own file lies in another folder. */
    cfg__raw_runner whole = *raw;
    whole.harness_dir = runner->harness_dir;
    whole.ssh_key_file = runner->ssh_key_file;
    whole.ssh_known_hosts_file = runner->ssh_known_hosts_file;
    const cyaml_err_t code = cyaml_save_data(&text, &size, &config, &schema, &whole, 0);
    if (code != CYAML_OK) {
        cfg__yaml_wrong(yaml, error, SECTION, "cannot be passed to the runner: %s",
                        cyaml_strerror(code));
        return NULL;
    }
    char *lines = without_marks(text, size);
    free(text);
    return lines;
}
