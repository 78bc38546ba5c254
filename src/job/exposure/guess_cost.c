/* How unlikely it is that a code has a name. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "job/exposure/guess_internal.h"

/* Records that are added to a name's, like the average record, so that nothing is impossible. */
static const double prior_records = 5;
/* Of a neighbour's likelihood: neighbours repeat in part what others have said. */
static const double neighbour_weight = 0.5;
/* For what cannot be: larger than any logarithm of a likelihood. */
static const double impossible = 1e9;

/* Work on one neighbouring column, shared by all threads. */
typedef struct neighbour {
    double *cost; /* [n_codes][n_names] */
    uint32_t n_codes, n_names;
    const guess_side *codes;
    const guess_suspect *beside;
    uint32_t width;      /* names of the neighbour that are told apart; the last is "any other" */
    const double *fit;   /* [width][n_names] log of the records with both names, prior included */
    const double *total; /* [n_names] log of the records with the name, prior included */
    uint32_t *scratch;   /* [n_workers][width] */
    double weight;
} neighbour;

static uint32_t clip(uint32_t name, uint32_t width)
{
    return name < width ? name : width - 1;
}

/* Adds what stands beside one code. */
static void add_code(void *user, size_t code, unsigned worker)
{
    const neighbour *n = user;
    uint32_t *seen = n->scratch + (size_t)worker * n->width, named = 0;
    double *cost = n->cost + code * n->n_names;
    memset(seen, 0, n->width * sizeof *seen);
    for (uint32_t i = n->codes->start[code]; i < n->codes->start[code + 1]; i++) {
        const uint32_t name = n->beside->name_of[n->beside->codes.item_of_row[n->codes->rows[i]]];
        if (name == GUESS_NONE)
            continue;
        seen[clip(name, n->width)]++;
        named++;
    }
    for (uint32_t z = 0; z < n->width; z++) {
        if (seen[z] == 0)
            continue;
        const double weight = n->weight * seen[z];
        const double *fit = n->fit + (size_t)z * n->n_names;
        for (uint32_t y = 0; y < n->n_names; y++)
            cost[y] -= weight * fit[y];
    }
    for (uint32_t y = 0; y < n->n_names; y++)
        cost[y] += n->weight * named * n->total[y];
}

/* How many known records have both names; `partner` (NULL: the same) is the record whose name of
 * the neighbour is taken. */
static void count_pairs(double *both, const neighbour *n, const guess_suspect *self,
                        const uint32_t *partner, uint32_t n_known)
{
    memset(both, 0, (size_t)n->width * n->n_names * sizeof *both);
    for (uint32_t i = 0; i < n_known; i++) {
        const uint32_t y = self->names.item_of_row[i];
        const uint32_t z = n->beside->names.item_of_row[partner == NULL ? i : partner[i]];
        if (y < n->n_names)
            both[(size_t)clip(z, n->width) * n->n_names + y]++;
    }
}

/* Mutual information of both columns, in nats, times the number of records. */
static double information(const double *both, const neighbour *n, const guess_suspect *self,
                          uint32_t n_known)
{
    double sum = 0;
    for (uint32_t z = 0; z < n->width; z++, both += n->n_names) {
        double count = 0;
        for (uint32_t y = 0; y < n->n_names; y++)
            count += both[y];
        for (uint32_t y = 0; y < n->n_names; y++)
            if (both[y] > 0)
                sum += both[y] * log(both[y] * n_known / (count * self->names.count[y]));
    }
    return sum;
}

/* The share of what two columns seem to tell about each other that is more than chance: what is
 * left if the neighbour's cells are shuffled is chance. */
static double signal_share(double *both, const neighbour *n, const guess_suspect *self,
                           const uint32_t *shuffled, uint32_t n_known)
{
    count_pairs(both, n, self, shuffled, n_known);
    const double chance = information(both, n, self, n_known);
    count_pairs(both, n, self, NULL, n_known);
    const double all = information(both, n, self, n_known);
    const double deviation = sqrt(2 * chance); /* of the difference of two such sums */
    return all - chance > 3 * deviation ? (all - chance) / all : 0;
}

