/* Whether a release keeps what its study promises. */
#ifndef KITH_VERIFY_H
#define KITH_VERIFY_H

#include <stddef.h>

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
    const char *release; /* data URI */
    const char *data;    /* data URI of what the release was made from; NULL: that is not checked */
    char separator;      /* of all; 0: detect */
    const kith_csv_options *csv; /* of the data; a release is UTF-8 with a header */
    /* Tables in memory, instead of `release` and `data`. */
    const kith_table *release_table;
    const kith_table *data_table;
    size_t data_separator; /* a character, of the data alone; 0: `separator` */
    /* The mapping that kith_anonymize wrote with the release, as a URI or as a table in memory: its
     * columns confidential_row and release_row say whose row is whose. With data only; without one
     * the rows are in the order of the data, or are looked for. */
    const char *mapping;
    const kith_table *mapping_table;
    /* Memory that the run may take: "500MB". A release that needs more, with the data, is verified
     * from the disk; KITH_INVALID names what takes all rows in memory. NULL: no limit. */
    const char *memory;
} kith_verify_options;

/* Do all privacy models of the study hold in this release? `verdict` receives each model with the
 * worst value found and where; "holds" is the overall answer. With data it also checks that every
 * released cell covers the original one. A release that does not hold is not an error: the call
 * returns KITH_OK and the verdict says no. */
KITH_API KITH_MUST_USE kith_status kith_verify(kith_document **verdict, const kith_study *study,
                                               const kith_verify_options *options,
                                               const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
