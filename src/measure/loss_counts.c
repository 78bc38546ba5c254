#include "measure/loss_counts.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"

kith_status loss_counts_init(loss_counts *c, const loss_input *in, arena *memory, kith_error *error)
{
    *c =
        (loss_counts){.memory = memory, .n_attributes = in->n_attributes, .shuffled = in->shuffled};
    c->attribute = TRY_ZEROS(c->attribute, memory, in->n_attributes, error);
    for (uint32_t j = 0; j < in->n_attributes; j++) {
        loss_column_counts *to = &c->attribute[j];
        const tree *t = to->tree = in->column[j].tree;
        to->n_file_rows = in->rows != NULL && in->rows[j] > 0 ? in->rows[j] : t->n_leaves;
        to->shown = TRY_ZEROS(to->shown, memory, t->n_nodes, error);
        to->there = TRY_ZEROS(to->there, memory, t->n_nodes, error);
        to->suppressed = TRY_ZEROS(to->suppressed, memory, t->n_nodes, error);
    }
    return KITH_OK;
}

#if KITH_DEBUG
static void check_input(const loss_input *in)
{
    for (uint32_t i = 0; i < in->n_records; i++) {
        ASSERT(in->class_of[i] < in->n_classes || in->class_of[i] == LOSS_SUPPRESSED);
        ASSERT(in->label == NULL || in->label[i] < in->n_labels);
        for (uint32_t j = 0; j < in->n_attributes; j++)
            ASSERT(in->column[j].cells[i] < in->column[j].tree->n_nodes);
    }
}
#endif

/* `scratch` is given back: parts may be many. */
static kith_status add_records(loss_counts *c, const loss_input *in, arena *scratch,
                               kith_error *error)
{
    pmi_order order = {0};
    c->labelled = in->label != NULL;
    c->n_labels = in->n_labels;
    const bool paired = c->labelled && !c->shuffled && in->n_records > 0;
    if (paired)
        TRY(pmi_order_make(&order, in->label, in->n_labels, in->n_records, scratch, error));
    /* The node that every record shows. */
    uint32_t *shown = TRY_ARRAY(shown, scratch, in->n_records, error);
    for (uint32_t j = 0; j < c->n_attributes; j++) {
        const loss_column *from = &in->column[j];
        loss_column_counts *to = &c->attribute[j];
        pmi_pairs more;
        for (uint32_t i = 0; i < in->n_records; i++) {
            const uint32_t class = in->class_of[i];
            const bool suppressed = class == LOSS_SUPPRESSED;
            shown[i] = suppressed ? tree_root(from->tree)
                                  : in->closure[(size_t) class * in->n_attributes + j];
            to->shown[shown[i]]++;
            to->there[from->cells[i]]++;
            c->wildcards |= from->cells[i] >= from->tree->n_leaves;
            if (suppressed)
                to->suppressed[from->cells[i]]++;
        }
        to->excess += in->excess != NULL ? in->excess[j] : 0;
        if (!paired)
            continue;
        TRY(pmi_pairs_make(&more, &order, from->tree, from->cells, shown, scratch, error));
        TRY(pmi_pairs_merge(&to->pairs, &more, c->memory, error));
        pmi_pairs_release(&more, scratch);
    }
    return KITH_OK;
}

kith_status loss_counts_add_records(loss_counts *c, const loss_input *in, kith_error *error)
{
    CHECK(check_input(in));
    arena *scratch = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = add_records(c, in, scratch, error);
    arena_free(scratch);
    c->n_records += in->n_records;
    for (uint32_t i = 0; i < in->n_records; i++)
        c->n_suppressed += in->class_of[i] == LOSS_SUPPRESSED;
    am_add(&c->am, in);
    return status;
}

/* Classification metric: counts the records off the majority of their class. Groups the records by
 * class, so that one histogram serves all classes in turn. */
static kith_status count_off_majority(uint64_t *off, const loss_input *in, const uint32_t *size,
                                      arena *memory, kith_error *error)
{
    /* [n_classes]: suppressed records */
    uint64_t *start = TRY_ARRAY(start, memory, (size_t)in->n_classes + 1, error);
    uint32_t *members = TRY_ARRAY(members, memory, in->n_records, error);
    uint32_t *histogram = TRY_ZEROS(histogram, memory, in->n_labels, error);
    uint64_t total = 0;
    for (uint32_t c = 0; c <= in->n_classes; c++) {
        start[c] = total;
        total += size[c];
    }
    for (uint32_t i = 0; i < in->n_records; i++) {
        uint32_t c = in->class_of[i] == LOSS_SUPPRESSED ? in->n_classes : in->class_of[i];
        members[start[c]++] = i;
    }
    uint64_t at = 0;
    for (uint32_t c = 0; c < in->n_classes; c++) {
        uint32_t max_count = 0;
        for (uint64_t m = at; m < start[c]; m++) {
            uint32_t seen = ++histogram[in->label[members[m]]];
            max_count = seen > max_count ? seen : max_count;
        }
        *off += size[c] - max_count;
        for (uint64_t m = at; m < start[c]; m++)
            histogram[in->label[members[m]]] = 0;
        at = start[c];
    }
    return KITH_OK;
}

