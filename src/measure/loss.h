/* All measures of a finished release, overall and per attribute; loss_counts.h computes them. */
#ifndef MEASURE_LOSS_H
#define MEASURE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "hierarchy/tree.h"

/* Class of a record that was suppressed: it is in no class and all its cells stand at the root. */
#define LOSS_SUPPRESSED UINT32_MAX

typedef struct loss_column {
    const tree *tree;
    const uint32_t *cells; /* [n_records] node of each record before anonymization */
} loss_column;

typedef struct loss_input {
    uint32_t n_records;
    uint32_t n_attributes;
    const loss_column *column; /* [n_attributes] */
    uint32_t n_classes;
    const uint32_t *class_of; /* [n_records] below classes, or LOSS_SUPPRESSED */
    const uint32_t *closure;  /* [n_classes * n_attributes] node that a class shows */
    const uint32_t *label; /* [n_records] class column of cm and pmi; NULL: neither is computed */
    uint32_t n_labels;     /* number of distinct labels: label[] is below it */
    const uint64_t *rows;  /* [n_attributes] domain sizes of arx-loss; NULL or 0: the leaves */
    /* [n_attributes] over all records, how many leaves a closure has beyond the values that its
     * cell really shows, as where ranges are released; NULL: none. Only lm counts them. */
    const uint64_t *excess;
    bool shuffled; /* class_of[i] is not that of cells[i]: no pmi, no entropy of suppressed
                    * records, no am of wildcards */
} loss_input;

/* Means per cell, unweighted; lm and tree lie in 0..1, em and the others are bits. A cell that was
 * above the leaves from the start (wildcard) counts as a cell and costs only what was added.
 * precision lost is tree. */
typedef struct loss_cells {
    double lm, em, entropy, tree;
    double mi, mi_utility;   /* SEQ eq. 10 and 9; their sum is that of the original table */
    double pmi, pmi_utility; /* SEQ eq. 13 before minus after, and after; NaN without a label */
    double arx;              /* share of the domain; in `all` the arithmetic mean */
} loss_cells;

typedef struct loss_report {
    loss_cells all;
    loss_cells *attribute; /* [n_attributes] */
    double dm;             /* sum of squared class sizes; a suppressed record costs `n_records` */
    double cm;             /* share of records off their class's majority or suppressed; or NaN */
    double average_class;  /* records that are not suppressed / classes; 0 without a class */
    double am;             /* SEQ eq. 4; NaN if shuffled and there are wildcards */
    double arx_loss;       /* of the attributes' arx, as ARX puts them together */
    double kl;             /* bits; NaN: see kl.h */
    double pmi_2, pmi_max; /* loss of the l2 and the largest information (SEQ eq. 16, 15); or NaN */
    uint32_t suppressed;
    uint32_t smallest_class; /* 0 without a class */
} loss_report;

#endif
