/* A rank that fails where it would have taken part in the n-th operation of all ranks, for every n:
 * all ranks end with its status and message, one of them speaks, and nobody waits for ever. */
/* wrap: ranks_sum ranks_gather ranks_exchange */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>

#include "core/error.h"
#include "support/rank_slices.h"

static uint32_t failing_rank;
static uint32_t operations_left; /* of the failing rank; only its thread looks at it */
static atomic_bool has_failed;

kith_status __real_ranks_sum(kith_ranks *ranks, uint64_t *values, size_t n, kith_error *error);
kith_status __real_ranks_gather(kith_ranks *ranks, const void *own, size_t n_bytes,
                                ranks_bytes *all, arena *memory, kith_error *error);
kith_status __real_ranks_exchange(kith_ranks *ranks, const ranks_bytes *out, ranks_bytes *in,
                                  arena *memory, kith_error *error);
kith_status __wrap_ranks_sum(kith_ranks *ranks, uint64_t *values, size_t n, kith_error *error);
kith_status __wrap_ranks_gather(kith_ranks *ranks, const void *own, size_t n_bytes,
                                ranks_bytes *all, arena *memory, kith_error *error);
kith_status __wrap_ranks_exchange(kith_ranks *ranks, const ranks_bytes *out, ranks_bytes *in,
                                  arena *memory, kith_error *error);

static bool fails_now(const kith_ranks *ranks)
{
    if (ranks_count(ranks) == 1 || ranks_self(ranks) != failing_rank)
        return false;
    if (operations_left-- > 0)
        return false;
    atomic_store(&has_failed, true);
    return true;
}

static kith_status refuse(kith_error *error)
{
    return error_set(error, KITH_IO, "the disk of rank %u is full", failing_rank);
}

kith_status __wrap_ranks_sum(kith_ranks *ranks, uint64_t *values, size_t n, kith_error *error)
{
    return fails_now(ranks) ? refuse(error) : __real_ranks_sum(ranks, values, n, error);
}

kith_status __wrap_ranks_gather(kith_ranks *ranks, const void *own, size_t n_bytes,
                                ranks_bytes *all, arena *memory, kith_error *error)
{
    return fails_now(ranks) ? refuse(error)
                            : __real_ranks_gather(ranks, own, n_bytes, all, memory, error);
}

kith_status __wrap_ranks_exchange(kith_ranks *ranks, const ranks_bytes *out, ranks_bytes *in,
                                  arena *memory, kith_error *error)
{
    return fails_now(ranks) ? refuse(error) : __real_ranks_exchange(ranks, out, in, memory, error);
}

enum { RANKS = 3 };

/* Returns whether the run came so far that the rank failed. */
static bool run_and_fail(rank_slices *s, uint32_t rank, uint32_t operation)
{
    failing_rank = rank;
    operations_left = operation;
    has_failed = false;
    thread_ranks_run(RANKS, rank_slices_search, s);
    uint32_t n_spoke = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        assert_int_equal(s->status[r], has_failed ? KITH_IO : KITH_OK);
        if (has_failed)
            assert_string_equal(s->error[r].message, s->error[rank].message);
        n_spoke += s->spoke[r];
    }
    assert_int_equal(n_spoke, has_failed ? 1 : 0);
    assert_true(!has_failed || s->spoke[rank]);
    return has_failed;
}

/* `least`: operations that a search has at least. */
static void fail_everywhere(const char *name, uint32_t least)
{
    arena *memory = arena_new();
    const problem_shape shape = {.n_records = 400,
                                 .n_attributes = 3,
                                 .n_leaves = 16,
                                 .width = 4,
                                 .n_sensitive = 4,
                                 .l = 2,
                                 .k = 3};
    const search_spec spec = {.piece = 100, .effort = EFFORT_QUICK};
    rank_slices s = {.whole = problems_random(memory, &shape, 1),
                     .spec = &spec,
                     .algorithm = name,
                     .n_threads = 1};
    rng r;
    rng_init(&r, 1, 1);
    rank_slices_cut(&s, RANKS, &r);
    s.closure = arena_array(memory, shape.n_records, shape.n_attributes * sizeof *s.closure);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint32_t n_operations = 0;
        while (run_and_fail(&s, rank, n_operations))
            n_operations++;
        assert_true(n_operations >= least);
    }
    arena_free(memory);
}

static void all_ranks_end_alike(void **state)
{
    (void)state;
    fail_everywhere("weave", 10);
    fail_everywhere("flash", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ranks_end_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
