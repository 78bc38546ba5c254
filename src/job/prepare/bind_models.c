#include "job/prepare/bind_models.h"

#include <string.h>

#include "core/error.h"
#include "hierarchy/place.h"
#include "job/prepare/earlier_releases.h"
#include "job/prepare/recode.h"
#include "model/k_map.h"
#include "table/rows/row_groups.h"

/* The released column with this name, or NULL. */
static const prepared_column *column_of(const prepared *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (strcmp(p->columns[i].study->name, name) == 0)
            return &p->columns[i];
    return NULL;
}

kith_status bind_models_count_values(model_facts *f, const sensitive_attribute *s,
                                     uint32_t n_records, arena *memory, kith_error *error)
{
    uint32_t *overall = TRY_ZEROS(overall, memory, s->count, error);
    for (uint32_t i = 0; s->pair == NULL && i < n_records; i++)
        overall[s->values[i]]++;
    for (uint32_t i = 0; i < s->n_pairs; i++)
        overall[s->value_of_pair[i]]++;
    f->n_records = n_records;
    f->n_values = s->count;
    f->overall = overall;
    for (uint32_t v = 0; v < s->count; v++)
        f->occurring += overall[v] > 0;
    return KITH_OK;
}

/* The same for a slice of a table, from what is known of the whole. */
static kith_status count_whole(model_facts *f, const prepared *p, const prepared_column *own,
                               uint32_t n_values, arena *memory, kith_error *error)
{
    const uint64_t *counts = p->whole_counts[own->source];
    const prepare_units *units = p->problem.unit == NULL ? NULL : p->whole->units;
    uint32_t *overall = TRY_ZEROS(overall, memory, n_values, error);
    if (p->whole->n_rows > UINT32_MAX)
        return error_set(error, KITH_DATA, "models take at most %u records", UINT32_MAX);
    for (uint32_t v = 0; v < n_values; v++) { /* the last one may be the missing value */
        overall[v] = units == NULL ? (uint32_t)counts[v] : units->showing[own->sensitive][v];
        f->occurring += overall[v] > 0;
    }
    f->n_records = units == NULL ? (uint32_t)p->whole->n_rows : units->count;
    f->n_values = n_values;
    f->overall = overall;
    return KITH_OK;
}

/* The tree of the sensitive values, and the leaf of each. */
static kith_status bind_tree(model_facts *f, const prepared *p, const prepared_column *col,
                             arena *memory, kith_error *error)
{
    const dictionary *values = &p->table->columns[col->source].values;
    bool missing = f->n_values > values->count;
    kith_hierarchy *h;
    TRY(hierarchy_make(&h, memory, &col->study->hierarchy, &col->study->domain, values, missing,
                       NULL, error));
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, memory, f->n_values, error);
    uint32_t *value_of = TRY_ARRAY(value_of, memory, (size_t)h->tree.n_leaves, error);
    TRY(hierarchy_bind(h, values, leaf_of, p->table->source, col->study->name, NULL, error));
    if (missing)
        leaf_of[values->count] = h->missing_leaf;
    memset(value_of, 0xff, h->tree.n_leaves * sizeof *value_of);
    for (uint32_t v = 0; v < f->n_values; v++)
        value_of[leaf_of[v]] = v;
    f->tree = &h->tree;
    f->leaf_of = leaf_of;
    f->value_of_leaf = value_of;
    return KITH_OK;
}

/* Ranks of the values that occur: by type, or by leaf where texts have a hierarchy. */
static kith_status rank_values(model_facts *f, bool by_leaf, arena *memory, kith_error *error)
{
    uint32_t *rank = TRY_ARRAY(rank, memory, f->n_values, error);
    uint32_t *by_rank = TRY_ARRAY(by_rank, memory, f->n_values, error);
    uint32_t n_places = by_leaf ? f->tree->n_leaves : f->n_values, next = 0;
    memset(rank, 0xff, f->n_values * sizeof *rank);
    for (uint32_t i = 0; i < n_places; i++) {
        uint32_t value = by_leaf ? f->value_of_leaf[i] : i;
        if (value == UINT32_MAX || f->overall[value] == 0)
            continue;
        rank[value] = next;
        by_rank[next++] = value;
    }
    f->rank = rank;
    f->by_rank = by_rank;
    return KITH_OK;
}

