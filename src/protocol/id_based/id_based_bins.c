#include "protocol/id_based/id_based_bins.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "crypto/digest.h"

enum {
    EXACT = 48,  /* sets of up to so many names are counted exactly */
    SMALLEST = 4 /* that can lack a bin: three bins, one in each table, and four names */
};

/* --- the bounds --- */

static double log2_choose(double n, double k)
{
    return (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)) / M_LN2;
}

/* The expected number of sets of s names that have exactly s - 1 bins, each chosen twice or more;
 * `size` bins in each table. */
static double expected_exactly(double onto[EXACT + 1][EXACT + 1], int s, double n, double size)
{
    double way[EXACT + 1] = {0}, sum = 0; /* way[a]: that s names choose a bins of one table */
    for (int a = 1; 2 * a <= s && a <= size; a++)
        way[a] = exp2(log2_choose(size, a) + log2(onto[s][a]) - s * log2(size));
    for (int a = 1; a < s; a++)
        for (int b = 1; a + b < s - 1; b++)
            sum += way[a] * way[b] * way[s - 1 - a - b];
    return sum * exp2(log2_choose(n, s));
}

/* An upper bound of the same for larger s. The number of ways onto a bins is s! times a coefficient
 * of the power series (e^z - 1 - z)^a, which is at most its value at any z > 0 over z^s; this z is
 * the best one for three choices per bin. The numbers of ways to choose bins in the three tables
 * add up to those of choosing s - 1 bins of all. */
static double expected_at_most(double s, double n, double size)
{
    const double z = 2.1491, bin = log2(exp(z) - 1 - z);
    const double table = lgamma(s + 1) / M_LN2 - s * log2(z * size);
    return exp2(log2_choose(n, s) + log2_choose(ID_BASED_TABLES * size, s - 1) +
                ID_BASED_TABLES * table + (s - 1) * bin);
}

double id_based_bins_no_place(uint32_t lists, uint32_t n_bins)
{
    double onto[EXACT + 1][EXACT + 1], sum = 0;
    const double size = (double)n_bins / ID_BASED_TABLES;
    ASSERT(n_bins % ID_BASED_TABLES == 0);
    if (lists > n_bins)
        return 0;
    /* onto[s][a]: in how many ways s names choose among a bins so that each bin is chosen at least
     * twice: either the last name joins a bin that is good without it, or it shares a bin with
     * exactly one other. */
    memset(onto, 0, (EXACT + 1) * sizeof *onto);
    onto[0][0] = 1;
    for (int s = 2; s <= EXACT; s++)
        for (int a = 1; 2 * a <= s; a++)
            onto[s][a] = a * (onto[s - 1][a] + (s - 1) * onto[s - 2][a - 1]);
    for (uint32_t s = SMALLEST; s <= lists && sum < 1; s++)
        sum += s <= EXACT ? expected_exactly(onto, (int)s, lists, size)
                          : expected_at_most(s, lists, size);
    return sum < 1 ? log2(sum) : 0;
}

double id_based_bins_full(uint32_t lists, uint32_t n_bins, uint32_t capacity)
{
    const double size = (double)n_bins / ID_BASED_TABLES;
    double sum = 0;
    for (uint32_t load = capacity + 1; load <= lists; load++) {
        const double term = exp2(log2_choose(lists, load) - load * log2(size) +
                                 (lists - load) * log1p(-1 / size) / M_LN2);
        sum += term;
        if (term < sum * 1e-9)
            break; /* the terms fall by more than half each behind the mean */
    }
    return log2(n_bins * sum);
}

id_based_bins id_based_bins_for(uint32_t lists, bool hashing)
{
    const id_based_bins all = {.n_bins = lists, .capacity = lists};
    const double enough = -(ID_BASED_FAILURE_BITS + 1); /* for each of the two */
    uint32_t size = (uint32_t)(lists * 1.27 / ID_BASED_TABLES) + 1;
    id_based_bins bins = {.hashed = true};
    if (!hashing || lists <= SMALLEST)
        return all;
    while (id_based_bins_no_place(lists, size * ID_BASED_TABLES) > enough)
        size += size / 64 + 1;
    bins.n_bins = size * ID_BASED_TABLES;
    bins.capacity = lists / size + 1;
    while (bins.capacity < lists && id_based_bins_full(lists, bins.n_bins, bins.capacity) > enough)
        bins.capacity++;
    return (uint64_t)bins.n_bins * bins.capacity < (uint64_t)lists * lists ? bins : all;
}

/* --- places --- */

