#include "smc/kth.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/compare.h"

/* A search: the answer is low + d for the smallest distance d, from … to, at which enough values
 * lie at or below. */
typedef struct search {
    uint64_t from, to;
} search;

static uint64_t range(const kth_query *q)
{
    return (uint64_t)q->high - (uint64_t)q->low;
}

static kith_status check(const kth_query *q, const kth_values *v, uint32_t most, kith_error *error)
{
    if (q->low > q->high || range(q) == UINT64_MAX || q->rank == 0)
        return error_set(error, KITH_INVALID, "a search needs a range and a rank");
    if (q->kind == KTH_QUANTILE && (q->parts == 0 || q->rank > q->parts))
        return error_set(error, KITH_INVALID, "a quantile of %u / %u", q->rank, q->parts);
    if (v->count > most)
        return error_set(error, KITH_INVALID, "more values than the public bound of %u", most);
    for (size_t i = 0; i < v->count; i++)
        if (v->value[i] < q->low || v->value[i] > q->high ||
            (i > 0 && v->value[i - 1] > v->value[i]))
            return error_set(error, KITH_INVALID, "values are not sorted, or outside their range");
    return KITH_OK;
}

/* How many of mine are at most low + d. Local: its timing is this party's own affair. */
static int64_t at_most(const kth_query *q, const kth_values *v, uint64_t d)
{
    size_t from = 0, to = v->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if ((uint64_t)v->value[middle] - (uint64_t)q->low <= d)
            from = middle + 1;
        else
            to = middle;
    }
    return (int64_t)from;
}

/* Enough lie at or below if the sum of the parties' votes is at least `least`. */
static int64_t vote(const kth_query *q, const kth_values *v, uint64_t d)
{
    int64_t below = at_most(q, v, d), all = (int64_t)v->count;
    switch (q->kind) {
    case KTH_LARGEST: return below - all; /* minus those above: fewer than rank of them */
    case KTH_QUANTILE: return below * q->parts - all * q->rank;
    default: return below;
    }
}

static int64_t least(const kth_query *q)
{
    switch (q->kind) {
    case KTH_LARGEST: return 1 - (int64_t)q->rank;
    case KTH_QUANTILE: return 0;
    default: return q->rank;
    }
}

static int64_t public_bound(const kth_query *query, size_t n, uint32_t most)
{
    uint32_t factor = 1;
    for (size_t i = 0; i < n; i++)
        if (query[i].kind == KTH_QUANTILE && query[i].parts > factor)
            factor = query[i].parts;
    return (int64_t)most * factor;
}

/* Buffers for one step: only searches that are not yet at an end take part. */
typedef struct step {
    size_t *open;
    int64_t *vote, *least;
    uint64_t *enough;
} step;

static kith_status one_step(party *p, search *s, step *t, const kth_query *query,
                            const kth_values *values, size_t n, int64_t bound, size_t *open,
                            kith_error *error)
{
    *open = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i].from == s[i].to)
            continue;
        uint64_t middle = s[i].from + (s[i].to - s[i].from) / 2;
        t->vote[*open] = vote(&query[i], &values[i], middle);
        t->least[*open] = least(&query[i]);
        t->open[(*open)++] = i;
    }
    TRY(compare_part(p, t->enough, t->vote, t->least, *open, 1, bound, SMC_ALL, error));
    for (size_t k = 0; k < *open; k++) {
        search *x = &s[t->open[k]];
        uint64_t middle = x->from + (x->to - x->from) / 2;
        if (smc_bit(t->enough, k))
            x->to = middle;
        else
            x->from = middle + 1;
    }
    return KITH_OK;
}

/* Whether there are as many values as the rank asks for: "none" is an output of its own. */
static kith_status are_there(party *p, bool *found, const kth_query *query,
                             const kth_values *values, size_t n, step *t, int64_t bound,
                             kith_error *error)
{
    for (size_t i = 0; i < n; i++) {
        t->vote[i] = (int64_t)values[i].count;
        t->least[i] = query[i].kind == KTH_QUANTILE ? 1 : query[i].rank;
    }
    TRY(compare_part(p, t->enough, t->vote, t->least, n, 1, bound, SMC_ALL, error));
    for (size_t i = 0; i < n; i++)
        found[i] = smc_bit(t->enough, i);
    return KITH_OK;
}

static kith_status run(party *p, int64_t *out, bool *found, const kth_query *query,
                       const kth_values *values, size_t n, uint32_t most, arena *scratch,
                       kith_error *error)
{
    const int64_t bound = public_bound(query, n, most);
    search *s = TRY_ALLOC(arena_array(scratch, n + 1, sizeof *s), error);
    step t = {arena_array(scratch, n + 1, sizeof *t.open),
              secret_memory_array(scratch, n, sizeof *t.vote),
              arena_array(scratch, n + 1, sizeof *t.least),
              arena_zalloc(scratch, smc_words(n) + 1, sizeof *t.enough)};
    TRY_ALLOC(t.open, error);
    TRY_ALLOC(t.vote, error);
    TRY_ALLOC(t.least, error);
    TRY_ALLOC(t.enough, error);
    TRY(are_there(p, found, query, values, n, &t, bound, error));
    for (size_t i = 0; i < n; i++)
        s[i] = (search){0, found[i] ? range(&query[i]) : 0};
    for (size_t open = 1; open > 0;)
        TRY(one_step(p, s, &t, query, values, n, bound, &open, error));
    for (size_t i = 0; i < n; i++)
        out[i] = found[i] ? (int64_t)((uint64_t)query[i].low + s[i].from) : 0;
    return KITH_OK;
}

kith_status kth(party *p, int64_t *out, bool *found, const kth_query *query,
                const kth_values *values, size_t n, uint32_t most, kith_error *error)
{
    for (size_t i = 0; i < n; i++)
        TRY(check(&query[i], &values[i], most, error));
    if (public_bound(query, n, most) > COMPARE_MAX_BOUND)
        return error_set(error, KITH_INVALID, "too many values for quantiles so fine");
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = run(p, out, found, query, values, n, most, scratch, error);
    arena_free(scratch);
    if (status == KITH_OK)
        party_learns(p, DISCLOSE_AGGREGATE, "kth", n);
    return status;
}
