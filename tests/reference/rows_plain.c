/* Step numbers are those of SDC Algorithm 3. */
#include "reference/rows_plain.h"

#include <string.h>

#include "core/error.h"
#include "search/cluster/finish_merge.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "search/cluster/sequential_rules.h"
#include "protocol/rows/site_choices.h"
#include "search/cluster/block_pass.h"

typedef struct over_sites {
    const problem *p;
    context *run;
    slots rows;
    problem sizes; /* the same problem without models that look at values */
    admit admit, by_size;
    bool strict; /* do clusters keep all models all the time? */
    census census;
    uint32_t *table; /* [parts * values of the census] */
    clusters c;
    turns turns;
    sites sites;
    rng *rng;         /* [sites] */
    sites_laps *laps; /* [sites] */
    bool hide;
    uint32_t k; /* what sizes are aimed at */
    sequential_course course;
    const char *stopped;
} over_sites;

/* Finds the sensitive attribute that deals are arranged by, if any. */
static kith_status weigh(over_sites *s, uint32_t parts, kith_error *error)
{
    TRY(census_init(&s->census, &s->admit, s->run->memory, error));
    size_t room = (size_t)(parts > 2 ? parts : 2) * s->census.values; /* halves are two */
    s->table = TRY_ALLOC(arena_zalloc(s->run->memory, room, sizeof *s->table), error);
    for (uint32_t i = 0; i < s->p->records; i++)
        census_add(&s->census, s->table, i);
    return census_weigh(&s->census, s->table, s->p->records, error);
}

static kith_status prepare(over_sites *s, const search_spec *spec, const uint32_t *site,
                           kith_error *error)
{
    const problem *p = s->p;
    arena *memory = s->run->memory;
    uint32_t parts = sequential_parts(p->records, s->k);
    TRY(slots_build_whole(&s->rows, p, memory, error));
    TRY(admit_init(&s->admit, p, memory, error));
    TRY(weigh(s, parts, error));
    s->sizes = *p;
    s->sizes.models = 0;
    TRY(admit_init(&s->by_size, &s->sizes, memory, error));
    s->strict = spec->finish == FINISH_MERGE && s->admit.conditions > 0;
    const admit *during = s->strict ? &s->admit : &s->by_size;
    TRY(clusters_init(&s->c, &s->rows, during, parts + parts / 4 + 2, memory, error));
    TRY(turns_init(&s->turns, &s->c, site, spec->block, error));
    uint32_t tightest = s->census.tightest;
    const secret *by = s->strict ? &p->secret[tightest] : NULL;
    TRY(sites_init(&s->sites, &s->c, site, by, parts, error));
    s->rng = TRY_ALLOC(arena_array(memory, (size_t)s->turns.sites + 1, sizeof *s->rng), error);
    s->laps = TRY_ALLOC(arena_zalloc(memory, (size_t)s->turns.sites + 1, sizeof *s->laps), error);
    for (uint32_t i = 0; i < s->turns.sites; i++)
        sites_rng(&s->rng[i], s->run->seed, i);
    return KITH_OK;
}

static const uint32_t *records_of(const over_sites *s, uint32_t site, uint32_t *count)
{
    const turns *t = &s->turns;
    *count = t->start[site + 1] - t->start[site];
    return t->record + t->start[site];
}

/* One deal of all records; with models, values are evened out, and *good tells whether they hold.
 */
static kith_status deal(over_sites *s, uint32_t parts, bool *good, kith_error *error)
{
    uint32_t count;
    memset(s->table, 0, (size_t)parts * s->census.values * sizeof *s->table);
    for (uint32_t i = 0; i < s->turns.sites; i++) { /* 2 */
        const uint32_t *record = records_of(s, i, &count);
        sites_deal(&s->sites, record, count, parts, &s->rng[i]);
        sites_count(&s->sites, &s->census, s->table, record, count);
    }
    for (uint32_t i = 0; i < s->turns.sites && s->strict; i++) { /* 6.1.1 */
        const uint32_t *record = records_of(s, i, &count);
        TRY(sites_flatten(&s->sites, &s->census, s->table, parts, record, count, error));
    }
    *good = !s->strict || sites_hold(&s->census, s->table, parts);
    return KITH_OK;
}

