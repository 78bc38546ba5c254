#include "reference/mondrian_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/ordered/mondrian_rule.h"

typedef struct plain {
    const problem *p;
    const mondrian_plain_sites *sites;
    const mondrian_plain_options *options;
    regions space;
    arena *memory;
    search_result *result;
} plain;

/* A list of records of the union. */
typedef struct list {
    uint32_t *records;
    uint32_t n;
} list;

/* A way to split a list: the child of every record in it. */
typedef struct way {
    uint32_t attribute, n_children;
    uint32_t *child; /* [n] */
    region *regions; /* [n_children] of the attribute */
} way;

/* --- models, by their definitions --- */

static bool keeps(const plain *c, const model_spec *m, const uint32_t *records, uint32_t n)
{
    const problem *p = c->p;
    uint32_t most = 0, present = 0;
    const bool of_sites = model_of_sites(m->id);
    const uint32_t n_values = of_sites                     ? c->sites->count
                              : m->id == MODEL_L_DIVERSITY ? p->sensitive[m->sensitive].count
                                                           : 0;
    uint32_t *count = calloc(n_values + 1, sizeof *count);
    for (uint32_t i = 0; i < n && n_values > 0; i++)
        count[of_sites ? c->sites->site_of[records[i]]
                       : p->sensitive[m->sensitive].values[records[i]]]++;
    for (uint32_t v = 0; v < n_values; v++) {
        most = count[v] > most ? count[v] : most;
        present += count[v] > 0;
    }
    free(count);
    if (m->id == MODEL_M_PRIVACY)
        return n - most >= m->k;
    if (m->id == MODEL_L_SITE_DIVERSITY || m->variant == VARIANT_DISTINCT)
        return present >= m->l;
    return m->id != MODEL_L_DIVERSITY || n >= m->l * most;
}

/* m-privacy by values: what is left without a site has enough of every attribute of a model. */
static bool keeps_values(const plain *c, const model_spec *m, const uint32_t *records, uint32_t n)
{
    const problem *p = c->p;
    for (uint32_t i = 0; i < p->n_models && m->other_values > 1; i++)
        for (uint32_t s = 0; s < c->sites->count; s++) {
            uint64_t seen = 0;
            for (uint32_t r = 0; p->models[i].id == MODEL_L_DIVERSITY && r < n; r++)
                if (c->sites->site_of[records[r]] != s)
                    seen |= UINT64_C(1) << p->sensitive[p->models[i].sensitive].values[records[r]];
            if (p->models[i].id == MODEL_L_DIVERSITY &&
                (uint32_t)__builtin_popcountll(seen) < m->other_values)
                return false;
        }
    return true;
}

static bool is_good(const plain *c, const uint32_t *records, uint32_t n)
{
    bool good = n >= c->p->k;
    for (uint32_t m = 0; m < c->p->n_models && good; m++)
        good = keeps(c, &c->p->models[m], records, n);
    for (uint32_t m = 0; m < c->sites->n_models && good; m++)
        good = keeps(c, &c->sites->models[m], records, n) &&
               keeps_values(c, &c->sites->models[m], records, n);
    return good;
}

static list child_of(const plain *c, list all, const way *w, uint32_t child)
{
    list out = {arena_array(c->memory, all.n, sizeof(uint32_t)), 0};
    for (uint32_t i = 0; i < all.n; i++)
        if (w->child[i] == child)
            out.records[out.n++] = all.records[i];
    return out;
}

/* Halves must both be good; children of a node may be empty. */
static bool is_allowed(const plain *c, list all, const way *w)
{
    const bool ordered = c->space.axes[w->attribute].ordered;
    for (uint32_t g = 0; g < w->n_children; g++) {
        const list part = child_of(c, all, w, g);
        if ((ordered || part.n > 0) && !is_good(c, part.records, part.n))
            return false;
    }
    return true;
}

/* --- ways to split in one attribute --- */

static uint32_t cell_of(const plain *c, uint32_t j, uint32_t record)
{
    return regions_cell(&c->space.axes[j], c->p->attributes[j].cells[record]);
}

