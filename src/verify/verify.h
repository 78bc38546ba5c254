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

typedef enum verify_kind { VERIFY_K_ANONYMITY, VERIFY_L_FREQUENCY } verify_kind;

typedef struct verify_model {
    verify_kind kind;
    double need;        /* k or l */
    uint32_t sensitive; /* column of the release */
} verify_model;

typedef struct verify_verdict {
    bool holds;
    double worst; /* in the model's own unit */
    uint32_t row; /* a row of the release in the worst class */
    uint32_t violating_classes, violating_rows;
} verify_verdict;

typedef struct verify_report {
    bool holds; /* all of them */
    uint32_t rows, classes, smallest, suppressed;
    verify_verdict *verdict;   /* [models] */
    const classes *grouping;   /* rows with equal quasi-identifiers, the suppressed ones included */
    uint32_t suppressed_class; /* of the grouping, UINT32_MAX if nothing is suppressed */
} verify_report;

/* `quasi` lists the release's quasi-identifying columns. Rows that are `*` in all of them count as
 * suppressed while they are at most `may_suppress`; otherwise they are a class. */
kith_status verify_release(verify_report *report, arena *memory, const kith_table *release,
                           const uint32_t *quasi, uint32_t quasi_count, const verify_model *models,
                           uint32_t model_count, uint64_t may_suppress, kith_error *error);

#endif
