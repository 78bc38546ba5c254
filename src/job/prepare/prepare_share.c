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

static const char *column_needs(const study_column *c, bool lattice)
{
    if (c->mean)
        return "microaggregate";
    return !lattice && c->max_level != STUDY_ANY_LEVEL ? "max_level" : NULL;
}

/* m-invariance looks at persons, and unions of classes may break dissimilarity. */
static const char *model_needs(const model_spec *m)
{
    const bool served = m->id != MODEL_M_INVARIANCE && model_closed(m);
    return served ? NULL : model_name(m->id);
}

/* What of the study needs all rows in one memory; NULL: nothing. */
static const char *needs_whole_rows(const kith_study *study)
{
    const bool lattice = searches_lattice(study);
    const char *found = NULL;
    if (study->sample > 0)
        return "sample";
    if (study->suppression > 0 && !lattice)
        return "suppression";
    if (measure_at(study->measure)->uses_sensitive)
        return measure_at(study->measure)->name;
    for (uint32_t i = 0; i < study->n_columns && found == NULL; i++)
        found = column_needs(&study->columns[i], lattice);
    for (uint32_t i = 0; i < study->n_models && found == NULL; i++)
        found = model_needs(&study->models[i]);
    if (found == NULL && !lattice && strcmp(study->algorithm, "weave") != 0)
        found = study->algorithm;
    return found;
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
    return refuse(needs_whole_rows(study),
                  "such tables are searched with weave, or, also with suppression and max_level, "
                  "with flash, ola, incognito, breadth-first, depth-first or datafly",
                  error);
}

kith_status prepare_compare_check(const kith_study *study, kith_error *error)
{
    const char *found = study->sample > 0 ? "sample" : NULL;
    for (uint32_t i = 0; i < study->n_columns && found == NULL; i++)
        found = study->columns[i].mean ? "microaggregate" : NULL;
    return refuse(found, "start one process, without ranks", error);
}
