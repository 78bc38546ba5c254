#include "support/ranks_trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"

enum { ROUNDS = 20, MAX_RANKS = 64, MAX_BYTES = 5000 };

/* Random contents that every rank can work out for every other. */
static size_t drawn_size(uint32_t round, uint32_t from, uint32_t to)
{
    rng r;
    rng_init(&r, 1000 + round, 1000 * from + to);
    return rng_below(&r, 3) == 0 ? 0 : rng_below(&r, MAX_BYTES);
}

static void draw_bytes(unsigned char *bytes, size_t n, uint32_t round, uint32_t from, uint32_t to)
{
    rng r;
    rng_init(&r, 2000 + round, 1000 * from + to);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)rng_next(&r);
}

static bool is_drawn(const ranks_bytes *got, uint32_t round, uint32_t from, uint32_t to)
{
    static _Thread_local unsigned char wanted[MAX_BYTES];
    const size_t n = drawn_size(round, from, to);
    draw_bytes(wanted, n, round, from, to);
    return got->n_bytes == n && (n == 0 || memcmp(got->bytes, wanted, n) == 0);
}

static uint64_t drawn_value(uint32_t round, uint32_t rank, size_t i)
{
    rng r;
    rng_init(&r, 3000 + round, 1000 * rank + i);
    return rng_next(&r); /* large enough to pass 2^64 in sums */
}

