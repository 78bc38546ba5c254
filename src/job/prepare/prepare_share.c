/* Which studies a search of shares can serve. */
#include <string.h>

#include "core/error.h"
#include "job/prepare/prepare.h"

static const char *column_needs(const study_column *c)
{
    if (c->mean)
        return "microaggregate";
    if (c->min_level > 0)
        return "min_level";
    return c->max_level != STUDY_ANY_LEVEL ? "max_level" : NULL;
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
    const char *found = NULL;
    if (study->sample > 0)
        return "sample";
    if (study->suppression > 0)
        return "suppression";
    if (measure_at(study->measure)->uses_sensitive)
        return measure_at(study->measure)->name;
    for (uint32_t i = 0; i < study->n_columns && found == NULL; i++)
        found = column_needs(&study->columns[i]);
    for (uint32_t i = 0; i < study->n_models && found == NULL; i++)
        found = model_needs(&study->models[i]);
    if (found == NULL && strcmp(study->algorithm, "weave") != 0)
        found = study->algorithm;
    return found;
}

kith_status prepare_share_check(const kith_study *study, kith_error *error)
{
    const char *found = needs_whole_rows(study);
    if (found == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "%s needs all rows in the memory of one process: it is not available for tables "
              "that are larger, or spread over processes",
              found);
    return error_hint(error, KITH_INVALID, "these are searched with weave alone");
}
