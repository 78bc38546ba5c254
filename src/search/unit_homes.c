/* A message has numbers of as few bytes as they need, record by record: group, unit, and for each
 * sensitive attribute the pair of unit and value. */
#include "search/unit_homes.h"

#include "core/bytes.h"
#include "core/check.h"
#include "core/error.h"

/* Bytes of numbers below a bound. */
static uint32_t width_below(uint32_t bound)
{
    return bytes_width(bound == 0 ? 0 : bound - 1);
}

static kith_status send(ranks_bytes *in, const problem *p, const uint32_t *record,
                        const uint32_t *group, uint32_t n, uint32_t group_width, kith_ranks *ranks,
                        arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    ASSERT(n_ranks > 0);
    bytes_writer *to = TRY_ZEROS(to, memory, n_ranks, error);
    ranks_bytes *out = TRY_ARRAY(out, memory, n_ranks, error);
    for (uint32_t r = 0; r < n_ranks; r++)
        to[r].memory = memory;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t own = record == NULL ? i : record[i];
        bytes_writer *home = &to[p->unit[own] % n_ranks];
        bytes_write_number(home, group == NULL ? 0 : group[i], group_width);
        bytes_write_number(home, p->unit[own], width_below(p->n_units));
        for (uint32_t s = 0; s < p->n_sensitive; s++)
            bytes_write_number(home, p->sensitive[s].pair[own],
                               width_below(p->sensitive[s].n_pairs));
    }
    for (uint32_t r = 0; r < n_ranks; r++) {
        TRY(bytes_written(&to[r], error));
        out[r] = (ranks_bytes){to[r].bytes, to[r].length};
    }
    return ranks_exchange(ranks, out, in, memory, error);
}

kith_status unit_homes_bring(unit_homes *h, const problem *p, const uint32_t *record,
                             const uint32_t *group, uint32_t n, uint32_t n_groups,
                             kith_ranks *ranks, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks), group_width = width_below(n_groups);
    arena *letters ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    ranks_bytes *in = TRY_ZEROS(in, letters, n_ranks, error);
    TRY(send(in, p, record, group, n, group_width, ranks, letters, error));
    uint32_t width = group_width + width_below(p->n_units), count = 0;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        width += width_below(p->sensitive[s].n_pairs);
    for (uint32_t r = 0; r < n_ranks; r++)
        count += (uint32_t)(in[r].n_bytes / width);
    uint32_t *unit = TRY_ARRAY(unit, memory, count, error);
    uint32_t **pair = TRY_ARRAY(pair, memory, p->n_sensitive, error);
    uint32_t **value = TRY_ARRAY(value, memory, p->n_sensitive, error);
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, memory, p->n_sensitive, error);
    h->group = TRY_ARRAY(h->group, memory, count, error);
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        pair[s] = TRY_ARRAY(pair[s], memory, count, error);
        value[s] = TRY_ARRAY(value[s], memory, count, error);
        sensitive[s] = p->sensitive[s];
        sensitive[s].pair = pair[s];
        sensitive[s].values = value[s];
    }
    h->records = (problem){.n_records = count,
                           .unit = unit,
                           .n_units = p->n_units,
                           .n_sensitive = p->n_sensitive,
                           .sensitive = sensitive};
    uint32_t i = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        bytes_reader from = {.at = in[r].bytes, .left = in[r].n_bytes};
        for (; from.left > 0; i++) {
            h->group[i] = (uint32_t)bytes_read(&from, group_width);
            unit[i] = (uint32_t)bytes_read(&from, width_below(p->n_units));
            for (uint32_t s = 0; s < p->n_sensitive; s++) {
                pair[s][i] = (uint32_t)bytes_read(&from, width_below(p->sensitive[s].n_pairs));
                value[s][i] = p->sensitive[s].value_of_pair[pair[s][i]];
            }
        }
    }
    return KITH_OK;
}

/* Sums of all ranks: records, units, and for each value of the attributes that are counted the
 * units and the records. */
static kith_status sum(uint64_t **sums, const class_counts *c, kith_ranks *ranks, arena *memory,
                       kith_error *error)
{
    const problem *p = c->problem;
    size_t n = 2;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        n += c->counts[s] == NULL ? 0 : 2 * (size_t)p->sensitive[s].count;
    uint64_t *own = *sums = TRY_ARRAY(own, memory, n, error);
    *own++ = c->n_records;
    *own++ = c->n_units;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        for (uint32_t v = 0; c->counts[s] != NULL && v < p->sensitive[s].count; v++) {
            *own++ = c->counts[s][v];
            *own++ = c->shown[s][v];
        }
    return ranks_sum(ranks, *sums, n, error);
}

kith_status unit_homes_view(class_view *view, class_counts *counts, const uint32_t *closure,
                            const uint32_t *members, uint32_t size, kith_ranks *ranks,
                            arena *memory, kith_error *error)
{
    const problem *p = counts->problem;
    *view = class_counts_view(counts, closure, members, size);
    if (ranks_count(ranks) == 1)
        return KITH_OK;
    uint64_t *sums = NULL;
    double most = counts->units.most_records;
    TRY(sum(&sums, counts, ranks, memory, error));
    TRY(ranks_largest(ranks, &most, 1, memory, error));
    histogram *shows = TRY_ZEROS(shows, memory, p->n_sensitive, error);
    uint32_t *most_shown = TRY_ZEROS(most_shown, memory, p->n_sensitive, error);
    class_units *units = TRY_ALLOC(arena_alloc(memory, sizeof *units), error);
    *units = (class_units){(uint32_t)sums[0], (uint32_t)most, most_shown};
    view->size = (uint32_t)sums[1];
    view->sensitive = shows;
    view->units = units;
    sums += 2;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        if (counts->counts[s] == NULL)
            continue;
        uint32_t *of_value = TRY_ARRAY(of_value, memory, p->sensitive[s].count, error);
        for (uint32_t v = 0; v < p->sensitive[s].count; v++, sums += 2) {
            of_value[v] = (uint32_t)sums[0];
            most_shown[s] = sums[1] > most_shown[s] ? (uint32_t)sums[1] : most_shown[s];
        }
        shows[s] = (histogram){of_value, p->sensitive[s].count};
    }
    return KITH_OK;
}
