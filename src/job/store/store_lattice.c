#include "job/store/store_lattice.h"

#include <string.h>

#include "core/error.h"
#include "search/records/tuple_index.h"

struct store_lattice {
    uint32_t n_attributes;
    tuple_index cells;  /* distinct combinations */
    uint32_t *class_of; /* [combinations] */
    uint32_t n_classes; /* the last one is that of suppressed records, which show the roots */
    uint32_t *closure;  /* [n_classes * n_attributes] */
    uint32_t *number;   /* [n_classes] scratch: of a class among those of some records */
    uint32_t *row;      /* [n_attributes] scratch */
};

bool store_lattice_asked(const kith_study *study)
{
    const algorithm *a = search_find(study->algorithm);
    return a != NULL && a->global && !a->cuts;
}

static bool looks_at_values(const problem *p)
{
    for (uint32_t m = 0; m < p->n_models; m++)
        if (model_looks_at_values(&p->models[m]))
            return true;
    return false;
}

/* The records of a scan, each different one once. */
typedef struct distinct {
    uint32_t n_attributes, n_sensitive;
    tuple_index index;
    size_t weight_room;
    uint32_t *weight; /* [index.count] records */
    uint32_t *row;    /* [n_attributes + n_sensitive] scratch */
} distinct;

static kith_status add_record(distinct *d, kith_error *error)
{
    const uint32_t before = d->index.count;
    uint32_t at;
    TRY(tuple_index_add(&d->index, d->row, &at, error));
    if (d->index.count > d->weight_room) {
        const size_t room = arena_capacity(d->weight_room, d->index.count);
        TRY_RESIZE(d->weight, d->index.memory, d->weight_room, room, error);
        d->weight_room = room;
    }
    d->weight[at] = at < before ? d->weight[at] + 1 : 1;
    return KITH_OK;
}

static kith_status add_block(void *to, const record_block *block, kith_error *error)
{
    distinct *d = to;
    for (uint32_t i = 0; i < block->n; i++) {
        for (uint32_t j = 0; j < d->n_attributes; j++)
            d->row[j] = block->cells[j][i];
        for (uint32_t s = 0; s < d->n_sensitive; s++)
            d->row[d->n_attributes + s] = block->sensitive[s][i];
        TRY(add_record(d, error));
    }
    return KITH_OK;
}

/* Column i of the distinct records. */
static kith_status take_column(uint32_t **list, const distinct *d, uint32_t i, arena *memory,
                               kith_error *error)
{
    *list = TRY_ALLOC(arena_array(memory, d->index.count, sizeof **list), error);
    for (uint32_t at = 0; at < d->index.count; at++)
        (*list)[at] = tuple_index_row(&d->index, at)[i];
    return KITH_OK;
}

/* The problem of the distinct records. */
static kith_status make_problem(problem *to, const problem *p, const distinct *d, arena *memory,
                                kith_error *error)
{
    attribute *attributes =
        TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *attributes), error);
    sensitive_attribute *sensitive =
        TRY_ALLOC(arena_array(memory, d->n_sensitive, sizeof *sensitive), error);
    uint32_t *list = NULL;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        TRY(take_column(&list, d, j, memory, error));
        attributes[j] = p->attributes[j];
        attributes[j].cells = list;
    }
    for (uint32_t s = 0; s < d->n_sensitive; s++) {
        TRY(take_column(&list, d, p->n_attributes + s, memory, error));
        sensitive[s] = (sensitive_attribute){list, p->sensitive[s].count};
    }
    *to = *p;
    to->n_records = d->index.count;
    to->weight = d->weight;
    to->attributes = attributes;
    to->sensitive = sensitive;
    to->n_sensitive = d->n_sensitive;
    return KITH_OK;
}

/* Keeps what becomes of each combination. Records that differ only in sensitive values are in the
 * same class. */
static kith_status keep_classes(store_lattice *l, const problem *p, const partition *found,
                                arena *memory, kith_error *error)
{
    const size_t n_closure = (size_t)found->n_classes * l->n_attributes;
    const uint32_t suppressed = found->n_classes;
    l->n_classes = suppressed + 1;
    l->class_of = TRY_ALLOC(arena_array(memory, p->n_records, sizeof *l->class_of), error);
    l->closure =
        TRY_ALLOC(arena_array(memory, n_closure + l->n_attributes, sizeof *l->closure), error);
    l->number = TRY_ALLOC(arena_array(memory, l->n_classes, sizeof *l->number), error);
    memcpy(l->closure, found->closure, n_closure * sizeof *l->closure);
    for (uint32_t j = 0; j < l->n_attributes; j++)
        l->closure[n_closure + j] = tree_root(p->attributes[j].tree);
    memset(l->number, 0xff, l->n_classes * sizeof *l->number);
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t at;
        for (uint32_t j = 0; j < l->n_attributes; j++)
            l->row[j] = p->attributes[j].cells[i];
        TRY(tuple_index_add(&l->cells, l->row, &at, error));
        l->class_of[at] =
            found->class_of[i] == PARTITION_SUPPRESSED ? suppressed : found->class_of[i];
    }
    return KITH_OK;
}

/* An array of the arena of the search, for longer. */
static kith_status keep(void *to, const void *from, size_t count, size_t size, arena *memory,
                        kith_error *error)
{
    void *kept = TRY_ALLOC(arena_array(memory, count, size), error);
    memcpy(kept, from, count * size);
    memcpy(to, &kept, sizeof kept);
    return KITH_OK;
}

