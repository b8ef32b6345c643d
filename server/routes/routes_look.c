/* What pages compute from what is stored: two nights compared, and a loop's calls in small. */
#include "server/app.h"
#include "server/ground/error.h"
#include "server/routes/listing.h"
#include "server/routes/routes.h"
#include "server/views/views.h"
#include "server/views/withhold.h"

#include "config/number.h"

#include "detector/reader/raw.h"
#include "web/chart/calls.h"
#include "web/chart/compare.h"

#include <gio/gio.h>
#include <pthread.h>
#include <string.h>

/* 16 bytes a call while a digest is made; a loop of the thesis' size has 2,000,000. */
#define DIGEST_CALLS_MAX 20000000u

static json_t *experiment_of(srv_store *store, const srv_request *request, const char *name,
                             GError **error) {
    const char *text = srv_request_query(request, name);
    guint64 id = 0;
    if (!text || !cfg_number_unsigned(text, 1, G_MAXINT64, &id)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s must be the number of an experiment, as in ?a=4&b=5", name);
        return NULL;
    }
    return srv_view_experiment(store, (int64_t)id, error);
}

srv_reply *srv__get_compare(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    json_t *a = experiment_of(store, request, "a", &error);
    json_t *b = a ? experiment_of(store, request, "b", &error) : NULL;
    json_t *comparison = b ? web_compare(a, b, &error) : NULL;
    json_decref(a);
    json_decref(b);
    srv_withhold_comparison(comparison, request->details);
    return comparison ? srv_reply_json(200, comparison) : srv_reply_error(error);
}

/* The loop that counts, of a configuration and a round, else the last; borrowed from the
 * experiment. */
static const json_t *find_loop(const json_t *experiment, const char *configuration, int64_t round) {
    size_t i, k;
    const json_t *c, *loop, *found = NULL;
    json_array_foreach (json_object_get(experiment, "configurations"), i, c) {
        if (g_strcmp0(json_string_value(json_object_get(c, "name")), configuration) != 0)
            continue;
        json_array_foreach (json_object_get(c, "loop_results"), k, loop)
            if (json_integer_value(json_object_get(loop, "loop")) == round &&
                !json_is_string(json_object_get(loop, "failed")) &&
                !json_is_true(json_object_get(found, "used")))
                found = loop;
    }
    return found;
}

/* All calls of a stored file, warm-up included. Closes fd. Returns the digest, or NULL with
 * error. */
static json_t *digest(int fd, uint64_t warmup, GError **error) {
    const det_raw_options options = {.warmup_calls = 0, .calls_max = DIGEST_CALLS_MAX};
    g_autofree char *block = g_malloc(1 << 16);
    det_raw *raw = det_raw_new(&options);
    det_raw_error wrong = {.text = "it is incomplete or damaged"};
    det_raw_result result;
    srv_reply_source source = srv_raw_csv(fd);
    det_status status = raw ? DET_OK : DET_ENOMEM;
    ssize_t n = 1;
    while (status == DET_OK && n > 0) {
        n = source.read(source.data, block, 1 << 16);
        status = n > 0 ? det_raw_feed(raw, block, (size_t)n, &wrong) : n < 0 ? DET_ESYNTAX : DET_OK;
    }
    if (status == DET_OK)
        status = det_raw_finish(raw, &result, &wrong);
    json_t *made = NULL;
    if (status == DET_OK)
        made = web_calls_digest(result.ns, result.calls, MIN((size_t)warmup, result.calls));
    else
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the stored raw file: %s", wrong.text);
    source.free(source.data);
    det_raw_free(raw);
    return made;
}

static srv_reply *digest_calls(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    int64_t id = 0;
    guint64 round = 0;
    uint64_t bytes = 0;
    if (!srv_request_id(request, 0, &id, &error))
        return srv_reply_error(error);
    if (!cfg_number_unsigned(request->params[2], 1, G_MAXINT32, &round))
        return srv_reply_problem(400, "the loop must be a whole number from 1");
    json_t *experiment = srv_view_experiment(store, id, &error);
    if (!experiment)
        return srv_reply_error(error);
    const json_t *loop = find_loop(experiment, request->params[1], (int64_t)round);
    const char *sha = json_string_value(json_object_get(json_object_get(loop, "raw"), "sha256"));
    json_int_t calls = json_integer_value(json_object_get(loop, "calls"));
    srv_reply *reply = NULL;
    const json_t *removed = json_object_get(experiment, "raw_removed");
    if (sha && json_is_object(removed)) {
        reply = srv_reply_problem(410, json_string_value(json_object_get(removed, "sentence")));
    } else if (!sha) {
        reply = srv_reply_problem(404, "no raw calls are stored for this configuration and loop");
    } else if (calls > DIGEST_CALLS_MAX) {
        reply =
            srv_reply_problem(413, "this loop has too many calls to draw; download them instead");
    } else {
        uint64_t warmup = (uint64_t)json_integer_value(json_object_get(loop, "warmup_calls"));
        int fd = srv_raw_read(app->raw, sha, &bytes, &error);
        json_t *made = fd >= 0 ? digest(fd, warmup, &error) : NULL;
        reply = made ? srv_reply_json(200, made) : srv_reply_error(error);
        if (made)
            reply->cache = "max-age=31536000, immutable";
    }
    json_decref(experiment);
    return reply;
}

srv_reply *srv__get_calls(srv_app *app, srv_store *store, srv_request *request) {
    return srv__remotely(app, store, request, digest_calls);
}
