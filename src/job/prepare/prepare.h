/* Turns a study and a table into a problem for the search: columns are chosen, their values are
 * bound to hierarchies, and everything becomes integers. The same structure says later how the
 * solution is released. */
#ifndef JOB_PREPARE_PREPARE_H
#define JOB_PREPARE_PREPARE_H

#include "core/run/context.h"
#include "hierarchy/hierarchy.h"
#include "search/problem.h"
#include "study/study.h"

#define PREPARE_NONE UINT32_MAX

/* One column that is released. */
typedef struct prepared_column {
    const study_column *study;
    uint32_t source;           /* column of the table */
    uint32_t attribute;        /* of the problem, PREPARE_NONE unless quasi-identifying */
    uint32_t sensitive;        /* of the problem, PREPARE_NONE unless sensitive */
    kith_hierarchy *hierarchy; /* quasi-identifying only, like the next two */
    uint32_t *leaf_of;         /* [n_values of the columns] */
    uint32_t *rank;            /* [leaves] order of the values, the missing one last */
    uint32_t decimals;         /* of means (mean_scale.h), if the study releases them */
} prepared_column;

/* What one party of a joint run knows about the whole table. NULL if this process has the whole
 * table. */
typedef struct prepare_joint {
    const bool *held;    /* [n_columns of the study] those that this party prepares */
    const bool *missing; /* [n_columns of the study] some party has a missing value there */
    const bool *home;    /* [rows of the table] the person of the row counts here; NULL: all do */
} prepare_joint;

/* How the parties of a joint run on rows add up counts. */
typedef struct prepare_sum {
    kith_status (*add)(void *user, uint64_t *count, size_t n, kith_error *error);
    void *user;
} prepare_sum;

struct prepared;

/* The persons of a whole table, by the study's unit. */
typedef struct prepare_units {
    /* Numbers them once, for a slice of values, into the fields below. */
    kith_status (*number)(void *user, struct prepared *values, context *c, kith_error *error);
    void *user;
    uint32_t count;
    uint32_t unknown, lacking; /* as of a prepared table */
    /* All rows, in their order: their persons and their sensitive values. No unit: no person has
     * several rows. */
    problem rows;
    const uint32_t *const *showing; /* [n_sensitive][values] persons with each value */
} prepare_units;

/* What is known of a whole table by one who prepares only a slice of its rows: the dictionaries of
 * the slice are those of the whole table. */
typedef struct prepare_whole {
    uint64_t n_rows;  /* that are kept */
    uint64_t dropped; /* because something was missing */
    uint64_t empty;   /* left out because they have no value at all */
    bool of_values; /* the rows of the slice are values side by side, not records: none is empty */
    /* [columns of the slice][values + 1] in the rows that are kept; the last one counts missing
     * cells */
    const uint64_t *const *counts;
    prepare_units *units; /* NULL: the study has no unit */
} prepare_whole;

/* A table that is ready for the search. Everything lives in the context's memory.
 *
 * Invariants: rows[] is ascending; column quasi[j] has attribute j; a column has a hierarchy,
 * leaf_of and rank if and only if it is quasi-identifying; every cell of the problem is a leaf of
 * its tree or the root; every sensitive value is below the count of its attribute. */
typedef struct prepared {
    const kith_study *study;
    /* After the study's changes of values, without dropped rows; a sensitive number that is written
     * in several ways is one value. */
    const kith_table *table;
    const kith_table *texts;    /* the same, every text as it is released */
    const kith_table *original; /* as it was read; the same rows */
    const prepare_joint *joint;
    const prepare_whole *whole;          /* NULL unless these are the rows of a slice */
    const uint64_t *const *whole_counts; /* the same counts, for the columns of `table` */
    uint32_t n_columns;
    prepared_column *columns; /* in the order of the source */
    uint32_t n_rows;
    uint32_t *rows;   /* [n_rows] the table's rows that are released */
    uint32_t dropped; /* rows left out because something was missing */
    uint32_t empty;   /* rows left out because they have no value at all (kept_rows.h) */
    uint32_t n_units; /* persons to whom these rows belong, by the study's unit; 0: it has none */
    uint32_t unknown; /* rows that lack a value there: each a person of its own */
    uint32_t lacking; /* of the unit's columns, the one that the first of them lacks */
    bool sampled;     /* rows[] is the sample that the study asks for; otherwise all rows */
    uint32_t *quasi;  /* [problem.n_attributes] index into columns */
    problem problem;
} prepared;