static kith_status first_clusters(over_sites *s, kith_error *error)
{
    uint32_t parts = sequential_parts(s->p->records, s->k);
    bool good = false;
    for (;;) {
        TRY(deal(s, parts, &good, error));
        if (good || parts == 1) /* all records together hold */
            break;
        parts = sites_fewer(parts);
    }
    TRY(sites_found(&s->sites, parts, error)); /* 3 */
    clusters_compact(&s->c);
    return KITH_OK;
}

/* Evens out the halves of a cluster (6.1.2); if they do not hold, nobody goes. */
static kith_status even_out(over_sites *s, uint32_t cluster, kith_error *error)
{
    memset(s->table, 0, (size_t)2 * s->census.values * sizeof *s->table);
    sites_count(&s->sites, &s->census, s->table, s->c.member[cluster], s->c.held[cluster]);
    for (uint32_t i = 0; i < s->turns.sites; i++) {
        uint32_t count = sites_members(&s->sites, cluster, i);
        TRY(sites_flatten(&s->sites, &s->census, s->table, 2, s->sites.members, count, error));
    }
    if (!sites_hold(&s->census, s->table, 2))
        for (uint32_t m = 0; m < s->c.held[cluster]; m++)
            s->sites.part_of[s->c.member[cluster][m]] = 0;
    return KITH_OK;
}

/* Splits one cluster; a half may come out empty. */
static kith_status split(over_sites *s, uint32_t cluster, kith_error *error)
{
    TRY(clusters_reserve(&s->c, 1, error));
    uint32_t other = clusters_add(&s->c);
    for (uint32_t i = 0; i < s->turns.sites; i++) /* 22 */
        sites_halve(&s->sites, cluster, i, &s->rng[i]);
    if (s->strict)
        TRY(even_out(s, cluster, error));
    TRY(sites_part(&s->sites, cluster, other, error));
    for (int half = 0; half < 2; half++) { /* 23 */
        uint32_t part = half == 0 ? cluster : other;
        if (s->c.held[part] > 0)
            clusters_close(&s->c, part);
    }
    return KITH_OK;
}

static kith_status split_large(over_sites *s, kith_error *error)
{
    clusters_compact(&s->c);
    uint32_t used = s->c.used;
    for (uint32_t cluster = 0; cluster < used; cluster++) /* 21 */
        if (sequential_too_large(s->c.size[cluster], s->k))
            TRY(split(s, cluster, error));
    clusters_compact(&s->c);
    return KITH_OK;
}

static kith_status pass(over_sites *s, kith_error *error)
{
    turns *t = &s->turns;
    TRY(clusters_arrange(&s->c, error));
    t->moves = t->visited = 0;
    for (uint32_t i = 0; i < t->sites; i++) { /* 4 */
        sites_laps *l = &s->laps[i];
        sites_next_laps(l, turns_records(t, i), s->hide, &s->rng[i]);
        for (int lap = 0; lap < 2; lap++) /* 5-18 */
            TRY(turns_lap(t, i, l->first[lap], l->records[lap], error));
    }
    return KITH_OK;
}

static kith_status improve(over_sites *s, kith_error *error)
{
    s->course.before = clusters_total_cost(&s->c);
    while (s->stopped == NULL) {
        if (!context_progress(s->run, "clustering", -1))
            return error_set(error, KITH_CANCELLED, "stopped while clustering");
        TRY(pass(s, error));                                                      /* 4-20 */
        TRY(split_large(s, error));                                               /* 21-24 */
        s->stopped = sequential_went(&s->course, s->p->records, s->turns.visited, /* 25 */
                                     s->turns.moves > 0, clusters_total_cost(&s->c));
    }
    return KITH_OK;
}

