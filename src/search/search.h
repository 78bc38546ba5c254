/* The registry of algorithms. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include <stdbool.h>

#include "core/run/context.h"
#include "search/partition.h"

typedef struct record_source record_source; /* record_source.h */

/* How sequential clustering deals with clusters that are too small in the end. */
typedef enum search_finish {
    FINISH_DEFAULT, /* hybrid */
    FINISH_MERGE,   /* unify small clusters with each other, as the paper does */
    FINISH_HYBRID   /* dissolve or unify, whichever is cheaper, then move single records */
} search_finish;

/* How long weave improves its result: some rounds, not at all, many rounds, or for a given time. */
typedef enum search_effort {
    EFFORT_NORMAL,
    EFFORT_QUICK,
    EFFORT_BEST,
    EFFORT_SECONDS
} search_effort;

/* What a study says about the algorithm; zero-initialised means the defaults of the algorithm. */
typedef struct search_spec {
    uint32_t n_restarts;  /* sequential: how often to start anew, best kept; 0: once */
    uint32_t max_passes;  /* sequential: 0 for 200 */
    search_finish finish; /* sequential */
    uint32_t block;       /* sequential: records decided together (block_pass.h); 0: 1, the paper */
    bool relaxed;         /* mondrian: records equal to the median may go either way */
    bool by_hierarchy;    /* mondrian: order by the hierarchy's leaves, not by value */
    bool all_ordered; /* mondrian with regions: cut all attributes in order, none along its tree */
    bool ranges;      /* mondrian: release min..max instead of the lowest common ancestor */
    bool regions;     /* mondrian: cut and release regions (regions.h), as the protocol does */
    search_effort effort; /* weave */
    double seconds;       /* weave: with EFFORT_SECONDS, more than 0 */
    uint32_t piece; /* weave: most records that are searched together; 0: see division_limit */
    uint32_t
        small;  /* lattice over ranks: distinct records that every rank has; 0: a few thousand */
    bool named; /* weave over ranks: classes have an id */
} search_spec;

/* What a search knows about a node of the lattice. */
typedef enum lattice_answer {
    ANSWER_UNKNOWN,
    ANSWER_SATISFIED, /* checked */
    ANSWER_VIOLATED,  /* checked */
    ANSWER_PREDICTED_SATISFIED,
    ANSWER_PREDICTED_VIOLATED
} lattice_answer;

/* The lattice of full-domain generalizations after a search. Attribute j of a node stands at level
 * low[j] + node / stride[j] % (height[j] + 1). */
typedef struct searched_lattice {
    uint32_t n_nodes, n_attributes;
    const uint32_t *low, *height, *stride; /* [n_attributes] */
    const uint8_t *answer;                 /* [n_nodes] lattice_answer */
    const double *loss;       /* [n_nodes] in the unit of summaries; NaN unless satisfied */
    const uint32_t *smallest; /* [n_nodes] records of the smallest class that is kept, or 0 */
} searched_lattice;

typedef struct search_result {
    partition partition;
    uint32_t *low, *high; /* [n_classes * n_attributes] leaves, only with ranges; else NULL. A class
                           * with a wildcard has the root in both. */
    uint32_t n_passes;    /* 0 where the algorithm has none */
    uint64_t n_questions; /* sequential with block above 1: records that needed a question, */
    uint64_t put_off;     /* and records put off, in all passes (block_pass.h) */
    const char *stopped;  /* why it ended: "no move", "small gain", "max_passes", "no cut", … */
    bool interrupted;     /* the best result so far of a run that was asked to stop */
    uint32_t *levels;     /* [n_attributes] of a full-domain generalization; else NULL */
    uint32_t *recoded; /* [n_records * n_attributes] by a cut: nodes that the records would show, if
                        * some had to be suppressed; else NULL */
    searched_lattice *lattice;           /* NULL unless a lattice was searched */
    uint64_t n_transformations, checked; /* nodes of the lattice, and how many were checked */
} search_result;

typedef struct algorithm {
    const char *name;
    bool passes; /* does search_result.n_passes mean something? */
    bool (*supports_model)(const model_spec *model);
    kith_status (*run)(search_result *result, const problem *p, const search_spec *spec, context *c,
                       kith_error *error);
    bool global;          /* recodes globally and may suppress records */
    bool suppresses;      /* the same without global recoding (local_run.h) */
    bool cuts;            /* global, but not full-domain: a cut through each hierarchy */
    bool ranks;           /* can it work over several ranks? */
    bool sensitive_costs; /* can it minimize costs that depend on sensitive values (pmi, wmi)? */
} algorithm;

const algorithm *search_find(const char *name); /* NULL if unknown */
const algorithm *search_at(uint32_t index);     /* NULL beyond the last */

/* Can it minimize the measure? */
bool search_minimizes(const algorithm *a, measure_id measure);

/* Can it suppress records so that the measure falls? Without global recoding the measure must be a
 * sum of costs of nodes; those of entropy and mi only approximate the loss. */
bool search_suppresses(const algorithm *a, measure_id measure);

/* Can any partition of the table meet the models, which are closed under union? That is so if the
 * whole table as one class does; otherwise KITH_INFEASIBLE, with the best reachable value. */
kith_status search_feasible(const problem *p, arena *memory, kith_error *error);

/* Checks that the algorithm serves the models and that the table can meet them (otherwise
 * KITH_INFEASIBLE, with the best reachable value), then runs it. Results live in c->memory.
 *
 * Over the ranks of c->ranks the problem has this rank's records, and trees, costs and models of
 * the whole table; the result has the classes of this rank's records, with the closures of all
 * their records. */
kith_status search_run(search_result *result, const algorithm *algorithm, const problem *p,
                       const search_spec *spec, context *c, kith_error *error);

/* For tables whose records do not lie in one memory: what search_run checks before it runs. `whole`
 * shows the table as one class. */
kith_status search_check_whole(const algorithm *a, const problem *p, const class_view *whole,
                               arena *memory, kith_error *error) KITH_MUST_USE;

/* Searches the lattice of such a table: `p` has its distinct records, with weights, and has been
 * checked. `a` is a search of full-domain generalizations. The result has the classes of these
 * records. */
kith_status search_run_weighted(search_result *result, const algorithm *a, const problem *p,
                                const search_spec *spec, context *c,
                                kith_error *error) KITH_MUST_USE;

/* Searches such a table, which has been checked, with weave: `p` as for weave_run (weave.h). What
 * is found is handed to the records; the result tells how the search ended. */
kith_status search_run_records(search_result *result, const problem *p, const record_source *r,
                               const search_spec *spec, context *c,
                               kith_error *error) KITH_MUST_USE;

#endif
