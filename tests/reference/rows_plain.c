/* Step numbers are those of SDC Algorithm 3. */
/* needs: clustering */
#include "reference/rows_plain.h"

#include <string.h>

#include "core/error.h"
#include "search/cluster/finish_merge.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "search/sequential_rules.h"
#include "protocol/rows/site_choices.h"
#include "search/cluster/block_pass.h"

typedef struct rows_plain_state {
    const problem *p;
    context *run;
    slots rows;
    problem sizes; /* the same problem without models that look at values */
    class_rules admit, by_size;
    bool strict; /* do clusters keep all models all the time? */
    value_counts census;
    uint32_t *table; /* [n_parts * n_values of the census] */
    clusters c;
    block_pass turns;
    site_choices sites;
    rng *rng;                /* [sites] */
    site_choices_laps *laps; /* [sites] */
    bool hide;
    uint32_t min_known;      /* smaller clusters are withheld */
    uint32_t others, values; /* m-privacy */
    uint32_t k;              /* what sizes are aimed at */
    sequential_course course;
    const char *stopped;
} rows_plain_state;

/* Finds the sensitive attribute that the distribution is arranged by, if any. */
static kith_status weigh(rows_plain_state *s, uint32_t n_parts, kith_error *error)
{
    TRY(value_counts_init(&s->census, &s->admit, s->run->memory, error));
    size_t room = (size_t)(n_parts > 2 ? n_parts : 2) * s->census.n_values; /* halves are two */
    s->table = TRY_ALLOC(arena_zalloc(s->run->memory, room, sizeof *s->table), error);
    for (uint32_t i = 0; i < s->p->n_records; i++)
        value_counts_add(&s->census, s->table, i);
    return value_counts_find_tightest(&s->census, s->table, s->p->n_records, error);
}

/* For every start: choices and laps go on where they were. */
static kith_status prepare(rows_plain_state *s, const search_spec *spec, const uint32_t *site,
                           kith_error *error)
{
    const problem *p = s->p;
    arena *memory = s->run->memory;
    TRY(slots_build_whole(&s->rows, p, memory, error));
    TRY(class_rules_init(&s->admit, p, memory, error));
    s->strict = spec->finish == FINISH_MERGE && s->admit.n_conditions > 0;
    s->min_known = s->strict || s->min_known < 2 ? 0 : s->min_known;
    uint32_t n_parts = site_choices_parts(p->n_records, s->k, s->min_known);
    TRY(weigh(s, n_parts, error));
    s->sizes = *p;
    s->sizes.n_models = 0;
    TRY(class_rules_init(&s->by_size, &s->sizes, memory, error));
    const class_rules *during = s->strict ? &s->admit : &s->by_size;
    TRY(clusters_init(&s->c, &s->rows, during, n_parts + n_parts / 4 + 2, memory, error));
    s->c.min_known = s->min_known;
    TRY(block_pass_init(&s->turns, &s->c, site, spec->block, error));
    uint32_t tightest = s->census.tightest;
    const sensitive_attribute *by = s->strict ? &p->sensitive[tightest] : NULL;
    TRY(site_choices_init(&s->sites, &s->c, site, by, n_parts, error));
    s->course = (sequential_course){.max_passes = spec->max_passes > 0 ? spec->max_passes
                                                                       : SEQUENTIAL_MAX_PASSES};
    s->stopped = NULL;
    if (s->rng != NULL)
        return KITH_OK;
    s->rng =
        TRY_ALLOC(arena_array(memory, (size_t)s->turns.sites.count + 1, sizeof *s->rng), error);
    s->laps =
        TRY_ALLOC(arena_zalloc(memory, (size_t)s->turns.sites.count + 1, sizeof *s->laps), error);
    for (uint32_t i = 0; i < s->turns.sites.count; i++)
        site_choices_rng(&s->rng[i], s->run->seed, i);
    return KITH_OK;
}

static const uint32_t *records_of(const rows_plain_state *s, uint32_t site, uint32_t *count)
{
    const block_pass_sites *sites = &s->turns.sites;
    *count = block_pass_records(&s->turns, site);
    return sites->records + sites->start[site];
}

/* One distribution of all records; with models, values are evened out, and *good tells whether they
 * hold. */
