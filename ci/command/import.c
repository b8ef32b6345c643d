#include "ci/command/client.h"

#include "ci/command/command.h"
#include "ci/formats/imported.h"
#include "ci/formats/night.h"
#include "config/json_text.h"
#include "config/number.h"
#include "web/words/words.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Does the file begin as moowatchd export writes it? */
static bool import_is_export(const char *path) {
    FILE *file = fopen(path, "rbe");
    char *line = NULL;
    size_t size = 0;
    json_auto_t *header = NULL;
    if (file && getline(&line, &size, file) > 0)
        header = json_loads(cfg_after_mark(line), 0, NULL);
    const bool is = json_object_get(header, "moowatch_export") != NULL;
    free(line);
    if (file)
        (void)fclose(file);
    return is;
}

static json_t *import_send_file(ci_client *client, const char *to, const char *path,
                                GError **error) {
    FILE *file = fopen(path, "rbe");
    if (!file) {
        ci_wrong(error, "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    json_t *answer = ci_client_post_file(client, to, file, error);
    (void)fclose(file);
    return answer;
}

/* By way of a file without a name: so the lines are sent as they are printed. */
static json_t *import_send_lines(ci_client *client, const char *to, const json_t *lines,
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
        ci_wrong(error, "cannot store the lines in %s: %s", g_get_tmp_dir(), g_strerror(errno));
    else
        answer = ci_client_post_file(client, to, file, error);
    if (file)
        (void)fclose(file);
    return answer;
}

static const json_t *value_of(const json_t *night, const char *name) {
    size_t i;
    json_t *value;
    cfg_json_each (night, "values", i, value)
        if (g_str_equal(cfg_json_word(value, "name", ""), name))
            return value;
    return NULL;
}

static void cell(GString *to, double value) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_c(to, ',');
    g_string_append(to, isfinite(value) ? g_ascii_dtostr(text, sizeof text, value) : "");
}

/* Does it have an interval in one of the nights? */
static bool any_interval(const json_t *nights, const char *name) {
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const json_t *value = value_of(night, name);
        if (isfinite(cfg_json_number(value, "low_ns")) &&
            isfinite(cfg_json_number(value, "high_ns")))
            return true;
    }
    return false;
}

/* What detect is not told: of what is no time its unit, and which way is better, once and where
 * that changes. before: of the value before, NULL: there is none */
static void unit_tell(GPtrArray *told, const json_t *night, const json_t *value,
                      const json_t *before) {
    const char *unit = cfg_json_word(value, "unit", NULL), *name = cfg_json_word(value, "name", "");
    const char *better = cfg_json_word(value, "better", "lower");
    if (unit && (!before || !g_str_equal(better, cfg_json_word(before, "better", "lower"))))
        g_ptr_array_add(told, g_strdup_printf("night %s: \"%s\" is in %s, of which %s is better",
                                              cfg_json_word(night, "night", "?"), name, unit,
                                              g_str_equal(better, "higher") ? "more" : "less"));
}

/* As moowatch detect reads it: of one suite, since another one has such names, too. All or nothing:
 * it would judge a part. */
static void print_series(const json_t *all, const ci_lines_options *o, const char *name,
                         GError **error) {
    size_t i;
    json_t *night;
    const json_t *before = NULL;
    json_auto_t *nights = ci_history_of(all, o, error);
    const bool interval = any_interval(nights, name);
    g_autoptr(GString) lines = g_string_new(NULL);
    json_array_foreach (nights, i, night) {
        const json_t *value = value_of(night, name);
        if (!value)
            continue;
        if (cfg_json_number(value, "mean_ns") < 0) {
            ci_wrong(error,
                     "\"%s\" is below 0 on %s, which detect does not judge; import it with "
                     "--project NAME, which keeps what each portion is over",
                     name, cfg_json_word(night, "night", "a night"));
            return;
        }
        unit_tell(o->told, night, value, before);
        before = value;
        g_string_append_printf(lines, "%zu", i);
        cell(lines, cfg_json_number(value, "mean_ns"));
        if (interval) {
            cell(lines, cfg_json_number(value, "low_ns"));
            cell(lines, cfg_json_number(value, "high_ns"));
        }
        g_string_append_c(lines, '\n');
    }
    if (nights && lines->len == 0)
        ci_wrong(error, "there is no value called \"%s\" in it", name);
    else if (nights)
        (void)printf("index,value%s\n%s", interval ? ",lo,hi" : "", lines->str);
}

/* All that a file has, or a series of it. */
static void print_nights(const char *path, const ci_lines_options *options, const char *series,
                         GError **error) {
    size_t i;
    json_t *night;
    json_auto_t *nights = ci_import(path, error);
    if (nights && series) {
        print_series(nights, options, series, error);
    } else if (nights) {
        ci_import_notes(options->told, nights);
        json_array_foreach (nights, i, night)
            ci_print_json(night);
    }
}