/* Marks the values that the study lists for this model; without a list all values are marked. */
static kith_status mark_listed(model_facts *f, const prepared *p, const prepared_column *col,
                               const model_spec *m, arena *memory, kith_error *error)
{
    const dictionary *values = &p->table->columns[col->source].values;
    uint8_t *listed = TRY_ZEROS(listed, memory, f->n_values, error);
    if (m->n_values == 0)
        memset(listed, 1, f->n_values);
    for (uint32_t i = 0; i < m->n_values; i++) {
        const uint32_t v = dictionary_find(values, col->study->date_format, m->values[i]);
        if (v != UINT32_MAX)
            listed[v] = 1;
    }
    f->listed = listed;
    return KITH_OK;
}

/* delta-presence says how likely a person is in the research subset. With an empty subset, or one
 * that is the whole table, there is nothing to hide. */
static kith_status check_subset(const model_facts *f, const prepared *p, const model_spec *m,
                                kith_error *error)
{
    uint32_t inside = 0;
    for (uint32_t v = 0; v < f->n_values; v++)
        inside += f->listed[v] ? f->overall[v] : 0;
    if (inside > 0 && inside < f->n_records)
        return KITH_OK;
    error_set(error, KITH_DATA, "delta-presence: the research subset is %s",
              inside == 0 ? "empty" : "the whole table");
    return error_hint(error, KITH_DATA,
                      "of %u records of %s, %u have one of the values of %s that "
                      "the study names",
                      f->n_records, p->table->source, inside, m->attribute);
}

/* What a model must know about its sensitive attribute. Distances need a tree or an order, lists of
 * values need marks, m-invariance needs earlier releases. */
static kith_status bind_values(model_facts *f, prepared *p, const model_spec *m, context *c,
                               kith_error *error)
{
    const prepared_column *own = column_of(p, m->attribute);
    bool texts = own->study->type == KITH_TYPE_STRING;
    const sensitive_attribute *values = &p->problem.sensitive[m->sensitive];
    TRY(p->whole != NULL
            ? count_whole(f, p, own, values->count, c->memory, error)
            : bind_models_count_values(f, values, problem_size(&p->problem), c->memory, error));
    bool ordered = m->variant == VARIANT_ORDERED;
    if (m->variant == VARIANT_HIERARCHICAL || (ordered && texts))
        TRY(bind_tree(f, p, own, c->memory, error));
    if (ordered)
        TRY(rank_values(f, texts, c->memory, error));
    if (m->id == MODEL_LKC || m->id == MODEL_DELTA_PRESENCE)
        TRY(mark_listed(f, p, own, m, c->memory, error));
    if (m->id == MODEL_M_INVARIANCE && m->n_previous > 0)
        TRY(earlier_releases_bind(f, p, own, m, c, error));
    return m->id == MODEL_DELTA_PRESENCE ? check_subset(f, p, m, error) : KITH_OK;
}

/* A population is read with the study's types and missing values, and changed as the data is, so
 * that its texts mean the same: an age of 95 looks like a released 90 under `top: 90`. */
