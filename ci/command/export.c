/* moowatch export PROJECT - a project's nights for other programs. */
#include "ci/command/client.h"
#include "ci/command/outputs.h"
#include "ci/dataset/dataset.h"
#include "ci/formats/write.h"
#include "config/json_text.h"

#define OTEP "otep" /* its points need the experiments, which the nights do not hold */

static json_t *oldest_first(json_t *nights) {
    json_t *turned = json_array();
    for (size_t i = json_array_size(nights); i > 0; i--)
        json_array_append(turned, json_array_get(nights, i - 1));
    json_decref(nights);
    return turned;
}

static char *write_as(const char *format, const char *project, const json_t *nights,
                      GError **error) {
    char *text = g_str_equal(format, OTEP) ? g_strdup("") : ci_history(format, project, nights);
    if (!text)
        ci_misused(error, "--format %s: must be csv, json, github, bmf, openmetrics or otep",
                   format);
    return text;
}

/* A point for each night that is a release; owned, NULL with error. */
static json_t *points_of(ci_client *client, const json_t *nights, GError **error) {
    json_auto_t *points = json_array();
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const char *state = cfg_json_word(night, "state", "");
        if (!cfg_json_word(night, "release", NULL) || !g_str_equal(state, "measured"))
            continue;
        json_auto_t *experiment =
            ci_client_experiment(client, cfg_json_integer(night, "experiment"), error);
        if (!experiment)
            return NULL;
        json_array_append_new(points, ci_otep_point(experiment));
    }
    if (json_array_size(points) > 0)
        return json_incref(points);
    ci_wrong(error,
             "no measured night of the project is a release; set releases in its configuration");
    return NULL;
}

static char *otep_text(ci_client *client, const json_t *nights, GError **error) {
    json_auto_t *points = points_of(client, nights, error);
    return points ? ci_history("json", NULL, points) : NULL;
}

typedef struct {
    char *folder, *title, *license;
    GStrv authors;
    gboolean raw;
} dataset_options;

#define DATASET_ENTRIES(d)                                                                         \
    CI_PATH("dataset", &(d).folder,                                                                \
            "Write a data set for an archive into this new folder instead", "DIR"),                \
        CI_FLAG("raw", &(d).raw, "With --dataset: include the raw values"),                        \
        CI_STRING("title", &(d).title, "With --dataset: its title", "TEXT"),                       \
        CI_STRINGS("author", &(d).authors,                                                         \
                   "With --dataset: its creator; may be repeated (default: the project's "         \
                   "contributors)",                                                                \
                   "NAME"),                                                                        \
        CI_STRING("license", &(d).license,                                                         \
                  "With --dataset: its licence, an SPDX identifier (default: CC-BY-4.0)", "ID")

static bool export_dataset(ci_client *client, const char *project, const dataset_options *d,
                           gint count, GError **error) {
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *date = g_date_time_format(now, "%Y-%m-%d");
    const ci_dataset_options how = {.folder = d->folder,
                                    .title = d->title,
                                    .license = d->license,
                                    .authors = (const char *const *)d->authors,
                                    .date = date,
                                    .nights = (unsigned)MAX(count, 0),
                                    .raw = d->raw};
    return ci_dataset_write(client, project, &how, error);
}

static const ci_usage usage = {.synopsis = "export PROJECT",
                               .description =
                                   "Writes a project's nights, oldest first, for other programs.\n"
                                   "All of a project, for another server: moowatchd export.",
                               .least = 1,
                               .most = 1};

static ci_exit export(int argc, char **argv, GError **error) {
    gint count = 0;
    char *format = NULL, *output = NULL;
    ci_client_options options = {0};
    dataset_options dataset = {0};
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format,
         "csv (default), json, github (data.js), bmf (Bencher), openmetrics, otep (releases as\n"
         "OpenTelemetry's benchmarks repository has them)",
         "NAME"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Write to FILE instead of stdout",
         "FILE"},
        {"nights", 'n', 0, G_OPTION_ARG_INT, &count, "Only the newest N nights", "N"},
        DATASET_ENTRIES(dataset),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    g_autofree char *text = NULL;
    json_auto_t *nights = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        g_autofree char *known = write_as(format ? format : "csv", argv[1], NULL, error);
        client = known ? ci_client_new(&options, error) : NULL;
    }
    if (client && dataset.folder)
        return export_dataset(client, argv[1], &dataset, count, error) ? CI_OK : CI_INPUT;
    if (client)
        nights = ci_client_nights(client, argv[1], (unsigned)MAX(count, 0), NULL, error);
    if (nights) {
        nights = oldest_first(nights);
        text = g_strcmp0(format, OTEP) == 0
                   ? otep_text(client, nights, error)
                   : write_as(format ? format : "csv", argv[1], nights, error);
    }
    if (text && !ci_write(output ? output : "-", text, error))
        g_prefix_error(error, "writing: ");
    return CI_OK;
}

const ci_command ci_command_export = {"export", "write a project's nights for other programs",
                                      export};