static uint32_t count_up_to(const plain *c, list all, uint32_t j, int64_t cell)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < all.n; i++)
        n += cell_of(c, j, all.records[i]) <= cell;
    return n;
}

static way new_way(const plain *c, list all, uint32_t j, uint32_t n_children)
{
    return (way){j, n_children, arena_zalloc(c->memory, all.n + 1, sizeof(uint32_t)),
                 arena_zalloc(c->memory, n_children, sizeof(region))};
}

static way cut_behind(const plain *c, list all, uint32_t j, region whole, uint32_t cut)
{
    way w = new_way(c, all, j, 2);
    for (uint32_t i = 0; i < all.n; i++)
        w.child[i] = cell_of(c, j, all.records[i]) > cut;
    w.regions[0] = (region){whole.low, cut};
    w.regions[1] = (region){cut + 1, whole.high};
    return w;
}

/* Every site distributes its own records of the median cell. */
static uint32_t distribute(const plain *c, list all, uint32_t median, uint64_t number,
                           uint32_t share, way *w)
{
    uint32_t n_left = 0;
    for (uint32_t s = 0; s < c->sites->count; s++) {
        mondrian_distribution d;
        list equal = {arena_array(c->memory, all.n, sizeof(uint32_t)), 0}; /* places in `all` */
        const mondrian_choices choices = mondrian_rule_seeded(c->options->seed, s);
        mondrian_rule_distribution(&d, &choices, number);
        for (uint32_t i = 0; i < all.n; i++)
            if (c->sites->site_of[all.records[i]] == s &&
                cell_of(c, w->attribute, all.records[i]) == median)
                equal.records[equal.n++] = i;
        rng_shuffle(&d.choices, equal.records, equal.n);
        const uint32_t quota = mondrian_rule_quota(&d, equal.n, share);
        for (uint32_t i = 0; i < equal.n; i++)
            w->child[equal.records[i]] = i >= quota;
        n_left += quota;
    }
    return n_left;
}

static uint32_t relaxed_ways(const plain *c, list all, uint32_t j, region whole, uint32_t median,
                             uint64_t number, way *ways)
{
    const uint32_t below = count_up_to(c, all, j, (int64_t)median - 1);
    for (uint32_t share = 1;; share++) {
        ways[0] = cut_behind(c, all, j, whole, median);
        const uint32_t left = below + distribute(c, all, median, number, share, &ways[0]);
        if (2 * left < all.n)
            continue;
        if (share == MONDRIAN_SHARES)
            return median < whole.high;
        ways[0].regions[1].low = median;
        return 1;
    }
}

/* The ways in the order in which they are tried; returns how many there are. */
static uint32_t ordered_ways(const plain *c, list all, uint32_t j, region whole, uint64_t number,
                             way *ways)
{
    uint32_t median = whole.low;
    while (2 * count_up_to(c, all, j, median) < all.n)
        median++;
    if (c->options->relaxed)
        return relaxed_ways(c, all, j, whole, median, number, ways);
    const double with = count_up_to(c, all, j, median);
    const double below = count_up_to(c, all, j, (int64_t)median - 1);
    uint32_t n = 0;
    if (median < whole.high)
        ways[n++] = cut_behind(c, all, j, whole, median);
    if (median > whole.low)
        ways[n++] = cut_behind(c, all, j, whole, median - 1);
    if (n == 2 && fabs(with - all.n / 2.0) > fabs(below - all.n / 2.0)) {
        const way first = ways[0];
        ways[0] = ways[1];
        ways[1] = first;
    }
    return n;
}

static uint32_t tree_ways(const plain *c, list all, uint32_t j, region whole, way *ways)
{
    const region_axis *a = &c->space.axes[j];
    ways[0] = new_way(c, all, j, regions_n_children(a, whole));
    for (uint32_t g = 0; g < ways[0].n_children; g++)
        ways[0].regions[g] = regions_child(a, whole, g);
    for (uint32_t i = 0; i < all.n; i++)
        ways[0].child[i] = regions_child_of(a, whole, c->p->attributes[j].cells[all.records[i]]);
    return 1;
}

/* --- the score --- */

