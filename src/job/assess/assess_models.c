/* Translates the models of a study to those of src/verify, which shares no code with the search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/sort.h"
#include "hierarchy/locate.h"
#include "job/prepare/bind_models.h"
#include "job/assess/assess_internal.h"
#include "job/prepare/earlier_releases.h"

/* What the translation of a model may read. */
typedef struct translation {
    const kith_study *study;
    const prepared *data; /* NULL: not known */
    bool in_order;        /* row i of the release is record i of the data */
    const kith_table *texts;
    const verify_persons *persons; /* whose its rows are, if models count persons who are known */
    const assess_whole *whole;     /* NULL: the texts are the whole release */
    uint32_t n_quasi;
    uint32_t *quasi;        /* [n_quasi] columns of the release, in study order */
    suppressed_root *roots; /* NULL: no row is suppressed */
    uint64_t may_suppress;
    context *context;
} translation;

kith_status assess_quasi(uint32_t **quasi, uint32_t *n_quasi, const kith_study *study,
                         const kith_table *texts, context *c, kith_error *error)
{
    *n_quasi = 0;
    *quasi = TRY_ARRAY(*quasi, c->memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            TRY(assess_find_column(&(*quasi)[(*n_quasi)++], texts, study->columns[i].name, error));
    return KITH_OK;
}

/* The column of the study with this name. */
static const study_column *study_column_of(const kith_study *study, const char *name)
{
    const uint32_t i = study_find_column(study, name);
    return i == UINT32_MAX ? NULL : &study->columns[i];
}

/* Reads the sensitive attribute of a model from the release: its values with their order or tree,
 * and which of them the model lists (all, if it lists none). */
static kith_status assess_models_read_values(verify_model *to, const model_spec *from,
                                             const translation *t, kith_error *error)
{
    uint32_t place;
    arena *memory = t->context->memory;
    verify_values *values = TRY_ALLOC(arena_alloc(memory, sizeof *values), error);
    TRY(assess_find_column(&place, t->texts, from->attribute, error));
    const study_column *s = study_column_of(t->study, from->attribute);
    bool by_tree = from->variant == VARIANT_HIERARCHICAL ||
                   (from->variant == VARIANT_ORDERED && s->type == KITH_TYPE_STRING);
    verify_reading reading = {.type = s->type,
                              .date_format = s->date_format,
                              .hierarchy = by_tree ? &s->hierarchy : NULL,
                              .domain = &s->domain,
                              .whole = t->whole != NULL ? t->whole->counts[place] : NULL,
                              .persons = t->persons};
    if (t->whole != NULL && t->persons != NULL)
        reading.persons_with = t->whole->persons_with[place];
    TRY(values_make(values, memory, t->texts, place, &reading, error));
    to->values = values;
    uint8_t *listed = TRY_ZEROS(listed, memory, values->count, error);
    memset(listed, from->n_values == 0, values->count);
    for (uint32_t i = 0; i < from->n_values; i++) {
        uint32_t value = values_find(values, from->values[i]);
        if (value != UINT32_MAX)
            listed[value] = 1;
    }
    to->listed = listed;
    return KITH_OK;
}

/* How the labels of a column are read: by the study alone, so that a verdict does not depend on
 * whether the data is at hand. */
static kith_status make_grammar(label_grammar *g, const study_column *s, const translation *t,
                                kith_error *error)
{
    arena *memory = t->context->memory;
    *g = (label_grammar){.type = s->type,
                         .date_format = s->date_format,
                         .hierarchy = &s->hierarchy,
                         .missing = t->study->missing == MISSING_VALUE};
    if (s->hierarchy.kind != HIERARCHY_FILE)
        return KITH_OK;
    kith_hierarchy *file;
    label_index *labels;
    TRY(hierarchy_make(&file, memory, &s->hierarchy, NULL, NULL, false, NULL, error));
    /* A wildcard is the root, also where the file has a place for missing values. */
    if (t->study->missing == MISSING_WILDCARD)
        file->missing_leaf = UINT32_MAX;
    TRY(label_index_new(&labels, memory, file, error));
    g->file = file;
    g->labels = labels;
    return KITH_OK;
}

/* Reads the population of k-map, and finds the leaves of its values in hierarchy files. */
static kith_status read_people(verify_model *to, const model_spec *from, const translation *t,
                               kith_error *error)
{
    arena *memory = t->context->memory;
    verify_people *people = TRY_ZEROS(people, memory, 1, error);
    uint32_t *column_at = TRY_ARRAY(column_at, memory, t->n_quasi, error);
    label_grammar *grammar = TRY_ARRAY(grammar, memory, t->n_quasi, error);
    const uint32_t **leaf_of = TRY_ARRAY(leaf_of, memory, t->n_quasi, error);
    kith_table *read;
    const kith_table *table;
    TRY(bind_models_read_people(&read, &table, t->study, from->population, t->context, error));
    TRY(table_own(read, memory, error));
    *people = (verify_people){table, column_at, grammar, leaf_of};
    for (uint32_t j = 0; j < t->n_quasi; j++) {
        const char *name = t->texts->columns[t->quasi[j]].name;
        column_at[j] = table_find(table, name);
        const dictionary *values = &table->columns[column_at[j]].values;
        uint32_t n_unknown, *leaves = NULL;
        TRY(make_grammar(&grammar[j], study_column_of(t->study, name), t, error));
        if (grammar[j].file != NULL) {
            leaves = TRY_ARRAY(leaves, memory, values->count, error);
            TRY(locate(grammar[j].file, values, leaves, &n_unknown, memory, error));
        }
        leaf_of[j] = leaves;
    }
    to->people = people;
    return KITH_OK;
}

/* Reads the earlier releases of m-invariance, with sorted signatures. Without the data, or with
 * rows in another order, it is unknown which row belongs to which person; then only this release is
 * checked. */
static kith_status read_signatures(verify_model *to, const model_spec *from, const translation *t,
                                   kith_error *error)
{
    signatures s;
    if (from->n_previous == 0 || to->values == NULL || t->data == NULL || !t->in_order ||
        t->data->n_rows != t->texts->n_rows)
        return KITH_OK;
    TRY(earlier_releases_read(&s, t->data, from, t->context, error));
    uint32_t total = s.start[s.count];
    uint32_t *value = TRY_ARRAY(value, t->context->memory, total, error);
    for (uint32_t i = 0; i < total; i++)
        value[i] =
            s.texts[i] == NULL ? to->values->texts->count : values_find(to->values, s.texts[i]);
    for (uint32_t i = 0; i < s.count; i++)
        qsort(value + s.start[i], s.start[i + 1] - s.start[i], sizeof *value, sort_uint32);
    to->signature = s.of;
    to->signature_start = s.start;
    to->signature_value = value;
    return KITH_OK;
}

static verify_kind diversity_kind(model_variant variant)
{
    return variant == VARIANT_DISTINCT    ? VERIFY_L_DISTINCT
           : variant == VARIANT_ENTROPY   ? VERIFY_L_ENTROPY
           : variant == VARIANT_RECURSIVE ? VERIFY_L_RECURSIVE
                                          : VERIFY_L_FREQUENCY;
}

static verify_distance distance_kind(model_variant variant)
{
    return variant == VARIANT_ORDERED        ? VERIFY_ORDERED
           : variant == VARIANT_HIERARCHICAL ? VERIFY_HIERARCHICAL
                                             : VERIFY_EQUAL;
}

/* Kind and parameters of a model, without data. */
static verify_model plain(const model_spec *m)
{
    verify_distance by = distance_kind(m->variant);
    switch (m->id) {
    case MODEL_K_ANONYMITY: return (verify_model){.kind = VERIFY_K_ANONYMITY, .need = m->k};
    case MODEL_K_MAP: return (verify_model){.kind = VERIFY_K_MAP, .need = m->k};
    case MODEL_L_DIVERSITY:
        return (verify_model){.kind = diversity_kind(m->variant), .need = m->l, .c = m->c};
    case MODEL_T_CLOSENESS:
        return (verify_model){.kind = VERIFY_T_CLOSENESS, .need = m->t, .distance = by};
    case MODEL_DELTA_PRESENCE:
        return (verify_model){.kind = VERIFY_PRESENCE, .need = m->max, .low = m->min};
    case MODEL_ALPHA_K: return (verify_model){.kind = VERIFY_SHARE, .need = m->alpha, .k = m->k};
    case MODEL_P_SENSITIVE:
        return (verify_model){.kind = VERIFY_L_DISTINCT, .need = m->p, .k = m->k};
    case MODEL_LKC:
        return (verify_model){.kind = VERIFY_COMBINATIONS,
                              .need = m->c,
                              .c = m->c,
                              .k = m->k,
                              .known = (uint32_t)m->l};
    case MODEL_DISSIMILARITY:
        return (verify_model){.kind = VERIFY_DISSIMILARITY,
                              .need = m->delta,
                              .low = m->epsilon,
                              .k = m->k,
                              .distance = by};
    case MODEL_DELTA_DISCLOSURE: return (verify_model){.kind = VERIFY_DISCLOSURE, .need = m->delta};
    case MODEL_DOMINANCE: return (verify_model){.kind = VERIFY_DOMINANCE, .need = m->share};
    case MODEL_BETA_LIKENESS:
        return (verify_model){
            .kind = VERIFY_LIKENESS, .need = m->beta, .enhanced = m->variant == VARIANT_ENHANCED};
    default: return (verify_model){.kind = VERIFY_INVARIANCE, .need = m->m};
    }
}

uint32_t assess_n_verdicts(const kith_study *study)
{
    uint32_t count = study->n_models;
    for (uint32_t i = 0; i < study->n_columns; i++)
        count += study->columns[i].role == ROLE_SENSITIVE;
    return count;
}

/* How many values of its attribute must be left to a reader who knows all classes of a person. */
static uint32_t values_in_common(const verify_model *m)
{
    switch (m->kind) {
    case VERIFY_K_ANONYMITY:
    case VERIFY_K_MAP:
    case VERIFY_DOMINANCE: return 0;
    case VERIFY_L_FREQUENCY:
    case VERIFY_L_DISTINCT:
    case VERIFY_L_ENTROPY:
    case VERIFY_L_RECURSIVE: return (uint32_t)ceil(m->need - 1e-9);
    case VERIFY_SHARE: return (uint32_t)ceil(1 / m->need - 1e-9);
    default: return 2;
    }
}

/* A model with all data that its check reads. */
static kith_status translate(verify_model *to, const model_spec *from, const translation *t,
                             kith_error *error)
{
    *to = plain(from);
    if (t->study->refuse_intersections && t->persons != NULL)
        to->common = values_in_common(to);
    if (from->attribute != NULL)
        TRY(assess_models_read_values(to, from, t, error));
    if (from->id == MODEL_K_MAP)
        return read_people(to, from, t, error);
    return from->id == MODEL_M_INVARIANCE ? read_signatures(to, from, t, error) : KITH_OK;
}

kith_status assess_root(suppressed_root *root, const study_column *s, const prepared *data,
                        context *c, kith_error *error)
{
    kith_hierarchy *h = NULL;
    for (uint32_t i = 0; data != NULL && i < data->n_columns && h == NULL; i++)
        if (strcmp(data->columns[i].study->name, s->name) == 0)
            h = data->columns[i].hierarchy;
    if (h == NULL && s->hierarchy.kind == HIERARCHY_FILE)
        TRY(hierarchy_make(&h, c->memory, &s->hierarchy, NULL, NULL, false, NULL, error));
    *root = suppressed_root_of(h);
    return KITH_OK;
}

kith_status assess_roots(suppressed_root **roots, const assess_task *task, context *c,
                         kith_error *error)
{
    const kith_study *study = task->study;
    uint32_t n = 0;
    *roots = TRY_ARRAY(*roots, c->memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            TRY(assess_root(&(*roots)[n++], &study->columns[i], task->data, c, error));
    return KITH_OK;
}

/* A protocol that suppresses does so as much as it must, and at least as many rows as the models ask
 * for, so that they hide among each other. */
uint64_t assess_may_suppress(const kith_study *study, uint64_t n_rows)
{
    return study->joint.protocol->suppresses ? n_rows
                                             : (uint64_t)floor(study->suppression * (double)n_rows);
}

/* What suppressed rows show. It is known for the whole of a release in parts. More suppressed rows
 * than the study allows are a class like any other, and must satisfy the models. */
static kith_status find_suppressed(translation *t, const assess_task *task, kith_error *error)
{
    if (t->whole == NULL) {
        t->may_suppress = assess_may_suppress(t->study, t->texts->n_rows);
        return t->may_suppress > 0 ? assess_roots(&t->roots, task, t->context, error) : KITH_OK;
    }
    if (t->whole->suppressed == NULL ||
        t->whole->n_suppressed > assess_may_suppress(t->study, t->whole->n_rows))
        return KITH_OK;
    t->may_suppress = t->texts->n_rows;
    t->roots = TRY_ZEROS(t->roots, t->context->memory, t->n_quasi, error);
    for (uint32_t j = 0; j < t->n_quasi; j++)
        t->roots[j].label = t->whole->suppressed[j];
    return KITH_OK;
}

kith_status assess_persons(verify_persons *persons, const kith_study *study, const kith_table *data,
                           const uint32_t *row, uint32_t n_rows, context *c, arena *memory,
                           kith_error *error)
{
    const uint32_t n = study->n_unit;
    uint32_t *columns = TRY_ARRAY(columns, memory, n, error);
    verify_reading *reading = TRY_ZEROS(reading, memory, n, error);
    for (uint32_t i = 0; i < n; i++) {
        const study_column *s = &study->columns[study->unit[i]];
        TRY(assess_find_column(&columns[i], data, s->name, error));
        reading[i] = (verify_reading){.type = s->type, .date_format = s->date_format};
    }
    const persons_source from = {.data = data,
                                 .n_columns = n,
                                 .columns = columns,
                                 .reading = reading,
                                 .n_rows = n_rows,
                                 .row = row};
    return persons_make(persons, &from, c, memory, error);
}

/* How many persons show each value of a column. */
static kith_status assess_models_count_persons(const uint64_t **with, const study_column *s,
                                               const verify_persons *persons,
                                               const kith_table *texts, uint32_t place, context *c,
                                               kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    const verify_reading reading = {
        .type = s->type, .date_format = s->date_format, .persons = persons};
    verify_values values;
    TRY(values_make(&values, scratch, texts, place, &reading, error));
    const size_t n = values.texts->count + (size_t)1;
    uint64_t *own = TRY_ZEROS(own, c->memory, n, error);
    memcpy(own, values.overall, values.count * sizeof *own);
    *with = own;
    return ranks_sum(c->ranks, own, n, error);
}

kith_status assess_persons_with(assess_whole *whole, const verify_persons *persons,
                                const kith_study *study, const kith_table *texts, context *c,
                                kith_error *error)
{
    const uint64_t **with = TRY_ZEROS(with, c->memory, texts->n_columns, error);
    whole->persons_with = with;
    for (uint32_t i = 0; i < texts->n_columns; i++) {
        const study_column *s = study_column_of(study, texts->columns[i].name);
        if (s != NULL && s->role == ROLE_SENSITIVE)
            TRY(assess_models_count_persons(&with[i], s, persons, texts, i, c, error));
    }
    return KITH_OK;
}

/* Reads from the data as it was whose the rows are. Only a mapping knows it, or the run that makes
 * the release: rows that fit may be those of other persons. */
static kith_status read_persons(translation *t, const assess_task *task, kith_error *error)
{
    const prepared *p = t->data;
    arena *memory = t->context->memory;
    verify_persons *persons = TRY_ALLOC(arena_alloc(memory, sizeof *persons), error);
    if (t->study->n_unit > 0 && t->whole != NULL) {
        /* Those of a part. */
        const verify_persons *all = t->whole->persons;
        if (all == NULL)
            return KITH_OK;
        *persons = *all;
        persons->of_row = TRY_ARRAY(persons->of_row, t->context->memory, t->texts->n_rows, error);
        for (uint32_t row = 0; row < t->texts->n_rows; row++)
            persons->of_row[row] = all->of_row[table_source_row(t->texts, row)];
        t->persons = persons;
        return KITH_OK;
    }
    if (t->study->n_unit == 0 || p == NULL || !(task->mapped || task->made) || !t->in_order)
        return KITH_OK;
    ASSERT(p->n_rows == t->texts->n_rows);
    t->persons = persons;
    return assess_persons(persons, t->study, p->original, p->rows, p->n_rows, t->context, memory,
                          error);
}

void assess_find_unknown(verify_report *report, const kith_study *study)
{
    report->unknown = false;
    for (uint32_t i = 0; i < study->n_models; i++)
        report->unknown = report->unknown || report->verdict[i].unknown;
}

static kith_status assess_models_check(verify_report *report, const assess_task *task,
                                       const assess_whole *whole, const kith_table *texts,
                                       bool judge, context *c, kith_error *error)
{
    translation t = {.study = task->study,
                     .data = task->data,
                     .in_order = task->in_order,
                     .texts = texts,
                     .whole = whole,
                     .context = c};
    verify_model *models = NULL;
    TRY(assess_quasi(&t.quasi, &t.n_quasi, t.study, texts, c, error));
    TRY(find_suppressed(&t, task, error));
    TRY(read_persons(&t, task, error));
    if (judge) {
        /* The study's models, and what its sensitive columns allow to conclude. */
        const kith_study *study = t.study;
        uint32_t n = study->n_models;
        models = TRY_ARRAY(models, t.context->memory, assess_n_verdicts(study), error);
        for (uint32_t i = 0; i < n; i++)
            TRY(translate(&models[i], &study->models[i], &t, error));
        for (uint32_t i = 0; i < study->n_columns; i++) {
            /* How certain the most frequent value of a sensitive column may be: a bound that always
             * holds. Its verdict tells the highest share that any class has. */
            const model_spec certainty = {
                .id = MODEL_ALPHA_K, .k = 1, .alpha = 1, .attribute = study->columns[i].name};
            if (study->columns[i].role == ROLE_SENSITIVE)
                TRY(translate(&models[n++], &certainty, &t, error));
        }
    }
    const verify_task checks = {.release = texts,
                                .quasi = t.quasi,
                                .n_quasi = t.n_quasi,
                                .models = models,
                                .n_models = judge ? assess_n_verdicts(t.study) : 0,
                                .may_suppress = t.may_suppress,
                                .roots = t.roots,
                                .persons = t.persons,
                                .counts_persons = t.study->n_unit > 0,
                                .judge_suppressed = t.study->joint.protocol->suppresses,
                                .n_whole_rows = whole != NULL ? whole->n_rows : 0};
    TRY(verify_release(report, &checks, c->memory, error));
    if (judge)
        assess_find_unknown(report, t.study);
    return KITH_OK;
}

kith_status assess_models(verify_report *report, const assess_task *task, const assess_whole *whole,
                          const kith_table *texts, context *c, kith_error *error)
{
    return assess_models_check(report, task, whole, texts, true, c, error);
}

kith_status assess_group(verify_report *report, const assess_task *task, const assess_whole *whole,
                         const kith_table *texts, context *c, kith_error *error)
{
    return assess_models_check(report, task, whole, texts, false, c, error);
}

kith_status assess_add_models(verify_report *to, const verify_report *part, const kith_study *study,
                              context *c, kith_error *error)
{
    const uint32_t n_verdicts = assess_n_verdicts(study);
    verify_model *models = TRY_ARRAY(models, c->memory, n_verdicts, error);
    for (uint32_t i = 0; i < n_verdicts; i++)
        models[i] = i < study->n_models ? plain(&study->models[i])
                                        : (verify_model){.kind = VERIFY_SHARE, .need = 1, .k = 1};
    verify_report_add(to, part, models, n_verdicts);
    assess_find_unknown(to, study);
    return KITH_OK;
}

kith_status assess_judges_parts(const kith_study *study, kith_error *error)
{
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        /* Which row belongs to which person of earlier releases is not known in parts. */
        if (m->n_previous > 0)
            return error_set(error, KITH_INVALID, "%s: %s cannot be checked on a release in parts",
                             study->path, model_name(m->id));
    }
    return KITH_OK;
}
