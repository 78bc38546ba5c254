#include "job/result/mapping_rows.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"

#define NONE UINT32_MAX

enum { COLUMN_DATA, COLUMN_RELEASE, COLUMNS };
static const char *const names[COLUMNS] = {"confidential_row", "release_row"};

/* One of the two tables that a mapping speaks of. */
typedef struct mapped_table {
    const kith_table *table;
    uint32_t *named_by; /* [rows] the row of the mapping, or NONE */
} mapped_table;

typedef struct mapping_rows {
    const kith_table *mapping;
    mapped_table sides[COLUMNS];
    uint32_t *release_row; /* [rows of the data] or NONE */
} mapping_rows;

static kith_status read_mapping(mapping_rows *m, const kith_input *from, context *c,
                                kith_error *error)
{
    kith_column_spec columns[COLUMNS] = {0};
    for (uint32_t i = 0; i < COLUMNS; i++)
        columns[i] = (kith_column_spec){.name = names[i], .type = KITH_TYPE_INTEGER};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = COLUMNS);
    TRY(table_input_read(&m->mapping, from, &options, c->run, c->memory, error));
    for (uint32_t i = 0; i < COLUMNS; i++) {
        mapped_table *side = &m->sides[i];
        const size_t n_rows = side->table->n_rows;
        if (table_find(m->mapping, names[i]) == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s", m->mapping->source, names[i]);
        side->named_by = TRY_ARRAY(side->named_by, c->memory, n_rows, error);
        memset(side->named_by, 0xff, n_rows * sizeof *side->named_by);
    }
    const size_t n_data = m->sides[COLUMN_DATA].table->n_rows;
    m->release_row = TRY_ARRAY(m->release_row, c->memory, n_data, error);
    memset(m->release_row, 0xff, n_data * sizeof *m->release_row);
    return KITH_OK;
}

/* A line of the mapping is wrong. Lines are looked up only now: it takes reading the file again. */
static kith_status refuse_line(const mapping_rows *m, uint32_t at, const char *reason,
                               kith_error *error)
{
    return error_at(error, KITH_DATA, table_file(m->mapping, at), table_line(m->mapping, at), 0,
                    "%s", reason);
}

/* The row that a cell names, from 0, noted as named; NONE: the cell is empty. */
static kith_status take_row(uint32_t *named, mapping_rows *m, uint32_t side, uint32_t at,
                            kith_error *error)
{
    const column *cells = &m->mapping->columns[table_find(m->mapping, names[side])];
    mapped_table *to = &m->sides[side];
    char reason[500];
    *named = NONE;
    if (cells->codes[at] == TABLE_MISSING)
        return KITH_OK;
    const int64_t number = cells->values.whole[cells->codes[at]];
    if (number < 1 || number > to->table->n_rows) {
        snprintf(reason, sizeof reason, "%s is %lld, but %s has %u row%s", names[side],
                 (long long)number, to->table->source, to->table->n_rows,
                 to->table->n_rows == 1 ? "" : "s");
        return refuse_line(m, at, reason, error);
    }
    *named = (uint32_t)(number - 1);
    if (to->named_by[*named] != NONE) {
        snprintf(reason, sizeof reason, "%s %lld was named before, on row %u of the mapping",
                 names[side], (long long)number, to->named_by[*named] + 1);
        return refuse_line(m, at, reason, error);
    }
    to->named_by[*named] = at;
    return KITH_OK;
}

/* The release in the order of the records. */
static kith_status order_rows(kith_table *ordered, const mapping_rows *m, const prepared *p,
                              context *c, kith_error *error)
{
    const kith_table *release = m->sides[COLUMN_RELEASE].table;
    if (p->n_rows != release->n_rows) {
        /* The other way round: some record with a row is none of those of `p`. */
        for (uint32_t row = 0, i = 0; row < m->sides[COLUMN_DATA].table->n_rows; row++) {
            const bool kept = i < p->n_rows && p->rows[i] == row;
            if (m->release_row[row] != NONE && !kept)
                return refuse_line(m, m->sides[COLUMN_DATA].named_by[row],
                                   "this record has a release_row, but the study leaves it out",
                                   error);
            i += kept;
        }
        return error_set(error, KITH_BUG, "the records of a mapping do not add up");
    }
    uint32_t *from = TRY_ARRAY(from, c->memory, p->n_rows, error);
    TRY(table_room(ordered, release, p->n_rows, c->memory, error));
    for (uint32_t i = 0; i < p->n_rows; i++) {
        from[i] = m->release_row[p->rows[i]];
        if (from[i] == NONE) {
            /* A record that the release must have, and the mapping does not give it a row. */
            const mapped_table *data = &m->sides[COLUMN_DATA];
            if (data->named_by[p->rows[i]] == NONE)
                return error_set(error, KITH_DATA, "%s does not name row %u of %s",
                                 m->mapping->source, p->rows[i] + 1, data->table->source);
            return refuse_line(m, data->named_by[p->rows[i]],
                               "release_row is empty, but the study releases this record", error);
        }
        for (uint32_t j = 0; j < release->n_columns; j++)
            ordered->columns[j].codes[i] = release->columns[j].codes[from[i]];
    }
    for (uint32_t i = 0; i < p->n_rows; i++)
        from[i] = (uint32_t)table_source_row(release, from[i]);
    ordered->source_rows = from;
    return KITH_OK;
}

kith_status mapping_rows_apply(prepared *p, const kith_table **release, const kith_input *mapping,
                               const kith_table *data, context *c, kith_error *error)
{
    mapping_rows m = {
        .sides = {[COLUMN_DATA] = {.table = data}, [COLUMN_RELEASE] = {.table = *release}}};
    const bool sample = p->study->sample > 0;
    if ((*release)->n_rows != (sample ? prepare_sample_size(p->study, p->n_rows) : p->n_rows))
        return KITH_OK;
    TRY(read_mapping(&m, mapping, c, error));
    for (uint32_t at = 0; at < m.mapping->n_rows; at++) {
        uint32_t data_row, release_row;
        TRY(take_row(&data_row, &m, COLUMN_DATA, at, error));
        TRY(take_row(&release_row, &m, COLUMN_RELEASE, at, error));
        if (data_row == NONE)
            return refuse_line(&m, at, "confidential_row is empty", error);
        m.release_row[data_row] = release_row;
    }
    const mapped_table *released = &m.sides[COLUMN_RELEASE];
    for (uint32_t row = 0; row < released->table->n_rows; row++)
        if (released->named_by[row] == NONE)
            return error_set(error, KITH_DATA, "%s does not name row %u of %s", m.mapping->source,
                             row + 1, released->table->source);
    if (sample) {
        /* Of a sample the mapping knows which records it has. */
        const kith_table *whole = m.sides[COLUMN_DATA].table;
        bool *chosen = TRY_ARRAY(chosen, c->memory, whole->n_rows, error);
        for (uint32_t row = 0; row < whole->n_rows; row++)
            chosen[row] = m.release_row[row] != NONE;
        TRY(prepare_chosen(p, p->study, whole, chosen, c, error));
    }
    kith_table *ordered = TRY_ALLOC(arena_alloc(c->memory, sizeof *ordered), error);
    TRY(order_rows(ordered, &m, p, c, error));
    *release = ordered;
    return KITH_OK;
}
