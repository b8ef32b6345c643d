/* What pages compute from what is stored: two nights compared, and a loop's calls in small. */
#include "server/app.h"
#include "server/ground/error.h"
#include "server/routes/routes.h"
#include "server/views/views.h"
#include "server/views/withhold.h"

#include "config/number.h"

#include "detector/reader/raw.h"
#include "web/chart/compare.h"

#include <gio/gio.h>

/* 16 bytes a call while a digest is made; a loop of the thesis' size has 2,000,000. */
#define DIGEST_CALLS_MAX 20000000u

static bool experiment_read(srv_store *store, const srv_request *request, const char *name,
                            cfg_night *night, GError **error) {
    const char *text = srv_request_query(request, name);
    guint64 id = 0;
    if (text && cfg_number_unsigned(text, 1, G_MAXINT64, &id))
        return srv_experiment_read(store, (int64_t)id, night, error);
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "%s must be the number of an experiment, as in ?a=4&b=5", name);
}

static json_t *get_compare(srv_call *call, GError **error) {
    g_auto(cfg_night) a = {0}, b = {0};
    if (!experiment_read(call->store, call->request, "a", &a, error) ||
        !experiment_read(call->store, call->request, "b", &b, error))
        return NULL;
    web_moved moved = {0};
    if (!srv_incidents_across(call->store, a.experiment, b.experiment, &moved, error))
        return NULL;
    g_autofree char *words = moved.words;
    json_auto_t *alerts = srv_alerts_across(call->store, a.experiment, b.experiment, error);
    if (!alerts)
        return NULL;
    json_t *comparison = web_compare(&a, &b, &moved, alerts);
    srv_withhold_comparison(comparison, call->request->details);
    return comparison;
}

/* The loop that counts, of a configuration and a round, else the last; borrowed from the
 * experiment. */
static const cfg_loop *find_loop(const cfg_night *night, const char *configuration, int64_t round) {
    const cfg_loop *found = NULL;
    for (unsigned i = 0; i < night->configurations_count; i++) {
        const cfg_measured *c = &night->configurations[i];
        for (unsigned k = 0; cfg_is(c->name, configuration) && k < c->loop_results_count; k++)
            if (c->loop_results[k].loop == round && !c->loop_results[k].failed &&
                !(found && found->used))
                found = &c->loop_results[k];
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
    g_auto(cfg_night) night = {0};
    if (!srv_experiment_read(store, id, &night, &error))
        return srv_reply_error(error);
    const cfg_loop *loop = find_loop(&night, request->params[1], (int64_t)round);
    if (!loop || !loop->raw_sha256)
        return srv_reply_problem(404, "no raw calls are stored for this configuration and loop");
    if (night.raw_removed)
        return srv_reply_problem(410, night.raw_removed->sentence);
    if (loop->calls > DIGEST_CALLS_MAX)
        return srv_reply_problem(413,
                                 "this loop has too many calls to draw; download them instead");
    int fd = srv__place_read(app->raw, loop->raw_sha256, &bytes, &error);
    json_t *made = fd >= 0 ? digest(fd, (uint64_t)MAX(loop->warmup_calls, 0), &error) : NULL;
    srv_reply *reply = made ? srv_reply_json(200, made) : srv_reply_error(error);
    if (made)
        reply->cache = "max-age=31536000, immutable";
    return reply;
}

const srv_route srv__routes_look[] = {
    {"GET", SRV_API "experiments/{}/calls/{}/{}", SRV_SCOPE_READ, SRV_RUN_READ,
     .handler = srv__remotely, .remote = digest_calls, .query = SRV_QUERY_EXPENSIVE},
    {"GET", SRV_API "compare", SRV__KEEPS, .act = get_compare, .query = "a b " SRV_QUERY_DETAILS},
    {0}};
