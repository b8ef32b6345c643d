#pragma once
/* A project with a history, a rule that tells of it, and the receiver of what is told. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/notify/notify_round.h"
#include "server/notify/notify_send.h"
#include "tests/unit/server/receiver.h"

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

typedef struct {
    fixture *fix;
    receiver *receiver;
    cfg_server server;
    cfg_project project;
    cfg_notify rules[2];
    char *url, *urls[2], *secret_file; /* urls: of rules that need their own */
    int64_t next_ms;
    int nights;
} scene;

static const double quiet[4] = {100, 300, 1000, 2500};
static const double slow[4] = {100, 300, 1000, 3400};

/* The project without a night and with its first rule alone, which tells the receiver. */
static inline scene *scene_new(cfg_notify_via via) {
    static char name[] = "kieker", base[] = "http://127.0.0.1:1";
    scene *s = g_new0(scene, 1);
    s->fix = fix_new();
    s->receiver = receiver_new();
    s->url = g_strdup_printf("http://127.0.0.1:%u", receiver_port(s->receiver));
    s->secret_file = g_build_filename(s->fix->dir, "secret", NULL);
    assert_true(g_file_set_contents(s->secret_file, "s3cret\n", -1, NULL));
    s->server.public_url = base;
    s->project.name = name;
    s->project.notify = s->rules;
    s->project.notify_count = 1;
    s->rules[0] = (cfg_notify){
        .via = via, .url = s->url, .secret_file = s->secret_file, .max_age_days = 100000};
    fix_sync(s->fix, "kieker", NULL);
    return s;
}

static inline int scene_teardown(void **state) {
    scene *s = *state;
    fix_free(s->fix);
    receiver_free(s->receiver);
    g_free(s->url);
    g_free(s->urls[0]);
    g_free(s->urls[1]);
    g_free(s->secret_file);
    g_free(s);
    return 0;
}

/* Of a group of tests. */
static inline int scene_end(void **state) {
    (void)state;
    return 0;
}

static inline void scene_round(scene *s, int64_t ms) {
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    g_ptr_array_add(projects, &s->project);
    s->fix->now_ms += ms;
    const srv_notify_means means = {.server = &s->server, .projects = projects};
    if (!srv_notify_round(s->fix->store, &means, s->fix->now_ms, &s->next_ms, &error))
        fail_msg("%s", error->message);
}

static inline const char *body_of(scene *s, guint i) {
    const receiver_request *got = receiver_get(s->receiver, i);
    assert_non_null(got);
    return got->body;
}
