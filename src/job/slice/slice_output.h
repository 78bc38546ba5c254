/* A release that several ranks write: a directory with a file of each rank. It is made under a
 * temporary name and appears at once, or not at all. All ranks see the same file system. */
#ifndef JOB_SLICE_SLICE_OUTPUT_H
#define JOB_SLICE_SLICE_OUTPUT_H

#include <stdbool.h>

#include "core/run/context.h"
#include "job/result/publication.h"

typedef struct slice_output {
    const char *directory; /* that appears */
    const char *stage;     /* where it is made */
    const char *part;      /* file of this rank in the stage: part-NNNNN.csv */
    bool overwrite;
} slice_output;

/* Whether there can be a release of this name, before anything is read: the first rank looks. */
kith_status slice_output_check(const char *path, bool overwrite, context *c, kith_error *error);
/* Refuses what is no directory, and one that exists unless `overwrite`; one that holds anything but
 * a release is refused in any case. */
kith_status slice_output_open(slice_output *o, const char *path, bool overwrite, context *c,
                              kith_error *error) KITH_MUST_USE;

/* An error about a file of the stage names it by the directory, as the caller does. */
void slice_output_name(const slice_output *o, kith_error *error);

/* All ranks have written their files. Those of `beside`, which the first rank has, appear with the
 * release. */
kith_status slice_output_commit(const slice_output *o, const publication *beside, context *c,
                                kith_error *error) KITH_MUST_USE;

#endif
