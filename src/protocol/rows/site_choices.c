#include "protocol/rows/site_choices.h"

#include <stdlib.h>

#include "core/error.h"

kith_status sites_init(sites *s, clusters *c, const uint32_t *site, const secret *by,
                       uint32_t parts, kith_error *error)
{
    uint32_t n = c->slots->records;
    *s = (sites){.c = c, .site = site};
    TRY(spread_init(&s->spread, by, n, parts > 2 ? parts : 2, c->memory, error));
    s->members = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->members), error);
    s->part = TRY_ALLOC(arena_array(c->memory, n, sizeof *s->part), error);
    s->part_of = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *s->part_of), error);
    return KITH_OK;
}

void sites_rng(rng *r, uint64_t seed, uint32_t site)
{
    rng_init(r, seed, UINT64_C(0x517e000000) + site);
}

void sites_deal(sites *s, const uint32_t *record, uint32_t count, uint32_t parts, rng *r)
{
    for (uint32_t m = 0; m < count; m++)
        s->members[m] = record[m];
    spread_deal(&s->spread, s->part, s->members, count, parts, r);
    for (uint32_t m = 0; m < count; m++)
        s->part_of[s->members[m]] = s->part[m];
}

kith_status sites_found(sites *s, uint32_t parts, kith_error *error)
{
    TRY(clusters_reserve(s->c, parts, error));
    for (uint32_t i = 0; i < parts; i++)
        (void)clusters_add(s->c); /* ids are given out in order */
    for (uint32_t i = 0; i < s->c->slots->records; i++)
        TRY(clusters_append(s->c, s->part_of[i], i, error));
    for (uint32_t i = 0; i < parts; i++)
        if (s->c->held[i] > 0)
            clusters_close(s->c, i);
    return KITH_OK;
}

static int ascending(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

uint32_t sites_members(sites *s, uint32_t cluster, uint32_t site)
{
    const clusters *c = s->c;
    uint32_t count = 0;
    for (uint32_t m = 0; m < c->held[cluster]; m++)
        if (s->site == NULL || s->site[c->member[cluster][m]] == site)
            s->members[count++] = c->member[cluster][m];
    qsort(s->members, count, sizeof *s->members, ascending);
    return count;
}

void sites_halve(sites *s, uint32_t cluster, uint32_t site, rng *r)
{
    uint32_t count = sites_members(s, cluster, site);
    spread_deal(&s->spread, s->part, s->members, count, 2, r);
    for (uint32_t m = 0; m < count; m++)
        s->part_of[s->members[m]] = s->part[m];
}

kith_status sites_part(sites *s, uint32_t cluster, uint32_t other, kith_error *error)
{
    clusters *c = s->c;
    uint32_t count = c->held[cluster];
    for (uint32_t m = 0; m < count; m++)
        s->members[m] = c->member[cluster][m];
    c->size[cluster] -= count;
    c->held[cluster] = 0;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t record = s->members[m];
        TRY(clusters_append(c, s->part_of[record] == 0 ? cluster : other, record, error));
    }
    return KITH_OK;
}

void sites_next_laps(sites_laps *l, uint32_t records, bool hide, rng *r)
{
    *l = (sites_laps){.next = l->next, .records = {records, 0}};
    if (!hide || records == 0)
        return;
    uint32_t count = (uint32_t)((0.5 + rng_unit(r)) * records);
    count = count > 0 ? count : 1;
    l->first[0] = l->next;
    l->records[0] = count < records ? count : records;
    l->records[1] = count - l->records[0];
    l->first[1] = (l->first[0] + l->records[0]) % records;
    l->next = (l->first[1] + l->records[1]) % records;
}
