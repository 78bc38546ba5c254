/* Shared by the files of distributed Mondrian: parts, their candidates, and the run. */
#ifndef PROTOCOL_MONDRIAN_MONDRIAN_INTERNAL_H
#define PROTOCOL_MONDRIAN_MONDRIAN_INTERNAL_H

#include "protocol/mondrian/mondrian_conditions.h"
#include "protocol/rows.h"
#include "search/ordered/mondrian_rule.h"

/* What is asked next about an attribute of a part. */
typedef enum candidate_phase {
    CANDIDATE_MEDIAN, /* ordered: binary search for the median cell in low … high */
    CANDIDATE_CLOSER, /* strict: is the cut behind the median cell the more even one? */
    CANDIDATE_SHARE,  /* relaxed: binary search for the share that goes left */
    CANDIDATE_READY   /* the split is known */
} candidate_phase;

/* A split that may be tried. */
typedef struct mondrian_candidate {
    uint32_t attribute;
    double width;
    candidate_phase phase;
    uint32_t low, high; /* of the present search, both included */
    uint32_t cut;       /* ordered: the last cell of the left half */
    uint32_t second;    /* strict: the cut to try if the first is refused; UINT32_MAX: none */
    bool shared;        /* relaxed: records of cell `cut` are in both halves */
    uint32_t share;     /* relaxed: of them that goes left */
    bool impossible;    /* relaxed: nothing is left for the right half */
} mondrian_candidate;

typedef enum part_phase {
    PART_SIZE,    /* at least 2k records? */
    PART_SEARCH,  /* candidates that are not ready are searched */
    PART_SCORE,   /* alpha < 1: all candidates are ready and are ranked */
    PART_ALLOWED, /* may candidate `next` be split? */
    PART_EMPTY,   /* which children are empty? */
    PART_FINAL    /* a class, or split */
} part_phase;

/* Invariant: this party's own records of a part are order[start … end - 1]. */
typedef struct mondrian_part {
    uint32_t start, end;
    uint64_t number;
    region *regions; /* [n_attributes] */
    part_phase phase;
    uint64_t size; /* alpha < 1: of all parties */
    mondrian_candidate *candidates;
    uint32_t n_candidates, next;
    bool ranked; /* alpha < 1: the candidates are in the order of their scores */
    bool is_class;
} mondrian_part;

typedef struct mondrian_run {
    const problem *problem;
    const search_spec *spec;
    party *party;
    context *context;
    arena *memory;
    regions space;
    mondrian_conditions conditions;
    double alpha;             /* 1: range alone */
    mondrian_choices choices; /* private: how equal records are distributed */
    uint64_t n_total;         /* records of all parties */
    uint32_t *order;          /* [n_records] own records, part after part */
    uint32_t *scratch;        /* [n_records] */
    uint32_t *children;       /* [n_records] of the split at hand: the child of each record */
    mondrian_part *parts;     /* all that were ever made */
    size_t n_parts, capacity;
    size_t first_open; /* all before it are final */
    uint64_t n_questions, n_steps, n_splits;
} mondrian_run;

static inline bool mondrian_is_ordered(const mondrian_run *r, const mondrian_candidate *c)
{
    return r->space.axes[c->attribute].ordered;
}

/* Children of the split that a candidate stands for. */
uint32_t mondrian_parts_n_children(const mondrian_run *r, const mondrian_part *part,
                                   const mondrian_candidate *c);

/* --- mondrian_parts.c --- */

kith_status mondrian_parts_root(mondrian_run *r, kith_error *error) KITH_MUST_USE;
/* Lists the candidates, widest first; with none the part is a class. */
kith_status mondrian_parts_open(mondrian_run *r, mondrian_part *part,
                                kith_error *error) KITH_MUST_USE;
/* This party's records left of a cut of attribute j: in cells up to `cut`. */
uint32_t mondrian_parts_left(const mondrian_run *r, const mondrian_part *part, uint32_t j,
                             uint32_t cut);
/* Tallies of the children of a split. `tallies` has width numbers for each, zero before. */
void mondrian_parts_tally(mondrian_run *r, const mondrian_part *part, const mondrian_candidate *c,
                          uint32_t *tallies);
/* Carries the split out; empty[i] (NULL: none) says which children have no record at any party. */
kith_status mondrian_parts_split(mondrian_run *r, size_t index, const mondrian_candidate *c,
                                 const bool *empty, kith_error *error) KITH_MUST_USE;

/* --- mondrian_search.c --- */

/* The next question about a candidate that is not ready: this party's sum, to be compared with 0.
 */
int64_t mondrian_search_question(const mondrian_run *r, const mondrian_part *part,
                                 const mondrian_candidate *c);
void mondrian_search_answer(const mondrian_run *r, const mondrian_part *part, mondrian_candidate *c,
                            bool yes);

/* --- mondrian_score.c --- */

/* Ranks the candidates of the parts that wait for it (alpha < 1). */
kith_status mondrian_score(mondrian_run *r, kith_error *error) KITH_MUST_USE;

/* --- mondrian_ask.c --- */

/* One call each for all parts in this phase. */
kith_status mondrian_ask_simple(mondrian_run *r, kith_error *error) KITH_MUST_USE;
kith_status mondrian_ask_sizes(mondrian_run *r, kith_error *error) KITH_MUST_USE;
kith_status mondrian_ask_allowed(mondrian_run *r, kith_error *error) KITH_MUST_USE;
/* Do these sets, by their tallies, keep the models, all of them? One bit. */
kith_status mondrian_ask_all(mondrian_run *r, const uint32_t *tallies, size_t n_sets, bool *all,
                             const char *entry, kith_error *error) KITH_MUST_USE;

#endif
