#include "job/joint/joint_publish_rows.h"

#include <string.h>

#include "core/error.h"
#include "job/joint/joint_release.h"
#include "release/release.h"
#include "smc/sums/sum.h"
#include "smc/sets/mix_union.h"
#include "table/memory_budget.h"
#include "table/table_builder.h"

enum {
    MAX_CELLS = 1 << 24, /* of the table of counts by class and tuple */
    MAX_WIDTH = 64       /* columns that are released as they are */
};

/* The released rows: the class of each, and the codes of its tuple. Invariant: class_of[] <
 * n_classes, and tuple[row * width + i] < base[i]. */
typedef struct rows {
    uint32_t width; /* cells of a tuple */
    uint32_t *base; /* [width] number of codes; the code after those of the dictionary is missing */
    uint32_t *index; /* [width] column of `prepared` */
    uint64_t count;
    uint32_t *class_of; /* [count] */
    uint32_t *tuple;    /* [count * width] */
} rows;

/* True if the column is released as it is. */
static bool is_cell(const prepared_column *c)
{
    return c->attribute == PREPARE_NONE;
}

static const column *source_of(const prepared *p, uint32_t index)
{
    return &p->texts->columns[p->columns[index].source];
}

static uint32_t joint_publish_rows_code_of(const prepared *p, const rows *r, uint32_t record,
                                           uint32_t cell)
{
    const column *source = source_of(p, r->index[cell]);
    uint32_t code = source->codes[p->rows[record]];
    return code == TABLE_MISSING ? source->values.count : code;
}

/* The class sizes are sums of what all parties say, and only memory bounds them. */
static kith_status joint_publish_rows_reserve(rows *r, uint64_t count, arena *memory,
                                              kith_error *error)
{
    const uint64_t bytes = count * (1 + (uint64_t)r->width) * sizeof(uint32_t);
    r->class_of = NULL;
    r->tuple = NULL;
    if (count <= UINT32_MAX && bytes <= memory_budget_available("", 0)) {
        r->class_of = arena_array(memory, count, sizeof *r->class_of);
        r->tuple = arena_array(memory, count * r->width, sizeof *r->tuple);
    }
    if (r->class_of == NULL || r->tuple == NULL)
        return error_set(error, KITH_PEER,
                         "the sites claim a release of %llu rows, which is more than fits",
                         (unsigned long long)count);
    return KITH_OK;
}

/* Adds up how often each pair of class and tuple occurs. Peers may send wrong counts, so the sum is
 * checked against the class sizes before rows are made of it. */
static kith_status by_sum(rows *r, party *p, const prepared *mine, const rows_result *result,
                          uint64_t n_cells, uint64_t total, arena *memory, kith_error *error)
{
    uint64_t *count = TRY_ZEROS(count, memory, n_cells, error);
    uint64_t found = 0;
    for (uint32_t record = 0; record < mine->n_rows; record++) {
        uint64_t cell = result->class_of[record];
        for (uint32_t i = 0; i < r->width; i++)
            cell = cell * r->base[i] + joint_publish_rows_code_of(mine, r, record, i);
        count[cell]++;
    }
    TRY(sum_masked(p, count, count, n_cells, 0, SMC_ALL, error));
    TRY(joint_publish_rows_reserve(r, total, memory, error));
    for (uint64_t cell = 0; cell < n_cells; cell++) {
        found = count[cell] > total - found ? UINT64_MAX : found + count[cell]; /* no overflow */
        if (found > total)
            break;
        /* `cell` is the number of a class and a tuple in mixed radix. */
        uint32_t code[MAX_WIDTH] = {0};
        uint64_t class = cell;
        for (uint32_t i = r->width; i-- > 0; class /= r->base[i])
            code[i] = (uint32_t)(class % r->base[i]);
        for (uint64_t t = 0; t < count[cell]; t++) {
            memcpy(r->tuple + r->count * r->width, code, r->width * sizeof *code);
            r->class_of[r->count++] = (uint32_t) class;
        }
    }
    if (found != total)
        return error_set(error, KITH_PEER,
                         "the sites' counts of released cells do not add up to the class sizes");
    return KITH_OK;
}

