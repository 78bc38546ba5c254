/* A generated table read back with nothing of the library: cells as codes per column, for counting.
 * The profiles write no quotes, so that a line is split at its commas. */
#ifndef GENERATE_SAMPLE_H
#define GENERATE_SAMPLE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/scratch.h"

enum { SAMPLE_COLUMNS = 16 };

typedef struct sample {
    char *text;
    size_t n_rows, n_columns;
    char *name[SAMPLE_COLUMNS];
    char **cell[SAMPLE_COLUMNS];    /* [n_rows] */
    char **value[SAMPLE_COLUMNS];   /* distinct, sorted */
    uint32_t *code[SAMPLE_COLUMNS]; /* [n_rows], index into value */
    size_t distinct[SAMPLE_COLUMNS];
} sample;

static int sample_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t sample_split(char *line, char **cells)
{
    size_t n = 0;
    cells[n++] = line;
    for (; *line != '\0'; line++)
        if (*line == ',') {
            *line = '\0';
            if (n == SAMPLE_COLUMNS)
                abort();
            cells[n++] = line + 1;
        }
    return n;
}

static void sample_encode(sample *s, size_t c)
{
    s->value[c] = malloc(s->n_rows * sizeof(char *));
    memcpy(s->value[c], s->cell[c], s->n_rows * sizeof(char *));
    qsort(s->value[c], s->n_rows, sizeof(char *), sample_compare);
    for (size_t r = 0; r < s->n_rows; r++)
        if (r == 0 || strcmp(s->value[c][r], s->value[c][s->distinct[c] - 1]) != 0)
            s->value[c][s->distinct[c]++] = s->value[c][r];
    s->code[c] = malloc(s->n_rows * sizeof(uint32_t));
    for (size_t r = 0; r < s->n_rows; r++) {
        char **found =
            bsearch(&s->cell[c][r], s->value[c], s->distinct[c], sizeof(char *), sample_compare);
        s->code[c][r] = (uint32_t)(found - s->value[c]);
    }
}

static void sample_load(sample *s, const char *path)
{
    memset(s, 0, sizeof *s);
    size_t length = 0, n_lines = 0;
    s->text = scratch_read(path, &length);
    if (s->text == NULL)
        abort();
    for (size_t i = 0; i < length; i++)
        n_lines += s->text[i] == '\n';
    char *next = s->text, *lines = strsep(&next, "\n");
    s->n_columns = sample_split(lines, s->name);
    s->n_rows = n_lines - 1;
    for (size_t c = 0; c < s->n_columns; c++)
        s->cell[c] = malloc((s->n_rows + 1) * sizeof(char *));
    for (size_t r = 0; r < s->n_rows; r++) {
        char *cells[SAMPLE_COLUMNS];
        if (sample_split(strsep(&next, "\n"), cells) != s->n_columns)
            abort();
        for (size_t c = 0; c < s->n_columns; c++)
            s->cell[c][r] = cells[c];
    }
    for (size_t c = 0; c < s->n_columns; c++)
        sample_encode(s, c);
}

static void sample_free(sample *s)
{
    for (size_t c = 0; c < s->n_columns; c++) {
        free(s->cell[c]);
        free(s->value[c]);
        free(s->code[c]);
    }
    free(s->text);
}

static size_t sample_column(const sample *s, const char *name)
{
    for (size_t c = 0; c < s->n_columns; c++)
        if (strcmp(s->name[c], name) == 0)
            return c;
    abort();
}

/* Pearson's chi-square of two columns; *freedom receives the degrees of freedom. */
static double sample_chi_square(const sample *s, size_t a, size_t b, double *freedom)
{
    size_t n_rows = s->distinct[a], n_columns = s->distinct[b];
    double *count = calloc(n_rows * n_columns + n_rows + n_columns, sizeof *count);
    double *in_row = count + n_rows * n_columns, *in_column = in_row + n_rows;
    for (size_t r = 0; r < s->n_rows; r++) {
        count[s->code[a][r] * n_columns + s->code[b][r]]++;
        in_row[s->code[a][r]]++;
        in_column[s->code[b][r]]++;
    }
    double sum = 0;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++) {
            double expected = in_row[i] * in_column[j] / (double)s->n_rows;
            double away = count[i * n_columns + j] - expected;
            sum += away * away / expected;
        }
    free(count);
    *freedom = (double)(n_rows - 1) * (double)(n_columns - 1);
    return sum;
}

/* Cramér's V: 0 for independent columns, 1 where one tells the other. */
static double sample_cramer(const sample *s, const char *a, const char *b)
{
    size_t i = sample_column(s, a), j = sample_column(s, b);
    double freedom;
    double chi = sample_chi_square(s, i, j, &freedom);
    size_t min_distinct = s->distinct[i] < s->distinct[j] ? s->distinct[i] : s->distinct[j];
    return sqrt(chi / ((double)s->n_rows * (double)(min_distinct - 1)));
}

/* By how many standard deviations chi-square exceeds what independent columns give. */
static double sample_surprise(const sample *s, const char *a, const char *b)
{
    double freedom;
    double chi = sample_chi_square(s, sample_column(s, a), sample_column(s, b), &freedom);
    return (chi - freedom) / sqrt(2 * freedom);
}

/* Share of rows whose combination of these columns no other row has. */
static double sample_uniqueness(const sample *s, const char *const *names, size_t count)
{
    char **keys = malloc(s->n_rows * sizeof *keys);
    for (size_t r = 0; r < s->n_rows; r++) {
        char key[512];
        size_t used = 0;
        for (size_t i = 0; i < count; i++)
            used += (size_t)snprintf(key + used, sizeof key - used, "%s|",
                                     s->cell[sample_column(s, names[i])][r]);
        keys[r] = strdup(key);
    }
    qsort(keys, s->n_rows, sizeof *keys, sample_compare);
    size_t unique = 0;
    for (size_t r = 0; r < s->n_rows; r++)
        unique += (r == 0 || strcmp(keys[r], keys[r - 1]) != 0) &&
                  (r + 1 == s->n_rows || strcmp(keys[r], keys[r + 1]) != 0);
    for (size_t r = 0; r < s->n_rows; r++)
        free(keys[r]);
    free(keys);
    return (double)unique / (double)s->n_rows;
}

/* Share of empty cells. */
static double sample_missing(const sample *s, size_t column)
{
    size_t empty = 0;
    for (size_t r = 0; r < s->n_rows; r++)
        empty += s->cell[column][r][0] == '\0';
    return (double)empty / (double)s->n_rows;
}

#endif
