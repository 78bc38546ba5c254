/* The risk that an attacker re-identifies a person, before and after anonymization. */
#ifndef JOB_ASSESS_RISK_H
#define JOB_ASSESS_RISK_H

#include "core/document.h"
#include "core/exact_sum.h"
#include "job/prepare/prepare.h"
#include "verify/verify.h"

/* A record is at risk if an attacker who knows its quasi-identifiers picks the right one with a
 * probability above this. */
#define RISK_THRESHOLD 0.2

/* Prosecutor: the attacker knows that a person is in the data. Journalist: the attacker knows only
 * that the person is in a population, if the study has one. Marketer: the expected share of records
 * that are re-identified, equal to the prosecutor's average. */
typedef struct risk {
    uint32_t n_classes, smallest, unique, at_risk;
    double average;
    /* Models count persons, who may have several records: so does `smallest`, and the chance to
     * find a record's person is one in the persons of its class. */
    bool by_persons;
    double largest_part;  /* the highest share of the records of a class that are of one person */
    exact_sum chance_sum; /* of all records */
    bool has_people;      /* the population is known, and so are: */
    double journalist_highest, journalist_average;
    uint32_t journalist_at_risk;
    exact_sum journalist_sum; /* of the chances of all records */
} risk;

typedef struct risk_report {
    uint32_t n_records;
    risk before, after;
} risk_report;

/* Risks are added up over groups of equal records and over classes, each complete. `p` knows the
 * population, if there is one, and the trees. */

/* Records whose cells[attribute] are the nodes before anonymization, and how many each stands for;
 * NULL: itself. Those of `p` do not matter. */
kith_status risk_add_before(risk *r, const prepared *p, uint32_t *const *cells,
                            const uint32_t *weight, uint32_t n_records, context *c,
                            kith_error *error) KITH_MUST_USE;
/* The records of `p`. */
kith_status risk_add_data(risk *r, const prepared *p, context *c, kith_error *error) KITH_MUST_USE;
/* Rows of the release and their classes; those that are suppressed do not count. */
kith_status risk_add_after(risk *r, const prepared *p, const verify_report *report,
                           const kith_table *texts, context *c, kith_error *error) KITH_MUST_USE;
void risk_add(risk *to, const risk *part);
/* When all have been added. */
void risk_finish(risk *r, uint64_t n_records);

/* Adds the key `risk`. */
void risk_put(kith_document *d, document_node *root, const risk_report *risks);

#endif
