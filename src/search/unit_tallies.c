#include "search/unit_tallies.h"

#include <string.h>

#include "core/error.h"
#include "core/group_by_part.h"

/* What the counts of all groups may take; more would not stay in the cache. */
static const size_t tally_bytes = (size_t)4 << 20;

kith_status unit_order_used(uint32_t **used, uint32_t *n_used, const problem *p, arena *memory,
                            kith_error *error)
{
    *used = TRY_ARRAY(*used, memory, p->n_sensitive, error);
    *n_used = 0;
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        bool looks = false;
        for (uint32_t m = 0; m < p->n_models && !looks; m++)
            looks = model_looks_at_values(&p->models[m]) && p->models[m].sensitive == s;
        if (looks)
            (*used)[(*n_used)++] = s;
    }
    return KITH_OK;
}

kith_status unit_order_make(unit_order *o, const problem *p, const uint32_t *tuple_of,
                            arena *memory, kith_error *error)
{
    const uint32_t n = p->n_records;
    uint32_t *start = TRY_ARRAY(start, memory, p->n_units + (size_t)2, error);
    *o = (unit_order){.n_records = n};
    TRY(unit_order_used(&o->sensitive, &o->n_lists, p, memory, error));
    o->record = TRY_ARRAY(o->record, memory, n, error);
    o->unit = TRY_ARRAY(o->unit, memory, n, error);
    if (tuple_of != NULL)
        o->tuple = TRY_ARRAY(o->tuple, memory, n, error);
    if (p->weight != NULL)
        o->times = TRY_ARRAY(o->times, memory, n, error);
    o->value = TRY_ARRAY(o->value, memory, o->n_lists, error);
    o->offset = TRY_ZEROS(o->offset, memory, o->n_lists + (size_t)1, error);
    group_by_part(o->record, start, p->unit, p->n_units, NULL, n);
    for (uint32_t i = 0; i < n; i++) {
        o->unit[i] = p->unit[o->record[i]];
        if (o->tuple != NULL)
            o->tuple[i] = tuple_of[o->record[i]];
        if (o->times != NULL)
            o->times[i] = p->weight[o->record[i]];
    }
    for (uint32_t list = 0; list < o->n_lists; list++) {
        const sensitive_attribute *s = &p->sensitive[o->sensitive[list]];
        o->offset[list + 1] = o->offset[list] + s->count;
        o->value[list] = TRY_ARRAY(o->value[list], memory, n, error);
        for (uint32_t i = 0; i < n; i++)
            o->value[list][i] = s->values[o->record[i]];
    }
    return KITH_OK;
}

kith_status unit_tallies_init(unit_tallies *u, const unit_order *o, const problem *p, arena *memory,
                              kith_error *error)
{
    const size_t cells = o->offset[o->n_lists];
    const size_t room = tally_bytes / (sizeof *u->group + cells * sizeof *u->value);
    *u =
        (unit_tallies){.order = o, .room = room < o->n_records ? (uint32_t)room + 1 : o->n_records};
    u->group = TRY_ARRAY(u->group, memory, u->room, error);
    u->value = TRY_ARRAY(u->value, memory, u->room * cells, error);
    u->units = TRY_ARRAY(u->units, memory, o->n_lists, error);
    u->histogram = TRY_ZEROS(u->histogram, memory, p->n_sensitive, error);
    u->most_shown = TRY_ZEROS(u->most_shown, memory, p->n_sensitive, error);
    u->found.most_shown = u->most_shown;
    for (uint32_t list = 0; list < o->n_lists; list++) {
        const uint32_t s = o->sensitive[list], count = p->sensitive[s].count;
        u->units[list] = TRY_ARRAY(u->units[list], memory, count, error);
        u->histogram[s] = (histogram){u->units[list], count};
    }
    return KITH_OK;
}

static inline void add_record(unit_tallies *u, uint32_t group, uint32_t place)
{
    const unit_order *o = u->order;
    unit_tally *g = &u->group[group];
    value_tally *values = u->value + (size_t)group * o->offset[o->n_lists];
    const uint32_t number = o->unit[place] + 1, times = o->times == NULL ? 1 : o->times[place];
    const bool is_new = g->last != number;
    g->last = number;
    g->n_units += is_new;
    g->n_last = is_new ? times : g->n_last + times;
    g->n_records += times;
    if (g->n_last > g->most_records)
        g->most_records = g->n_last;
    for (uint32_t list = 0; list < o->n_lists; list++) {
        value_tally *v = &values[o->offset[list] + o->value[list][place]];
        v->n_units += v->last != number;
        v->last = number;
        v->n_records += times;
    }
}

static void begin(unit_tallies *u, uint32_t n_groups)
{
    const size_t cells = u->order->offset[u->order->n_lists];
    memset(u->group, 0, n_groups * sizeof *u->group);
    memset(u->value, 0, n_groups * cells * sizeof *u->value);
}

void unit_tallies_count(unit_tallies *u, const uint32_t *group_of, uint32_t n_groups)
{
    const unit_order *o = u->order;
    begin(u, n_groups);
    for (uint32_t i = 0; i < o->n_records; i++)
        if (group_of[o->tuple[i]] != UINT32_MAX)
            add_record(u, group_of[o->tuple[i]], i);
}

void unit_tallies_count_one(unit_tallies *u, const uint32_t *place, uint32_t count)
{
    begin(u, 1);
    for (uint32_t i = 0; i < count; i++)
        add_record(u, 0, place[i]);
}

class_view unit_tallies_view(unit_tallies *u, uint32_t group, const uint32_t *closure)
{
    const unit_order *o = u->order;
    const unit_tally *g = &u->group[group];
    for (uint32_t list = 0; list < o->n_lists; list++) {
        const uint32_t count = o->offset[list + 1] - o->offset[list];
        const value_tally *v = u->value + (size_t)group * o->offset[o->n_lists] + o->offset[list];
        uint32_t most = 0;
        for (uint32_t i = 0; i < count; i++) {
            u->units[list][i] = v[i].n_units;
            most = v[i].n_records > most ? v[i].n_records : most;
        }
        u->most_shown[o->sensitive[list]] = most;
    }
    u->found.n_records = g->n_records;
    u->found.most_records = g->most_records;
    return (class_view){
        .size = g->n_units, .sensitive = u->histogram, .closure = closure, .units = &u->found};
}
