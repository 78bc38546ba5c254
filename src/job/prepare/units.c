#include "job/prepare/units.h"

#include <stdio.h>
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/findings.h"
#include "job/prepare/kept_rows.h"
#include "table/rows/code_numbers.h"
#include "table/rows/row_groups.h"

/* The columns of the unit, with the rows that are kept; lone[row]: one of its cells is missing. */
static kith_status take_columns(kith_table *of_units, bool *lone, prepared *p, arena *memory,
                                kith_error *error)
{
    const kith_study *study = p->study;
    *of_units = (kith_table){.n_rows = p->n_rows, .n_columns = study->n_unit};
    of_units->columns = TRY_ARRAY(of_units->columns, memory, study->n_unit, error);
    for (uint32_t i = 0; i < study->n_unit; i++) {
        const char *name = study->columns[study->unit[i]].name;
        const uint32_t place = table_find(p->table, name);
        if (place == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s, which tells persons apart",
                             p->table->source, name);
        column *c = &of_units->columns[i];
        *c = p->table->columns[place];
        c->codes = TRY_ARRAY(c->codes, memory, p->n_rows, error);
        for (uint32_t row = 0; row < p->n_rows; row++) {
            c->codes[row] = p->table->columns[place].codes[p->rows[row]];
            lone[row] = lone[row] || c->codes[row] == TABLE_MISSING;
        }
    }
    return KITH_OK;
}

/* Counts the rows that lack a value, and finds the first column that the first of them lacks. */
static void count_lone(prepared *p, const kith_table *of_units, const bool *lone)
{
    for (uint32_t row = 0; row < p->n_rows; row++) {
        while (lone[row] && p->unknown == 0 &&
               of_units->columns[p->lacking].codes[row] != TABLE_MISSING)
            p->lacking++;
        p->unknown += lone[row];
    }
}

/* Gives each row whose person is not known a group of its own. */
static kith_status part_lone(row_groups *g, const bool *lone, arena *memory, kith_error *error)
{
    uint32_t *number = TRY_ARRAY(number, memory, g->count, error);
    memset(number, 0xff, g->count * sizeof *number);
    uint32_t next = 0;
    for (uint32_t row = 0; row < g->n_rows; row++) {
        uint32_t *known = &number[g->of[row]];
        if (!lone[row] && *known == UINT32_MAX)
            *known = next++;
        g->of[row] = lone[row] ? next++ : *known;
    }
    g->count = next;
    CHECK(row_groups_check(g));
    return KITH_OK;
}

/* Numbers the pairs of a person and a value. */
static kith_status make_pairs(sensitive_attribute *s, const row_groups *units,
                              row_groups_scratch *scratch, arena *memory, kith_error *error)
{
    const column values = {.codes = (uint32_t *)s->values, .values = {.count = s->count}};
    row_groups pairs = {0};
    pairs.of = TRY_ARRAY(pairs.of, memory, units->n_rows, error);
    row_groups_refine(&pairs, units, &values, scratch);
    uint32_t *value_of = TRY_ARRAY(value_of, memory, pairs.count, error);
    for (uint32_t row = 0; row < units->n_rows; row++)
        value_of[pairs.of[row]] = s->values[row];
    s->pair = pairs.of;
    s->n_pairs = pairs.count;
    s->value_of_pair = value_of;
    return KITH_OK;
}

/* All rows of a person have the same mark. */
static kith_status make_homes(prepared *p, arena *memory, kith_error *error)
{
    bool *home = TRY_ARRAY(home, memory, p->n_units, error);
    for (uint32_t row = 0; row < p->n_rows; row++)
        home[p->problem.unit[row]] = p->joint->home[p->rows[row]];
    p->problem.home = home;
    return KITH_OK;
}

kith_status units_bind(problem *p, sensitive_attribute *sensitive, const row_groups *units,
                       arena *memory, arena *scratch, kith_error *error)
{
    row_groups_scratch *space;
    ASSERT(units->n_rows == p->n_records);
    ASSERT(sensitive != NULL || p->n_sensitive == 0);
    TRY(row_groups_scratch_new(&space, scratch, p->n_records, error));
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        TRY(make_pairs(&sensitive[s], units, space, memory, error));
    p->unit = units->of;
    p->n_units = units->count;
    return KITH_OK;
}

