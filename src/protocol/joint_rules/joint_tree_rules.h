/* What a set of records must be like to become a class of the joint tree, as one secret question;
 * or a part of distributed Mondrian (mondrian_conditions.h).
 *
 * Of every set that is asked about, each party counts its own records: in all, and by value of the
 * sensitive attributes that the models look at (a tally). The conditions on the sums of tallies are
 * combined inside the secure computation, so that one bit per set is opened:
 *   size           at least k records                                        (always)
 *   frequency      size - l x count >= 0 for every sensitive value (while a tree grows another
 *                  question is asked: joint_tree_possible.h); for which models
 *                  joint_tree_diversity.h says
 *   distinct       at least l of the counts are not zero
 *   l-site-diversity, sites: at least l parties have a record
 *   m-privacy      without the records of any one party at least `min_others` are left. This is
 *                  stricter than the model, which also lets all records of a class belong to one
 *                  party. With `other_values` they also have so many values of each sensitive
 *                  attribute that a model looks at. Values do not add up over parties: the question
 *                  is asked for each party that is left out; of two parties each knows its bit.
 * Size and m-privacy are one condition if k >= 2 min_others - 1, and always for two parties: no
 * party counts more than `cap` of its records, and the sum of what is counted must reach k. With
 * cap = k - min_others a party that reaches the cap leaves min_others to the others; if none does,
 * the others of each have more; two that do are enough, since 2 cap >= k. For k = 2 min_others - 1
 * the cap is k / 2, so that counts are in halves. Two parties with min_others each have
 * 2 min_others, so a smaller k may be raised to that. The condition costs no more than the size
 * alone.
 * l-site-diversity by attributes is kept before the tree is grown (joint_tree_steps.h).
 *
 * Where records belong to persons (problem.unit), a size counts persons at their home, and counts of
 * values count the persons who show them, guests included. Sizes are then never too large and counts
 * never too small, and conditions on sensitive values have two more, so that no value is certain of
 * anybody:
 *   everybody      for every value, some person does not show it: size - count >= 1
 *   certain        for every value, the records without it are at least as many as those of any one
 *                  person: records - records with it - most records of one person >= 0, for the most
 *                  of each site; if persons may be at several sites, for the sum of the most of all
 *   dominance      share x records - most records of one person >= 0, in the same two ways
 *   m-privacy      a site knows its guests, too: size - all persons of the site >= `min_others`
 * Persons of two sets do not add up, so tallies never do. None of these conditions is monotone. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_RULES_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_RULES_H

#include "core/check.h"
#include "protocol/joint_rules/joint_tree_diversity.h"
#include "protocol/joint_rules/joint_tree_score.h"
#include "protocol/rows.h"
#include "smc/compare/compare.h"

typedef enum joint_tree_kind {
    JOINT_TREE_SIZE,
    JOINT_TREE_OTHERS,       /* m-privacy, if it is not part of the size */
    JOINT_TREE_OTHER_VALUES, /* m-privacy: values of all parties but one, `without` */
    JOINT_TREE_BOTH_VALUES,  /* the same between two parties: each of them has enough */
    JOINT_TREE_SITES,
    JOINT_TREE_DISTINCT,
    JOINT_TREE_FREQUENCY,
    JOINT_TREE_EVERYBODY, /* persons: it is not certain that all of them show a value */
    JOINT_TREE_CERTAIN,   /* persons: nor that some record of one person does */
    JOINT_TREE_DOMINANCE  /* persons: no share of the records is too large */
} joint_tree_kind;

typedef struct joint_tree_condition {
    joint_tree_kind kind;
    const model_spec *model; /* that asks for it; NULL: size, m-privacy */
    uint32_t n_values;       /* of the sensitive attribute */
    uint32_t offset;         /* of their counts in a tally */
    uint32_t least;          /* sites or values */
    uint32_t without;        /* m-privacy, values: the party that is left out */
    joint_tree_diversity diversity;
} joint_tree_condition;

/* Invariants: the first condition is the size; blocks[i].size numbers of a question belong to
 * condition i, n_components in all. */
typedef struct joint_tree_rules {
    uint32_t n_parties, self;
    uint32_t k;
    uint32_t slack; /* blur: thresholds lie between k and k + slack */
    /* m-privacy: records that the parties other than any one have; 0: not asked for. */
    uint32_t min_others;
    uint32_t other_values; /* m-privacy: different values that they have; 0: not asked for */
    uint32_t unit;         /* a record counts as `unit`: 2 if caps are in halves, else 1 */
    unsigned char blur_key[16];
    bool by_persons; /* records belong to persons, who count */
    bool matched;    /* ... who may be at several sites, one of which is their home */
    /* Numbers of a tally: the size, then counts by sensitive value; then, of persons, what
     * joint_tree_rules_count_row says. */
    uint32_t n_counts, width;
    uint32_t *offsets; /* [n_sensitive] where the counts of each begin; 0: no model needs them */
    uint32_t n_conditions;
    joint_tree_condition *conditions; /* [n_conditions] */
    compare_block *blocks;            /* [n_conditions] */
    size_t n_components;
    bool
        monotone; /* a good set stays good whatever joins it, as far as a growing tree asks: not with
                    * diversity by frequency, dominance, nor with m-privacy and guests */
    /* Diversity by frequency: the strictest condition on each sensitive attribute that has one. */
    uint32_t n_frequencies;
    const joint_tree_condition **frequencies; /* [n_frequencies] */
    bool shares; /* splits must keep most records: with every diversity, unless `quiet` */
    bool lends;  /* ... or values lend records to the rest: with diversity by distinct values */
    joint_tree_draws draws; /* for this party's choices among its records */
    int64_t max_size;       /* public: no set has more records */
} joint_tree_rules;

