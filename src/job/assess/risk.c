#include "job/assess/risk.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "model/k_map.h"

/* A record in a class of n records, or persons, is found with probability 1/n. Without persons[],
 * each record is one. */
static void add_classes(risk *r, const classes *c, const uint32_t *persons,
                        uint32_t suppressed_class)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (i == suppressed_class)
            continue;
        const uint32_t n = persons != NULL ? persons[i] : c->size[i];
        if (r->n_classes++ == 0 || n < r->smallest)
            r->smallest = n;
        r->unique += n == 1 ? c->size[i] : 0;
        r->at_risk += 1.0 / n > RISK_THRESHOLD ? c->size[i] : 0;
        if (persons != NULL)
            exact_sum_add(&r->chance_sum, (long double)c->size[i] / n);
        else if (r->by_persons)
            r->largest_part = fmax(r->largest_part, 1.0 / n);
    }
}

void risk_add(risk *to, const risk *part)
{
    if (part->n_classes > 0 && (to->n_classes == 0 || part->smallest < to->smallest))
        to->smallest = part->smallest;
    to->n_classes += part->n_classes;
    to->unique += part->unique;
    to->at_risk += part->at_risk;
    to->by_persons = to->by_persons || part->by_persons;
    to->largest_part = fmax(to->largest_part, part->largest_part);
    exact_sum_merge(&to->chance_sum, &part->chance_sum);
    to->has_people = to->has_people || part->has_people;
    if (part->journalist_highest > to->journalist_highest)
        to->journalist_highest = part->journalist_highest;
    to->journalist_at_risk += part->journalist_at_risk;
    exact_sum_merge(&to->journalist_sum, &part->journalist_sum);
}

void risk_finish(risk *r, uint64_t n_records)
{
    if (n_records == 0)
        return;
    r->average = exact_sum_value(&r->chance_sum) > 0
                     ? (double)(exact_sum_value(&r->chance_sum) / (long double)n_records)
                     : (double)r->n_classes / (double)n_records;
    r->journalist_average = (double)(exact_sum_value(&r->journalist_sum) / (long double)n_records);
}

/* The population that a study names for k-map, or NULL. */
static const population *find_population(const prepared *p)
{
    for (uint32_t m = 0; m < p->problem.n_models; m++)
        if (p->problem.models[m].id == MODEL_K_MAP)
            return p->problem.models[m].facts->population;
    return NULL;
}

/* Adds a class that matches `people` persons of the population. If it matches none, the population
 * is incomplete, and the highest risk is assumed. */
static void add_journalist(risk *r, uint64_t people, uint32_t size)
{
    const double chance = people > 0 ? 1.0 / (double)people : 1;
    r->has_people = true;
    if (chance > r->journalist_highest)
        r->journalist_highest = chance;
    exact_sum_add(&r->journalist_sum, (long double)size / (people > 0 ? (long double)people : 1));
    r->journalist_at_risk += chance > RISK_THRESHOLD ? size : 0;
}

/* The node of a released text; the root if it is not a label, as with ranges. */
static uint32_t node_of(const kith_hierarchy *h, const label_index *labels, const column *c,
                        uint32_t row)
{
    if (c->codes[row] == TABLE_MISSING)
        return h->missing_leaf == UINT32_MAX ? tree_root(&h->tree) : h->missing_leaf;
    uint32_t node = label_index_find(labels, dictionary_text(&c->values, c->codes[row]));
    return node == UINT32_MAX ? tree_root(&h->tree) : node;
}

/* The texts of the release name the nodes. */
static kith_status journalist_after(risk *r, const verify_report *report, const prepared *p,
                                    const kith_table *texts, const population *all, context *c,
                                    kith_error *error)
{
    const classes *after = report->grouping;
    uint32_t n_attributes = p->problem.n_attributes;
    label_index **labels = TRY_ARRAY(labels, c->memory, n_attributes, error);
    uint32_t *at = TRY_ARRAY(at, c->memory, n_attributes, error);
    uint32_t *closure = TRY_ARRAY(closure, c->memory, n_attributes, error);
    for (uint32_t j = 0; j < n_attributes; j++) {
        const prepared_column *q = &p->columns[p->quasi[j]];
        at[j] = table_find(texts, q->study->name);
        TRY(label_index_new(&labels[j], c->memory, q->hierarchy, error));
    }
    for (uint32_t i = 0; i < after->count; i++) {
        if (i == report->suppressed_class)
            continue;
        for (uint32_t j = 0; j < n_attributes; j++)
            closure[j] = node_of(p->columns[p->quasi[j]].hierarchy, labels[j],
                                 &texts->columns[at[j]], after->first[i]);
        add_journalist(r, k_map_population_covered(all, closure), after->size[i]);
    }
    return KITH_OK;
}