static const char *sums(kith_ranks *ranks, uint32_t variant)
{
    static const size_t lengths[] = {0, 1, 2, 7, 500, 3000};
    (void)variant;
    for (uint32_t round = 0; round < sizeof lengths / sizeof *lengths; round++) {
        uint64_t values[3000];
        for (size_t i = 0; i < lengths[round]; i++)
            values[i] = drawn_value(round, ranks_self(ranks), i);
        if (ranks_sum(ranks, values, lengths[round], NULL) != KITH_OK)
            return "no sum";
        for (size_t i = 0; i < lengths[round]; i++) {
            uint64_t wanted = 0;
            for (uint32_t r = 0; r < ranks_count(ranks); r++)
                wanted += drawn_value(round, r, i);
            if (values[i] != wanted)
                return "a wrong sum";
        }
    }
    return ranks_leave(ranks, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

static const char *gather_rounds(kith_ranks *ranks, arena *memory)
{
    const uint32_t self = ranks_self(ranks);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        unsigned char own[MAX_BYTES];
        ranks_bytes all[MAX_RANKS];
        const size_t n = drawn_size(round, self, self);
        draw_bytes(own, n, round, self, self);
        if (ranks_gather(ranks, own, n, all, memory, NULL) != KITH_OK)
            return "could not gather";
        if (all[self].bytes != own)
            return "own bytes are elsewhere";
        for (uint32_t r = 0; r < ranks_count(ranks); r++)
            if (!is_drawn(&all[r], round, r, r))
                return "gathered something else";
    }
    return ranks_leave(ranks, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

/* Nobody writes to the bytes that a rank gives. */
static const char *gather_constants(kith_ranks *ranks, arena *memory)
{
    static const unsigned char constants[MAX_BYTES] = {7};
    static const size_t lengths[] = {1, 8, 100, MAX_BYTES};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ranks_bytes all[MAX_RANKS];
        const size_t n = lengths[i];
        if (ranks_gather(ranks, constants, ranks_self(ranks) == 0 ? MAX_BYTES : n, all, memory,
                         NULL) != KITH_OK)
            return "could not gather constants";
        for (uint32_t r = 0; r < ranks_count(ranks); r++)
            if (memcmp(all[r].bytes, constants, r == 0 ? MAX_BYTES : n) != 0)
                return "gathered other constants";
    }
    return ranks_leave(ranks, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

static const char *exchange_rounds(kith_ranks *ranks, arena *memory)
{
    const uint32_t self = ranks_self(ranks);
    uint64_t n_sent = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        ranks_bytes out[MAX_RANKS], in[MAX_RANKS];
        for (uint32_t r = 0; r < ranks_count(ranks); r++) {
            out[r].n_bytes = drawn_size(round, self, r);
            out[r].bytes = arena_alloc(memory, MAX_BYTES);
            draw_bytes(out[r].bytes, out[r].n_bytes, round, self, r);
            n_sent += r == self ? 0 : out[r].n_bytes;
        }
        if (ranks_exchange(ranks, out, in, memory, NULL) != KITH_OK)
            return "could not exchange";
        if (in[self].bytes != out[self].bytes)
            return "own bytes are elsewhere";
        for (uint32_t r = 0; r < ranks_count(ranks); r++)
            if (!is_drawn(&in[r], round, r, self))
                return "got something else";
    }
    if (ranks_n_sent_bytes(ranks) != n_sent)
        return "counted other bytes than were sent";
    return ranks_leave(ranks, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

static const char *with_memory(kith_ranks *ranks,
                               const char *(*rounds)(kith_ranks *ranks, arena *memory))
{
    arena *memory = arena_new();
    const char *problem = memory == NULL ? "no memory" : rounds(ranks, memory);
    arena_free(memory);
    return problem;
}

static const char *gathers(kith_ranks *ranks, uint32_t variant)
{
    (void)variant;
    return with_memory(ranks, gather_rounds);
}

static const char *constants(kith_ranks *ranks, uint32_t variant)
{
    (void)variant;
    return with_memory(ranks, gather_constants);
}

static const char *exchanges(kith_ranks *ranks, uint32_t variant)
{
    (void)variant;
    return with_memory(ranks, exchange_rounds);
}

/* A run with one operation of every kind, in which some ranks fail before operation `stop`. */
enum { N_OPERATIONS = 5 };

static kith_status operate(kith_ranks *ranks, uint32_t operation, arena *memory, kith_error *error)
{
    uint64_t value = 1;
    ranks_bytes out[MAX_RANKS] = {{NULL, 0}}, in[MAX_RANKS];
    for (uint32_t r = 0; r < ranks_count(ranks); r++)
        out[r] = (ranks_bytes){&value, sizeof value};
    switch (operation) {
    case 0: return ranks_sum(ranks, &value, 1, error);
    case 1: return ranks_gather(ranks, &value, sizeof value, in, memory, error);
    case 2: return ranks_exchange(ranks, out, in, memory, error);
    case 3: return ranks_barrier(ranks, error);
    default: return ranks_leave(ranks, KITH_OK, error);
    }
}

static const char *check_failure(kith_ranks *ranks, kith_status status, const kith_error *error,
                                 uint32_t first)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "rank %u cannot go on", first);
    if (status != KITH_DATA || error->status != KITH_DATA)
        return "another status";
    if (strcmp(error->message, wanted) != 0 || strcmp(error->hint, "try harder") != 0)
        return "another message";
    if (ranks_reports(ranks) != (ranks_self(ranks) == first))
        return "the wrong rank speaks";
    return NULL;
}

/* Rank `first` fails, and, where `two` says so, all ranks behind it that are odd. */
static const char *failing_run(kith_ranks *ranks, uint32_t stop, uint32_t first, bool two,
                               arena *memory)
{
    const uint32_t self = ranks_self(ranks);
    const bool fails = self == first || (two && self > first && self % 2 == 1);
    kith_error error;
    kith_status status = KITH_OK;
    for (uint32_t i = 0; status == KITH_OK && i < N_OPERATIONS; i++) {
        if (i == stop && fails) {
            status = error_set(&error, KITH_DATA, "rank %u cannot go on", self);
            error_hint(&error, KITH_DATA, "try harder");
        } else {
            status = operate(ranks, i, memory, &error);
        }
    }
    if (status == KITH_OK)
        return "no failure";
    status = ranks_leave(ranks, status, &error);
    const char *problem = check_failure(ranks, status, &error, first);
    /* From now on nothing moves, and everything fails in the same way. */
    for (uint32_t i = 0; problem == NULL && i < N_OPERATIONS; i++)
        problem = check_failure(ranks, operate(ranks, i, memory, &error), &error, first);
    return problem;
}

static const char *failures(kith_ranks *ranks, uint32_t variant)
{
    const uint32_t stop = variant / 2 % N_OPERATIONS;
    const uint32_t first = variant / (2 * N_OPERATIONS) % ranks_count(ranks);
    arena *memory = arena_new();
    const char *problem = failing_run(ranks, stop, first, variant % 2 == 1, memory);
    arena_free(memory);
    return problem;
}

/* Ranks that do not do the same, which only a bug can bring about, do not wait for each other. */
static const char *disorder(kith_ranks *ranks, uint32_t variant)
{
    kith_error error;
    uint64_t values[2] = {1, 2};
    const bool last = ranks_self(ranks) + 1 == ranks_count(ranks);
    if (ranks_count(ranks) == 1)
        return NULL;
    const kith_status status = !last          ? ranks_sum(ranks, values, 2, &error)
                               : variant == 0 ? ranks_barrier(ranks, &error)
                                              : ranks_sum(ranks, values, 1, &error);
    return status == KITH_BUG && strstr(error.message, "rank 0 is at sum of 2") != NULL
               ? NULL
               : "disorder was not seen";
}

/* A rank has no room for what another sends: nobody does. */
static const char *no_room(kith_ranks *ranks, uint32_t variant)
{
    kith_error error = {.status = KITH_OK};
    ranks_bytes all[MAX_RANKS];
    (void)variant;
    if (ranks_count(ranks) == 1)
        return NULL;
    arena *memory = arena_new();
    /* Not even the size of the block can be computed: nobody looks at the bytes. */
    const size_t n_bytes = ranks_self(ranks) == 0 ? SIZE_MAX : 1;
    const kith_status status = ranks_gather(ranks, all, n_bytes, all, memory, &error);
    arena_free(memory);
    return status == KITH_NOMEM && error.status == KITH_NOMEM ? NULL : "room for too much";
}

static const char *barriers(kith_ranks *ranks, uint32_t variant)
{
    (void)variant;
    for (uint32_t round = 0; round < 3 * ROUNDS; round++)
        if (ranks_barrier(ranks, NULL) != KITH_OK)
            return "no barrier";
    return ranks_leave(ranks, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

const ranks_trial ranks_trials[] = {
    {"sums", sums, 1},
    {"gathers", gathers, 1},
    {"constants", constants, 1},
    {"exchanges", exchanges, 1},
    {"barriers", barriers, 1},
    {"failures", failures, 2 * N_OPERATIONS * 7},
    {"disorder", disorder, 2},
    {"no room", no_room, 1},
    {NULL, NULL, 0},
};
