/* Ideal twins of the secure primitives, for tests only: the same arguments and the same outputs at
 * the same parties, by a trusted party that sees everything (here: everyone sends everything to
 * everyone and computes in the clear). Whatever is built on the primitives can be run on these. */
#ifndef SUPPORT_IDEAL_H
#define SUPPORT_IDEAL_H

#include "smc/compare/kth.h"
#include "smc/compare/lca.h"
#include "smc/sets/sets.h"
#include "smc/smc.h"
#include "smc/sets/mix_union.h"

/* In the clear: everyone's `bytes` of every party, in the order of parties. */
kith_status ideal_gather(party *p, void **all, const void *mine, size_t bytes,
                         kith_error *error) KITH_MUST_USE;

kith_status ideal_sum(party *p, uint64_t *sum, const uint64_t *value, size_t n, uint64_t modulus,
                      uint32_t receiver, kith_error *error) KITH_MUST_USE;
kith_status ideal_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error) KITH_MUST_USE;
kith_status ideal_dominates(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                            size_t n_groups, size_t size, uint32_t receiver,
                            kith_error *error) KITH_MUST_USE;
kith_status ideal_lca(party *p, uint32_t *out, const lca_query *query, const uint32_t *node,
                      size_t n, uint32_t receiver, kith_error *error) KITH_MUST_USE;
kith_status ideal_kth(party *p, int64_t *out, bool *found, const kth_query *query,
                      const kth_values *values, size_t n, kith_error *error) KITH_MUST_USE;
kith_status ideal_union(party *p, mix_union_rows *out, const mix_union_rows *mine,
                        mix_union_shape shape, kith_error *error) KITH_MUST_USE;
kith_status ideal_intersection(party *p, bool *common, const commute_key *key, size_t n,
                               kith_error *error) KITH_MUST_USE;

#endif
