#include "runner/driver/driver.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/measure/attempt.h"
#include "runner/process/scratch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

json_t *run_last_object(const char *log) {
    g_autofree char *said = g_strdup(log);
    if (!said)
        return NULL;
    g_strchomp(said);
    const char *line = strrchr(said, '\n');
    json_t *told = json_loads(line ? line + 1 : said, 0, NULL);
    if (!json_is_object(told))
        g_clear_pointer(&told, json_decref);
    return told;
}

/* * "records" of what run_last_object gave.
 * out  written only when it is there, a whole number of at least 0 */
static bool told_records(const json_t *told, uint64_t *out) {
    const json_t *count = json_object_get(told, "records");
    const bool counted = json_is_integer(count) && json_integer_value(count) >= 0;
    if (counted)
        *out = (uint64_t)json_integer_value(count);
    return counted;
}

/* The most that a line before the last told: it says how far it is, or has ended and begun anew. */
static uint64_t told_before(const char *log) {
    g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
    uint64_t most = 0;
    for (char **line = lines; *line; line++) {
        json_t *told = **line == '{' ? json_loads(*line, 0, NULL) : NULL;
        uint64_t records = 0;
        told_records(told, &records);
        most = MAX(most, records);
        json_decref(told);
    }
    return most;
}

/* What it told, or an object, with "expected" records; takes told over (may be NULL). json_decref.
 */
static json_t *told_reading(json_t *told, uint64_t expected) {
    json_t *reading = told ? told : json_object();
    json_object_set_new(reading, "expected", json_integer((json_int_t)expected));
    return reading;
}

struct run_receiver {
    const run_node *node;
    const cfg_receiver *job;
    uint64_t expected;
    char *log, *port;
    GPtrArray *argv, *environment;
    run_process_spec spec;
    run_companion companion;
};

run_receiver *run_receiver_new(const run_node *node, const cfg_configuration *configuration,
                               const run_placeholder *values, const char *folder) {
    if (!configuration->receiver)
        return NULL;
    run_receiver *receiver = g_new0(run_receiver, 1);
    receiver->node = node;
    receiver->job = configuration->receiver;
    receiver->expected = values->calls * values->depth;
    receiver->log = g_build_filename(folder, "receiver.log", NULL);
    return receiver;
}

void run_receiver_free(run_receiver *receiver) {
    if (!receiver)
        return;
    run_process_result_clear(&receiver->companion.result);
    g_clear_pointer(&receiver->argv, g_ptr_array_unref);
    g_clear_pointer(&receiver->environment, g_ptr_array_unref);
    g_free(receiver->log);
    g_free(receiver->port);
    g_free(receiver);
}

/* The port, or a free one for 0, is bound and let go. 0 with errno when it is taken. */
static unsigned try_port(unsigned port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int yes = 1;
    g_auto(run_fd) fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    /* As a server does: connections that have ended are in nobody's way. */
    const bool good = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                      bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 1) == 0 &&
                      getsockname(fd, (struct sockaddr *)&address, &size) == 0;
    return good ? ntohs(address.sin_port) : 0;
}

char *run_receiver_open(run_receiver *receiver, const char *checkout, run_placeholder *values) {
    unsigned port = try_port(receiver->job->port);
    if (port == 0)
        return g_strdup_printf("receiver: port %u: %s; leave receiver.port out and a free one is "
                               "chosen, or end what listens there",
                               receiver->job->port, g_strerror(errno));
    receiver->port = g_strdup_printf("%u", port);
    values->port = receiver->port;
    receiver->argv = run_driver_words(values, receiver->job->command);
    receiver->environment = run_driver_environment(values, NULL);
    receiver->spec = run_node_process(receiver->node);
    /* The group's processors are the benchmark's. */
    receiver->spec.cgroup = NULL;
    receiver->spec.argv = (char **)receiver->argv->pdata;
    receiver->spec.environment = (char **)receiver->environment->pdata;
    receiver->spec.directory = checkout;
    receiver->spec.log_path = receiver->log;
    receiver->spec.file_limit_bytes = receiver->node->config->loop_output_limit_bytes;
    receiver->companion = (run_companion){.name = "receiver",
                                          .spec = &receiver->spec,
                                          .ready = receiver->job->ready,
                                          .port = port,
                                          .ready_s = receiver->job->ready_timeout_s};
    return NULL;
}

run_companion *run_receiver_companion(run_receiver *receiver) {
    return receiver ? &receiver->companion : NULL;
}

void run_receiver_expect(run_receiver *receiver, uint64_t records) {
    receiver->expected = records;
}

json_t *run_receiver_reading(const run_receiver *receiver) {
    return told_reading(run_last_object(receiver->companion.result.log), receiver->expected);
}

/* Why it could not count something: "; it refused: record of class …", or "". */
static char *refusal(const run_receiver *receiver) {
    const char *log = receiver->companion.result.log;
    const char *line = log ? g_strrstr(log, "refused: ") : NULL;
    return line ? g_strdup_printf("; it %.*s", (int)MIN(strcspn(line, "\n"), 300), line)
                : g_strdup("");
}