kith_status risk_add_after(risk *r, const prepared *p, const verify_report *report,
                           const kith_table *texts, context *c, kith_error *error)
{
    const population *all = find_population(p);
    ASSERT(report->grouping != NULL);
    r->by_persons = report->by_persons;
    r->largest_part = fmax(r->largest_part, report->largest_part);
    add_classes(r, report->grouping, report->persons, report->suppressed_class);
    return all == NULL ? KITH_OK : journalist_after(r, report, p, texts, all, c, error);
}

/* How many units the records of each group have. */
static kith_status count_units(uint32_t **n_units, double *largest_part, const classes *groups,
                               const problem *p, arena *memory, kith_error *error)
{
    uint32_t *start, *row;
    TRY(classes_rows(groups, memory, p->n_records, &start, &row, error));
    uint32_t *last = TRY_ARRAY(last, memory, p->n_units, error);
    uint32_t *own = TRY_ARRAY(own, memory, p->n_units, error);
    memset(last, 0xff, p->n_units * sizeof *last);
    *n_units = TRY_ZEROS(*n_units, memory, groups->count, error);
    for (uint32_t i = 0; i < groups->count; i++) {
        uint32_t most = 0;
        for (uint32_t m = start[i]; m < start[i] + groups->size[i]; m++) {
            const uint32_t unit = p->unit[row[m]];
            (*n_units)[i] += last[unit] != i;
            own[unit] = last[unit] != i ? 1 : own[unit] + 1;
            last[unit] = i;
            most = own[unit] > most ? own[unit] : most;
        }
        *largest_part = fmax(*largest_part, (double)most / groups->size[i]);
    }
    return KITH_OK;
}

/* Before anonymization a class shows the values themselves. */
kith_status risk_add_before(risk *r, const prepared *p, uint32_t *const *cells,
                            const uint32_t *weight, uint32_t n_records, context *c,
                            kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    const population *all = find_population(p);
    column *columns = TRY_ZEROS(columns, c->memory, n, error);
    uint32_t *order = TRY_ARRAY(order, c->memory, n, error);
    uint32_t *closure = TRY_ARRAY(closure, c->memory, n, error);
    classes groups;
    for (uint32_t j = 0; j < n; j++) {
        columns[j].codes = cells[j];
        order[j] = j;
    }
    const kith_table table = {.n_rows = n_records, .n_columns = n, .columns = columns};
    TRY(classes_make(&groups, c->memory, &table, order, n, error));
    for (uint32_t i = 0; weight != NULL && i < n_records; i++)
        groups.size[groups.class_of[i]] += weight[i] - 1;
    uint32_t *n_units = NULL;
    if (p->problem.unit != NULL)
        TRY(count_units(&n_units, &r->largest_part, &groups, &p->problem, c->memory, error));
    r->by_persons = p->n_units > 0;
    add_classes(r, &groups, n_units, UINT32_MAX);
    for (uint32_t i = 0; i < groups.count && all != NULL; i++) {
        for (uint32_t j = 0; j < n; j++)
            closure[j] = cells[j][groups.first[i]];
        add_journalist(r, k_map_population_covered(all, closure), groups.size[i]);
    }
    return KITH_OK;
}

kith_status risk_add_data(risk *r, const prepared *p, context *c, kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    uint32_t **cells = TRY_ARRAY(cells, c->memory, n, error);
    for (uint32_t j = 0; j < n; j++)
        cells[j] = (uint32_t *)p->problem.attributes[j].cells;
    return risk_add_before(r, p, cells, p->problem.weight, p->n_rows, c, error);
}

static double share(uint32_t part, uint32_t whole)
{
    return whole > 0 ? (double)part / whole : 0;
}

static void put_risk(kith_document *d, document_node *parent, const char *key, const risk *r,
                     uint32_t n_records)
{
    document_node *node = document_object(d, parent, key);
    document_put_count(d, node, "classes", r->n_classes);
    document_put_count(d, node, "smallest_class", r->smallest);
    document_put_number(d, node, "prosecutor_highest", r->smallest > 0 ? 1.0 / r->smallest : 0);
    document_put_number(d, node, "prosecutor_average", r->average);
    document_put_count(d, node, "records_at_risk", r->at_risk);
    document_put_number(d, node, "share_at_risk", share(r->at_risk, n_records));
    document_put_number(d, node, "marketer", r->average);
    document_put_count(d, node, "unique_records", r->unique);
    document_put_number(d, node, "uniqueness", share(r->unique, n_records));
    if (r->by_persons)
        document_put_number(d, node, "largest_part", r->largest_part);
    if (!r->has_people)
        return;
    document_put_number(d, node, "journalist_highest", r->journalist_highest);
    document_put_number(d, node, "journalist_average", r->journalist_average);
    document_put_number(d, node, "journalist_share_at_risk",
                        share(r->journalist_at_risk, n_records));
}

void risk_put(kith_document *d, document_node *root, const risk_report *risks)
{
    document_node *node = document_object(d, root, "risk");
    document_put_number(d, node, "threshold", RISK_THRESHOLD);
    put_risk(d, node, "before", &risks->before, risks->n_records);
    put_risk(d, node, "after", &risks->after, risks->n_records);
}
