/* "did you mean": the nearest of some words to one that is not among them. */
#ifndef STUDY_YAML_DID_YOU_MEAN_H
#define STUDY_YAML_DID_YOU_MEAN_H

#include <stddef.h>

/* Collects the best candidate for `word`; `best` stays NULL while nothing is near. */
typedef struct did_you_mean {
    const char *word;
    const char *best;
    size_t distance;
} did_you_mean;

void did_you_mean_offer(did_you_mean *s, const char *candidate);

/* " (did you mean 'best'?)" or "", into `text`. */
enum { SIMILAR_BYTES = 128 };
const char *did_you_mean_format(const did_you_mean *s, char text[SIMILAR_BYTES]);

#endif
