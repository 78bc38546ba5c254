/* SDC Figure 7, right, and Figure 6: calls of the secure sum and passes of clustering over columns
 * on the first n records of Adult (45,222 x 14, suppression, lm, finish merge), for the paper's one
 * record at a time and for the default blocks. All columns are in one place and the sums are
 * counted: how many sites there are does not matter. Prints lines of tabs.
 *
 * usage: sdc_vertical DIRECTORY      (holds adult-uci/) */
/* needs: clustering */
#include <stdio.h>
#include <stdlib.h>

#include "../adult.h"
#include "core/run/context.h"
#include "protocol/columns/columns_sequential.h"

static kith_status count(void *user, columns_topic topic, int64_t *value, size_t n,
                         kith_error *error)
{
    (void)topic, (void)value, (void)n, (void)error;
    ++*(uint64_t *)user;
    return KITH_OK;
}

static void run(const problem *p, uint32_t block)
{
    context c;
    kith_error error;
    columns_sequential_result r;
    uint64_t n_calls = 0;
    kith_run one = KITH_OPTIONS(kith_run, .n_threads = 1);
    columns_link link = {.user = &n_calls, .sum = count};
    search_spec spec = {.finish = FINISH_MERGE, .block = block};
    if (context_init(&c, &one, &error) != KITH_OK ||
        columns_sequential_run(&r, p, &spec, &link, 1, &c, &error) != KITH_OK) {
        fprintf(stderr, "sdc_vertical: %s\n", error.message);
        exit(1);
    }
    printf("\t%u\t%llu\t%.4f", r.n_passes, (unsigned long long)n_calls,
           partition_cost(&r.partition, p) / p->n_records / p->n_attributes);
    fflush(stdout);
    context_wipe(&c);
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {10000, 20000, 30000, 40000}, ks[] = {50, 100};
    if (argc < 2) {
        fputs("usage: sdc_vertical DIRECTORY\n", stderr);
        return 2;
    }
    arena *memory = arena_new();
    problem *p = adult_uci(memory, argv[1], MEASURE_LM, 100);
    puts("k\tn\tpasses\tcalls\tlm\tpasses, blocks\tcalls, blocks\tlm, blocks");
    for (int k = 0; k < 2; k++) {
        adult_ask(p, ks[k], 0, memory);
        for (int n = 0; n < 4; n++) {
            p->n_records = sizes[n];
            printf("%u\t%u", ks[k], sizes[n]);
            run(p, 1);
            run(p, 0);
            puts("");
        }
    }
    arena_free(memory);
    return 0;
}
