#include "job/check/check_models.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"

typedef struct model_check {
    const kith_study *study;
    const kith_table *table;
    const bool *left_out;
    kith_findings *findings;
    arena *memory;
} model_check;

/* l-diversity by frequency is infeasible if a value has more than 1/l of all records: then no
 * partition can satisfy it. */
static kith_status check_diversity(const model_check *k, const model_spec *m, uint32_t n_records,
                                   kith_error *error)
{
    uint32_t place = table_find(k->table, m->attribute), frequency = 0, code = 0;
    if (place == UINT32_MAX || n_records == 0)
        return KITH_OK; /* reported already */
    const column *c = &k->table->columns[place];
    /* The most frequent value and its count; a missing cell is a value like any other. */
    uint32_t *count = /* of each value, then of missing cells */
        TRY_ALLOC(arena_zalloc(k->memory, (size_t)c->values.count + 1, sizeof *count), error);
    for (uint32_t row = 0; row < k->table->n_rows; row++)
        if (!k->left_out[row])
            count[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]]++;
    code = 0;
    for (uint32_t i = 1; i <= c->values.count; i++)
        if (count[i] > count[code])
            code = i;
    frequency = count[code];
    if ((double)frequency * m->l <= (double)n_records)
        return KITH_OK;
    char wanted[32], quoted[80] = "";
    text_format_decimal(wanted, m->l);
    if (code < c->values.count)
        text_quote(quoted, sizeof quoted, dictionary_text(&c->values, code),
                   dictionary_length(&c->values, code));
    findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->study->path, m->line, 0,
                 "l = %s cannot be met: '%s' is the %s of %u of %u records, so that at most "
                 "l = %.4g can be reached",
                 wanted, quoted, m->attribute, frequency, n_records,
                 (double)n_records / (double)frequency);
    return KITH_OK;
}

kith_status check_models(kith_findings *findings, const kith_study *study, const kith_table *table,
                         const bool *left_out, arena *memory, kith_error *error)
{
    const model_check k = {study, table, left_out, findings, memory};
    uint32_t n_records = 0;
    for (uint32_t row = 0; row < table->n_rows; row++)
        n_records += !left_out[row];
    if (n_records == 0)
        findings_add(findings, KITH_SEVERITY_PROBLEM, table->source, 0, 0, "%s",
                     table->n_rows == 0 ? "no records"
                                        : "every row lacks a value, and none is left");
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        if (m->variant == VARIANT_FREQUENCY)
            TRY(check_diversity(&k, m, n_records, error));
        else if (m->id != MODEL_K_MAP && n_records > 0 && n_records < m->k)
            findings_add(findings, KITH_SEVERITY_PROBLEM, study->path, m->line, 0,
                         "k = %u cannot be met: %s has %u record%s", m->k, table->source, n_records,
                         n_records == 1 ? "" : "s");
    }
    return KITH_OK;
}
