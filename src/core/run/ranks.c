#include "core/run/ranks.h"

#include <string.h>
#include <time.h>

#include "core/error.h"

/* What a rank says before anything moves. A rank that fails says so in whatever operation the
 * others are. */
typedef struct announcement {
    uint32_t operation;
    uint32_t status;
    uint64_t amount; /* the same on all ranks, unless the operation gathers */
} announcement;

enum {
    OPERATION_SUM,
    OPERATION_GATHER,
    OPERATION_EXCHANGE,
    OPERATION_BARRIER,
    OPERATION_LEAVE,
    OPERATION_MEMORY
};

static const char *const operation_names[] = {"sum",     "gather", "exchange",
                                              "barrier", "leave",  "memory"};

/* How long a rank that is told to stop while it waits goes on waiting. A run is mostly stopped on
 * all ranks at once: they say so soon, and all end alike, which is better than an end by MPI. A
 * launcher that stops its ranks kills them a second later. */
enum { PATIENCE_MS = 500 };

struct kith_ranks {
    ranks_transport transport;
    bool (*stop)(void *object);
    void *object;
    bool told_to_stop; /* while it waited */
    uint64_t told_ms;
    arena *memory;
    announcement *said; /* [size] of the last agreement */
    /* Arrays for exchanges, [size] each. They are made at the start: a rank that ran out of memory
     * in the middle of an exchange would leave the others waiting. */
    const void **out;
    void **in;
    size_t *n_out;
    size_t *n_in;
    uint64_t *sizes_out;
    uint64_t *sizes_in;
    bool failed;
    bool broken; /* the transport itself has failed */
    uint32_t failed_rank;
    kith_error error; /* if failed */
    uint64_t n_sent_bytes;
};

static bool make_lists(kith_ranks *ranks)
{
    const uint32_t size = ranks->transport.size;
    ranks->said = arena_zalloc(ranks->memory, size, sizeof *ranks->said);
    ranks->out = arena_zalloc(ranks->memory, size, sizeof *ranks->out);
    ranks->in = arena_zalloc(ranks->memory, size, sizeof *ranks->in);
    ranks->n_out = arena_zalloc(ranks->memory, size, sizeof *ranks->n_out);
    ranks->n_in = arena_zalloc(ranks->memory, size, sizeof *ranks->n_in);
    ranks->sizes_out = arena_zalloc(ranks->memory, size, sizeof *ranks->sizes_out);
    ranks->sizes_in = arena_zalloc(ranks->memory, size, sizeof *ranks->sizes_in);
    return ranks->said != NULL && ranks->out != NULL && ranks->in != NULL && ranks->n_out != NULL &&
           ranks->n_in != NULL && ranks->sizes_out != NULL && ranks->sizes_in != NULL;
}

kith_ranks *ranks_new(const ranks_transport *transport)
{
    arena *memory = arena_new();
    kith_ranks *ranks = memory == NULL ? NULL : arena_zalloc(memory, 1, sizeof *ranks);
    if (ranks != NULL) {
        ranks->memory = memory;
        ranks->transport = *transport;
    }
    if (ranks == NULL || !make_lists(ranks)) {
        arena_free(memory);
        transport->close(transport->user, true);
        return NULL;
    }
    return ranks;
}

void ranks_free(kith_ranks *ranks)
{
    if (ranks == NULL)
        return;
    ranks->transport.close(ranks->transport.user, ranks->broken);
    arena_free(ranks->memory);
}

uint32_t ranks_self(const kith_ranks *ranks)
{
    return ranks == NULL ? 0 : ranks->transport.rank;
}

uint32_t ranks_count(const kith_ranks *ranks)
{
    return ranks == NULL ? 1 : ranks->transport.size;
}

bool ranks_reports(const kith_ranks *ranks)
{
    return ranks_self(ranks) == (ranks != NULL && ranks->failed ? ranks->failed_rank : 0);
}

uint64_t ranks_n_sent_bytes(const kith_ranks *ranks)
{
    return ranks == NULL ? 0 : ranks->n_sent_bytes;
}

static kith_status fail(kith_ranks *ranks, uint32_t failed_rank, kith_error *error)
{
    ranks->failed = true;
    ranks->failed_rank = failed_rank;
    if (error != NULL)
        *error = ranks->error;
    return ranks->error.status;
}

