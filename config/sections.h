#pragma once
/* sections - the tables of the YAML files' sections, and what these cannot say: what a key must be
 * beside others, and what it is when it is left out because of them. A fill returns false with
 * error at the first fault; the struct is then to be cleared by its table all the same. */
#include "config/config.h"
#include "config/yaml.h"

#define MIB (1024.0 * 1024) /* of limits in bytes */
#define TIB (MIB * MIB)

/* benchmark - the part of a project's file that says what is run: parameters and the chain. */

extern const model_noun cfg__benchmark_noun;
bool cfg__benchmark_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for what belongs to one driver alone; the configurations are filled in already. */
extern const model_noun cfg__read_noun;
bool cfg__driver_fill(const cfg__yaml *yaml, cfg_benchmark *benchmark,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A project's `notify:` and the server's `mail:`: who is told, of what, and where. */

extern const model_noun cfg__notify_noun, cfg__mail_noun;
bool cfg__notify_fill(const cfg__yaml *yaml, cfg_project *project,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool cfg__mail_fill(const cfg__yaml *yaml, cfg_mail *mail,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * The section runner: of the server's file: how the runner of moowatchd --with-runner
 * measures. Its keys are those of moowatch-runner.yaml, without the three that the server knows.
 */

extern const model_noun cfg__hosted_noun;

/**
 * cfg__hosted_lines - the section as lines of a runner's own file, with whole paths.
 * yaml     the server's file
 * section  what it says, as read; NULL: there is none, and no line
 * Returns the text, owned by the caller, or NULL with error that names the line.
 */
char *cfg__hosted_lines(const cfg__yaml *yaml, json_t *section,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
