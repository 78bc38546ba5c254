/* The rules of the joint tree (joint_tree_rules.h) as a part of a circuit, in their monotone form:
 * if some records of a set could be a class, the set fits. Only diversity by frequency makes this
 * differ from "may the set be a class?".
 *
 * Diversity by frequency: with T0 = ceil(k / l) and C_s records of value s, k or more of the
 * records are diverse if, and only if, sum_s min(C_s, T0) >= l T0 or sum_s min(C_s, T0 - 1) >= k.
 * From JOINT_TREE_LEAN_FROM on the diverse part must also be a fair part of the set, with L =
 * ceil(l): sum_s min(JOINT_TREE_LEAN_PART x L x C_s, n) >= L n. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_FIT_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_FIT_H

#include "protocol/joint_rules/joint_tree_rules.h"
#include "smc/circuit.h"

/* A circuit under construction. What a party has of a set is told by n_bits bits: what it counts of
 * its records, at most `cap`; if a model looks at distinct values, for every sensitive value
 * whether it occurs; with diversity by frequency, for every value its count, cut at T0, and with
 * `lean` its count. */
typedef struct joint_tree_fit {
    const joint_tree_rules *rules;
    circuit *circuit;
    arena *memory;
    joint_tree_size_rule size;
    uint32_t width;     /* bits of a count */
    uint32_t n_occurs;  /* bits of what occurs */
    uint32_t cut;       /* T0, or 0: no diversity by frequency */
    uint32_t cut_width; /* its bits */
    uint32_t wide;      /* bits of a count that is not cut; 0: not needed */
    uint32_t n_bits;    /* of one party and set */
} joint_tree_fit;

/* A set in the circuit. */
typedef struct joint_tree_fit_set {
    circuit_wire *counts; /* [parties * width] */
    circuit_wire *occurs; /* [n_occurs] at any party */
    size_t first;         /* its first input bit; sums of sets have no counts by value */
} joint_tree_fit_set;

/* Everything but the circuit, which needs the number of inputs. */
joint_tree_fit joint_tree_fit_new(const joint_tree_rules *r, arena *memory);
/* This party's bits of a set, from bit `first` on; they are zero before. `blur` is taken off its
 * count of records. */
void joint_tree_fit_write(const joint_tree_fit *f, uint64_t *bits, size_t first,
                          const uint32_t *tally, uint32_t blur);
/* The set whose bits are inputs from `first` on. */
kith_status joint_tree_fit_read(const joint_tree_fit *f, joint_tree_fit_set *set, size_t first,
                                kith_error *error) KITH_MUST_USE;
/* The records of `others` and of those of n sets that are kept: keep[i] is a wire. */
kith_status joint_tree_fit_unite(const joint_tree_fit *f, joint_tree_fit_set *sum,
                                 const joint_tree_fit_set *others, const joint_tree_fit_set *sets,
                                 const circuit_wire *keep, uint32_t n,
                                 kith_error *error) KITH_MUST_USE;
/* Could some records of the set be a class? */
kith_status joint_tree_fit_ask(const joint_tree_fit *f, circuit_wire *fits,
                               const joint_tree_fit_set *set, kith_error *error) KITH_MUST_USE;

#endif
