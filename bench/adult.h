/* The two Adult tables of the benchmarks as problems, read straight from their files: the UCI form
 * (45,222 records without missing values, 14 attributes, suppression only) and the ARX form (30,162
 * records, 8 attributes with hierarchies). */
#ifndef BENCH_ADULT_H
#define BENCH_ADULT_H

#include "core/arena.h"
#include "search/problem.h"

/* `directory` holds adult-uci/ and adult-arx/. The problem has the measure's costs, k-anonymity as
 * its only model, and one secret (UCI: classification, ARX: occupation). Both end the program with
 * a message if a file cannot be read. */
problem *adult_uci(arena *memory, const char *directory, measure_id measure, uint32_t k);
problem *adult_arx(arena *memory, const char *directory, measure_id measure, uint32_t k);

/* Asks for another k, and with l > 0 for diversity of the secret. */
void adult_ask(problem *p, uint32_t k, double l, arena *memory);

/* Records of a table drawn at random, without sensitive values; each cell comes from another record
 * with probability 1/5. */
problem *adult_enlarge(const problem *p, uint32_t n_records, arena *memory);

#endif
