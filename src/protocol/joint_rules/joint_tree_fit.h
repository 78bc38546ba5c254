/* The rules of the joint tree (joint_tree_rules.h) as a part of a circuit, in their monotone form:
 * if some records of a set could be a class, the set fits. Only diversity by frequency makes this
 * differ from "may the set be a class?"; where persons count, also that conditions on them are left
 * out, and guests in m-privacy: leaves are asked again.
 * How that is asked, joint_tree_fit_frequency.h says. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_FIT_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_FIT_H

#include "protocol/joint_rules/joint_tree_rules.h"
#include "smc/circuits/circuit.h"

/* A circuit under construction. What a party has of a set is told by n_bits bits: what it counts of
 * its records, at most `cap`; if a model looks at distinct values, for every sensitive value
 * whether it occurs; with diversity by frequency, counts of every value. */
typedef struct joint_tree_fit {
    const joint_tree_rules *rules;
    circuit *circuit;
    arena *memory;
    joint_tree_size_rule size;
    uint32_t width;       /* bits of a count */
    uint32_t n_occurs;    /* bits of what occurs */
    bool anywhere;        /* diversity by distinct values: it matters whether a value occurs */
    bool by_party;        /* m-privacy by values: it matters at which party a value occurs */
    uint32_t first_count; /* where the counts of values begin */
    uint32_t n_bits;      /* of one party and set */
} joint_tree_fit;

/* A set in the circuit. */
typedef struct joint_tree_fit_set {
    circuit_wire *counts; /* [parties * width] */
    circuit_wire *occurs; /* [n_occurs] at any party; only `anywhere` */
    circuit_wire *held;   /* [parties * n_occurs] at each party; only `by_party` */
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
/* Do n numbers of 0 … max reach `min` together? */
kith_status joint_tree_fit_sum_reaches(const joint_tree_fit *f, circuit_wire *reaches,
                                       const circuit_wire *numbers, size_t n, int64_t max,
                                       uint64_t min, kith_error *error) KITH_MUST_USE;

#endif
