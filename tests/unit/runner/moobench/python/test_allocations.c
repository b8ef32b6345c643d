/* Requests to an allocator that is watched, as an interpreter makes them. */
#include "tests/unit/test.h"

#include "runner/moobench/python/allocations.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RAW, MEM, OBJ };
#define LARGE 512   /* from here on obj asks raw, as pymalloc does */
#define REFUSED 999 /* bytes that there is no memory for */

/* The interpreter: an allocator a domain, each with a context of its own. */
static moobench_allocator domains[MOOBENCH_ALLOCATORS];
static int contexts[MOOBENCH_ALLOCATORS];
static int freed;

static void get(int domain, moobench_allocator *out) {
    *out = domains[domain];
}

static void set(int domain, moobench_allocator *allocator) {
    domains[domain] = *allocator;
}

static void *ask(int domain, size_t size) {
    return domains[domain].malloc(domains[domain].context, size);
}

static void *plain_malloc(void *context, size_t size) {
    if (context == &contexts[OBJ] && size > LARGE)
        return ask(RAW, size);
    return size == REFUSED ? NULL : malloc(size);
}

static void *plain_calloc(void *context, size_t count, size_t size) {
    (void)context;
    return calloc(count, size);
}

static void *plain_realloc(void *context, void *old, size_t size) {
    (void)context;
    return realloc(old, size);
}

static void plain_free(void *context, void *old) {
    if (context == &contexts[OBJ] || context == &contexts[RAW])
        freed++;
    free(old);
}

static int begin(void **state) {
    (void)state;
    for (int i = 0; i < MOOBENCH_ALLOCATORS; i++)
        domains[i] = (moobench_allocator){&contexts[i], plain_malloc, plain_calloc, plain_realloc,
                                          plain_free};
    moobench_allocations_watch(get, set);
    freed = 0;
    return 0;
}

static void give_back(int domain, void *old) {
    domains[domain].free(domains[domain].context, old);
}

/* What was asked for since `before`. */
static void assert_since(const moobench_allocations *before, uint64_t allocations, uint64_t bytes) {
    moobench_allocations now;
    moobench_allocations_read(&now);
    assert_int_equal(now.allocations - before->allocations, allocations);
    assert_int_equal(now.bytes - before->bytes, bytes);
}

static void each_kind_of_request_counts_in_each_domain(void **state) {
    (void)state;
    for (int domain = RAW; domain <= OBJ; domain++) {
        const moobench_allocator *own = &domains[domain];
        moobench_allocations before;
        moobench_allocations_read(&before);
        void *one = own->malloc(own->context, 100);
        assert_since(&before, 1, 100);
        void *two = own->calloc(own->context, 3, 7);
        assert_since(&before, 2, 121);
        one = own->realloc(own->context, one, 40);
        assert_since(&before, 3, 161);
        give_back(domain, one);
        give_back(domain, two);
        assert_since(&before, 3, 161);
    }
    assert_int_equal(freed, 4); /* it came to the allocator that it is of */
}

static void a_request_that_answers_another_is_part_of_it(void **state) {
    (void)state;
    moobench_allocations before;
    moobench_allocations_read(&before);
    void *large = ask(OBJ, 2 * LARGE);
    assert_non_null(large);
    assert_since(&before, 1, 2 * LARGE);
    void *next = ask(RAW, 10);
    assert_since(&before, 2, 2 * LARGE + 10);
    give_back(OBJ, large);
    give_back(RAW, next);
}

static void what_is_refused_does_not_count(void **state) {
    (void)state;
    moobench_allocations before;
    moobench_allocations_read(&before);
    assert_null(ask(MEM, REFUSED));
    assert_since(&before, 0, 0);
    give_back(MEM, ask(MEM, 8));
    assert_since(&before, 1, 8);
}

static void *ask_twice(void *data) {
    give_back(OBJ, ask(OBJ, 5));
    give_back(MEM, ask(MEM, 6));
    moobench_allocations_read(data);
    return NULL;
}

static void a_thread_counts_its_own(void **state) {
    (void)state;
    moobench_allocations before, others;
    moobench_allocations_read(&before);
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, ask_twice, &others), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_since(&before, 0, 0);
    assert_int_equal(others.allocations, 2);
    assert_int_equal(others.bytes, 11);
}

static void a_child_that_is_forked_counts_its_own(void **state) {
    (void)state;
    moobench_allocations before;
    moobench_allocations_read(&before);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *one = ask(OBJ, 64);
        moobench_allocations now;
        moobench_allocations_read(&now);
        give_back(OBJ, one);
        _exit(now.bytes - before.bytes == 64 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_since(&before, 0, 0);
}

static void whoever_comes_before_it_is_seen(void **state) {
    (void)state;
    assert_true(moobench_allocations_watched(get));
    for (int domain = RAW; domain <= OBJ; domain++) {
        const moobench_allocator watched = domains[domain];
        domains[domain].malloc = plain_malloc;
        assert_false(moobench_allocations_watched(get));
        domains[domain] = watched;
        domains[domain].context = &contexts[domain];
        assert_false(moobench_allocations_watched(get));
        domains[domain] = watched;
        assert_true(moobench_allocations_watched(get));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_kind_of_request_counts_in_each_domain, begin),
        cmocka_unit_test_setup(a_request_that_answers_another_is_part_of_it, begin),
        cmocka_unit_test_setup(what_is_refused_does_not_count, begin),
        cmocka_unit_test_setup(a_thread_counts_its_own, begin),
        cmocka_unit_test_setup(a_child_that_is_forked_counts_its_own, begin),
        cmocka_unit_test_setup(whoever_comes_before_it_is_seen, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
