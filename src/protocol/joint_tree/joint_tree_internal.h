/* Inside the joint tree: the state that its files share, by how long it lives.
 *
 *   joint_tree         the run: the setting, then the leaves and the pool so far
 *   joint_tree_growth  one call of joint_tree_grow: trees that grow side by side
 *   joint_tree_set     from the split that makes the set to the one that ends it
 *   joint_tree_batch   one secure call: the next questions of all open sets
 *
 * Everything public (sets, names, slots, live values, closures) is equal at all parties; rows and
 * tallies are each party's own. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_INTERNAL_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_INTERNAL_H

#include "core/check.h"
#include "core/run/context.h"
#include "protocol/joint_tree/joint_tree.h"
#include "protocol/joint_tree/joint_tree_grow.h"
#include "protocol/joint_rules/joint_tree_possible.h"
#include "protocol/joint_rules/joint_tree_rules.h"
#include "protocol/joint_rules/joint_tree_score.h"

#define JOINT_TREE_NONE UINT32_MAX

/* --- the run --- */

/* The sets that became classes, in the order of trees, then from the first child to the last. */
typedef struct joint_tree_leaves {
    uint32_t count, room;
    uint32_t *class_of; /* [n_records] leaf of each row of this party, or JOINT_TREE_NONE */
    uint32_t *closures; /* [count * n_attributes] nodes that cover the records of each leaf */
    uint32_t *areas;    /* [count] area of the root that each leaf comes from */
    uint64_t *names;    /* [count] of the sets */
    /* From this leaf on, closures are upper bounds, since records may agree on more than the
     * predicate of their leaf says: in the last tree, whose small rests join a value, and
     * everywhere if leaves are trimmed (diversity by frequency). */
    uint32_t loose_from;
} joint_tree_leaves;

/* This party's rows that trees have ejected. */
typedef struct joint_tree_pool {
    uint32_t *rows; /* [n_records] of room */
    uint32_t count;
    bool known_empty; /* all parties know that no pool holds a row: the last tree ejects nothing */
} joint_tree_pool;

/* Reweaving grows its areas in a copy that has leaves and a pool of its own.
 *
 * Invariants, between two trees: a row is in the pool or in one leaf; the closure of a leaf covers
 * its rows; live values ascend. */
typedef struct joint_tree {
    /* Fixed before the first tree grows. */
    const problem *problem;
    const joint_tree_rules *rules;
    party *party;
    context *context;
    arena *memory;
    uint64_t coins; /* public */
    bool quiet;     /* only the slots that split a set are shown */
    const joint_tree_recorder *recorder;
    const uint32_t **cells; /* [n_attributes] this party's cells, raised where sites are too few */
    uint8_t **forbidden;    /* [n_attributes][n_nodes] or NULL: nodes that are never asked about */
    double **worth; /* [n_attributes][n_nodes] what the slot below a node saves; < 0: no slot */
    /* Fixed by the answers about the first root. */
    uint32_t **live_values;  /* [n_attributes] values that are live among all records */
    uint32_t *n_live_values; /* [n_attributes] */
    /* The result so far. */
    joint_tree_leaves leaves;
    joint_tree_pool pool;
    uint64_t n_questions, n_batches;
} joint_tree;

#if KITH_DEBUG
void joint_tree_check(const joint_tree *j);
#endif

static inline uint32_t *joint_tree_closure(const joint_tree *j, uint32_t leaf)
{
    ASSERT(leaf < j->leaves.count);
    return j->leaves.closures + (size_t)leaf * j->problem->n_attributes;
}
/* Adds one of this party's rows to a tally (joint_tree_rules.h). */
static inline void joint_tree_count_row(const joint_tree *j, uint32_t *tally, uint32_t row)
{
    joint_tree_rules_count_row(j->rules, j->problem, tally, row);
}
/* Tells the recorder, if there is one. */
static inline void joint_tree_record(const joint_tree *j, joint_tree_opened what)
{
    if (j->recorder != NULL)
        j->recorder->opened(j->recorder->user, &what);
}

/* --- one set --- */

/* What a set offers in one attribute: the children of the node on which its records agree. */
typedef struct joint_tree_slot {
    uint32_t node;          /* covers all records except those that joined as a small rest */
    uint32_t bound;         /* covers those, too: the node or an ancestor */
    const uint32_t *values; /* children to be asked about; after phase A: those that are live */
    uint32_t n_values;
    bool closed; /* for this set and all below it: no value is live */
    bool known;  /* `values` are those that are live; quiet: of slots that are shown only */
    bool big;    /* phase B: the other records together may be a class */
    bool narrow; /* phase B: they may not, and are too many to be lost: not used in this set */
    bool lent;   /* phase L: values lend records to the others; then these are big */
    uint32_t loan;
} joint_tree_slot;

typedef enum joint_tree_phase {
    JOINT_TREE_PHASE_VALUES,  /* A */
    JOINT_TREE_PHASE_RESTS,   /* B */
    JOINT_TREE_PHASE_SINGLES, /* C */
    JOINT_TREE_PHASE_CHOICE,  /* A and B, quiet: all but the first root begin with it */
    JOINT_TREE_PHASE_LOANS,   /* L: after B, with diversity by distinct values */
    JOINT_TREE_N_PHASES
} joint_tree_phase;

