#pragma once
/*
 * environment - what must be equal for two experiments to be compared (docs/protocol.md).
 */
#include "runner/job/job.h"
#include "runner/node/node.h"
#include "runner/node/tuning.h"

/**
 * run_environment_record - the "environment" object of a result; to json_decref.
 * tuning  what was set on the node, or NULL
 * Runs the harness and, for the java driver, `java -version`; both must work.
 * Returns NULL with RUN_ERROR_JOB when they do not.
 */
json_t *run_environment_record(const run_node *node, const run_job *job, const run_tuning *tuning,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_environment_hash - SHA-256 of the record without "detail": sorted keys, compact. g_free. */
char *run_environment_hash(json_t *record);

/* run_environment_version - the version in what a program printed: lines joined by "; ", without
 * empty ones and the JVM's remarks. g_free. */
char *run_environment_version(const char *printed);