/* The bins of a name, one in each table. */
static void places_of(uint32_t places[ID_BASED_TABLES], const id_based_bins *bins,
                      const id_based_name *name, const unsigned char *run_id)
{
    const uint32_t size = bins->n_bins / ID_BASED_TABLES;
    uint64_t word[ID_BASED_TABLES];
    digest d;
    digest_init(&d, "kith id-based bins", sizeof word);
    digest_part(&d, run_id, 32);
    digest_part(&d, name->bytes, sizeof name->bytes);
    digest_final(&d, (unsigned char *)word);
    for (uint32_t t = 0; t < ID_BASED_TABLES; t++)
        places[t] = t * size + (uint32_t)(((__uint128_t)word[t] * size) >> 64);
}

/* A search for augmenting paths: the bins that can be reached from a name by moving others. */
typedef struct matching {
    uint32_t *in_bin;    /* [n_bins] the result so far */
    const uint32_t *bin; /* [n_names * ID_BASED_TABLES] */
    uint32_t *seen;      /* [n_bins] the last name from which the bin was reached, plus one */
    uint32_t *wants;     /* [n_bins] the name that would move into the bin */
    uint32_t *queue;     /* [n_bins] */
} matching;

/* Moves names along the path that ends in a free bin; the path begins at `name`. */
static void shift(matching *m, uint32_t name, uint32_t free_bin)
{
    for (uint32_t to = free_bin;;) {
        const uint32_t moving = m->wants[to];
        uint32_t from = ID_BASED_EMPTY;
        for (uint32_t t = 0; t < ID_BASED_TABLES && moving != name; t++)
            if (m->in_bin[m->bin[moving * ID_BASED_TABLES + t]] == moving)
                from = m->bin[moving * ID_BASED_TABLES + t];
        m->in_bin[to] = moving;
        if (moving == name)
            return;
        to = from;
    }
}

/* Finds a bin for one more name, breadth first; false if there is none. */
static bool place_one(matching *m, uint32_t name)
{
    uint32_t first = 0, last = 0, moving = name;
    for (;;) {
        for (uint32_t t = 0; t < ID_BASED_TABLES; t++) {
            const uint32_t bin = m->bin[moving * ID_BASED_TABLES + t];
            if (m->seen[bin] == name + 1)
                continue;
            m->seen[bin] = name + 1;
            m->wants[bin] = moving;
            if (m->in_bin[bin] == ID_BASED_EMPTY) {
                shift(m, name, bin);
                return true;
            }
            m->queue[last++] = bin;
        }
        if (first == last)
            return false;
        moving = m->in_bin[m->queue[first++]];
    }
}

static kith_status no_room(kith_error *error)
{
    return error_set(error, KITH_INFEASIBLE,
                     "the quasi-identifiers do not fit into their bins, which happens in one of "
                     "2^%d runs; nothing was sent about them",
                     ID_BASED_FAILURE_BITS);
}

kith_status id_based_bins_place(uint32_t *in_bin, const id_based_bins *bins,
                                const id_based_name *names, uint32_t n_names,
                                const unsigned char *run_id, arena *scratch, kith_error *error)
{
    const size_t n_bins = bins->n_bins, places = (size_t)n_names * ID_BASED_TABLES;
    for (size_t b = 0; b < n_bins; b++)
        in_bin[b] = !bins->hashed && b < n_names ? (uint32_t)b : ID_BASED_EMPTY;
    if (!bins->hashed)
        return KITH_OK;
    uint32_t *bin = TRY_ARRAY(bin, scratch, places, error);
    matching m = {.in_bin = in_bin, .bin = bin};
    m.seen = TRY_ZEROS(m.seen, scratch, n_bins, error);
    m.wants = TRY_ARRAY(m.wants, scratch, n_bins, error);
    m.queue = TRY_ARRAY(m.queue, scratch, n_bins, error);
    for (uint32_t i = 0; i < n_names; i++)
        places_of(bin + (size_t)i * ID_BASED_TABLES, bins, &names[i], run_id);
    for (uint32_t i = 0; i < n_names; i++)
        if (!place_one(&m, i))
            return no_room(error);
    return KITH_OK;
}

kith_status id_based_bins_spread(uint32_t *slots, const id_based_bins *bins,
                                 const id_based_name *names, uint32_t n_names,
                                 const unsigned char *run_id, arena *scratch, kith_error *error)
{
    const size_t n_bins = bins->hashed ? bins->n_bins : 1, n_slots = n_bins * bins->capacity;
    uint32_t *load = TRY_ZEROS(load, scratch, n_bins, error);
    for (size_t i = 0; i < n_slots; i++)
        slots[i] = !bins->hashed && i < n_names ? (uint32_t)i : ID_BASED_EMPTY;
    for (uint32_t i = 0; bins->hashed && i < n_names; i++) {
        uint32_t places[ID_BASED_TABLES];
        places_of(places, bins, &names[i], run_id);
        for (uint32_t t = 0; t < ID_BASED_TABLES; t++) {
            if (load[places[t]] == bins->capacity)
                return no_room(error);
            slots[(size_t)places[t] * bins->capacity + load[places[t]]++] = i;
        }
    }
    return KITH_OK;
}
