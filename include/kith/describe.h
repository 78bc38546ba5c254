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
    const char *data;        /* data URI */
    const kith_study *study; /* whose quasi-identifiers are taken; NULL: the suggested ones */
    char separator;          /* of the data; 0: detect */
    const char *known; /* attack an encrypted view by these records (URI); "": half the data */
    const kith_csv_options *csv; /* of the input, as for kith_table_read; may be NULL */
    /* Tables in memory, instead of `data` and `known`. */
    const kith_table *data_table;
    const kith_table *known_table;
} kith_describe_options;

/* Columns, distinct values, uniqueness, re-identification risk, suggested roles. */
KITH_API KITH_MUST_USE kith_status kith_describe(kith_document **description,
                                                 const kith_describe_options *options,
                                                 const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
