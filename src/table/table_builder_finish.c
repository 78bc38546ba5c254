/* From cells in order of first sight to a table: dictionaries are sorted, and codes follow them. */
#include <string.h>

#include "core/error.h"
#include "table/dictionary_sort.h"
#include "table/table_builder_internal.h"
#include "table/typed_value.h"

/* What a value is sorted by, as an unsigned number; strings are sorted by their texts instead. */
static uint64_t key_of(const column_builder *c, uint32_t code)
{
    return c->type == KITH_TYPE_STRING    ? 0
           : c->type == KITH_TYPE_DECIMAL ? dictionary_sort_key_decimal(c->decimal[code])
                                          : dictionary_sort_key_whole(c->whole[code]);
}

/* Lists the codes that stay, in order; `*count` of them. */
static kith_status sorted_codes(table_builder *b, const column_builder *c, arena *scratch,
                                dictionary_sort_item **items, size_t *count, kith_error *error)
{
    size_t all = c->texts.count;
    TRY(memory_budget_take(&b->budget, 2 * all * sizeof **items, error));
    *items = arena_array(scratch, all, sizeof **items);
    dictionary_sort_item *spare = arena_array(scratch, all, sizeof *spare);
    if (*items == NULL || spare == NULL)
        return memory_budget_refuse(&b->budget, 2 * all * sizeof **items, error);
    *count = 0;
    for (uint32_t code = 0, m = 0; code < all; code++) {
        if (m < c->n_missing && c->missing[m] == code)
            m++;
        else if (c->seen == NULL || c->seen[code] > 0)
            (*items)[(*count)++] = (dictionary_sort_item){.key = key_of(c, code), .code = code};
    }
    if (c->type == KITH_TYPE_STRING)
        dictionary_sort_by_text(*items, spare, *count, &c->texts);
    else
        dictionary_sort_by_key(*items, spare, *count, &c->texts);
    arena_release(scratch, spare, all * sizeof *spare);
    memory_budget_give_back(&b->budget, all * sizeof *spare);
    return KITH_OK;
}

/* The dictionary's own copy of its texts, in their order: what missing texts took is not kept. */
static kith_status copy_texts(table_builder *b, const column_builder *c,
                              const dictionary_sort_item *items, uint32_t count, dictionary *d,
                              kith_error *error)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += intern_length(&c->texts, items[i].code) + 1;
    TRY(memory_budget_take(&b->budget, bytes + ((size_t)count + 1) * sizeof(uint64_t), error));
    char *texts = arena_alloc(b->memory, bytes);
    uint64_t *offsets = arena_array(b->memory, (size_t)count + 1, sizeof *offsets);
    if (texts == NULL || offsets == NULL)
        return memory_budget_refuse(&b->budget, bytes, error);
    uint64_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = intern_length(&c->texts, items[i].code) + 1;
        offsets[i] = at;
        memcpy(texts + at, intern_text(&c->texts, items[i].code), length);
        at += length;
    }
    offsets[count] = at;
    *d = (dictionary){.count = count,
                      .offsets = offsets,
                      .bytes = texts,
                      .type = c->type,
                      .mark = typed_value_mark(c->type, c->date_format)};
    return KITH_OK;
}

/* Numbers and dates of the dictionary, in its order. Both kinds have eight bytes. */
static kith_status copy_values(table_builder *b, column_builder *c,
                               const dictionary_sort_item *items, dictionary *d, kith_error *error)
{
    int64_t *whole = NULL;
    double *decimal = NULL;
    if (c->type == KITH_TYPE_STRING)
        return KITH_OK;
    TRY(memory_budget_take(&b->budget, (uint64_t)d->count * 8, error));
    if (c->type == KITH_TYPE_DECIMAL)
        d->decimal = decimal = arena_array(b->memory, d->count, sizeof *decimal);
    else
        d->whole = whole = arena_array(b->memory, d->count, sizeof *whole);
    if (whole == NULL && decimal == NULL)
        return memory_budget_refuse(&b->budget, (uint64_t)d->count * 8, error);
    for (uint32_t i = 0; i < d->count; i++)
        if (whole != NULL)
            whole[i] = c->whole[items[i].code];
        else
            decimal[i] = c->decimal[items[i].code];
    arena_release(b->memory, whole != NULL ? (void *)c->whole : c->decimal, c->values_room * 8);
    memory_budget_give_back(&b->budget, c->values_room * 8);
    return KITH_OK;
}

/* Sorts the values of a column and replaces provisional codes by final ones: `map` leads from them
 * to places in the dictionary. What is no longer needed is given back step by step, because this is
 * where memory peaks. */
static kith_status finish_column(table_builder *b, column_builder *c, arena *scratch,
                                 column *result, kith_error *error)
{
    dictionary_sort_item *items;
    size_t kept = 0, all = c->texts.count;
    intern_forget(&c->texts);
    TRY(sorted_codes(b, c, scratch, &items, &kept, error));
    TRY(memory_budget_take(&b->budget, all * sizeof(uint32_t), error));
    uint32_t *map = arena_array(b->keeps_maps ? b->memory : scratch, all, sizeof *map);
    if (map == NULL)
        return memory_budget_refuse(&b->budget, all * sizeof *map, error);
    memset(map, 0xff, all * sizeof *map); /* TABLE_MISSING */
    for (uint32_t i = 0; i < kept; i++)
        map[items[i].code] = i;
    TRY(copy_texts(b, c, items, (uint32_t)kept, &result->values, error));
    intern_release(&c->texts);
    TRY(copy_values(b, c, items, &result->values, error));
    for (uint32_t row = 0; row < b->n_rows; row++)
        if (c->codes[row] != TABLE_MISSING)
            c->codes[row] = map[c->codes[row]];
    arena_release(scratch, items, all * sizeof *items);
    memory_budget_give_back(&b->budget, all * sizeof *items);
    if (b->keeps_maps) {
        c->map = map;
        c->n_codes = (uint32_t)all;
    } else {
        arena_release(scratch, map, all * sizeof *map);
        memory_budget_give_back(&b->budget, all * sizeof *map);
    }
    result->name = c->name;
    result->codes = arena_resize(b->memory, c->codes, b->rows_room * sizeof *c->codes,
                                 b->n_rows * sizeof *c->codes);
    return result->codes == NULL ? memory_budget_refuse(&b->budget, b->n_rows * 4, error) : KITH_OK;
}

kith_status table_builder_finish(table_builder *b, kith_table **result, kith_error *error)
{
    kith_table *table = TRY_ZEROS(table, b->memory, 1, error);
    table->memory = b->memory;
    table->owners = TRY_ALLOC(arena_alloc(b->memory, sizeof *table->owners), error);
    atomic_init(table->owners, 1);
    table->source = b->source;
    table->n_rows = b->n_rows;
    table->n_columns = (uint32_t)b->count;
    table->columns = TRY_ZEROS(table->columns, b->memory, b->count, error);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        TRY(finish_column(b, &b->columns[i], scratch, &table->columns[i], error));
        table->columns[i].place = i;
    }
    CHECK(table_check(table));
    *result = table;
    return KITH_OK;
}
