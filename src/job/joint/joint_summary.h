/* The summary of a joint run and the companion of its release: see docs/summary.md. */
#ifndef JOB_JOINT_JOINT_SUMMARY_H
#define JOB_JOINT_JOINT_SUMMARY_H

#include "core/document.h"
#include "job/joint/joint_run.h"
#include "verify/verify.h"

typedef struct joint_outcome {
    const joint_run *run;
    const verify_report *verified; /* NULL: this party does not have the whole release */
    struct {
        double load, protocol, verify, total;
    } seconds;
} joint_outcome;

/* Free both with kith_document_free. Receivers of the release get the companion, so it has nothing
 * that only parties may know. */
kith_status joint_summary_make(kith_document **document, const joint_outcome *o, kith_error *error);
kith_status joint_summary_meta(kith_document **document, const joint_outcome *o, kith_error *error);

/* "left_out": the insensitive columns that a joint release does not have; nothing if it has all. */
void joint_summary_put_left_out(kith_document *d, document_node *root, const kith_study *study);

/* The number of calls of all primitives in a summary. */
double joint_summary_calls(const kith_document *summary);

#endif