/* `part`: others may have several rows. */
static kith_status number_units(prepared *p, sensitive_attribute *sensitive, bool part,
                                arena *memory, arena *scratch, kith_error *error)
{
    kith_table of_units;
    row_groups units;
    uint32_t *all = TRY_ARRAY(all, scratch, p->study->n_unit, error);
    bool *lone = TRY_ZEROS(lone, scratch, p->n_rows, error);
    TRY(take_columns(&of_units, lone, p, scratch, error));
    for (uint32_t i = 0; i < p->study->n_unit; i++)
        all[i] = i;
    TRY(row_groups_by(&units, memory, &of_units, all, of_units.n_columns, error));
    count_lone(p, &of_units, lone);
    if (p->unknown > 0)
        TRY(part_lone(&units, lone, scratch, error));
    p->n_units = units.count;
    /* Other parties may have several rows of a person. */
    if (units.count == p->n_rows && p->joint == NULL && !part)
        return KITH_OK;
    TRY(units_bind(&p->problem, sensitive, &units, memory, scratch, error));
    return p->joint == NULL || p->joint->home == NULL ? KITH_OK : make_homes(p, memory, error);
}

kith_status units_number(prepare_units *u, const prepared *p, const kith_table *rows,
                         const uint32_t *const *values, context *c, kith_error *error)
{
    const uint32_t n = rows->n_rows, n_sensitive = p->problem.n_sensitive;
    prepared all = *p;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, c->memory, n_sensitive, error);
    for (uint32_t s = 0; s < n_sensitive; s++)
        sensitive[s] =
            (sensitive_attribute){.values = values[s], .count = p->problem.sensitive[s].count};
    all.table = rows;
    all.n_rows = all.problem.n_records = n;
    all.problem.sensitive = sensitive;
    all.rows = TRY_ARRAY(all.rows, scratch, n, error);
    for (uint32_t row = 0; row < n; row++)
        all.rows[row] = row;
    TRY(number_units(&all, sensitive, false, c->memory, scratch, error));
    u->count = all.n_units;
    u->unknown = all.unknown;
    u->lacking = all.lacking;
    u->rows = all.problem;
    return KITH_OK;
}

/* Numbers rows by these columns over all ranks. */
static kith_status number_by(code_numbers *numbers, uint32_t *const *codes, const uint32_t *n_codes,
                             uint32_t n_columns, uint32_t n_rows, context *c, arena *memory,
                             kith_error *error)
{
    const code_rows rows = {
        .n_rows = n_rows, .n_columns = n_columns, .n_codes = n_codes, .codes = (uint32_t **)codes};
    return code_numbers_make(numbers, &rows, c, memory, error);
}

/* Numbers the pairs of all ranks. */
static kith_status make_pairs_of_ranks(sensitive_attribute *s, const problem *p, context *c,
                                       arena *scratch, kith_error *error)
{
    uint32_t *const codes[] = {(uint32_t *)p->unit, (uint32_t *)s->values};
    const uint32_t n_codes[] = {p->n_units, s->count};
    code_numbers pairs;
    uint32_t *value_of, *of;
    TRY(number_by(&pairs, codes, n_codes, 2, p->n_records, c, scratch, error));
    TRY(code_numbers_column(&value_of, &pairs, 1, c, c->memory, error));
    s->pair = of = TRY_ARRAY(of, c->memory, p->n_records, error);
    memcpy(of, pairs.of, p->n_records * sizeof *of);
    s->n_pairs = pairs.count;
    s->value_of_pair = value_of;
    return KITH_OK;
}

/* Rows that lack a value, over all ranks: how many, and what the first one lacks. */
static kith_status count_unknown(prepared *p, kith_ranks *ranks, arena *scratch, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(ranks);
    uint64_t *all = TRY_ZEROS(all, scratch, 2 * (size_t)n_ranks, error);
    all[2 * ranks_self(ranks)] = p->unknown;
    all[2 * ranks_self(ranks) + 1] = p->lacking;
    TRY(ranks_sum(ranks, all, 2 * (size_t)n_ranks, error));
    p->unknown = p->lacking = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        p->lacking = p->unknown == 0 ? (uint32_t)all[2 * r + 1] : p->lacking;
        p->unknown += (uint32_t)all[2 * r];
    }
    return KITH_OK;
}

/* The rows of each rank, numbered over all ranks. A row that lacks a value has one more key: its
 * place. */
