/* moowatch export PROJECT - a project's nights for other programs. */
#include "ci/command/client.h"
#include "ci/command/outputs.h"
#include "ci/formats/history_write.h"

static const struct {
    const char *name;
    char *(*write)(const char *project, const json_t *nights);
} formats[] = {
    {"csv", ci_history_csv},
    {"json", ci_history_json},
    {"github", ci_history_github},
    {"bmf", ci_history_bmf},
    {"openmetrics", ci_history_openmetrics},
};

static json_t *oldest_first(json_t *nights) {
    json_t *turned = json_array();
    for (size_t i = json_array_size(nights); i > 0; i--)
        json_array_append(turned, json_array_get(nights, i - 1));
    json_decref(nights);
    return turned;
}

static char *write_as(const char *format, const char *project, const json_t *nights,
                      GError **error) {
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (g_str_equal(formats[i].name, format))
            return nights ? formats[i].write(project, nights) : g_strdup("");
    g_set_error(error, CI_ERROR, CI_ERROR_USAGE,
                "--format %s: must be csv, json, github, bmf or openmetrics", format);
    return NULL;
}

static const ci_usage usage = {.synopsis = "export PROJECT",
                               .description =
                                   "Writes a project's nights, oldest first, for other programs.\n"
                                   "All of a project, for another server: moowatchd export.",
                               .least = 1,
                               .most = 1};

ci_exit ci_export(int argc, char **argv) {
    gint count = 0;
    g_autofree char *format = NULL;
    g_autofree char *output = NULL;
    g_auto(ci_client_options) options = {0};
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format,
         "csv (default), json, github (data.js), bmf (Bencher), openmetrics", "NAME"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE instead of stdout",
         "FILE"},
        {"nights", 'n', 0, G_OPTION_ARG_INT, &count, "Only the newest N nights", "N"},
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_client) client = NULL;
    g_autofree char *text = NULL;
    json_t *nights = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error)) {
        g_autofree char *known = write_as(format ? format : "csv", argv[1], NULL, &error);
        client = known ? ci_client_new(&options, &error) : NULL;
    }
    if (client)
        nights = ci_client_nights(client, argv[1], (unsigned)MAX(count, 0), NULL, &error);
    if (nights) {
        nights = oldest_first(nights);
        text = write_as(format ? format : "csv", argv[1], nights, &error);
    }
    if (text && !ci_write(output ? output : "-", text, &error))
        g_prefix_error(&error, "writing: ");
    json_decref(nights);
    return error ? ci_fail("export", error) : CI_OK;
}
