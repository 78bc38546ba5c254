/* What a study says about values that are changed before anything else is done with them. Plain
 * data: job/prepare/recode applies it, and the verifier computes it anew from the same words. */
#ifndef TABLE_RECODING_H
#define TABLE_RECODING_H

#include <stdbool.h>

/* Numbers are rounded first, to the next multiple of `round`, halves up. A decimal is the shortest
 * text that stands for it: 0.95 is a half of 0.1, although its double is a little less. What is
 * then above `top` or below `bottom` becomes the bound. */
typedef struct recoding {
    bool has_top, has_bottom;
    double top, bottom;
    double round;         /* a whole number, or 1 / a whole number; 0: none */
    const char *key_file; /* pseudonyms: keyed BLAKE2b of the text, 16 bytes in hex; NULL: none */
} recoding;

enum { RECODING_HASH_BYTES = 16, RECODING_MIN_KEY = 16, RECODING_MAX_KEY = 64 };

static inline bool recoding_is_number(const recoding *r)
{
    return r->has_top || r->has_bottom || r->round > 0;
}

static inline bool recoding_is_any(const recoding *r)
{
    return recoding_is_number(r) || r->key_file != 0;
}

#endif