/* The result of a function of the transport. */
static kith_status moved(kith_ranks *ranks, const char *what_failed, kith_error *error)
{
    if (what_failed == NULL)
        return KITH_OK;
    ranks->broken = true;
    /* All ranks are stopped together, also those that work: the first one reports it. */
    if (strcmp(what_failed, RANKS_TRANSPORT_STOPPED) == 0) {
        error_set(&ranks->error, KITH_CANCELLED, "stopped while waiting for other ranks");
        return fail(ranks, 0, error);
    }
    error_set(&ranks->error, KITH_PEER, "rank %u of %u lost the others: %s", ranks->transport.rank,
              ranks->transport.size, what_failed);
    return fail(ranks, ranks->transport.rank, error);
}

/* A rank of another version may have operations that are not known here. */
static const char *operation_name(uint32_t operation)
{
    const size_t n_names = sizeof operation_names / sizeof *operation_names;
    return operation < n_names ? operation_names[operation] : "another step";
}

/* Every rank says what it is about to do and whether it is well; `error` has what is wrong with it.
 * KITH_OK if all are well. */
static kith_status agree(kith_ranks *ranks, uint32_t operation, uint64_t amount, kith_status status,
                         kith_error *error)
{
    if (ranks->failed)
        return fail(ranks, ranks->failed_rank, error);
    if (status == KITH_OK && ranks->stop != NULL && ranks->told_to_stop)
        status = error_set(error, KITH_CANCELLED, "stopped while waiting for other ranks");
    const announcement own = {operation, (uint32_t)status, amount};
    if (status != KITH_OK) {
        /* Texts alone are copied: what lies behind their ends is sent to the other ranks, too. */
        memset(&ranks->error, 0, sizeof ranks->error);
        error_set(&ranks->error, status, "%s",
                  error == NULL ? kith_status_name(status) : error->message);
        if (error != NULL && error->hint[0] != '\0')
            error_hint(&ranks->error, status, "%s", error->hint);
        ranks_watch(ranks, NULL,
                    NULL); /* a rank that was told to stop waits for all to end alike */
    }
    TRY(moved(ranks, ranks->transport.share(ranks->transport.user, &own, sizeof own, ranks->said),
              error));
    for (uint32_t r = 0; r < ranks->transport.size; r++)
        if (ranks->said[r].status != KITH_OK) { /* all ranks take its error */
            TRY(moved(ranks,
                      ranks->transport.broadcast(ranks->transport.user, r, &ranks->error,
                                                 sizeof ranks->error),
                      error));
            return fail(ranks, r, error);
        }
    /* Ranks in different operations, or with different amounts, are a bug; all ranks see it. */
    const announcement *first = &ranks->said[0];
    for (uint32_t r = 1; r < ranks->transport.size; r++) {
        const announcement *other = &ranks->said[r];
        if (other->operation == first->operation &&
            (other->amount == first->amount || first->operation == OPERATION_GATHER))
            continue;
        error_set(&ranks->error, KITH_BUG,
                  "ranks do not do the same: rank 0 is at %s of %llu, rank %u at %s of %llu",
                  operation_name(first->operation), (unsigned long long)first->amount, r,
                  operation_name(other->operation), (unsigned long long)other->amount);
        return fail(ranks, 0, error);
    }
    return KITH_OK;
}

kith_status ranks_sum(kith_ranks *ranks, uint64_t *values, size_t n, kith_error *error)
{
    if (ranks == NULL)
        return KITH_OK;
    TRY(agree(ranks, OPERATION_SUM, n, KITH_OK, error));
    ranks->n_sent_bytes += (uint64_t)(ranks->transport.size - 1) * n * sizeof *values;
    return n == 0 ? KITH_OK
                  : moved(ranks, ranks->transport.sum(ranks->transport.user, values, n), error);
}

/* Room for what the other ranks send. If one rank has none, all fail. */
static kith_status take_room(kith_ranks *ranks, ranks_bytes *parts, arena *memory,
                             kith_error *error)
{
    kith_status status = KITH_OK;
    for (uint32_t r = 0; r < ranks->transport.size; r++) {
        if (r == ranks->transport.rank)
            continue;
        parts[r].bytes = parts[r].n_bytes == 0 ? NULL : arena_alloc(memory, parts[r].n_bytes);
        if (parts[r].bytes == NULL && parts[r].n_bytes > 0)
            status = error_nomem(error);
    }
    return agree(ranks, OPERATION_MEMORY, 0, status, error);
}

