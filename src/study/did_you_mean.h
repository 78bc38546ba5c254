/* "did you mean": the nearest of some words to one that is not among them. */
#ifndef STUDY_DID_YOU_MEAN_H
#define STUDY_DID_YOU_MEAN_H

#include <stddef.h>

/* Collects the best candidate for `word`; `best` stays NULL while nothing is near. */
typedef struct similar {
    const char *word;
    const char *best;
    size_t distance;
} similar;

void similar_offer(similar *s, const char *candidate);

/* " (did you mean 'best'?)" or "", into `text`. */
enum { SIMILAR_BYTES = 128 };
const char *similar_format(const similar *s, char text[SIMILAR_BYTES]);

#endif
