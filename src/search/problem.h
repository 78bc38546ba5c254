/* What a search is given. Integers only: a search never sees a label. */
#ifndef SEARCH_PROBLEM_H
#define SEARCH_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"
#include "hierarchy/tree.h"
#include "measure/measure.h"
#include "model/model.h"

/* One quasi-identifier. */
typedef struct attribute {
    const tree *tree;
    const uint32_t
        *cells;         /* [n_records] node of each record: a leaf, or above (wildcard: the root) */
    const double *cost; /* [n_nodes] cost of the measure, times the attribute's weight */
    double weight;      /* that weight */
    const uint32_t *rank; /* [leaves] position of a leaf in the order of values; NULL: leaf order */
    bool ordered;      /* Mondrian with regions: cut in the order of values, not along the tree */
    uint32_t turn;     /* Mondrian with regions, Datafly: of equals the one of the lowest turn */
    uint32_t step;     /* the same: values in a cell of the grid; 0: the nodes of level 1 */
    bool missing_last; /* the last leaf in the order of values is the missing value */
    bool wildcards;    /* some record, at any party, may have a wildcard here */
    /* Bounds on the levels that classes may show: none below `min_level`, none of the `n_forbidden`
     * highest ones, the root's included; then no cell is a wildcard. Suppressed records show the
     * root all the same. search_run applies both to every algorithm. */
    uint32_t min_level, n_forbidden;
    const double
        *sensitive_cost; /* [n_nodes * values] cost of a record with each value of the attribute
                         `cost_sensitive` below a node, weight included; NULL: `cost` holds */
} attribute;

/* One sensitive attribute. */
typedef struct sensitive_attribute {
    const uint32_t *values; /* [n_records] */
    uint32_t count;         /* number of distinct values */
    /* Where records belong to units: which pair of a unit and a value each record is. */
    const uint32_t *pair; /* [n_records]; NULL: each record is a unit */
    uint32_t n_pairs;
    const uint32_t *value_of_pair; /* [n_pairs] */
} sensitive_attribute;

typedef struct problem {
    uint32_t n_records;
    /* [n_records] how many records of the table each stands for; NULL: itself. Only searches of a
     * lattice look at it (search_run_weighted). */
    const uint32_t *weight;
    /* [n_records] the unit, a person say, that a record belongs to: models count units, losses
     * records. NULL: each record is a unit. */
    const uint32_t *unit;
    uint32_t n_units; /* 0 without `unit` */
    /* [n_sensitive] how many values the classes of a unit that is in several must have in common;
     * 0: any number. NULL: nothing is asked (intersections.h). */
    const uint32_t *common;
    /* [n_units] Rows at several sites: does the unit count here, not at another site that has rows
     * of it, too? NULL: all do. A unit that counts elsewhere counts 0 toward the size of a class
     * here, and 1 toward each value that its records here show. */
    const bool *home;
    uint32_t may_suppress; /* records that a search may suppress */
    measure_id measure;    /* what is minimized */
    uint32_t n_attributes;
    const attribute *attributes;
    uint32_t n_sensitive;
    const sensitive_attribute *sensitive;
    uint32_t n_models;
    const model_spec *models;
    uint32_t k;              /* models_minimum_size */
    uint32_t cost_sensitive; /* the sensitive attribute on which sensitive_cost depends */
} problem;

/* What is known of the records, column by column: attributes, sensitive ones and, where units are
 * counted, the unit and its pairs with each of these, which may be NULL. Codes are below *n_codes. */
uint32_t problem_n_columns(const problem *p);
const uint32_t *problem_column(const problem *p, uint32_t column, uint32_t *n_codes);

/* The problem of other records with trees, costs and models of `p`, of which these are the columns.
 * *attributes and *sensitive, in `memory`, are its own and may be changed. */
kith_status problem_with(problem *to, attribute **attributes, sensitive_attribute **sensitive,
                         const problem *p, uint32_t *const *columns, uint32_t n, arena *memory,
                         kith_error *error) KITH_MUST_USE;

/* The problem of some records of another, in `memory`. Models and costs stay those of all records;
 * what may be changed of the attributes is in *attributes, the array that `part` has. */
kith_status problem_take(problem *part, attribute **attributes, const problem *p,
                         const uint32_t *records, uint32_t n, arena *memory,
                         kith_error *error) KITH_MUST_USE;

/* How many the models count in the whole table. */
static inline uint32_t problem_size(const problem *p)
{
    return p->unit == NULL ? p->n_records : p->n_units;
}

/* Does the cost of a class depend on its members' sensitive values (pmi, wmi)? Either all
 * attributes have a sensitive_cost, or none has. */
static inline bool problem_costs_sensitive(const problem *p)
{
    return p->n_attributes > 0 && p->attributes[0].sensitive_cost != NULL;
}

#endif