static void add_smallest(loss_class_counts *to, uint64_t smallest)
{
    if (to->n_classes == 0 || smallest < to->smallest)
        to->smallest = smallest;
}

kith_status loss_counts_add_classes(loss_counts *c, const loss_input *in, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    /* [n_classes]: suppressed records */
    uint32_t *size = TRY_ZEROS(size, scratch, (size_t)in->n_classes + 1, error);
    for (uint32_t i = 0; i < in->n_records; i++)
        size[in->class_of[i] == LOSS_SUPPRESSED ? in->n_classes : in->class_of[i]]++;
    for (uint32_t i = 0; i < in->n_classes; i++) {
        if (size[i] == 0)
            continue;
        add_smallest(&c->classes, size[i]);
        c->classes.n_classes++;
        c->classes.squares += (uint64_t)size[i] * size[i];
    }
    return in->label != NULL
               ? count_off_majority(&c->classes.off_majority, in, size, scratch, error)
               : KITH_OK;
}

static kith_status unite_pairs(pmi_pairs *pairs, kith_ranks *ranks, arena *memory,
                               kith_error *error)
{
    arena *letters ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    /* Every rank gets the pairs of its labels; messages lie in `letters`. */
    const uint32_t n = ranks_count(ranks);
    ranks_bytes *out = TRY_ZEROS(out, letters, n, error);
    ranks_bytes *in = TRY_ZEROS(in, letters, n, error);
    for (size_t i = 0; i < pairs->count; i++)
        out[loss_counts_rank(pairs->pair[i].label, ranks)].n_bytes += sizeof *pairs->pair;
    for (uint32_t r = 0; r < n; r++) {
        out[r].bytes = TRY_ALLOC(arena_alloc(letters, out[r].n_bytes), error);
        out[r].n_bytes = 0;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        ranks_bytes *to = &out[loss_counts_rank(pairs->pair[i].label, ranks)];
        memcpy((char *)to->bytes + to->n_bytes, &pairs->pair[i], sizeof *pairs->pair);
        to->n_bytes += sizeof *pairs->pair;
    }
    pmi_pairs_release(pairs, memory);
    TRY(ranks_exchange(ranks, out, in, letters, error));
    for (uint32_t r = 0; r < n; r++) {
        const pmi_pairs more = {.pair = in[r].bytes, .count = in[r].n_bytes / sizeof *more.pair};
        TRY(pmi_pairs_merge(pairs, &more, memory, error));
    }
    return KITH_OK;
}

kith_status loss_counts_unite(loss_counts *c, kith_ranks *ranks, kith_error *error)
{
    if (ranks_count(ranks) == 1)
        return KITH_OK;
    uint64_t few[] = {c->n_records, c->n_suppressed, c->wildcards, c->am.too_large};
    TRY(ranks_sum(ranks, few, sizeof few / sizeof *few, error));
    c->n_records = few[0];
    c->n_suppressed = few[1];
    c->wildcards = few[2] > 0;
    c->am.too_large = few[3];
    TRY(ranks_sum(ranks, c->am.limb, EXACT_SUM_LIMBS, error));
    /* Counts of classes can be added up, but not the smallest one. */
    const loss_class_counts own = c->classes;
    ranks_bytes *all = TRY_ARRAY(all, c->memory, ranks_count(ranks), error);
    TRY(ranks_gather(ranks, &own, sizeof own, all, c->memory, error));
    c->classes = (loss_class_counts){0};
    for (uint32_t r = 0; r < ranks_count(ranks); r++) {
        loss_class_counts one;
        memcpy(&one, all[r].bytes, sizeof one);
        if (one.n_classes > 0)
            add_smallest(&c->classes, one.smallest);
        c->classes.n_classes += one.n_classes;
        c->classes.squares += one.squares;
        c->classes.off_majority += one.off_majority;
    }
    for (uint32_t j = 0; j < c->n_attributes; j++) {
        loss_column_counts *of = &c->attribute[j];
        TRY(ranks_sum(ranks, of->shown, of->tree->n_nodes, error));
        TRY(ranks_sum(ranks, of->there, of->tree->n_nodes, error));
        TRY(ranks_sum(ranks, of->suppressed, of->tree->n_nodes, error));
        TRY(ranks_sum(ranks, &of->excess, 1, error));
        if (c->labelled && !c->shuffled)
            TRY(unite_pairs(&of->pairs, ranks, c->memory, error));
    }
    return KITH_OK;
}

void loss_counts_release(loss_counts *c)
{
    for (uint32_t j = 0; j < c->n_attributes; j++) {
        const loss_column_counts *one = &c->attribute[j];
        const size_t bytes = one->tree->n_nodes * sizeof(uint64_t);
        pmi_pairs_release(&c->attribute[j].pairs, c->memory);
        arena_release(c->memory, one->suppressed, bytes);
        arena_release(c->memory, one->there, bytes);
        arena_release(c->memory, one->shown, bytes);
    }
    c->n_attributes = 0;
}
