/* What the sites would reach without each other (EGV 5.3): each one anonymizes its part alone, and
 * the parts are put together, below each other and side by side. */
#include <kith/anonymize.h>
#include <string.h>

#include "core/error.h"
#include "job/simulate.h"
#include "table/builder.h"

/* One site alone. The views share the dictionaries of the whole table, so that all sites have the
 * same hierarchies and their labels mean the same. */
typedef struct alone {
    kith_study study; /* of its columns only */
    kith_table view;
    kith_table *release; /* NULL: the models cannot be met */
} alone;

typedef struct baseline {
    simulation *s;
    alone *site;         /* [sites] */
    uint32_t *position;  /* [prepared.rows] of a record among those of its site */
    uint32_t *site_rows; /* [row_parts] */
    arena *memory;
} baseline;

static kith_status count_rows(baseline *b, kith_error *error)
{
    const simulation *s = b->s;
    b->position = arena_array(b->memory, s->prepared.rows + (size_t)1, sizeof *b->position);
    b->site_rows = arena_zalloc(b->memory, s->split.row_parts, sizeof *b->site_rows);
    if (b->position == NULL || b->site_rows == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < s->prepared.rows; i++)
        b->position[i] = b->site_rows[s->split.row_part[s->prepared.row[i]]]++;
    return KITH_OK;
}

static bool holds(const simulation *s, uint32_t site, const char *name)
{
    for (uint32_t i = 0; i < s->study->columns; i++)
        if (strcmp(s->study->column[i].name, name) == 0)
            return s->split.column_part[i] == site % s->split.column_parts;
    return false;
}

static kith_status take_column(column *to, const baseline *b, uint32_t site, const column *from,
                               kith_error *error)
{
    const simulation *s = b->s;
    uint32_t part = site / s->split.column_parts;
    *to = *from;
    to->codes = arena_array(b->memory, b->site_rows[part] + (size_t)1, sizeof *to->codes);
    TRY_ALLOC(to->codes, error);
    for (uint32_t i = 0; i < s->prepared.rows; i++)
        if (s->split.row_part[s->prepared.row[i]] == part)
            to->codes[b->position[i]] = from->codes[s->prepared.row[i]];
    return KITH_OK;
}

static kith_status make_view(baseline *b, uint32_t site, kith_error *error)
{
    const simulation *s = b->s;
    kith_table *view = &b->site[site].view;
    *view = (kith_table){.source = s->table->source,
                         .rows = b->site_rows[site / s->split.column_parts]};
    view->column = arena_array(b->memory, s->table->columns + (size_t)1, sizeof *view->column);
    TRY_ALLOC(view->column, error);
    for (uint32_t i = 0; i < s->table->columns; i++)
        if (holds(s, site, s->table->column[i].name))
            TRY(take_column(&view->column[view->columns++], b, site, &s->table->column[i], error));
    return KITH_OK;
}

/* Number of a sensitive column among the sensitive ones of a study. */
static uint32_t sensitive_number(const kith_study *study, const char *name)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < study->columns && strcmp(study->column[i].name, name) != 0; i++)
        number += study->column[i].role == ROLE_SENSITIVE;
    return number;
}

/* The study as far as it is about the site's own columns. */
static kith_status restrict_study(baseline *b, uint32_t site, kith_error *error)
{
    const kith_study *whole = b->s->study;
    kith_study *own = &b->site[site].study;
    *own = *whole;
    study_column *columns = arena_array(b->memory, whole->columns + (size_t)1, sizeof *columns);
    model_spec *models = arena_array(b->memory, whole->models + (size_t)1, sizeof *models);
    if (columns == NULL || models == NULL)
        return error_nomem(error);
    own->column = columns;
    own->model = models;
    own->columns = own->models = 0;
    for (uint32_t i = 0; i < whole->columns; i++)
        if (holds(b->s, site, whole->column[i].name))
            columns[own->columns++] = whole->column[i];
    for (uint32_t i = 0; i < whole->models; i++) {
        const model_spec *m = &whole->model[i];
        if (m->attribute != NULL && !holds(b->s, site, m->attribute))
            continue;
        models[own->models] = *m;
        if (m->attribute != NULL)
            models[own->models].sensitive = sensitive_number(own, m->attribute);
        own->models++;
    }
    if (own->class_column != NULL && !holds(b->s, site, own->class_column))
        own->class_column = NULL;
    return KITH_OK;
}