#if KITH_DEBUG
void prepare_check(const prepared *p);
#endif

/* The column that this one of the study has become; NULL: none. */
const prepared_column *prepare_find(const prepared *p, const study_column *of);

/* Applies the study's rule for missing values (of quasi-identifying and sensitive columns), binds
 * values to hierarchies, and prices every node. Values without a place in their hierarchy and
 * missing ones that are to be rejected are errors with file and line. */
kith_status prepare_table(prepared *p, const kith_study *study, const kith_table *table, context *c,
                          kith_error *error);

/* The same with the rows that the study's `sample` wants, drawn from the seed of the run. Only the
 * one who makes a release knows which rows it has. */
kith_status prepare_sample(prepared *p, const kith_study *study, const kith_table *table,
                           context *c, kith_error *error);
/* The same with a sample that is known: chosen[rows of the table]. */
kith_status prepare_chosen(prepared *p, const kith_study *study, const kith_table *table,
                           const bool *chosen, context *c, kith_error *error) KITH_MUST_USE;
/* How many of these rows a sample has: the nearest whole number, at least one. */
uint32_t prepare_sample_size(const kith_study *study, uint32_t n_rows);

/* The same for one party's part of a table. Models are not bound, and nodes are priced by its own
 * counts: the parties do both together. Takes long for a large table, but does not wait for other
 * parties. */
kith_status prepare_part(prepared *p, const kith_study *study, const kith_table *table,
                         const prepare_joint *joint, context *c, kith_error *error);
/* Prices the nodes of a party's part by the counts of all parties, so that all of them see the same
 * costs. Changes nothing if the measure does not count values. */
kith_status prepare_price_together(prepared *p, const prepare_sum *sum, context *c,
                                   kith_error *error) KITH_MUST_USE;

/* The same for a slice of a table that this program has all of, in other processes or on disk. With
 * the same `whole`, trees, costs and bound models of all slices are the same. The slice has been
 * through kept_rows_table before the dictionaries were united. Before a search, prepare_whole_check
 * says whether slices are enough. */
kith_status prepare_slice(prepared *p, const kith_study *study, const kith_table *table,
                          const prepare_whole *whole, context *c, kith_error *error) KITH_MUST_USE;

/* What the search of a study needs of a table that is not in one memory. */
typedef enum prepare_need {
    NEEDS_PIECES,       /* of records, which are searched alone: weave */
    NEEDS_COMBINATIONS, /* of values, with their counts: a search of a lattice */
    NEEDS_RECORDS       /* all of them, because it compares any two */
} prepare_need;
prepare_need prepare_needs(const kith_study *study, bool ranks);

/* Refuses by name what cannot be released of a table that is on disk or on ranks, since it looks at
 * single rows of the whole. KITH_INVALID. */
kith_status prepare_whole_check(const kith_study *study, kith_error *error) KITH_MUST_USE;
/* The same for a comparison of a release with the data it was made from, by whatever algorithm. */
kith_status prepare_compare_check(const kith_study *study, kith_error *error) KITH_MUST_USE;

/* The error of a study that rejects missing values; `row` has one in the column of this name. */
kith_status prepare_reject_missing(const kith_table *table, uint32_t row, const char *name,
                                   kith_error *error) KITH_MUST_USE;

/* The number of rows that a release of the whole table has, and of those that were left out because
 * something was missing, or everything. */
uint64_t prepare_whole_rows(const prepared *p);
uint64_t prepare_whole_dropped(const prepared *p);
uint64_t prepare_whole_empty(const prepared *p);

/* Does the study's measure price nodes by how often values occur? The parties of a joint run on
 * rows then add up their counts. */
bool prepare_counts_values(const kith_study *study);

/* Prices the nodes of all attributes by a measure that depends on a sensitive attribute, the one
 * that p->cost_sensitive names, if the study has such a measure. All records of the table must be
 * there. */
kith_status prepare_sensitive_costs(const problem *p, attribute *attributes,
                                    const kith_study *study, arena *memory,
                                    kith_error *error) KITH_MUST_USE;

#endif
