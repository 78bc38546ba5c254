#include "job/result/class_means.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/check.h"
#include "core/error.h"
#include "job/prepare/mean_scale.h"

/* A class while its values are added up. Values are divided by the size first, with what remains
 * kept apart: so the mean fits, and the rests are below the square of the size. The quotients are
 * unsigned, since on the way to the smallest integer they may pass below it. */
typedef struct class_sum {
    uint64_t size, quotients, rests;
    bool missing;
} class_sum;

static uint64_t power_of_ten(uint32_t exponent)
{
    uint64_t power = 1;
    for (uint32_t i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

void class_means_write(char text[MEAN_FORM_BYTES], int64_t whole, uint64_t rest, uint64_t n,
                       uint32_t decimals, char mark)
{
    uint32_t shown = decimals == 0 ? MEAN_FORM_WHOLE : decimals;
    const uint64_t fine = decimals == 0 ? power_of_ten(MEAN_FORM_WHOLE) : 1; /* steps in a unit */
    uint64_t steps = (2 * rest * fine + n) / (2 * n);
    ASSERT(rest < n);
    if (steps == fine) { /* rounded up to the next unit */
        whole++;
        steps = 0;
    }
    const bool negative = whole < 0;
    uint64_t units = negative ? 0 - (uint64_t)whole : (uint64_t)whole, behind = steps;
    if (negative && steps > 0) { /* -4 and 75 steps of 100 are -3.25 */
        units--;
        behind = fine - steps;
    }
    if (decimals > 0) {
        behind = units % power_of_ten(decimals);
        units /= power_of_ten(decimals);
    }
    for (; decimals == 0 && shown > 0 && behind % 10 == 0; shown--)
        behind /= 10;
    int used = snprintf(text, MEAN_FORM_BYTES, "%s%" PRIu64, negative ? "-" : "", units);
    if (shown > 0)
        snprintf(text + used, MEAN_FORM_BYTES - (size_t)used, "%c%0*" PRIu64,
                 mark == '\0' ? '.' : mark, (int)shown, behind);
}

kith_status class_means_make(const char *const **means, const prepared *p,
                             const prepared_column *col, const search_result *result, context *c,
                             kith_error *error)
{
    const partition *classes = &result->partition;
    const column *from = &p->table->columns[col->source];
    class_sum *sums = TRY_ZEROS(sums, c->memory, classes->n_classes, error);
    const char **texts = TRY_ZEROS(texts, c->memory, classes->n_classes, error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t class = classes->class_of[i];
        if (class == PARTITION_SUPPRESSED)
            continue;
        sums[class].size++;
        sums[class].missing |= from->codes[p->rows[i]] == TABLE_MISSING;
    }
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t class = classes->class_of[i];
        if (class == PARTITION_SUPPRESSED || sums[class].missing)
            continue;
        const int64_t n = (int64_t)sums[class].size;
        const int64_t value =
            mean_scale_units(&from->values, from->codes[p->rows[i]], col->decimals);
        sums[class].quotients += (uint64_t)(value / n - (value % n < 0));
        sums[class].rests += (uint64_t)((value % n + n) % n);
    }
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        const class_sum *s = &sums[i];
        char text[MEAN_FORM_BYTES];
        if (s->missing)
            continue;
        class_means_write(text, (int64_t)(s->quotients + s->rests / s->size), s->rests % s->size,
                          s->size, col->decimals, from->values.mark);
        texts[i] = TRY_ALLOC(arena_strdup(c->memory, text), error);
    }
    *means = texts;
    return KITH_OK;
}