static kith_status number_ranks(prepared *p, sensitive_attribute *sensitive, context *c,
                                arena *scratch, kith_error *error)
{
    const uint32_t n = p->study->n_unit, n_ranks = ranks_count(c->ranks);
    kith_table of_units;
    code_numbers units;
    bool *lone = TRY_ZEROS(lone, scratch, p->n_rows, error);
    uint32_t **codes = TRY_ARRAY(codes, scratch, n + (size_t)1, error);
    uint32_t *n_codes = TRY_ARRAY(n_codes, scratch, n + (size_t)1, error), *unit;
    uint64_t *n_rows = TRY_ZEROS(n_rows, scratch, n_ranks, error), first = 1, count = 0;
    TRY(take_columns(&of_units, lone, p, scratch, error));
    count_lone(p, &of_units, lone);
    n_rows[ranks_self(c->ranks)] = p->n_rows;
    TRY(ranks_sum(c->ranks, n_rows, n_ranks, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        first += r < ranks_self(c->ranks) ? n_rows[r] : 0;
        count += n_rows[r];
    }
    for (uint32_t i = 0; i < n; i++) {
        codes[i] = of_units.columns[i].codes;
        n_codes[i] = of_units.columns[i].values.count;
    }
    codes[n] = TRY_ARRAY(codes[n], scratch, p->n_rows, error);
    n_codes[n] = (uint32_t)count + 1;
    for (uint32_t row = 0; row < p->n_rows; row++)
        codes[n][row] = lone[row] ? (uint32_t)first + row : 0;
    TRY(number_by(&units, codes, n_codes, n + 1, p->n_rows, c, scratch, error));
    TRY(count_unknown(p, c->ranks, scratch, error));
    p->n_units = units.count;
    if (units.count == count)
        return KITH_OK;
    p->problem.unit = unit = TRY_ARRAY(unit, c->memory, p->n_rows, error);
    p->problem.n_units = units.count;
    memcpy(unit, units.of, p->n_rows * sizeof *unit);
    for (uint32_t s = 0; s < p->problem.n_sensitive; s++)
        TRY(make_pairs_of_ranks(&sensitive[s], &p->problem, c, scratch, error));
    return KITH_OK;
}

/* How many units show each value. */
static kith_status count_showing(prepare_units *u, arena *memory, kith_error *error)
{
    const uint32_t n = u->rows.n_sensitive;
    const uint32_t **showing = TRY_ZEROS(showing, memory, n, error);
    u->showing = showing;
    for (uint32_t s = 0; s < n && u->rows.unit != NULL; s++) {
        const sensitive_attribute *a = &u->rows.sensitive[s];
        uint32_t *own = TRY_ZEROS(own, memory, a->count, error);
        for (uint32_t i = 0; i < a->n_pairs; i++)
            own[a->value_of_pair[i]]++;
        showing[s] = own;
    }
    return KITH_OK;
}

/* The units of the whole are numbered with its values, which come first; ranks number those of
 * their rows together. */
static kith_status number_part(prepared *p, sensitive_attribute *sensitive, context *c,
                               arena *scratch, kith_error *error)
{
    prepare_units *u = p->whole->units;
    if (!p->whole->of_values) {
        TRY(number_ranks(p, sensitive, c, scratch, error));
        *u = (prepare_units){.count = p->n_units, .unknown = p->unknown, .lacking = p->lacking};
        u->rows = p->problem;
        u->rows.sensitive = sensitive;
        return count_showing(u, c->memory, error);
    }
    if (u->number == NULL && u->rows.unit != NULL)
        TRY(number_units(p, sensitive, true, c->memory, scratch, error));
    if (u->number != NULL) {
        TRY(u->number(u->user, p, c, error));
        TRY(count_showing(u, c->memory, error));
        u->number = NULL;
        p->problem.unit = u->rows.unit;
        p->problem.n_units = u->rows.n_units;
        for (uint32_t s = 0; s < p->problem.n_sensitive && u->rows.unit != NULL; s++) {
            const uint32_t *values = sensitive[s].values;
            sensitive[s] = u->rows.sensitive[s];
            sensitive[s].values = values;
        }
    }
    p->n_units = u->count;
    p->unknown = u->unknown;
    p->lacking = u->lacking;
    return KITH_OK;
}

kith_status units_make(prepared *p, context *c, kith_error *error)
{
    if (p->study->n_unit == 0)
        return KITH_OK;
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, c->memory, p->problem.n_sensitive, error);
    memcpy(sensitive, p->problem.sensitive, p->problem.n_sensitive * sizeof *sensitive);
    arena *scratch = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = p->whole == NULL
                                   ? number_units(p, sensitive, false, c->memory, scratch, error)
                                   : number_part(p, sensitive, c, scratch, error);
    p->problem.sensitive = sensitive;
    arena_free(scratch);
    return status;
}

kith_status units_of_kept_rows(problem *mine, const kith_study *study, const kith_table *table,
                               context *c, kith_error *error)
{
    const prepare_joint joint = {0};
    const kept_rows kept = {study, NULL};
    prepared p = {.study = study, .table = table, .joint = &joint};
    if (study->n_unit == 0)
        return KITH_OK;
    p.rows = TRY_ARRAY(p.rows, c->memory, table->n_rows, error);
    for (uint32_t row = 0; row < table->n_rows; row++)
        if (kept_rows_has(&kept, table, row))
            p.rows[p.n_rows++] = row;
    p.problem.n_records = p.n_rows;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(number_units(&p, NULL, true, c->memory, scratch, error));
    mine->unit = p.problem.unit;
    mine->n_units = p.problem.n_units;
    return KITH_OK;
}

