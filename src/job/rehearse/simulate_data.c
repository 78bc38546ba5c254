/* The table of a simulation. It is read once and checked as a whole, so that errors name the line
 * of the original; then each site's part is written to a file that only its owner can read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/check/look.h"
#include "job/prepare/kept_rows.h"
#include "job/rehearse/simulate.h"
#include "search/search.h"
#include "table/table_writer.h"

/* Sites join rows by their identifiers, so every row needs one of its own. */
static kith_status check_ids(const simulation *s, kith_error *error)
{
    const kith_table *table = s->table;
    if (s->id_column == NULL || s->add_id || s->study->joint.ids_aligned)
        return KITH_OK;
    const column *c = &table->columns[table_find(table, s->id_column)];
    uint32_t *first = TRY_ZEROS(first, s->context.memory, c->values.count, error);
    for (uint32_t row = 0; row < table->n_rows; row++) {
        uint32_t code = c->codes[row];
        if (code == TABLE_MISSING)
            return error_at(error, KITH_DATA, table_file(table, row), table_line(table, row), 0,
                            "no identifier (column %s), by which rows are joined", c->name);
        if (first[code] != 0)
            return error_at(error, KITH_DATA, table_file(table, row), table_line(table, row), 0,
                            "the identifier of line %llu again (column %s), by which rows are "
                            "joined",
                            (unsigned long long)table_line(table, first[code] - 1), c->name);
        first[code] = row + 1;
    }
    return KITH_OK;
}

kith_status simulate_data_load(simulation *s, kith_error *error)
{
    kith_table_options options = study_table_options(s->study);
    const kith_input *input = s->options->input;
    /* The columns that the study reads, and those that join or split rows. */
    const char *extra[] = {s->add_id ? NULL : s->id_column, s->split.column};
    size_t count = options.n_columns;
    kith_column_spec *columns = TRY_ARRAY(columns, s->context.memory, count + 2, error);
    memcpy(columns, options.columns, count * sizeof *columns);
    uint32_t n_read = 0; /* without the column that splits rows, which sites need not read */
    for (int e = 0; e < 2; e++) {
        n_read = (uint32_t)count;
        bool there = extra[e] == NULL;
        for (size_t i = 0; i < count && !there; i++)
            there = strcmp(columns[i].name, extra[e]) == 0;
        if (!there)
            columns[count++] = (kith_column_spec){.name = extra[e], .type = KITH_TYPE_STRING};
    }
    options.columns = columns;
    options.n_columns = count;
    TRY(table_input_read(&s->table, input, &options, s->context.run, s->context.memory, error));
    if (s->id_column == NULL)
        TRY(kept_rows_full(&s->table, s->table, n_read, s->context.memory, error));
    TRY(look_for_repeats(&s->findings, s->site_study, input, &s->context, error));
    if (s->add_id && table_find(s->table, SIMULATE_ID) != UINT32_MAX)
        return error_set(error, KITH_INVALID,
                         "the study has a column " SIMULATE_ID
                         ", which is the name of the row number to be added");
    TRY(prepare_table(&s->prepared, s->study, s->table, &s->context, error));
    TRY(check_ids(s, error));
    /* What a search cannot satisfy on the whole table, these protocols cannot either. The encrypted
     * view may still suppress records. */
    const protocol_options *joint = &s->study->joint;
    if (joint->partition != PARTITION_NONE && !joint->protocol->by_master)
        TRY(search_feasible(&s->prepared.problem, s->context.memory, error));
    return simulate_split_rows(&s->split, s->context.memory, s->study, s->table, s->context.seed,
                               error);
}

/* The content of a site's file: the identifier, if there is one, then columns of the table in the
 * order of the source. */
typedef struct part {
    uint32_t site;
    uint32_t n_columns;
    const column **columns; /* NULL: the row number */
    const char **names, **cells;
    uint32_t n_rows;
    uint32_t *rows;
} part;

static void simulate_data_add_column(part *p, const column *c, const char *name)
{
    p->columns[p->n_columns] = c;
    p->names[p->n_columns++] = name;
}

