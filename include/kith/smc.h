/* Single secure computations between the parties of a study. */
#ifndef KITH_SMC_H
#define KITH_SMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/joint.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One secure computation on the values of all parties of a study. */
typedef struct kith_smc_task {
    size_t size;
    /* "sum", "and", "or": one result per value, all parties give the same number of values;
     * "min", "max", "median": one result over all values of all parties, which may differ in number
     * and stay secret; "union": the distinct values of all */
    const char *operation;
    const char *const *values; /* whole numbers; 0 or 1; texts for "union" */
    size_t n_values;
    bool ranged; /* "min", "max" and "median" need a public range of the values */
    int64_t low;
    int64_t high;
    size_t width; /* "union": a public bound for the bytes of a text; 0: 64 */
} kith_smc_task;

/* All parties call it at the same time with the same operation, range and width. `lines` (may be
 * NULL) receives the results as a text, one per line, to be released with kith_free; `document` the
 * same with what the computation took: {"operation", "values": ["…"], "rounds", "sent":
 * {"messages", "bytes"}, "received": {"messages", "bytes"}, "seconds"}. */
KITH_API KITH_MUST_USE kith_status kith_smc(char **lines, kith_document **document,
                                            const kith_study *study, const kith_smc_task *task,
                                            const kith_party_options *options, const kith_run *run,
                                            kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
