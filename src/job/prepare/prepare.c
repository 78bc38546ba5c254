#include "job/prepare/prepare.h"

#include <math.h>
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/findings.h"
#include "core/rng.h"
#include "job/prepare/bind_models.h"
#include "job/prepare/equal_values.h"
#include "job/prepare/kept_rows.h"
#include "job/prepare/mean_scale.h"
#include "job/prepare/recode.h"
#include "job/prepare/prepare_internal.h"
#include "job/prepare/units.h"
#include "job/prepare/value_order.h"
#include "job/prepare/whole_counts.h"

const column *prepare_source(const prepared *p, const prepared_column *col)
{
    return &p->table->columns[col->source];
}

/* Callers of the library may read a table with options of their own; then the values have another
 * type than the hierarchies expect. */
static kith_status wrong_type(const kith_table *table, const study_column *s, kith_error *error)
{
    error_set(error, KITH_INVALID, "%s: column %s was not read with the type that the study gives",
              table->source, s->name);
    return error_hint(error, KITH_INVALID, "read tables with kith_study_table_options");
}

/* Lists the columns that are released, in the order of the source: a release keeps that order,
 * whatever the order in the study. Identifying columns are never released, unless as pseudonyms. */
static kith_status find_columns(prepared *p, context *c, kith_error *error)
{
    const kith_study *study = p->study;
    p->columns = TRY_ALLOC(arena_zalloc(c->memory, study->n_columns, sizeof *p->columns), error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *s = &study->columns[i];
        if ((s->role == ROLE_IDENTIFYING && s->recoding.key_file == NULL) ||
            (p->joint != NULL && !p->joint->held[i]))
            continue;
        uint32_t source = table_find(p->table, s->name);
        if (source == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s, which the study names",
                             p->table->source, s->name);
        if (p->table->columns[source].values.type != s->type)
            return wrong_type(p->table, s, error);
        uint32_t number = s->role == ROLE_SENSITIVE ? p->problem.n_sensitive++ : PREPARE_NONE;
        p->columns[p->n_columns++] = (prepared_column){
            .study = s, .source = source, .attribute = PREPARE_NONE, .sensitive = number};
    }
    /* By their place in the source. Insertion sort: it is stable, and columns are few. */
    for (uint32_t i = 1; i < p->n_columns; i++) {
        prepared_column moved = p->columns[i];
        uint32_t j = i;
        for (; j > 0 &&
               prepare_source(p, &p->columns[j - 1])->place > prepare_source(p, &moved)->place;
             j--)
            p->columns[j] = p->columns[j - 1];
        p->columns[j] = moved;
    }
    return KITH_OK;
}

/* As in kept_rows_has: a missing value in another column may stay. */
static bool matters(const prepared_column *col)
{
    return col->study->role == ROLE_QUASI_IDENTIFYING || col->study->role == ROLE_SENSITIVE;
}

/* The first column that has a missing value in this row, or NULL. */
static const prepared_column *missing_in(const prepared *p, uint32_t row)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (matters(&p->columns[i]) &&
            prepare_source(p, &p->columns[i])->codes[row] == TABLE_MISSING)
            return &p->columns[i];
    return NULL;
}

/* Names the line, so that a user can correct the file. */
kith_status prepare_reject_missing(const kith_table *table, uint32_t row, const char *name,
                                   kith_error *error)
{
    error_at(error, KITH_DATA, table_file(table, row), table_line(table, row), 0,
             "missing value in column %s", name);
    return error_hint(error, KITH_DATA,
                      "the study says missing: reject; value, wildcard and drop allow them");
}

/* Applies the study's rule for missing values: reject fails, drop leaves the row out, and the other
 * two keep all rows (fill_cells then decides what a missing cell becomes). Rows without any value
 * are no records in any case; parties of a joint run have taken them out. */
