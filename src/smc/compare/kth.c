#include "smc/compare/kth.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/compare/compare.h"

/* The answer is low + d for the smallest distance d in from … to at which enough values are at or
 * below low + d. */
typedef struct range {
    uint64_t from, to;
} range;

/* All searches of a call. In each step only those take part that are not yet finished. */
typedef struct searches {
    party *party;
    const kth_query *queries; /* [n] */
    const kth_values *values; /* [n] */
    size_t n;
    int64_t bound; /* of all sums of votes */
    range *ranges; /* [n] */
    size_t *open;  /* [n_open] the searches of this step */
    size_t n_open;
    int64_t *votes, *thresholds; /* [n_open] */
    uint64_t *enough;            /* [n_open] bits */
} searches;

static uint64_t width(const kth_query *q)
{
    return (uint64_t)q->high - (uint64_t)q->low;
}

static uint64_t middle(const range *r)
{
    return r->from + (r->to - r->from) / 2;
}

static kith_status kth_check_query(const kth_query *q, const kth_values *v, kith_error *error)
{
    if (q->low > q->high || width(q) == UINT64_MAX || q->rank == 0)
        return error_set(error, KITH_INVALID, "a search needs a range and a rank");
    if (q->kind == KTH_QUANTILE && (q->parts == 0 || q->rank > q->parts))
        return error_set(error, KITH_INVALID, "the quantile %u/%u is not between 0 and 1", q->rank,
                         q->parts);
    if (v->count > q->max_values)
        return error_set(error, KITH_INVALID, "more values than the public bound of %u",
                         q->max_values);
    for (size_t i = 0; i < v->count; i++)
        if (v->values[i] < q->low || v->values[i] > q->high ||
            (i > 0 && v->values[i - 1] > v->values[i]))
            return error_set(error, KITH_INVALID, "values are not sorted, or outside their range");
    return KITH_OK;
}

/* Enough values are at or below low + d if the votes of all parties add up to the threshold. */
static int64_t vote(const kth_query *q, const kth_values *v, uint64_t d)
{
    /* How many of this party's values are at most low + d. No other party sees how long it takes:
     * the search is local. */
    size_t from = 0, to = v->count;
    while (from < to) {
        size_t at = from + (to - from) / 2;
        if ((uint64_t)v->values[at] - (uint64_t)q->low <= d)
            from = at + 1;
        else
            to = at;
    }
    int64_t below = (int64_t)from, all = (int64_t)v->count;
    switch (q->kind) {
    case KTH_LARGEST: return below - all; /* minus those above: fewer than rank of them */
    case KTH_QUANTILE: return below * q->parts - all * q->rank;
    default: return below;
    }
}

static int64_t threshold(const kth_query *q)
{
    switch (q->kind) {
    case KTH_LARGEST: return 1 - (int64_t)q->rank;
    case KTH_QUANTILE: return 0;
    default: return q->rank;
    }
}

/* All parties learn the answers, but the ledger lists the result of the whole search. */
static kith_status kth_ask(searches *s, size_t n, kith_error *error)
{
    const compare_sums sums = {
        .values = s->votes, .thresholds = s->thresholds, .n_groups = n, .bound = s->bound};
    return compare_thresholds(s->party, s->enough, &sums, (smc_output){SMC_ALL, NULL}, error);
}

/* Halves the ranges of all searches that have more than one candidate left. */
static kith_status halve_ranges(searches *s, kith_error *error)
{
    s->n_open = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->ranges[i].from == s->ranges[i].to)
            continue;
        s->votes[s->n_open] = vote(&s->queries[i], &s->values[i], middle(&s->ranges[i]));
        s->thresholds[s->n_open] = threshold(&s->queries[i]);
        s->open[s->n_open++] = i;
    }
    TRY(kth_ask(s, s->n_open, error));
    for (size_t k = 0; k < s->n_open; k++) {
        range *r = &s->ranges[s->open[k]];
        if (smc_bit(s->enough, k))
            r->to = middle(r);
        else
            r->from = middle(r) + 1;
    }
    return KITH_OK;
}

static kith_status kth_run(searches *s, int64_t *out, bool *found, arena *scratch,
                           kith_error *error)
{
    s->ranges = TRY_ALLOC(arena_array(scratch, s->n, sizeof *s->ranges), error);
    s->open = TRY_ALLOC(arena_array(scratch, s->n, sizeof *s->open), error);
    s->votes = TRY_ALLOC(secret_memory_array(scratch, s->n, sizeof *s->votes), error);
    s->thresholds = TRY_ALLOC(arena_array(scratch, s->n, sizeof *s->thresholds), error);
    s->enough = TRY_ALLOC(arena_zalloc(scratch, smc_words(s->n), sizeof *s->enough), error);
    /* Are there as many values as the rank asks for? "None" is an output of its own. */
    for (size_t i = 0; i < s->n; i++) {
        s->votes[i] = (int64_t)s->values[i].count;
        s->thresholds[i] = s->queries[i].kind == KTH_QUANTILE ? 1 : s->queries[i].rank;
    }
    TRY(kth_ask(s, s->n, error));
    for (size_t i = 0; i < s->n; i++)
        found[i] = smc_bit(s->enough, i);
    for (size_t i = 0; i < s->n; i++)
        s->ranges[i] = (range){0, found[i] ? width(&s->queries[i]) : 0};
    do {
        TRY(halve_ranges(s, error));
    } while (s->n_open > 0);
    for (size_t i = 0; i < s->n; i++)
        out[i] = found[i] ? (int64_t)((uint64_t)s->queries[i].low + s->ranges[i].from) : 0;
    return KITH_OK;
}

/* There is no smc_call here: every comparison is a call of its own. */
kith_status kth(party *p, int64_t *out, bool *found, const kth_query *queries,
                const kth_values *values, size_t n, kith_error *error)
{
    for (size_t i = 0; i < n; i++)
        TRY(kth_check_query(&queries[i], &values[i], error));
    searches s = {.party = p, .queries = queries, .values = values, .n = n};
    uint32_t factor = 1, max_values = 0;
    for (size_t i = 0; i < n; i++) {
        if (queries[i].kind == KTH_QUANTILE && queries[i].parts > factor)
            factor = queries[i].parts;
        max_values = queries[i].max_values > max_values ? queries[i].max_values : max_values;
    }
    s.bound = (int64_t)max_values * factor;
    if (s.bound > COMPARE_MAX_BOUND)
        return error_set(error, KITH_INVALID,
                         "%lld values times parts of a quantile exceed the limit of %lld",
                         (long long)s.bound, (long long)COMPARE_MAX_BOUND);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(kth_run(&s, out, found, scratch, error));
    party_learns(p, DISCLOSE_AGGREGATE, "kth", n);
    return KITH_OK;
}