static kith_status distribute(rows_plain_state *s, uint32_t n_parts, bool *good, kith_error *error)
{
    uint32_t count;
    memset(s->table, 0, (size_t)n_parts * s->census.n_values * sizeof *s->table);
    for (uint32_t i = 0; i < s->turns.sites.count; i++) { /* 2 */
        const uint32_t *record = records_of(s, i, &count);
        site_choices_distribute(&s->sites, record, count, n_parts, &s->rng[i]);
        site_choices_count(&s->sites, &s->census, s->table, record, count);
    }
    for (uint32_t i = 0; i < s->turns.sites.count && s->strict; i++) { /* 6.1.1 */
        const uint32_t *record = records_of(s, i, &count);
        TRY(site_choices_flatten(&s->sites, &s->census, s->table, n_parts, record, count, error));
    }
    *good = !s->strict || site_choices_hold(&s->census, s->table, n_parts);
    return KITH_OK;
}

static void withhold_small(rows_plain_state *s)
{
    for (uint32_t cluster = 0; cluster < s->c.used; cluster++)
        if (s->c.size[cluster] > 0 && s->c.size[cluster] < s->c.min_known)
            clusters_withhold(&s->c, cluster);
}

static kith_status first_clusters(rows_plain_state *s, kith_error *error)
{
    uint32_t n_parts = site_choices_parts(s->p->n_records, s->k, s->min_known);
    bool good = false;
    for (;;) {
        TRY(distribute(s, n_parts, &good, error));
        if (good || n_parts == 1) /* all records together hold */
            break;
        n_parts = site_choices_fewer_parts(n_parts);
    }
    TRY(site_choices_create_clusters(&s->sites, n_parts, error)); /* 3 */
    withhold_small(s);
    clusters_compact(&s->c);
    return KITH_OK;
}

/* Evens out the halves of a cluster (6.1.2); if they do not hold, nobody goes. */
static kith_status even_out(rows_plain_state *s, uint32_t cluster, kith_error *error)
{
    memset(s->table, 0, (size_t)2 * s->census.n_values * sizeof *s->table);
    site_choices_count(&s->sites, &s->census, s->table, s->c.member[cluster], s->c.held[cluster]);
    for (uint32_t i = 0; i < s->turns.sites.count; i++) {
        uint32_t count = site_choices_members(&s->sites, cluster, i);
        TRY(site_choices_flatten(&s->sites, &s->census, s->table, 2, s->sites.members, count,
                                 error));
    }
    if (!site_choices_hold(&s->census, s->table, 2))
        for (uint32_t m = 0; m < s->c.held[cluster]; m++)
            s->sites.part_of[s->c.member[cluster][m]] = 0;
    return KITH_OK;
}

/* Splits one cluster; a half may come out empty. */
static kith_status split(rows_plain_state *s, uint32_t cluster, kith_error *error)
{
    TRY(clusters_reserve(&s->c, 1, error));
    uint32_t other = clusters_add(&s->c);
    for (uint32_t i = 0; i < s->turns.sites.count; i++) /* 22 */
        site_choices_halve(&s->sites, cluster, i, &s->rng[i]);
    if (s->strict)
        TRY(even_out(s, cluster, error));
    TRY(site_choices_move_half(&s->sites, cluster, other, error));
    for (int half = 0; half < 2; half++) { /* 23 */
        uint32_t part = half == 0 ? cluster : other;
        if (s->c.held[part] > 0)
            clusters_close(&s->c, part);
    }
    return KITH_OK;
}

static kith_status split_large(rows_plain_state *s, kith_error *error)
{
    clusters_compact(&s->c);
    uint32_t used = s->c.used;
    for (uint32_t cluster = 0; cluster < used; cluster++) /* 21 */
        if (sequential_too_large(s->c.size[cluster], s->k))
            TRY(split(s, cluster, error));
    withhold_small(s);
    clusters_compact(&s->c);
    return KITH_OK;
}

