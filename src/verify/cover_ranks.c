#include "verify/cover_ranks.h"

#include "core/error.h"
#include "table/code_rows.h"

/* The columns that are compared. */
typedef struct both_sides {
    kith_table release, data;
    cover_column *columns; /* column i of each table */
} both_sides;

/* The rows that are here; what is compared of a record may be its original value. */
static kith_status take_sides(both_sides *s, const cover *c, const cover_task *task,
                              kith_error *error)
{
    s->columns = TRY_ARRAY(s->columns, c->memory, c->n_columns, error);
    s->release = (kith_table){.n_rows = c->count, .n_columns = c->n_columns};
    s->data = (kith_table){.n_rows = c->n_data, .n_columns = c->n_columns};
    s->release.columns = TRY_ALLOC(arena_array(c->memory, c->n_columns, sizeof(column)), error);
    s->data.columns = TRY_ALLOC(arena_array(c->memory, c->n_columns, sizeof(column)), error);
    for (uint32_t i = 0; i < c->n_columns; i++) {
        const cover_column *from = &task->columns[i];
        s->columns[i] = *from;
        s->columns[i].release = s->columns[i].data = i;
        s->release.columns[i] = task->release->columns[from->release];
        s->data.columns[i] =
            from->recoding != NULL ? *from->recoding->original : task->data->columns[from->data];
        uint32_t *codes = TRY_ARRAY(codes, c->memory, c->n_data, error);
        for (uint32_t r = 0; r < c->n_data; r++)
            codes[r] = s->data.columns[i].codes[c->rows[r]];
        s->data.columns[i].codes = codes;
    }
    return KITH_OK;
}

/* The rank of each row of the release, then of each record. */
static kith_status find_ranks(uint32_t **to, const cover *c, uint32_t n_ranks, kith_error *error)
{
    kith_table plain;
    TRY(cover_match_plain(&plain, c, error));
    uint32_t **codes = TRY_ARRAY(codes, c->memory, plain.n_columns, error);
    *to = TRY_ARRAY(*to, c->memory, plain.n_rows, error);
    for (uint32_t i = 0; i < plain.n_columns; i++)
        codes[i] = plain.columns[i].codes;
    const code_rows keys = {.n_rows = plain.n_rows, .n_keys = plain.n_columns, .codes = codes};
    code_rows_owners(*to, &keys, n_ranks);
    return KITH_OK;
}

static kith_status exchange(both_sides *there, uint32_t **numbers, const both_sides *here,
                            const cover *c, const cover_share *share, kith_error *error)
{
    context *ranks = share->context;
    uint32_t *to = NULL, *none = NULL;
    TRY(find_ranks(&to, c, crew_size(ranks->crew), error));
    *numbers = TRY_ARRAY(*numbers, c->memory, c->count, error);
    for (uint32_t row = 0; row < c->count; row++)
        (*numbers)[row] = (uint32_t)share->first_row + row;
    there->columns = here->columns;
    TRY(code_rows_send_table(&there->release, numbers, &here->release, to, UINT32_MAX, ranks,
                             c->memory, error));
    return code_rows_send_table(&there->data, &none, &here->data, to + c->count, 0, ranks,
                                c->memory, error);
}

/* What has come, ready to be matched. */
static kith_status open_cover(cover *c, both_sides *s, const cover *own, const cover_task *task,
                              kith_error *error)
{
    arena *memory = own->memory;
    uint32_t *rows = TRY_ARRAY(rows, memory, s->data.n_rows, error);
    for (uint32_t r = 0; r < s->data.n_rows; r++)
        rows[r] = r;
    *c = (cover){.memory = memory,
                 .release = &s->release,
                 .rows = rows,
                 .count = s->release.n_rows,
                 .n_data = s->data.n_rows,
                 .n_columns = own->n_columns,
                 .ranks = task->share->context->crew,
                 .report = own->report};
    c->cells = TRY_ARRAY(c->cells, memory, c->n_columns, error);
    for (uint32_t i = 0; i < c->n_columns; i++) {
        const cover_recoding *from = s->columns[i].recoding;
        if (from != NULL) {
            cover_recoding *r = TRY_ALLOC(arena_alloc(memory, sizeof *r), error);
            *r = *from;
            r->original = &s->data.columns[i];
            s->columns[i].recoding = r;
        }
        TRY(cover_cells_init(&c->cells[i], memory, &s->release, &s->data, &s->columns[i],
                             task->ranges, error));
    }
    return KITH_OK;
}

kith_status cover_ranks_match(const cover *c, const cover_task *task, kith_error *error)
{
    both_sides here, there;
    cover whole;
    uint32_t *numbers;
    TRY(take_sides(&here, c, task, error));
    TRY(exchange(&there, &numbers, &here, c, task->share, error));
    TRY(open_cover(&whole, &there, c, task, error));
    whole.number = numbers;
    return cover_match_rows(&whole, error);
}
