/* Steps that joint runs on rows and on columns share once the classes are known. */
#ifndef JOB_JOINT_JOINT_RELEASE_H
#define JOB_JOINT_JOINT_RELEASE_H

#include "search/problem.h"
#include "wire/party.h"

/* A random order of the released rows, the same at all parties, so that all write the same release.
 * Party 0 draws it: the order hides nothing from the parties, only from those who get the
 * release. */
kith_status joint_release_order(uint32_t *order, uint64_t count, party *p, arena *memory,
                                kith_error *error) KITH_MUST_USE;

/* Sums over all records and this party's attributes, computed from closures alone: loss by lm, and
 * loss by the study's measure, weighted. Nothing that a measure subtracts for the original value of
 * a record is known here. */
typedef struct joint_release_loss {
    double lm, weighted;
} joint_release_loss;
joint_release_loss joint_release_sum_loss(const problem *mine, uint32_t n_classes,
                                          const uint32_t *closure, const uint64_t *size);

/* True if closures and class sizes are enough to tell the measure. Entropy and mutual information
 * also depend on how the original values are distributed within the classes. */
bool joint_release_loss_known(measure_id measure);

#endif
