/* The independent check of a release: reads it as text and shares nothing with the search but the
 * readers of tables and hierarchies. */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"
#include "verify/classes.h"
#include "verify/label_meaning.h"
#include "verify/persons.h"
#include "verify/suppressed.h"
#include "verify/values.h"

typedef enum verify_kind {
    VERIFY_K_ANONYMITY,
    VERIFY_L_FREQUENCY,
    VERIFY_L_DISTINCT, /* also p-sensitive */
    VERIFY_L_ENTROPY,
    VERIFY_L_RECURSIVE,
    VERIFY_T_CLOSENESS,
    VERIFY_K_MAP,
    VERIFY_PRESENCE,
    VERIFY_SHARE,        /* alpha-k */
    VERIFY_COMBINATIONS, /* lkc */
    VERIFY_DISSIMILARITY,
    VERIFY_DISCLOSURE,
    VERIFY_LIKENESS,
    VERIFY_INVARIANCE,
    VERIFY_DOMINANCE
} verify_kind;

typedef enum verify_distance { VERIFY_EQUAL, VERIFY_ORDERED, VERIFY_HIERARCHICAL } verify_distance;

/* People whose quasi-identifiers are known, for k-map. */
typedef struct verify_people {
    const kith_table *table;
    const uint32_t *column;         /* [quasi] column of the table */
    const label_grammar *grammar;   /* [quasi] how labels of the release are read */
    const uint32_t *const *leaf_of; /* [quasi][values of the column] in the hierarchy's file; NULL
                                       for builders */
} verify_people;

/* One model. Which fields count depends on the kind; `need` is the bound of its value. */
typedef struct verify_model {
    verify_kind kind;
    double need;                 /* k, l, t, the upper delta, alpha, p, beta, m, … */
    double low;                  /* presence: the lower bound; dissimilarity: epsilon */
    double c;                    /* recursive; lkc: confidence */
    uint32_t k;                  /* smallest class, 0 or 1: any */
    uint32_t known;              /* lkc: attributes that an attacker knows */
    bool enhanced;               /* beta-likeness */
    verify_distance distance;    /* closeness, dissimilarity */
    const verify_values *values; /* of the sensitive attribute; NULL where there is none */
    const uint8_t *listed;       /* [values] presence: in the subset; lkc: protected */
    const verify_people *people; /* k-map */
    uint32_t common; /* values that the classes of a person must have in common, if it is
                                    in several (crossings.h); 0: any number */
    /* m-invariance, where the persons are known: number of the earlier signature of each row, 0 is
     * none, and its values ascending, signature_value[signature_start[s] … [s + 1] - 1]. */
    const uint32_t *signature, *signature_start, *signature_value;
} verify_model;

typedef struct verify_verdict {
    bool holds;
    double worst; /* in the model's own unit */
    uint32_t row; /* a row of the release in the worst class */
    uint32_t n_violating_classes, n_violating_rows;
    bool with_earlier; /* m-invariance: compared with earlier releases */
    bool judged;       /* some class was looked at; `worst` is infinite otherwise */
    bool unknown;      /* it counts persons, who are not known: nothing was found against it */
    uint32_t common, n_exposed; /* that of the model, and the persons whose classes have fewer */
} verify_verdict;

typedef struct verify_report {
    bool holds;   /* all of them, as far as they are known */
    bool unknown; /* some are not */
    uint32_t n_rows, n_classes, smallest, suppressed;
    bool by_persons;           /* they are known, and counted: */
    uint32_t n_persons;        /* of the whole release */
    uint32_t *persons;         /* [classes of the grouping]; NULL: not known, or not counted */
    uint32_t smallest_persons; /* fewest of them, suppressed ones left out */
    uint32_t *most_rows;       /* [classes of the grouping] of one person; NULL like `persons` */
    double largest_part;       /* their highest share of the rows of a class */
    verify_verdict *verdict;   /* [models] */
    const classes *grouping;   /* rows with equal quasi-identifiers, the suppressed ones included */
    uint32_t suppressed_class; /* of the grouping, UINT32_MAX if nothing is suppressed */
} verify_report;

typedef struct verify_task {
    const kith_table *release;
    const uint32_t *quasi; /* quasi-identifying columns of the release */
    uint32_t n_quasi;
    const verify_model *models;
    uint32_t n_models;
    /* Rows that show the root in all quasi-identifying columns count as suppressed while they are
     * at most this number; otherwise they are a class (see suppressed.h). */
    uint64_t may_suppress;
    const suppressed_root *roots; /* [n_quasi]; NULL if nothing may be suppressed */
    bool judge_suppressed;        /* suppressed rows must satisfy the models, like a class */
    /* Rows of the whole release, if `release` is a part of it in which all classes are complete; 0:
     * it is the whole. The models' values then know the whole, too (verify_reading). */
    uint64_t n_whole_rows;
    /* The persons whom models count, numbered as in the whole release. NULL: they count rows, unless
     * `counts_persons` says that they should count persons, who are not known. */
    const verify_persons *persons;
    bool counts_persons;
} verify_task;

kith_status verify_release(verify_report *report, const verify_task *task, arena *memory,
                           kith_error *error);

/* A report on no rows, to which those on parts of a release can be added. It has no grouping. */
kith_status verify_report_none(verify_report *report, uint32_t n_models, arena *memory,
                               kith_error *error) KITH_MUST_USE;

/* Adds the report on a part that has none of the classes seen so far. Of the models only kind and
 * bounds are looked at. A verdict's row is that of the part; where the rows of all parts are
 * numbered as in the whole, it is the one that a report on the whole names. */
void verify_report_add(verify_report *to, const verify_report *part, const verify_model *models,
                       uint32_t n_models);

#endif
