#include "job/rehearse/simulate_alone.h"

#include <kith/anonymize.h>
#include <string.h>

#include "core/error.h"

/* Numbers the records within their parts, in the order of the whole table. */
static kith_status count_rows(simulate_alone *a, kith_error *error)
{
    const simulation *s = a->s;
    a->position = TRY_ALLOC(arena_array(a->memory, s->prepared.n_rows, sizeof *a->position), error);
    a->part_rows =
        TRY_ALLOC(arena_zalloc(a->memory, s->split.n_row_parts, sizeof *a->part_rows), error);
    for (uint32_t i = 0; i < s->prepared.n_rows; i++)
        a->position[i] = a->part_rows[s->split.part_of_row[s->prepared.rows[i]]]++;
    return KITH_OK;
}

/* Sites that hold columns know every row by its identifier: none of them is empty, even if all
 * cells of this site are missing. One value for all rows will do here. */
static kith_status add_identifier(kith_table *view, arena *memory, kith_error *error)
{
    static const uint64_t offsets[] = {0, 2};
    column *id = &view->columns[view->n_columns++];
    *id = (column){.name = SIMULATE_ID,
                   .values = {.count = 1, .offsets = offsets, .bytes = "1"},
                   .codes = arena_zalloc(memory, view->n_rows, sizeof *id->codes),
                   .place = UINT32_MAX};
    TRY_ALLOC(id->codes, error);
    return KITH_OK;
}

/* The rows and columns of a site. Only codes are copied. */
static kith_status make_view(simulate_alone *a, uint32_t site, kith_error *error)
{
    const simulation *s = a->s;
    const uint32_t part = site / s->split.n_column_parts;
    kith_table *view = &a->sites[site].view;
    *view = (kith_table){.source = s->table->source, .n_rows = a->part_rows[part]};
    view->columns = TRY_ALLOC(
        arena_array(a->memory, s->table->n_columns + (size_t)1, sizeof *view->columns), error);
    for (uint32_t i = 0; i < s->table->n_columns; i++) {
        const column *from = &s->table->columns[i];
        if (!simulate_split_has_column(&s->split, s->study, site, from->name))
            continue;
        column *to = &view->columns[view->n_columns++];
        *to = *from;
        to->codes = TRY_ALLOC(arena_array(a->memory, view->n_rows, sizeof *to->codes), error);
        for (uint32_t r = 0; r < s->prepared.n_rows; r++)
            if (simulate_alone_part(a, r) == part)
                to->codes[a->position[r]] = from->codes[s->prepared.rows[r]];
    }
    return s->split.n_column_parts > 1 ? add_identifier(view, a->memory, error) : KITH_OK;
}

/* Number of a sensitive column among the sensitive ones of a study. */
static uint32_t sensitive_number(const kith_study *study, const char *name)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < study->n_columns && strcmp(study->columns[i].name, name) != 0; i++)
        number += study->columns[i].role == ROLE_SENSITIVE;
    return number;
}

/* The study with the site's own columns only. Models about columns of other sites are left out: a
 * site alone cannot check them. */
static kith_status restrict_study(simulate_alone *a, uint32_t site, kith_error *error)
{
    const kith_study *whole = a->s->study;
    kith_study *own = &a->sites[site].study;
    *own = *whole;
    study_column *columns =
        TRY_ALLOC(arena_array(a->memory, whole->n_columns, sizeof *columns), error);
    model_spec *models = TRY_ALLOC(arena_array(a->memory, whole->n_models, sizeof *models), error);
    kith_column_spec *read =
        TRY_ALLOC(arena_array(a->memory, whole->n_read + (size_t)1, sizeof *read), error);
    own->read = read;
    own->n_read = 0;
    for (uint32_t i = 0; i < whole->n_read; i++)
        if (simulate_split_has_column(&a->s->split, whole, site, whole->read[i].name))
            read[own->n_read++] = whole->read[i];
    if (a->s->split.n_column_parts > 1) /* from add_identifier */
        read[own->n_read++] = (kith_column_spec){.name = SIMULATE_ID};
    own->columns = columns;
    own->models = models;
    own->n_columns = own->n_models = 0;
    for (uint32_t i = 0; i < whole->n_columns; i++)
        if (simulate_split_has_column(&a->s->split, whole, site, whole->columns[i].name))
            columns[own->n_columns++] = whole->columns[i];
    for (uint32_t i = 0; i < whole->n_models; i++) {
        const model_spec *m = &whole->models[i];
        if (m->attribute != NULL &&
            !simulate_split_has_column(&a->s->split, whole, site, m->attribute))
            continue;
        models[own->n_models] = *m; /* with the number of its attribute in the restricted study */
        if (m->attribute != NULL)
            models[own->n_models].sensitive = sensitive_number(own, m->attribute);
        own->n_models++;
    }
    if (own->class_column != NULL &&
        !simulate_split_has_column(&a->s->split, whole, site, own->class_column))
        own->class_column = NULL;
    return KITH_OK;
}

kith_status simulate_alone_make(simulate_alone *a, simulation *s, kith_error *error)
{
    *a = (simulate_alone){.s = s, .memory = arena_new()};
    TRY_ALLOC(a->memory, error);
    CHECK(simulate_split_check(&s->split, s->study, s->table->n_rows));
    a->sites = TRY_ALLOC(arena_zalloc(a->memory, s->split.n_sites, sizeof *a->sites), error);
    TRY(count_rows(a, error));
    for (uint32_t i = 0; i < s->split.n_sites; i++) {
        TRY(make_view(a, i, error));
        TRY(restrict_study(a, i, error));
    }
    return KITH_OK;
}

void simulate_alone_free(simulate_alone *a)
{
    for (uint32_t i = 0; a->sites != NULL && i < a->s->split.n_sites; i++)
        kith_table_free(a->sites[i].release);
    arena_free(a->memory);
}

kith_status simulate_alone_run(simulate_alone *a, uint32_t site, kith_error *error)
{
    alone_site *one = &a->sites[site];
    if (one->view.n_rows == 0 || one->release != NULL)
        return KITH_OK;
    simulate_phase phase;
    simulate_phase_begin(&phase, a->s, "baseline");
    const kith_anonymize_options options =
        KITH_OPTIONS(kith_anonymize_options, .input_table = &one->view,
                     .output_table = &one->release, .keep_order = 1);
    kith_status status = kith_anonymize(NULL, &one->study, &options, &phase.run, error);
    return status == KITH_INFEASIBLE ? KITH_OK : status; /* then release stays NULL */
}

uint32_t simulate_alone_holder(const simulate_alone *a, uint32_t record, const prepared_column *c)
{
    const simulate_split *split = &a->s->split;
    uint32_t among = split->part_of_column[c->study - a->s->study->columns];
    return simulate_alone_part(a, record) * split->n_column_parts + among;
}
