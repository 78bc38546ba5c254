/* Steps that joint runs on rows and on columns share once the classes are known. */
#ifndef JOB_JOINT_JOINT_RELEASE_H
#define JOB_JOINT_JOINT_RELEASE_H

#include "search/problem.h"
#include "table/table.h"
#include "wire/party.h"

/* Sorts the rows of a release by their cells (table_order.h). */
kith_status joint_release_sort(kith_table *release, kith_error *error) KITH_MUST_USE;

/* Makes a release while the party shows that it lives: `build` does, in an arena that the table
 * then owns, and with another one for scratch; the rows are sorted. If it fails, *out is NULL. */
typedef kith_status joint_release_builder(const void *user, kith_table **out, arena *memory,
                                          arena *scratch, kith_error *error);
kith_status joint_release_build(kith_table **out, party *p, joint_release_builder *build,
                                const void *user, kith_error *error) KITH_MUST_USE;

/* Sums over all records and this party's attributes, computed from closures alone: loss by lm, and
 * loss by the study's measure, weighted. Nothing that a measure subtracts for the original value of
 * a record is known here. */
typedef struct joint_release_loss {
    double lm, weighted;
} joint_release_loss;
joint_release_loss joint_release_sum_loss(const problem *mine, uint32_t n_classes,
                                          const uint32_t *closure, const uint64_t *size);

/* The same, lm first, as integers modulo 2^64 that parties can add up; returns the units in 1,
 * which depend on the number of records alone. The cost of each cell is rounded by itself, so that
 * the sum does not depend on who has which columns. It is exact to 2^-44 times the number of
 * records. */
double joint_release_loss_units(uint64_t sums[2], const problem *mine, uint32_t n_classes,
                                const uint32_t *closure, const uint64_t *size);

/* True if closures and class sizes are enough to tell the measure. Entropy and mutual information
 * also depend on how the original values are distributed within the classes. */
bool joint_release_loss_known(measure_id measure);

#endif
