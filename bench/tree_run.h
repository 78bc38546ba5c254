/* One run of the joint tree with all sites in this process: its figures, and what is learned. */
#ifndef BENCH_TREE_RUN_H
#define BENCH_TREE_RUN_H

#include "core/arena.h"
#include "protocol/options.h"
#include "search/problem.h"

/* What bench_tree is asked for; its usage explains the words. */
typedef struct tree_wishes {
    bool adult, large, delay, models, diversity, audit, generated, quiet, specialised;
    uint32_t m, k, n_records, reweave, others, first, by, party, only;
    const char *directory;
} tree_wishes;

/* Ends the program with a message unless the status is KITH_OK. */
void tree_run_stop_on(kith_status status, const kith_error *error);

/* Which site has each record. */
uint32_t *tree_run_sites(const problem *p, const tree_wishes *w, arena *memory);

/* Runs, prints the figures, and with `audit` what can be deduced from the opened bits. Returns the
 * loss. */
double tree_run(const problem *p, const tree_wishes *w, const protocol_options *options,
                bool audit);

#endif
