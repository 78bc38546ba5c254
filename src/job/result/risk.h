/* How likely an attacker finds somebody, before and after. */
#ifndef JOB_RESULT_RISK_H
#define JOB_RESULT_RISK_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "verify/verify.h"

typedef struct risk {
    uint32_t n_classes, smallest, unique, at_risk;
    double average; /* expected share of records that are found: marketer's risk too */
    /* Where a population is known: the attacker does not know who of it is in the data. */
    bool has_people;
    double journalist_highest, journalist_average;
    uint32_t journalist_at_risk;
} risk;

typedef struct risk_report {
    uint32_t n_records;
    risk before, after;
} risk_report;

/* `report` is what verify said of `texts`, the release of the data in `p`. */
kith_status risk_assess(risk_report *risks, const prepared *p, const verify_report *report,
                        const kith_table *texts, context *c, kith_error *error);

/* Adds the key `risk`. */
void risk_put(kith_document *d, document_node *root, const risk_report *risks);

#endif
