/* What the sites would reach without each other (EGV 5.3): they anonymize first and integrate
 * afterwards. Where rows are split, each site anonymizes its own, and the releases are appended to
 * each other. Where columns are split, one site anonymizes its columns, and the others generalize
 * theirs to the classes that it made. For comparison, every site also anonymizes its own columns
 * and the results are put side by side; then the models may break, which is shown, too. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "job/rehearse/simulate_alone.h"
#include "table/table_builder.h"

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
    simulate_alone alone;
    lead_release *leads; /* [n_row_parts]; NULL: there are no leading sites */
} baseline;

/* The site with the most models in its restricted study. */
static uint32_t choose_leader(const simulate_alone *a, uint32_t part)
{
    uint32_t n_columns = a->s->split.n_column_parts, best = part * n_columns;
    for (uint32_t i = best; i < (part + 1) * n_columns; i++)
        if (a->sites[i].study.n_models > a->sites[best].study.n_models)
            best = i;
    return best;
}

/* Reads the classes from the release of the leading site. */
static kith_status find_classes(lead_release *l, const simulate_alone *a, kith_error *error)
{
    const alone_site *site = &a->sites[l->site];
    uint32_t count = 0;
    uint32_t *quasi =
        TRY_ALLOC(arena_array(a->memory, site->study.n_columns, sizeof *quasi), error);
    suppressed_root *roots =
        TRY_ALLOC(arena_array(a->memory, site->study.n_columns, sizeof *roots), error);
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
static kith_status close_classes(lead_release *l, const simulate_alone *a, uint32_t part,
                                 kith_error *error)
{
    const prepared *p = &a->s->prepared;
    l->closure =
        TRY_ALLOC(arena_zalloc(a->memory, p->problem.n_attributes, sizeof *l->closure), error);
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const attribute *t = &p->problem.attributes[j];
        uint32_t *closure =
            TRY_ALLOC(arena_array(a->memory, l->classes.count, sizeof *closure), error);
        memset(closure, 0xff, l->classes.count * sizeof *closure);
        for (uint32_t i = 0; i < p->n_rows; i++) {
            if (simulate_alone_part(a, i) != part)
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
    simulate_alone *a = &b->alone;
    uint32_t n_parts = a->s->split.n_row_parts;
    b->leads = TRY_ALLOC(arena_zalloc(a->memory, n_parts, sizeof *b->leads), error);
    for (uint32_t part = 0; part < n_parts; part++) {
        lead_release *l = &b->leads[part];
        l->site = choose_leader(a, part);
        TRY(simulate_alone_run(a, l->site, error));
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
    const simulate_alone *a = &b->alone;
    const uint32_t site = simulate_alone_holder(a, record, c);
    const lead_release *l = b->leads == NULL ? NULL : &b->leads[simulate_alone_part(a, record)];
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

/* The integrated release, its rows in the order of the data. */
static kith_status put_together(kith_table **joined, const baseline *b, kith_error *error)
{
    const simulation *s = b->alone.s;
    const prepared *p = &s->prepared;
    static const kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *made;
    kith_column_spec *specs =
        TRY_ALLOC(arena_zalloc(b->alone.memory, p->n_columns, sizeof *specs), error);
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
    return table_builder_finish(made, joined, error);
}

static kith_status assess(assessment *out, const baseline *b, kith_error *error)
{
    simulation *s = b->alone.s;
    kith_table *joined = NULL;
    TRY(put_together(&joined, b, error));
    const assess_task task = {.study = s->study, .data = &s->prepared};
    return assess_release(out, &task, joined, &s->context, error);
}

/* The integrated release first; where columns are split, the sites that did not lead come later,
 * for the release side by side. */
static kith_status run_all(simulate_baseline *out, baseline *b, simulation *s, kith_error *error)
{
    TRY(simulate_alone_make(&b->alone, s, error));
    out->by_columns = s->split.n_column_parts > 1;
    if (out->by_columns) {
        TRY(lead_all(b, &out->failed, error));
        TRY(assess(&out->integrated, b, error));
        b->leads = NULL;
    }
    for (uint32_t i = 0; i < s->split.n_sites; i++) {
        TRY(simulate_alone_run(&b->alone, i, error));
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
    simulate_alone_free(&b.alone);
    return status;
}
