/* The report of a protocol about its run, besides the ledger. */
#ifndef PROTOCOL_REPORT_H
#define PROTOCOL_REPORT_H

#include <stdint.h>

enum { REPORT_FACTS = 24 };

typedef struct protocol_report {
    uint32_t n_passes;   /* clustering; 0 where there are none */
    const char *stopped; /* why it ended, or NULL */
    /* Calls of sum and AND that the paper's protocol would have made on the same run; all 0 where
     * there is no paper. `strict` counts one AND per step of its depth-first search. */
    uint64_t n_paper_sums, n_paper_ands, n_paper_ands_strict;
    /* Further numbers for the summary, with static names ("visits", "put_off"). */
    struct {
        const char *name;
        double value;
    } facts[REPORT_FACTS];
    uint32_t n_facts;
} protocol_report;

static inline void report_fact(protocol_report *r, const char *name, double value)
{
    if (r->n_facts < REPORT_FACTS) {
        r->facts[r->n_facts].name = name;
        r->facts[r->n_facts++].value = value;
    }
}

#endif
