#include "modules/encrypted_view/view_columns.h"

#include <string.h>

#include "core/error.h"
#include "modules/encrypted_view/view_labels.h"
#include "job/joint/unit_texts.h"
#include "smc/compare/kth.h"
#include "study/holders.h"
#include "wire/party_work.h"

bool view_columns_has_tree(const kith_study *study, uint32_t number)
{
    const study_column *c = &study->columns[number];
    if (c->role == ROLE_QUASI_IDENTIFYING)
        return true;
    for (uint32_t i = 0; i < study->n_models; i++)
        if (study->models[i].variant == VARIANT_HIERARCHICAL &&
            study->models[i].attribute != NULL && strcmp(study->models[i].attribute, c->name) == 0)
            return true;
    return false;
}

static bool lists_values(const model_spec *m)
{
    return m->id == MODEL_LKC || m->id == MODEL_DELTA_PRESENCE;
}

uint8_t view_columns_mark_of(const kith_study *study, uint32_t model)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < model; i++)
        before += lists_values(&study->models[i]);
    return lists_values(&study->models[model]) && before < 8 ? (uint8_t)(1u << before) : 0;
}

bool view_columns_compares_lengths(const kith_study *study, uint32_t number)
{
    const study_column *c = &study->columns[number];
    return holders_release(study, number) && view_columns_has_tree(study, number) &&
           c->hierarchy.kind == HIERARCHY_MASK && !holders_is_public(c);
}

/* Does this party hold the column? */
static bool holds(const kith_study *study, uint32_t site, uint32_t number)
{
    return study->n_parties == 0 || holders_have(&study->parties[site], number);
}

/* The first holder of a column sends all of a public hierarchy, so that the loss is that of the
 * whole one; the others send only what they need. */
static bool is_first_holder(const kith_study *study, uint32_t self, uint32_t number)
{
    for (uint32_t site = 0; site < self; site++)
        if (holds(study, site, number))
            return false;
    return true;
}

/* --- what the parties agree on first --- */

/* Masks over values from the data have as many levels as the longest value of any site has
 * characters: the maximum over all sites, which does not tell which site has it. */
static kith_status agree_length(party *p, study_column *c, const kith_table *table,
                                kith_error *error)
{
    int64_t mine = 0, all = 0;
    bool found;
    uint32_t at = table == NULL ? UINT32_MAX : table_find(table, c->name);
    if (at != UINT32_MAX)
        mine = hierarchy_mask_length(&table->columns[at].values);
    kth_query query = {
        .kind = KTH_LARGEST, .high = HIERARCHY_MAX_LEVELS, .rank = 1, .max_values = PARTY_MAX};
    kth_values values = {&mine, 1};
    if (mine > HIERARCHY_MAX_LEVELS)
        mine = HIERARCHY_MAX_LEVELS; /* hierarchy_make reports it, with the value */
    const char *before = party_step(p, "domains");
    TRY(kth(p, &all, &found, &query, &values, 1, error));
    party_step(p, before);
    if (!found || all < mine || (all == HIERARCHY_MAX_LEVELS && mine < all))
        return error_set(error, KITH_PEER,
                         "the longest value of column %s at all parties has %lld characters; this "
                         "party's has %lld, and a mask takes fewer than %d",
                         c->name, (long long)all, (long long)mine, HIERARCHY_MAX_LEVELS);
    c->hierarchy.mask_length = (uint32_t)all;
    return KITH_OK;
}

/* --- labels that every party can list --- */

/* *base: the level at which cells of the column start (pregeneralize), below the root. */
static kith_status check_base(const kith_study *study, uint32_t number, const tree *t,
                              uint32_t *base, kith_error *error)
{
    *base = study->joint.pregeneralize == NULL ? 0 : study->joint.pregeneralize[number];
    if (*base + 1 < t->n_levels)
        return KITH_OK;
    return error_set(error, KITH_INVALID,
                     "pregeneralize: column %s has %u level%s below its root, level %u is none of "
                     "them",
                     study->columns[number].name, t->n_levels - 1, t->n_levels == 2 ? "" : "s",
                     *base);
}