/* How many persons have more than one value. */
static kith_status count_several(uint32_t *several, const prepared *of, uint32_t s, context *c,
                                 kith_error *error)
{
    const problem *p = of->whole == NULL ? &of->problem : &of->whole->units->rows;
    const sensitive_attribute *a = &p->sensitive[s];
    uint32_t *codes[] = {(uint32_t *)p->unit, (uint32_t *)a->pair};
    const uint32_t n_codes[] = {p->n_units, a->n_pairs};
    const code_rows rows = {
        .n_rows = p->n_records, .n_columns = 2, .n_keys = 1, .n_codes = n_codes, .codes = codes};
    code_rows own;
    TRY(code_rows_exchange(&own, &rows, c, c->memory, error));
    bool *seen = TRY_ZEROS(seen, c->memory, a->n_pairs, error);
    uint8_t *n_values = TRY_ZEROS(n_values, c->memory, p->n_units, error);
    uint64_t count = 0;
    for (uint32_t i = 0; i < own.n_rows; i++) {
        uint8_t *values = &n_values[own.codes[0][i]];
        if (seen[own.codes[1][i]] || *values == 2)
            continue;
        seen[own.codes[1][i]] = true;
        count += ++*values == 2;
    }
    TRY(ranks_sum(c->ranks, &count, 1, error));
    *several = (uint32_t)count;
    return KITH_OK;
}

uint32_t units_refused_model(const problem *p)
{
    for (uint32_t i = 0; i < p->n_models && p->unit != NULL; i++)
        if (model_needs_one_value(&p->models[i]) &&
            p->sensitive[p->models[i].sensitive].n_pairs != p->n_units)
            return i;
    return UINT32_MAX;
}

kith_status units_refuse_model(const char *who, const model_spec *m, kith_error *error)
{
    const char *variant = model_variant_name(m->variant);
    error_set(error, KITH_DATA, "%s have several values of %s: %s%s%s%s cannot count persons then",
              who, m->attribute, model_name(m->id), variant[0] == '\0' ? "" : " (", variant,
              variant[0] == '\0' ? "" : ")");
    return error_hint(error, KITH_DATA,
                      "l-diversity (frequency, distinct), alpha-k, p-sensitive, beta-likeness "
                      "and delta-disclosure count the persons of each value");
}

kith_status units_check_models(const prepared *p, context *c, kith_error *error)
{
    const uint32_t refused = units_refused_model(&p->problem);
    uint32_t several = 0;
    char who[48];
    if (refused == UINT32_MAX)
        return KITH_OK;
    const model_spec *m = &p->problem.models[refused];
    TRY(count_several(&several, p, m->sensitive, c, error));
    snprintf(who, sizeof who, "%u of %u persons", several, p->problem.n_units);
    return units_refuse_model(who, m, error);
}

kith_status units_ask_common(prepared *p, context *c, kith_error *error)
{
    problem *q = &p->problem;
    bool asked = false;
    if (!p->study->refuse_intersections || q->unit == NULL)
        return KITH_OK;
    uint32_t *common = TRY_ZEROS(common, c->memory, q->n_sensitive, error);
    for (uint32_t s = 0; s < q->n_sensitive; s++) {
        if (q->sensitive[s].n_pairs == q->n_units)
            common[s] = models_values_needed(q->models, q->n_models, s);
        asked = asked || common[s] > 0;
    }
    q->common = common;
    if (asked)
        return KITH_OK;
    error_set(error, KITH_DATA,
              "intersections: of no column that a model protects has each person one value");
    return error_hint(error, KITH_DATA,
                      "the key is about values that do not change, as of a chronic disease: leave "
                      "it out, or make such a column of it");
}

void units_warn(kith_findings *findings, const kith_study *study, const kith_table *table)
{
    const kept_rows kept = {study, NULL};
    uint32_t count = 0, first = 0;
    const char *name = NULL;
    for (uint32_t row = 0; row < table->n_rows && study->n_unit > 0; row++)
        for (uint32_t i = 0; i < study->n_unit && kept_rows_has(&kept, table, row); i++) {
            const uint32_t at = table_find(table, study->columns[study->unit[i]].name);
            if (at == UINT32_MAX)
                return;
            if (table->columns[at].codes[row] != TABLE_MISSING)
                continue;
            first = count == 0 ? row : first;
            name = count == 0 ? table->columns[at].name : name;
            count++;
            break;
        }
    if (count > 0)
        findings_add(findings, KITH_SEVERITY_WARNING, table->source,
                     (size_t)table_source_line(table, first), 0, UNITS_UNKNOWN, count,
                     count == 1 ? "" : "s", name);
}
