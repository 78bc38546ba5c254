/* One rank of a crew by MPI: what every crew must do (support/crew_trials.h). Silent if all is
 * well.
 *
 *   mpirun -n 4 crew_ranks          all trials
 *   mpirun -n 2 crew_ranks BYTES    one message of so many bytes from each rank to every other */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/crew.h>

#include "core/run/crew.h"
#include "support/crew_trials.h"

static kith_crew *open_crew(void)
{
    kith_error error;
    kith_crew *c;
    if (kith_crew_open(&c, &error) == KITH_OK && c != NULL)
        return c;
    fprintf(stderr, "no crew: %s\n", c == NULL ? "no launcher, or no plugin" : error.message);
    exit(1);
}

static int run_trials(void)
{
    int n_failed = 0;
    for (const crew_trial *t = crew_trials; t->name != NULL; t++)
        for (uint32_t v = 0; v < t->n_variants; v++) {
            kith_crew *c = open_crew();
            const char *problem = t->run(c, v);
            if (problem != NULL)
                fprintf(stderr, "%s, variant %u, rank %u of %u: %s\n", t->name, v, crew_rank(c),
                        crew_size(c), problem);
            n_failed += problem != NULL;
            kith_crew_close(c);
        }
    return n_failed > 0;
}

/* The bytes of a message have the sender's number, the last one apart. */
static bool is_message(const crew_bytes *got, size_t n_bytes, uint32_t from)
{
    const unsigned char *bytes = got->bytes;
    return got->n_bytes == n_bytes && bytes[n_bytes - 1] == 200 &&
           (n_bytes == 1 || (bytes[0] == from && memcmp(bytes, bytes + 1, n_bytes - 2) == 0));
}

static int run_large(size_t n_bytes)
{
    kith_crew *c = open_crew();
    const uint32_t size = crew_size(c);
    arena *memory = arena_new();
    unsigned char *own = arena_alloc(memory, n_bytes);
    crew_bytes *out = arena_zalloc(memory, size, sizeof *out);
    crew_bytes *in = arena_zalloc(memory, size, sizeof *in);
    memset(own, (int)crew_rank(c), n_bytes);
    own[n_bytes - 1] = 200;
    for (uint32_t r = 0; r < size; r++)
        out[r] = (crew_bytes){own, n_bytes};
    int failed = crew_exchange(c, out, in, memory, NULL) != KITH_OK;
    for (uint32_t r = 0; r < size; r++)
        failed |= !is_message(&in[r], n_bytes, r);
    arena_free(memory);
    kith_crew_close(c);
    if (failed)
        fprintf(stderr, "another message arrived\n");
    return failed;
}

int main(int argc, char **argv)
{
    return argc > 1 ? run_large(strtoull(argv[1], NULL, 10)) : run_trials();
}
