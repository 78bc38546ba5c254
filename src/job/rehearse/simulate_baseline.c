/* What the sites would reach without each other (EGV 5.3): they anonymize first and integrate
 * afterwards. Where rows are split, each site anonymizes its own, and the releases are appended to
 * each other. Where columns are split, one site anonymizes its columns, and the others generalize
 * theirs to the classes that it made. For comparison, every site also anonymizes its own columns
 * and the results are put side by side; then the models may break, which is shown, too. */
#include <kith/anonymize.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "job/rehearse/simulate.h"
#include "table/table_builder.h"

/* Views share the dictionaries of the whole table, so that all sites have the same hierarchies and
 * their labels mean the same. */
typedef struct alone_site {
    kith_study study; /* of its columns only */
    kith_table view;
    kith_table *release; /* rows as in the view; NULL: no rows, or the models cannot be satisfied */
} alone_site;

typedef struct alone {
    simulation *s;
    arena *memory;
    alone_site *sites;   /* [n_sites] */
    uint32_t *position;  /* [prepared.n_rows] row of a record in the views of its part */
    uint32_t *part_rows; /* [n_row_parts] rows of each part */
} alone;

/* The part of the rows that a record is in. */
static uint32_t part_of(const alone *a, uint32_t record)
{
    return a->s->split.part_of_row[a->s->prepared.rows[record]];
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
static kith_status make_view(alone *a, uint32_t site, kith_error *error)
{
    const simulation *s = a->s;
    const uint32_t part = site / s->split.n_column_parts;
    kith_table *view = &a->sites[site].view;
    *view = (kith_table){.source = s->table->source, .n_rows = a->part_rows[part]};
    view->columns = TRY_ARRAY(view->columns, a->memory, s->table->n_columns + (size_t)1, error);
    for (uint32_t i = 0; i < s->table->n_columns; i++) {
        const column *from = &s->table->columns[i];
        if (!simulate_split_has_column(&s->split, s->study, site, from->name))
            continue;
        column *to = &view->columns[view->n_columns++];
        *to = *from;
        to->codes = TRY_ARRAY(to->codes, a->memory, view->n_rows, error);
        for (uint32_t r = 0; r < s->prepared.n_rows; r++)
            if (part_of(a, r) == part)
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
static kith_status restrict_study(alone *a, uint32_t site, kith_error *error)
{
    const kith_study *whole = a->s->study;
    kith_study *own = &a->sites[site].study;
    *own = *whole;
    study_column *columns = TRY_ARRAY(columns, a->memory, whole->n_columns, error);
    model_spec *models = TRY_ARRAY(models, a->memory, whole->n_models, error);
    kith_column_spec *read = TRY_ARRAY(read, a->memory, whole->n_read + (size_t)1, error);
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
    uint32_t *unit = TRY_ARRAY(unit, a->memory, whole->n_unit, error);
    for (uint32_t i = 0; i < whole->n_unit; i++) /* sites that hold columns have none */
        unit[i] = study_find_column(own, whole->columns[whole->unit[i]].name);
    own->unit = unit;
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

/* Anonymizes the part of a site, unless it is done already. A site that cannot satisfy the models
 * is not an error. */
static kith_status anonymize_alone(alone *a, uint32_t site, kith_error *error)
{
    alone_site *one = &a->sites[site];
    if (one->view.n_rows == 0 || one->release != NULL)
        return KITH_OK;
    simulate_phase phase;
    simulate_phase_begin(&phase, a->s, "baseline");
    const kith_input input = KITH_OPTIONS(kith_input, .table = &one->view);
    const kith_anonymize_options options = KITH_OPTIONS(
        kith_anonymize_options, .input = &input, .output_table = &one->release, .keep_order = true);
    kith_status status = kith_anonymize(NULL, &one->study, &options, &phase.run, error);
    return status == KITH_INFEASIBLE ? KITH_OK : status; /* then release stays NULL */
}

/* The classes that the leading site of one part of the rows has made. All sites of that part hold
 * the same records. */
typedef struct lead_release {
    uint32_t site;
    classes classes;
    uint32_t suppressed; /* class of the suppressed rows, or UINT32_MAX */
    /* [n_attributes][classes] closures in all columns; NULL: the site cannot satisfy the models */
    uint32_t **closure;
} lead_release;

typedef struct baseline {
    alone alone;
    lead_release *leads; /* [n_row_parts]; NULL: there are no leading sites */
} baseline;

/* Reads the classes from the release of the leading site. */
static kith_status find_classes(lead_release *l, const alone *a, kith_error *error)
{
    const alone_site *site = &a->sites[l->site];
    uint32_t count = 0;
    uint32_t *quasi = TRY_ARRAY(quasi, a->memory, site->study.n_columns, error);
    suppressed_root *roots = TRY_ARRAY(roots, a->memory, site->study.n_columns, error);
    for (uint32_t i = 0; i < site->study.n_columns; i++) {
        const study_column *s = &site->study.columns[i];
        if (s->role != ROLE_QUASI_IDENTIFYING)
            continue;
        TRY(assess_root(&roots[count], s, &a->s->prepared, &a->s->context, error));
        quasi[count++] = table_find(site->release, s->name);
    }
    TRY(classes_make(&l->classes, a->memory, site->release, quasi, count, error));
    l->suppressed =
        suppressed_find(site->release, &l->classes, quasi, roots, count,
                        (uint64_t)floor(site->study.suppression * site->release->n_rows));
    return KITH_OK;
}

/* The lowest common ancestor of all records of each class, attribute by attribute. */
static kith_status close_classes(lead_release *l, const alone *a, uint32_t part, kith_error *error)
{
    const prepared *p = &a->s->prepared;
    l->closure = TRY_ZEROS(l->closure, a->memory, p->problem.n_attributes, error);
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const attribute *t = &p->problem.attributes[j];
        uint32_t *closure = TRY_ARRAY(closure, a->memory, l->classes.count, error);
        memset(closure, 0xff, l->classes.count * sizeof *closure);
        for (uint32_t i = 0; i < p->n_rows; i++) {
            if (part_of(a, i) != part)
                continue;
            uint32_t *c = &closure[l->classes.class_of[a->position[i]]];
            *c = *c == UINT32_MAX ? t->cells[i] : tree_lca(t->tree, *c, t->cells[i]);
        }
        l->closure[j] = closure;
    }
    return KITH_OK;
}

static kith_status lead_all(baseline *b, uint32_t *failed, kith_error *error)
{
    alone *a = &b->alone;
    uint32_t n_parts = a->s->split.n_row_parts;
    b->leads = TRY_ZEROS(b->leads, a->memory, n_parts, error);
    for (uint32_t part = 0; part < n_parts; part++) {
        lead_release *l = &b->leads[part];
        /* The site with the most models in its restricted study. */
        uint32_t n_columns = a->s->split.n_column_parts, best = part * n_columns;
        for (uint32_t i = best; i < (part + 1) * n_columns; i++)
            if (a->sites[i].study.n_models > a->sites[best].study.n_models)
                best = i;
        l->site = best;
        TRY(anonymize_alone(a, l->site, error));
        *failed += a->sites[l->site].release == NULL && a->part_rows[part] > 0;
        if (a->sites[l->site].release == NULL)
            continue;
        TRY(find_classes(l, a, error));
        TRY(close_classes(l, a, part, error));
    }
    return KITH_OK;
}

/* The text of a quasi-identifier in the integrated release: the cell of the site that holds it, or
 * the label of the class of the leading site. The root where that site releases nothing. */
static const char *integrated_text(const baseline *b, uint32_t record, const prepared_column *c)
{
    const alone *a = &b->alone;
    /* The site that holds a column for a record. */
    const simulate_split *split = &a->s->split;
    uint32_t among = split->part_of_column[c->study - a->s->study->columns];
    const uint32_t site = part_of(a, record) * split->n_column_parts + among;
    const lead_release *l = b->leads == NULL ? NULL : &b->leads[part_of(a, record)];
    const kith_table *own = a->sites[site].release;
    if (l == NULL || l->site == site)
        return own == NULL
                   ? hierarchy_root_label(c->hierarchy)
                   : kith_table_cell(own, a->position[record], table_find(own, c->study->name));
    if (l->closure == NULL)
        return hierarchy_root_label(c->hierarchy);
    const uint32_t class = l->classes.class_of[a->position[record]];
    const char *label = c->hierarchy->label[l->closure[c->attribute][class]];
    if (class == l->suppressed)
        return hierarchy_root_label(c->hierarchy);
    return label[0] == '\0' ? NULL : label;
}

/* Assesses the integrated release, its rows in the order of the data. */
static kith_status assess(assessment *out, const baseline *b, kith_error *error)
{
    simulation *s = b->alone.s;
    kith_table *joined = NULL;
    const prepared *p = &s->prepared;
    static const kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *made;
    kith_column_spec *specs = TRY_ZEROS(specs, b->alone.memory, p->n_columns, error);
    for (uint32_t j = 0; j < p->n_columns; j++)
        specs[j].name = p->columns[j].study->name;
    TRY(table_builder_new(&made, s->context.memory, "the sites alone", specs, p->n_columns,
                          &options, error));
    for (uint32_t i = 0; i < p->n_rows; i++) {
        for (uint32_t j = 0; j < p->n_columns; j++) {
            const prepared_column *c = &p->columns[j];
            const char *text = c->attribute != PREPARE_NONE
                                   ? integrated_text(b, i, c)
                                   : kith_table_cell(s->table, p->rows[i], c->source);
            TRY(table_builder_cell(made, j, text, text == NULL ? 0 : strlen(text), error));
        }
        TRY(table_builder_row(made, error));
    }
    TRY(table_builder_finish(made, &joined, error));
    const assess_task task = {.study = s->study, .data = &s->prepared};
    return assess_release(out, &task, joined, &s->context, error);
}

/* The integrated release first; where columns are split, the sites that did not lead come later,
 * for the release side by side. */
static kith_status run_all(simulate_baseline *out, baseline *b, simulation *s, kith_error *error)
{
    /* Makes views and studies; free_alone is called in any case. Records that the study drops
     * because of a missing value are in no view. */
    b->alone = (alone){.s = s, .memory = arena_new()};
    TRY_ALLOC(b->alone.memory, error);
    CHECK(simulate_split_check(&s->split, s->study, s->table->n_rows));
    b->alone.sites = TRY_ZEROS(b->alone.sites, b->alone.memory, s->split.n_sites, error);
    /* Records are numbered within their parts, in the order of the whole table. */
    b->alone.position = TRY_ARRAY(b->alone.position, b->alone.memory, s->prepared.n_rows, error);
    b->alone.part_rows =
        TRY_ZEROS(b->alone.part_rows, b->alone.memory, s->split.n_row_parts, error);
    for (uint32_t i = 0; i < s->prepared.n_rows; i++)
        b->alone.position[i] = b->alone.part_rows[s->split.part_of_row[s->prepared.rows[i]]]++;
    for (uint32_t i = 0; i < s->split.n_sites; i++) {
        TRY(make_view(&b->alone, i, error));
        TRY(restrict_study(&b->alone, i, error));
    }
    out->by_columns = s->split.n_column_parts > 1;
    if (out->by_columns) {
        TRY(lead_all(b, &out->failed, error));
        TRY(assess(&out->integrated, b, error));
        b->leads = NULL;
    }
    for (uint32_t i = 0; i < s->split.n_sites; i++) {
        TRY(anonymize_alone(&b->alone, i, error));
        if (!out->by_columns)
            out->failed += b->alone.sites[i].release == NULL && b->alone.sites[i].view.n_rows > 0;
    }
    return assess(out->by_columns ? &out->side_by_side : &out->integrated, b, error);
}

kith_status simulate_baseline_run(simulate_baseline *out, simulation *s, kith_error *error)
{
    baseline b = {.leads = NULL};
    *out = (simulate_baseline){.failed = 0};
    kith_status status = run_all(out, &b, s, error);
    for (uint32_t i = 0; b.alone.sites != NULL && i < b.alone.s->split.n_sites; i++)
        kith_table_free(b.alone.sites[i].release);
    arena_free(b.alone.memory);
    return status;
}
