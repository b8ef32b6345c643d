#include "ci/command/import_send.h"

#include "config/json_text.h"

#include <errno.h>
#include <stdlib.h>

bool ci_import_is_export(const char *path) {
    FILE *file = fopen(path, "rbe");
    char *line = NULL;
    size_t size = 0;
    json_t *header = NULL;
    if (file && getline(&line, &size, file) > 0)
        header = json_loads(line, 0, NULL);
    const bool is = json_object_get(header, "moowatch_export") != NULL;
    json_decref(header);
    free(line);
    if (file)
        (void)fclose(file);
    return is;
}

static json_t *send(ci_client *client, const char *project, FILE *file, GError **error) {
    g_autofree char *path = ci_client_path("projects", project, "import");
    return ci_client_post_file(client, path, file, error);
}

json_t *ci_import_send_file(ci_client *client, const char *project, const char *path,
                            GError **error) {
    FILE *file = fopen(path, "rbe");
    if (!file) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    json_t *answer = send(client, project, file, error);
    (void)fclose(file);
    return answer;
}

/* By way of a file without a name: so the lines are sent as they are printed. */
json_t *ci_import_send_lines(ci_client *client, const char *project, const json_t *lines,
                             GError **error) {
    FILE *file = tmpfile();
    bool good = file != NULL;
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line) {
        g_autofree char *text = cfg_json_text(line, 0);
        good = good && fputs(text, file) != EOF && fputc('\n', file) != EOF;
    }
    json_t *answer = NULL;
    if (!good || fseek(file, 0, SEEK_SET) != 0)
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "cannot store the lines in %s: %s",
                    g_get_tmp_dir(), g_strerror(errno));
    else
        answer = send(client, project, file, error);
    if (file)
        (void)fclose(file);
    return answer;
}
