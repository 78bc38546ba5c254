/* Models that look at how often the sensitive values of a class occur in it. */
#include "verify/checks.h"

#include <math.h>
#include <stdlib.h>

/* How often the most frequent value of a class occurs. Of a person of whom a value is certain, it
 * is the only one: then checks find 1, whatever is counted. */
static uint32_t max_count(const check_class *c)
{
    uint32_t max = 0;
    for (uint32_t i = 0; i < c->distinct; i++)
        max = c->count[i] > max ? c->count[i] : max;
    return max;
}

/* No value may take more than 1/l of a class. The tolerance is for an l that binary fractions
 * cannot hold. */
check_answer check_frequency(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    uint32_t max = max_count(c);
    if (c->certain)
        return (check_answer){model->need <= 1, 1};
    return (check_answer){max * model->need <= c->size * (1 + 1e-12), (double)c->size / max};
}

/* l-diversity (distinct) and p-sensitivity, which also asks for k rows. */
check_answer check_distinct(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    const uint32_t distinct = c->certain ? 1 : c->distinct;
    return (check_answer){c->size >= model->k && distinct >= model->need, distinct};
}

/* Entropy at least log l, up to rounding. */
check_answer check_entropy(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    double bits = 0;
    for (uint32_t i = 0; i < c->distinct; i++) {
        double share = (double)c->count[i] / c->size;
        bits -= share * log2(share);
    }
    return (check_answer){bits >= log2(model->need) - 1e-8, exp2(bits)};
}

static int descending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* r1 < c (r_l + … + r_m) with counts in descending order. */
check_answer check_recursive(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    uint32_t *sorted = malloc(c->distinct * sizeof *sorted);
    if (sorted == NULL)
        return (check_answer){false, NAN};
    for (uint32_t i = 0; i < c->distinct; i++)
        sorted[i] = c->count[i];
    qsort(sorted, c->distinct, sizeof *sorted, descending);
    double tail = 0, first = sorted[0];
    for (uint32_t i = 0; i < c->distinct; i++)
        tail += i + 1 >= model->need ? sorted[i] : 0;
    free(sorted);
    return (check_answer){tail > 0 && first < model->c * tail, first / tail};
}

/* (alpha, k)-anonymity: no value takes more than the share alpha of a class. */
check_answer check_share(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    double share = c->certain ? 1 : (double)max_count(c) / c->size;
    return (check_answer){c->size >= model->k && share <= model->need, share};
}

/* The share of the values that the study lists: all of them together, or the most frequent one. */
static double listed_share(const verify_model *model, const check_class *c, bool together)
{
    uint32_t max = 0, sum = 0;
    for (uint32_t i = 0; i < c->distinct; i++) {
        if (!model->listed[c->value[i]])
            continue;
        sum += c->count[i];
        max = c->count[i] > max ? c->count[i] : max;
    }
    return (double)(together ? sum : max) / c->size;
}

/* delta-presence: how likely a person of the class is in the research subset. */
check_answer check_presence(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    double share = listed_share(model, c, true);
    return (check_answer){model->low <= share && share <= model->need, share};
}

/* LKC: how surely one of the listed values can be concluded. */
check_answer check_confidence(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    double share = listed_share(model, c, false);
    return (check_answer){c->size >= model->k && share <= model->c, share};
}

/* Every value of the table occurs, and no share changes by a factor of e^delta or more. */
check_answer check_disclosure(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    double worst = c->distinct < model->values->count ? INFINITY : 0;
    for (uint32_t i = 0; i < c->distinct; i++) {
        double here = (double)c->count[i] * (double)n_all_rows;
        double there = (double)c->size * (double)model->values->overall[c->value[i]];
        double change = fabs(log(here / there));
        worst = change > worst ? change : worst;
    }
    return (check_answer){worst < model->need, worst};
}

/* beta-likeness: no share may grow by more than the factor 1 + beta over that in the whole table.
 * The enhanced form bounds the growth of frequent values by -ln(q), too. The tolerance is for
 * rounding. */
check_answer check_likeness(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    check_answer answer = {true, 0};
    for (uint32_t i = 0; i < c->distinct; i++) {
        double q = (double)model->values->overall[c->value[i]] / (double)n_all_rows;
        double gain = (double)c->count[i] / c->size / q - 1;
        double bound = model->enhanced && -log(q) < model->need ? -log(q) : model->need;
        answer.holds = answer.holds && gain <= bound + 1e-8;
        answer.value = gain > answer.value ? gain : answer.value;
    }
    return answer;
}

/* Does the class show the same values as the earlier class with this signature? */
static bool same_signature(const verify_model *model, const check_class *c, uint32_t signature)
{
    uint32_t from = model->signature_start[signature];
    if (model->signature_start[signature + 1] - from != c->distinct)
        return false;
    for (uint32_t i = 0; i < c->distinct; i++)
        if (model->signature_value[from + i] != c->value[i])
            return false;
    return true;
}

/* m-invariance: at least m values, each once, and those that every person of the class was shown
 * with before. */
check_answer check_invariance(const verify_model *model, const check_class *c, uint64_t n_all_rows)
{
    (void)n_all_rows;
    bool holds = c->distinct >= model->need && max_count(c) == 1;
    for (uint32_t i = 0; i < c->size && model->signature != NULL && holds; i++) {
        uint32_t earlier = model->signature[c->row[i]];
        holds = earlier == 0 || same_signature(model, c, earlier);
    }
    return (check_answer){holds, c->distinct};
}
