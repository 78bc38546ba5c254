#include "job/result/verdict.h"

#include <string.h>

#include "job/result/summary.h"

/* A cell of the release; null if it is missing. */
static void verdict_put_cell(kith_document *d, document_node *parent, const char *key,
                             const column *c, uint32_t row)
{
    if (c->codes[row] == TABLE_MISSING)
        document_put_null(d, parent, key);
    else
        document_put_text(d, parent, key, dictionary_text(&c->values, c->codes[row]));
}

static verdict_place verdict_place_of(const verdict_rows *rows, uint32_t row)
{
    return rows->place != NULL ? rows->place[row]
                               : (verdict_place){table_source_row(rows->texts, row),
                                                 table_source_line(rows->texts, row)};
}

static void put_place(kith_document *d, document_node *parent, verdict_place place)
{
    if (place.row != VERDICT_NOWHERE)
        document_put_count(d, parent, "row", place.row + 1);
    if (place.line > 0)
        document_put_count(d, parent, "line", place.line);
}

void verdict_put_models(kith_document *d, document_node *root, const kith_study *study,
                        const verdict_rows *rows, const verify_report *report)
{
    document_node *models = document_array(d, root, "models");
    for (uint32_t i = 0; i < study->n_models; i++) {
        const verify_verdict *v = &report->verdict[i];
        document_node *model = summary_put_model(d, models, &study->models[i], v);
        if (v->unknown)
            continue;
        document_put_count(d, model, "violating_classes", v->n_violating_classes);
        document_put_count(d, model, "violating_records", v->n_violating_rows);
        if (v->holds)
            continue;
        /* A row of the worst class with its quasi-identifiers, which all rows of the class share.
         */
        document_node *example = document_object(d, model, "example");
        put_place(d, example, verdict_place_of(rows, v->row));
        document_node *cells = document_object(d, example, "cells");
        for (uint32_t c = 0; c < study->n_columns; c++) {
            const char *name = study->columns[c].name;
            if (study->columns[c].role == ROLE_QUASI_IDENTIFYING)
                verdict_put_cell(d, cells, name,
                                 &rows->texts->columns[table_find(rows->texts, name)], v->row);
        }
    }
}

static const char *check_name(cover_check check)
{
    switch (check) {
    case COVER_IN_ORDER: return "in order";
    case COVER_MATCHED: return "matched";
    case COVER_BOUNDED: return "bounded";
    case COVER_COUNTED: return "counted";
    }
    return "";
}

void verdict_put_cover(kith_document *d, document_node *root, const prepared *p,
                       const verdict_rows *rows, uint64_t n_released, const cover_report *cover,
                       uint64_t data_line, bool mapped)
{
    document_node *node = document_object(d, root, "cover");
    document_put_flag(d, node, "holds", cover->holds);
    document_put_count(d, node, "data_records", prepare_whole_rows(p));
    document_put_count(d, node, "release_records", n_released);
    if (cover->counts_differ) /* no row was compared */
        return;
    document_put_text(d, node, "check", check_name(cover->check));
    if (mapped)
        document_put_flag(d, node, "mapping", true);
    document_put_count(d, node, "wrong_records", cover->n_wrong_rows);
    if (!cover->has_place)
        return;
    put_place(d, node, verdict_place_of(rows, cover->row));
    if (cover->column == UINT32_MAX)
        return;
    const prepared_column *c = &p->columns[cover->column];
    const column *released = &rows->texts->columns[table_find(rows->texts, c->study->name)];
    document_put_text(d, node, "column", c->study->name);
    verdict_put_cell(d, node, "released", released, cover->row);
    if (c->study->mean)
        document_put_flag(d, node, "mean", true);
    if (cover->check == COVER_IN_ORDER && data_line > 0)
        document_put_count(d, node, "data_line", data_line);
}

void verdict_put_levels(kith_document *d, document_node *root, const prepared *p,
                        const verdict_rows *rows, const levels_report *levels)
{
    document_node *node = document_object(d, root, "levels");
    document_put_flag(d, node, "holds", levels->holds);
    document_put_count(d, node, "wrong_records", levels->n_wrong_rows);
    if (levels->holds)
        return;
    const char *name = p->columns[p->quasi[levels->column]].study->name;
    put_place(d, node, verdict_place_of(rows, levels->row));
    document_put_text(d, node, "column", name);
    verdict_put_cell(d, node, "released", &rows->texts->columns[table_find(rows->texts, name)],
                     levels->row);
}

void verdict_put_intersections(kith_document *d, document_node *root, const kith_study *study,
                               const verify_report *report)
{
    document_node *list = NULL;
    for (uint32_t i = 0; i < study->n_models; i++) {
        const verify_verdict *v = &report->verdict[i];
        bool most = v->common > 0; /* of all models of the column */
        for (uint32_t o = 0; o < study->n_models && most; o++)
            most = o == i || report->verdict[o].common == 0 ||
                   strcmp(study->models[o].attribute, study->models[i].attribute) != 0 ||
                   report->verdict[o].common < v->common ||
                   (report->verdict[o].common == v->common && i < o);
        if (!most)
            continue;
        list = list != NULL ? list : document_array(d, root, "intersections");
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", study->models[i].attribute);
        document_put_count(d, one, "values", v->common);
        document_put_count(d, one, "persons", v->n_exposed);
    }
}