static kith_status keep_lattice(searched_lattice **to, const searched_lattice *l, arena *memory,
                                kith_error *error)
{
    searched_lattice *kept = TRY_ALLOC(arena_alloc(memory, sizeof *kept), error);
    *kept = *l;
    TRY(keep(&kept->low, l->low, l->n_attributes, sizeof *l->low, memory, error));
    TRY(keep(&kept->height, l->height, l->n_attributes, sizeof *l->height, memory, error));
    TRY(keep(&kept->stride, l->stride, l->n_attributes, sizeof *l->stride, memory, error));
    TRY(keep(&kept->answer, l->answer, l->n_nodes, sizeof *l->answer, memory, error));
    TRY(keep(&kept->loss, l->loss, l->n_nodes, sizeof *l->loss, memory, error));
    *to = kept;
    return keep(&kept->smallest, l->smallest, l->n_nodes, sizeof *l->smallest, memory, error);
}

/* What summaries and the file of the lattice tell of the search. */
static kith_status keep_findings(search_result *to, const search_result *found,
                                 uint32_t n_attributes, arena *memory, kith_error *error)
{
    *to = (search_result){.stopped = found->stopped,
                          .interrupted = found->interrupted,
                          .n_transformations = found->n_transformations,
                          .checked = found->checked};
    TRY(keep(&to->levels, found->levels, n_attributes, sizeof *to->levels, memory, error));
    return found->lattice == NULL ? KITH_OK
                                  : keep_lattice(&to->lattice, found->lattice, memory, error);
}

/* `c` has memory that is given back. */
static kith_status search(store_lattice *l, search_result *result, explanation *e,
                          const algorithm *a, const problem *p, const search_spec *spec,
                          const record_scan *scan, context *c, arena *memory, kith_error *error)
{
    distinct d = {.n_attributes = p->n_attributes,
                  .n_sensitive = looks_at_values(p) ? p->n_sensitive : 0};
    const uint32_t width = d.n_attributes + d.n_sensitive;
    problem weighted;
    search_result found;
    d.row = TRY_ALLOC(arena_array(c->memory, width, sizeof *d.row), error);
    tuple_index_init(&d.index, width, c->memory);
    TRY(scan->run(scan->user, add_block, &d, error));
    TRY(make_problem(&weighted, p, &d, c->memory, error));
    tuple_index_release(&d.index);
    TRY(search_run_weighted(&found, a, &weighted, spec, c, error));
    TRY(explain_add(e, &weighted, &found, NULL, c, error));
    TRY(keep_findings(result, &found, p->n_attributes, memory, error));
    return keep_classes(l, &weighted, &found.partition, memory, error);
}

kith_status store_lattice_search(store_lattice **l, search_result *result, explanation *e,
                                 const algorithm *a, const problem *p, const search_spec *spec,
                                 const record_scan *scan, context *c, kith_error *error)
{
    store_lattice *made = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *made), error);
    made->n_attributes = p->n_attributes;
    made->row = TRY_ALLOC(arena_array(c->memory, p->n_attributes, sizeof *made->row), error);
    tuple_index_init(&made->cells, p->n_attributes, c->memory);
    context own = *c;
    own.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = search(made, result, e, a, p, spec, scan, &own, c->memory, error);
    c->cancelled = own.cancelled;
    arena_free(own.memory);
    *l = made;
    if (status == KITH_NOMEM)
        error_hint(error, status,
                   "a search of a lattice keeps all distinct combinations of quasi-identifying "
                   "values in memory; weave does not");
    return status;
}

/* The number of a class among those of the present records, which get its closure. */
static uint32_t number_class(partition *classes, store_lattice *l, uint32_t class)
{
    const size_t n_bytes = l->n_attributes * sizeof *l->closure;
    if (l->number[class] == UINT32_MAX) {
        memcpy(classes->closure + (size_t)classes->n_classes * l->n_attributes,
               l->closure + (size_t) class * l->n_attributes, n_bytes);
        l->number[class] = classes->n_classes++;
    }
    return l->number[class];
}

kith_status store_lattice_recode(partition *classes, const uint32_t **numbers, store_lattice *l,
                                 const problem *some, arena *memory, kith_error *error)
{
    const uint32_t n = some->n_records;
    const size_t most = n < l->n_classes ? n : l->n_classes;
    *classes = (partition){0};
    classes->class_of = TRY_ALLOC(arena_array(memory, n, sizeof(uint32_t)), error);
    classes->closure =
        TRY_ALLOC(arena_array(memory, most * l->n_attributes, sizeof(uint32_t)), error);
    uint32_t *met = TRY_ALLOC(arena_array(memory, most, sizeof *met), error);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < l->n_attributes; j++)
            l->row[j] = some->attributes[j].cells[i];
        const uint32_t at = tuple_index_find(&l->cells, l->row);
        if (at == UINT32_MAX)
            return error_set(error, KITH_BUG, "a record was not there when the table was counted");
        const uint32_t class = l->class_of[at], before = classes->n_classes;
        classes->class_of[i] = number_class(classes, l, class);
        if (classes->n_classes > before)
            met[before] = class;
    }
    for (uint32_t i = 0; i < classes->n_classes; i++) {
        l->number[met[i]] = UINT32_MAX;
        met[i] = met[i] + 1 < l->n_classes ? met[i] : PARTITION_SUPPRESSED;
    }
    *numbers = met;
    return KITH_OK;
}
