/* Records: for each piece of the receiver the number of records (4 bytes), then column by column,
 * attributes first, sensitive values, and units, the values of these records, packed. Classes: for
 * each piece of the sender the number of classes (4 bytes) that have records of the receiver, their
 * closures, attribute by attribute, if classes are named their numbers in the piece (4 bytes), and
 * the class of each record, packed. */
#include "search/records/records_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/sort.h"
#include "search/records/records_memory.h"

enum { COUNT_BYTES = 4, ID_BYTES = 4 };

typedef struct records_ranks {
    records_memory own;
    kith_ranks *ranks;
    uint32_t n_ranks, n_pieces;
    uint32_t *rank_of;  /* [n_pieces] */
    bytes_writer *to;   /* [n_ranks] what each will be sent next */
    ranks_bytes *in;    /* [n_ranks] what has come last */
    bytes_reader *from; /* [n_ranks] the rest of it */
    uint32_t *n_from;   /* [n_ranks] records of each in the piece that was fetched last */
    bool named;         /* classes have ids: the piece, and the number there */
} records_ranks;

/* Bytes of a number below `bound`. */
static uint32_t width_below(uint32_t bound)
{
    return bytes_width(bound == 0 ? 0 : bound - 1);
}

typedef struct distributed {
    uint64_t size;
    uint32_t piece;
} distributed;

kith_status records_ranks_distribute(uint32_t *rank_of, const uint64_t *sizes, uint32_t n_pieces,
                                     uint32_t n_ranks, arena *scratch, kith_error *error)
{
    distributed *order = TRY_ARRAY(order, scratch, n_pieces, error);
    uint64_t *load = TRY_ZEROS(load, scratch, n_ranks, error);
    for (uint32_t i = 0; i < n_pieces; i++)
        order[i] = (distributed){sizes[i], i};
    qsort(order, n_pieces, sizeof *order, sort_uint64_down_uint32);
    for (uint32_t i = 0; i < n_pieces; i++) {
        uint32_t least = 0;
        for (uint32_t r = 1; r < n_ranks; r++)
            least = load[r] < load[least] ? r : least;
        load[least] += order[i].size;
        rank_of[order[i].piece] = least;
    }
    return KITH_OK;
}

/* This rank's records of a piece; returns how many. */
static uint32_t own_records(const records_ranks *s, uint32_t piece, const uint32_t **records)
{
    const uint32_t first = s->own.start[piece];
    *records = s->own.order + first;
    return s->own.start[piece + 1] - first;
}

static void pack_piece(bytes_writer *to, const records_ranks *s, uint32_t piece)
{
    const problem *p = s->own.problem;
    const uint32_t *records, n = own_records(s, piece, &records);
    bytes_write_number(to, n, COUNT_BYTES);
    for (uint32_t j = 0; j < problem_n_columns(p); j++) {
        uint32_t n_codes;
        const uint32_t *values = problem_column(p, j, &n_codes), width = width_below(n_codes);
        for (uint32_t i = 0; i < n; i++)
            bytes_write_number(to, values[records[i]], width);
    }
}

static void unpack(uint32_t *values, bytes_reader *from, uint32_t width, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = (uint32_t)bytes_read(from, width);
}

/* Sends what has been written, and takes what comes. */
static kith_status exchange(records_ranks *s, kith_error *error)
{
    arena *scratch = s->own.scratch;
    ranks_bytes *out = TRY_ARRAY(out, scratch, s->n_ranks, error);
    for (uint32_t r = 0; r < s->n_ranks; r++) {
        TRY(bytes_written(&s->to[r], error));
        out[r] = (ranks_bytes){s->to[r].bytes, s->to[r].length};
    }
    TRY(ranks_exchange(s->ranks, out, s->in, scratch, error));
    for (uint32_t r = 0; r < s->n_ranks; r++) {
        if (r != ranks_self(s->ranks))
            arena_release(scratch, s->to[r].bytes, s->to[r].room);
        s->to[r] = (bytes_writer){.memory = scratch};
        s->from[r] = (bytes_reader){.at = s->in[r].bytes, .left = s->in[r].n_bytes};
    }
    return KITH_OK;
}

