/* What a study discloses to whom: the lines of protocol/disclosures.h that apply to it. */
#ifndef JOB_JOINT_JOINT_DISCLOSURES_H
#define JOB_JOINT_JOINT_DISCLOSURES_H

#include "core/document.h"
#include "protocol/disclosures.h"
#include "study/study.h"
#include "wire/ledger.h"

/* The study must outlive it. */
disclosure_case joint_disclosures_case(const kith_study *study);

/* Explains the ledger of one party (ledger_heading). */
typedef struct joint_disclosures_reader {
    disclosure_case study;
    uint32_t self;
} joint_disclosures_reader;
ledger_words joint_disclosures_explain(const void *reader, const char *step, const char *what);
/* Adds "discloses" as below, with a flag: does this party learn it? */
void joint_disclosures_announce(const void *reader, kith_document *d, document_node *root);

/* Adds "discloses": who learns what. */
void joint_disclosures_put(kith_document *d, document_node *parent, const kith_study *study);

#endif