static kith_status remove_small(over_sites *s, uint32_t k, kith_error *error)
{
    hybrid_sites h;
    int64_t *price = TRY_ALLOC(arena_array(s->run->memory, s->c.used, sizeof *price), error);
    TRY(clusters_arrange(&s->c, error));
    TRY(hybrid_sites_init(&h, &s->c, k, error));
    while (hybrid_sites_pick(&h)) {
        if (!context_progress(s->run, "finishing", -1))
            return error_set(error, KITH_CANCELLED, "stopped while finishing");
        for (uint32_t i = 0; i < h.count; i++)
            price[i] = 0;
        hybrid_sites_price(&h, price);
        TRY(hybrid_sites_decide(&h, price, error));
        for (uint32_t i = 0; i < s->turns.sites; i++)
            TRY(hybrid_sites_dissolve(&h, s->turns.site, i, error));
    }
    return KITH_OK;
}

/* Single moves that leave k records everywhere. */
static kith_status polish(over_sites *s, uint32_t k, kith_error *error)
{
    bool done = false;
    s->turns.keep = k;
    for (uint32_t round = 0; round < HYBRID_SITES_POLISHING && !done; round++) {
        clusters_compact(&s->c);
        int64_t before = clusters_total_cost(&s->c);
        TRY(pass(s, error));
        done = hybrid_sites_polished(s->turns.moves, before, clusters_total_cost(&s->c));
    }
    return KITH_OK;
}

/* Unites clusters that break a model until all hold; *mended tells whether there were any. */
static kith_status mend(over_sites *s, bool *mended, kith_error *error)
{
    *mended = false;
    for (bool left = true; left;) {
        clusters_compact(&s->c);
        TRY(clusters_arrange(&s->c, error));
        bool *bad = TRY_ALLOC(arena_zalloc(s->run->memory, s->c.used, sizeof *bad), error);
        left = false;
        for (uint32_t i = 0; i < s->c.used; i++) {
            bad[i] = !admit_class(&s->admit, s->c.member[i], s->c.size[i]);
            left = left || bad[i];
        }
        *mended = *mended || left;
        TRY(hybrid_sites_unite(&s->c, s->k, bad, error));
    }
    return KITH_OK;
}

static kith_status finish(over_sites *s, search_finish how, kith_error *error)
{
    bool mended = false;
    if (how == FINISH_MERGE)
        return agglomerate_small(&s->c, s->p->k, s->run, error); /* 26-30 */
    TRY(remove_small(s, s->k, error));
    TRY(polish(s, s->k, error));
    if (s->admit.conditions > 0)
        TRY(mend(s, &mended, error));
    s->c.admit = &s->admit;
    return mended ? polish(s, s->k, error) : KITH_OK;
}

kith_status rows_plain(search_result *result, const problem *p, const search_spec *spec,
                       const rows_plain_sites *where, context *c, kith_error *error)
{
    over_sites s = {.p = p, .run = c, .k = admit_minimum_size(p), .hide = where->hide_sizes};
    s.course.max_passes = spec->max_passes > 0 ? spec->max_passes : SEQUENTIAL_MAX_PASSES;
    *result = (search_result){0};
    result->partition.class_of =
        TRY_ALLOC(arena_array(c->memory, (size_t)p->records + 1, sizeof(uint32_t)), error);
    TRY(search_feasible(p, c->memory, error));
    TRY(prepare(&s, spec, where->site, error));
    TRY(first_clusters(&s, error));
    TRY(improve(&s, error));
    TRY(finish(&s, spec->finish, error));
    result->passes = s.course.passes;
    result->questions = s.turns.questions;
    result->put_off = s.turns.put_off;
    result->stopped = s.stopped;
    result->partition.classes = s.c.used;
    for (uint32_t i = 0; i < p->records; i++)
        result->partition.class_of[i] = s.c.of[i];
    return partition_close(&result->partition, p, c->memory, error);
}