/* Records of each child and site: [n_children * sites]. */
static const uint32_t *count_sites(const plain *c, list all, const way *w)
{
    const uint32_t n = c->sites->count;
    uint32_t *count = arena_zalloc(c->memory, (size_t)w->n_children * n, sizeof *count);
    for (uint32_t i = 0; i < all.n; i++)
        count[(size_t)w->child[i] * n + c->sites->site_of[all.records[i]]]++;
    return count;
}

/* Equation (2): the entropies of the halves, added or weighted. */
static double entropy_of(const plain *c, list all, const way *w, const uint32_t *count)
{
    const uint32_t n_sites = c->sites->count;
    double sum = 0;
    for (uint32_t g = 0; g < w->n_children; g++) {
        double n = 0, entropy = 0;
        for (uint32_t s = 0; s < n_sites; s++)
            n += count[(size_t)g * n_sites + s];
        for (uint32_t s = 0; s < n_sites; s++) {
            const double p = count[(size_t)g * n_sites + s] / n;
            entropy -= p > 0 ? p * log2(p) : 0;
        }
        sum += c->options->entropy == ENTROPY_PRINTED ? entropy : 2 * n / all.n * entropy;
    }
    return sum;
}

/* In the fixed point of the protocol, so that ties are the same. */
static int64_t score(const plain *c, list all, const way *w, double width, double max_width)
{
    const double alpha = c->options->alpha;
    const double weight = (1 - alpha) / (2 * log2(c->sites->count));
    const double range = alpha * width / max_width;
    const uint32_t *count = count_sites(c, all, w), n_sites = c->sites->count;
    int64_t entropy = 0, uneven[2] = {0, 0};
    if (c->options->entropy != ENTROPY_PROTOCOL)
        return llround(ldexp(range + weight * entropy_of(c, all, w, count), 36));
    for (size_t i = 0; i < (size_t)w->n_children * n_sites; i++) {
        const double p = 2.0 * count[i] / all.n;
        entropy += p > 0 ? llround(-p * log2(p) * 65536) : 0;
        if (w->n_children == 2)
            uneven[i / n_sites] += llround(ldexp(weight * 2 * p, 36));
    }
    const int64_t smaller = uneven[0] < uneven[1] ? uneven[0] : uneven[1];
    const double bias = w->n_children == 2 ? -2 * weight : weight * 2 * log2(w->n_children / 2.0);
    return entropy * llround(weight * 1048576) - smaller + llround(ldexp(range - bias, 36));
}

/* --- recursion --- */

typedef struct choice {
    uint32_t n_ways;
    way ways[2];
    double width;
    int64_t score;
} choice;

static void make_class(plain *c, list all, const region *at)
{
    partition *to = &c->result->partition;
    const size_t first = (size_t)to->n_classes * c->p->n_attributes;
    for (uint32_t i = 0; i < all.n; i++)
        to->class_of[all.records[i]] = to->n_classes;
    for (uint32_t j = 0; j < c->p->n_attributes; j++) {
        const region_axis *a = &c->space.axes[j];
        to->closure[first + j] = regions_closure(a, at[j]);
        if (c->options->ranges)
            regions_range(a, at[j], &c->result->low[first + j], &c->result->high[first + j]);
    }
    to->n_classes++;
}

/* Of equal scores the wider one, then the lower attribute. */
static bool is_better(const choice *a, const choice *b)
{
    return a->score != b->score ? a->score > b->score : a->width > b->width;
}

/* Lists the choices, best first. */
static uint32_t list_choices(const plain *c, list all, const region *at, uint64_t number,
                             choice *choices)
{
    uint32_t n = 0;
    double max_width = 0;
    for (uint32_t j = 0; j < c->p->n_attributes; j++) {
        const region_axis *a = &c->space.axes[j];
        if (!regions_can_cut(a, at[j]))
            continue;
        choice *one = &choices[n++];
        *one = (choice){.width = regions_width(a, at[j])};
        one->n_ways = a->ordered ? ordered_ways(c, all, j, at[j], number, one->ways)
                                 : tree_ways(c, all, j, at[j], one->ways);
        max_width = one->width > max_width ? one->width : max_width;
    }
    for (uint32_t i = 0; i < n; i++) {
        choice one = choices[i];
        /* A split that cannot be is scored as well, and skipped. */
        one.score = c->options->alpha == 1 ? llround(ldexp(one.width, 40))
                                           : score(c, all, &one.ways[0], one.width, max_width);
        uint32_t place = i;
        while (place > 0 && is_better(&one, &choices[place - 1])) {
            choices[place] = choices[place - 1];
            place--;
        }
        choices[place] = one;
    }
    return n;
}

