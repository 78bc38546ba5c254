#include "support/crew_trials.h"

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

static bool is_drawn(const crew_bytes *got, uint32_t round, uint32_t from, uint32_t to)
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

static const char *sums(crew *c, uint32_t variant)
{
    static const size_t lengths[] = {0, 1, 2, 7, 500, 3000};
    (void)variant;
    for (uint32_t round = 0; round < sizeof lengths / sizeof *lengths; round++) {
        uint64_t values[3000];
        for (size_t i = 0; i < lengths[round]; i++)
            values[i] = drawn_value(round, crew_rank(c), i);
        if (crew_sum(c, values, lengths[round], NULL) != KITH_OK)
            return "no sum";
        for (size_t i = 0; i < lengths[round]; i++) {
            uint64_t wanted = 0;
            for (uint32_t r = 0; r < crew_size(c); r++)
                wanted += drawn_value(round, r, i);
            if (values[i] != wanted)
                return "a wrong sum";
        }
    }
    return crew_leave(c, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

static const char *gather_rounds(crew *c, arena *memory)
{
    const uint32_t self = crew_rank(c);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        unsigned char own[MAX_BYTES];
        crew_bytes all[MAX_RANKS];
        const size_t n = drawn_size(round, self, self);
        draw_bytes(own, n, round, self, self);
        if (crew_gather(c, own, n, all, memory, NULL) != KITH_OK)
            return "could not gather";
        if (all[self].bytes != own)
            return "own bytes are elsewhere";
        for (uint32_t r = 0; r < crew_size(c); r++)
            if (!is_drawn(&all[r], round, r, r))
                return "gathered something else";
    }
    return crew_leave(c, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

/* Nobody writes to the bytes that a rank gives. */
static const char *gather_constants(crew *c, arena *memory)
{
    static const unsigned char constants[MAX_BYTES] = {7};
    static const size_t lengths[] = {1, 8, 100, MAX_BYTES};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        crew_bytes all[MAX_RANKS];
        const size_t n = lengths[i];
        if (crew_gather(c, constants, crew_rank(c) == 0 ? MAX_BYTES : n, all, memory, NULL) !=
            KITH_OK)
            return "could not gather constants";
        for (uint32_t r = 0; r < crew_size(c); r++)
            if (memcmp(all[r].bytes, constants, r == 0 ? MAX_BYTES : n) != 0)
                return "gathered other constants";
    }
    return crew_leave(c, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

static const char *exchange_rounds(crew *c, arena *memory)
{
    const uint32_t self = crew_rank(c);
    uint64_t n_sent = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        crew_bytes out[MAX_RANKS], in[MAX_RANKS];
        for (uint32_t r = 0; r < crew_size(c); r++) {
            out[r].n_bytes = drawn_size(round, self, r);
            out[r].bytes = arena_alloc(memory, MAX_BYTES);
            draw_bytes(out[r].bytes, out[r].n_bytes, round, self, r);
            n_sent += r == self ? 0 : out[r].n_bytes;
        }
        if (crew_exchange(c, out, in, memory, NULL) != KITH_OK)
            return "could not exchange";
        if (in[self].bytes != out[self].bytes)
            return "own bytes are elsewhere";
        for (uint32_t r = 0; r < crew_size(c); r++)
            if (!is_drawn(&in[r], round, r, self))
                return "got something else";
    }
    if (crew_n_sent_bytes(c) != n_sent)
        return "counted other bytes than were sent";
    return crew_leave(c, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

static const char *with_memory(crew *c, const char *(*rounds)(crew *c, arena *memory))
{
    arena *memory = arena_new();
    const char *problem = memory == NULL ? "no memory" : rounds(c, memory);
    arena_free(memory);
    return problem;
}

static const char *gathers(crew *c, uint32_t variant)
{
    (void)variant;
    return with_memory(c, gather_rounds);
}

static const char *constants(crew *c, uint32_t variant)
{
    (void)variant;
    return with_memory(c, gather_constants);
}

static const char *exchanges(crew *c, uint32_t variant)
{
    (void)variant;
    return with_memory(c, exchange_rounds);
}

/* A run with one operation of every kind, in which some ranks fail before operation `stop`. */
enum { N_OPERATIONS = 5 };

static kith_status operate(crew *c, uint32_t operation, arena *memory, kith_error *error)
{
    uint64_t value = 1;
    crew_bytes out[MAX_RANKS] = {{NULL, 0}}, in[MAX_RANKS];
    for (uint32_t r = 0; r < crew_size(c); r++)
        out[r] = (crew_bytes){&value, sizeof value};
    switch (operation) {
    case 0: return crew_sum(c, &value, 1, error);
    case 1: return crew_gather(c, &value, sizeof value, in, memory, error);
    case 2: return crew_exchange(c, out, in, memory, error);
    case 3: return crew_barrier(c, error);
    default: return crew_leave(c, KITH_OK, error);
    }
}

static const char *check_failure(crew *c, kith_status status, const kith_error *error,
                                 uint32_t first)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "rank %u cannot go on", first);
    if (status != KITH_DATA || error->status != KITH_DATA)
        return "another status";
    if (strcmp(error->message, wanted) != 0 || strcmp(error->hint, "try harder") != 0)
        return "another message";
    if (crew_speaks(c) != (crew_rank(c) == first))
        return "the wrong rank speaks";
    return NULL;
}

/* Rank `first` fails, and, where `two` says so, all ranks behind it that are odd. */
static const char *failing_run(crew *c, uint32_t stop, uint32_t first, bool two, arena *memory)
{
    const uint32_t self = crew_rank(c);
    const bool fails = self == first || (two && self > first && self % 2 == 1);
    kith_error error;
    kith_status status = KITH_OK;
    for (uint32_t i = 0; status == KITH_OK && i < N_OPERATIONS; i++) {
        if (i == stop && fails) {
            status = error_set(&error, KITH_DATA, "rank %u cannot go on", self);
            error_hint(&error, KITH_DATA, "try harder");
        } else {
            status = operate(c, i, memory, &error);
        }
    }
    if (status == KITH_OK)
        return "no failure";
    status = crew_leave(c, status, &error);
    const char *problem = check_failure(c, status, &error, first);
    /* From now on nothing moves, and everything fails in the same way. */
    for (uint32_t i = 0; problem == NULL && i < N_OPERATIONS; i++)
        problem = check_failure(c, operate(c, i, memory, &error), &error, first);
    return problem;
}

static const char *failures(crew *c, uint32_t variant)
{
    const uint32_t stop = variant / 2 % N_OPERATIONS;
    const uint32_t first = variant / (2 * N_OPERATIONS) % crew_size(c);
    arena *memory = arena_new();
    const char *problem = failing_run(c, stop, first, variant % 2 == 1, memory);
    arena_free(memory);
    return problem;
}

/* Ranks that do not do the same, which only a bug can bring about, do not wait for each other. */
static const char *disorder(crew *c, uint32_t variant)
{
    kith_error error;
    uint64_t values[2] = {1, 2};
    const bool last = crew_rank(c) + 1 == crew_size(c);
    if (crew_size(c) == 1)
        return NULL;
    const kith_status status = !last          ? crew_sum(c, values, 2, &error)
                               : variant == 0 ? crew_barrier(c, &error)
                                              : crew_sum(c, values, 1, &error);
    return status == KITH_BUG && strstr(error.message, "rank 0 is at sum of 2") != NULL
               ? NULL
               : "disorder was not seen";
}

/* A rank has no room for what another sends: nobody does. */
static const char *no_room(crew *c, uint32_t variant)
{
    kith_error error = {.status = KITH_OK};
    crew_bytes all[MAX_RANKS];
    (void)variant;
    if (crew_size(c) == 1)
        return NULL;
    arena *memory = arena_new();
    /* Not even the size of the block can be computed: nobody looks at the bytes. */
    const size_t n_bytes = crew_rank(c) == 0 ? SIZE_MAX : 1;
    const kith_status status = crew_gather(c, all, n_bytes, all, memory, &error);
    arena_free(memory);
    return status == KITH_NOMEM && error.status == KITH_NOMEM ? NULL : "room for too much";
}

static const char *barriers(crew *c, uint32_t variant)
{
    (void)variant;
    for (uint32_t round = 0; round < 3 * ROUNDS; round++)
        if (crew_barrier(c, NULL) != KITH_OK)
            return "no barrier";
    return crew_leave(c, KITH_OK, NULL) == KITH_OK ? NULL : "no good end";
}

const crew_trial crew_trials[] = {
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
