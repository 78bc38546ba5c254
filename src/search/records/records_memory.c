#include "search/records/records_memory.h"

#include "core/error.h"
#include "core/group_by_part.h"

static kith_status show_block(void *user, record_visit visit, void *to, kith_error *error)
{
    const records_memory *m = user;
    return visit(to, &m->block, error);
}

kith_status records_memory_init(records_memory *m, record_scan *scan, partition *found,
                                const problem *p, arena *scratch, context *c, kith_error *error)
{
    const uint32_t **cells = TRY_ARRAY(cells, scratch, p->n_attributes, error);
    const uint32_t **values = TRY_ARRAY(values, scratch, p->n_sensitive, error);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        cells[a] = p->attributes[a].cells;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        values[s] = p->sensitive[s].values;
    *m = (records_memory){.problem = p, .found = found, .memory = c->memory, .scratch = scratch};
    m->block = (record_block){.n = p->n_records, .cells = cells, .sensitive = values};
    m->block.reached = TRY_ZEROS(m->block.reached, scratch, p->n_records, error);
    *found = (partition){.n_classes = 0};
    found->class_of = TRY_ARRAY(found->class_of, c->memory, p->n_records, error);
    *scan = (record_scan){show_block, m};
    return KITH_OK;
}

kith_status records_memory_group(records_memory *m, const division *d, kith_error *error)
{
    const uint32_t n = m->problem->n_records, n_pieces = division_count(d);
    uint32_t *piece_of = m->block.reached;
    m->order = TRY_ARRAY(m->order, m->scratch, n, error);
    m->start = TRY_ARRAY(m->start, m->scratch, n_pieces + (size_t)2, error);
    division_pieces(d, &m->block, piece_of);
    group_by_part(m->order, m->start, piece_of, n_pieces, NULL, n);
    arena_release(m->scratch, piece_of, n * sizeof *piece_of);
    return KITH_OK;
}

kith_status records_memory_finish(records_memory *m, kith_error *error)
{
    TRY(partition_number(m->found, m->problem, m->memory, error));
    CHECK(partition_check(m->found, m->problem));
    return KITH_OK;
}

static kith_status records_memory_divide(void *self, const division *d, bool *here,
                                         kith_error *error)
{
    (void)here; /* all pieces are */
    return division_count(d) == 1 ? KITH_OK : records_memory_group(self, d, error);
}

static kith_status fetch(void *self, uint32_t piece, problem *p, context *c, kith_error *error)
{
    const records_memory *m = self;
    attribute *attributes;
    if (m->order == NULL) {
        *p = *m->problem;
        return KITH_OK;
    }
    const uint32_t first = m->start[piece];
    return problem_take(p, &attributes, m->problem, m->order + first, m->start[piece + 1] - first,
                        c->memory, error);
}

static kith_status records_memory_put(void *self, uint32_t piece, const partition *classes,
                                      context *c, kith_error *error)
{
    const records_memory *m = self;
    (void)c;
    if (m->order == NULL)
        return partition_add(m->found, classes, NULL, m->problem->n_records, m->problem, m->scratch,
                             error);
    const uint32_t first = m->start[piece];
    return partition_add(m->found, classes, m->order + first, m->start[piece + 1] - first,
                         m->problem, m->scratch, error);
}

static kith_status records_memory_finish_source(void *self, kith_error *error)
{
    return records_memory_finish(self, error);
}

kith_status records_memory_open(record_source *r, partition *found, const problem *p,
                                arena *scratch, context *c, kith_error *error)
{
    records_memory *m = TRY_ALLOC(arena_alloc(scratch, sizeof *m), error);
    *r = (record_source){.count = p->n_records,
                         .divide = records_memory_divide,
                         .fetch = fetch,
                         .put = records_memory_put,
                         .finish = records_memory_finish_source,
                         .self = m};
    return records_memory_init(m, &r->scan, found, p, scratch, c, error);
}