static kith_status public_labels(view_columns *v, uint32_t j, context *c, kith_error *error)
{
    const uint32_t number = v->numbers[j];
    const study_column *s = &v->shared.columns[number];
    view_known *known = &v->sources[j].known;
    kith_hierarchy *h;
    uint32_t base;
    if (!view_columns_has_tree(&v->shared, number) || !holders_is_public(s))
        return KITH_OK;
    TRY(hierarchy_make(&h, c->memory, &s->hierarchy, &s->domain, NULL, true, NULL, error));
    TRY(check_base(&v->shared, number, &h->tree, &base, error));
    return view_labels_known(known, h, base, c->memory, error);
}

/* --- this party's columns --- */

/* A sensitive column whose values a model compares by hierarchy. */
static kith_status sensitive_tree(view_source *s, const view_columns *v, const prepared_column *c,
                                  bool whole, arena *memory, kith_error *error)
{
    const prepared *p = &v->mine;
    const column *source = &p->table->columns[c->source];
    const dictionary *values = &source->values;
    bool missing = false;
    for (uint32_t i = 0; i < p->n_rows; i++)
        missing |= source->codes[p->rows[i]] == TABLE_MISSING;
    kith_hierarchy *h;
    domain_spec domain = c->study->domain;
    domain.fixed = true;
    TRY(hierarchy_make(&h, memory, &c->study->hierarchy, &domain, values, missing, NULL, error));
    uint32_t *leaf_of = TRY_ARRAY(leaf_of, memory, values->count, error);
    uint32_t *cells = TRY_ARRAY(cells, memory, p->n_rows, error);
    TRY(hierarchy_bind(h, values, leaf_of, p->table->source, c->study->name, NULL, error));
    for (uint32_t i = 0; i < p->n_rows; i++) {
        uint32_t code = source->codes[p->rows[i]];
        cells[i] = code == TABLE_MISSING ? h->missing_leaf : leaf_of[code];
    }
    return view_labels_tree(s, h, cells, p->n_rows, 0, whole, memory, error);
}

static bool is_listed(const model_spec *m, const view_label *label)
{
    for (uint32_t i = 0; i < m->n_values; i++)
        if (strlen(m->values[i]) == label->length &&
            memcmp(m->values[i], label->bytes, label->length) == 0)
            return true;
    return m->n_values == 0;
}

/* Marks the values that a model lists, because the master must recognize them under encryption. */
static kith_status mark_values(view_source *s, const kith_study *study, const char *name,
                               arena *memory, kith_error *error)
{
    uint8_t *mark = TRY_ZEROS(mark, memory, s->start[s->n_levels], error);
    for (uint32_t m = 0; m < study->n_models; m++) {
        const model_spec *model = &study->models[m];
        if (!lists_values(model) || strcmp(model->attribute, name) != 0)
            continue;
        if (view_columns_mark_of(study, m) == 0)
            return error_set(error, KITH_INVALID, "more than 8 models list values");
        for (uint32_t i = 0; i < s->start[1]; i++)
            if (is_listed(model, &s->labels[i]))
                mark[i] |= view_columns_mark_of(study, m);
    }
    s->mark = mark;
    return KITH_OK;
}