/* A set that has questions. */
typedef struct joint_tree_set {
    uint32_t id; /* of its result node */
    uint64_t name;
    joint_tree_phase phase;
    uint32_t first, size;   /* this party's records: rows[first …] of the growth */
    joint_tree_slot *slots; /* [n_attributes] */
    size_t question;        /* number of its first question in the call under way */
    uint32_t *rests;        /* phase B: [n_attributes * width] tallies, in `rest_memory` */
    uint32_t best;          /* phase C: attribute of the slot that splits it if the answer is no */
} joint_tree_set;

/* One live value and a small rest: phase C may settle several such slots at once. */
static inline bool joint_tree_slot_is_single(const joint_tree_slot *slot)
{
    return !slot->closed && slot->known && slot->n_values == 1 && !slot->big && !slot->narrow;
}

/* --- one call of joint_tree_grow --- */

typedef struct joint_tree_set_list {
    joint_tree_set *sets;
    size_t count, room;
} joint_tree_set_list;

/* A node of the finished shape; the children of a node follow each other. */
typedef struct joint_tree_result_node {
    uint32_t child, children;
    uint32_t first, size; /* of a leaf: its rows */
    uint32_t *closure;    /* of a leaf, else NULL */
    uint64_t name;        /* of a leaf */
} joint_tree_result_node;

typedef struct joint_tree_result {
    joint_tree_result_node *nodes; /* the roots come first */
    uint32_t count, room;
} joint_tree_result;

/* The questions of one secure call. The arrays are used again by the next one. */
typedef struct joint_tree_batch {
    size_t count, room;
    uint32_t *tallies;       /* [count * width] */
    uint64_t *names;         /* [count] */
    joint_tree_loss *losses; /* [count] none, unless a phase says otherwise */
    uint64_t *bits;          /* the answers, packed */
    uint64_t *spared;        /* of rests that do not fit: may they be lost? */
    size_t bit_room;
} joint_tree_batch;

/* What the circuit of one step is about: for every set in phase LOANS, every slot that may borrow
 * and every loan, the values without what they lend, then the rest with it. */
typedef struct joint_tree_loans {
    size_t count, room;
    uint32_t *tallies; /* [count * width] */
    size_t n_slots, slot_room;
    uint32_t *n_values; /* [n_slots] */
    uint64_t *opened;   /* packed: bit i * JOINT_TREE_LOANS + loan: the first that fits */
    size_t opened_room, n_read;
} joint_tree_loans;

/* What the circuits of one step are about: for every set in phase CHOICE and every slot of it the
 * values, then the records that have none of these. */
typedef struct joint_tree_choices {
    size_t count, room;
    uint32_t *tallies; /* [count * width] */
    size_t n_opened;   /* bits: of every slot chosen?, shown?, big?, then its values */
    uint64_t *opened;  /* packed */
    size_t opened_room, n_read;
} joint_tree_choices;

/* Invariant, between two steps: `positions` is zero. */
typedef struct joint_tree_growth {
    joint_tree *tree;
    arena *memory;
    joint_tree_roots roots;
    bool at_first_root; /* the sets of this call are the first root of the run */
    joint_tree_result result;
    joint_tree_set_list open, next; /* sets of this call and of the next one */
    joint_tree_batch batch;
    joint_tree_choices choices;
    joint_tree_loans loans;
    arena *rest_memory; /* tallies that phase A leaves to phase B: from one call to the next */
    /* Scratch. */
    uint32_t *sorted, *buckets; /* [n_rows] */
    uint32_t *positions;        /* [n_nodes of the largest hierarchy]: place of a value, plus 1 */
} joint_tree_growth;

/* Has the set an open slot in this attribute? */
static inline bool joint_tree_has_slot(const joint_tree_growth *g, const joint_tree_set *set,
                                       uint32_t a)
{
    return !set->slots[a].closed && g->tree->worth[a][set->slots[a].node] >= 0;
}

/* Child of `node` that covers the cell; JOINT_TREE_NONE if the cell does not lie below the node. */
static inline uint32_t joint_tree_child(const tree *t, uint32_t node, uint32_t cell)
{
    if (t->level[cell] >= t->level[node])
        return JOINT_TREE_NONE;
    uint32_t child = tree_up(t, t->first[cell], t->level[node] - 1u);
    return t->parent[child] == node ? child : JOINT_TREE_NONE;
}

/* --- joint_tree_batch.c --- */

/* Adds n questions. The caller writes names and tallies, which are zero, before the next call. */
kith_status joint_tree_batch_add(joint_tree_growth *g, size_t n, uint32_t **tallies,
                                 uint64_t **names, kith_error *error) KITH_MUST_USE;
