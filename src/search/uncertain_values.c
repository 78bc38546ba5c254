#include "search/uncertain_values.h"

#include "core/error.h"

enum { MAX_VALUES = 64, FIRST_LOOK = 16 };

/* Finds the attribute, and how many values are needed; UINT32_MAX: models ask for something else. */
static uint32_t find_attribute(const problem *p, double *n_values)
{
    uint32_t sensitive = UINT32_MAX;
    *n_values = 0;
    for (uint32_t m = 0; m < p->n_models; m++) {
        const model_spec *model = &p->models[m];
        const bool p_sensitive = model->id == MODEL_P_SENSITIVE;
        if (model->id == MODEL_K_ANONYMITY)
            continue;
        if ((!p_sensitive && model->variant != VARIANT_DISTINCT) ||
            (sensitive != UINT32_MAX && model->sensitive != sensitive))
            return UINT32_MAX;
        const double needed = p_sensitive ? model->p : model->l;
        *n_values = needed > *n_values ? needed : *n_values;
        sensitive = model->sensitive;
    }
    return sensitive;
}

kith_status uncertain_values_init(uncertain_values **u, const problem *p, arena *memory,
                                  kith_error *error)
{
    double n_values;
    const uint32_t sensitive = find_attribute(p, &n_values);
    *u = NULL;
    if (p->unit == NULL || p->weight != NULL || sensitive == UINT32_MAX ||
        p->sensitive[sensitive].count > MAX_VALUES)
        return KITH_OK;
    uncertain_values *own = *u = TRY_ALLOC(arena_alloc(memory, sizeof *own), error);
    *own = (uncertain_values){.problem = p, .sensitive = sensitive, .n_values = n_values};
    own->values_of = TRY_ZEROS(own->values_of, memory, p->n_units, error);
    own->records = TRY_ZEROS(own->records, memory, p->n_units, error);
    for (uint32_t i = 0; i < p->n_records; i++) {
        const uint32_t n = ++own->records[p->unit[i]];
        own->max_records = n > own->max_records ? n : own->max_records;
        own->values_of[p->unit[i]] |= UINT64_C(1) << p->sensitive[sensitive].values[i];
    }
    for (uint32_t i = 0; i < p->n_units; i++)
        own->records[i] = 0;
    return KITH_OK;
}

/* Do the units of these records have no value in common, in the whole problem? */
static bool nothing_common(const uncertain_values *u, const uint32_t *members, uint32_t size)
{
    uint64_t common = UINT64_MAX;
    for (uint32_t i = 0; i < size && common != 0; i++)
        common &= u->values_of[u->problem->unit[members[i]]];
    return common == 0;
}

/* No value is certain of a unit by the number of its records if as many lack the most frequent
 * value, nor by all units' showing it if fewer records than units do, or if one unit never does.
 * What is said of the first records of a class stays true whichever follow, with the most records
 * that a unit has anywhere. */
bool uncertain_values_sure(const uncertain_values *u, const uint32_t *members, uint32_t size)
{
    const uint32_t *unit = u->problem->unit;
    const uint32_t *values = u->problem->sensitive[u->sensitive].values;
    uint32_t shown[MAX_VALUES] = {0};
    uint32_t most_shown = 0, most_records = 0, n_values = 0, n_units = 0, n = 0;
    uint32_t look = FIRST_LOOK;
    bool sure = false;
    while (n < size && !sure) {
        const uint32_t record = members[n++];
        const uint32_t records = ++u->records[unit[record]], same = ++shown[values[record]];
        n_units += records == 1;
        n_values += same == 1;
        most_records = records > most_records ? records : most_records;
        most_shown = same > most_shown ? same : most_shown;
        if (n != look)
            continue;
        look *= 2;
        sure = n_values >= u->n_values && n - most_shown >= u->max_records &&
               nothing_common(u, members, n);
    }
    for (uint32_t i = 0; i < n; i++)
        u->records[unit[members[i]]] = 0;
    return sure || (n == size && n_values >= u->n_values && n - most_shown >= most_records &&
                    (most_shown < n_units || nothing_common(u, members, n)));
}
