/* What a table is like, before there is a study. */
#ifndef KITH_DESCRIBE_H
#define KITH_DESCRIBE_H

#include <stddef.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_describe_options {
    size_t size;
    const kith_input *data;
    const kith_study *study; /* whose quasi-identifiers are taken; NULL: the suggested ones */
    const kith_input *known; /* attack an encrypted view by these records; a URI "": by half the
                                data; NULL: do not */
} kith_describe_options;

/* Columns, distinct values, uniqueness, re-identification risk, suggested roles. */
KITH_API KITH_MUST_USE kith_status kith_describe(kith_document **description,
                                                 const kith_describe_options *options,
                                                 const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
