#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/run/threads.h"
#include "support/aborts.h"

typedef struct loop {
    atomic_uint *done;
    unsigned n_workers;
    atomic_bool strange;
} loop;

static void mark(void *user, size_t index, unsigned worker)
{
    loop *l = user;
    atomic_fetch_add(&l->done[index], 1);
    if (worker >= l->n_workers)
        l->strange = true;
}

static void run(threads *pool, size_t n_tasks)
{
    loop l = {.done = calloc(n_tasks + 1, sizeof *l.done), .n_workers = threads_count(pool)};
    threads_run(pool, n_tasks, mark, &l);
    for (size_t i = 0; i < n_tasks; i++)
        assert_int_equal(l.done[i], 1);
    assert_int_equal(l.done[n_tasks], 0);
    assert_false(l.strange);
    free(l.done);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    static const size_t tasks[] = {0, 1, 2, 3, 5, 100, 10000};
    for (unsigned count = 1; count <= 9; count += 2) {
        threads *pool = threads_new(count);
        assert_in_range(threads_count(pool), 1, count);
        for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
            run(pool, tasks[i]);
        for (int i = 0; i < 300; i++) /* short loops one after another: no lost wake-ups */
            run(pool, 4);
        threads_free(pool);
    }
}

static void note_order(void *user, size_t index, unsigned worker)
{
    size_t *next = user;
    assert_int_equal(index, *next);
    assert_int_equal(worker, 0);
    ++*next;
}

static void no_pool_runs_in_order_here(void **state)
{
    (void)state;
    size_t next = 0;
    threads_run(NULL, 50, note_order, &next);
    assert_int_equal(next, 50);
    assert_int_equal(threads_count(NULL), 1);
    threads_free(NULL);
}

static void default_and_absurd_counts(void **state)
{
    (void)state;
    threads *pool = threads_new(0);
    assert_true(threads_count(pool) >= 1);
    run(pool, 64);
    threads_free(pool);
    threads_free(threads_new(3)); /* never used */
    pool = threads_new(UINT32_MAX);
    assert_non_null(pool);
    assert_in_range(threads_count(pool), 1, 1024);
    threads_free(pool);
}

#if KITH_DEBUG
static threads *shared;

static void nothing(void *user, size_t index, unsigned worker)
{
    (void)user, (void)index, (void)worker;
}

static void run_again(void *user, size_t index, unsigned worker)
{
    (void)index, (void)worker;
    threads_run(shared, 8, nothing, user);
}

static void run_inside_a_task(void)
{
    shared = threads_new(2);
    threads_run(shared, 8, run_again, NULL);
}

static void debug_builds_notice_nested_loops(void **state)
{
    (void)state;
    assert_true(aborts(run_inside_a_task));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(no_pool_runs_in_order_here),
        cmocka_unit_test(default_and_absurd_counts),
#if KITH_DEBUG
        cmocka_unit_test(debug_builds_notice_nested_loops),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