static kith_status choose_rows(prepared *p, context *c, kith_error *error)
{
    missing_policy policy = p->study->missing;
    const bool strict = policy == MISSING_REJECT || policy == MISSING_DROP;
    const bool may_be_empty = p->joint == NULL && (p->whole == NULL || !p->whole->of_values);
    p->rows = TRY_ALLOC(arena_array(c->memory, p->table->n_rows, sizeof *p->rows), error);
    for (uint32_t row = 0; row < p->table->n_rows; row++) {
        if (may_be_empty && kept_rows_is_empty(p->original, row)) {
            p->empty++;
            continue;
        }
        const prepared_column *missing = strict ? missing_in(p, row) : NULL;
        if (missing != NULL && policy == MISSING_REJECT)
            return prepare_reject_missing(p->table, row, missing->study->name, error);
        if (missing == NULL)
            p->rows[p->n_rows++] = row;
    }
    p->dropped = p->table->n_rows - p->n_rows - p->empty;
    p->problem.n_records = p->n_rows;
    return KITH_OK;
}

uint32_t prepare_sample_size(const kith_study *study, uint32_t n_rows)
{
    const uint32_t n = (uint32_t)floor(study->sample * n_rows + 0.5);
    return n > 0 || n_rows == 0 ? n : 1;
}

/* Draws rows without replacement; every set of that size is equally likely, and the order stays. */
static void draw_sample(prepared *p, uint64_t seed)
{
    uint32_t wanted = prepare_sample_size(p->study, p->n_rows), n = 0;
    rng r;
    rng_init(&r, seed, UINT64_MAX); /* a stream of its own: searches use the first ones */
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (rng_below(&r, p->n_rows - i) < wanted - n)
            p->rows[n++] = p->rows[i];
    p->n_rows = p->problem.n_records = n;
}

static void take_chosen(prepared *p, const bool *chosen)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (chosen[p->rows[i]])
            p->rows[n++] = p->rows[i];
    p->n_rows = p->problem.n_records = n;
}

bool prepare_has_missing(const prepared *p, const prepared_column *col)
{
    if (p->joint != NULL)
        return p->joint->missing[col->study - p->study->columns];
    if (p->whole != NULL)
        return p->whole_counts[col->source][prepare_source(p, col)->values.count] > 0;
    const uint32_t *codes = prepare_source(p, col)->codes;
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (codes[p->rows[i]] == TABLE_MISSING)
            return true;
    return false;
}

/* Makes the hierarchy of one column, finds the leaf of each of its values, and orders the
 * leaves. */
/* Files have been read with the study. Where nothing in the data changes the tree, it is taken as
 * it is: texts show their own labels, and every leaf stays. */
static kith_status make_hierarchy(prepared_column *col, const domain_spec *domain,
                                  const dictionary *values, bool with_missing,
                                  kith_findings *findings, arena *memory, kith_error *error)
{
    const study_column *c = col->study;
    if (c->loaded == NULL || c->type != KITH_TYPE_STRING || domain->kind != DOMAIN_HIERARCHY ||
        with_missing)
        return hierarchy_make(&col->hierarchy, memory, &c->hierarchy, domain, values, with_missing,
                              findings, error);
    col->hierarchy = TRY_ALLOC(arena_alloc(memory, sizeof *col->hierarchy), error);
    *col->hierarchy = *c->loaded;
    col->hierarchy->memory = NULL; /* the study owns it */
    return KITH_OK;
}

static kith_status bind_column(const prepared *p, prepared_column *col, kith_findings *findings,
                               arena *memory, kith_error *error)
{
    const dictionary *values = &prepare_source(p, col)->values;
    bool with_missing = p->study->missing == MISSING_VALUE && prepare_has_missing(p, col);
    col->leaf_of = TRY_ALLOC(arena_array(memory, values->count, sizeof(uint32_t)), error);
    domain_spec domain = col->study->domain;
    domain.fixed = p->study->joint.partition != PARTITION_NONE;
    TRY(make_hierarchy(col, &domain, values, with_missing, findings, memory, error));
    /* A wildcard is the root, also where a file has a place for missing values. */
    if (p->study->missing == MISSING_WILDCARD)
        col->hierarchy->missing_leaf = UINT32_MAX;
    TRY(hierarchy_bind_column(col->hierarchy, p->table, col->source, col->leaf_of, findings,
                              error));
    if (col->study->mean)
        TRY(mean_scale_find(&col->decimals, values, col->study->name, error));
    return value_order_leaves(&col->rank, col->hierarchy, values, col->leaf_of,
                              p->study->search.by_hierarchy, memory, error);
}

/* A problem of a rank; without a line where it has no row that shows it. */
typedef struct told_problem {
    size_t line;
    kith_error why;
} told_problem;