/* Unites the (class, tuple) pairs of all parties. */
static kith_status by_union(rows *r, party *p, const prepared *mine, const rows_result *result,
                            uint64_t total, arena *memory, kith_error *error)
{
    size_t width = (r->width + (size_t)1) * sizeof(uint32_t);
    mix_union_rows own = {arena_array(memory, mine->n_rows, width), mine->n_rows}, all;
    TRY_ALLOC(own.bytes, error);
    for (uint32_t record = 0; record < mine->n_rows; record++) {
        uint32_t cell[MAX_WIDTH + 1] = {result->class_of[record]};
        for (uint32_t i = 0; i < r->width; i++)
            cell[i + 1] = joint_publish_rows_code_of(mine, r, record, i);
        memcpy(own.bytes + record * width, cell, width);
    }
    mix_union_shape shape = {.row_bytes = width, .multiset = true};
    if (mine->study->joint.hide_sizes)
        shape.capacity = total; /* every site adds empty rows up to the number of all rows */
    if (total < own.count)
        return error_set(error, KITH_PEER, "the classes have %llu rows, this party alone has %zu",
                         (unsigned long long)total, own.count);
    TRY(mix_union(p, &all, &own, shape, error));
    if (all.count != total)
        return error_set(error, KITH_PEER, "the sites published %zu rows instead of %llu",
                         all.count, (unsigned long long)total);
    TRY(joint_publish_rows_reserve(r, all.count, memory, error));
    /* The rows come from peers. The union hides who sent one, so an invalid one cannot be
     * attributed to a party. */
    for (size_t i = 0; i < all.count; i++) {
        uint32_t *tuple = r->tuple + r->count * r->width;
        memcpy(&r->class_of[r->count], all.bytes + i * width, sizeof(uint32_t));
        memcpy(tuple, all.bytes + i * width + sizeof(uint32_t), width - sizeof(uint32_t));
        bool good = r->class_of[r->count] < result->n_classes;
        for (uint32_t j = 0; j < r->width; j++)
            good = good && tuple[j] < r->base[j];
        if (!good)
            return error_set(error, KITH_PEER,
                             "a site published a row with an invalid class or value");
        r->count++;
    }
    return KITH_OK;
}

/* What a class shows of an attribute. */
static const char *class_label(const rows_result *result, const kith_hierarchy *h, uint64_t place,
                               char *scratch)
{
    if (result->low != NULL)
        return release_range(h, result->low[place], result->high[place], scratch);
    const char *text = h->label[result->closure[place]];
    return text[0] == '\0' ? NULL : text; /* the label of a missing value */
}

/* What `build` needs. */
typedef struct building {
    const rows *rows;
    const prepared *mine;
    const rows_result *result;
} building;

/* Writes labels and cells as texts. */
static kith_status joint_publish_rows_build(const void *user, kith_table **texts, arena *memory,
                                            arena *scratch, kith_error *error)
{
    const building *from = user;
    const rows *r = from->rows;
    const prepared *p = from->mine;
    kith_column_spec *columns = TRY_ZEROS(columns, scratch, p->n_columns, error);
    kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *b;
    for (uint32_t i = 0; i < p->n_columns; i++)
        columns[i].name = p->columns[i].study->name;
    TRY(table_builder_new(&b, memory, "release", columns, p->n_columns, &options, error));
    for (uint64_t row = 0; row < r->count; row++) {
        const uint64_t first = (uint64_t)r->class_of[row] * p->problem.n_attributes;
        char scratch_cell[RELEASE_CELL_BYTES];
        for (uint32_t i = 0, cell = 0; i < p->n_columns; i++) {
            const prepared_column *c = &p->columns[i];
            const char *text;
            if (!is_cell(c)) {
                text = class_label(from->result, c->hierarchy, first + c->attribute, scratch_cell);
            } else {
                uint32_t code = r->tuple[row * r->width + cell++];
                const dictionary *values = &source_of(p, i)->values;
                text = code < values->count ? dictionary_text(values, code) : NULL;
            }
            TRY(table_builder_cell(b, i, text, text == NULL ? 0 : strlen(text), error));
        }
        TRY(table_builder_row(b, error));
    }
    return table_builder_finish(b, texts, error);
}

