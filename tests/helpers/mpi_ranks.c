/* One rank under MPI: what ranks must do over every transport (support/ranks_trials.h). Silent if all is
 * well.
 *
 *   mpirun -n 4 mpi_ranks          all trials
 *   mpirun -n 2 mpi_ranks BYTES    one message of so many bytes from each rank to every other */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/ranks.h>

#include "core/run/ranks.h"
#include "support/ranks_trials.h"

static kith_ranks *join_ranks(void)
{
    kith_error error;
    kith_ranks *ranks;
    if (kith_ranks_open(&ranks, &error) == KITH_OK && ranks != NULL)
        return ranks;
    fprintf(stderr, "not joined: %s\n",
            ranks == NULL ? "no launcher, or no plugin" : error.message);
    exit(1);
}

static int run_trials(void)
{
    int n_failed = 0;
    for (const ranks_trial *t = ranks_trials; t->name != NULL; t++)
        for (uint32_t v = 0; v < t->n_variants; v++) {
            kith_ranks *ranks = join_ranks();
            const char *problem = t->run(ranks, v);
            if (problem != NULL)
                fprintf(stderr, "%s, variant %u, rank %u of %u: %s\n", t->name, v,
                        ranks_self(ranks), ranks_count(ranks), problem);
            n_failed += problem != NULL;
            kith_ranks_close(ranks);
        }
    return n_failed > 0;
}

/* The bytes of a message have the sender's number, the last one apart. */
static bool is_message(const ranks_bytes *got, size_t n_bytes, uint32_t from)
{
    const unsigned char *bytes = got->bytes;
    return got->n_bytes == n_bytes && bytes[n_bytes - 1] == 200 &&
           (n_bytes == 1 || (bytes[0] == from && memcmp(bytes, bytes + 1, n_bytes - 2) == 0));
}

static int run_large(size_t n_bytes)
{
    kith_ranks *ranks = join_ranks();
    const uint32_t size = ranks_count(ranks);
    arena *memory = arena_new();
    unsigned char *own = arena_alloc(memory, n_bytes);
    ranks_bytes *out = arena_zalloc(memory, size, sizeof *out);
    ranks_bytes *in = arena_zalloc(memory, size, sizeof *in);
    memset(own, (int)ranks_self(ranks), n_bytes);
    own[n_bytes - 1] = 200;
    for (uint32_t r = 0; r < size; r++)
        out[r] = (ranks_bytes){own, n_bytes};
    int failed = ranks_exchange(ranks, out, in, memory, NULL) != KITH_OK;
    for (uint32_t r = 0; r < size; r++)
        failed |= !is_message(&in[r], n_bytes, r);
    arena_free(memory);
    kith_ranks_close(ranks);
    if (failed)
        fprintf(stderr, "another message arrived\n");
    return failed;
}

int main(int argc, char **argv)
{
    return argc > 1 ? run_large(strtoull(argv[1], NULL, 10)) : run_trials();
}