static kith_status pass(rows_plain_state *s, kith_error *error)
{
    block_pass *t = &s->turns;
    TRY(clusters_arrange(&s->c, error));
    t->totals.n_moves = t->totals.n_visited = 0;
    for (uint32_t i = 0; i < t->sites.count; i++) { /* 4 */
        site_choices_laps *l = &s->laps[i];
        site_choices_next_laps(l, block_pass_records(t, i), s->hide, &s->rng[i]);
        block_pass_open(t, i);
        for (int lap = 0; lap < 2; lap++) /* 5-18 */
            TRY(block_pass_lap(t, i, l->first[lap], l->records[lap], error));
        block_pass_close(t);
    }
    return KITH_OK;
}

static kith_status improve(rows_plain_state *s, kith_error *error)
{
    s->course.before = clusters_total_cost(&s->c);
    while (s->stopped == NULL) {
        if (!context_progress(s->run, "clustering", -1))
            return error_set(error, KITH_CANCELLED, "stopped while clustering");
        TRY(pass(s, error));        /* 4-20 */
        TRY(split_large(s, error)); /* 21-24 */
        s->stopped =
            sequential_end_pass(&s->course, s->p->n_records, s->turns.totals.n_visited, /* 25 */
                                s->turns.totals.n_moves > 0, clusters_total_cost(&s->c));
    }
    return KITH_OK;
}

/* Sends the records of withheld clusters away, site by site. */
static kith_status dissolve_withheld(rows_plain_state *s, kith_error *error)
{
    rows_finish_rounds h;
    TRY(clusters_arrange(&s->c, error));
    TRY(rows_finish_rounds_init(&h, &s->c, s->k, error));
    rows_finish_rounds_pick_withheld(&h);
    for (uint32_t i = 0; i < s->turns.sites.count; i++)
        TRY(rows_finish_rounds_dissolve(&h, s->turns.sites.site_of, i, error));
    s->c.min_known = 0;
    clusters_compact(&s->c);
    return KITH_OK;
}

static kith_status remove_small(rows_plain_state *s, uint32_t k, kith_error *error)
{
    rows_finish_rounds h;
    int64_t *price = TRY_ALLOC(arena_array(s->run->memory, s->c.used, sizeof *price), error);
    TRY(clusters_arrange(&s->c, error));
    TRY(rows_finish_rounds_init(&h, &s->c, k, error));
    while (rows_finish_rounds_pick(&h)) {
        if (!context_progress(s->run, "finishing", -1))
            return error_set(error, KITH_CANCELLED, "stopped while finishing");
        for (uint32_t i = 0; i < h.count; i++)
            price[i] = 0;
        rows_finish_rounds_price(&h, price);
        TRY(rows_finish_rounds_decide(&h, price, error));
        for (uint32_t i = 0; i < s->turns.sites.count; i++)
            TRY(rows_finish_rounds_dissolve(&h, s->turns.sites.site_of, i, error));
    }
    return KITH_OK;
}

/* Single moves that leave k records everywhere. */
static kith_status polish(rows_plain_state *s, uint32_t k, kith_error *error)
{
    bool done = false;
    s->turns.keep = k;
    for (uint32_t round = 0; round < ROWS_FINISH_MAX_POLISHING && !done; round++) {
        clusters_compact(&s->c);
        int64_t before = clusters_total_cost(&s->c);
        TRY(pass(s, error));
        done = rows_finish_rounds_polished(s->turns.totals.n_moves, before,
                                           clusters_total_cost(&s->c));
    }
    return KITH_OK;
}

/* How many values of the sensitive attribute the records of others have in this cluster. */
static uint32_t other_values(const rows_plain_state *s, uint32_t cluster, uint32_t site)
{
    uint64_t seen = 0;
    for (uint32_t m = 0; m < s->c.size[cluster]; m++)
        if (s->turns.sites.site_of[s->c.member[cluster][m]] != site)
            seen |= UINT64_C(1) << s->p->sensitive[0].values[s->c.member[cluster][m]];
    return (uint32_t)__builtin_popcountll(seen);
}

/* Does a site see some, but too few, records of others in this cluster, or too few values? */
static bool shows_few(const rows_plain_state *s, uint32_t cluster)
{
    for (uint32_t i = 0; i < s->turns.sites.count; i++) {
        uint32_t others = 0;
        for (uint32_t m = 0; m < s->c.size[cluster]; m++)
            others += s->turns.sites.site_of[s->c.member[cluster][m]] != i;
        if (others > 0 && (others < s->others || (s->values > 1 && s->admit.n_conditions > 0 &&
                                                  other_values(s, cluster, i) < s->values)))
            return true;
    }
    return false;
}

