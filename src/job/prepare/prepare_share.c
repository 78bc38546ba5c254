/* Which studies a search of shares can serve. */
#include <string.h>

#include "core/error.h"
#include "job/prepare/prepare.h"
#include "search/search.h"

/* Searches of a lattice need no more than counts: they suppress records and bound levels as in one
 * memory. */
static bool searches_lattice(const kith_study *study)
{
    const algorithm *a = search_find(study->algorithm);
    return a != NULL && a->ranks && a->global;
}

/* What of the study looks at single rows of the whole table; NULL: nothing. m-invariance looks at
 * persons. */
static const char *needs_rows(const kith_study *study)
{
    if (study->sample > 0)
        return "sample";
    if (study->refuse_intersections)
        return "intersections";
    if (measure_at(study->measure)->uses_sensitive)
        return measure_at(study->measure)->name;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].mean)
            return "microaggregate";
    for (uint32_t i = 0; i < study->n_models; i++)
        if (study->models[i].id == MODEL_M_INVARIANCE)
            return model_name(MODEL_M_INVARIANCE);
    return NULL;
}

/* What compares any two records; NULL: nothing. Unions of classes may break dissimilarity. Where
 * persons are counted they may break other models, too, which ranks find out in the end. */
static const char *needs_records(const kith_study *study, bool ranks)
{
    const bool lattice = searches_lattice(study);
    for (uint32_t i = 0; i < study->n_models; i++)
        if (ranks ? !model_closed_by_records(&study->models[i]) : !model_closed(&study->models[i]))
            return model_name(study->models[i].id);
    if (lattice)
        return NULL;
    if (study->suppression > 0)
        return "suppression";
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].max_level != STUDY_ANY_LEVEL)
            return "max_level";
    return strcmp(study->algorithm, "weave") != 0 ? study->algorithm : NULL;
}

/* Combinations of values do not tell whose they are. */
prepare_need prepare_needs(const kith_study *study)
{
    const bool persons = study->n_unit > 0 && searches_lattice(study);
    return persons || needs_records(study, false) != NULL ? NEEDS_RECORDS
           : searches_lattice(study)                      ? NEEDS_COMBINATIONS
                                                          : NEEDS_PIECES;
}

static kith_status refuse(const char *found, const char *hint, kith_error *error)
{
    if (found == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "%s needs all rows in the memory of one process: it is not available for tables "
              "that are larger, or spread over processes",
              found);
    return error_hint(error, KITH_INVALID, "%s", hint);
}

kith_status prepare_shares_check(const kith_study *study, kith_error *error)
{
    return refuse(needs_rows(study) != NULL ? needs_rows(study) : needs_records(study, true),
                  "such tables are searched with weave, or, also with suppression and max_level, "
                  "with flash, ola, incognito, breadth-first, depth-first or datafly",
                  error);
}

kith_status prepare_store_check(const kith_study *study, kith_error *error)
{
    return refuse(needs_rows(study), "leave it out, or allow more memory", error);
}

kith_status prepare_compare_check(const kith_study *study, kith_error *error)
{
    const char *found = study->sample > 0 ? "sample" : NULL;
    for (uint32_t i = 0; i < study->n_columns && found == NULL; i++)
        found = study->columns[i].mean ? "microaggregate" : NULL;
    return refuse(found, "start one process, with enough memory", error);
}