kith_status ranks_gather(kith_ranks *ranks, const void *own, size_t n_bytes, ranks_bytes *all,
                         arena *memory, kith_error *error)
{
    const uint32_t self = ranks_self(ranks);
    /* The caller gets back what it has given; nothing here writes to it. */
    ranks_bytes mine = {.n_bytes = n_bytes};
    memcpy(&mine.bytes, &own, sizeof own);
    all[self] = mine;
    if (ranks == NULL)
        return KITH_OK;
    TRY(agree(ranks, OPERATION_GATHER, n_bytes, KITH_OK, error));
    for (uint32_t r = 0; r < ranks->transport.size; r++)
        all[r].n_bytes = (size_t)ranks->said[r].amount;
    TRY(take_room(ranks, all, memory, error));
    ranks->n_sent_bytes += (uint64_t)(ranks->transport.size - 1) * n_bytes;
    for (uint32_t r = 0; r < ranks->transport.size; r++)
        if (all[r].n_bytes > 0)
            TRY(moved(
                ranks,
                ranks->transport.broadcast(ranks->transport.user, r, all[r].bytes, all[r].n_bytes),
                error));
    return KITH_OK;
}

kith_status ranks_largest(kith_ranks *ranks, double *values, size_t n, arena *memory,
                          kith_error *error)
{
    const size_t n_bytes = n * sizeof *values;
    ranks_bytes *all = TRY_ARRAY(all, memory, ranks_count(ranks), error);
    TRY(ranks_gather(ranks, values, n_bytes, all, memory, error));
    for (uint32_t r = 0; r < ranks_count(ranks); r++)
        for (size_t i = 0; i < n; i++) {
            double one;
            memcpy(&one, (const char *)all[r].bytes + i * sizeof one, sizeof one);
            values[i] = one > values[i] ? one : values[i];
        }
    return KITH_OK;
}

kith_status ranks_exchange(kith_ranks *ranks, const ranks_bytes *out, ranks_bytes *in,
                           arena *memory, kith_error *error)
{
    if (ranks == NULL) {
        in[0] = out[0];
        return KITH_OK;
    }
    const uint32_t size = ranks->transport.size;
    TRY(agree(ranks, OPERATION_EXCHANGE, 0, KITH_OK, error));
    /* Every rank tells every other how many bytes will come. */
    for (uint32_t r = 0; r < size; r++) {
        ranks->sizes_out[r] = out[r].n_bytes;
        ranks->out[r] = &ranks->sizes_out[r];
        ranks->in[r] = &ranks->sizes_in[r];
        ranks->n_out[r] = ranks->n_in[r] = sizeof *ranks->sizes_out;
    }
    TRY(moved(ranks,
              ranks->transport.exchange(ranks->transport.user, ranks->out, ranks->n_out, ranks->in,
                                        ranks->n_in),
              error));
    for (uint32_t r = 0; r < size; r++)
        in[r].n_bytes = (size_t)ranks->sizes_in[r];
    in[ranks->transport.rank] = out[ranks->transport.rank];
    TRY(take_room(ranks, in, memory, error));
    for (uint32_t r = 0; r < size; r++) {
        ranks->out[r] = out[r].bytes;
        ranks->in[r] = in[r].bytes;
        ranks->n_out[r] = out[r].n_bytes;
        ranks->n_in[r] = in[r].n_bytes;
        ranks->n_sent_bytes += r == ranks->transport.rank ? 0 : out[r].n_bytes;
    }
    return moved(ranks,
                 ranks->transport.exchange(ranks->transport.user, ranks->out, ranks->n_out,
                                           ranks->in, ranks->n_in),
                 error);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool waits_no_longer(void *object)
{
    kith_ranks *ranks = object;
    if (!ranks->told_to_stop && ranks->stop(ranks->object)) {
        ranks->told_to_stop = true;
        ranks->told_ms = now_ms();
    }
    return ranks->told_to_stop && now_ms() - ranks->told_ms >= PATIENCE_MS;
}

void ranks_watch(kith_ranks *ranks, bool (*stop)(void *object), void *object)
{
    if (ranks == NULL)
        return;
    ranks->stop = stop;
    ranks->object = object;
    ranks->transport.watch(ranks->transport.user, stop == NULL ? NULL : waits_no_longer, ranks);
}

kith_status ranks_barrier(kith_ranks *ranks, kith_error *error)
{
    return ranks == NULL ? KITH_OK : agree(ranks, OPERATION_BARRIER, 0, KITH_OK, error);
}

kith_status ranks_leave(kith_ranks *ranks, kith_status status, kith_error *error)
{
    return ranks == NULL ? status : agree(ranks, OPERATION_LEAVE, 0, status, error);
}