static kith_status own_column(view_columns *v, uint32_t self, uint32_t j, arena *memory,
                              kith_error *error)
{
    const uint32_t number = v->numbers[j];
    const study_column *s = &v->shared.columns[number];
    const prepared_column *c = prepare_find(&v->mine, s);
    view_source *out = &v->sources[j];
    uint32_t base;
    if (c == NULL)
        return KITH_OK;
    const bool whole = holders_is_public(s) && is_first_holder(&v->shared, self, number);
    if (v->mine.n_rows == 0 && !whole)
        return KITH_OK;
    if (c->attribute != PREPARE_NONE) {
        TRY(check_base(&v->shared, number, &c->hierarchy->tree, &base, error));
        TRY(view_labels_tree(out, c->hierarchy, v->mine.problem.attributes[c->attribute].cells,
                             v->mine.n_rows, base, whole, memory, error));
    } else if (view_columns_has_tree(&v->shared, number)) {
        TRY(sensitive_tree(out, v, c, whole, memory, error));
    } else {
        TRY(view_labels_plain(out, &v->mine.table->columns[c->source], v->mine.rows, v->mine.n_rows,
                              memory, error));
    }
    return s->role == ROLE_SENSITIVE ? mark_values(out, &v->shared, s->name, memory, error)
                                     : KITH_OK;
}

/* --- whose the rows are --- */

/* What stands for a person: number `unit` of this site, or, with overlap: matched, the texts by
 * which other sites know the person, too; a row that lacks one of them belongs to no person whom
 * they know. A text ends with a NUL and is not empty, so that no number looks like texts. */
static kith_status name_person(view_label *label, const prepared *p, uint32_t self, uint32_t record,
                               arena *memory, kith_error *error)
{
    const kith_study *study = p->study;
    size_t length = 0;
    bool known = study->joint.overlap == OVERLAP_MATCHED;
    for (uint32_t i = 0; known && i < study->n_unit; i++) {
        const uint32_t at = table_find(p->table, study->columns[study->unit[i]].name);
        const uint32_t code = p->table->columns[at].codes[p->rows[record]];
        known = code != TABLE_MISSING;
        length += known ? dictionary_length(&p->table->columns[at].values, code) + (size_t)1 : 0;
    }
    const uint32_t number[] = {self, p->problem.unit[record]};
    length = known ? length : sizeof number;
    char *bytes = TRY_ARRAY(bytes, memory, length, error);
    *label = (view_label){bytes, length};
    if (!known)
        memcpy(bytes, number, sizeof number);
    for (uint32_t i = 0; known && i < study->n_unit; i++) {
        const column *c =
            &p->table->columns[table_find(p->table, study->columns[study->unit[i]].name)];
        bytes = stpcpy(bytes, dictionary_text(&c->values, c->codes[p->rows[record]])) + 1;
    }
    return KITH_OK;
}

/* The column that says whose each row is. Units are numbered in the order of their first records.
 */