static kith_status choose_columns(part *p, const simulation *s, arena *memory, kith_error *error)
{
    size_t max_columns = s->table->n_columns + (size_t)1; /* and the identifier */
    p->columns = TRY_ARRAY(p->columns, memory, max_columns, error);
    p->names = TRY_ARRAY(p->names, memory, max_columns, error);
    p->cells = TRY_ARRAY(p->cells, memory, max_columns, error);
    if (s->add_id)
        simulate_data_add_column(p, NULL, SIMULATE_ID);
    else if (s->id_column != NULL)
        simulate_data_add_column(p, &s->table->columns[table_find(s->table, s->id_column)],
                                 s->id_column);
    uint32_t first = p->n_columns;
    for (uint32_t i = 0; i < s->table->n_columns; i++) {
        const column *c = &s->table->columns[i];
        if (!simulate_split_has_column(&s->split, s->study, p->site, c->name))
            continue;
        uint32_t at = p->n_columns; /* insertion sort by place in the source */
        simulate_data_add_column(p, c, c->name);
        for (; at > first && p->columns[at - 1]->place > c->place; at--) {
            p->columns[at] = p->columns[at - 1];
            p->names[at] = p->names[at - 1];
        }
        p->columns[at] = c;
        p->names[at] = c->name;
    }
    return KITH_OK;
}

const char *simulate_data_missing(const kith_study *study)
{
    for (uint32_t i = 0; i < study->n_missing_values; i++)
        if (study->missing_values[i][0] == '\0')
            return NULL;
    return study->n_missing_values > 0 ? study->missing_values[0] : NULL;
}

static kith_status simulate_data_write_part(const simulation *s, uint32_t site, arena *memory,
                                            kith_error *error)
{
    simulate_endpoint *endpoint = &s->endpoints[site];
    part p = {.site = site};
    table_writer *w;
    TRY(choose_columns(&p, s, memory, error));
    /* The rows of a site, without those that have no value, shuffled where they will be joined by
     * identifiers: sites that hold different columns of the same people do not have them in the
     * same order either. */
    enum { STREAM = 0x7000 };
    uint32_t n_rows = s->table->n_rows;
    p.rows = TRY_ARRAY(p.rows, memory, n_rows, error);
    for (uint32_t i = 0; i < n_rows; i++)
        if (simulate_split_holds(&s->split, p.site, i) && !kept_rows_is_empty(s->table, i))
            p.rows[p.n_rows++] = i;
    if (s->id_column != NULL) {
        rng r;
        rng_init(&r, s->context.seed, STREAM + p.site);
        rng_shuffle(&r, p.rows, p.n_rows);
    }
    endpoint->n_rows = p.n_rows;
    TRY(table_writer_open(&w, memory, endpoint->data, ',', false, p.names, p.n_columns, error));
    if (chmod(table_writer_readable(w), 0600) != 0)
        return error_errno(error, errno, "write", endpoint->data);
    const char *missing = simulate_data_missing(s->study);
    char number[16];
    for (uint32_t i = 0; i < p.n_rows; i++) {
        for (uint32_t j = 0; j < p.n_columns; j++) {
            const column *c = p.columns[j];
            if (c == NULL) {
                snprintf(number, sizeof number, "%u", (unsigned)p.rows[i] + 1);
                p.cells[j] = number;
            } else {
                uint32_t code = c->codes[p.rows[i]];
                p.cells[j] = code == TABLE_MISSING ? missing : dictionary_text(&c->values, code);
            }
        }
        TRY(table_writer_row(w, p.cells, error));
    }
    return table_writer_commit(w, error);
}

kith_status simulate_data_write(simulation *s, kith_error *error)
{
    CHECK(simulate_split_check(&s->split, s->study, s->table->n_rows));
    for (uint32_t i = 0; i < s->split.n_sites; i++) {
        arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
        TRY(simulate_data_write_part(s, i, memory, error));
    }
    return KITH_OK;
}