kith_status joint_publish_rows(kith_table **texts, party *p, const prepared *mine,
                               const joint_domain *domain, const rows_result *result, context *c,
                               kith_error *error)
{
    rows r = {.width = 0};
    uint64_t total = 0;
    const char *before = party_step(p, "publish");
    /* Which columns a tuple has, and how many codes each of them. The dictionaries are the joint
     * ones, so all parties get the same. */
    r.base = TRY_ARRAY(r.base, c->memory, mine->n_columns, error);
    r.index = TRY_ARRAY(r.index, c->memory, mine->n_columns, error);
    for (uint32_t i = 0; i < mine->n_columns; i++) {
        if (!is_cell(&mine->columns[i]))
            continue;
        bool missing = domain->missing[mine->columns[i].study - mine->study->columns];
        r.base[r.width] = source_of(mine, i)->values.count + missing;
        r.index[r.width++] = i;
    }
    if (r.width > MAX_WIDTH)
        return error_set(error, KITH_INVALID, "more than %d columns are released as they are",
                         MAX_WIDTH);
    for (uint32_t i = 0; i < result->n_classes; i++)
        total += result->size[i];
    /* Possible pairs of class and tuple, as long as they are not too many. */
    uint64_t n_cells = result->n_classes;
    for (uint32_t i = 0; i < r.width && n_cells <= MAX_CELLS; i++)
        n_cells *= r.base[i];
    if (n_cells <= MAX_CELLS && (n_cells > 0 || result->n_classes == 0))
        TRY(by_sum(&r, p, mine, result, n_cells, total, c->memory, error));
    else
        TRY(by_union(&r, p, mine, result, total, c->memory, error));
    /* A peer that moved its rows to other classes than it said would leave a class too small. */
    uint64_t *found = TRY_ZEROS(found, c->memory, result->n_classes, error);
    for (uint64_t row = 0; row < r.count; row++)
        found[r.class_of[row]]++;
    for (uint32_t class = 0; class < result->n_classes; class ++)
        if (found[class] != result->size[class])
            return error_set(
                error, KITH_PEER, "the sites published %llu rows of a class of %llu records",
                (unsigned long long)found[class], (unsigned long long)result->size[class]);
    party_learns(p, DISCLOSE_RELEASE, "release", r.count);
    party_step(p, before);
    return joint_release_build(texts, p, joint_publish_rows_build, &(building){&r, mine, result},
                               error);
}

kith_status joint_publish_rows_own(kith_table **texts, party *p, const prepared *mine,
                                   const rows_result *result, context *c, kith_error *error)
{
    rows r = {.width = 0, .count = mine->n_rows, .class_of = result->class_of};
    r.index = TRY_ARRAY(r.index, c->memory, mine->n_columns, error);
    for (uint32_t i = 0; i < mine->n_columns; i++)
        if (is_cell(&mine->columns[i]))
            r.index[r.width++] = i;
    r.tuple = TRY_ARRAY(r.tuple, c->memory, (uint64_t)mine->n_rows * r.width, error);
    for (uint32_t record = 0; record < mine->n_rows; record++)
        for (uint32_t i = 0; i < r.width; i++)
            r.tuple[(uint64_t)record * r.width + i] =
                joint_publish_rows_code_of(mine, &r, record, i);
    return joint_release_build(texts, p, joint_publish_rows_build, &(building){&r, mine, result},
                               error);
}