/* All ranks find the same values wrong, which are in all dictionaries. The first rank that has the
 * row knows its line. */
static kith_status tell_line(const kith_findings *findings, kith_status status, context *c,
                             kith_error *error)
{
    told_problem own = {0}, one;
    for (size_t i = kith_findings_n_listed(findings); i-- > 0;)
        if (findings_item(findings, i)->severity == KITH_SEVERITY_PROBLEM)
            own.line = findings_item(findings, i)->line;
    if (error != NULL)
        own.why = *error;
    ranks_bytes *all = TRY_ARRAY(all, c->memory, ranks_count(c->ranks), error);
    TRY(ranks_gather(c->ranks, &own, sizeof own, all, c->memory, error));
    for (uint32_t r = ranks_count(c->ranks); r-- > 0;) {
        memcpy(&one, all[r].bytes, sizeof one);
        if (one.line > 0 && error != NULL)
            *error = one.why;
    }
    return status;
}

/* Goes on after a column that fails, so that the message can count the problems of all columns. */
static kith_status bind_columns(prepared *p, context *c, kith_error *error)
{
    kith_findings *findings = TRY_ALLOC(kith_findings_new(), error);
    kith_status status = KITH_OK;
    for (uint32_t j = 0; j < p->problem.n_attributes && status != KITH_NOMEM; j++) {
        prepared_column *quasi = &p->columns[p->quasi[j]];
        kith_status one =
            bind_column(p, quasi, findings, c->memory, status == KITH_OK ? error : NULL);
        if (status == KITH_OK || one == KITH_NOMEM)
            status = one;
    }
    if (status == KITH_NOMEM)
        error_nomem(error);
    else if (status != KITH_OK && findings_status(findings, 0, status, error) == KITH_NOMEM)
        status = KITH_NOMEM;
    if (status == KITH_DATA && ranks_count(c->ranks) > 1)
        status = tell_line(findings, status, c, error);
    kith_findings_free(findings);
    return status;
}

/* A missing sensitive value is a value like any other, with the code behind those of the
 * dictionary. In a joint run it exists if some party has one. */
static kith_status make_sensitive(prepared *p, context *c, kith_error *error)
{
    sensitive_attribute *sensitive = TRY_ZEROS(sensitive, c->memory, p->problem.n_sensitive, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        if (p->columns[i].sensitive == PREPARE_NONE)
            continue;
        const column *source = prepare_source(p, &p->columns[i]);
        uint32_t *values = TRY_ALLOC(arena_array(c->memory, p->n_rows, sizeof *values), error);
        uint32_t count = source->values.count + ((p->joint != NULL || p->whole != NULL) &&
                                                 prepare_has_missing(p, &p->columns[i]));
        for (uint32_t r = 0; r < p->n_rows; r++) {
            uint32_t code = source->codes[p->rows[r]];
            values[r] = code == TABLE_MISSING ? source->values.count : code;
            count += code == TABLE_MISSING && count == source->values.count;
        }
        sensitive[p->columns[i].sensitive] =
            (sensitive_attribute){.values = values, .count = count};
    }
    p->problem.sensitive = sensitive;
    return KITH_OK;
}

/* The order of the steps matters: rows are chosen before anything is counted, hierarchies are bound
 * before cells and costs are filled in, and models count the sensitive values. The parties of a
 * joint run bind their models later, when they have counted together (joint != NULL). */