/* Sends this rank's records to the ranks to which their pieces are distributed. */
static kith_status records_ranks_divide(void *self, const division *d, bool *here,
                                        kith_error *error)
{
    records_ranks *s = self;
    s->n_pieces = division_count(d);
    TRY(records_memory_group(&s->own, d, error));
    arena *scratch = s->own.scratch;
    uint64_t *sizes = TRY_ARRAY(sizes, scratch, s->n_pieces, error);
    s->rank_of = TRY_ARRAY(s->rank_of, scratch, s->n_pieces, error);
    for (uint32_t i = 0; i < s->n_pieces; i++)
        sizes[i] = division_size(d, i);
    TRY(records_ranks_distribute(s->rank_of, sizes, s->n_pieces, s->n_ranks, scratch, error));
    for (uint32_t i = 0; i < s->n_pieces; i++)
        here[i] = s->rank_of[i] == ranks_self(s->ranks);
    for (uint32_t i = 0; i < s->n_pieces; i++)
        pack_piece(&s->to[s->rank_of[i]], s, i);
    return exchange(s, error);
}

static kith_status fetch(void *self, uint32_t piece, problem *p, context *c, kith_error *error)
{
    records_ranks *s = self;
    const problem *own = s->own.problem;
    const uint32_t n_columns = problem_n_columns(own);
    uint32_t n = 0, **columns = TRY_ARRAY(columns, c->memory, n_columns, error);
    attribute *attributes;
    sensitive_attribute *sensitive;
    (void)piece; /* they come in the order in which they were sent */
    for (uint32_t r = 0; r < s->n_ranks; r++) {
        s->n_from[r] = (uint32_t)bytes_read(&s->from[r], COUNT_BYTES);
        n += s->n_from[r];
    }
    for (uint32_t j = 0; j < n_columns; j++) {
        uint32_t n_codes, *values = TRY_ARRAY(values, c->memory, n, error);
        problem_column(own, j, &n_codes);
        columns[j] = values;
        for (uint32_t r = 0; r < s->n_ranks; values += s->n_from[r++])
            unpack(values, &s->from[r], width_below(n_codes), s->n_from[r]);
    }
    return problem_with(p, &attributes, &sensitive, own, columns, n, c->memory, error);
}

/* Bytes of a node of an attribute. */
static uint32_t node_width(const problem *p, uint32_t j)
{
    return width_below(p->attributes[j].tree->n_nodes);
}

/* Writes the classes of `n` records. */
static void pack_classes(bytes_writer *to, const problem *p, const partition *part, uint32_t n)
{
    bytes_write_number(to, part->n_classes, COUNT_BYTES);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        for (uint32_t i = 0; i < part->n_classes; i++)
            bytes_write_number(to, part->closure[(size_t)i * p->n_attributes + a],
                               node_width(p, a));
    for (uint32_t i = 0; part->id != NULL && i < part->n_classes; i++)
        bytes_write_number(to, part->id[i], ID_BYTES);
    for (uint32_t i = 0; i < n; i++)
        bytes_write_number(to, part->class_of[i], width_below(part->n_classes));
}

/* Every rank is told of the classes that have records of its own. */
static kith_status records_ranks_put(void *self, uint32_t piece, const partition *classes,
                                     context *c, kith_error *error)
{
    records_ranks *s = self;
    (void)piece;
    uint32_t first = 0;
    uint64_t *id = NULL;
    if (s->named) {
        id = TRY_ARRAY(id, c->memory, classes->n_classes, error);
        for (uint32_t i = 0; i < classes->n_classes; i++)
            id[i] = i;
    }
    for (uint32_t r = 0; r < s->n_ranks; first += s->n_from[r++]) {
        problem from = *s->own.problem;
        partition part = *classes;
        from.n_records = s->n_from[r];
        part.class_of += first;
        part.id = id;
        TRY(partition_number(&part, &from, c->memory, error));
        pack_classes(&s->to[r], &from, &part, from.n_records);
    }
    return KITH_OK;
}