static kith_status run_site(baseline *b, uint32_t site, kith_error *error)
{
    alone *a = &b->site[site];
    TRY(make_view(b, site, error));
    TRY(restrict_study(b, site, error));
    if (a->view.rows == 0)
        return KITH_OK;
    kith_status status =
        kith_anonymize_table(&a->study, &a->view, b->s->context.run, &a->release, NULL, error);
    return status == KITH_INFEASIBLE ? KITH_OK : status;
}

/* What the parts show of one cell; a site that cannot release anything shows `*`. */
static const char *cell_of(const baseline *b, uint32_t record, const prepared_column *c,
                           uint32_t site)
{
    const alone *a = &b->site[site];
    const simulation *s = b->s;
    if (a->release != NULL)
        return kith_table_cell(a->release, b->position[record],
                               table_find(a->release, c->study->name));
    if (c->attribute != PREPARE_NONE)
        return "*";
    return kith_table_cell(s->table, s->prepared.row[record], c->source);
}

static kith_status put_together(kith_table **joined, const baseline *b, arena *memory,
                                kith_error *error)
{
    const simulation *s = b->s;
    const prepared *p = &s->prepared;
    static const kith_table_options options = {.separator = 0};
    builder *made;
    kith_column_spec *specs = arena_zalloc(b->memory, p->columns + (size_t)1, sizeof *specs);
    TRY_ALLOC(specs, error);
    for (uint32_t j = 0; j < p->columns; j++)
        specs[j].name = p->column[j].study->name;
    TRY(builder_new(&made, memory, "the sites alone", specs, p->columns, &options, error));
    for (uint32_t i = 0; i < p->rows; i++) {
        uint32_t part = s->split.row_part[p->row[i]];
        for (uint32_t j = 0; j < p->columns; j++) {
            const prepared_column *c = &p->column[j];
            uint32_t among = s->split.column_part[c->study - s->study->column];
            const char *text = cell_of(b, i, c, part * s->split.column_parts + among);
            TRY(builder_cell(made, j, text, text == NULL ? 0 : strlen(text), error));
        }
        TRY(builder_row(made, error));
    }
    return builder_finish(made, joined, error);
}

static kith_status run_all(simulate_baseline *out, baseline *b, kith_error *error)
{
    simulation *s = b->s;
    kith_table *joined = NULL;
    b->site = arena_zalloc(b->memory, s->split.sites, sizeof *b->site);
    TRY_ALLOC(b->site, error);
    TRY(count_rows(b, error));
    for (uint32_t i = 0; i < s->split.sites; i++) {
        TRY(run_site(b, i, error));
        out->failed += b->site[i].release == NULL && b->site[i].view.rows > 0;
    }
    TRY(put_together(&joined, b, s->context.memory, error));
    TRY(judge_models(&out->verified, s->study, &s->prepared, false, joined, &s->context, error));
    out->holds = out->verified.holds;
    return judge_loss(&out->loss, &s->prepared, joined, &out->verified, false, false, &s->context,
                      error);
}

kith_status simulate_baseline_run(simulate_baseline *out, simulation *s, kith_error *error)
{
    *out = (simulate_baseline){.failed = 0};
    baseline b = {.s = s, .memory = arena_new()};
    TRY_ALLOC(b.memory, error);
    kith_status status = run_all(out, &b, error);
    for (uint32_t i = 0; b.site != NULL && i < s->split.sites; i++)
        kith_table_free(b.site[i].release);
    arena_free(b.memory);
    return status;
}