/* From counts to the logarithms of counts, prior included. */
static void to_logarithms(double *both, const neighbour *n, uint32_t n_known)
{
    const guess_side *names = &n->beside->names;
    uint64_t others = 0; /* all that are not told apart */
    for (uint32_t z = n->width - 1; z < names->n_items; z++)
        others += names->count[z];
    for (uint32_t z = 0; z < n->width; z++) {
        const double count = z + 1 < n->width ? names->count[z] : (double)others;
        const double prior = prior_records * (count + 0.5) / (n_known + 0.5 * n->width);
        const double never = log(prior);
        for (uint32_t y = 0; y < n->n_names; y++, both++)
            *both = *both > 0 ? log(*both + prior) : never;
    }
}

static kith_status add_neighbour(neighbour *n, const guess_suspect *self,
                                 const guess_suspect *beside, const uint32_t *shuffled,
                                 uint32_t n_known, arena *scratch, context *c, kith_error *error)
{
    const size_t n_workers = threads_count(c->pool);
    n->beside = beside;
    n->width = beside->names.n_matched + 1;
    double *both = TRY_ALLOC(arena_array(scratch, n->width, n->n_names * sizeof *both), error);
    n->scratch = TRY_ALLOC(arena_array(scratch, n->width, n_workers * sizeof *n->scratch), error);
    n->weight = neighbour_weight * signal_share(both, n, self, shuffled, n_known);
    to_logarithms(both, n, n_known);
    n->fit = both;
    if (n->weight > 0)
        threads_run(c->pool, n->n_codes, add_code, n);
    arena_release(scratch, both, n->width * (size_t)n->n_names * sizeof *both);
    arena_release(scratch, n->scratch, n->width * n_workers * sizeof *n->scratch);
    return KITH_OK;
}

/* How often a code and a name occur: counts of two samples differ by chance. */
static void add_sizes(double *cost, const guess_suspect *self, const guess_tables *t)
{
    const double scale = (double)t->n_view / t->n_known;
    for (uint32_t x = 0; x < self->codes.n_matched; x++)
        for (uint32_t y = 0; y < self->names.n_matched; y++) {
            const double expected = self->names.count[y] * scale + 0.5;
            const double off = self->codes.count[x] - expected;
            *cost++ = off * off / (4 * expected + 2) + 0.5 * log(expected);
        }
}

/* Codes below a node must have names below its name. */
static void require_ancestor(double *cost, const guess_suspect *self, const guess_suspect *above)
{
    for (uint32_t x = 0; x < self->codes.n_matched; x++) {
        const uint32_t code = above->codes.item_of_row[self->codes.rows[self->codes.start[x]]];
        for (uint32_t y = 0; y < self->names.n_matched; y++, cost++) {
            const uint32_t name = above->names.item_of_row[self->names.rows[self->names.start[y]]];
            *cost += above->name_of[code] == name ? 0 : impossible;
        }
    }
}

/* The whole of a public hierarchy is in the view: a node shows how many leaves it has. */
static void require_leaves(double *cost, const guess_suspect *self)
{
    const uint32_t *leaves = self->source->leaves;
    for (uint32_t x = 0; x < self->codes.n_matched; x++)
        for (uint32_t y = 0; y < self->names.n_matched; y++, cost++)
            *cost += leaves[self->codes.label[x]] == leaves[self->names.label[y]] ? 0 : impossible;
}

kith_status guess_cost(double *cost, const guess_suspect *all, uint32_t self, const guess_tables *t,
                       const uint32_t *shuffled, arena *scratch, context *c, kith_error *error)
{
    const guess_suspect *mine = &all[self];
    neighbour n = {.cost = cost,
                   .n_codes = mine->codes.n_matched,
                   .n_names = mine->names.n_matched,
                   .codes = &mine->codes};
    add_sizes(cost, mine, t);
    double *total = TRY_ARRAY(total, scratch, n.n_names, error);
    for (uint32_t y = 0; y < n.n_names; y++)
        total[y] = log(mine->names.count[y] + prior_records);
    n.total = total;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (i == self || !all[i].solved)
            continue;
        TRY(add_neighbour(&n, mine, &all[i], shuffled, t->n_known, scratch, c, error));
        if (all[i].source->column == mine->source->column &&
            all[i].source->level > mine->source->level)
            require_ancestor(cost, mine, &all[i]);
    }
    if (mine->source->leaves != NULL)
        require_leaves(cost, mine);
    return KITH_OK;
}