static kith_status name_persons(view_columns *v, uint32_t self, arena *memory, kith_error *error)
{
    const problem *p = &v->mine.problem;
    view_label *labels = TRY_ARRAY(labels, memory, p->n_units, error);
    uint32_t *start = TRY_ZEROS(start, memory, 2, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        if (p->unit[i] == start[1])
            TRY(name_person(&labels[start[1]++], &v->mine, self, i, memory, error));
    if (p->n_units > 0)
        v->sources[v->count] =
            (view_source){.n_levels = 1, .start = start, .labels = labels, .codes = p->unit};
    return KITH_OK;
}

/* --- row ids --- */

static kith_status column_ids(view_columns *v, const kith_table *table, arena *memory,
                              kith_error *error)
{
    uint32_t at = table_find(table, v->shared.id_column);
    if (at == UINT32_MAX)
        return error_set(error, KITH_DATA, "%s has no column %s, by which rows are joined",
                         table->source, v->shared.id_column);
    const column *ids = &table->columns[at];
    bool *seen = TRY_ZEROS(seen, memory, ids->values.count, error);
    uint64_t repeated = 0, missing = 0;
    for (uint32_t i = 0; i < v->mine.n_rows; i++) {
        uint32_t code = ids->codes[v->mine.rows[i]];
        if (code == TABLE_MISSING) {
            missing++;
            continue;
        }
        repeated += seen[code];
        seen[code] = true;
        v->tid[i] = (view_label){dictionary_text(&ids->values, code),
                                 dictionary_length(&ids->values, code)};
    }
    if (repeated + missing == 0)
        return KITH_OK;
    return error_set(error, KITH_DATA,
                     "%s: column %s must tell rows apart, but %llu rows repeat an id and %llu have "
                     "none",
                     table->source, v->shared.id_column, (unsigned long long)repeated,
                     (unsigned long long)missing);
}

/* For list_all. */
typedef struct listing {
    view_columns *columns;
    uint32_t self;
    const kith_table *table;
    context *context;
} listing;

/* The labels that every party can list, then what a party with data gives: columns, dictionaries
 * and row ids. */
static kith_status list_all(void *user, kith_error *error)
{
    const listing *l = user;
    const kith_table *table = l->table;
    const uint32_t self = l->self;
    view_columns *v = l->columns;
    context *c = l->context;
    for (uint32_t j = 0; j < v->count; j++)
        TRY(public_labels(v, j, c, error));
    const size_t room = v->shared.n_columns;
    bool *held = TRY_ZEROS(held, c->memory, room, error);
    bool *missing = TRY_ZEROS(missing, c->memory, room, error);
    prepare_joint *joint = TRY_ZEROS(joint, c->memory, 1, error);
    for (uint32_t j = 0; j < v->count; j++) {
        uint32_t number = v->numbers[j], at = table_find(table, v->shared.columns[number].name);
        held[number] = holds(&v->shared, self, number);
        for (uint32_t row = 0; held[number] && at != UINT32_MAX && row < table->n_rows; row++)
            missing[number] |= table->columns[at].codes[row] == TABLE_MISSING;
    }
    *joint = (prepare_joint){.held = held, .missing = missing};
    if (v->shared.joint.overlap == OVERLAP_MATCHED)
        TRY(unit_texts_match(&table, &v->shared, table, c->memory, error));
    TRY(prepare_part(&v->mine, &v->shared, table, joint, c, error));
    v->n_rows = v->mine.n_rows;
    for (uint32_t j = 0; j < v->count; j++)
        TRY(own_column(v, self, j, c->memory, error));
    if (v->n_sources > v->count)
        TRY(name_persons(v, self, c->memory, error));
    if (v->shared.joint.partition == PARTITION_HORIZONTAL)
        return KITH_OK;
    v->tid = TRY_ZEROS(v->tid, c->memory, v->mine.n_rows, error);
    if (!v->shared.joint.ids_aligned)
        return column_ids(v, table, c->memory, error);
    /* Rows are in the same order at all sites: their numbers are ids. */
    for (uint32_t i = 0; i < v->mine.n_rows; i++)
        v->tid[i] = (view_label){&v->mine.rows[i], sizeof v->mine.rows[i]};
    return KITH_OK;
}

kith_status view_columns_make(view_columns *v, party *p, const kith_study *study,
                              const kith_table *table, context *c, kith_error *error)
{
    *v = (view_columns){.count = 0};
    const size_t room = study->n_columns;
    study_column *columns = TRY_ARRAY(columns, c->memory, room, error);
    v->numbers = TRY_ARRAY(v->numbers, c->memory, room, error);
    v->sources = TRY_ZEROS(v->sources, c->memory, room, error);
    memcpy(columns, study->columns, study->n_columns * sizeof *columns);
    v->shared = *study;
    v->shared.columns = columns;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (!holders_release(study, i))
            continue;
        v->numbers[v->count++] = i;
        if (!view_columns_has_tree(study, i))
            continue;
        if (columns[i].hierarchy.kind == HIERARCHY_ORDER && !holders_is_public(&columns[i]))
            return error_set(error, KITH_INVALID,
                             "column %s: the encrypted view cannot form groups in the order of the "
                             "data's values; give a range or a hierarchy file",
                             columns[i].name);
        if (view_columns_compares_lengths(study, i))
            TRY(agree_length(p, &columns[i], table, error));
    }
    v->n_sources = v->count + (study->n_unit > 0);
    if (table == NULL)
        return KITH_OK;
    listing l = {v, party_self(p), table, c};
    return party_work(p, &(party_work_task){.work = list_all, .user = &l}, error);
}