char *run_receiver_judge(const run_receiver *receiver) {
    g_autofree char *failed = run_process_describe(&receiver->companion.result);
    if (failed)
        return g_strdup_printf("receiver: %s", failed);
    if (receiver->job->records == CFG_RECORDS_UNCHECKED)
        return NULL;
    json_auto_t *told = run_last_object(receiver->companion.result.log);
    uint64_t records = 0;
    const bool counted = told_records(told, &records);
    if (!counted)
        return g_strdup("receiver: its last line is not a JSON object with \"records\"; make it "
                        "print its count, or set receiver.records: unchecked");
    const uint64_t before = told_before(receiver->companion.result.log);
    if (before > records)
        return g_strdup_printf("receiver: it counted %" PRIu64 " records and then %" PRIu64
                               ": it began anew in the middle, and what came is not known",
                               before, records);
    g_autofree char *refused = refusal(receiver);
    if (records == 0 && refused[0] == '\0')
        return g_strdup_printf("receiver: no record arrived, %" PRIu64
                               " were expected: is anything instrumented, and does it write to "
                               "{port}?",
                               receiver->expected);
    if (records == 0 ||
        (receiver->job->records == CFG_RECORDS_ALL && records != receiver->expected))
        return g_strdup_printf("receiver: %" PRIu64 " records came, %" PRIu64 " were expected%s",
                               records, receiver->expected, refused);
    return NULL;
}

void run_places_clear(run_places *at) {
    g_free(at->folder);
    g_free(at->out);
    g_free(at->scratch);
    g_free(at->raw);
    g_free(at->result);
    g_free(at->log);
    g_free(at->own);
    run_sandbox_places_clear(&at->own_places);
}

bool run_places_make(run_places *at, const run_node *node, const char *below, GError **error) {
    at->folder = run_node_path(node, below);
    at->out = g_build_filename(at->folder, "out", NULL);
    at->scratch = g_build_filename(at->folder, "scratch", NULL);
    at->raw = g_build_filename(at->out, RUN_HARVEST_RAW, NULL);
    at->result = g_build_filename(at->out, RUN_HARVEST_RESULT, NULL);
    at->log = g_build_filename(at->folder, RUN_HARVEST_LOG, NULL);
    at->own = g_build_filename(at->folder, "private", NULL);
    /* Only what is below is given away: the benchmark cannot swap its own folders for links. */
    return run_scratch_make(at->folder, error) && run_scratch_open(at->folder, error) &&
           run_scratch_make(at->out, error) && run_scratch_make(at->scratch, error) &&
           run_node_give(node, at->out, error) && run_node_give(node, at->scratch, error) &&
           run_node_places(node, at->own, &at->own_places, error);
}

run_process_spec run_places_process(const run_places *at, const run_node *node) {
    run_process_spec spec = run_node_process(node);
    spec.file_limit_bytes = node->config->loop_output_limit_bytes;
    spec.watch_directory = at->folder;
    spec.watch_limit_bytes = node->config->loop_output_limit_bytes;
    spec.places = &at->own_places;
    return spec;
}

/* At least a second, so that it is the process that is found to take too long; and to the end. */
static unsigned left_s(const run_unmeasured *self) {
    const int64_t left =
        (self->until_us - g_get_monotonic_time() + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
    return (unsigned)CLAMP(left, 1, (int64_t)self->most_s);
}

run_placeholder run_unmeasured_values(const run_unmeasured *self) {
    return (run_placeholder){.checkout = self->trees->checkout[self->which],
                             .scratch = self->at.scratch,
                             .harness = self->node->harness_dir,
                             .commit = run_job_commit(self->job, self->which),
                             .artifact = self->trees->artifact[self->which],
                             .calls = run_job_calls(self->job, self->configuration),
                             .depth = self->job->benchmark.recursion_depth,
                             .result = self->at.result,
                             .jdk = self->job->benchmark.jdk,
                             .path = self->node->config->path};
}

run_process_spec run_unmeasured_spec(const run_unmeasured *self) {
    run_process_spec spec = run_places_process(&self->at, self->node);
    spec.directory = self->trees->checkout[self->which];
    spec.log_path = self->at.log;
    spec.printed = self->node->printed;
    spec.timeout_s = left_s(self);
    spec.cpus = &self->node->benchmark_cpus;
    spec.fixed_addresses = self->fixed_addresses;
    spec.no_network = self->job->benchmark.network == CFG_NETWORK_OFF;
    spec.tick = run_heartbeat_tick;
    spec.tick_data = self->beat;
    return spec;
}

bool run_unmeasured_run(const run_unmeasured *self, run_unmeasured_wrap wrap, const void *data,
                        run_process_result *result, GError **error) {
    run_placeholder values = run_unmeasured_values(self);
    g_autoptr(run_receiver) receiver =
        run_receiver_new(self->node, &self->job->benchmark.configurations[self->configuration],
                         &values, self->at.folder);
    g_autofree char *problem =
        receiver ? run_receiver_open(receiver, values.checkout, &values) : NULL;
    *result = (run_process_result){0};
    if (problem)
        return run_wrong(error, "%s", problem);
    g_autoptr(GPtrArray) argv =
        wrap(data, &values,
             run_driver_command(self->job, self->configuration, &values, self->at.raw), error);
    if (!argv)
        return false;
    g_auto(GStrv) variables = run_driver_variables(self->job, self->configuration);
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, variables);
    run_process_spec spec = run_unmeasured_spec(self);
    spec.companion = run_receiver_companion(receiver);
    spec.argv = (char **)argv->pdata;
    spec.environment = (char **)environment->pdata;
    return run_process_run(&spec, result, error);
}
