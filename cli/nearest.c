/* "did you mean …?" for the names of commands. */
#include <string.h>

#include "cli.h"

enum { LONGEST = 31 };

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to insert, delete or replace, neighbours to swap, to make one of the other. */
static size_t distance(const char *a, const char *b)
{
    size_t cost[LONGEST + 1][LONGEST + 1], n_rows = strlen(a), n_columns = strlen(b);
    for (size_t i = 0; i <= n_rows; i++)
        for (size_t j = 0; j <= n_columns; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            cost[i][j] = min_of(cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                min_of(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = min_of(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[n_rows][n_columns];
}

/* A beginning of at least three letters is as near as one wrong letter. */
static size_t farness(const char *word, const char *name)
{
    size_t length = strlen(word);
    return length >= 3 && strncmp(word, name, length) == 0 ? 1 : distance(word, name);
}

const char *nearest_command(const char *word)
{
    const char *best = NULL;
    size_t length = strlen(word), allowed = length < 3 ? 0 : 1 + length / 4;
    if (length > LONGEST)
        return NULL;
    for (const subcommand *s = subcommands; s->name != NULL; s++) {
        size_t far = farness(word, s->name);
        if (far > allowed || (best != NULL && far == allowed))
            continue;
        best = s->name;
        allowed = far;
    }
    return best;
}
