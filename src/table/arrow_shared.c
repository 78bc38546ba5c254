#include "table/arrow_shared.h"

#include "core/error.h"

static kith_type type_of(const kith_table *table, uint32_t which, const kith_table *types_of)
{
    const column *c = &table->columns[which];
    const uint32_t other = types_of == NULL ? UINT32_MAX : table_find(types_of, c->name);
    return other == UINT32_MAX ? c->values.type : types_of->columns[other].values.type;
}

static kith_status fill(arrow_shared *s, const kith_table *table, const kith_arrow_options *options,
                        kith_error *error)
{
    s->forms = TRY_ALLOC(arena_array(s->memory, table->n_columns, sizeof *s->forms), error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        TRY(arrow_form_of(&s->forms[i], s->memory, &table->columns[i].values,
                          type_of(table, i, options->types_of), options, error));
    s->table = table_share(table);
    return KITH_OK;
}

kith_status arrow_shared_new(arrow_shared **shared, const kith_table *table,
                             const kith_arrow_options *options, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new(), error);
    arrow_shared *s = arena_zalloc(memory, 1, sizeof *s);
    kith_status status = s == NULL ? error_nomem(error) : KITH_OK;
    if (s != NULL) {
        atomic_init(&s->owners, 1);
        s->memory = memory;
        s->batch_rows = options->batch_rows;
        status = fill(s, table, options, error);
    }
    if (status != KITH_OK)
        arena_free(memory);
    else
        *shared = s;
    return status;
}

arrow_shared *arrow_shared_join(arrow_shared *shared)
{
    atomic_fetch_add(&shared->owners, 1);
    return shared;
}

void arrow_shared_leave(arrow_shared *shared)
{
    if (atomic_fetch_sub(&shared->owners, 1) != 1)
        return;
    kith_table_free(shared->table);
    arena_free(shared->memory);
}
