#include "core/run/crew.h"

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

/* How long a rank that is told to stop while it waits goes on waiting. Whoever stops a run mostly
 * stops all ranks: they come with that soon, and all end alike, which is better than an end by
 * MPI. A launcher that stops its ranks kills them a second later. */
enum { PATIENCE_MS = 500 };

struct kith_crew {
    crew_transport transport;
    bool (*stop)(void *object);
    void *object;
    bool told_to_stop; /* while it waited */
    uint64_t told_ms;
    arena *memory;
    announcement *said; /* [size] of the last agreement */
    /* Arrays for exchanges, [size] each. They are made with the crew: a rank that ran out of memory
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

static bool make_lists(crew *c)
{
    const uint32_t size = c->transport.size;
    c->said = arena_zalloc(c->memory, size, sizeof *c->said);
    c->out = arena_zalloc(c->memory, size, sizeof *c->out);
    c->in = arena_zalloc(c->memory, size, sizeof *c->in);
    c->n_out = arena_zalloc(c->memory, size, sizeof *c->n_out);
    c->n_in = arena_zalloc(c->memory, size, sizeof *c->n_in);
    c->sizes_out = arena_zalloc(c->memory, size, sizeof *c->sizes_out);
    c->sizes_in = arena_zalloc(c->memory, size, sizeof *c->sizes_in);
    return c->said != NULL && c->out != NULL && c->in != NULL && c->n_out != NULL &&
           c->n_in != NULL && c->sizes_out != NULL && c->sizes_in != NULL;
}

crew *crew_new(const crew_transport *transport)
{
    arena *memory = arena_new();
    crew *c = memory == NULL ? NULL : arena_zalloc(memory, 1, sizeof *c);
    if (c != NULL) {
        c->memory = memory;
        c->transport = *transport;
    }
    if (c == NULL || !make_lists(c)) {
        arena_free(memory);
        transport->close(transport->user, true);
        return NULL;
    }
    return c;
}

void crew_free(crew *c)
{
    if (c == NULL)
        return;
    c->transport.close(c->transport.user, c->broken);
    arena_free(c->memory);
}

uint32_t crew_rank(const crew *c)
{
    return c == NULL ? 0 : c->transport.rank;
}

uint32_t crew_size(const crew *c)
{
    return c == NULL ? 1 : c->transport.size;
}

bool crew_speaks(const crew *c)
{
    return crew_rank(c) == (c != NULL && c->failed ? c->failed_rank : 0);
}

uint64_t crew_n_sent_bytes(const crew *c)
{
    return c == NULL ? 0 : c->n_sent_bytes;
}

static kith_status fail(crew *c, uint32_t failed_rank, kith_error *error)
{
    c->failed = true;
    c->failed_rank = failed_rank;
    if (error != NULL)
        *error = c->error;
    return c->error.status;
}

/* The result of a function of the transport. */
static kith_status moved(crew *c, const char *what_failed, kith_error *error)
{
    if (what_failed == NULL)
        return KITH_OK;
    c->broken = true;
    /* Whoever stops one rank stops all, also those that work: the first one says so. */
    if (strcmp(what_failed, CREW_TRANSPORT_STOPPED) == 0) {
        error_set(&c->error, KITH_CANCELLED, "stopped while waiting for other ranks");
        return fail(c, 0, error);
    }
    error_set(&c->error, KITH_PEER, "rank %u of %u lost the others: %s", c->transport.rank,
              c->transport.size, what_failed);
    return fail(c, c->transport.rank, error);
}

/* A rank of another version may have operations that are not known here. */
static const char *operation_name(uint32_t operation)
{
    const size_t n_names = sizeof operation_names / sizeof *operation_names;
    return operation < n_names ? operation_names[operation] : "another step";
}

/* Every rank says what it is about to do and whether it is well; `error` has what is wrong with it.
 * KITH_OK if all are well. */
static kith_status agree(crew *c, uint32_t operation, uint64_t amount, kith_status status,
                         kith_error *error)
{
    if (c->failed)
        return fail(c, c->failed_rank, error);
    if (status == KITH_OK && c->stop != NULL && c->told_to_stop)
        status = error_set(error, KITH_CANCELLED, "stopped while waiting for other ranks");
    const announcement own = {operation, (uint32_t)status, amount};
    if (status != KITH_OK) {
        /* Texts alone are copied: what lies behind their ends is sent to the other ranks, too. */
        memset(&c->error, 0, sizeof c->error);
        error_set(&c->error, status, "%s",
                  error == NULL ? kith_status_name(status) : error->message);
        if (error != NULL && error->hint[0] != '\0')
            error_hint(&c->error, status, "%s", error->hint);
        crew_watch(c, NULL, NULL); /* a rank that was told to stop waits for all to end alike */
    }
    TRY(moved(c, c->transport.share(c->transport.user, &own, sizeof own, c->said), error));
    for (uint32_t r = 0; r < c->transport.size; r++)
        if (c->said[r].status != KITH_OK) { /* all ranks take its error */
            TRY(moved(c, c->transport.broadcast(c->transport.user, r, &c->error, sizeof c->error),
                      error));
            return fail(c, r, error);
        }
    /* Ranks in different operations, or with different amounts, are a bug; all ranks see it. */
    const announcement *first = &c->said[0];
    for (uint32_t r = 1; r < c->transport.size; r++) {
        const announcement *other = &c->said[r];
        if (other->operation == first->operation &&
            (other->amount == first->amount || first->operation == OPERATION_GATHER))
            continue;
        error_set(&c->error, KITH_BUG,
                  "ranks do not do the same: rank 0 is at %s of %llu, rank %u at %s of %llu",
                  operation_name(first->operation), (unsigned long long)first->amount, r,
                  operation_name(other->operation), (unsigned long long)other->amount);
        return fail(c, 0, error);
    }
    return KITH_OK;
}

kith_status crew_sum(crew *c, uint64_t *values, size_t n, kith_error *error)
{
    if (c == NULL)
        return KITH_OK;
    TRY(agree(c, OPERATION_SUM, n, KITH_OK, error));
    c->n_sent_bytes += (uint64_t)(c->transport.size - 1) * n * sizeof *values;
    return n == 0 ? KITH_OK : moved(c, c->transport.sum(c->transport.user, values, n), error);
}

/* Room for what the other ranks send. If one rank has none, all fail. */
static kith_status take_room(crew *c, crew_bytes *parts, arena *memory, kith_error *error)
{
    kith_status status = KITH_OK;
    for (uint32_t r = 0; r < c->transport.size; r++) {
        if (r == c->transport.rank)
            continue;
        parts[r].bytes = parts[r].n_bytes == 0 ? NULL : arena_alloc(memory, parts[r].n_bytes);
        if (parts[r].bytes == NULL && parts[r].n_bytes > 0)
            status = error_nomem(error);
    }
    return agree(c, OPERATION_MEMORY, 0, status, error);
}

kith_status crew_gather(crew *c, const void *own, size_t n_bytes, crew_bytes *all, arena *memory,
                        kith_error *error)
{
    const uint32_t self = crew_rank(c);
    /* The caller gets back what it has given; nothing here writes to it. */
    crew_bytes mine = {.n_bytes = n_bytes};
    memcpy(&mine.bytes, &own, sizeof own);
    all[self] = mine;
    if (c == NULL)
        return KITH_OK;
    TRY(agree(c, OPERATION_GATHER, n_bytes, KITH_OK, error));
    for (uint32_t r = 0; r < c->transport.size; r++)
        all[r].n_bytes = (size_t)c->said[r].amount;
    TRY(take_room(c, all, memory, error));
    c->n_sent_bytes += (uint64_t)(c->transport.size - 1) * n_bytes;
    for (uint32_t r = 0; r < c->transport.size; r++)
        if (all[r].n_bytes > 0)
            TRY(moved(c, c->transport.broadcast(c->transport.user, r, all[r].bytes, all[r].n_bytes),
                      error));
    return KITH_OK;
}

kith_status crew_largest(crew *c, double *values, size_t n, arena *memory, kith_error *error)
{
    const size_t n_bytes = n * sizeof *values;
    crew_bytes *all = TRY_ARRAY(all, memory, crew_size(c), error);
    TRY(crew_gather(c, values, n_bytes, all, memory, error));
    for (uint32_t r = 0; r < crew_size(c); r++)
        for (size_t i = 0; i < n; i++) {
            double one;
            memcpy(&one, (const char *)all[r].bytes + i * sizeof one, sizeof one);
            values[i] = one > values[i] ? one : values[i];
        }
    return KITH_OK;
}

kith_status crew_exchange(crew *c, const crew_bytes *out, crew_bytes *in, arena *memory,
                          kith_error *error)
{
    if (c == NULL) {
        in[0] = out[0];
        return KITH_OK;
    }
    const uint32_t size = c->transport.size;
    TRY(agree(c, OPERATION_EXCHANGE, 0, KITH_OK, error));
    /* Every rank tells every other how many bytes will come. */
    for (uint32_t r = 0; r < size; r++) {
        c->sizes_out[r] = out[r].n_bytes;
        c->out[r] = &c->sizes_out[r];
        c->in[r] = &c->sizes_in[r];
        c->n_out[r] = c->n_in[r] = sizeof *c->sizes_out;
    }
    TRY(moved(c, c->transport.exchange(c->transport.user, c->out, c->n_out, c->in, c->n_in),
              error));
    for (uint32_t r = 0; r < size; r++)
        in[r].n_bytes = (size_t)c->sizes_in[r];
    in[c->transport.rank] = out[c->transport.rank];
    TRY(take_room(c, in, memory, error));
    for (uint32_t r = 0; r < size; r++) {
        c->out[r] = out[r].bytes;
        c->in[r] = in[r].bytes;
        c->n_out[r] = out[r].n_bytes;
        c->n_in[r] = in[r].n_bytes;
        c->n_sent_bytes += r == c->transport.rank ? 0 : out[r].n_bytes;
    }
    return moved(c, c->transport.exchange(c->transport.user, c->out, c->n_out, c->in, c->n_in),
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
    crew *c = object;
    if (!c->told_to_stop && c->stop(c->object)) {
        c->told_to_stop = true;
        c->told_ms = now_ms();
    }
    return c->told_to_stop && now_ms() - c->told_ms >= PATIENCE_MS;
}

void crew_watch(crew *c, bool (*stop)(void *object), void *object)
{
    if (c == NULL)
        return;
    c->stop = stop;
    c->object = object;
    c->transport.watch(c->transport.user, stop == NULL ? NULL : waits_no_longer, c);
}

kith_status crew_barrier(crew *c, kith_error *error)
{
    return c == NULL ? KITH_OK : agree(c, OPERATION_BARRIER, 0, KITH_OK, error);
}

kith_status crew_leave(crew *c, kith_status status, kith_error *error)
{
    return c == NULL ? status : agree(c, OPERATION_LEAVE, 0, status, error);
}
