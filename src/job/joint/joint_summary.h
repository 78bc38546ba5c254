/* What a joint run has to say about itself, as docs/summary.md lists it. */
#ifndef JOB_JOINT_JOINT_SUMMARY_H
#define JOB_JOINT_JOINT_SUMMARY_H

#include "core/document.h"
#include "job/joint/joint_run.h"
#include "verify/verify.h"

typedef struct joint_outcome {
    const joint_run *run;
    const verify_report *verified; /* NULL where the release is not whole at this party */
    struct {
        double load, protocol, verify, total;
    } seconds;
} joint_outcome;

/* Free both with kith_document_free. The companion has nothing that only parties may know. */
kith_status joint_summary_make(kith_document **document, const joint_outcome *o, kith_error *error);
kith_status joint_summary_meta(kith_document **document, const joint_outcome *o, kith_error *error);

/* Adds "discloses": what a run with these options tells whom. */
void joint_summary_put_disclosures(kith_document *d, document_node *parent,
                                   const protocol_options *o);

/* Calls of all primitives together, of a summary that has been made. */
double joint_summary_calls(const kith_document *summary);

#endif