static kith_status prepare_all(prepared *p, const kith_study *study, const kith_table *table,
                               const prepare_joint *joint, const prepare_whole *whole, bool sample,
                               const bool *chosen, context *c, kith_error *error)
{
    CHECK(table_check(table));
    *p = (prepared){
        .study = study, .table = table, .original = table, .joint = joint, .whole = whole};
    if (joint == NULL)
        TRY(recode_table(&p->table, study, table, c->memory, error));
    p->problem.n_models = study->n_models;
    p->problem.models = study->models;
    p->problem.k = models_minimum_size(study->models, study->n_models);
    p->problem.measure = study->measure;
    TRY(find_columns(p, c, error));
    /* The problem numbers quasi-identifiers in the order of the source, too; p->quasi leads back
     * from these numbers to columns. */
    p->quasi = TRY_ALLOC(arena_array(c->memory, p->n_columns, sizeof *p->quasi), error);
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i].study->role == ROLE_QUASI_IDENTIFYING) {
            p->quasi[p->problem.n_attributes] = i;
            p->columns[i].attribute = p->problem.n_attributes++;
        }
    TRY(choose_rows(p, c, error));
    p->sampled = sample && study->sample > 0;
    if (p->sampled && chosen != NULL)
        take_chosen(p, chosen);
    else if (p->sampled)
        draw_sample(p, c->seed);
    const kept_rows kept = {study, joint == NULL ? NULL : joint->held};
    TRY(kept_rows_table(&p->texts, &kept, p->table, c->memory, error));
    TRY(equal_values_table(&p->table, study, p->texts, c->memory, error));
    if (whole != NULL)
        TRY(whole_counts_make(&p->whole_counts, p, table, c->memory, error));
    p->problem.may_suppress = (uint32_t)floor(study->suppression * (double)prepare_whole_rows(p));
    TRY(bind_columns(p, c, error));
    TRY(make_sensitive(p, c, error));
    TRY(units_make(p, c, error));
    if (joint == NULL)
        TRY(bind_models(p, c, error));
    /* In a sample every person may have one value though some have several in the table. */
    if (p->sampled || study->sample == 0) {
        TRY(units_check_models(p, c, error));
        TRY(units_ask_common(p, c, error));
    }
    TRY(prepare_attributes(p, c, error));
    CHECK(prepare_check(p));
    return KITH_OK;
}

#if KITH_DEBUG
void prepare_check(const prepared *p)
{
    for (uint32_t i = 0; i < p->n_rows; i++)
        ASSERT(p->rows[i] < p->table->n_rows && (i == 0 || p->rows[i - 1] < p->rows[i]));
    for (uint32_t i = 0; i < p->n_columns; i++)
        ASSERT((p->columns[i].hierarchy != NULL) ==
               (p->columns[i].study->role == ROLE_QUASI_IDENTIFYING));
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const prepared_column *col = &p->columns[p->quasi[j]];
        const attribute *a = &p->problem.attributes[j];
        ASSERT(col->attribute == j && a->tree == &col->hierarchy->tree);
        for (uint32_t i = 0; i < p->n_rows; i++)
            ASSERT(a->cells[i] < a->tree->n_leaves || a->cells[i] == tree_root(a->tree));
    }
    for (uint32_t s = 0; s < p->problem.n_sensitive; s++)
        for (uint32_t i = 0; i < p->n_rows; i++)
            ASSERT(p->problem.sensitive[s].values[i] < p->problem.sensitive[s].count);
}
#endif

kith_status prepare_part(prepared *p, const kith_study *study, const kith_table *table,
                         const prepare_joint *joint, context *c, kith_error *error)
{
    return prepare_all(p, study, table, joint, NULL, false, NULL, c, error);
}

kith_status prepare_slice(prepared *p, const kith_study *study, const kith_table *table,
                          const prepare_whole *whole, context *c, kith_error *error)
{
    return prepare_all(p, study, table, NULL, whole, false, NULL, c, error);
}

uint64_t prepare_whole_rows(const prepared *p)
{
    return p->whole == NULL ? p->n_rows : p->whole->n_rows;
}

uint64_t prepare_whole_dropped(const prepared *p)
{
    return p->whole == NULL ? p->dropped : p->whole->dropped;
}

uint64_t prepare_whole_empty(const prepared *p)
{
    return p->whole == NULL ? p->empty : p->whole->empty;
}

kith_status prepare_sample(prepared *p, const kith_study *study, const kith_table *table,
                           context *c, kith_error *error)
{
    return prepare_all(p, study, table, NULL, NULL, true, NULL, c, error);
}

kith_status prepare_chosen(prepared *p, const kith_study *study, const kith_table *table,
                           const bool *chosen, context *c, kith_error *error)
{
    return prepare_all(p, study, table, NULL, NULL, true, chosen, c, error);
}

const prepared_column *prepare_find(const prepared *p, const study_column *of)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i].study == of)
            return &p->columns[i];
    return NULL;
}

kith_status prepare_table(prepared *p, const kith_study *study, const kith_table *table, context *c,
                          kith_error *error)
{
    return prepare_part(p, study, table, NULL, c, error);
}
