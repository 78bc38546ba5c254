#include "study/yaml/did_you_mean.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* A suggestion may differ in a third of the letters, and in one more if the word has at least two
 * letters. Of equally near words the first wins. */
void did_you_mean_offer(did_you_mean *s, const char *candidate)
{
    size_t distance = text_distance(s->word, candidate);
    size_t allowed = strlen(s->word) / 3 + (s->word[0] != '\0' && s->word[1] != '\0');
    if (distance > allowed || (s->best != NULL && distance >= s->distance))
        return;
    s->best = candidate;
    s->distance = distance;
}

const char *did_you_mean_format(const did_you_mean *s, char text[SIMILAR_BYTES])
{
    text[0] = '\0';
    if (s->best != NULL)
        snprintf(text, SIMILAR_BYTES, " (did you mean '%s'?)", s->best);
    return text;
}
