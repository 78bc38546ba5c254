/* Whether a release keeps what its study promises. */
#ifndef KITH_VERIFY_H
#define KITH_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_verify_options {
    size_t size;
    const kith_input *release; /* UTF-8 with a header: without csv */
    const kith_input *data;    /* what the release was made from; NULL: that is not checked */
    /* The mapping that kith_anonymize wrote with the release: its columns confidential_row and
     * release_row say whose row is whose. With data only; without one the rows are in the order of
     * the data, or are looked for. May be NULL. */
    const kith_input *mapping;
    /* That the run may take, at least 1,000,000. A release that needs more, with the data, is
     * verified from the disk; KITH_INVALID names what takes all rows in memory. 0: no limit. */
    uint64_t memory_bytes;
} kith_verify_options;

/* Do all privacy models of the study hold in this release? With data it also checks that every
 * released cell covers the original one.
 * Returns: KITH_OK, also for a release that does not hold; else why that could not be found out.
 * Out: *verdict, freed by kith_document_free: each model with the worst value found and where;
 * KITH_KEY_HOLDS is the overall answer (docs/summary.md).
 * In: `options` with a release; `run` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_verify(kith_document **verdict, const kith_study *study,
                                               const kith_verify_options *options,
                                               const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
