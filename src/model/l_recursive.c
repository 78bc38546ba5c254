/* Recursive (c,l)-diversity: with counts r1 >= r2 >= … there are at least l values, and
 * r1 < c (r_l + … + r_m). The value is r1 / (r_l + … + r_m). */
#include "model/criteria.h"

#include <math.h>

/* The largest count that comes after (count, value) in descending order, ties by value. */
static uint32_t next_largest(const histogram *h, uint32_t count, uint32_t *value)
{
    uint32_t best = 0, at = UINT32_MAX;
    for (uint32_t v = 0; v < h->n_values; v++) {
        uint32_t n = h->counts[v];
        bool after = n < count || (n == count && (*value == UINT32_MAX || v > *value));
        if (after && n > best) {
            best = n;
            at = v;
        }
    }
    *value = at;
    return best;
}

model_finding l_recursive_judge(const model_spec *model, const class_view *view)
{
    const histogram *h = criteria_histogram(model, view);
    uint32_t value = UINT32_MAX, count = UINT32_MAX, first = 0;
    uint64_t tail = view->size;
    for (double i = 1; i < model->l && count > 0; i++) {
        count = next_largest(h, count, &value);
        first = i == 1 ? count : first;
        tail -= count;
    }
    first = model->l > 1 ? first : criteria_max_count(h);
    double ratio = tail == 0 ? INFINITY : (double)first / (double)tail;
    model_finding f =
        criteria_at_most("most frequent value against the rest beyond l", ratio, model->c);
    f.holds = tail > 0 && (double)first < model->c * (double)tail;
    return f;
}
