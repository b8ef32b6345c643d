#include "ci/command/said.h"

bool ci_said_listed(ci_client *client, const char *things, const char *project, bool json,
                    void (*show)(const json_t *row), GError **error) {
    g_autofree char *path = ci_client_path("projects", project, things);
    json_auto_t *page = ci_client_get(client, path, error);
    size_t i;
    json_t *row;
    if (page && json)
        ci_print_json(page);
    else
        json_array_foreach (json_object_get(page, "items"), i, row)
            show(row);
    return page != NULL;
}

bool ci_said_number(const char *option, const char *what, const char *text, gint64 *number,
                    GError **error) {
    if (g_ascii_string_to_signed(text, 10, 1, G_MAXINT64, number, NULL))
        return true;
    g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "--%s needs the number of %s", option, what);
    return false;
}

bool ci_said_back(ci_client *client, const ci_said *said, const char *number, const char *reason,
                  GError **error) {
    gint64 id = 0;
    if (!ci_said_number(said->verb, said->what, number, &id, error))
        return false;
    g_autofree char *path = ci_client_path(said->things, number, said->verb);
    json_auto_t *body = json_pack("{s:s}", "reason", reason);
    if (!body)
        g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "--reason must be UTF-8 text");
    json_auto_t *answer = body ? ci_client_post(client, path, body, error) : NULL;
    return answer != NULL;
}