/* m-privacy, in the end: unites clusters that break it with the nearest ones. */
static kith_status keep_others(rows_plain_state *s, kith_error *error)
{
    for (bool left = s->others > 0; left;) {
        clusters_compact(&s->c);
        TRY(clusters_arrange(&s->c, error));
        bool *bad = TRY_ALLOC(arena_zalloc(s->run->memory, s->c.used, sizeof *bad), error);
        left = false;
        for (uint32_t i = 0; i < s->c.used; i++) {
            bad[i] = shows_few(s, i);
            left = left || bad[i];
        }
        if (left && s->c.used == 1)
            return error_set(error, KITH_INFEASIBLE, "all records together break m-privacy");
        if (left)
            TRY(rows_finish_rounds_merge(&s->c, s->k, bad, error));
    }
    return KITH_OK;
}

/* Unites clusters that break a model until all hold; *mended tells whether there were any. */
static kith_status mend(rows_plain_state *s, bool *mended, kith_error *error)
{
    *mended = false;
    for (bool left = true; left;) {
        clusters_compact(&s->c);
        TRY(clusters_arrange(&s->c, error));
        bool *bad = TRY_ALLOC(arena_zalloc(s->run->memory, s->c.used, sizeof *bad), error);
        left = false;
        for (uint32_t i = 0; i < s->c.used; i++) {
            bad[i] = !class_rules_allow(&s->admit, s->c.member[i], s->c.size[i]);
            left = left || bad[i];
        }
        *mended = *mended || left;
        TRY(rows_finish_rounds_merge(&s->c, s->k, bad, error));
    }
    return KITH_OK;
}

static kith_status finish(rows_plain_state *s, search_finish how, kith_error *error)
{
    bool mended = false;
    if (s->c.min_known > 0)
        TRY(dissolve_withheld(s, error));
    if (how == FINISH_MERGE)
        return finish_merge_small(&s->c, s->p->k, s->run, error); /* 26-30 */
    TRY(remove_small(s, s->k, error));
    TRY(polish(s, s->k, error));
    if (s->admit.n_conditions > 0)
        TRY(mend(s, &mended, error));
    s->c.rules = &s->admit;
    return mended ? polish(s, s->k, error) : KITH_OK;
}

/* One start, whose clusters are kept if they are the best so far. */
static kith_status try_start(search_result *result, rows_plain_state *s, const search_spec *spec,
                             const uint32_t *site, bool first, int64_t *best, kith_error *error)
{
    TRY(prepare(s, spec, site, error));
    TRY(first_clusters(s, error));
    TRY(improve(s, error));
    TRY(finish(s, spec->finish, error));
    TRY(keep_others(s, error));
    result->n_questions += s->turns.totals.n_questions;
    result->put_off += s->turns.totals.n_put_off;
    const int64_t cost = clusters_total_cost(&s->c);
    if (!first && cost >= *best)
        return KITH_OK;
    *best = cost;
    result->n_passes = s->course.n_passes;
    result->stopped = s->stopped;
    result->partition.n_classes = s->c.used;
    for (uint32_t i = 0; i < s->p->n_records; i++)
        result->partition.class_of[i] = s->c.of[i];
    return KITH_OK;
}

kith_status rows_plain(search_result *result, const problem *p, const search_spec *spec,
                       const rows_plain_sites *where, context *c, kith_error *error)
{
    rows_plain_state s = {.p = p,
                          .run = c,
                          .k = class_rules_min_size(p),
                          .hide = where->hide_sizes,
                          .min_known = where->withhold,
                          .others = where->others,
                          .values = where->values};
    int64_t best = 0;
    *result = (search_result){0};
    result->partition.class_of =
        TRY_ALLOC(arena_array(c->memory, (size_t)p->n_records + 1, sizeof(uint32_t)), error);
    TRY(search_feasible(p, c->memory, error));
    for (uint32_t start = 0; start == 0 || start < spec->n_restarts; start++)
        TRY(try_start(result, &s, spec, where->site, start == 0, &best, error));
    return partition_close(&result->partition, p, c->memory, error);
}
