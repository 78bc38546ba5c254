#include "protocol/rows/site_choices.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"

kith_status site_choices_init(site_choices *s, clusters *c, const uint32_t *site,
                              const sensitive_attribute *by, uint32_t n_parts, kith_error *error)
{
    uint32_t n = c->slots->n_records;
    *s = (site_choices){.c = c, .site_of = site};
    TRY(random_split_init(&s->split, by, n, n_parts > 2 ? n_parts : 2, c->memory, error));
    s->members = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->members), error);
    s->part = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->part), error);
    s->part_of = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *s->part_of), error);
    return KITH_OK;
}

void site_choices_rng(rng *r, uint64_t seed, uint32_t site)
{
    /* A range of streams that no other use of the seed has. */
    rng_init(r, seed, UINT64_C(0x517e000000) + site);
}

void site_choices_padding_rng(rng *r, uint64_t seed, uint32_t site)
{
    rng_init(r, seed, UINT64_C(0x517f000000) + site);
}

void site_choices_deal(site_choices *s, const uint32_t *record, uint32_t count, uint32_t n_parts,
                       rng *r)
{
    ASSERT(n_parts > 0);
    for (uint32_t m = 0; m < count; m++)
        s->members[m] = record[m];
    random_split_deal(&s->split, s->part, s->members, count, n_parts, r);
    for (uint32_t m = 0; m < count; m++)
        s->part_of[s->members[m]] = s->part[m];
}

kith_status site_choices_create_clusters(site_choices *s, uint32_t n_parts, kith_error *error)
{
    ASSERT(s->c->used == 0);
    TRY(clusters_reserve(s->c, n_parts, error));
    for (uint32_t i = 0; i < n_parts; i++)
        (void)clusters_add(s->c); /* ids are given out in order */
    for (uint32_t i = 0; i < s->c->slots->n_records; i++)
        TRY(clusters_append(s->c, s->part_of[i], i, error));
    for (uint32_t i = 0; i < n_parts; i++)
        if (s->c->held[i] > 0)
            clusters_close(s->c, i);
    return KITH_OK;
}

uint32_t site_choices_members(site_choices *s, uint32_t cluster, uint32_t site)
{
    const clusters *c = s->c;
    uint32_t count = 0;
    for (uint32_t m = 0; m < c->held[cluster]; m++)
        if (s->site_of == NULL || s->site_of[c->member[cluster][m]] == site)
            s->members[count++] = c->member[cluster][m];
    qsort(s->members, count, sizeof *s->members, sort_uint32);
    return count;
}

void site_choices_halve(site_choices *s, uint32_t cluster, uint32_t site, rng *r)
{
    uint32_t count = site_choices_members(s, cluster, site);
    random_split_deal(&s->split, s->part, s->members, count, 2, r);
    for (uint32_t m = 0; m < count; m++)
        s->part_of[s->members[m]] = s->part[m];
}

kith_status site_choices_move_half(site_choices *s, uint32_t cluster, uint32_t other,
                                   kith_error *error)
{
    clusters *c = s->c;
    uint32_t count = c->held[cluster];
    ASSERT(cluster != other && c->held[other] == 0);
    for (uint32_t m = 0; m < count; m++)
        s->members[m] = c->member[cluster][m];
    c->size[cluster] -= count; /* clusters_append counts them again */
    c->held[cluster] = 0;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t record = s->members[m];
        TRY(clusters_append(c, s->part_of[record] == 0 ? cluster : other, record, error));
    }
    return KITH_OK;
}

void site_choices_next_laps(site_choices_laps *l, uint32_t n_records, bool hide, rng *r)
{
    *l = (site_choices_laps){.alpha = l->alpha, .next = l->next, .records = {n_records, 0}};
    if (!hide || n_records == 0)
        return;
    l->alpha = l->alpha > 0 ? l->alpha : 0.5 + rng_unit(r);
    uint32_t count = (uint32_t)(l->alpha * n_records);
    count = count > 0 ? count : 1;
    /* The first lap has each record at most once; what is left of alpha n_i is the second. */
    l->first[0] = l->next;
    l->records[0] = count < n_records ? count : n_records;
    l->records[1] = count - l->records[0];
    l->first[1] = (l->first[0] + l->records[0]) % n_records;
    l->next = (l->first[1] + l->records[1]) % n_records;
}
