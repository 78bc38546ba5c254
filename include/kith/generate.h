/* Synthetic tables. */
#ifndef KITH_GENERATE_H
#define KITH_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_generate_options {
    size_t size;
    const char *profile; /* "hospital", "adult" or "survey" */
    uint64_t n_rows;
    const char *output; /* CSV file, or "-" */
    bool overwrite;
} kith_generate_options;

/* Writes synthetic data of a profile to a CSV file, with `<name>.study.yaml` and `hierarchies/`
 * next to it. Under a seed the same bytes come out again. `summary` may be NULL. */
KITH_API KITH_MUST_USE kith_status kith_generate(kith_document **summary,
                                                 const kith_generate_options *options,
                                                 const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