static void split(plain *c, list all, const region *at, uint64_t number)
{
    choice *choices = arena_zalloc(c->memory, c->p->n_attributes, sizeof *choices);
    uint32_t n = 0;
    if (all.n >= 2 * c->p->k)
        n = list_choices(c, all, at, number, choices);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < choices[i].n_ways; k++) {
            const way *w = &choices[i].ways[k];
            if (!is_allowed(c, all, w))
                continue;
            for (uint32_t g = 0; g < w->n_children; g++) {
                region *below = arena_array(c->memory, c->p->n_attributes, sizeof *below);
                const list part = child_of(c, all, w, g);
                memcpy(below, at, c->p->n_attributes * sizeof *below);
                below[w->attribute] = w->regions[g];
                if (part.n > 0)
                    split(c, part, below, mondrian_rule_child(number, g));
            }
            return;
        }
    make_class(c, all, at);
}

/* Numbers the classes by their first records. */
static void renumber(plain *c)
{
    partition *r = &c->result->partition;
    uint32_t **const shown[] = {&r->closure, &c->result->low, &c->result->high};
    const uint32_t n = c->p->n_attributes;
    uint32_t *number = arena_array(c->memory, r->n_classes, sizeof *number), next = 0;
    uint32_t *first = arena_array(c->memory, r->n_classes, sizeof *first); /* the old numbers */
    memset(number, 0xff, r->n_classes * sizeof *number);
    for (uint32_t i = 0; i < c->p->n_records; i++) {
        uint32_t *class = &number[r->class_of[i]];
        if (*class == UINT32_MAX) {
            first[next] = r->class_of[i];
            *class = next++;
        }
        r->class_of[i] = *class;
    }
    for (int k = 0; k < (c->options->ranges ? 3 : 1); k++) {
        uint32_t *sorted = arena_array(c->memory, (size_t)r->n_classes * n, sizeof *sorted);
        for (uint32_t i = 0; i < r->n_classes; i++)
            memcpy(sorted + (size_t)i * n, *shown[k] + (size_t)first[i] * n, n * sizeof *sorted);
        *shown[k] = sorted;
    }
}

kith_status mondrian_plain(search_result *result, const problem *p,
                           const mondrian_plain_sites *sites, const mondrian_plain_options *options,
                           arena *memory, kith_error *error)
{
    plain c = {.p = p, .sites = sites, .options = options, .memory = memory, .result = result};
    const size_t n_cells = (size_t)p->n_records * p->n_attributes;
    region *whole = arena_array(memory, p->n_attributes, sizeof *whole);
    list all = {arena_array(memory, p->n_records, sizeof(uint32_t)), p->n_records};
    *result = (search_result){0};
    result->partition.class_of = arena_array(memory, p->n_records, sizeof(uint32_t));
    result->partition.closure = arena_array(memory, n_cells, sizeof(uint32_t));
    if (options->ranges) {
        result->low = arena_array(memory, n_cells, sizeof(uint32_t));
        result->high = arena_array(memory, n_cells, sizeof(uint32_t));
    }
    TRY(regions_init(&c.space, p, memory, error));
    for (uint32_t i = 0; i < p->n_records; i++)
        all.records[i] = i;
    for (uint32_t j = 0; j < p->n_attributes; j++)
        whole[j] = regions_whole(&c.space.axes[j]);
    if (!is_good(&c, all.records, all.n))
        return error_set(error, KITH_INFEASIBLE, "all records together are no class");
    split(&c, all, whole, MONDRIAN_ROOT);
    renumber(&c);
    return KITH_OK;
}
