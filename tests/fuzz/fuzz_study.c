/* Any bytes as a study: refused with findings, or a study that keeps its promises. */
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_study(const kith_study *study)
{
    char digest[65];
    kith_study_digest(digest, study);
    require(strlen(digest) == 64 && kith_study_name(study)[0] != '\0');
    uint32_t quasi = 0, n_sensitive = 0;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *c = &study->columns[i];
        require(c->name[0] != '\0' && c->weight >= 0 && c->hierarchy.count < HIERARCHY_MAX_LEVELS);
        quasi += c->role == ROLE_QUASI_IDENTIFYING;
        n_sensitive += c->role == ROLE_SENSITIVE;
    }
    require(quasi > 0 && study->n_models > 0 && search_find(study->algorithm) != NULL);
    require(study->suppression >= 0 && study->suppression <= 1);
    require(measure_at(study->measure)->additive);
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        require(m->id == MODEL_K_ANONYMITY ? m->k >= 2 : m->l >= 1 && m->sensitive < n_sensitive);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kith_findings *findings = kith_findings_new();
    kith_study *study = NULL;
    kith_error error;
    require(findings != NULL);
    kith_status status =
        kith_study_parse(&study, (const char *)data, size, "/nonexistent", findings, &error);
    require(status == KITH_OK || status == KITH_INVALID);
    require((status == KITH_OK) == (study != NULL));
    require((status == KITH_OK) == (kith_findings_n_problems(findings) == 0));
    if (status == KITH_OK)
        check_study(study);
    kith_study_free(study);
    kith_findings_free(findings);
    return 0;
}