/* Reads the classes that this rank's records of a piece have. */
static kith_status read_classes(records_ranks *s, uint32_t piece, bytes_reader *from,
                                arena *scratch, kith_error *error)
{
    const problem *p = s->own.problem;
    const uint32_t *records, n = own_records(s, piece, &records);
    partition part = {.n_classes = (uint32_t)bytes_read(from, COUNT_BYTES)};
    uint32_t *nodes = TRY_ARRAY(nodes, scratch, part.n_classes, error);
    part.closure = TRY_ALLOC(
        arena_array(scratch, (size_t)part.n_classes * p->n_attributes, sizeof *nodes), error);
    part.class_of = TRY_ARRAY(part.class_of, scratch, n, error);
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        unpack(nodes, from, node_width(p, a), part.n_classes);
        for (uint32_t i = 0; i < part.n_classes; i++)
            part.closure[(size_t)i * p->n_attributes + a] = nodes[i];
    }
    if (s->named)
        part.id = TRY_ARRAY(part.id, scratch, part.n_classes, error);
    for (uint32_t i = 0; s->named && i < part.n_classes; i++)
        part.id[i] = (uint64_t)piece << 32 | bytes_read(from, ID_BYTES);
    unpack(part.class_of, from, width_below(part.n_classes), n);
    return partition_add(s->own.found, &part, records, n, p, s->own.scratch, error);
}

static kith_status records_ranks_finish(void *self, kith_error *error)
{
    records_ranks *s = self;
    arena *scratch = s->own.scratch;
    for (uint32_t r = 0; r < s->n_ranks; r++) /* all records have been searched */
        if (r != ranks_self(s->ranks))
            arena_release(scratch, s->in[r].bytes, s->in[r].n_bytes);
    TRY(exchange(s, error));
    for (uint32_t i = 0; i < s->n_pieces; i++) {
        arena *own ARENA_SCOPED = TRY_ALLOC(arena_new_like(scratch), error);
        TRY(read_classes(s, i, &s->from[s->rank_of[i]], own, error));
    }
    return records_memory_finish(&s->own, error);
}

kith_status records_ranks_open(record_source *r, partition *found, const problem *p, bool named,
                               arena *scratch, context *c, kith_error *error)
{
    records_ranks *s = TRY_ZEROS(s, scratch, 1, error);
    *r = (record_source){.divide = records_ranks_divide,
                         .fetch = fetch,
                         .put = records_ranks_put,
                         .finish = records_ranks_finish,
                         .self = s};
    TRY(records_memory_init(&s->own, &r->scan, found, p, scratch, c, error));
    s->ranks = c->ranks;
    s->named = named;
    s->n_ranks = ranks_count(c->ranks);
    s->to = TRY_ZEROS(s->to, scratch, s->n_ranks, error);
    s->in = TRY_ZEROS(s->in, scratch, s->n_ranks, error);
    s->from = TRY_ZEROS(s->from, scratch, s->n_ranks, error);
    s->n_from = TRY_ZEROS(s->n_from, scratch, s->n_ranks, error);
    for (uint32_t i = 0; i < s->n_ranks; i++)
        s->to[i].memory = scratch;
    /* The number of records, and the seed: that of the first rank. */
    uint64_t sums[] = {s->own.problem->n_records, ranks_self(s->ranks) == 0 ? c->seed : 0};
    TRY(ranks_sum(s->ranks, sums, 2, error));
    r->count = sums[0];
    c->seed = sums[1];
    return KITH_OK;
}
