/* The study that the sites of a simulation get: the text of the original with other parties. */
#ifndef JOB_REHEARSE_SIMULATE_STUDY_H
#define JOB_REHEARSE_SIMULATE_STUDY_H

#include "core/arena.h"
#include "job/rehearse/simulate_split.h"
#include "study/study.h"

/* Name of the identifier that is added where different sites hold the columns. */
#define SIMULATE_ID "_kith_id"

/* A party of the simulation. Those without data come last. */
typedef struct simulate_party {
    const char *name;
    const char *address; /* host:port */
    const char *pin;     /* sha256:… */
    bool holds;          /* has data */
} simulate_party;

/* Which of these keys the text has at its top level. */
typedef struct simulate_keys {
    bool partition, protocol, ids;
} simulate_keys;

/* The top level must be in block style: "{study: …}" is KITH_INVALID, since its keys have no lines
 * of their own that could be replaced. */
kith_status simulate_study_keys(simulate_keys *keys, arena *memory, const kith_study *study,
                                kith_error *error) KITH_MUST_USE;

/* What is changed in the text. */
typedef struct simulate_changes {
    const simulate_split *split;
    const simulate_party *parties;
    uint32_t n_parties;
    bool add_id;     /* rows are joined by SIMULATE_ID */
    uint32_t master; /* encrypted-view: index of a party that holds data, else UINT32_MAX */
    const char *pkg; /* id-based: parameters of another key generator; NULL: no change */
} simulate_changes;

/* The text of `study` with the parties in the place of its own, and the split's partition if it
 * names none. */
kith_status simulate_study_text(const char **text, arena *memory, const kith_study *study,
                                const simulate_changes *changes, kith_error *error) KITH_MUST_USE;

/* The text of `study` without the keys of `dropped` (ends with NULL) at its top level, and with
 * `lines` ("key: value\n…") in front of the first one. */
kith_status simulate_study_variant(const char **text, arena *memory, const kith_study *study,
                                   const char *const *dropped, const char *lines,
                                   kith_error *error) KITH_MUST_USE;

#endif