/* A folder or a zip has every loop of one night; any other file has values of nights. */
static json_t *lines_of(const char *path, const ci_lines_options *options, GError **error) {
    const bool raw = g_file_test(path, G_FILE_TEST_IS_DIR) || g_str_has_suffix(path, ".zip");
    if (raw) {
        g_autoptr(cfg_project) record = options->chain ? NULL : ci_record_project(path);
        const ci_moobench_options reading = {.warmup_calls = DET_RAW_WARMUP_HALF,
                                             .chain = options->chain,
                                             .allow_missing = options->allow_missing,
                                             .project = record,
                                             .project_warmup = record != NULL};
        g_autoptr(ci_results) results = ci_moobench_read(path, &reading, error);
        return results ? ci_lines_of_results(results, options, error) : NULL;
    }
    json_auto_t *nights = ci_import(path, error);
    json_t *lines = nights ? ci_lines_of_nights(nights, options, error) : NULL;
    return lines;
}

static void lines_print(json_t *lines) {
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line)
        ci_print_json(line);
    json_decref(lines);
}

static void answer_print(json_t *answer, bool json) {
    g_autofree char *words = web_import_words(answer);
    if (json)
        ci_print_json(answer);
    else
        (void)fputs(words, stdout);
    json_decref(answer);
}

/* To the server, in whatever form it is. */
static void send_all(const char *path, const ci_lines_options *options, bool replace,
                     const ci_client_options *server, bool json, GError **error) {
    g_autoptr(ci_client) client = ci_client_new(server, error);
    g_autofree char *place = ci_client_path("projects", options->project, "import");
    g_autofree char *to = g_strconcat(place, replace ? "?replace=true" : NULL, NULL);
    json_t *answer = NULL;
    if (client && import_is_export(path)) {
        answer = import_send_file(client, to, path, error);
    } else if (client) {
        json_auto_t *lines = lines_of(path, options, error);
        if (lines)
            answer = import_send_lines(client, to, lines, error);
    }
    if (answer)
        answer_print(answer, json);
}

/* The server would refuse each line that has them. */
static bool are_ids(const char *commit, const char *night, GError **error) {
    GDate date;
    if (commit && !ci_is_commit(commit))
        return ci_misused(error, "--commit: \"%s\" is no full id of 40 or 64 hex digits", commit);
    return !night || cfg_date_read(night, &date) ||
           ci_misused(error, "--night: \"%s\" is no date such as 2013-05-27", night);
}

static const ci_usage usage = {
    .synopsis = "import FILE",
    .description =
        "Converts the results of another tool (docs/drivers.md lists the tools) to JSON lines,\n"
        "in ns. With --project it writes the lines that moowatchd import reads, and FILE may\n"
        "also be a folder or zip of MooBench's raw results. --server sends the lines to that\n"
        "server, which imports all of them or none; FILE may then also be the output of\n"
        "moowatchd export. Standard error says what was left out, moved or assumed.",
    .least = 1,
    .most = 1};

static ci_exit import(int argc, char **argv, GError **error) {
    char *series = NULL, *project = NULL, *suite = NULL, *match = NULL, *chain = NULL,
         *commit = NULL, *night_of = NULL;
    ci_client_options server = {0};
    gboolean json = FALSE, missing = FALSE, replace = FALSE;
    const GOptionEntry entries[] = {
        CI_STRING("series", &series,
                  "Print the values of that name as CSV, in ns or their unit, for moowatch detect",
                  "NAME"),
        CI_FLAG("json", &json, "JSON lines (the default)"),
        CI_STRING("project", &project,
                  "Print lines for moowatchd import, as nights of this project", "NAME"),
        CI_STRING("suite", &suite, "Which suite, if there are several", "NAME"),
        CI_STRING("match", &match,
                  "Only benchmarks with such a name; * and ? stand for any letters", "PATTERN"),
        CI_STRING("chain", &chain, "Portions in order, as T,I,C,W (default: by MooBench's labels)",
                  "CHAIN"),
        CI_STRING("commit", &commit, "Commit, if the results name none", "ID"),
        CI_STRING("night", &night_of, "Likewise", "YYYY-MM-DD"),
        CI_FLAG("allow-missing", &missing,
                "Raw results: continue when a loop's file is missing or shorter than the others"),
        {"server", 's', 0, G_OPTION_ARG_STRING, &server.server,
         "Import into this server instead of printing; needs --project", "URL"},
        CI_FLAG("replace", &replace,
                "With --server: nights that are there with other values get those of the file"),
        CI_PATH("token-file", &server.token_file,
                "File with a token of the scope admin (default: $MOOWATCH_TOKEN)", "FILE"),
        {0}};
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
        const ci_lines_options options = {project, suite,    match,   chain,
                                          commit,  night_of, missing, told};
        if (server.server && !project)
            ci_misused(error, "--server needs --project NAME");
        else if (replace && !server.server)
            ci_misused(error, "--replace needs --server; without one, moowatchd import has it");
        else if (!are_ids(commit, night_of, error))
            ; /* told below */
        else if (server.server)
            send_all(argv[1], &options, replace, &server, json, error);
        else if (project)
            lines_print(lines_of(argv[1], &options, error));
        else
            print_nights(argv[1], &options, series, error);
        ci_import_notes_print(told, stderr);
    }
    return CI_OK;
}

const ci_command ci_command_import = {"import", "read other tools' results", import};
