#include "job/prepare/units.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "job/prepare/kept_rows.h"
#include "table/row_groups.h"

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
        c->codes = TRY_ALLOC(arena_array(memory, p->n_rows, sizeof *c->codes), error);
        for (uint32_t row = 0; row < p->n_rows; row++) {
            c->codes[row] = p->table->columns[place].codes[p->rows[row]];
            lone[row] = lone[row] || c->codes[row] == TABLE_MISSING;
        }
    }
    return KITH_OK;
}

/* Gives each row that belongs to nobody known a group of its own. */
static kith_status part_lone(row_groups *g, const bool *lone, arena *memory, kith_error *error)
{
    uint32_t *number = TRY_ALLOC(arena_array(memory, g->count, sizeof *number), error);
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
    pairs.of = TRY_ALLOC(arena_array(memory, units->n_rows, sizeof *pairs.of), error);
    row_groups_refine(&pairs, units, &values, scratch);
    uint32_t *value_of = TRY_ALLOC(arena_array(memory, pairs.count, sizeof *value_of), error);
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
    bool *home = TRY_ALLOC(arena_array(memory, p->n_units, sizeof *home), error);
    for (uint32_t row = 0; row < p->n_rows; row++)
        home[p->problem.unit[row]] = p->joint->home[p->rows[row]];
    p->problem.home = home;
    return KITH_OK;
}

static kith_status number_units(prepared *p, sensitive_attribute *sensitive, arena *memory,
                                arena *scratch, kith_error *error)
{
    kith_table of_units;
    row_groups units;
    row_groups_scratch *space;
    uint32_t *all = TRY_ALLOC(arena_array(scratch, p->study->n_unit, sizeof *all), error);
    bool *lone = TRY_ALLOC(arena_zalloc(scratch, p->n_rows, sizeof *lone), error);
    TRY(take_columns(&of_units, lone, p, scratch, error));
    for (uint32_t i = 0; i < p->study->n_unit; i++)
        all[i] = i;
    TRY(row_groups_by(&units, memory, &of_units, all, of_units.n_columns, error));
    for (uint32_t row = 0; row < p->n_rows; row++)
        p->unknown += lone[row];
    if (p->unknown > 0)
        TRY(part_lone(&units, lone, scratch, error));
    p->n_units = units.count;
    /* Other parties may have several rows of a person. */
    if (units.count == p->n_rows && p->joint == NULL)
        return KITH_OK;
    TRY(row_groups_scratch_new(&space, scratch, p->n_rows, error));
    for (uint32_t s = 0; s < p->problem.n_sensitive; s++)
        TRY(make_pairs(&sensitive[s], &units, space, memory, error));
    p->problem.unit = units.of;
    p->problem.n_units = units.count;
    return p->joint == NULL || p->joint->home == NULL ? KITH_OK : make_homes(p, memory, error);
}

kith_status units_make(prepared *p, context *c, kith_error *error)
{
    if (p->study->n_unit == 0)
        return KITH_OK;
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, c->memory, p->problem.n_sensitive, error);
    memcpy(sensitive, p->problem.sensitive, p->problem.n_sensitive * sizeof *sensitive);
    arena *scratch = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = number_units(p, sensitive, c->memory, scratch, error);
    p->problem.sensitive = sensitive;
    arena_free(scratch);
    return status;
}

/* How many persons have more than one value. */
static kith_status count_several(uint32_t *several, const problem *p, uint32_t s, arena *memory,
                                 kith_error *error)
{
    const sensitive_attribute *a = &p->sensitive[s];
    bool *seen = TRY_ALLOC(arena_zalloc(memory, a->n_pairs, sizeof *seen), error);
    uint8_t *n_values = TRY_ALLOC(arena_zalloc(memory, p->n_units, sizeof *n_values), error);
    *several = 0;
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint8_t *own = &n_values[p->unit[i]];
        if (seen[a->pair[i]] || *own == 2)
            continue;
        seen[a->pair[i]] = true;
        *several += ++*own == 2;
    }
    return KITH_OK;
}

kith_status units_check_models(const prepared *p, context *c, kith_error *error)
{
    for (uint32_t i = 0; i < p->problem.n_models && p->problem.unit != NULL; i++) {
        const model_spec *m = &p->problem.models[i];
        if (!model_needs_one_value(m) ||
            p->problem.sensitive[m->sensitive].n_pairs == p->problem.n_units)
            continue;
        uint32_t several = 0;
        const char *variant = model_variant_name(m->variant);
        TRY(count_several(&several, &p->problem, m->sensitive, c->memory, error));
        error_set(error, KITH_DATA,
                  "%u of %u persons have several values of %s: %s%s%s%s cannot count persons then",
                  several, p->problem.n_units, m->attribute, model_name(m->id),
                  variant[0] == '\0' ? "" : " (", variant, variant[0] == '\0' ? "" : ")");
        return error_hint(error, KITH_DATA,
                          "l-diversity (frequency, distinct), alpha-k, p-sensitive, beta-likeness "
                          "and delta-disclosure count the persons of each value");
    }
    return KITH_OK;
}

void units_warn(kith_findings *findings, const kith_study *study, const kith_table *table)
{
    uint32_t count = 0, first = 0;
    const char *name = NULL;
    for (uint32_t row = 0; row < table->n_rows && study->n_unit > 0; row++)
        for (uint32_t i = 0; i < study->n_unit && !kept_rows_is_empty(table, row); i++) {
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
                     (size_t)table_source_line(table, first), 0,
                     "%u row%s without a value of %s: each counts as a person of its own", count,
                     count == 1 ? "" : "s", name);
}
