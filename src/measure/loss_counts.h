/* The whole numbers from which all measures but kl follow. A release may come in parts: those of
 * its records, in any division, and those of its classes, each class complete in one part. Counts
 * are added up before anything is computed from them, so that the result does not depend on the
 * division. */
#ifndef MEASURE_LOSS_COUNTS_H
#define MEASURE_LOSS_COUNTS_H

#include "core/run/ranks.h"
#include "measure/losses.h"

typedef struct loss_column_counts {
    const tree *tree;
    uint64_t n_file_rows; /* domain size of arx-loss */
    uint64_t *shown;      /* [n_nodes] cells that show a node, suppressed ones at the root */
    uint64_t *there;      /* [n_nodes] cells that stood at a node before */
    uint64_t *suppressed; /* [n_nodes] of those, in suppressed records */
    uint64_t excess;      /* leaves below the nodes that cells do not show: see loss_input */
    pmi_pairs pairs;      /* with labels, and only if records are in order */
} loss_column_counts;

typedef struct loss_class_counts {
    uint64_t n_classes, smallest; /* without the suppressed records */
    uint64_t squares;             /* of the sizes */
    uint64_t off_majority;        /* records whose label is not that of their class's majority */
} loss_class_counts;

typedef struct loss_counts {
    arena *memory;
    uint32_t n_attributes;
    bool shuffled, wildcards;
    bool labelled; /* this and n_labels: as the records that have been added */
    uint32_t n_labels;
    uint64_t n_records, n_suppressed;
    loss_column_counts *attribute; /* [n_attributes] */
    loss_class_counts classes;
    exact_sum am;
} loss_counts;

/* Nothing has been counted. Trees, domain sizes and `shuffled` are those of `in`; its records are
 * not looked at. Everything lives in `memory`. */
kith_status loss_counts_init(loss_counts *c, const loss_input *in, arena *memory,
                             kith_error *error) KITH_MUST_USE;

/* Adds records. Their classes need not be complete. All of them have labels, below the same number,
 * or none has; with several ranks each adds records, even if it has none. */
kith_status loss_counts_add_records(loss_counts *c, const loss_input *in,
                                    kith_error *error) KITH_MUST_USE;

/* Adds complete classes. Only n_records, class_of, n_classes and the labels are looked at. */
kith_status loss_counts_add_classes(loss_counts *c, const loss_input *in,
                                    kith_error *error) KITH_MUST_USE;

/* Adds up the counts of all ranks; NULL: there are no others. Pairs move to the ranks of their
 * labels: loss_counts_rank says which. */
kith_status loss_counts_unite(loss_counts *c, kith_ranks *ranks, kith_error *error) KITH_MUST_USE;

/* All measures but kl, which is NaN; on all ranks after loss_counts_unite. Classes without records
 * count nowhere. Suppressed cells are priced by entropy as generalized among themselves to one
 * common value. Cost: records x attributes x levels + nodes x levels. */
kith_status loss_counts_report(loss_report *report, const loss_counts *c, kith_ranks *ranks,
                               arena *memory, kith_error *error) KITH_MUST_USE;

/* Gives back what may be large. */
void loss_counts_release(loss_counts *c);

static inline uint32_t loss_counts_rank(uint32_t label, const kith_ranks *ranks)
{
    return label % ranks_count(ranks);
}

#endif
