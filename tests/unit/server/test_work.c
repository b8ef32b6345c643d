/* The work queue and the timer: threads, so run this under tsan too. */
#include "tests/unit/test.h"

#include "server/ground/thread.h"
#include "server/http/longpoll.h"
#include "server/work.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint done;

static void count(srv_store *store, void *data) {
    (void)store;
    (void)data;
    atomic_fetch_add(&done, 1);
}

static void wait_at_gate(srv_store *store, void *data) {
    (void)store;
    atomic_store((atomic_bool *)data, true);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

static void does_all_that_was_taken(void **state) {
    (void)state;
    srv_store *stores[2] = {NULL, NULL};
    srv_work *work = srv_work_new("test", stores, 2, 8, NULL);
    unsigned taken = 0;
    atomic_store(&done, 0);
    for (unsigned i = 0; i < 10000; i++)
        taken += srv_work_push(work, count, NULL) ? 1 : 0;
    srv_work_end(work);
    assert_int_equal(atomic_load(&done), taken);
    assert_false(srv_work_push(work, count, NULL));
    srv_work_free(work);
}

static void full_queue_says_so(void **state) {
    (void)state;
    srv_store *stores[1] = {NULL};
    atomic_bool began = false;
    srv_work *work = srv_work_new("test", stores, 1, 3, NULL);
    atomic_store(&done, 0);
    pthread_mutex_lock(&gate);
    assert_true(srv_work_push(work, wait_at_gate, &began));
    while (!atomic_load(&began))
        g_thread_yield();
    for (unsigned i = 0; i < 3; i++)
        assert_true(srv_work_push(work, count, NULL));
    assert_false(srv_work_push(work, count, NULL));
    assert_int_equal(srv_work_waiting(work), 3);
    pthread_mutex_unlock(&gate);
    srv_work_free(work);
    assert_int_equal(atomic_load(&done), 3);
}

typedef struct {
    char order[16];
    atomic_uint n;
} told;

typedef struct {
    told *to;
    char who;
} teller;

static void tell(srv_store *store, void *data) {
    const teller *self = data;
    (void)store;
    self->to->order[atomic_fetch_add(&self->to->n, 1)] = self->who;
}

/* One client asks five times, then two others once each: these are not behind all five. */
static void clients_take_turns(void **state) {
    (void)state;
    srv_store *stores[1] = {NULL};
    atomic_bool began = false;
    told to = {0};
    teller a = {&to, 'a'}, b = {&to, 'b'}, c = {&to, 'c'};
    srv_work *work = srv_work_new("test", stores, 1, 10, NULL);
    pthread_mutex_lock(&gate);
    assert_true(srv_work_push(work, wait_at_gate, &began));
    while (!atomic_load(&began))
        g_thread_yield();
    for (unsigned i = 0; i < 5; i++)
        assert_true(srv_work_push_for(work, "10.0.0.1", tell, &a));
    assert_false(srv_work_push_for(work, "10.0.0.1", tell, &a)); /* half of the queue */
    assert_true(srv_work_push_for(work, "10.0.0.2", tell, &b));
    assert_true(srv_work_push_for(work, "10.0.0.3", tell, &c));
    pthread_mutex_unlock(&gate);
    srv_work_free(work);
    assert_int_equal(strlen(to.order), 7);
    assert_true(strchr(to.order, 'b') < to.order + 3);
    assert_true(strchr(to.order, 'c') < to.order + 3);
    assert_string_equal(to.order + 3, "aaaa");
}

static void tick(void *user) {
    atomic_fetch_add((atomic_uint *)user, 1);
}

static void timer_runs_what_is_due_and_nothing_else(void **state) {
    (void)state;
    atomic_uint near = 0;
    atomic_uint far = 0;
    srv_timer *timer = srv_timer_new("timer", NULL, NULL, NULL);
    srv_timer_handle(timer, 0, tick, &near);
    srv_timer_handle(timer, 1, tick, &far);
    srv_timer_within(timer, 1, 3600 * 1000);
    srv_timer_within(timer, 0, 3600 * 1000);
    srv_timer_within(timer, 0, 0);
    while (atomic_load(&near) == 0)
        g_thread_yield();
    srv_timer_free(timer);
    assert_int_equal(atomic_load(&near), 1);
    assert_int_equal(atomic_load(&far), 0);
}

static void back(srv_request *request, void *user) {
    g_ptr_array_add(user, request);
}

static void waiting_requests_come_back_once(void **state) {
    (void)state;
    srv_request requests[4] = {0};
    g_autoptr(GPtrArray) out = g_ptr_array_new();
    srv_longpoll *waiting = srv_longpoll_new(back, out);
    unsigned mark = srv_longpoll_mark(waiting);
    srv_longpoll_add(waiting, &requests[0], INT64_MAX - 1, mark);
    srv_longpoll_add(waiting, &requests[1], 0, mark);
    assert_int_equal(out->len, 0);
    /* The one that stays says when it is to be looked after: else it would wait for ever. */
    assert_true(srv_longpoll_expire(waiting) == INT64_MAX - 1);
    assert_int_equal(out->len, 1);
    assert_ptr_equal(out->pdata[0], &requests[1]);
    srv_longpoll_wake(waiting);
    assert_int_equal(out->len, 2);
    /* Woken between the look and the waiting: it does not wait at all. */
    srv_longpoll_add(waiting, &requests[2], INT64_MAX, mark);
    assert_int_equal(out->len, 3);
    srv_longpoll_close(waiting);
    srv_longpoll_add(waiting, &requests[3], INT64_MAX, srv_longpoll_mark(waiting));
    assert_int_equal(out->len, 4);
    srv_longpoll_free(waiting);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(does_all_that_was_taken),
        cmocka_unit_test(full_queue_says_so),
        cmocka_unit_test(clients_take_turns),
        cmocka_unit_test(timer_runs_what_is_due_and_nothing_else),
        cmocka_unit_test(waiting_requests_come_back_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