kith_status bind_models_read_people(kith_table **read, const kith_table **people,
                                    const kith_study *study, const char *path, context *c,
                                    kith_error *error)
{
    uint32_t count = 0;
    kith_column_spec *columns = TRY_ARRAY(columns, c->memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            columns[count++] = (kith_column_spec){.name = study->columns[i].name,
                                                  .type = study->columns[i].type,
                                                  .date_format = study->columns[i].date_format};
    kith_table_options options = study_table_options(study);
    options.columns = columns;
    options.n_columns = count;
    TRY(kith_table_read(read, path, &options, c->run, error));
    kith_status status = recode_table(people, study, *read, c->memory, error);
    if (status != KITH_OK)
        kith_table_free(*read);
    return status;
}

/* Groups the people by their quasi-identifiers: one row for each kind, weighted by its size. */
static kith_status fill_population(population *out, const prepared *p, const kith_table *people,
                                   arena *memory, kith_error *error)
{
    uint32_t n_attributes = p->problem.n_attributes;
    uint32_t *at = TRY_ARRAY(at, memory, n_attributes, error);
    for (uint32_t j = 0; j < n_attributes; j++)
        at[j] = table_find(people, p->columns[p->quasi[j]].study->name);
    row_groups kinds;
    row_groups_lists members;
    TRY(row_groups_by(&kinds, memory, people, at, n_attributes, error));
    TRY(row_groups_list(&members, &kinds, memory, error));
    uint32_t *weights = TRY_ARRAY(weights, memory, kinds.count, error);
    for (uint32_t i = 0; i < kinds.count; i++)
        weights[i] = members.starts[i + 1] - members.starts[i];
    uint32_t *cells = TRY_ARRAY(cells, memory, (size_t)kinds.count * n_attributes, error);
    const tree **trees = TRY_ARRAY(trees, memory, n_attributes, error);
    for (uint32_t j = 0; j < n_attributes; j++) {
        /* Every member of a kind has the same values, therefore its first row stands for all. */
        const column *c = &people->columns[at[j]];
        /* [count]: missing cells */
        uint32_t *node_of = TRY_ARRAY(node_of, memory, c->values.count + (size_t)1, error);
        /* The place of every value of a population in the hierarchy of the data. */
        const prepared_column *q = &p->columns[p->quasi[j]];
        const kith_hierarchy *h = q->hierarchy;
        TRY(place_values(h, &q->study->hierarchy, &q->study->domain, &c->values, node_of, memory,
                         error));
        node_of[c->values.count] =
            h->missing_leaf == UINT32_MAX ? tree_root(&h->tree) : h->missing_leaf;
        trees[j] = &p->columns[p->quasi[j]].hierarchy->tree;
        for (uint32_t i = 0; i < kinds.count; i++) {
            uint32_t code = c->codes[members.rows[members.starts[i]]];
            cells[(size_t)i * n_attributes + j] =
                node_of[code == TABLE_MISSING ? c->values.count : code];
        }
    }
    *out = (population){.n_rows = kinds.count,
                        .n_attributes = n_attributes,
                        .tree = trees,
                        .cells = cells,
                        .weight = weights,
                        .people = people->n_rows};
    return k_map_population_index(out, memory, error);
}

kith_status bind_models(prepared *p, context *c, kith_error *error)
{
    uint32_t count = p->study->n_models;
    model_spec *models = TRY_ARRAY(models, c->memory, count, error);
    for (uint32_t i = 0; i < count; i++) {
        model_facts *f = TRY_ZEROS(f, c->memory, 1, error);
        models[i] = p->study->models[i];
        models[i].facts = f;
        models[i].by_units = p->problem.unit != NULL;
        if (models[i].attribute != NULL)
            TRY(bind_values(f, p, &models[i], c, error));
        if (models[i].id == MODEL_K_MAP) {
            /* The table of people is freed at once: the search needs only how many people of each
             * kind exist. */
            kith_table *read;
            const kith_table *people;
            population *made = TRY_ZEROS(made, c->memory, 1, error);
            TRY(bind_models_read_people(&read, &people, p->study, models[i].population, c, error));
            kith_status status = fill_population(made, p, people, c->memory, error);
            kith_table_free(read);
            f->population = made;
            TRY(status);
        }
    }
    p->problem.models = models;
    return KITH_OK;
}
