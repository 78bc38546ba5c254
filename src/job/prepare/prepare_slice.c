/* Which studies a search of slices can serve. */
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
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].mean)
            return "microaggregate";
    for (uint32_t i = 0; i < study->n_models; i++)
        if (study->models[i].id == MODEL_M_INVARIANCE)
            return model_name(MODEL_M_INVARIANCE);
    return NULL;
}

/* Are any two records compared? Unions of classes may break dissimilarity, and where persons are
 * counted other models, too, which ranks find out in the end. */
static bool compares_records(const kith_study *study, bool ranks)
{
    bool compares = study->refuse_intersections || measure_at(study->measure)->uses_sensitive;
    for (uint32_t i = 0; i < study->n_models; i++)
        compares = compares || !(ranks ? model_closed_by_records(&study->models[i])
                                       : model_closed(&study->models[i]));
    if (compares || searches_lattice(study))
        return compares;
    for (uint32_t i = 0; i < study->n_columns; i++)
        compares = compares || study->columns[i].max_level != STUDY_ANY_LEVEL;
    return compares || study->suppression > 0 || strcmp(study->algorithm, "weave") != 0;
}

/* Combinations of values do not tell whose they are; ranks tell it with them. */
prepare_need prepare_needs(const kith_study *study, bool ranks)
{
    const bool persons = !ranks && study->n_unit > 0 && searches_lattice(study);
    return persons || compares_records(study, ranks) ? NEEDS_RECORDS
           : searches_lattice(study)                 ? NEEDS_COMBINATIONS
                                                     : NEEDS_PIECES;
}

static kith_status prepare_slice_refuse(const char *found, const char *hint, kith_error *error)
{
    if (found == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "%s needs all rows in the memory of one process: it is not available for tables "
              "that are larger, or spread over processes",
              found);
    return error_hint(error, KITH_INVALID, "%s", hint);
}

kith_status prepare_whole_check(const kith_study *study, kith_error *error)
{
    return prepare_slice_refuse(needs_rows(study),
                                "leave it out, or start one process with enough memory", error);
}

kith_status prepare_compare_check(const kith_study *study, kith_error *error)
{
    const char *found = study->sample > 0 ? "sample" : NULL;
    for (uint32_t i = 0; i < study->n_columns && found == NULL; i++)
        found = study->columns[i].mean ? "microaggregate" : NULL;
    return prepare_slice_refuse(found, "start one process, with enough memory", error);
}
