#include "study/similar.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t similar_distance(const char *a, const char *b)
{
    size_t rows = strnlen(a, LONGEST + 1), columns = strnlen(b, LONGEST + 1);
    if (rows > LONGEST || columns > LONGEST)
        return SIZE_MAX;
    size_t line[3][LONGEST + 1]; /* the current row and the two before it */
    for (size_t j = 0; j <= columns; j++)
        line[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *now = line[i % 3], *before = line[(i + 2) % 3], *earlier = line[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t change = before[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            now[j] = least(change, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return line[rows % 3][columns];
}

void similar_offer(similar *s, const char *candidate)
{
    size_t distance = similar_distance(s->word, candidate);
    size_t allowed = strnlen(s->word, LONGEST) / 3 + (s->word[0] != '\0' && s->word[1] != '\0');
    if (distance > allowed || (s->best != NULL && distance >= s->distance))
        return;
    s->best = candidate;
    s->distance = distance;
}

const char *similar_format(const similar *s, char text[SIMILAR_BYTES])
{
    text[0] = '\0';
    if (s->best != NULL)
        snprintf(text, SIMILAR_BYTES, " (did you mean '%s'?)", s->best);
    return text;
}