/* Opens the answers to all questions of the batch: one secure call. */
kith_status joint_tree_batch_open(joint_tree_growth *g, kith_error *error) KITH_MUST_USE;
/* The answer to question i of a set. */
bool joint_tree_batch_answer(const joint_tree_growth *g, const joint_tree_set *set, size_t i);
/* Tells the recorder of an answer about the part of a set with this name. */
void joint_tree_batch_record(const joint_tree_growth *g, const joint_tree_set *set, uint64_t name,
                             joint_tree_event event, uint32_t a, uint32_t node, bool bit);

/* --- the phases: joint_tree_values.c (A), joint_tree_rests.c (B), joint_tree_singles.c (C),
 * joint_tree_loans.c (L),
 * joint_tree_choice.c (A and B in one, quiet) --- */

/* Each phase adds its questions about a set to the batch, and then acts on the answers: the set
 * enters the next phase, is split, or becomes a leaf. */
typedef kith_status joint_tree_phase_step(joint_tree_growth *g, joint_tree_set *set,
                                          kith_error *error);
joint_tree_phase_step joint_tree_values_ask, joint_tree_values_answered;
joint_tree_phase_step joint_tree_rests_ask, joint_tree_rests_answered;
joint_tree_phase_step joint_tree_singles_ask, joint_tree_singles_answered;
joint_tree_phase_step joint_tree_choice_ask, joint_tree_choice_answered;
joint_tree_phase_step joint_tree_loans_ask, joint_tree_loans_answered;

/* joint_tree_rests.c: splits a set whose answers are known, enters phase C, or makes it a leaf. */
kith_status joint_tree_rests_decide(joint_tree_growth *g, joint_tree_set *set,
                                    kith_error *error) KITH_MUST_USE;
/* May the slot borrow? */
static inline bool joint_tree_may_borrow(const joint_tree_growth *g, const joint_tree_set *set,
                                         uint32_t a)
{
    return g->tree->rules->lends && joint_tree_has_slot(g, set, a) && set->slots[a].narrow;
}
/* What this party draws for a row of the set that a slot may lend. */
static inline uint64_t joint_tree_loans_draw(const joint_tree_growth *g, const joint_tree_set *set,
                                             uint32_t a, uint32_t row)
{
    return joint_tree_score_draw(&g->tree->rules->draws,
                                 joint_tree_score_part_name(set->name, a, JOINT_TREE_REST), row);
}
/* Opens which loans fit: one secure call. */
kith_status joint_tree_loans_open(joint_tree_growth *g, kith_error *error) KITH_MUST_USE;

/* Counts this party's records of the set by value of one slot; tallies are zero before. */
void joint_tree_values_count(joint_tree_growth *g, const joint_tree_set *set, uint32_t a,
                             uint32_t *tallies);
/* Opens what is shown of all open sets in phase CHOICE: one secure call, or some if they are many.
 */
kith_status joint_tree_choice_open(joint_tree_growth *g, kith_error *error) KITH_MUST_USE;

/* --- joint_tree_split.c --- */

/* Splits a set on the slot of one attribute, whose live values and rest are known. */
kith_status joint_tree_split(joint_tree_growth *g, const joint_tree_set *set, uint32_t best,
                             kith_error *error) KITH_MUST_USE;
/* Makes the set a leaf. */
kith_status joint_tree_split_leaf(joint_tree_growth *g, const joint_tree_set *set,
                                  kith_error *error) KITH_MUST_USE;
/* Lets a set take part in the next call. */
kith_status joint_tree_split_later(joint_tree_growth *g, const joint_tree_set *set,
                                   kith_error *error) KITH_MUST_USE;
/* A new set: takes part in the next call, or is a leaf at once if it has nothing to ask. Closes
 * slots without values. */
kith_status joint_tree_split_begin(joint_tree_growth *g, joint_tree_set *set,
                                   kith_error *error) KITH_MUST_USE;
/* Slot of attribute a: all children of the node that may be asked about. */
kith_status joint_tree_split_ask_children(joint_tree_growth *g, joint_tree_slot *slot, uint32_t a,
                                          kith_error *error) KITH_MUST_USE;
/* Result nodes for n children of a set. */
kith_status joint_tree_split_add_children(joint_tree_growth *g, const joint_tree_set *set,
                                          uint32_t n, kith_error *error) KITH_MUST_USE;
/* A part of a set, so far without rows and with the same slots; then, for each attribute in which
 * the part has a value of its own: descends to it. */
kith_status joint_tree_split_part(joint_tree_growth *g, joint_tree_set *part,
                                  const joint_tree_set *set, uint32_t id,
                                  kith_error *error) KITH_MUST_USE;
kith_status joint_tree_split_descend(joint_tree_growth *g, joint_tree_set *part, uint32_t a,
                                     uint32_t value, kith_error *error) KITH_MUST_USE;
/* Sorts the rows of a set by g->buckets, keeping their order; those of bucket b are then
 * rows[start[b]] … rows[start[b + 1] - 1]. */
void joint_tree_split_sort(joint_tree_growth *g, const joint_tree_set *set, uint32_t *start,
                           uint32_t n_buckets);
/* Moves rows[first] … rows[end - 1] to the pool. */
void joint_tree_split_eject(joint_tree_growth *g, uint32_t first, uint32_t end);

#endif
