/* What a run is about: the study, its parties and this party's data, each as a digest. Two runs of
 * which all digests are equal are identical: they must give the same release. */
#ifndef JOB_HISTORY_RUN_IDENTITY_H
#define JOB_HISTORY_RUN_IDENTITY_H

#include <kith/run.h>

#include "job/history/row_order.h"
#include "study/study.h"

enum { RUN_IDENTITY_BYTES = 32 };

typedef struct run_identity {
    unsigned char name[RUN_IDENTITY_BYTES]; /* of the study */
    /* Everything in the study that has an influence on the release, and the seed if there is one;
     * not the parties, `again` and time limits. */
    unsigned char study[RUN_IDENTITY_BYTES];
    unsigned char parties[RUN_IDENTITY_BYTES]; /* names in their order, and who has which columns */
    bool has_data;                             /* false at a master without data */
    /* The cells that this party reads, in whatever order their rows stand; else zero. */
    unsigned char data[RUN_IDENTITY_BYTES];
    /* The same with the rows as they stand: for entries of versions that knew no other digest. */
    unsigned char ordered[RUN_IDENTITY_BYTES];
    /* Does an identical run give the same release? A search on the encrypted view numbers values in
     * an order that is random in every run, which only searches of a lattice do not depend on. */
    bool repeats;
} run_identity;

/* `data` NULL: this party has no data. `run` NULL: no seed. */
void run_identity_make(run_identity *id, const kith_study *study, const row_order *data,
                       const kith_run *run);

/* The key of this party's private choices (protocol/private_choices.h), from its long-lived secret
 * (choice_secret.h). Needs the data, so that the secret alone is not enough to derive it;
 * `by_position`: the rows as they stand, as in runs of earlier versions. The caller wipes it. */
void run_identity_choices(unsigned char key[RUN_IDENTITY_BYTES], const run_identity *id,
                          bool by_position, const unsigned char *secret);

/* Public coins for this study, the same at all parties. */
uint64_t run_identity_coins(const kith_study *study);

#endif