/* KITH_INVALID for models that are not supported. Lives in `memory`. */
kith_status joint_tree_rules_init(joint_tree_rules *r, const rows_task *task, party *me,
                                  arena *memory, kith_error *error) KITH_MUST_USE;
/* KITH_INFEASIBLE: not even all records of all sites meet the conditions. */
kith_status joint_tree_rules_unmet(const joint_tree_rules *r, kith_error *error);
/* Wipes the keys of blur and of private choices. */
void joint_tree_rules_wipe(joint_tree_rules *r);

#if KITH_DEBUG
void joint_tree_rules_check(const joint_tree_rules *r);
#endif

/* The size, and m-privacy if it is a part of it: a party counts `unit` for each of its records, at
 * most `cap`, and over all parties that must reach `min_sum`. */
typedef struct joint_tree_size_rule {
    int64_t unit, cap, min_sum;
} joint_tree_size_rule;
/* For sets of at least `wanted` records. */
joint_tree_size_rule joint_tree_rules_size(const joint_tree_rules *r, int64_t wanted);
/* Diversity by frequency: the largest l of all attributes. */
double joint_tree_rules_l(const joint_tree_rules *r);
/* The rules without diversity by frequency, of which trimmed classes need not be asked. `left`
 * shares the rest with `r`; its conditions are in `memory`. */
kith_status joint_tree_rules_trimmed(joint_tree_rules *left, const joint_tree_rules *r,
                                     arena *memory, kith_error *error) KITH_MUST_USE;
/* Must leaves be asked again, because the questions of a growing tree know less than conditions on
 * persons do? */
static inline bool joint_tree_rules_asks_again(const joint_tree_rules *r)
{
    return r->by_persons && r->shares;
}
/* May whatever is left join any class? */
static inline bool joint_tree_rules_stays_good(const joint_tree_rules *r)
{
    return r->monotone && !joint_tree_rules_asks_again(r);
}
/* Is m-privacy asked for and a part of the size? */
bool joint_tree_rules_caps_counts(const joint_tree_rules *r);

/* Blur: what this party takes off its count of a set. */
uint32_t joint_tree_rules_blur(const joint_tree_rules *r, uint64_t name);

/* Adds a record to a tally: `width` counts, zero at the start. The records of one person must come
 * one after the other, and persons in the order of their numbers. */
void joint_tree_rules_count_row(const joint_tree_rules *r, const problem *p, uint32_t *tally,
                                uint32_t row);

/* How many records a tally has seen. */
uint32_t joint_tree_rules_records(const joint_tree_rules *r, const uint32_t *tally);

/* This party's numbers for a set with this tally, and their thresholds: n_components of each, the
 * size of at least `wanted` first. */
void joint_tree_rules_fill(const joint_tree_rules *r, int64_t *values, int64_t *min_values,
                           const uint32_t *tally, int64_t wanted, uint32_t blur);
/* A public bound for the sums of all parties, which the circuit needs; `min_size` is the largest
 * threshold of a size. */
int64_t joint_tree_rules_bound(const joint_tree_rules *r, int64_t min_size);

/* Sets to be asked about. Everything except the tallies is equal at all parties. */
typedef struct joint_tree_questions {
    size_t count;
    const uint32_t *tallies;   /* [count * width] */
    const uint64_t *names;     /* [count] of the sets, for blur; exact: not used */
    const uint32_t *min_sizes; /* [count] records asked for; NULL: k for all */
    bool exact;                /* no blur */
} joint_tree_questions;

/* bit i: set i may be a class. One secure call; `bits` is written at all parties. */
kith_status joint_tree_rules_ask(const joint_tree_rules *r, party *p, uint64_t *bits,
                                 const joint_tree_questions *q, kith_error *error) KITH_MUST_USE;
/* The same, but one party alone learns the answers. Always by compare: a party that sends rubbish
 * makes at_least say yes to everything. */
kith_status joint_tree_rules_ask_for(const joint_tree_rules *r, party *p, uint64_t *bits,
                                     const joint_tree_questions *q, uint32_t receiver,
                                     kith_error *error) KITH_MUST_USE;

#endif
